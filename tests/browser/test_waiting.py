"""What a reader presses before Python is there, beyond what was recorded, is kept and done."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driver import BOOT_TIMEOUT, Held, Watch

pytestmark = pytest.mark.browser

LIVE = "kv-pool[data-state=live]"
GROW = "+4 tokens, chat A"
# The first is in what was recorded, and the second is not on top of it.
_FORK = {"type": "operation", "operation": {"op": "fork", "parent": "B", "chat": "D"}}
_FINISH = {"type": "operation", "operation": {"op": "finish", "chat": "A"}}


def press(page: Page, *names: str) -> None:
    for name in names:
        page.get_by_role("button", name=name).first.click()


def opened(page: Page, address: str) -> Held:
    """Open the widget, hold Python back, and wait until what was recorded answers."""
    held = Held(page, "**/runtime/**")
    page.goto(address)
    expect(page.locator("kv-pool[data-recorded]")).to_be_attached()
    return held


def caption(page: Page, words: str) -> None:
    expect(page.locator("[data-region=caption]").first).to_contain_text(words)


def waiting(page: Page, words: str) -> None:
    expect(page.locator("[data-waiting]")).to_contain_text(words)


def until_done(page: Page) -> None:
    """Wait until Python has done all, and the address says so, which takes a turn of the page."""
    expect(page.locator(LIVE)).to_be_visible(timeout=BOOT_TIMEOUT)
    page.wait_for_function("document.querySelector('kv-pool').isIdle", timeout=BOOT_TIMEOUT)
    page.evaluate("() => new Promise((resolve) => setTimeout(resolve, 100))")


def test_presses_that_wait_are_there_after_a_reload_and_done_once(page: Page, site: str) -> None:
    watch = Watch(page)
    held = opened(page, f"{site}widget.html")
    press(page, GROW)
    caption(page, "Step 4.")
    expect(page).to_have_url(f"{site}widget.html#v=1&ops=~A+4")
    press(page, "Fork chat B", "Finish chat A")
    waiting(page, "2 presses wait for Python")
    page.reload()
    waiting(page, "2 presses wait for Python")
    expect(page).to_have_url(f"{site}widget.html#v=1&ops=~A+4")
    press(page, "+4 tokens, chat C")
    waiting(page, "3 presses wait for Python")
    page.reload()
    waiting(page, "3 presses wait for Python")
    held.release()
    until_done(page)
    caption(page, "Step 7.")
    expect(page.locator("[data-waiting]")).to_have_text("")
    done = f"{site}widget.html#v=1&ops=~A+4,B*D,A!,C+4"
    expect(page).to_have_url(done)
    assert page.evaluate("history.state") is None
    page.reload()
    until_done(page)
    caption(page, "Step 7.")
    expect(page).to_have_url(done)
    page.go_back()
    until_done(page)
    caption(page, "Step 4.")
    expect(page).to_have_url(f"{site}widget.html#v=1&ops=~A+4")
    assert [trouble for trouble in watch.troubles if not trouble.startswith("failed: ")] == []


def test_presses_wait_where_they_were_made_when_the_reader_goes_away_and_comes_back(
    page: Page, site: str
) -> None:
    held = opened(page, f"{site}widget.html")
    press(page, GROW)
    caption(page, "Step 4.")
    press(page, "Fork chat B")
    waiting(page, "1 press waits for Python")
    # To the entry before, where nothing was pressed that waits.
    page.go_back()
    expect(page.locator("[data-waiting]")).to_have_text("The link opens as soon as Python is there.")
    page.go_forward()
    waiting(page, "1 press waits for Python")
    # To another page.
    page.goto(f"{site}glossary.html")
    page.go_back()
    waiting(page, "1 press waits for Python")
    held.release()
    until_done(page)
    caption(page, "Step 5.")
    expect(page).to_have_url(f"{site}widget.html#v=1&ops=~A+4,B*D")


@pytest.mark.parametrize(
    "state",
    [
        "waiting",
        {"waiting": "reset"},
        {"waiting": [_FORK, "reset"]},
        {"waiting": [_FORK, {"type": "show", "view": "wide"}]},
        {"waiting": [_FORK, {"type": "operation", "operation": {"op": ["fork"]}}]},
        {"waiting": [_FORK, {"operation": _FORK["operation"]}]},
        {"waiting": [_FORK] * 201},
    ],
    ids=["no object", "no list", "no object in it", "not pressed", "too deep", "no type", "too many"],
)
def test_an_entry_of_another_form_is_wholly_left_alone(page: Page, site: str, state: object) -> None:
    opened(page, f"{site}widget.html")
    expect(page).to_have_url(f"{site}widget.html#v=1")
    page.evaluate("(state) => history.replaceState({ waiting: state }, '')", [_FORK, _FINISH])
    page.reload()
    waiting(page, "1 press waits for Python")  # or the rest would prove nothing
    caption(page, "Step 4.")
    page.evaluate("(state) => history.replaceState(state, '')", state)
    page.reload()
    expect(page.locator("kv-pool[data-recorded]")).to_be_attached()
    caption(page, "Step 3.")
    expect(page.locator("[data-waiting]")).to_have_text("")
