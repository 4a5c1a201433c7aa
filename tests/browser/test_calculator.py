"""The calculator in a browser: models, files good and bad, sliders, the link, and that nothing is sent."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from pagedkv.configs.models import MODELS
from tests.browser.axe import assert_axe_finds_nothing
from tests.browser.driver import BOOT_TIMEOUT, Watch
from tests.browser.memory import Memory

pytestmark = pytest.mark.browser

WIDTHS = (320, 820, 1440)


def live(page: Page) -> None:
    expect(page.locator("kv-exercise[data-state=live]")).to_be_visible(timeout=BOOT_TIMEOUT)


def row(page: Page, name: str) -> str:
    """The cells of a row of the figures, by the beginning of its name."""
    rows = page.locator("[data-region=result] tbody tr")
    return rows.filter(has=page.get_by_role("rowheader", name=name)).locator("td").first.inner_text()


def slide(page: Page, name: str, position: int) -> None:
    page.locator(f"input[name={name}-at]").evaluate(
        """(slider, position) => {
          slider.value = String(position);
          slider.dispatchEvent(new Event("input", { bubbles: true }));
          slider.dispatchEvent(new Event("change", { bubbles: true }));
        }""",
        position,
    )


@pytest.fixture(scope="module")
def opened(browser: Browser, site: str, memory: Memory) -> Iterator[tuple[Page, Watch]]:
    context = browser.new_context(viewport={"width": 1100, "height": 900}, service_workers="block")
    memory.give(context)
    page = context.new_page()
    watch = Watch(page)
    page.goto(f"{site}calculator.html")
    live(page)
    yield page, watch
    page.context.close()


@pytest.fixture
def calculator(opened: tuple[Page, Watch]) -> Iterator[Page]:
    """The page as it opens: Llama 3.1 8B."""
    page, watch = opened
    page.set_viewport_size({"width": 1100, "height": 900})
    page.emulate_media(color_scheme="light")
    page.evaluate("location.hash = `v=1&model=llama-2-7b`")
    expect(page.locator("#layers h2")).to_have_text("Llama 2 7B")
    page.evaluate("location.hash = `v=1&model=llama-3-1-8b`")
    expect(page.locator("#layers h2")).to_have_text("Llama 3.1 8B")
    yield page
    assert watch.troubles == []


def paste(page: Page, text: str) -> None:
    details = page.locator(".kv-own")
    if details.get_attribute("open") is None:
        details.locator("summary").click()
    page.get_by_label("The text of the file").fill(text)
    page.get_by_role("button", name="Read it").click()


def drop(page: Page, content: str) -> None:
    page.evaluate(
        """(content) => {
          const files = new DataTransfer();
          files.items.add(new File([content], "config.json"));
          const options = { dataTransfer: files, bubbles: true, cancelable: true };
          document.querySelector("#layers").dispatchEvent(new DragEvent("dragover", options));
          document.querySelector("#layers").dispatchEvent(new DragEvent("drop", options));
        }""",
        content,
    )


def test_before_python_and_without_scripts_a_model_stands_there(browser: Browser, site: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}calculator.html")
    expect(page.locator("#layers h2")).to_have_text("Llama 3.1 8B")
    assert row(page, "A token") == "131,072 B = 128 KiB"
    # Nothing that a press would do nothing to looks as if it could be pressed, and the settings are words.
    assert page.locator("kv-exercise :is(button, input, select, textarea, summary):visible").count() == 0
    expect(page.locator(".kv-on-paper")).to_contain_text("For chats of 8,192 tokens, 10 at once")
    context.close()


def test_a_known_model_its_layers_and_the_mistakes_about_it(calculator: Page) -> None:
    mistakes = calculator.locator("[data-region=mistakes]")
    expect(mistakes).to_contain_text("4 times as much")
    calculator.get_by_label("A well-known model").select_option("gpt-oss 20B")
    expect(calculator.locator("#layers h2")).to_have_text("gpt-oss 20B")
    expect(calculator.locator("#layers svg[role=img]:visible")).to_have_attribute(
        "aria-label", "24 layers, from the first to the last: 12 times (window, full)."
    )
    expect(calculator.locator("#layers table")).to_contain_text("12 × 8 × (64 + 64) × 2 B")
    expect(calculator.locator("#layers table")).to_contain_text("sliding_window")
    expect(mistakes).to_contain_text("windows overlooked")
    expect(calculator.locator("[data-region=result]")).to_contain_text("as vLLM reserves it")
    assert calculator.url.endswith("#v=1&model=gpt-oss-20b")


def test_settings_answer_at_once_and_the_link_opens_them_again(calculator: Page, site: str) -> None:
    slide(calculator, "tokens", 12)
    expect(calculator.get_by_label("Tokens in a chat", exact=True)).to_have_value("4096")
    assert row(calculator, "A chat of 4,096 tokens") == "536,870,912 B = 512 MiB"
    calculator.get_by_label("Chats at once", exact=True).fill("500")
    calculator.get_by_label("Chats at once", exact=True).press("Tab")
    expect(calculator.locator(".kv-more")).to_contain_text("have to wait")
    calculator.get_by_label("GPUs that divide the heads").fill("2")
    calculator.get_by_label("GPUs that divide the heads").press("Tab")
    expect(calculator.locator("[data-region=result] thead")).to_contain_text("on all GPUs")
    calculator.get_by_label("Format of the cache").select_option("fp8")
    expect(calculator.locator("[data-region=result]")).to_contain_text("32,768 B = 32 KiB")
    link = calculator.url
    assert link.endswith("#v=1&model=llama-3-1-8b&tokens=4096&chats=500&cache=fp8&tp=2")
    calculator.get_by_label("A well-known model").select_option("Mixtral 8x7B")
    expect(calculator.locator("#layers h2")).to_have_text("Mixtral 8x7B")
    calculator.go_back()
    expect(calculator.locator("#layers h2")).to_have_text("Llama 3.1 8B")
    expect(calculator.get_by_label("Chats at once", exact=True)).to_have_value("500")
    expect(calculator.get_by_label("Format of the cache")).to_have_value("fp8")


def test_a_setting_that_is_none_is_said_at_its_field_and_figures_are_marked(calculator: Page) -> None:
    old = calculator.locator("[data-region=result] .kv-old")
    for label, wrong, named in (
        ("Memory of each GPU", "80G", "80GiB or 80GB"),
        ("Memory of each GPU", "80", "write a number and a unit"),
        ("GPUs that divide the layers", "33", "pp is 33"),
        ("Tokens in a chat", "-1", "whole number"),
    ):
        field = calculator.get_by_label(label).first
        right = field.input_value()
        field.fill(wrong)
        field.press("Tab")
        expect(calculator.locator("[data-notice]")).to_contain_text(named)
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_accessible_description(re.compile(re.escape(named)))
        expect(calculator.locator(".kv-trouble")).to_be_visible()
        # What was typed stays, to be mended where it is.
        expect(field).to_have_value(wrong)
        expect(old).to_contain_text("Not up to date")
        assert row(calculator, "A token") == "131,072 B = 128 KiB"
        expect(calculator.locator(".kv-fits")).to_have_css("opacity", "0.7")
        assert_axe_finds_nothing(calculator)
        field.fill(right)
        field.press("Tab")
        expect(calculator.locator("[data-notice]")).to_be_empty()
        expect(field).not_to_have_attribute("aria-invalid", "true")
        expect(old).to_have_count(0)
        expect(calculator.locator(".kv-fits")).to_have_css("opacity", "1")


def test_a_file_in_utf_16_is_read(calculator: Page, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(MODELS["Qwen3 8B"]), encoding="utf-16")
    calculator.locator("[data-file]").set_input_files(path)
    expect(calculator.locator("#layers h2")).to_have_text("Your model: qwen3")


def test_extremes_leave_nothing_on_the_console(calculator: Page) -> None:
    calculator.evaluate("location.hash = `v=1&model=llama-3-1-8b&tokens=999999999999&chats=100000&gpu=80B`")
    expect(calculator.locator(".kv-fits")).to_contain_text("nothing is left")
    calculator.evaluate("location.hash = `v=1&model=llama-3-1-8b&tokens=999999999999&chats=384&weights=0`")
    expect(calculator.locator(".kv-fits")).to_contain_text("Not even 1 chat")


def test_paper_has_the_settings_with_the_figures(calculator: Page) -> None:
    settings = calculator.locator(".kv-on-paper")
    expect(settings).to_be_hidden()
    calculator.emulate_media(media="print")
    expect(settings).to_be_visible()
    expect(settings).to_contain_text(
        "weights of 16 GB (an estimate, 2 bytes for each parameter); the cache in bf16"
    )
    calculator.emulate_media(media="screen")


def test_after_one_visit_it_works_without_a_line(browser: Browser, site: str) -> None:
    context = browser.new_context(viewport={"width": 1100, "height": 900})
    page = context.new_page()
    page.goto(f"{site}calculator.html")
    live(page)
    for _ in range(100):
        if page.evaluate(_KEPT):
            break
        page.wait_for_timeout(200)
    context.set_offline(True)
    page.close()
    page = context.new_page()
    page.goto(f"{site}calculator.html#v=1&model=gpt-oss-20b")
    live(page)
    expect(page.locator("#layers h2")).to_have_text("gpt-oss 20B")
    paste(page, json.dumps(MODELS["Qwen3 8B"]))
    expect(page.locator("#layers h2")).to_have_text("Your model: qwen3")
    context.close()


# All that Python's thread loads has been kept.
_KEPT = """async () => {
  const cache = await caches.open("pagedkv-site");
  const names = (await cache.keys()).map(({ url }) => url.split("/").at(-1));
  return ["calculator.html", "worker.js", "python.js", "app.zip", "pyodide.asm.wasm", "python_stdlib.zip"]
    .every((name) => names.includes(name));
}"""


def test_a_file_is_pasted_dropped_or_chosen_and_its_link_holds_it(
    calculator: Page, site: str, tmp_path: Path
) -> None:
    paste(calculator, json.dumps(MODELS["Gemma 4 26B-A4B"]))
    expect(calculator.locator("#layers h2")).to_have_text("Your model: gemma4")
    assert row(calculator, "A token") == "20,480 B = 20 KiB"
    link = calculator.url
    assert "#v=1&config=" in link
    drop(calculator, json.dumps(MODELS["DeepSeek V3"]))
    expect(calculator.locator("#layers h2")).to_have_text("Your model: deepseek_v3")
    path = tmp_path / "config.json"
    # Bare words that are no JSON to a browser are read all the same.
    path.write_text(json.dumps({**MODELS["Nemotron-H 56B"], "limit": [0.0, float("inf")]}), encoding="utf-8")
    calculator.locator("[data-file]").set_input_files(path)
    expect(calculator.locator("#layers h2")).to_have_text("Your model: nemotron_h")
    expect(calculator.locator(".kv-notes").first).to_contain_text("constant")
    calculator.evaluate("(hash) => { location.hash = hash }", link.split("#")[1])
    expect(calculator.locator("#layers h2")).to_have_text("Your model: gemma4")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "no JSON"),
        ("[]", "a list"),
        ("[" * 50_000, "nested deeper"),
        ('{"num_hidden_layers": -1}', "num_hidden_layers is -1"),
        ('{"num_hidden_layers": "<script>alert(1)</script>"}', "<script>"),
        (json.dumps(MODELS["DeepSeek V4 Flash"]), "compress_ratios"),
    ],
    ids=range(6),
)
def test_a_bad_file_is_refused_in_a_sentence_and_changes_nothing(
    calculator: Page, text: str, said: str
) -> None:
    drop(calculator, text)
    notice = calculator.locator("[data-notice]")
    expect(notice).to_contain_text("The file is not taken.")
    words = notice.inner_text()
    assert any(one in words for one in said.split("|")), words
    expect(calculator.locator("#layers h2")).to_have_text("Llama 3.1 8B")
    expect(calculator.locator("[data-region=choose] .kv-trouble")).to_be_visible()
    expect(calculator.get_by_label("The text of the file")).to_have_attribute("aria-invalid", "true")
    expect(calculator.locator("#layers .kv-old")).to_contain_text("still Llama 3.1 8B")
    expect(calculator.locator("kv-exercise[data-state=live]")).to_be_visible()


def test_a_pasted_text_that_is_refused_stays_to_be_mended(calculator: Page) -> None:
    paste(calculator, '{"n_layer": 12}')
    text = calculator.get_by_label("The text of the file")
    expect(text).to_have_accessible_description(re.compile("This file says n_layer"))
    expect(text).to_have_value('{"n_layer": 12}')
    expect(text).to_be_visible()
    expect(calculator.locator("[data-region=result] .kv-old")).to_contain_text("still Llama 3.1 8B")
    paste(calculator, json.dumps(MODELS["Llama 2 7B"]))
    expect(calculator.locator("#layers h2")).to_have_text("Your model: llama")
    expect(calculator.locator(":is(.kv-old, .kv-trouble)")).to_have_count(0)


def test_a_file_of_a_hundred_megabytes_is_not_read(calculator: Page) -> None:
    calculator.evaluate(
        """() => {
          const files = new DataTransfer();
          files.items.add(new File([new Uint8Array(100_000_000)], "config.json"));
          const options = { dataTransfer: files, bubbles: true, cancelable: true };
          document.querySelector("#layers").dispatchEvent(new DragEvent("drop", options));
        }"""
    )
    expect(calculator.locator("[data-notice]")).to_contain_text("more than 4,000,000 characters")


def test_the_widget_says_what_its_slots_are_in_this_model(calculator: Page, site: str) -> None:
    calculator.get_by_label("A well-known model").select_option("DeepSeek V3")
    expect(calculator.locator("#layers h2")).to_have_text("DeepSeek V3")
    address = calculator.get_by_role("link", name="See it in the pool").evaluate("(link) => link.href")
    assert address == f"{site}widget.html#v=1&of=DeepSeek%20V3%20in%20bf16&kv=70272"
    other = calculator.context.new_page()
    other.goto(address)
    said = "In DeepSeek V3 in bf16 a slot is 68.63 KiB on all GPUs together, so 64 slots are 4.29 MiB."
    expect(other.locator("[data-model]")).to_have_text(said)
    expect(other.locator("kv-pool[data-state=live]")).to_be_visible(timeout=BOOT_TIMEOUT)
    expect(other.locator("kv-pool .kv-notice")).not_to_contain_text("link")
    other.get_by_role("button", name="Reset").click()
    expect(other.locator("[data-model]")).to_have_text(said)
    for wrong in ("of=x&kv=0", "of=<b>&kv=7", "kv=7", "of=x&kv=1e9"):
        other.goto(f"{site}widget.html#v=1&{wrong}")
        other.reload()
        expect(other.locator("[data-model]")).to_be_hidden()
    other.close()


def test_nothing_is_sent_anywhere(opened: tuple[Page, Watch]) -> None:
    page, watch = opened
    before = len(watch.requests)
    drop(page, json.dumps(MODELS["Qwen3 8B"]))
    expect(page.locator("#layers h2")).to_have_text("Your model: qwen3")
    origin = page.evaluate("location.origin")
    assert [url for url in watch.requests if not url.startswith((origin, "blob:", "data:"))] == []
    # Another link in the address makes the browser ask for the page's icon again.
    after = [url for url in watch.requests[before:] if not url.startswith(("blob:", "data:"))]
    assert [url for url in after if not url.endswith("icon.svg")] == []


@pytest.mark.parametrize(("width", "scheme"), [(320, "dark"), (820, "light"), (1440, "dark")])
def test_axe_finds_nothing_and_nothing_sticks_out(calculator: Page, width: int, scheme: str) -> None:
    calculator.set_viewport_size({"width": width, "height": 900})
    calculator.get_by_label("A well-known model").select_option("Nemotron-H 56B")
    expect(calculator.locator("#layers h2")).to_have_text("Nemotron-H 56B")
    calculator.locator(".kv-own").evaluate("(part) => { part.open = true }")
    calculator.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    calculator.wait_for_timeout(300)  # the theme fades colours over
    assert calculator.evaluate("document.documentElement.scrollWidth") <= width
    assert_axe_finds_nothing(calculator)
    small = calculator.evaluate(
        """() => [...document.querySelectorAll(
            "kv-exercise :is(button, select, textarea, summary, input:not([type=file]), .kv-file)")]
          .filter((one) => one.checkVisibility())
          .map((one) => [one.textContent || one.id || one.name, one.getBoundingClientRect()])
          .filter(([_, box]) => box.height < 44 || box.width < 44)
          .map(([name]) => name)"""
    )
    assert small == []
