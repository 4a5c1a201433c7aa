"""The live widget by keyboard, on a phone, with other media, and under axe."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import assert_axe_finds_nothing
from tests.browser.driver import Widget

pytestmark = pytest.mark.browser

PHONE = {"width": 320, "height": 690}
DESKTOP = {"width": 1100, "height": 900}


def test_everything_can_be_done_with_the_keyboard(widget: Widget) -> None:
    page = widget.page
    page.evaluate("document.activeElement.blur()")
    page.locator("[data-region=scenarios] button").last.focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("slider", name="Reserved per chat")).to_be_focused()
    page.keyboard.press("Home")
    expect(widget.region("settings").locator(".kv-value").first).to_have_text("8")
    page.keyboard.press("ArrowRight")
    expect(widget.region("settings").locator(".kv-value").first).to_have_text("9")
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    expect(widget.region("settings").locator(".kv-value").last).to_have_text("16")
    for pool in ("contiguous", "paged"):
        page.keyboard.press("Tab")
        expect(page.locator(f"[data-pool={pool}]")).to_be_focused()
    for name in ("Free list, next block first", "Block table of A"):
        page.keyboard.press("Tab")
        expect(page.get_by_role("list", name=name).get_by_role("listitem").first).to_be_focused()
    page.keyboard.press("Tab")
    grow = page.get_by_role("button", name="+4 tokens, chat A").first
    expect(grow).to_be_focused()
    page.keyboard.press("Enter")
    expect(widget.region("caption")).to_contain_text("Step 4.")
    expect(grow).to_be_focused()
    for _ in range(4):
        page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Finish chat A").first).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator("[data-key=chat-A]")).to_have_count(0)
    # The button that was pressed is gone. The focus is not lost, and on nothing that does harm.
    expect(page.get_by_role("button", name="+4 tokens, chat B").first).to_be_focused()


def test_focus_is_seen(widget: Widget) -> None:
    widget.page.locator("[data-home]").focus()
    widget.page.keyboard.press("Tab")
    outline = widget.page.evaluate("getComputedStyle(document.activeElement).outlineWidth")
    assert outline == "2px"


def test_after_the_last_finish_the_focus_is_on_a_new_chat(widget: Widget) -> None:
    for chat in "AB":
        widget.finish(chat)
    widget.page.get_by_role("button", name="Finish chat C").first.focus()
    widget.page.keyboard.press("Enter")
    expect(widget.page.get_by_role("button", name="New chat D")).to_be_focused()


def test_captions_are_announced_politely_and_once_things_have_come_to_rest(widget: Widget) -> None:
    said = widget.page.locator("[data-said]")
    assert said.get_attribute("role") == "status"
    assert widget.region("caption").get_attribute("role") is None
    for position in range(24, 15, -1):
        widget.slide("reserve", position)
    expect(said).to_have_text(
        "Old way: Each chat reserves 16 slots. All 3 chats are in. Held and empty: 34 slots."
    )


def test_each_pool_says_in_words_what_it_shows(widget: Widget) -> None:
    picture = widget.region("paged").get_by_role("img")
    assert picture.get_attribute("aria-label") == (
        "New way. 64 slots in 16 blocks of 4. A holds 6 tokens in blocks 0 and 1. B holds 3 tokens in "
        "block 2. C holds 5 tokens in blocks 3 and 4. Free list: 5 to 15."
    )
    old = widget.region("contiguous").get_by_role("img").get_attribute("aria-label")
    assert old == (
        "Old way. 64 slots in one stretch. A reserves slots 0 to 23 and holds 6 tokens. B reserves slots "
        "24 to 47 and holds 3 tokens. Free: slots 48 to 63. C waits for 24 slots in a row."
    )


@pytest.mark.parametrize(("motion", "duration"), [("reduce", "0s"), ("no-preference", "0.18s")])
def test_nothing_moves_for_readers_who_want_less_motion(widget: Widget, motion: str, duration: str) -> None:
    widget.page.emulate_media(reduced_motion="reduce" if motion == "reduce" else "no-preference")
    style = "getComputedStyle(document.querySelector('[data-key=slot-0]')).transitionDuration"
    assert set(widget.page.evaluate(style).split(", ")) == {duration}
    widget.grow("A")
    assert widget.table("A") == [0, 1, 5]


def test_a_phone_sees_both_pools_above_the_bar_without_scrolling_sideways(widget: Widget) -> None:
    page = widget.page
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    expect(widget.region("paged").locator("svg.kv-narrow")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    places = page.evaluate(
        """() => ["contiguous", "paged", "bar"].map((name) => {
          const region = document.querySelector(`[data-region=${name}]`);
          const box = (region.querySelector("svg.kv-picture") ?? region).getBoundingClientRect();
          return [box.top, box.bottom];
        })"""
    )
    edges = [edge for place in places for edge in place]
    assert edges == sorted(edges), "both pools are whole, one above the other, and above the bar"
    assert edges[0] >= 0
    assert edges[-1] <= PHONE["height"] + 1
    widget.press("[data-region=bar] [data-command*='\"B\"'][aria-pressed]")
    widget.press("[data-region=bar] .kv-main")
    assert widget.table("B") == [2, 5]


def test_the_smallest_letter_on_a_phone_is_ten_pixels_high(widget: Widget) -> None:
    widget.page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    expect(widget.region("paged").locator("svg.kv-narrow")).to_be_visible()
    smallest = widget.page.evaluate(
        """() => Math.min(...[...document.querySelectorAll("kv-pool svg.kv-picture")].map((svg) => {
          const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
          const sizes = [...svg.querySelectorAll("text")].map((text) => text.getAttribute("font-size"));
          return Math.min(...sizes) * scale;
        }))"""
    )
    assert smallest >= 9.9


def test_targets_are_large_enough_for_a_finger(widget: Widget) -> None:
    widget.page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    expect(widget.region("paged").locator("svg.kv-narrow")).to_be_visible()
    small = widget.page.evaluate(
        """() => [...document.querySelectorAll("kv-pool :is(button, input)")]
          .filter((one) => one.checkVisibility())
          .map((one) => [one.textContent, one.getBoundingClientRect()])
          .filter(([, box]) => box.height < 44 || box.width < 44).map(([name]) => name)"""
    )
    assert small == []


def test_the_menu_of_a_phone_fits_and_closes_as_menus_do(widget: Widget) -> None:
    page = widget.page
    page.set_viewport_size({"width": 320, "height": 690})
    summary = page.locator(".kv-menu summary")
    items = page.locator(".kv-menu[open] button")
    summary.click()
    clipped = "all => all.filter((one) => one.scrollWidth > one.clientWidth).length"
    assert items.evaluate_all(clipped) == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.keyboard.press("Escape")
    expect(items).to_have_count(0)
    expect(summary).to_be_focused()
    summary.click()
    page.locator("[data-region=title]").click()
    expect(items).to_have_count(0)


def test_twice_the_text_size_still_fits(widget: Widget) -> None:
    # 200 % zoom of a window of 1280 is a page of 640.
    widget.page.set_viewport_size({"width": 640, "height": 450})
    assert widget.page.evaluate("document.documentElement.scrollWidth") <= 640


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(widget: Widget, size: dict[str, int], scheme: str) -> None:
    widget.page.set_viewport_size({"width": size["width"], "height": size["height"]})
    widget.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    widget.grow("A")
    assert_axe_finds_nothing(widget.page)


def test_print_shows_patterns_and_leaves_the_buttons_out(widget: Widget) -> None:
    widget.page.emulate_media(media="print")
    hatch = "getComputedStyle(document.querySelector('[data-region=paged] .hatch')).stroke"
    assert widget.page.evaluate(hatch) == "rgb(0, 0, 0)"
    expect(widget.page.get_by_role("button", name="Reset")).to_be_hidden()
    widget.page.emulate_media(media="screen")
    assert widget.page.evaluate(hatch) == "none"


def test_forced_colours_keep_owners_apart_by_letter_and_pattern(widget: Widget) -> None:
    widget.page.emulate_media(forced_colors="active")
    stroke = widget.page.evaluate(
        "getComputedStyle(document.querySelector('[data-region=paged] .hatch')).stroke"
    )
    widget.page.emulate_media(forced_colors="none")
    assert stroke != "none"
