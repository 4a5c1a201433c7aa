"""What is copied, saved and opened in the live widget, and what is drawn only while its panel is open."""

import base64
import csv
import io
import json
import re
import struct
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import assert_axe_finds_nothing
from tests.browser.driver import Widget, until_live

pytestmark = pytest.mark.browser

PANELS = ("chart", "table", "share")


@pytest.fixture
def sharing(widget: Widget) -> Iterator[Widget]:
    """The widget with its panels open and the clipboard allowed."""
    widget.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for panel in PANELS:
        widget.page.locator(f"[data-panel={panel}] > summary").click()
    expect(widget.region("table").locator("table")).to_have_count(2)
    yield widget
    widget.page.emulate_media(media="screen")
    for panel in PANELS:
        widget.page.locator(f"[data-panel={panel}] > summary").click()
    expect(widget.region("table").locator("table")).to_have_count(0)
    widget.page.context.clear_permissions()


def saved(widget: Widget, what: str) -> Path:
    with widget.page.expect_download() as download:
        widget.page.locator(f"[data-panel=share] [data-command*='\"{what}\"']").click()
    assert download.value.suggested_filename == f"pagedkv-start-step-4.{what}"
    expect(widget.page.locator("[data-shared]")).to_have_text(
        f"pagedkv-start-step-4.{what} goes to your downloads."
    )
    return Path(download.value.path())


def clipboard(page: Page) -> str:
    return str(page.evaluate("navigator.clipboard.readText()"))


def snapshot(widget: Widget) -> dict[str, Any]:
    found: dict[str, Any] = widget.press("[data-key=chat-B] .kv-main")["snapshot"]
    widget.press("[data-command*=undo]")
    return found


def test_each_file_holds_what_it_says(sharing: Widget) -> None:
    sharing.grow("A")
    svg = ET.fromstring(saved(sharing, "svg").read_text(encoding="utf-8"))
    assert "A in blocks 0, 1 and 5" in [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")]
    operations = json.loads(saved(sharing, "json").read_text(encoding="utf-8"))
    assert operations["operations"][-1] == {"op": "append", "chat": "A", "tokens": 4}
    assert operations["step"] == 4
    counters = list(csv.reader(io.StringIO(saved(sharing, "csv").read_text(encoding="utf-8"))))
    assert len(counters) == 1 + 2 * 5
    assert counters[-1] == ["4", "paged", "18", "6", "40", "40", "0"]
    # To save is no step, and nothing of it is done again after a restart.
    assert sharing.region("time").locator(".kv-where").inner_text() == "4 / 4"


_COLOURS = """async (data) => {
  const image = new Image();
  image.src = `data:image/png;base64,${data}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data: pixels } = context.getImageData(0, 0, canvas.width, canvas.height);
  const counts = {};
  for (let at = 0; at < pixels.length; at += 4) {
    const colour = pixels.slice(at, at + 3).join();
    counts[colour] = (counts[colour] ?? 0) + 1;
  }
  return counts;
}"""


def colours_of(page: Page, png: bytes) -> dict[str, int]:
    """Return colour -> number of pixels."""
    return cast("dict[str, int]", page.evaluate(_COLOURS, base64.b64encode(png).decode()))


def test_the_png_is_the_svg_at_twice_its_size(sharing: Widget) -> None:
    sharing.grow("A")
    svg = ET.fromstring(saved(sharing, "svg").read_text(encoding="utf-8"))
    png = saved(sharing, "png").read_bytes()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    assert (width, height) == (2 * int(svg.get("width", "")), 2 * int(svg.get("height", "")))
    colours = colours_of(sharing.page, png)
    # The colours of A, B and C, each over several slots.
    for owner in ("31,95,168", "185,77,0", "11,122,102"):
        assert colours.get(owner, 0) > 1000


@pytest.mark.parametrize(("system", "page_theme"), [("light", "dark"), ("dark", "light"), ("dark", None)])
def test_the_png_has_the_colours_of_the_page(sharing: Widget, system: str, page_theme: str | None) -> None:
    sharing.page.emulate_media(color_scheme="dark" if system == "dark" else "light")
    sharing.grow("A")
    choose = "(theme) => { document.documentElement.style.colorScheme = theme ?? ''; }"
    sharing.page.evaluate(choose, page_theme)
    colours = colours_of(sharing.page, saved(sharing, "png").read_bytes())
    sharing.page.evaluate(choose, None)
    paper = {"light": "255,255,255", "dark": "28,33,37"}
    seen = page_theme or system
    assert colours.get(paper[seen], 0) > 100_000
    assert colours.get(paper["light" if seen == "dark" else "dark"], 0) < 1000


def test_a_saved_file_opens_again_by_choice_and_by_drop(sharing: Widget, tmp_path: Path) -> None:
    sharing.slide("reserve", 16)
    sharing.grow("A")
    before = snapshot(sharing)
    text = saved(sharing, "json").read_text(encoding="utf-8")
    told = sharing.page.locator("[data-shared]")

    sharing.press("[data-command*='\"holes\"']")
    path = tmp_path / "mine.json"
    path.write_text(text, encoding="utf-8")
    with sharing.page.expect_file_chooser() as chooser:
        sharing.page.get_by_role("button", name="Open operations").click()
    chooser.value.set_files(path)
    expect(told).to_have_text("mine.json is open. Undo brings back what was here.")
    assert snapshot(sharing) == before

    sharing.press("[data-command*='\"holes\"']")
    sharing.page.evaluate(
        """(text) => {
          const carried = new DataTransfer();
          carried.items.add(new File([text], "dropped.json", { type: "application/json" }));
          const pool = document.querySelector("kv-pool");
          for (const type of ["dragover", "drop"]) {
            const event = new DragEvent(type, { dataTransfer: carried, bubbles: true, cancelable: true });
            pool.querySelector("h2").dispatchEvent(event);
          }
        }""",
        text,
    )
    expect(told).to_have_text("dropped.json is open. Undo brings back what was here.")
    assert snapshot(sharing) == before
    assert sharing.pool.get_attribute("data-drop") is None


def test_a_file_of_something_else_is_refused_and_changes_nothing(sharing: Widget, tmp_path: Path) -> None:
    before = snapshot(sharing)
    path = tmp_path / "photo.png"
    path.write_bytes(bytes(range(256)) * 8)
    sharing.page.locator("[data-import-file]").set_input_files(path)
    sentence = "The file cannot be opened. The document is not JSON. Choose a file that this page saved."
    expect(sharing.page.locator("[data-shared]")).to_have_text(sentence)
    assert snapshot(sharing) == before


def test_a_copied_link_leads_to_the_same_state_in_a_new_page(sharing: Widget) -> None:
    sharing.slide("block_size", 3)
    sharing.grow("A")
    before = sharing.finish("B")["snapshot"]
    sharing.page.get_by_role("button", name="Copy link").click()
    expect(sharing.page.locator("[data-shared]")).to_have_text("The link is copied.")
    link = clipboard(sharing.page)
    assert link == f"{sharing.page.url.split('#')[0]}#v=1&block=8&ops=~A+4,B!"
    page = sharing.page.context.new_page()
    page.goto(link)
    until_live(page)
    expect(page.locator(".kv-where")).to_have_text("5 / 5")
    other = Widget(page)
    assert other.press("[data-command*='\"select\"'][aria-pressed=true]")["snapshot"] == before
    page.close()


def test_a_problem_report_names_link_build_browser_and_mode(sharing: Widget, site: str) -> None:
    for _ in range(2):
        sharing.page.locator("[data-import-file]").set_input_files(
            {"name": "x.json", "mimeType": "application/json", "buffer": b"{}"}
        )
    expect(sharing.page.locator("[data-shared]")).to_contain_text("cannot be opened")
    sharing.page.get_by_role("button", name="Copy problem report").click()
    expect(sharing.page.locator("[data-shared]")).to_have_text("The problem report is copied.")
    lines = dict(line.split(": ", 1) for line in clipboard(sharing.page).splitlines())
    assert lines["Link"] == f"{site}widget.html#v=1"
    script = sharing.page.locator("script[src$='element.js']").get_attribute("src") or ""
    assert script == f"app/{lines['Build']}/element.js"
    assert lines["Browser"] == sharing.page.evaluate("navigator.userAgent")
    assert re.fullmatch(r"live · Python 3\.\d+\.\d+", lines["Mode"])
    assert lines["View"] == "broad, in a window of 1100 by 900"
    assert lines["Last problem"] == (
        "The file cannot be opened. The document is of version None; this page reads version 1."
    )


def test_where_the_clipboard_is_closed_the_text_is_there_to_copy(sharing: Widget) -> None:
    sharing.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    sharing.page.get_by_role("button", name="Copy link").click()
    field = sharing.page.get_by_role("textbox", name="Text to copy")
    expect(field).to_be_focused()
    assert field.input_value() == f"{sharing.page.url.split('#')[0]}#v=1"
    selected = "(field) => field.value.slice(field.selectionStart, field.selectionEnd)"
    assert field.evaluate(selected) == field.input_value()
    expect(sharing.page.locator("[data-shared]")).to_contain_text("The text is selected")
    sharing.page.evaluate("() => { delete navigator.clipboard.writeText; }")
    sharing.page.get_by_role("button", name="Copy link").click()
    expect(field).to_be_hidden()


def test_chart_and_tables_follow_each_press_while_they_are_open(sharing: Widget) -> None:
    sharing.grow("A")
    expect(sharing.region("chart").locator("svg")).to_have_count(2)
    chart = sharing.region("chart").get_by_role("img").last
    words = "New way: slots used, empty and free at each step New way, 4 steps. After step 4, 18 slots hold"
    expect(chart).to_have_accessible_name(re.compile(f"^{re.escape(words)}"))
    expect(chart).to_contain_text("New way, step 4: 18 used, 6 empty, 40 free")
    new = sharing.region("table").get_by_role("table", name="New way, block by block, 4 slots each")
    assert [cell.strip() for cell in new.get_by_role("row").nth(6).all_inner_texts()[0].split("\t")] == [
        *("5", "20 to 23", "held", "1", "A as its block 2", "8 and 9", "22 and 23")
    ]


@pytest.mark.parametrize("width", [1100, 320])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_open_panels_fit_are_large_enough_and_axe_finds_nothing(
    sharing: Widget, width: int, scheme: str
) -> None:
    page = sharing.page
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    name = "narrow" if width == 320 else "broad"
    expect(sharing.region("chart").locator(f"svg.kv-{name}")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    small = page.evaluate(
        """() => [...document.querySelectorAll(":is(.kv-panel) :is(button, input, summary)")]
          .filter((one) => one.checkVisibility())
          .map((one) => [one.textContent, one.getBoundingClientRect()])
          .filter(([, box]) => box.height < 44 || box.width < 44).map(([name]) => name)"""
    )
    assert small == []
    letters = page.evaluate(
        """() => Math.min(...[...document.querySelectorAll("[data-region=chart] svg")].map((svg) =>
          10.5 * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width))"""
    )
    assert letters >= 9.9
    assert_axe_finds_nothing(page)


def test_an_open_table_is_printed_whole_and_the_buttons_are_not(sharing: Widget) -> None:
    sharing.page.emulate_media(media="print")
    box = sharing.region("table").locator(".kv-scroll").first
    assert box.evaluate("(box) => box.scrollHeight <= box.clientHeight + 1")
    expect(sharing.region("table").get_by_role("rowheader", name="63", exact=True)).to_be_visible()
    expect(sharing.page.locator("[data-panel=share]")).to_be_hidden()


@pytest.mark.parametrize("name", ["widget.html#v=1&step=2", "index.html"])
def test_a_page_without_python_has_chart_and_tables_and_tells_what_is_wrong(
    page: Page, site: str, name: str
) -> None:
    page.route("**/runtime/**", lambda route: route.abort())
    page.goto(site + name)
    expect(page.locator("kv-pool[data-state=failed]")).to_be_visible()
    for panel in PANELS:
        page.locator(f"[data-panel={panel}] > summary").click()
    expect(page.locator("[data-region=table] table")).to_have_count(2)
    expect(page.locator("[data-region=chart] svg").last).to_contain_text("14 used, 6 empty, 44 free")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    page.get_by_role("button", name="Copy problem report").click()
    report = page.get_by_role("textbox", name="Text to copy").input_value()
    lines = dict(line.split(": ", 1) for line in report.splitlines())
    # Within the lesson the link leads to the page of the widget; there, it is what was opened.
    assert lines["Link"] == site + (name if "widget" in name else "widget.html#v=1")
    assert lines["Mode"] == "recorded"
    assert lines["Last problem"].startswith(
        "Python is not running. runtime/pyodide.mjs could not be loaded: "
    )
