"""From a press on "+4 tokens" to the patched picture, and to the frame on the screen.

Patched: the press has gone through the worker and Python, and the page holds the new picture. Painted: the
frame after that has been produced. Three chats grow in turn, then all starts again.
"""

from collections.abc import Iterator
from statistics import median, quantiles

from playwright.sync_api import Page

from benchmarks.browser import PATIENCE, opened
from benchmarks.runner import Row

TITLE = 'One press on "+4 tokens", live: to the patched picture, and to paint'
ROUNDS = 20

_PRESSES = """
async () => {
  const pool = document.querySelector("kv-pool");
  const press = (selector) => new Promise((resolve) => {
    let patched = 0;
    const start = performance.now();
    pool.addEventListener("kv-frame", () => {
      patched = performance.now() - start;
      // A message that is posted in an animation frame arrives once that frame has been produced.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve([patched, performance.now() - start]);
        port2.postMessage(null);
      });
    }, { once: true });
    pool.querySelector(selector).click();
  });
  const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
  const times = [];
  for (const chat of "ABCABCABC") {
    times.push(await press(`[data-key=chat-${chat}] .kv-main`));
    await pause();
  }
  await press("[data-home]");
  await pause();
  return times;
}
"""


def rows() -> Iterator[Row]:
    """Measure presses on one live page, wide and on a phone."""
    with opened() as (browser, base):
        for name, width, height in (("a page 1,100 wide", 1100, 900), ("a phone, 320 wide", 320, 690)):
            page = browser.new_page(viewport={"width": width, "height": height})
            page.goto(f"{base}widget.html")
            page.wait_for_selector("kv-pool[data-state=live]", timeout=PATIENCE)
            yield from measured(name, page)
            page.close()


def measured(name: str, page: Page) -> Iterator[Row]:
    """Press on a live page, and return what it took to patch and to paint."""
    page.evaluate(_PRESSES)  # warms up
    times = [pair for _ in range(ROUNDS) for pair in page.evaluate(_PRESSES)]
    patched, painted = ([pair[kind] for pair in times] for kind in (0, 1))
    yield Row(
        f"to the patched picture, {name}",
        "ms",
        {"median": median(patched), "p95": percentile_95(patched)},
        at_most=16,
    )
    yield Row(
        f"to paint, {name}", "ms", {"p95": percentile_95(painted), "median": median(painted)}, at_most=50
    )


def percentile_95(values: list[float]) -> float:
    """Return the value that 95 of 100 do not exceed."""
    return quantiles(values, n=20)[-1]
