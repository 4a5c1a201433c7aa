"""Every scenario, walked by mouse, by touch and by keyboard, and what a screen reader finds at each step.

Expected states are the lesson's, as literals. What a screen reader finds is compared with reviewed texts in
`tests/browser/heard`; `pytest --update-pictures` accepts what is found now: read it first.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.axe import VISIBLE, assert_axe_finds_nothing
from tests.browser.driver import Watch, Widget, until_live
from tests.browser.memory import Memory
from tests.pagedkv import facts

pytestmark = pytest.mark.browser

HEARD = Path(__file__).parent / "heard"
LEFT_TO_READ = Path(__file__).resolve().parents[2] / "build" / "heard"


class End(NamedTuple):
    """How a scenario opens: its step, the new way's tables and free list, and the old way's counts."""

    step: int
    tables: dict[str, list[int]]
    free_list: list[int]
    old_way: str


SCENARIOS = {
    "Three chats": End(
        3,
        {"A": [0, 1], "B": [2], "C": [3, 4]},
        list(range(5, 16)),
        "9 of 64 slots hold a token 39 reserved, empty 16 free C waits",
    ),
    "Reserve or blocks": End(
        12,
        {"1": [0, 3], "2": [1, 4, 6], "3": [2, 5]},
        [7, 8, 9],
        "8 of 20 slots hold a token 8 reserved, empty 4 free 3 waits",
    ),
    "Holes": End(
        5,
        {"R1": [0, 1], "R3": [3, 4], "R4": [5]},
        [6, 7, 2],
        "11 of 32 slots hold a token 9 reserved, empty 12 free, longest hole 8 R4 waits",
    ),
    "Block table": End(
        5,
        facts.WORKED_EXAMPLE[5].tables,
        facts.WORKED_EXAMPLE[5].free_list,
        "12 of 32 slots hold a token 12 reserved, empty 8 free C waits",
    ),
    "Worked example": End(
        8,
        facts.WORKED_EXAMPLE[8].tables,
        facts.WORKED_EXAMPLE[8].free_list,
        "18 of 32 slots hold a token 6 reserved, empty 8 free",
    ),
    "Free list": End(
        7,
        facts.WORKED_EXAMPLE[7].tables,
        facts.WORKED_EXAMPLE[7].free_list,
        "14 of 32 slots hold a token 10 reserved, empty 8 free",
    ),
    "Shared start": End(
        4,
        {"S1": [0, 2], "S2": [0, 1]},
        [3, 4, 5],
        "14 of 24 slots hold a token 2 reserved, empty 8 free",
    ),
    "Out of blocks": End(
        6,
        {"A": [0, 1, 2, 3, 4, 15], "B": [5, 6, 7, 8, 9], "C": [10, 11, 12, 13, 14], "D": []},
        [],
        "46 of 64 slots hold a token 2 reserved, empty 16 free C and D wait",
    ),
    "Block sizes": End(
        5,
        {"A": [0], "B": [1], "C": [2], "D": [3], "E": []},
        [],
        "31 of 64 slots hold a token 33 reserved, empty 0 free E waits",
    ),
}


def assert_opened(widget: Widget, title: str) -> None:
    end = SCENARIOS[title]
    expect(widget.page.get_by_role("button", name=title)).to_have_attribute("aria-current", "true")
    expect(widget.region("caption")).to_contain_text(f"Step {end.step}.")
    assert {chat: widget.table(chat) for chat in end.tables} == end.tables
    assert widget.free_list() == end.free_list
    assert widget.counts("contiguous") == end.old_way


def assert_step_of_the_worked_example(widget: Widget, step: int) -> None:
    row = facts.WORKED_EXAMPLE[step]
    words = "Nobody is there yet." if step == 0 else f"Step {step}."
    expect(widget.region("caption")).to_contain_text(words)
    assert {chat: widget.table(chat) for chat in row.tables} == row.tables
    assert widget.page.locator("article").count() == len(row.tables)
    assert widget.free_list() == row.free_list
    assert f"{row.wasted} held, empty" in widget.counts("paged")


@pytest.mark.parametrize("title", SCENARIOS)
def test_by_mouse_each_scenario_opens_and_goes_back_to_its_start(widget: Widget, title: str) -> None:
    widget.page.get_by_role("button", name=title).click()
    assert_opened(widget, title)
    step_back = widget.page.get_by_role("button", name="One step back")
    for _ in range(SCENARIOS[title].step):
        step_back.click()
    expect(widget.region("caption")).to_contain_text("Nobody is there yet.")
    expect(step_back).to_be_disabled()
    assert widget.counts("paged").startswith("0 of ")


def test_by_mouse_the_worked_example_shows_all_nine_states(widget: Widget) -> None:
    widget.page.get_by_role("button", name="Worked example").click()
    expect(widget.region("caption")).to_contain_text("Step 8.")
    widget.slide_to(0)
    for step in range(9):
        assert_step_of_the_worked_example(widget, step)
        if step < 8:
            widget.page.get_by_role("button", name="One step on").click()


def test_by_keyboard_the_worked_example_shows_all_nine_states(widget: Widget) -> None:
    page = widget.page
    page.get_by_role("button", name="Worked example").focus()
    page.keyboard.press("Enter")
    expect(widget.region("caption")).to_contain_text("Step 8.")
    page.get_by_role("slider", name="Step", exact=True).focus()
    page.keyboard.press("Home")
    for step in range(9):
        assert_step_of_the_worked_example(widget, step)
        page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    assert_step_of_the_worked_example(widget, 8)


def test_by_keyboard_a_reader_walks_the_slots_and_hears_them(widget: Widget) -> None:
    page = widget.page
    page.locator("[data-pool=paged]").focus()
    said = page.locator("[data-said]")
    page.keyboard.press("ArrowRight")
    expect(said).to_contain_text("Slot 0, physical block 0: A's token 0.")
    page.keyboard.press("ArrowDown")
    expect(said).to_contain_text("Slot 32, physical block 8: free.")
    page.keyboard.press("End")
    expect(said).to_contain_text("Slot 63, physical block 15: free.")
    page.keyboard.press("Home")
    expect(widget.region("look")).to_contain_text("Slot 0,")
    assert page.locator("[data-region=paged] .look").count() == 1


def test_what_belongs_together_is_marked_under_the_pointer(widget: Widget) -> None:
    page = widget.page
    page.locator("[data-region=paged] [data-key=slot-4]").hover()
    linked = page.locator(".kv-linked")
    expect(linked.first).to_be_attached()
    keys = linked.evaluate_all("all => all.map((one) => one.dataset.key)")
    assert set(keys) - {"look"} == {"slot-4", "slot-5", "slot-6", "slot-7", "table-1"}
    expect(widget.region("look")).to_contain_text("Slot 4, physical block 1: A's token 4.")
    page.locator("[data-region=paged] [data-key=free-7]").hover()
    expect(page.locator("[data-region=paged] [data-key=slot-28]")).to_have_class("free kv-linked")


def test_a_free_slot_answers_the_pointer_and_is_forgotten_when_the_pointer_leaves(widget: Widget) -> None:
    page = widget.page
    for layout, slot, words in (("paged", 25, "on the free list"), ("contiguous", 60, "Slot 60: free.")):
        page.locator(f"[data-region={layout}] [data-key=slot-{slot}]").hover()
        expect(widget.region("look")).to_contain_text(words)
    page.mouse.move(0, 0)
    expect(widget.region("look")).to_contain_text("Point at a slot")
    assert page.locator("svg .look").count() == 0


def test_a_slider_that_concerns_nobody_says_so(widget: Widget) -> None:
    widget.press("[data-command*='\"holes\"']")
    slider = widget.page.locator("[data-setting=reserve]")
    expect(slider).to_be_disabled()
    expect(widget.region("settings")).to_contain_text("each its own")
    widget.reset()
    expect(slider).to_be_enabled()


def test_what_belongs_together_is_marked_under_the_focus(widget: Widget) -> None:
    page = widget.page
    linked = page.locator("[data-region=paged] :is(.used, .kept, .free).kv-linked")
    marked = "all => all.map((one) => Number(one.dataset.key.replace('slot-', '')))"
    page.get_by_role("button", name="Finish chat A").first.focus()
    assert linked.evaluate_all(marked) == list(range(8)), "a card marks all that its chat holds"
    page.get_by_role("list", name="Block table of B").get_by_role("listitem").focus()
    assert linked.evaluate_all(marked) == [8, 9, 10, 11]
    table = page.get_by_role("list", name="Block table of A").get_by_role("listitem")
    table.first.focus()
    assert linked.evaluate_all(marked) == [0, 1, 2, 3]
    page.keyboard.press("ArrowRight")
    expect(table.nth(1)).to_be_focused()
    assert linked.evaluate_all(marked) == [4, 5, 6, 7]
    free = page.get_by_role("list", name="Free list, next block first").get_by_role("listitem")
    free.first.focus()
    page.keyboard.press("End")
    expect(free.last).to_be_focused()
    assert linked.evaluate_all(marked) == [60, 61, 62, 63]
    # One stop for the Tab key per list, and a press elsewhere leaves the focus where it is.
    assert page.locator(".kv-chips ol [tabindex='0']").count() == 1
    widget.grow("A")
    expect(free.last).to_be_focused()
    assert linked.evaluate_all(marked) == [60, 61, 62, 63]
    # From the pool to the table: the slot that the arrow keys have gone to marks its entry.
    page.locator("[data-pool=paged]").focus()
    page.keyboard.press("Home")
    expect(table.first).to_contain_class("kv-linked")


@pytest.fixture(scope="module")
def phone(browser: Browser, site: str, memory: Memory) -> Iterator[Widget]:
    """A live widget on a phone that is touched."""
    context = browser.new_context(viewport={"width": 320, "height": 690}, has_touch=True, is_mobile=True)
    memory.give(context)
    page = context.new_page()
    watch = Watch(page)
    page.goto(f"{site}widget.html")
    until_live(page)
    yield Widget(page)
    assert watch.troubles == []
    context.close()


@pytest.mark.parametrize("title", SCENARIOS)
def test_by_touch_each_scenario_opens(phone: Widget, title: str) -> None:
    phone.page.get_by_role("button", name=title).tap()
    assert_opened(phone, title)


def test_by_touch_the_bar_acts_on_the_chosen_chat(phone: Widget) -> None:
    phone.page.get_by_role("button", name="Three chats").tap()
    assert_opened(phone, "Three chats")
    bar = phone.region("bar")
    bar.get_by_role("button", name="B 3 tokens, choose").tap()
    expect(bar.get_by_role("button", name="B 3 tokens, choose")).to_have_attribute("aria-pressed", "true")
    bar.get_by_role("button", name="+4 tokens, chat B").tap()
    expect(phone.region("caption")).to_contain_text("B writes tokens 3 to 6.")
    bar.get_by_text("More").tap()
    bar.get_by_role("button", name="Fork chat B as D").tap()
    expect(phone.region("caption")).to_contain_text("D starts as B and shares blocks 2 and 5.")
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 320


def test_playing_shows_every_step_and_stops_at_the_end(widget: Widget) -> None:
    page = widget.page
    page.get_by_role("button", name="Shared start").click()
    expect(widget.region("caption")).to_contain_text("Step 4.")
    page.evaluate(
        """() => {
          window.seen = [];
          const pool = document.querySelector("kv-pool");
          pool.addEventListener("kv-frame", (event) => seen.push(event.detail.snapshot.step));
        }"""
    )
    page.get_by_label("Speed").select_option("4")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.get_by_role("button", name="Play")).to_be_visible(timeout=15_000)
    assert page.evaluate("window.seen") == [0, 1, 2, 3, 4]
    page.get_by_label("Speed").select_option("1")


def test_a_speed_that_a_browser_puts_back_after_a_reload_is_the_one_that_plays(widget: Widget) -> None:
    """Firefox does: the list shows what was chosen before, and no event tells of it."""
    page = widget.page
    widget.press("[data-command*='\"worked-example\"']")
    page.evaluate(
        """() => {
          const plain = window.setTimeout;
          window.waits = [];
          window.setTimeout = (act, wait) => (waits.push(wait), plain(act, wait));
          window.putBack = () => { window.setTimeout = plain; speed.value = "1"; };
          const speed = document.querySelector("[data-speed]");
          speed.value = "4";
        }"""
    )
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("waits.includes(400)")
    page.get_by_role("button", name="Pause").click()
    assert 1600 not in page.evaluate("waits")
    page.evaluate("putBack()")


@pytest.mark.parametrize("title", SCENARIOS)
def test_axe_finds_nothing_in_any_scenario(widget: Widget, title: str) -> None:
    widget.page.get_by_role("button", name=title).click()
    assert_opened(widget, title)
    widget.page.emulate_media(color_scheme="light")
    assert_axe_finds_nothing(widget.page)
    widget.page.emulate_media(color_scheme="dark")
    assert_axe_finds_nothing(widget.page, VISIBLE)


def heard(parts: list[Locator]) -> str:
    return "\n".join(part.aria_snapshot() for part in parts)


@pytest.mark.parametrize("title", SCENARIOS)
def test_a_screen_reader_finds_what_was_reviewed_at_every_step(
    widget: Widget, title: str, request: pytest.FixtureRequest
) -> None:
    widget.page.get_by_role("button", name=title).click()
    assert_opened(widget, title)
    parts = [widget.region(name) for name in ("contiguous", "paged", "chats", "caption", "time")]
    steps = []
    for step in range(SCENARIOS[title].step + 1):
        widget.slide_to(step)
        steps.append(f"# {title}, step {step}\n{heard(parts)}\n")
    text = "\n".join(steps)
    name = f"{title.lower().replace(' ', '-')}.yml"
    reviewed = HEARD / name
    if request.config.getoption("--update-pictures"):
        HEARD.mkdir(exist_ok=True)
        reviewed.write_text(text, encoding="utf-8")
    if not reviewed.exists() or reviewed.read_text(encoding="utf-8") != text:
        LEFT_TO_READ.mkdir(parents=True, exist_ok=True)
        (LEFT_TO_READ / name).write_text(text, encoding="utf-8")
        pytest.fail(f"{name} is not what was reviewed. Read build/heard/{name}, then --update-pictures.")


@pytest.fixture(scope="module")
def own_page(browser: Browser, site: str, memory: Memory) -> Iterator[Page]:
    """A page that is opened by a link, with an address of its own."""
    context = browser.new_context(viewport={"width": 1100, "height": 900})
    memory.give(context)
    page = context.new_page()
    watch = Watch(page)
    page.goto(f"{site}widget.html#v=1&scenario=worked-example&step=5")
    until_live(page)
    yield page
    assert watch.troubles == []
    page.context.close()


def test_a_link_opens_its_scenario_at_its_step(own_page: Page) -> None:
    assert_step_of_the_worked_example(Widget(own_page), 5)
    assert own_page.url.endswith("#v=1&scenario=worked-example&step=5")


def test_the_back_button_takes_back_what_was_pressed(own_page: Page) -> None:
    widget = Widget(own_page)
    widget.press("[data-command*='worked-example']")
    widget.grow("A")
    assert own_page.url.endswith("#v=1&scenario=worked-example&ops=~A+4")
    widget.finish("C")
    assert own_page.url.endswith("#v=1&scenario=worked-example&ops=~A+4,C!")
    own_page.go_back()
    expect(widget.region("caption")).to_contain_text("Step 9.")
    own_page.go_back()
    expect(widget.region("caption")).to_contain_text("Step 8.")
    own_page.go_forward()
    expect(widget.region("caption")).to_contain_text("A writes")


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ("#v=9", "The link cannot be opened. The link is of version '9'"),
        ("#v=1&ops=<img src=x onerror=alert(1)>", "The link cannot be opened."),
        ("#%00%ff", "The link cannot be opened."),
    ],
)
def test_a_hostile_link_gets_a_sentence_and_changes_nothing(own_page: Page, link: str, sentence: str) -> None:
    widget = Widget(own_page)
    widget.reset()
    own_page.evaluate("(link) => { location.hash = link; }", link)
    expect(widget.region("caption")).to_contain_text(f"Nothing changed. {sentence}")
    assert widget.counts("contiguous") == SCENARIOS["Three chats"].old_way
    assert own_page.locator("kv-pool img").count() == 0
