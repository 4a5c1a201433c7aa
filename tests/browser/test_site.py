"""The lesson's first page in a browser, below a path: what it asks for, shows, and lets a reader do."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import VISIBLE, assert_axe_finds_nothing
from tests.browser.driver import Watch, Widget, until_live
from tests.browser.memory import Memory

pytestmark = pytest.mark.browser

WIDTHS = (320, 820, 1440)


@pytest.fixture(scope="module")
def opened(browser: Browser, site: str, memory: Memory) -> Iterator[tuple[Page, Watch]]:
    """The page, with all that folds unfolded, and its widget live."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    memory.give(context)
    page = context.new_page()
    watch = Watch(page)
    page.goto(f"{site}index.html")
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    until_live(page)
    yield page, watch
    page.context.close()


@pytest.fixture
def lesson(opened: tuple[Page, Watch]) -> Page:
    page, _ = opened
    page.set_viewport_size({"width": 1440, "height": 900})
    page.emulate_media(color_scheme="light", media="screen")
    return page


def test_what_the_page_tells_to_try_happens(lesson: Page) -> None:
    widget = Widget(lesson)
    widget.reset()
    waits = widget.region("contiguous").locator("[data-key=waiting]")
    expect(waits).to_have_text("C waits")
    widget.slide("reserve", 16)
    expect(waits).to_have_count(0)
    widget.slide("reserve", 32)
    expect(waits).to_have_text("C waits")
    assert widget.table("A") == [0, 1]
    widget.grow("A")
    assert widget.table("A") == [0, 1, 5]
    widget.reset()
    widget.finish("B")
    expect(waits).to_have_count(0)
    assert widget.free_list()[-1] == 2
    widget.reset()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing(lesson: Page, width: int, scheme: str) -> None:
    lesson.set_viewport_size({"width": width, "height": 900})
    lesson.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    expect(
        lesson.locator(f"body[data-md-color-scheme={'slate' if scheme == 'dark' else 'default'}]")
    ).to_be_visible()
    lesson.wait_for_timeout(300)  # the theme fades colours over
    is_first = (width, scheme) == (WIDTHS[0], "light")
    assert_axe_finds_nothing(lesson, None if is_first else VISIBLE)


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_sticks_out_sideways(lesson: Page, width: int) -> None:
    lesson.set_viewport_size({"width": width, "height": 900})
    # The widget asks for pictures of another width and gets them a moment later.
    lesson.wait_for_function("(width) => document.documentElement.scrollWidth <= width", arg=width)


def test_a_cited_number_shows_its_source_on_focus_and_leads_to_it(lesson: Page) -> None:
    number = lesson.locator(".lesson-cited").first
    shown = "element => getComputedStyle(element, '::after').content"
    assert number.evaluate(shown) == "none"
    number.focus()
    lesson.keyboard.press("Shift+Tab")
    lesson.keyboard.press("Tab")
    expect(number).to_be_focused()
    assert "Kwon et al. 2023" in number.evaluate(shown)
    number.press("Enter")
    expect(lesson.locator("#source-vllm-paper")).to_be_in_viewport()


def test_the_search_works_below_a_path(lesson: Page) -> None:
    field = lesson.get_by_role("textbox", name="Search")
    field.click()
    field.press_sequentially("clerk")  # the theme listens to keys
    result = lesson.locator(".md-search-result__link").first
    expect(result).to_contain_text("Why AI servers waste memory", timeout=10_000)
    lesson.keyboard.press("Escape")


def test_a_lost_address_at_any_depth_leads_back_to_the_first_page(lesson: Page, site: str) -> None:
    lost = lesson.context.new_page()
    lost.goto(f"{site}no/such/page.html")
    lost.get_by_role("link", name="To the first page of the lesson").click()
    expect(lost).to_have_url(f"{site}index.html")
    lost.close()


def test_nothing_came_from_elsewhere_and_nothing_failed(opened: tuple[Page, Watch], site: str) -> None:
    page, watch = opened
    origin = page.evaluate("location.origin")
    elsewhere = {url for url in watch.requests if not url.startswith((f"{origin}/", "blob:", "data:"))}
    assert elsewhere == set()
    assert len(watch.requests) > 10
    assert watch.troubles == []
