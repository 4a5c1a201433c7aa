"""The theme's instant navigation: the next page takes the place of the last one, and nothing is loaded anew.

The build leaves it off, since the theme finds its pages by a site's address, and this site has none. Here the
theme's own code does it: its switch is turned on in each page that passes by, and a list of pages served.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.driver import BOOT_TIMEOUT, Watch, Widget
from tests.browser.memory import Memory

pytestmark = pytest.mark.browser

PAGES = ("index.html", "deep/cache.html", "deep/one-buffer.html", "skills.html", "quiz.html")
LIVE = "kv-pool[data-state=live]"


@pytest.fixture
def context(browser: Browser, site: str, memory: Memory) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport={"width": 1440, "height": 900}, service_workers="block")
    memory.give(made)

    def switched_on(route: Route) -> None:
        response = route.fetch()
        features = '"features": ['
        assert features in response.text(), "the theme keeps its switches elsewhere now"
        route.fulfill(
            response=response,
            body=response.text().replace(features, f'{features}"navigation.instant", ', 1),
        )

    places = "".join(f"<url><loc>{site}{page}</loc></url>" for page in PAGES)
    made.route("**/*.html", switched_on)
    made.route(
        "**/sitemap.xml",
        lambda route: route.fulfill(
            body=f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{places}</urlset>',
            content_type="application/xml",
        ),
    )
    yield made
    made.close()


def is_the_same_document(page: Page) -> bool:
    return bool(page.evaluate("window.isMarked === true"))


def times_booted(watch: Watch) -> int:
    return sum("pyodide.asm.wasm" in request for request in watch.requests)


def test_there_and_back_python_stays_and_so_does_what_was_pressed(context: BrowserContext, site: str) -> None:
    page = context.new_page()
    watch = Watch(page)
    page.goto(f"{site}index.html")
    expect(page.locator(LIVE)).to_be_visible(timeout=BOOT_TIMEOUT)
    page.evaluate("window.isMarked = true")
    Widget(page).grow("A")
    caption = page.locator("[data-region=caption]")
    expect(caption).to_contain_text("Step 4.")
    boots = times_booted(watch)

    page.get_by_role("link", name="What the KV cache holds").last.click()
    expect(page).to_have_url(f"{site}deep/cache.html")
    expect(page.locator("h1")).to_contain_text("What the KV cache holds")
    expect(page.locator(LIVE)).to_be_visible()
    expect(caption).to_contain_text("Step 1.")
    Widget(page).grow("A")
    expect(caption).to_contain_text("A writes tokens 6 to 9.")

    page.go_back()
    expect(page.locator("h1")).to_contain_text("Why AI servers waste memory")
    expect(page.locator(LIVE)).to_be_visible()
    expect(caption).to_contain_text("Step 4.")
    Widget(page).grow("B")
    expect(caption).to_contain_text("Step 5.")
    expect(page.get_by_role("button", name="Enlarge Figure 1")).to_be_visible()

    page.go_forward()
    expect(page.locator("h1")).to_contain_text("What the KV cache holds")
    expect(page.locator(LIVE)).to_be_visible()
    expect(caption).to_contain_text("A writes tokens 6 to 9.")
    assert is_the_same_document(page), "the theme loaded a page anew, and nothing was tested"
    assert times_booted(watch) == boots, "Python was started again"
    assert watch.troubles == []


def test_from_the_lesson_to_the_quiz_one_python_answers_both(context: BrowserContext, site: str) -> None:
    page = context.new_page()
    watch = Watch(page)
    page.goto(f"{site}index.html")
    expect(page.locator(LIVE)).to_be_visible(timeout=BOOT_TIMEOUT)
    page.evaluate("window.isMarked = true")
    page.get_by_role("link", name="After the lesson").first.click()
    page.get_by_role("link", name="Quiz").first.click()
    expect(page.locator("h1")).to_contain_text("Quiz")
    expect(page.locator("kv-exercise[data-state=live]")).to_be_visible()
    assert is_the_same_document(page), "the theme loaded a page anew, and nothing was tested"
    assert times_booted(watch) == 1
    assert watch.troubles == []
