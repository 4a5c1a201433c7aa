"""What a reader presses before Python is there, beyond what was recorded, is kept and done."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import DIST
from tests.browser.driver import BOOT_TIMEOUT, GROW, LIVE, Watch, before_python, caption, press
from tests.browser.memory import Memory

pytestmark = pytest.mark.browser

# The first is in what was recorded, and the second is not on top of it.
_FORK = {"command": {"type": "fork", "chat": "B"}, "name": "Fork chat B as D"}
_FINISH = {"command": {"type": "operation", "operation": {"op": "finish", "chat": "A"}}, "name": ""}


@pytest.fixture(autouse=True)
def been_here(context: BrowserContext, memory: Memory) -> None:
    """Python wakes on each of the pages, and is held back where presses are to wait."""
    memory.give(context)


def waiting(page: Page, words: str) -> None:
    expect(page.locator("[data-waiting]")).to_contain_text(words)


def until_done(page: Page) -> None:
    """Wait until Python has done all, and the address says so, which takes a turn of the page."""
    expect(page.locator(LIVE)).to_be_visible(timeout=BOOT_TIMEOUT)
    page.wait_for_function("document.querySelector('kv-pool').isIdle", timeout=BOOT_TIMEOUT)
    page.evaluate("() => new Promise((resolve) => setTimeout(resolve, 100))")


def test_presses_that_wait_are_there_after_a_reload_and_done_once(page: Page, site: str) -> None:
    watch = Watch(page)
    held = before_python(page, f"{site}widget.html")
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
    held = before_python(page, f"{site}widget.html")
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


def test_an_entry_of_another_form_is_wholly_left_alone(page: Page, site: str) -> None:
    page.goto(f"{site}404.html")
    (app,) = (DIST / "app").iterdir()
    take = """async ([module, state]) => {
      const { Waiting } = await import(module);
      return new Waiting().take(state);
    }"""
    module = f"{site}app/{app.name}/waiting.js"
    assert page.evaluate(take, [module, {"waiting": [_FORK, _FINISH]}]) == [_FORK, _FINISH]
    for state in (
        None,
        "waiting",
        {"waiting": "reset"},
        {"waiting": [_FORK, "reset"]},
        {"waiting": [_FORK, _FINISH["command"]]},
        {"waiting": [_FORK, {"command": {"type": "show", "view": "wide"}, "name": ""}]},
        {"waiting": [_FORK, {"command": {"type": "open", "link": "v=1"}, "name": ""}]},
        {"waiting": [_FORK, {"command": {"type": "operation", "operation": {"op": ["fork"]}}, "name": ""}]},
        {"waiting": [_FORK, {"command": {"operation": {}}, "name": ""}]},
        {"waiting": [_FORK, {**_FINISH, "name": "n" * 201}]},
        {"waiting": [_FORK] * 201},
    ):
        assert page.evaluate(take, [module, state]) == [], state


def test_a_press_that_waited_and_cannot_be_done_is_named_and_the_others_are_done(
    page: Page, site: str
) -> None:
    held = before_python(page, f"{site}widget.html")
    press(page, GROW)
    caption(page, "Step 4.")
    press(page, "Finish chat A", GROW, "+1 token, chat B", "Fork chat A", "+4 tokens, chat A")
    waiting(page, "5 presses wait for Python")
    page.reload()
    waiting(page, "5 presses wait for Python")
    held.release()
    until_done(page)
    notice = page.locator("[data-notice]")
    expect(notice).to_have_text(
        "3 presses that waited could not be done: “+4 tokens, chat A”. Chat A is not there. "
        "“Fork chat A as D”. Chat A is not there. “+4 tokens, chat A”. Chat A is not there."
    )
    # The last was refused, and what was done before it is in the address all the same.
    done = f"{site}widget.html#v=1&ops=~A+4,A!,B+1"
    expect(page).to_have_url(done)
    assert page.evaluate("history.state") is None
    # To look around leaves it there; to go on does not.
    page.locator("[data-region=contiguous] [data-key=slot-60]").hover()
    expect(page.locator("[data-region=look]")).to_contain_text("Slot 60")
    expect(notice).to_contain_text("could not be done")
    press(page, GROW.replace("chat A", "chat B"))
    caption(page, "Step 7.")
    expect(notice).to_have_text("")
    page.reload()
    until_done(page)
    caption(page, "Step 7.")
    expect(notice).to_have_text("")


def test_one_press_that_waited_in_vain_is_one(page: Page, site: str) -> None:
    held = before_python(page, f"{site}widget.html")
    press(page, GROW, "Fork chat B", "Finish chat C", "Finish chat C")
    waiting(page, "3 presses wait for Python")
    held.release()
    until_done(page)
    expect(page.locator("[data-notice]")).to_contain_text(
        "One press that waited could not be done: “Finish chat C”. Chat C is not there."
    )
    expect(page).to_have_url(f"{site}widget.html#v=1&ops=~A+4,B*D,C!")


def test_a_link_that_cannot_be_opened_stays_in_the_address_until_something_is_done(
    page: Page, site: str
) -> None:
    address = f"{site}widget.html#v=1&ops=~Z!"
    page.goto(address)
    notice = page.locator("[data-notice]")
    for _ in range(2):
        until_done(page)
        expect(notice).to_contain_text("The link cannot be opened.")
        expect(page).to_have_url(address)
        # What is drawn anew, looked at or chosen is no other session.
        page.locator("[data-region=contiguous] [data-key=slot-60]").hover()
        expect(page.locator("[data-region=look]")).to_contain_text("Slot 60")
        page.set_viewport_size({"width": 500, "height": 900})
        expect(page.locator("[data-region=paged] svg.kv-narrow")).to_be_visible()
        page.set_viewport_size({"width": 1100, "height": 900})
        until_done(page)
        expect(page).to_have_url(address)
        expect(notice).to_contain_text("The link cannot be opened.")
        page.reload()
    until_done(page)
    press(page, GROW)
    caption(page, "Step 4.")
    expect(page).to_have_url(f"{site}widget.html#v=1&ops=~A+4")
    expect(notice).to_have_text("")
    page.go_back()
    expect(notice).to_contain_text("The link cannot be opened.")
    expect(page).to_have_url(address)


def test_a_press_on_top_of_a_link_that_cannot_be_opened_is_done_and_both_are_told(
    page: Page, site: str
) -> None:
    held = before_python(page, f"{site}widget.html#v=9")
    press(page, GROW)
    waiting(page, "The link opens as soon as Python is there. 1 press waits for Python")
    page.reload()
    waiting(page, "The link opens as soon as Python is there. 1 press waits for Python")
    expect(page).to_have_url(f"{site}widget.html#v=9")
    held.release()
    until_done(page)
    caption(page, "Step 4.")
    expect(page.locator("[data-notice]")).to_contain_text("The link cannot be opened.")
    expect(page).to_have_url(f"{site}widget.html#v=1&ops=~A+4")
