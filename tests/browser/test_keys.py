"""Keys: help, a clicker's steps, and a lecture hall's full screen. None takes a key from a control."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import assert_axe_finds_nothing
from tests.browser.driver import Widget

pytestmark = pytest.mark.browser

# The focus nowhere, as when a page has just been opened.
_BLUR = "document.activeElement.blur()"

_OVERFLOW = "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.fullscreenElement)"


@pytest.fixture
def example(widget: Widget) -> Widget:
    """The worked example, which has steps before and behind the one where it opens."""
    widget.press("[data-command*='\"worked-example\"']")
    widget.page.evaluate(_BLUR)
    return widget


@pytest.fixture
def full(example: Widget) -> Iterator[Widget]:
    """The same in full screen."""
    example.page.get_by_role("button", name="Full screen").click()
    expect(example.page.get_by_role("button", name="Leave full screen")).to_be_visible()
    yield example
    example.page.evaluate("document.fullscreenElement && document.exitFullscreen()")
    expect(example.page.get_by_role("button", name="Full screen", exact=True)).to_be_visible()


def at_step(widget: Widget, step: int) -> None:
    expect(widget.region("time").locator(".kv-where")).to_contain_text(f"{step} /")


def test_help_opens_with_a_key_or_a_button_and_gives_the_focus_back(widget: Widget) -> None:
    page = widget.page
    help_ = page.get_by_role("dialog", name="Help")
    expect(help_).to_be_hidden()
    button = page.get_by_role("button", name="Help")
    button.focus()
    page.keyboard.press("Enter")
    expect(help_).to_be_visible()
    for _ in range(4):
        page.keyboard.press("Tab")
        outside = "!document.querySelector('dialog').contains(document.activeElement)"
        assert page.evaluate(f"document.activeElement !== document.body && {outside}") is False
    page.keyboard.press("Escape")
    expect(help_).to_be_hidden()
    expect(button).to_be_focused()
    slider = page.get_by_role("slider", name="Reserved per chat")
    slider.focus()
    page.keyboard.press("?")
    expect(help_).to_be_visible()
    page.get_by_role("button", name="Close").click()
    expect(help_).to_be_hidden()
    expect(slider).to_be_focused()
    page.evaluate(_BLUR)
    page.keyboard.press("?")
    expect(help_).to_be_visible()
    page.keyboard.press("Escape")


def test_a_question_mark_in_a_text_stays_in_the_text(widget: Widget) -> None:
    field = widget.page.get_by_label("Tokens in the prompt of a new chat")
    field.focus()
    widget.page.keyboard.press("?")
    expect(widget.page.get_by_role("dialog")).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_help_and_panel_at_320_pixels(widget: Widget, scheme: str) -> None:
    page = widget.page
    page.set_viewport_size({"width": 320, "height": 690})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    summary = page.locator("[data-panel=embed] summary")
    summary.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert_axe_finds_nothing(page)
    small = page.locator("[data-panel=embed] :is(button, select, textarea, summary)").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect()).filter((box) => box.height < 44)"
    )
    assert small == []
    summary.click()
    page.get_by_role("button", name="Help").click()
    assert_axe_finds_nothing(page)
    box = page.get_by_role("dialog").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 320
    assert page.get_by_role("dialog").evaluate("(one) => one.scrollWidth <= one.clientWidth")
    page.get_by_role("button", name="Close").click()


def test_a_clicker_steps_back_and_on(example: Widget) -> None:
    page = example.page
    at_step(example, 8)
    page.keyboard.press("PageUp")
    at_step(example, 7)
    page.keyboard.press("PageUp")
    at_step(example, 6)
    page.keyboard.press("PageDown")
    at_step(example, 7)
    # What blackens the screen, and arrows outside full screen, are not the widget's.
    page.keyboard.press(".")
    page.keyboard.press("b")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("PageDown")
    at_step(example, 8)
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    assert page.evaluate("scrollY") == 0, "at the end, too, the key is the widget's"


def test_keys_of_a_slider_and_a_list_stay_theirs(example: Widget) -> None:
    page = example.page
    page.get_by_role("slider", name="Reserved per chat").focus()
    before = page.locator("[data-setting=reserve]").input_value()
    page.keyboard.press("PageUp")
    expect(page.locator("[data-setting=reserve]")).not_to_have_value(before)
    at_step(example, 8)
    page.get_by_label("Speed").focus()
    page.keyboard.press("PageDown")
    page.keyboard.press("ArrowRight")
    at_step(example, 8)
    page.get_by_label("Speed").select_option("1")


def test_in_full_screen_arrows_ends_and_space_are_those_of_a_talk(full: Widget) -> None:
    page = full.page
    assert page.evaluate("document.activeElement === document.querySelector('kv-pool')")
    page.keyboard.press("ArrowLeft")
    at_step(full, 7)
    page.keyboard.press("ArrowRight")
    at_step(full, 8)
    page.keyboard.press("Home")
    at_step(full, 0)
    page.keyboard.press("End")
    at_step(full, 8)
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    # On a button, Space is the button's.
    leave = page.get_by_role("button", name="Leave full screen")
    leave.focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Full screen", exact=True)).to_be_focused()
    assert page.evaluate("document.fullscreenElement") is None


@pytest.mark.parametrize(("width", "height", "slot", "text"), [(1280, 720, 28, 16), (1920, 1080, 42, 24)])
def test_a_projector_shows_both_pools_and_the_caption_large_at_every_step(
    full: Widget, width: int, height: int, slot: int, text: int
) -> None:
    page = full.page
    page.set_viewport_size({"width": width, "height": height})
    buttons = page.locator("[data-region=scenarios] button")
    expect(full.region("paged").locator("svg.kv-broad")).to_be_visible()
    overflowing: list[str] = []
    for index in range(buttons.count()):
        frame = full.press(f"[data-region=scenarios] button:nth-child({index + 1})")
        overflowing += [frame["link"]] if page.evaluate(_OVERFLOW) > 0 else []
        while frame["snapshot"]["step"] > 0:
            frame = full.press("[data-region=time] button")
            overflowing += [frame["link"]] if page.evaluate(_OVERFLOW) > 0 else []
    assert overflowing == []
    full.reset()
    sizes = page.evaluate(
        """() => [
          document.querySelector("[data-region=paged] [data-key=slot-0]").getBoundingClientRect().width,
          Number.parseFloat(getComputedStyle(document.querySelector("[data-region=caption]")).fontSize),
        ]"""
    )
    assert sizes[0] >= slot
    assert sizes[1] >= text
    assert_axe_finds_nothing(page)


def test_in_a_lesson_the_keys_are_the_page_s_until_the_widget_has_the_focus(
    browser: Browser, site: str
) -> None:
    page: Page = browser.new_page(viewport={"width": 1100, "height": 900})
    page.route("**/runtime/**", lambda route: route.abort())
    page.goto(f"{site}index.html")
    pressed = "document.querySelector('kv-pool').addEventListener('click', () => { presses += 1; })"
    page.evaluate(f"() => {{ window.presses = 0; {pressed}; }}")
    page.keyboard.press("?")
    expect(page.locator("dialog.kv-help")).to_be_hidden()
    page.keyboard.press("PageDown")
    page.wait_for_function("scrollY > 100")
    assert page.evaluate("presses") == 0
    page.locator("kv-pool [data-play]").focus()
    page.keyboard.press("PageUp")
    assert page.evaluate("presses") == 1
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Help")).to_be_visible()
    page.close()


def test_on_a_small_screen_the_closed_drawer_takes_no_tab_stop_and_no_choice_is_clipped(
    browser: Browser, site: str
) -> None:
    page = browser.new_page(viewport={"width": 320, "height": 690})
    page.route("**/runtime/**", lambda route: route.abort())
    page.goto(f"{site}index.html")
    stops = """() => [...document.querySelectorAll(".md-sidebar--primary :is(a, button, input, label)")]
      .filter((one) => one.checkVisibility({ visibilityProperty: true })).length"""
    assert page.evaluate(stops) == 0
    clipped = "(one) => one.scrollWidth - one.clientWidth"
    assert page.locator("kv-pool .kv-choice").evaluate(clipped) == 0
    page.locator("label.md-header__button[for=__drawer]").click()
    expect(page.locator(".md-sidebar--primary a").first).to_be_visible()
    assert page.evaluate(stops) > 0
    page.close()
