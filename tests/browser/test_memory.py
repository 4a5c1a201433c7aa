"""What a browser keeps for the next visit: Python's memory, and the site itself for when there is no line."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import DIST
from tests.browser.driver import BOOT_TIMEOUT, GROW, LIVE, caption, press, until_kept, visit, wait_until
from widget.sessions import FIRST_COMMANDS

pytestmark = pytest.mark.browser

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


@pytest.fixture(scope="module")
def returning(browser: Browser, site: str) -> Iterator[Page]:
    """The page of a reader who was here before: all is kept that a browser may keep."""
    context = browser.new_context(viewport={"width": 1100, "height": 900})
    page = context.new_page()
    visit(page, f"{site}widget.html")
    until_kept(page)
    wait_until(page, _ALL_IS_KEPT)
    yield page
    context.close()


def comes_back(page: Page, site: str, start: str) -> None:
    """Open the page anew, and see how its Python starts: from what was kept, or as on a first visit."""
    page.goto("about:blank")
    page.goto(f"{site}widget.html")
    expect(page.locator(LIVE)).to_have_attribute("data-start", start, timeout=BOOT_TIMEOUT)


def test_what_a_page_asks_first_is_prepared(returning: Page, site: str) -> None:
    asked = []
    for width in (360, 800, 1200):
        page = returning.context.new_page()
        page.set_viewport_size({"width": width, "height": 900})
        page.add_init_script(_NOTE_FIRST)
        visit(page, f"{site}widget.html")
        asked.append(page.evaluate("window.first"))
        page.close()
    assert asked == list(FIRST_COMMANDS)


def test_an_engine_that_starts_has_written_to_no_page_that_a_kept_memory_leaves_out(
    returning: Page, site: str
) -> None:
    app, runtime = (next((DIST / folder).iterdir()).name for folder in ("app", "runtime"))
    found = returning.evaluate(_LEFT_OUT, [f"{site}app/{app}/", f"{site}runtime/{runtime}/"])
    assert found["written"] > 100
    assert found["left out"] > 1000
    assert found["both"] == []


@pytest.mark.parametrize("change", ["cut", "of another build", "of another size", "altered"])
def test_what_was_kept_wakes_and_what_is_in_doubt_is_never_used(
    returning: Page, site: str, change: str
) -> None:
    comes_back(returning, site, "kept")
    press(returning, GROW)
    caption(returning, "Step 4.")
    returning.evaluate(_ALTER, change)
    returning.reload()
    expect(returning.locator(LIVE)).to_have_attribute("data-start", "new", timeout=BOOT_TIMEOUT)
    caption(returning, "Step 4.")
    until_kept(returning)
    comes_back(returning, site, "kept")


def test_what_was_opened_once_needs_no_line(returning: Page, site: str) -> None:
    returning.context.set_offline(True)
    comes_back(returning, site, "kept")
    press(returning, "Finish chat B")
    caption(returning, "Step 4.")
    returning.goto(f"{site}glossary.html")
    expect(returning.locator("body")).to_contain_text("This page has not been opened here before")
    returning.get_by_role("link", name="widget.html").click()
    expect(returning.locator(LIVE)).to_be_visible(timeout=BOOT_TIMEOUT)
    returning.context.set_offline(False)


def test_a_file_that_is_kept_for_a_visit_without_a_line_and_is_damaged_comes_anew(
    returning: Page, site: str
) -> None:
    returning.evaluate(_DAMAGE_KEPT_APP)
    returning.goto("about:blank")
    returning.goto(f"{site}widget.html")
    expect(returning.get_by_role("alert")).to_contain_text("app.zip could not be loaded: it is another file")
    returning.get_by_role("button", name="Try again").click()
    expect(returning.locator(LIVE)).to_be_visible(timeout=BOOT_TIMEOUT)
    until_kept(returning)
    comes_back(returning, site, "kept")


def test_a_browser_that_has_no_room_left_goes_live_on_every_visit(reader: BrowserContext, site: str) -> None:
    page = reader.new_page()
    page.goto(f"{site}404.html")
    storage: Any = reader.new_cdp_session(page)
    origin = page.evaluate("location.origin")
    storage.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 3_000_000})
    for times_before in range(2):
        comes_back(page, site, "new")
        press(page, GROW)
        caption(page, "Step 4.")
        page.wait_for_timeout(500)
        serves = "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"
        assert page.evaluate(serves) or times_before == 0
