"""The quiz, the sheet and the chart in a browser: recorded answers and live ones, links, and what is kept."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, Page, expect

from exercises.bank import variant
from exercises.quiz import Quiz
from tests.browser.axe import assert_axe_finds_nothing
from tests.browser.driver import BOOT_TIMEOUT, Held, Watch
from tests.browser.memory import Memory

pytestmark = pytest.mark.browser

WIDTHS = (320, 820, 1440)

# Resolves with the frame that answers, once it has been drawn.
_DO = """
async ([selector, link]) => {
  const exercise = document.querySelector("kv-exercise");
  const answered = new Promise((resolve) =>
    exercise.addEventListener("kv-frame", (event) => resolve(event.detail), { once: true }));
  if (link === null) exercise.querySelector(selector).click();
  else location.hash = link;
  return await answered;
}
"""


def do(page: Page, selector: str) -> dict[str, Any]:
    return cast("dict[str, Any]", page.evaluate(_DO, [selector, None]))


def follow(page: Page, link: str) -> dict[str, Any]:
    return cast("dict[str, Any]", page.evaluate(_DO, ["", link]))


def live(page: Page) -> None:
    expect(page.locator("kv-exercise[data-state=live]")).to_be_visible(timeout=BOOT_TIMEOUT)


def assert_all_may_use_it(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.wait_for_timeout(300)  # the theme fades colours over
    assert_axe_finds_nothing(page)


@pytest.fixture(scope="module")
def opened(browser: Browser, site: str, memory: Memory) -> Iterator[tuple[Page, Watch]]:
    """The quiz, live; one page for all tests that only answer."""
    context = browser.new_context(viewport={"width": 1100, "height": 900})
    memory.give(context)
    page = context.new_page()
    watch = Watch(page)
    page.goto(f"{site}quiz.html")
    live(page)
    yield page, watch
    page.context.close()


@pytest.fixture
def quiz(opened: tuple[Page, Watch]) -> Iterator[Page]:
    page, watch = opened
    page.set_viewport_size({"width": 1100, "height": 900})
    page.emulate_media(color_scheme="light", media="screen")
    follow(page, f"v=1&q=1&seed={len(watch.requests) + 1}")  # so that the next link is another one
    follow(page, "v=1")
    yield page
    page.evaluate("window.confirm = () => true")
    button = page.get_by_role("button", name="Clear everything")
    if button.is_enabled():
        do(page, "[data-confirm]")
    assert watch.troubles == []


def test_before_python_is_there_recorded_answers_serve_and_others_wait(page: Page, site: str) -> None:
    watch = Watch(page)
    held = Held(page, "**/pyodide.asm.wasm")
    page.goto(f"{site}quiz.html")
    expect(page.locator("[data-mode]")).to_contain_text("recorded · loading Python")
    page.get_by_label("How much memory do the keys and values of one token take?").fill("96 KiB")
    page.get_by_label("And a chat of 2,000 tokens?").fill("  46.9  MB ")
    page.locator("#question-3").get_by_role("button", name="Check").click()
    expect(page.locator("#q3-token-verdict")).to_contain_text("query heads instead of KV heads")
    expect(page.locator("#q3-chat-verdict")).to_contain_text("MB for MiB")
    expect(page.locator("[data-said]")).to_contain_text("MB for MiB")
    page.get_by_label("And a chat of 2,000 tokens?").fill("46.87501 MiB")
    page.get_by_label("And a chat of 2,000 tokens?").press("Enter")
    expect(page.locator("#q3-chat-verdict")).to_have_text(
        "This answer waits for Python, which is on its way."
    )
    # What was judged waits for nothing.
    waiting = page.locator("[data-waiting]")
    expect(waiting).to_have_text("1 entry waits for Python")
    # It is said where the entries are, below the theme's header.
    page.evaluate("scrollTo(0, document.body.scrollHeight / 2)")
    expect(waiting).to_be_in_viewport()
    assert waiting.evaluate(
        """(one) => {
          const { left, top } = one.getBoundingClientRect();
          return one.contains(document.elementFromPoint(left + 2, top + 2));
        }"""
    )
    held.release()
    live(page)
    expect(page.locator("#q3-chat-verdict")).to_contain_text("rounded too far")
    expect(page.locator("#q3-token-verdict")).to_contain_text("query heads instead of KV heads")
    # What this browser keeps is there again on the next visit, and gone once it is cleared.
    other = page.context.new_page()
    other.goto(f"{site}quiz.html#v=1&q=1&seed=5")
    live(other)
    expect(other.locator("#question-1 .kv-variant")).to_have_text("Variant 5.")
    expect(other.get_by_label("And a chat of 2,000 tokens?")).to_have_value("46.87501 MiB")
    other.on("dialog", lambda dialog: dialog.accept())
    other.get_by_role("button", name="Clear everything").click()
    expect(other.get_by_label("And a chat of 2,000 tokens?")).to_have_value("")
    assert other.evaluate("localStorage.getItem('pagedkv-quiz')") is None
    origin = page.evaluate("location.origin")
    assert [url for url in watch.requests if not url.startswith((origin, "blob:", "data:"))] == []
    assert watch.troubles == []


@pytest.mark.parametrize("name", ["quiz", "calculator"])
def test_over_a_dear_line_the_size_is_named_and_the_reader_asked(page: Page, site: str, name: str) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } });")
    watch = Watch(page)
    page.goto(f"{site}{name}.html")
    ask = page.locator(".kv-ask")
    expect(ask).to_contain_text("metered or saves data")
    expect(ask).to_contain_text(" MB, once.")
    expect(page.locator("[data-mode]")).to_have_text("recorded")
    page.wait_for_timeout(1000)
    assert [url for url in watch.requests if "/runtime/" in url] == []
    load = ask.get_by_role("button", name="Load Python")
    load.focus()
    page.keyboard.press("Enter")
    live(page)
    expect(ask).to_be_hidden()
    assert page.evaluate("document.activeElement !== document.body"), "the focus does not go with the button"


def test_each_question_is_answered_right_and_wrong(quiz: Page) -> None:
    for number in range(1, 6):
        question = quiz.locator(f"#question-{number}")
        for part in variant(number, 0).parts:
            if part.kind == "choice":
                question.get_by_label(part.solution).check()
            elif part.kind == "blocks":
                for block in part.answer.split(","):
                    question.locator(f"[data-block='{block}']").click()
            else:
                question.get_by_label(part.prompt).fill(part.answer)
        do(quiz, f"#question-{number} [type=submit]")
        assert question.locator(".kv-right").count() == len(variant(number, 0).parts)
        assert question.locator(".kv-wrong").count() == 0
    expect(quiz.locator(".kv-done")).to_contain_text("5 variants answered right without looking.")
    quiz.get_by_label("Its reference count is 1.").check()
    quiz.locator("#question-1").get_by_label("How many slots are reserved and hold no token?").fill("48")
    do(quiz, "#question-5 [type=submit]")
    do(quiz, "#question-1 [type=submit]")
    expect(quiz.locator("#q5-why-verdict")).to_contain_text("✗ Not yet: the reference count misread.")
    expect(quiz.locator("#q1-empty-verdict")).to_contain_text("✗ Not yet: all reserved slots.")
    expect(quiz.locator("#q1-why-verdict")).to_contain_text("✓ Right.")


def test_blocks_are_pressed_and_taken_back_with_the_keyboard(quiz: Page) -> None:
    part = quiz.get_by_role("group", name="Press the blocks that D takes, in order.")
    free, used = (
        part.get_by_role("button", name="Block 6, free"),
        part.get_by_role("button", name="Block 2, free"),
    )
    expect(part.get_by_role("button", name="Block 5, held by A, 1 of 4 slots filled")).to_be_visible()
    for key, block in (("Enter", free), ("Space", used)):
        block.focus()
        block.press(key)
    expect(part.locator("output")).to_have_text("6, 2")
    expect(free).to_have_attribute("aria-pressed", "true")
    do(quiz, "#question-4 [type=submit]")
    expect(quiz.locator("#q4-table-verdict")).to_contain_text(
        "the back of the free list instead of the front"
    )
    expect(quiz.locator("[data-said]")).to_contain_text("the back of the free list instead of the front")
    free.press("Space")
    expect(part.locator("output")).to_have_text("2")
    expect(free).to_have_attribute("aria-pressed", "false")
    free.press("Space")
    do(quiz, "#question-4 [type=submit]")
    expect(quiz.locator("#q4-table-verdict")).to_contain_text("✓ Right.")


def test_another_variant_is_in_the_address_and_back_leads_back(quiz: Page) -> None:
    again = quiz.locator("#question-2").get_by_role("button", name="Another variant")
    again.focus()
    again.press("Enter")
    expect(quiz.locator("#question-2 .kv-variant")).to_contain_text("Variant ")
    expect(quiz.locator("#question-2").get_by_role("button", name="Another variant")).to_be_focused()
    first = quiz.url
    assert "#v=1&q=2&seed=" in first
    do(quiz, "#question-2 [data-command*=variant]")
    assert quiz.url != first
    quiz.go_back()
    expect(quiz).to_have_url(first)
    seed = first.rpartition("=")[2]
    expect(quiz.locator("#question-2 .kv-variant")).to_have_text(f"Variant {seed}.")


def test_a_press_on_a_link_copies_it_and_leaves_the_page_as_it_is(quiz: Page) -> None:
    quiz.context.grant_permissions(["clipboard-read", "clipboard-write"])
    before = quiz.url
    quiz.locator("#question-4").get_by_role("link", name="Copy a link to this variant").click()
    expect(quiz.locator("#question-4 [data-copied]")).to_have_text("The link is copied.")
    assert quiz.evaluate("navigator.clipboard.readText()") == quiz.url.split("#")[0] + "#v=1&q=4"
    assert quiz.url == before


def test_the_browsers_python_makes_the_same_variants(quiz: Page) -> None:
    here = Quiz()
    for seed in (1, 2, 3, 17, 99, 1234, 98_765, 999_999):
        there = follow(quiz, f"v=1&seed={seed}")
        assert there["problem"] is None
        assert there["regions"] == here.dispatch({"type": "open", "link": f"v=1&seed={seed}"})["regions"], (
            seed
        )


@pytest.mark.parametrize(
    ("link", "word"),
    [
        ("v=2&q=1", "version"),
        ("q=9", "question"),
        ("v=1&seed=-1", "seed"),
        ("v=1&x=<img src=x onerror=alert(1)>", "not known"),
        ("v=1&seed=" + "9" * 300, "characters"),
        ("%E0%A4%A=1", "not known"),
    ],
)
def test_a_hostile_link_says_what_is_wrong_and_shows_the_lessons_own(
    quiz: Page, link: str, word: str
) -> None:
    frame = follow(quiz, link)
    expect(quiz.locator("[data-notice]")).to_contain_text("The link cannot be opened.")
    expect(quiz.locator("[data-notice]")).to_contain_text(word)
    assert quiz.locator("[data-notice] *").count() == 0
    assert frame["regions"] == Quiz().regions()


def test_a_browser_that_keeps_nothing_still_answers(page: Page, site: str) -> None:
    watch = Watch(page)
    # The theme keeps things, too, and is not at issue here.
    page.add_init_script(
        """for (const name of ["getItem", "setItem", "removeItem"]) {
          const plain = Storage.prototype[name];
          Storage.prototype[name] = function (key, ...rest) {
            if (key === "pagedkv-quiz") throw new DOMException("The operation is insecure.", "SecurityError");
            return plain.call(this, key, ...rest);
          };
        }"""
    )
    page.context.route("**/runtime/**", lambda route: route.abort())
    page.goto(f"{site}quiz.html")
    expect(page.get_by_role("alert")).to_contain_text("Python is not running.")
    page.get_by_label("How many slots are reserved and hold no token?").fill("39")
    page.get_by_label("How many slots are reserved and hold no token?").press("Enter")
    expect(page.locator("#q1-empty-verdict")).to_contain_text("✓ Right.")
    assert [line for line in watch.troubles if line.startswith("exception")] == []


# The sheet and the chart


def test_the_sheet_is_made_and_printed(page: Page, site: str, memory: Memory) -> None:
    memory.give(page.context)
    watch = Watch(page)
    page.goto(f"{site}teach/sheet.html#v=1&q=3,4&first=5&count=2")
    expect(page.get_by_role("heading", name="Variant 1")).to_be_visible()  # the recorded one
    live(page)
    expect(page.locator(".kv-sheet-page > h2")).to_have_text(
        ["Variant 5", "Variant 6", "Answers to variant 5", "Answers to variant 6"]
    )
    answers = page.get_by_role("heading", name="Answers to variant 5")
    expect(answers).to_be_hidden()
    page.get_by_label("Show and print the answers, at the end").check()
    expect(answers).to_be_visible()
    page.get_by_label("How many variants").fill("3")
    page.get_by_label("How many variants").press("Enter")
    expect(page.locator(".kv-sheet-page")).to_have_count(6)
    expect(answers).to_be_visible()
    expect(page).to_have_url(f"{site}teach/sheet.html#v=1&q=3,4&first=5&count=3&answers=1")
    page.emulate_media(media="print")
    for gone in (page.get_by_role("button", name="Print"), page.locator(".md-header"), page.locator("h1")):
        expect(gone).to_be_hidden()
    expect(page.get_by_role("heading", name="Variant 7", exact=True)).to_be_visible()
    page.emulate_media(media="screen")
    page.get_by_label("How many variants").fill("9999")
    page.get_by_role("button", name="Make the sheet").click()
    expect(page.locator("[data-notice]")).to_contain_text("it must be a whole number from 1 to 150.")
    assert_all_may_use_it(page, "light")
    assert watch.troubles == []


def test_the_chart_is_drawn_anew_and_saved(page: Page, site: str, memory: Memory) -> None:
    memory.give(page.context)
    watch = Watch(page)
    page.goto(f"{site}portfolio.html")
    chart = page.locator("[data-region=chart]")
    expect(chart.get_by_role("heading")).to_have_text(
        "Requests of 4 to 64 tokens that fit a pool of 16,384 slots"
    )
    live(page)
    page.get_by_label("Slots in the pool").fill("2048")
    page.get_by_role("button", name="Draw the chart").click()
    expect(chart.get_by_role("heading")).to_have_text(
        "Requests of 4 to 64 tokens that fit a pool of 2,048 slots"
    )
    expect(page.locator(".kv-numbers tbody tr").first).to_contain_text("32")
    expect(chart.locator("svg:visible")).to_contain_text("Memory, not speed")
    assert page.url.endswith("#v=1&slots=2048")
    for kind in ("SVG", "CSV"):
        with page.expect_download() as saved:
            page.get_by_role("button", name=f"Save {kind}").click()
        assert saved.value.suggested_filename == f"admitted.{kind.lower()}"
        text = Path(saved.value.path()).read_text(encoding="utf-8")
        assert "2,048" in text if kind == "SVG" else ",2048," in text
    page.get_by_label("Shortest request, in tokens").fill("100")
    page.get_by_role("button", name="Draw the chart").click()
    expect(page.locator("[data-notice]")).to_contain_text("Turn them round.")
    assert_all_may_use_it(page, "dark")
    assert watch.troubles == []


# For everyone


@pytest.mark.parametrize(("width", "scheme"), [(320, "dark"), (820, "light"), (1440, "dark")])
def test_axe_finds_nothing_with_answers_right_and_wrong(quiz: Page, width: int, scheme: str) -> None:
    quiz.set_viewport_size({"width": width, "height": 900})
    quiz.get_by_label("How much memory do the keys and values of one token take?").fill("24 KiB")
    quiz.get_by_label("And a chat of 2,000 tokens?").fill("46.9 GB")
    quiz.locator("#question-4 [data-block='2']").click()
    do(quiz, "#question-3 [type=submit]")
    do(quiz, "#question-4 [type=submit]")
    do(quiz, "#question-5 [data-command*=solve]")
    assert_all_may_use_it(quiz, scheme)


def test_axe_finds_nothing_on_the_page_for_teachers(page: Page, site: str) -> None:
    page.goto(f"{site}teach/index.html")
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    assert_all_may_use_it(page, "dark")


def test_what_is_pressed_is_large_enough_for_a_thumb(quiz: Page) -> None:
    quiz.set_viewport_size({"width": 320, "height": 700})
    sizes = quiz.evaluate(
        """() => [...document.querySelectorAll("kv-exercise :is(button, input[type=text], .kv-option)")]
          .filter((one) => one.checkVisibility())
          .map((one) => [one.textContent || one.id, one.getBoundingClientRect()])
          .filter(([_, box]) => box.height < 44 || box.width < 44)
          .map(([name]) => name)"""
    )
    assert sizes == []


@pytest.mark.parametrize("name", ["quiz", "portfolio", "teach/sheet", "teach/index"])
def test_nothing_sticks_out_sideways(page: Page, site: str, name: str) -> None:
    page.context.route("**/runtime/**", lambda route: route.abort())
    page.goto(f"{site}{name}.html")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        # The theme moves its drawer out of the way.
        page.wait_for_function("(width) => document.documentElement.scrollWidth <= width", arg=width)


def test_without_javascript_the_page_has_questions_and_answers(browser: Browser, site: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}quiz.html")
    expect(page.get_by_role("heading", name="4. A chat arrives")).to_be_visible()
    # Chromium keeps what is in a noscript as text when a test switches scripts off.
    without = page.inner_html("kv-exercise noscript")
    assert "<summary>The right answers</summary>" in without
    assert "Press the blocks that D takes, in order. <strong>2, 6</strong>" in without
    text = page.locator("template[data-recorded]").evaluate("template => template.content.textContent")
    recorded = json.loads(text)
    assert set(recorded) == {"verdicts", "answers"}
    context.close()
