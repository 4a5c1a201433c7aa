"""A line that goes silent, or is gone in the middle: what is told, and how it goes on."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.driver import BOOT_TIMEOUT, LIVE, Held, caption, press

pytestmark = pytest.mark.browser

FINISH = "Finish chat B"
SILENT = 6  # ticks of the script that listens for silence
TICK = 5000


def stay_silent(page: Page) -> None:
    """Let half a minute pass. What is due comes once each time, as on a page that was frozen."""
    for _ in range(SILENT):
        page.clock.fast_forward(TICK)
        page.wait_for_timeout(50)


@pytest.mark.parametrize(
    ("file", "named"), [("python.js", "worker.js"), ("python_stdlib.zip", "runtime/python_stdlib.zip")]
)
def test_a_line_on_which_nothing_comes_any_more_is_told_of(
    reader: BrowserContext, site: str, file: str, named: str
) -> None:
    page = reader.new_page()
    page.clock.install()
    if file != "python.js":
        page.add_init_script("delete window.Worker;")  # a worker has a clock of its own
    held = Held(page, f"**/{file}")
    page.goto(f"{site}widget.html")
    press(page, FINISH)
    caption(page, "Step 4.")
    press(page, "Finish chat A", "Fork chat C")
    page.wait_for_timeout(1000)  # all else has come
    page.clock.fast_forward(SILENT * TICK)  # in one piece: a page that was frozen
    expect(page.locator("kv-pool[data-state=loading]")).to_be_attached()
    stay_silent(page)
    expect(page.get_by_role("alert")).to_contain_text(
        f"{named} could not be loaded: nothing has come for a while."
    )
    if file != "python.js":
        return  # the way back is the same
    held.release()
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(LIVE)).to_be_visible(timeout=BOOT_TIMEOUT)
    caption(page, "Step 6.")


def test_a_line_that_is_gone_is_told_of_and_python_comes_by_itself_once_it_is_back(
    reader: BrowserContext, site: str
) -> None:
    page = reader.new_page()
    held = Held(page, "**/python_stdlib.zip")
    page.goto(f"{site}widget.html")
    expect(page.locator("kv-pool[data-recorded]")).to_be_attached()
    press(page, FINISH)
    caption(page, "Step 4.")
    reader.set_offline(True)
    for route in held.routes:
        route.abort()
    problem = page.get_by_role("alert")
    expect(problem).to_contain_text("could not be loaded: you are offline.", timeout=BOOT_TIMEOUT)
    press(page, "Fork chat C")
    held.is_open = True
    reader.set_offline(False)
    expect(page.locator(LIVE)).to_be_visible(timeout=BOOT_TIMEOUT)
    caption(page, "Step 5.")
