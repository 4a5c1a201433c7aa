"""What the browser tests share: the built site under a sub-path, and one page whose Python is live.

Booting Python takes seconds, so tests that press buttons share one live page and reset it; tests of the boot
itself open their own.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.driver import Watch, Widget, until_live
from tests.browser.memory import Memory, memory_of_a_visit
from tools.serve import serving

# A test is no stopwatch: two workers share the machine with whatever else runs on it.
expect.set_options(timeout=20_000)

DIST = Path(__file__).resolve().parents[2] / "dist"


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of the built site, below a path as on a project page or in a course folder."""
    if not (DIST / "widget.html").exists():
        pytest.fail("dist/ is missing. Build it first: make build")
    with serving(DIST, "/some/sub/path/") as base:
        yield base


@pytest.fixture(autouse=True)
def tells_chromium(request: pytest.FixtureRequest, record_property: Callable[[str, object], None]) -> None:
    """Where a test opens Chromium, say which, for the last lines of all tests."""
    if "browser" in request.fixturenames:
        record_property("engine", f"Chromium {request.getfixturevalue('browser').version}")


@pytest.fixture(scope="session")
def memory(browser: Browser, site: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """What a browser keeps after a visit, for readers who have been here."""
    with memory_of_a_visit(browser, site, tmp_path_factory.mktemp("memory")) as memory:
        yield memory


@pytest.fixture(scope="session")
def live_page(browser: Browser, site: str, memory: Memory) -> Iterator[tuple[Page, Watch]]:
    """A page with widget.html, live."""
    context = browser.new_context(viewport={"width": 1100, "height": 900}, service_workers="block")
    memory.give(context)
    page = context.new_page()
    watch = Watch(page)
    page.goto(f"{site}widget.html")
    until_live(page)
    yield page, watch
    page.context.close()


@pytest.fixture
def widget(live_page: tuple[Page, Watch]) -> Iterator[Widget]:
    """The live widget at its first step, wide, light; it ends with nothing on the console and none failed."""
    page, watch = live_page
    page.set_viewport_size({"width": 1100, "height": 900})
    page.emulate_media(color_scheme="light", reduced_motion="no-preference", media="screen")
    # A pointer that the test before left over a slot would look at it, and that would be answered too.
    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0)")
    widget = Widget(page)
    widget.reset()
    yield widget
    assert watch.troubles == []


@pytest.fixture
def reader(browser: Browser) -> Iterator[BrowserContext]:
    """A reader who was never here, with a browser that keeps what it may."""
    context = browser.new_context(viewport={"width": 1100, "height": 900})
    yield context
    context.close()


@pytest.fixture
def known_reader(reader: BrowserContext, memory: Memory) -> BrowserContext:
    """A reader who was here before."""
    memory.give(reader)
    return reader


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Pages that a test opens for itself are as wide as the shared one."""
    size = {"width": 1100, "height": 900}
    # What keeps pages for later would answer where a test wants to.
    return {**browser_context_args, "viewport": size, "service_workers": "block"}
