"""The page of the notebook in a browser, and the way to it from the widget, with the same session."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import VISIBLE, assert_axe_finds_nothing
from tests.browser.driver import Watch, Widget

pytestmark = pytest.mark.browser

SESSION = "v=1&scenario=worked-example&step=5"


@pytest.fixture(scope="module")
def opened(browser: Browser, site: str) -> Iterator[tuple[Page, Watch]]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    watch = Watch(page)
    page.goto(f"{site}gpu.html#{SESSION}")
    yield page, watch
    context.close()


@pytest.fixture
def page(opened: tuple[Page, Watch]) -> Iterator[Page]:
    page, watch = opened
    page.set_viewport_size({"width": 1440, "height": 900})
    page.emulate_media(color_scheme="light")
    yield page
    assert watch.troubles == []


def test_the_session_of_the_link_is_shown_and_copied(page: Page) -> None:
    expect(page.locator("[data-notebook-session]")).to_have_text(SESSION)
    page.get_by_role("button", name="Copy it").click()
    expect(page.locator("[data-notebook-told]")).to_have_text("The session is copied.")
    assert page.evaluate("navigator.clipboard.readText()") == SESSION


def test_the_notebook_is_downloaded_with_the_session_in_it(page: Page) -> None:
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the notebook with it").click()
    assert download.value.suggested_filename == "paged_decode.ipynb"
    cells = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))["cells"]
    assert [cell for cell in cells if "".join(cell["source"]) == f'SESSION = """{SESSION}"""']


def test_another_link_on_the_same_page_brings_another_session(page: Page) -> None:
    page.evaluate("location.hash = 'v=1&scenario=holes'")
    expect(page.locator("[data-notebook-session]")).to_have_text("v=1&scenario=holes")
    page.evaluate(f"location.hash = {json.dumps(SESSION)}")
    expect(page.locator("[data-notebook-session]")).to_have_text(SESSION)


def test_text_that_is_no_session_is_not_shown(browser: Browser, site: str) -> None:
    page = browser.new_page()
    for end in ("", "#the-fast-kernel", "#<b>v=1</b>"):
        page.goto(f"{site}gpu.html{end}")
        expect(page.locator("[data-notebook]")).to_be_hidden()
    page.context.close()


@pytest.mark.parametrize(("width", "scheme", "rules"), [(1440, "light", None), (320, "dark", VISIBLE)])
def test_axe_finds_nothing(page: Page, width: int, scheme: str, rules: list[str] | None) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.wait_for_timeout(300)  # the theme fades colours over
    assert_axe_finds_nothing(page, rules)


@pytest.mark.parametrize("width", [320, 1440])
def test_nothing_is_too_wide_and_what_is_pressed_is_high_enough(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")
    for name in ("Copy it", "Download the notebook with it"):
        box = page.get_by_role("button", name=name).bounding_box()
        assert box is not None
        assert box["height"] >= 44


def test_the_widget_leads_there_with_its_session(widget: Widget) -> None:
    widget.grow("A")
    widget.page.locator("[data-panel=share] > summary").click()
    link = widget.page.get_by_role("link", name="Replay these operations on a GPU")
    with widget.page.context.expect_page() as there:
        link.click()
    expect(there.value.locator("[data-notebook-session]")).to_have_text("v=1&ops=~A+4")
    assert there.value.url.endswith("/gpu.html#v=1&ops=~A+4")
    there.value.close()
    widget.page.locator("[data-panel=share] > summary").click()
