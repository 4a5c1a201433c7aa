"""Answers at once, lives soon, survives: what a reader has when storage, workers, files or the line fail."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import DIST
from tests.browser.driver import BOOT_TIMEOUT, Held, Watch
from widget.sessions import FIRST_COMMANDS

pytestmark = pytest.mark.browser

LIVE = "kv-pool[data-state=live]"
GROW = "+4 tokens, chat A"

# As in a browser that blocks what a site may keep.
_BLOCKED = """
for (const name of ["caches", "localStorage", "sessionStorage", "indexedDB"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("Blocked.", "SecurityError"); } });
}
"""
_KEPT = """async () => {
  const cache = await caches.open("pagedkv-python");
  return (await cache.keys()).map(({ url }) => url.includes("app/earlier") ? "earlier" : "of this build");
}"""
_ALTER = """async (change) => {
  const cache = await caches.open("pagedkv-python");
  const [request] = await cache.keys();
  const hit = await cache.match(request);
  const bytes = new Uint8Array(await hit.arrayBuffer());
  if (change === "of another build") {
    const earlier = request.url.replace(/app.[^/]+/, "app/earlier");
    await cache.put(earlier, new Response(bytes, { headers: hit.headers }));
    await cache.delete(request);
  } else if (change === "cut") {
    await cache.put(request, new Response(bytes.slice(0, bytes.length / 2), { headers: hit.headers }));
  } else if (change === "of another size") {
    const headers = new Headers(hit.headers);
    headers.set("X-Memory-Size", "65536");
    await cache.put(request, new Response(bytes, { headers }));
  } else {
    // Another digest: what is there is whole, and not what was kept.
    const headers = new Headers(hit.headers);
    headers.set("X-Memory-Digest", "0".repeat(64));
    await cache.put(request, new Response(bytes, { headers }));
  }
}"""

# The first command of the widget, on its way to the thread of Python.
_NOTE_FIRST = """
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message) {
  window.first ??= message.command;
  post.call(this, message);
};
"""
# Pages of memory: those that are left out keep what was there before, whatever it was.
_LEFT_OUT = """async ([app, runtime]) => {
  const { keptSnapshot } = await import(`${app}snapshot.js`);
  const { loadPyodide } = await import(`${runtime}pyodide.mjs`);
  const engine = await import(`${runtime}pyodide.asm.mjs`);
  const kept = await keptSnapshot();
  const fill = await kept.read();
  const marked = new Uint8Array(kept.size).fill(255);
  fill(marked);
  const fresh = await new Promise((resolve) => {
    const createPyodideModule = async (settings) => {
      const module = await engine.default(Object.assign(settings, { INITIAL_MEMORY: kept.size }));
      resolve(module.HEAPU8.slice());
      return module;
    };
    loadPyodide({ indexURL: runtime, _loadSnapshot: kept.head, createPyodideModule }).catch(() => {});
  });
  const found = { "left out": 0, written: 0, both: [] };
  for (let start = 0; start < kept.size; start += 4096) {
    const isLeftOut = marked.subarray(start, start + 4096).every((byte) => byte === 255);
    const isWritten = fresh.subarray(start, start + 4096).some((byte) => byte !== 0);
    found["left out"] += isLeftOut;
    found.written += isWritten;
    if (isLeftOut && isWritten) found.both.push(start);
  }
  return found;
}"""

_ALL_IS_KEPT = """async () => {
  // Of what is kept for a visit without a line the library comes last.
  const kept = await (await caches.open("pagedkv-site")).keys();
  const isAll = kept.some(({ url }) => url.endsWith("/python_stdlib.zip"));
  return isAll && navigator.serviceWorker.controller !== null;
}"""
_DAMAGE_KEPT_APP = """async () => {
  const cache = await caches.open("pagedkv-site");
  const request = (await cache.keys()).find(({ url }) => url.endsWith("/app.zip"));
  const bytes = new Uint8Array(await (await cache.match(request)).arrayBuffer());
  bytes[bytes.length - 100] ^= 1;
  await cache.put(request, new Response(bytes));
}"""


@pytest.fixture
def reader(browser: Browser) -> Iterator[BrowserContext]:
    """A reader who was never here, with a browser that keeps what it may."""
    context = browser.new_context(viewport={"width": 1100, "height": 900})
    yield context
    context.close()


def press(page: Page, name: str = GROW) -> None:
    page.get_by_role("button", name=name).first.click()


def caption(page: Page, words: str) -> None:
    expect(page.locator("[data-region=caption]").first).to_contain_text(words)


def test_the_first_presses_are_answered_before_python_and_the_rest_in_order_after_it(
    reader: BrowserContext, site: str
) -> None:
    page = reader.new_page()
    watch = Watch(page)
    held = Held(page, "**/runtime/**")
    page.goto(f"{site}widget.html")
    mode, waiting = page.locator("[data-mode]"), page.locator("[data-waiting]")
    expect(mode).to_contain_text("recorded")
    expect(page.locator("kv-pool[data-recorded]")).to_be_attached()
    page.locator("[data-setting=reserve]").fill("32")
    caption(page, "Each chat reserves 32 slots.")
    page.locator("[data-setting=reserve]").fill("16")
    caption(page, "Each chat reserves 16 slots. All 3 chats are in.")
    press(page)
    caption(page, "Step 4.")
    expect(page.locator("[data-key=chat-A] .kv-chip")).to_have_text(["0", "1", "5"])
    expect(page).to_have_url(f"{site}widget.html#v=1&reserve=16&ops=~A+4")
    expect(waiting).to_have_text("")
    press(page, "Fork chat B")
    press(page, "Finish chat A")
    expect(waiting).to_have_text("2 presses wait for Python")
    caption(page, "Step 4.")
    drawn = page.locator("[data-region=paged]").inner_html()
    held.release()
    expect(page.locator(LIVE)).to_be_visible(timeout=BOOT_TIMEOUT)
    caption(page, "Step 6.")
    expect(waiting).to_have_text("")
    expect(mode).to_contain_text("live")
    assert page.locator("[data-region=paged]").inner_html() != drawn
    assert watch.troubles == []


def test_a_page_that_is_loaded_again_before_python_is_where_it_was(reader: BrowserContext, site: str) -> None:
    page = reader.new_page()
    held = Held(page, "**/runtime/**")
    page.goto(f"{site}widget.html")
    expect(page.locator("kv-pool[data-recorded]")).to_be_attached()
    press(page)
    caption(page, "Step 4.")
    press(page)
    caption(page, "Step 5.")
    address = page.url
    page.reload()
    caption(page, "Step 5.")
    expect(page.locator("[data-waiting]")).to_have_text("")
    expect(page).to_have_url(address)
    press(page)
    caption(page, "Step 6.")
    press(page, "Fork chat A")
    expect(page.locator("[data-waiting]")).to_have_text("1 press waits for Python")
    held.release()
    expect(page.locator(LIVE)).to_be_visible(timeout=BOOT_TIMEOUT)
    caption(page, "Step 7.")


def test_chats_that_are_to_come_take_names_when_python_is_there(reader: BrowserContext, site: str) -> None:
    page = reader.new_page()
    held = Held(page, "**/runtime/**")
    page.goto(f"{site}widget.html")
    expect(page.locator("kv-pool[data-recorded]")).to_be_attached()
    press(page, "New chat D")
    for chat in "AB":
        press(page, f"Fork chat {chat}")
    press(page, "New chat E")
    expect(page.locator("[data-waiting]")).to_have_text("3 presses wait for Python")
    held.release()
    expect(page.locator(LIVE)).to_be_visible(timeout=BOOT_TIMEOUT)
    caption(page, "Step 7.")
    for chat in "DEFG":
        expect(page.locator(f"[data-key=chat-{chat}]")).to_be_visible()


def test_a_browser_that_has_no_room_left_goes_live_on_every_visit(reader: BrowserContext, site: str) -> None:
    page = reader.new_page()
    page.goto(f"{site}404.html")
    storage: Any = reader.new_cdp_session(page)
    origin = page.evaluate("location.origin")
    storage.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 3_000_000})
    for visit in range(2):
        page.goto(f"{site}widget.html")
        expect(page.locator(LIVE)).to_have_attribute("data-start", "new", timeout=BOOT_TIMEOUT)
        press(page)
        caption(page, "Step 4.")
        page.wait_for_timeout(500)
        serves = "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"
        assert page.evaluate(serves) or visit == 0
        page.goto("about:blank")


def test_nothing_jumps_when_python_takes_over(reader: BrowserContext, site: str) -> None:
    page = reader.new_page()
    held = Held(page, "**/runtime/**")
    page.goto(f"{site}widget.html")
    expect(page.locator("kv-pool[data-recorded]")).to_be_attached()
    for chat in "AB":
        press(page, f"+4 tokens, chat {chat}")
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
    press(page)
    caption(page, "Step 6.")
    assert page.evaluate("window.changes.length") > 0, "a change would have been seen"


def test_what_a_page_asks_first_is_prepared(reader: BrowserContext, site: str) -> None:
    asked = []
    for width in (360, 800, 1200):
        page = reader.new_page()
        page.set_viewport_size({"width": width, "height": 900})
        page.add_init_script(_NOTE_FIRST)
        page.goto(f"{site}widget.html")
        expect(page.locator(LIVE)).to_be_visible(timeout=BOOT_TIMEOUT)
        asked.append(page.evaluate("window.first"))
        page.close()
    assert asked == list(FIRST_COMMANDS)


def test_an_engine_that_starts_has_written_to_no_page_that_a_kept_memory_leaves_out(
    reader: BrowserContext, site: str
) -> None:
    page = reader.new_page()
    page.goto(f"{site}widget.html")
    expect(page.locator(LIVE)).to_be_visible(timeout=BOOT_TIMEOUT)
    wait_until_kept(page)
    app, runtime = (next((DIST / folder).iterdir()).name for folder in ("app", "runtime"))
    found = page.evaluate(_LEFT_OUT, [f"{site}app/{app}/", f"{site}runtime/{runtime}/"])
    assert found["written"] > 100
    assert found["left out"] > 1000
    assert found["both"] == []


@pytest.mark.parametrize("change", ["cut", "of another build", "of another size", "altered"])
def test_what_was_kept_wakes_and_what_is_in_doubt_is_never_used(
    reader: BrowserContext, site: str, change: str
) -> None:
    page = reader.new_page()
    page.goto(f"{site}widget.html")
    widget = page.locator(LIVE)
    expect(widget).to_have_attribute("data-start", "new", timeout=BOOT_TIMEOUT)
    wait_until_kept(page)
    page.reload()
    expect(widget).to_have_attribute("data-start", "kept", timeout=BOOT_TIMEOUT)
    press(page)
    caption(page, "Step 4.")
    page.evaluate(_ALTER, change)
    page.reload()
    expect(widget).to_have_attribute("data-start", "new", timeout=BOOT_TIMEOUT)
    caption(page, "Step 4.")
    wait_until_kept(page)
    if change != "altered":
        return
    # Once seen, the page needs no line.
    reader.set_offline(True)
    page.reload()
    expect(widget).to_be_visible(timeout=BOOT_TIMEOUT)
    press(page, "Finish chat B")
    caption(page, "Step 5.")
    page.goto(f"{site}glossary.html")
    expect(page.locator("body")).to_contain_text("This page has not been opened here before")
    page.get_by_role("link", name="widget.html").click()
    expect(widget).to_be_visible(timeout=BOOT_TIMEOUT)


def wait_until_kept(page: Page) -> None:
    wait_until(page, _KEPT, ["of this build"])


def wait_until(page: Page, asked: str, answer: object = True) -> None:
    """Wait for the answer of an asynchronous function, whose promise Playwright takes for an answer."""
    for _ in range(200):
        if page.evaluate(asked) == answer:
            return
        page.wait_for_timeout(200)
    pytest.fail(f"{asked} gives {page.evaluate(asked)}")


def test_a_file_that_is_kept_for_a_visit_without_a_line_and_is_damaged_comes_anew(
    reader: BrowserContext, site: str
) -> None:
    page = reader.new_page()
    page.goto(f"{site}widget.html")
    expect(page.locator(LIVE)).to_be_visible(timeout=BOOT_TIMEOUT)
    wait_until(page, _ALL_IS_KEPT)
    page.evaluate(_DAMAGE_KEPT_APP)
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("app.zip could not be loaded: it is another file")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(LIVE)).to_be_visible(timeout=BOOT_TIMEOUT)
    page.reload()
    expect(page.locator(LIVE)).to_be_visible(timeout=BOOT_TIMEOUT)


def test_with_all_storage_blocked_and_no_worker_it_is_live(reader: BrowserContext, site: str) -> None:
    page = reader.new_page()
    page.add_init_script(f"delete window.Worker; {_BLOCKED}")
    watch = Watch(page)
    page.goto(f"{site}widget.html")
    expect(page.locator(LIVE)).to_have_attribute("data-start", "new", timeout=BOOT_TIMEOUT)
    press(page)
    caption(page, "Step 4.")
    assert watch.troubles == []


def test_without_webassembly_it_says_so_and_goes_on_answering_from_what_was_recorded(
    reader: BrowserContext, site: str
) -> None:
    page = reader.new_page()
    page.add_init_script("delete window.Worker; delete window.WebAssembly;")
    page.goto(f"{site}widget.html")
    expect(page.get_by_role("alert")).to_contain_text("This browser runs no WebAssembly")
    press(page)
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
    reader: BrowserContext, site: str
) -> None:
    page = reader.new_page()
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
    press(page)
    caption(page, "Step 4.")
    expect(second.locator("[data-region=caption]")).to_contain_text("Step 3.")
    second.get_by_role("button", name="Finish chat B").first.click()
    expect(second.locator("[data-region=caption]")).to_contain_text("Step 4.")
    # Killed without a word, in the middle of an operation.
    page.clock.install()
    page.evaluate("workers[0].terminate()")
    press(page, "Finish chat A")
    page.clock.fast_forward(21_000)
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
    reader: BrowserContext, site: str
) -> None:
    page = reader.new_page()
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
    press(page)
    caption(page, "Step 4.")
    assert [url for url in watch.requests if "/runtime/" in url] == []
    ask.get_by_role("button", name="Load Python").click()
    expect(page.locator(LIVE)).to_be_visible(timeout=BOOT_TIMEOUT)
    expect(ask).to_be_hidden()
    caption(page, "Step 4.")
    # Python is in the browser now, and nobody is asked again.
    wait_until_kept(page)
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
    press(page)
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
