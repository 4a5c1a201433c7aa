"""Answers at once, lives soon, survives: what a reader has when storage, workers, files or the line fail."""

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.conftest import DIST
from tests.browser.driver import (
    BOOT_TIMEOUT,
    GROW,
    LIVE,
    Held,
    Watch,
    before_python,
    caption,
    press,
    until_kept,
)

pytestmark = pytest.mark.browser

# As in a browser that blocks what a site may keep.
_BLOCKED = """
for (const name of ["caches", "localStorage", "sessionStorage", "indexedDB"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("Blocked.", "SecurityError"); } });
}
"""
# All that the line says that tells how Python stands, and what waits for it.
_NOTE_STANDING = """
window.stood = [];
new MutationObserver(() => {
  const said = ["mode", "waiting"].map((name) => document.querySelector(`[data-${name}]`)?.textContent);
  const now = said.join(" | ");
  if (now !== window.stood.at(-1)) window.stood.push(now);
}).observe(document, { subtree: true, childList: true, characterData: true });
"""
# Whether what has the focus is seen from its upper edge on.
_IS_SEEN = """() => {
  const one = document.activeElement;
  const { left, top, width } = one.getBoundingClientRect();
  const seen = document.elementFromPoint(left + width / 2, top + 2);
  return seen !== null && (one.contains(seen) || seen.contains(one));
}"""


def test_a_press_before_the_scripts_are_there_is_answered_when_they_are(
    reader: BrowserContext, site: str
) -> None:
    page = reader.new_page()
    Held(page, "**/runtime/**")
    held = Held(page, "**/element.js")
    with page.expect_response("**/early.js"):
        page.goto(f"{site}widget.html", wait_until="commit")
    page.wait_for_function(
        "performance.getEntriesByType('resource').some(({ name }) => name.endsWith('early.js'))"
    )
    page.wait_for_timeout(200)
    press(page, GROW, "+4 tokens, chat B")
    assert page.evaluate("customElements.get('kv-pool') === undefined")
    held.release()
    caption(page, "Step 5.")
    expect(page).to_have_url(f"{site}widget.html#v=1&ops=~A+4,B+4")


def test_the_first_presses_are_answered_before_python_and_the_rest_in_order_after_it(
    reader: BrowserContext, site: str
) -> None:
    page = reader.new_page()
    page.add_init_script(_NOTE_STANDING)
    watch = Watch(page)
    held = before_python(page, f"{site}widget.html")
    mode, waiting = page.locator("[data-mode]"), page.locator("[data-waiting]")
    expect(mode).to_contain_text("recorded")
    page.locator("[data-setting=reserve]").fill("32")
    caption(page, "Each chat reserves 32 slots.")
    page.locator("[data-setting=reserve]").fill("16")
    caption(page, "Each chat reserves 16 slots. All 3 chats are in.")
    press(page, GROW)
    caption(page, "Step 4.")
    expect(page.locator("[data-key=chat-A] .kv-chip")).to_have_text(["0", "1", "5"])
    expect(page).to_have_url(f"{site}widget.html#v=1&reserve=16&ops=~A+4")
    expect(waiting).to_have_text("")
    press(page, "Fork chat B", "Finish chat A")
    expect(waiting).to_have_text("2 presses wait for Python")
    expect(page.locator("[data-said]")).to_have_text("2 presses wait for Python")
    caption(page, "Step 4.")
    drawn = page.locator("[data-region=paged]").inner_html()
    held.release()
    expect(page.locator(LIVE)).to_be_visible(timeout=BOOT_TIMEOUT)
    caption(page, "Step 6.")
    expect(waiting).to_have_text("")
    expect(mode).to_contain_text("live")
    assert page.locator("[data-region=paged]").inner_html() != drawn
    live = [said.partition(" | ")[2] for said in page.evaluate("stood") if said.startswith("live")]
    assert live == ["2 presses wait for Python", "1 press waits for Python", ""], "told until it is done"
    assert watch.troubles == []


@pytest.mark.parametrize("width", [320, 390, 700, 1280])
def test_what_is_said_of_python_moves_nothing_and_is_in_sight_while_presses_wait(
    reader: BrowserContext, site: str, width: int
) -> None:
    page = reader.new_page()
    page.set_viewport_size({"width": width, "height": 800})
    before_python(page, f"{site}widget.html")
    top = "document.querySelector('.kv-contiguous').getBoundingClientRect().top + scrollY"
    before = page.evaluate(top)
    page.evaluate("for (const times of [1, 2]) document.querySelector('[data-command*=finish]').click()")
    waiting = page.locator("[data-waiting]")
    expect(waiting).to_have_text("1 press waits for Python")
    assert page.evaluate(top) == before
    page.evaluate("scrollTo(0, 400)")
    expect(waiting).to_be_in_viewport()
    # Nor does it hide what has the focus.
    page.locator("[data-panel=embed] > summary").focus()
    for _ in range(20):
        page.keyboard.press("Shift+Tab")
        assert page.evaluate(_IS_SEEN), page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
    page.emulate_media(media="print")
    assert page.locator(".kv-header").evaluate("(one) => getComputedStyle(one).position") == "static"
    page.emulate_media(media="screen")
    page.evaluate("scrollTo(0, 0)")
    script = next(DIST.glob("app/*/status.js")).relative_to(DIST).as_posix()
    page.evaluate(
        """async (script) => {
          const { Status } = await import(script);
          new Status(document.querySelector("kv-pool")).tell({ python: "3.14.2" });
        }""",
        f"{site}{script}",
    )
    expect(page.locator("[data-mode]")).to_have_text("live · Python 3.14.2")
    assert page.evaluate(top) == before
    # Now it is the question, and then the trouble, that must be in sight.
    page.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } });")
    page.reload()
    expect(waiting).to_have_text("1 press waits for Python")
    page.evaluate("scrollTo(0, 400)")
    expect(page.locator(".kv-ask")).to_be_in_viewport()
    expect(page.locator(".kv-ask").get_by_text("1 press waits for Python")).to_be_in_viewport()
    reader.route("**/python.js", lambda route: route.abort())
    page.get_by_role("button", name="Load Python").click()
    expect(page.get_by_role("alert")).to_contain_text("python.js could not be loaded")
    page.evaluate("scrollTo(0, 400)")
    expect(page.get_by_role("button", name="Try again")).to_be_in_viewport()
    expect(page.locator(".kv-problem").get_by_text("1 press waits for Python")).to_be_in_viewport()


def test_a_page_that_is_loaded_again_before_python_is_where_it_was(
    known_reader: BrowserContext, site: str
) -> None:
    page = known_reader.new_page()
    held = before_python(page, f"{site}widget.html")
    press(page, GROW, GROW)
    caption(page, "Step 5.")
    address = page.url
    page.reload()
    caption(page, "Step 5.")
    expect(page.locator("[data-waiting]")).to_have_text("")
    expect(page).to_have_url(address)
    press(page, GROW)
    caption(page, "Step 6.")
    press(page, "Fork chat A")
    expect(page.locator("[data-waiting]")).to_have_text("1 press waits for Python")
    held.release()
    expect(page.locator(LIVE)).to_be_visible(timeout=BOOT_TIMEOUT)
    caption(page, "Step 7.")


def test_chats_that_are_to_come_take_names_when_python_is_there(
    known_reader: BrowserContext, site: str
) -> None:
    page = known_reader.new_page()
    held = before_python(page, f"{site}widget.html")
    press(page, "New chat D", "Fork chat A", "Fork chat B", "New chat E")
    expect(page.locator("[data-waiting]")).to_have_text("3 presses wait for Python")
    held.release()
    expect(page.locator(LIVE)).to_be_visible(timeout=BOOT_TIMEOUT)
    caption(page, "Step 7.")
    for chat in "DEFG":
        expect(page.locator(f"[data-key=chat-{chat}]")).to_be_visible()


def test_nothing_jumps_when_python_takes_over(reader: BrowserContext, site: str) -> None:
    page = reader.new_page()
    held = before_python(page, f"{site}widget.html")
    press(page, GROW, "+4 tokens, chat B")
    caption(page, "Step 5.")
    page.evaluate(
        """() => {
          window.changes = [];
          const note = (records) => window.changes.push(...records.map(({ target }) => target.nodeName));
          const options = { childList: true, subtree: true, characterData: true, attributes: true };
          const watch = new MutationObserver(note);
          for (const name of ["contiguous", "paged", "chats", "caption", "time"])
            watch.observe(document.querySelector(`[data-region=${name}]`), options);
        }"""
    )
    held.release()
    expect(page.locator(LIVE)).to_be_visible(timeout=BOOT_TIMEOUT)
    expect(page.locator("[data-mode]")).to_contain_text("live")
    page.wait_for_function("document.querySelector('[data-waiting]').textContent === ''")
    assert page.evaluate("window.changes") == []
    press(page, GROW)
    caption(page, "Step 6.")
    assert page.evaluate("window.changes.length") > 0, "a change would have been seen"


def test_with_all_storage_blocked_and_no_worker_it_is_live(reader: BrowserContext, site: str) -> None:
    page = reader.new_page()
    page.add_init_script(f"delete window.Worker; {_BLOCKED} {_NOTE_STANDING}")
    watch = Watch(page)
    page.goto(f"{site}widget.html")
    expect(page.locator(LIVE)).to_have_attribute("data-start", "new", timeout=BOOT_TIMEOUT)
    assert "recorded · starting Python, this page stands still | " in page.evaluate("stood")
    press(page, GROW)
    caption(page, "Step 4.")
    assert watch.troubles == []


def test_without_webassembly_it_says_so_and_goes_on_answering_from_what_was_recorded(
    reader: BrowserContext, site: str
) -> None:
    page = reader.new_page()
    page.add_init_script("delete window.Worker; delete window.WebAssembly;")
    page.goto(f"{site}widget.html")
    expect(page.get_by_role("alert")).to_contain_text("This browser runs no WebAssembly")
    press(page, GROW)
    caption(page, "Step 4.")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()


def test_a_module_of_the_wrong_type_is_named(reader: BrowserContext, site: str) -> None:
    page = reader.new_page()
    module = next(DIST.glob("runtime/*/pyodide.mjs")).read_bytes()
    reader.route("**/pyodide.mjs", lambda route: route.fulfill(body=module, content_type="text/plain"))
    page.goto(f"{site}widget.html")
    expect(page.get_by_role("alert")).to_contain_text(
        "runtime/pyodide.mjs could not be loaded", timeout=BOOT_TIMEOUT
    )


def test_a_worker_that_dies_is_replaced_two_widgets_share_it_and_one_taken_out_comes_back(
    known_reader: BrowserContext, site: str
) -> None:
    page = known_reader.new_page()
    page.add_init_script(
        """const Plain = window.Worker;
        window.workers = [];
        window.Worker = class extends Plain {
          constructor(...args) { super(...args); window.workers.push(this); }
        };"""
    )
    page.goto(f"{site}widget.html")
    page.evaluate(
        """() => {
          const second = document.querySelector("kv-pool").cloneNode(true);
          second.removeAttribute("data-address");
          document.querySelector("main").append(second);
        }"""
    )
    first, second = page.locator("kv-pool").first, page.locator("kv-pool").last
    for widget in (first, second):
        expect(widget).to_have_attribute("data-state", "live", timeout=BOOT_TIMEOUT)
    assert page.evaluate("workers.length") == 1
    press(page, GROW)
    caption(page, "Step 4.")
    expect(second.locator("[data-region=caption]")).to_contain_text("Step 3.")
    second.get_by_role("button", name="Finish chat B").first.click()
    expect(second.locator("[data-region=caption]")).to_contain_text("Step 4.")
    # Killed without a word, in the middle of an operation.
    page.clock.install()
    page.evaluate("workers[0].terminate()")
    press(page, "Finish chat A")
    page.clock.fast_forward(1_100)
    expect(first.locator("[data-waiting]")).to_have_text("1 press waits for Python")
    page.clock.fast_forward(20_000)
    page.clock.resume()
    for widget in (first, second):
        expect(widget).to_have_attribute("data-state", "live", timeout=BOOT_TIMEOUT)
    caption(page, "Step 5.")
    expect(page.locator("[data-key=chat-A]")).to_have_count(1)  # the second widget's
    expect(second.locator("[data-region=caption]")).to_contain_text("Step 4.")
    assert page.evaluate("workers.length") == 2
    # Taken out of the page and put back, as a theme does that replaces a page's content.
    page.evaluate(
        """() => {
          window.away = document.querySelector("kv-pool");
          window.away.remove();
        }"""
    )
    page.evaluate("document.querySelector('main').prepend(window.away)")
    expect(first).to_have_attribute("data-state", "live", timeout=BOOT_TIMEOUT)
    caption(page, "Step 5.")
    press(page, "+4 tokens, chat C")
    caption(page, "Step 6.")


def test_two_widgets_of_a_page_that_open_alike_come_back_each_as_it_was_left(
    known_reader: BrowserContext, site: str
) -> None:
    page = known_reader.new_page()
    page.goto(f"{site}widget.html")
    # As within a lesson, where a theme takes a page's content away and brings it back as it came.
    page.evaluate(
        """() => {
          const pool = document.querySelector("kv-pool");
          pool.removeAttribute("data-address");
          pool.dataset.opens = "v=1&scenario=worked-example&step=5";
          window.both = document.createElement("div");
          both.append(pool.cloneNode(true), pool.cloneNode(true));
          window.asItCame = both.cloneNode(true);
          pool.replaceWith(both);
        }"""
    )
    first, second = page.locator("kv-pool").first, page.locator("kv-pool").last
    for widget in (first, second):
        expect(widget).to_have_attribute("data-state", "live", timeout=BOOT_TIMEOUT)
        expect(widget.locator("[data-region=caption]")).to_contain_text("Step 5.")
    first.locator("[data-command*='\"by\":1']").click()
    second.locator("[data-command*='\"by\":-1']").click()
    expect(first.locator("[data-region=caption]")).to_contain_text("Step 6.")
    expect(second.locator("[data-region=caption]")).to_contain_text("Step 4.")
    page.evaluate("both.replaceWith(asItCame)")
    for widget in (first, second):
        expect(widget).to_have_attribute("data-state", "live", timeout=BOOT_TIMEOUT)
    expect(first.locator("[data-region=caption]")).to_contain_text("Step 6.")
    expect(second.locator("[data-region=caption]")).to_contain_text("Step 4.")


def test_over_a_dear_line_the_size_is_named_and_the_reader_asked(reader: BrowserContext, site: str) -> None:
    page = reader.new_page()
    page.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } });")
    watch = Watch(page)
    page.goto(f"{site}widget.html")
    ask = page.locator(".kv-ask")
    expect(ask).to_contain_text("metered or saves data")
    expect(ask).to_contain_text(" MB, once.")
    expect(page.locator("kv-pool[data-recorded]")).to_be_attached()
    press(page, GROW)
    caption(page, "Step 4.")
    assert [url for url in watch.requests if "/runtime/" in url] == []
    ask.get_by_role("button", name="Load Python").click()
    expect(page.locator(LIVE)).to_be_visible(timeout=BOOT_TIMEOUT)
    expect(ask).to_be_hidden()
    caption(page, "Step 4.")
    # Python is in the browser now, and nobody is asked again.
    until_kept(page)
    page.reload()
    expect(page.locator(LIVE)).to_have_attribute("data-start", "kept", timeout=BOOT_TIMEOUT)


def test_over_400_kbit_a_second_presses_are_answered_long_before_python(
    reader: BrowserContext, site: str
) -> None:
    page = reader.new_page()
    line: Any = reader.new_cdp_session(page)
    line.send("Network.enable")
    speed = {"offline": False, "latency": 150, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
    line.send("Network.emulateNetworkConditions", speed)
    page.goto(f"{site}widget.html")
    expect(page.locator("[data-region=paged] svg").first).to_be_visible()
    press(page, GROW)
    caption(page, "Step 4.")
    expect(page.locator("kv-pool")).to_have_attribute("data-state", "loading")
    expect(page.locator("[data-mode]")).to_contain_text("recorded · loading Python")


def test_a_tab_that_was_frozen_while_python_came_goes_live(reader: BrowserContext, site: str) -> None:
    page = reader.new_page()
    tab: Any = reader.new_cdp_session(page)
    held = Held(page, "**/runtime/**")
    page.goto(f"{site}widget.html")
    tab.send("Page.setWebLifecycleState", {"state": "frozen"})
    held.release()
    page.wait_for_timeout(500)
    tab.send("Page.setWebLifecycleState", {"state": "active"})
    expect(page.locator(LIVE)).to_be_visible(timeout=BOOT_TIMEOUT)


def test_opened_as_a_file_the_picture_is_there_and_what_it_needs_is_said(reader: BrowserContext) -> None:
    page = reader.new_page()
    page.goto((DIST / "widget.html").as_uri())
    expect(page.locator("[data-region=paged] svg").first).to_be_visible()
    expect(page.locator(".kv-late")).to_contain_text("serve its folder")
