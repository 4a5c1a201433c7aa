"""What a browser keeps of Python after a visit, handed to readers for whom the boot is not what is tested.

To start Python takes two to three times the processor that it takes to wake it.
"""

from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext

from tests.browser.driver import until_kept, until_live
from tools.serve import serving

_NAME = "memory.bin"
_CACHE = "pagedkv-python"
_READ = """async (name) => {
  const cache = await caches.open(name);
  const [{ url }] = await cache.keys();
  const response = await cache.match(url);
  const bytes = new Uint8Array(await response.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return { url, headers: Object.fromEntries(response.headers), content: btoa(text) };
}"""
_WRITE = """async ([name, from, { url, headers }]) => {
  const cache = await caches.open(name);
  await cache.put(url, new Response(await (await fetch(from)).arrayBuffer(), { headers }));
}"""


class Memory:
    """What one visit has left in a browser, and other readers can be given."""

    def __init__(self, kept: dict[str, Any], address: str, site: str) -> None:
        self._kept = kept
        self._address = address
        self._site = site

    def give(self, context: BrowserContext) -> None:
        """Make of a reader who was never here one who was: what they open wakes."""
        page = context.new_page()
        page.goto(f"{self._site}embed.js")
        page.evaluate(_WRITE, [_CACHE, self._address, self._kept])
        page.close()


@contextmanager
def memory_of_a_visit(browser: Browser, site: str, folder: Path) -> Iterator[Memory]:
    """Visit the widget once, and serve what is kept of it."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.goto(f"{site}widget.html")
    until_live(page)
    until_kept(page)
    kept = page.evaluate(_READ, _CACHE)
    context.close()
    (folder / _NAME).write_bytes(b64decode(kept.pop("content")))
    with serving(folder) as base:
        yield Memory(kept, f"{base}{_NAME}", site)
