"""Attention in the browser: NumPy comes when wanted, bars stand in the right slots, NaN moves nothing."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.axe import VISIBLE, assert_axe_finds_nothing
from tests.browser.conftest import DIST
from tests.browser.driver import BOOT_TIMEOUT, Held, Watch, Widget
from widget.session import Session

pytestmark = pytest.mark.browser

WHEEL = "**/numpy-*.whl"
SUMMARY = "[data-panel=attention] > summary"


@pytest.fixture(scope="module")
def opened(browser: Browser, site: str) -> Iterator[tuple[Widget, Watch]]:
    """A page whose panel was opened before Python was there, and whose first NumPy came damaged."""
    page = browser.new_context(viewport={"width": 1100, "height": 900}).new_page()
    watch = Watch(page)
    wheel = bytearray(next(DIST.glob("runtime/*/numpy-*.whl")).read_bytes())
    wheel[len(wheel) // 2] ^= 1
    page.context.route(WHEEL, lambda route: route.fulfill(body=bytes(wheel)))
    held = Held(page, "**/app.zip")
    page.goto(f"{site}widget.html")
    page.locator(SUMMARY).click()
    words = page.locator("[data-package]")
    expect(words).to_have_text("NumPy is loaded as soon as Python is there (1.4 MB).")
    for _ in range(600):
        if held.routes:
            break
        page.wait_for_timeout(50)
    held.routes[0].fulfill(status=404)
    # Python does not start at once either; when it is started again, NumPy is still wanted.
    expect(widget_alert(page)).to_contain_text("app.zip", timeout=BOOT_TIMEOUT)
    expect(words).to_have_text("This needs Python, which is not running.")
    page.context.unroute("**/app.zip")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("button", name="Load NumPy again")).to_be_visible(timeout=BOOT_TIMEOUT)
    yield Widget(page), watch
    page.context.close()


def widget_alert(page: Page) -> Locator:
    return page.locator("[data-problem]")


@pytest.fixture(scope="module")
def attending(opened: tuple[Widget, Watch]) -> Widget:
    """The same page once NumPy is there."""
    widget, _ = opened
    page = widget.page
    expect(page.locator("[data-package]")).to_contain_text("NumPy is not there.")
    words = page.locator("[data-package]").inner_text()
    assert "numpy-" in words
    assert "could not be loaded: it is another file than the one that belongs here." in words
    assert "All but this panel goes on." in words
    # The rest goes on: Python answers, and no bar is drawn.
    expect(widget.pool).to_have_attribute("data-state", "live")
    widget.grow("A")
    assert widget.table("A") == [0, 1, 5]
    assert bars(page, "paged") == {}
    widget.press("[data-region=time] [data-command*=undo]")
    page.context.unroute(WHEEL)
    page.get_by_role("button", name="Load NumPy again").click()
    expect(widget.region("attention").locator("table").first).to_be_visible(timeout=BOOT_TIMEOUT)
    expect(page.locator("[data-package]")).to_have_text("")
    expect(page.get_by_role("button", name="Load NumPy again")).to_be_hidden()
    return widget


@pytest.fixture
def panel(attending: Widget) -> Iterator[Widget]:
    """That page at its first step, with A attending."""
    attending.page.set_viewport_size({"width": 1100, "height": 900})
    attending.reset()
    choose(attending, "A", poison=False)
    yield attending
    attending.page.emulate_media(color_scheme="light")


def choose(widget: Widget, chat: str, *, poison: bool) -> dict[str, Any]:
    frame = widget.press(f"[data-region=attention] [data-command*='\"{chat}\"']")
    switch = "[data-region=attention] .kv-attends > button"
    if widget.page.locator(switch).get_attribute("aria-pressed") != str(poison).lower():
        frame = widget.press(switch)
    return frame


def bars(page: Page, layout: str) -> dict[int, list[float]]:
    """Return slot -> where its bar is on the screen: left, right, top, bottom."""
    found = page.evaluate(
        """(layout) => Object.fromEntries(
          [...document.querySelectorAll(`[data-region=${layout}] .kv-weight`)].map((bar) => {
            const { left, right, top, bottom } = bar.getBoundingClientRect();
            return [bar.dataset.key.replace("weight-", ""), [left, right, top, bottom]];
          }))""",
        layout,
    )
    return {int(slot): place for slot, place in found.items()}


def digits(widget: Widget) -> list[list[str]]:
    """Return the rows of the table of outputs."""
    table = widget.region("attention").locator("[data-key=outputs] tbody tr")
    return [row.locator("td").all_inner_texts() for row in table.all()]


def test_the_weights_stand_in_the_slots_that_hold_the_tokens(panel: Widget) -> None:
    choose(panel, "B", poison=False)
    for layout, slots in (("contiguous", [24, 25, 26]), ("paged", [8, 9, 10])):
        drawn = bars(panel.page, layout)
        assert list(drawn) == slots
        for slot, (left, right, top, bottom) in drawn.items():
            box = panel.region(layout).locator(f"[data-key=slot-{slot}]").bounding_box()
            assert box is not None
            assert panel.letters(layout)[slot] == "B"
            # The outline of a bar may stand half a pixel out of the slot.
            assert box["x"] - 1 <= left < right <= box["x"] + box["width"] + 1
            assert box["y"] - 1 <= top < bottom <= box["y"] + box["height"] + 1
        heights = [bottom - top for _, _, top, bottom in drawn.values()]
        assert max(heights) > 1.2 * min(heights)


def test_every_step_is_drawn_anew_and_equals_what_this_python_draws(panel: Widget) -> None:
    """The markup is the same to the letter, figures and bars included: NumPy here and there round alike."""
    here = Session()
    here.dispatch({"type": "show", "view": "broad"})
    commands: list[dict[str, Any]] = [
        {"type": "operation", "operation": {"op": "append", "chat": "A", "tokens": 4}},
        {"type": "operation", "operation": {"op": "fork", "parent": "A", "chat": "D"}},
        {"type": "operation", "operation": {"op": "append", "chat": "D", "tokens": 4}},
        {"type": "operation", "operation": {"op": "finish", "chat": "B"}},
    ]
    presses = [
        "[data-key='chat-A'] .kv-main",
        "[data-key='chat-A'] [data-command*='\"fork\"']",
        "[data-key='chat-D'] .kv-main",
        "[data-key='chat-B'] [data-command*='\"finish\"']",
    ]
    for command, press in zip(commands, presses, strict=True):
        here.dispatch(command)
        panel.press(press)
        for chat in ("A", "D" if len(here.frame()["snapshot"]["seats"]) > 3 else "C"):
            for poison in (False, True):
                there = choose(panel, chat, poison=poison)
                expected = here.dispatch({"type": "attend", "chat": chat, "poison": poison})
                for region in ("attention", "paged", "contiguous"):
                    assert there["regions"][region] == expected["regions"][region]
                assert "kv-weight" in there["regions"]["paged"]
    assert list(bars(panel.page, "paged")), "and it is drawn"


def test_nan_in_the_unused_slots_changes_no_digit_drawn(panel: Widget) -> None:
    before, drawn = digits(panel), (bars(panel.page, "paged"), bars(panel.page, "contiguous"))
    choose(panel, "A", poison=True)
    after = digits(panel)
    assert [row[:3] for row in after] == [row[:3] for row in before]
    assert [row[3] for row in after] == ["NaN"] * 4
    assert "NaN" not in "".join(row[3] for row in before)
    assert (bars(panel.page, "paged"), bars(panel.page, "contiguous")) == drawn
    expect(panel.region("attention")).to_contain_text("The answer is the same to the last bit")


def test_the_token_under_the_pointer_is_followed(panel: Widget) -> None:
    panel.region("paged").locator("[data-key=slot-3]").hover()
    way = "Token 3 of A. New way: 3 ÷ 4 is 0, remainder 3. Entry 0 of its block table is block 0"
    expect(panel.region("attention")).to_contain_text(way)
    expect(panel.region("attention").locator(".kv-walked th")).to_have_text("3")
    expect(panel.region("attention").locator(".kv-walked th")).to_be_visible()
    panel.region("paged").locator(".kv-pair").focus()
    panel.page.keyboard.press("ArrowRight")
    expect(panel.region("attention")).to_contain_text("Token 4 of A.")


@pytest.mark.parametrize("size", [{"width": 1100, "height": 900}, {"width": 320, "height": 690}])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_open_panel_is_clean_under_axe_and_fits(panel: Widget, size: Any, scheme: Any) -> None:  # noqa: ANN401
    panel.page.set_viewport_size(size)
    panel.page.emulate_media(color_scheme=scheme)
    is_first = (size["width"], scheme) == (1100, "light")
    assert_axe_finds_nothing(panel.page, None if is_first else VISIBLE)
    assert panel.page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_closing_the_panel_takes_the_bars_away(panel: Widget) -> None:
    panel.page.locator(SUMMARY).click()
    expect(panel.page.locator(".kv-weight")).to_have_count(0)
    panel.page.locator(SUMMARY).click()
    expect(panel.region("paged").locator(".kv-weight")).to_have_count(6)


def test_numpy_comes_by_itself_once_a_page_has_been_idle(live_page: tuple[Page, Watch]) -> None:
    page, watch = live_page
    assert page.locator("[data-panel=attention]").get_attribute("open") is None
    for _ in range(60):
        if any("/numpy-" in url for url in watch.requests):
            break
        page.wait_for_timeout(500)
    assert sum("/numpy-" in url for url in watch.requests) == 1


def test_only_the_missing_files_were_troubling(attending: Widget, opened: tuple[Widget, Watch]) -> None:
    assert attending is opened[0]
    withheld = ("404", "app.zip")
    assert [one for one in opened[1].troubles if not any(word in one for word in withheld)] == []
