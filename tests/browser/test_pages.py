"""Every page of the site in a browser, without Python: it fits, is for everyone, and weighs little.

One page is shared, and the browser's Python is kept from it, so that nothing boots.
"""

import gzip
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from lesson.site import SOURCE
from lesson.tracks import nav_of, paths_in
from tests.browser.axe import VISIBLE, assert_axe_finds_nothing
from tests.browser.conftest import DIST
from tests.browser.driver import Watch, Widget, until_live
from tests.browser.memory import Memory

pytestmark = pytest.mark.browser

PAGES = [path.replace(".md", ".html") for path in paths_in(nav_of(SOURCE))]
# Reference pages are made alike; the first page and the notebook's have tests of their own (test_site.py,
# test_notebook.py), and what holds all of the deep track has nothing of its own.
ALIKE = [page for page in PAGES if page.startswith("reference/") and page != "reference/blocks.html"]
DIFFERENT = [page for page in PAGES if page not in (*ALIKE, "index.html", "gpu.html", "deep/all.html")]

WIDTHS = (320, 820, 1440)
MOST_KB, MOST_KB_WITH_WIDGET = 200, 300


@pytest.fixture(scope="module")
def quiet(browser: Browser, site: str) -> Iterator[tuple[Page, Watch, str]]:
    """A page to go from one address to the next with; no Python starts on it."""
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    for pattern in ("**/runtime/**", "**/app.zip", "**/worker.js"):
        page.context.route(pattern, lambda route: route.abort())
    yield page, Watch(page), site
    page.context.close()


@pytest.fixture
def page(quiet: tuple[Page, Watch, str]) -> Iterator[Page]:
    page, watch, _ = quiet
    page.set_viewport_size({"width": 1440, "height": 900})
    page.emulate_media(color_scheme="light", media="screen")
    yield page
    # What waits for Python is given up when the page goes elsewhere.
    assert [trouble for trouble in watch.troubles if "ailed" not in trouble] == [], (
        "but for what is kept away"
    )


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_every_width_and_weighs_little(page: Page, site: str, name: str) -> None:
    page.goto(site + name)
    has_widget = page.locator("kv-pool").count() == 1
    if has_widget:  # with what answers the first presses, for the width that a reader has
        page.locator("kv-pool:is([data-recorded], [data-state=live])").wait_for()
    weight = sum(len(gzip.compress(file.read_bytes(), 9)) for file in asked_for(page, site)) / 1000
    assert weight <= (MOST_KB_WITH_WIDGET if has_widget else MOST_KB)
    for width in WIDTHS if name not in ALIKE else WIDTHS[:1]:
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function("(width) => document.documentElement.scrollWidth <= width", arg=width)
        figures = page.locator(".lesson-figure").count()
        assert page.locator(".lesson-figure svg.kv-picture:visible").count() == figures


def asked_for(page: Page, site: str) -> set[Path]:
    """Return the files that the page is made of, without those that wait for the browser's Python."""
    names = page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert all(name.startswith((site, "data:", "blob:")) for name in names), "nothing came from elsewhere"
    below = urlsplit(site).path
    paths = {urlsplit(name).path.removeprefix(below) for name in [page.url, *names] if name.startswith(site)}
    return {DIST / path for path in paths if "runtime/" not in path and not path.endswith("app.zip")}


# What scrolls sideways is found a frame after the width has changed. A border's few pixels do not count.
REACHED = """() => [...document.querySelectorAll("pre > code, .md-typeset__scrollwrap")]
    .every((part) => part.scrollWidth <= part.clientWidth + 13 || part.tabIndex === 0)"""


@pytest.mark.parametrize("name", DIFFERENT)
def test_axe_finds_nothing(page: Page, site: str, name: str) -> None:
    page.goto(site + name)
    page.add_style_tag(content="*, ::before, ::after { transition: none !important }")
    for width, scheme, rules in ((1440, "light", None), (320, "dark", VISIBLE)):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        page.wait_for_function(REACHED)
        assert_axe_finds_nothing(page, rules)


def test_a_touch_shows_the_source_and_a_second_one_goes_to_it(browser: Browser, site: str) -> None:
    page = browser.new_context(viewport={"width": 820, "height": 900}, has_touch=True).new_page()
    page.context.route("**/runtime/**", lambda route: route.abort())
    page.goto(f"{site}deep/proof.html")
    cited = page.locator(".lesson-cited").first
    shown = "element => getComputedStyle(element, '::after').content"
    cited.tap()
    assert "Kwon et al. 2023" in cited.evaluate(shown)
    assert "#" not in page.url
    page.locator("h1").tap()
    expect(page.locator("[data-shown]")).to_have_count(0)
    cited.tap()
    cited.tap()
    expect(page.locator("#source-vllm-paper")).to_be_in_viewport()
    page.context.close()


def test_a_figure_opens_large_and_comes_back(page: Page, site: str) -> None:
    page.goto(f"{site}deep/sharing.html")
    picture = page.locator(".lesson-figure .kv-wide")
    small = picture.bounding_box()
    page.get_by_role("button", name="Enlarge Figure 5").click()
    large = page.get_by_role("dialog", name="Figure 5").locator(".kv-wide").bounding_box()
    assert small is not None
    assert large is not None
    assert large["width"] > 1.5 * small["width"]
    page.keyboard.press("Escape")
    expect(page.locator("dialog.lesson-large")).to_have_count(0)
    after = picture.bounding_box()
    assert after is not None
    assert (after["width"], after["height"]) == (small["width"], small["height"])
    expect(page.get_by_role("button", name="Enlarge Figure 5")).to_be_focused()


def test_paper_shows_pictures_and_nothing_to_press(page: Page, site: str) -> None:
    page.goto(f"{site}deep/sharing.html")
    page.emulate_media(media="print")
    page.evaluate(
        "for (const part of document.querySelectorAll('details')) part.open = true"
    )  # as the theme does
    assert page.locator(":is(button, input, select, summary, .headerlink, .md-header):visible").count() == 0
    assert page.locator(".lesson-figure svg.kv-wide:visible").count() == 1
    assert page.locator(".lesson-widget svg.kv-picture:visible").count() >= 2


def test_without_scripts_a_page_is_whole(browser: Browser, site: str) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{site}deep/cache.html")
    formula = page.locator("math").bounding_box()
    assert formula is not None
    assert formula["height"] > 20
    expect(page.locator("kv-pool svg.kv-picture:visible").first).to_be_visible()
    page.locator(".lesson-cited").first.click()
    expect(page.locator(".lesson-reading li:target")).to_be_visible()
    page.context.close()


def test_the_widget_of_a_page_opens_at_its_scenario_and_goes_live_there(
    browser: Browser, site: str, memory: Memory
) -> None:
    context = browser.new_context(viewport={"width": 1100, "height": 900})
    memory.give(context)
    page = context.new_page()
    watch = Watch(page)
    page.goto(f"{site}deep/worked-example.html")
    recorded = Widget(page).caption()
    expect(page.locator("[data-waiting]")).to_have_text("")
    until_live(page)
    widget = Widget(page)
    assert widget.caption() == recorded
    expect(page.locator("[data-region=scenarios] [aria-current=true]")).to_have_text("Worked example")
    assert widget.free_list() == [0, 1, 2, 3, 4, 5, 6, 7]
    widget.slide_to(7)
    assert widget.free_list() == [7, 2, 6]
    assert page.url == f"{site}deep/worked-example.html"
    assert watch.troubles == []
    page.context.close()
