"""From opening a page to live Python: the widget, against a bare page that boots Pyodide and imports NumPy.

Both pages are served by the same server, compressed by brotli, and both start Python in a module worker. The
widget counts as live when Python has answered its first command; the bare page when NumPy is imported. Times
are the page's own, from the start of its navigation. Slow rows go over a line of 1.6 Mbit/s with 150 ms of
latency (`benchmarks.lines`), on a processor that is slowed four times (`benchmarks.processor`). A press that
is answered from what the build recorded is timed on its own.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, BrowserContext, Page, Route

from benchmarks.browser import DIST, PATIENCE, opened
from benchmarks.lines import Line, Packed, slowed
from benchmarks.processor import slowed_processor
from benchmarks.runner import Row, compare
from tools.serve import serving
from widget.runtime import install, read_lock

TITLE = "Time to live Python: the widget against a bare page with Pyodide and NumPy"
ROUNDS = 5
PRESSES = 15  # a press is short, and so depends on what else the processor does at that moment
SLOW_ROUNDS = 2
SLOWER = 4
SLOW = f"1.6 Mbit/s, processor slowed {SLOWER} times"
MEGABIT = 1e6 / 8

_NOTE = """
addEventListener("kv-frame", ({ target }) => {
  if (target.hasAttribute("data-recorded")) window.recordedAt ??= performance.now();
  else window.liveAt ??= performance.now();
});
"""
_PRESS = """() => new Promise((resolve) => {
  const pressed = performance.now();
  addEventListener("kv-frame", () => resolve(performance.now() - pressed), { once: true });
  document.querySelector("[data-key=chat-A] .kv-main").click();
})"""
_KEPT = """async () => {
  if (!("serviceWorker" in navigator) || navigator.serviceWorker.controller === null) return false;
  return (await (await caches.open("pagedkv-python")).keys()).length > 0;
}"""
_BARE = """
<!doctype html><title>bare</title>
<script type="module">
const worker = new Worker("worker.js", { type: "module" });
worker.onmessage = () => { window.liveAt = performance.now(); };
</script>
"""
_BARE_WORKER = """
import { loadPyodide } from "./runtime/pyodide.mjs";
const python = await loadPyodide({ indexURL: new URL("./runtime/", import.meta.url).href });
await python.loadPackage("numpy");
python.runPython("import numpy");
postMessage("live");
"""


def rows() -> Iterator[Row]:
    """Measure both pages in turn: with an empty cache, over a slow line, and when a reader comes again."""
    with opened() as (browser, _), both_served() as (widget, bare):
        yield compare(
            "first visit",
            {"widget": lambda: first_visit(browser, widget), "bare page": lambda: first_visit(browser, bare)},
            rounds=ROUNDS,
            unit="ms",
            at_most=0.75,
        )
        with again(browser, widget) as widget_again, again(browser, bare) as bare_again:
            yield compare(
                "the next visit",
                {"widget": lambda: live_at(widget_again), "bare page": lambda: live_at(bare_again)},
                rounds=ROUNDS,
                unit="ms",
                at_most=0.25,
            )
        yield from recorded(browser, widget, "a press before Python is there")
        line = Line(1.6 * MEGABIT, 0.15)
        with (
            slowed(widget, line) as slow_widget,
            slowed(bare, line) as slow_bare,
            slowed_processor(SLOWER),
        ):
            yield from recorded(browser, slow_widget, f"the same, {SLOW}")
            slow = [
                (first_visit(browser, slow_widget), first_visit(browser, slow_bare))
                for _ in range(SLOW_ROUNDS)
            ]
        ours, theirs = (median(times) for times in zip(*slow, strict=True))
        measured = {"widget": ours, "bare page": theirs}
        yield Row(f"first visit, {SLOW}", "ms", measured, ratio=ours / theirs, at_most=0.7)


def recorded(browser: Browser, address: str, name: str) -> Iterator[Row]:
    """Yield how long a press takes that is answered from the recording, and when a page can do that."""
    answers, since = [], []
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)  # Python never comes

    for _ in range(PRESSES):
        with visited(browser) as page:
            page.context.route("**/runtime/**", hold)
            page.goto(address)
            page.wait_for_function("window.recordedAt !== undefined", timeout=PATIENCE)
            since.append(float(page.evaluate("window.recordedAt")))
            answers.append(float(page.evaluate(_PRESS)))
            while held:
                held.pop().abort()
    yield Row(name, "ms", {"answer": median(answers)}, at_most=100)
    yield Row(f"{name}: answered from", "ms", {"since opening": median(since)})


@contextmanager
def both_served() -> Iterator[tuple[str, str]]:
    """Serve the widget, and a page with Pyodide and NumPy as they are distributed; yields both addresses."""
    with TemporaryDirectory() as folder:
        root = Path(folder) / "site"
        install(root / "runtime", read_lock(is_trimmed=False))
        (root / "index.html").write_text(_BARE, encoding="utf-8")
        (root / "worker.js").write_text(_BARE_WORKER, encoding="utf-8")
        packed = Packed(Path(folder) / "packed")
        with serving(DIST, choose=packed) as base, serving(root, choose=packed) as bare:
            yield f"{base}widget.html", bare


@contextmanager
def visited(browser: Browser, context: BrowserContext | None = None) -> Iterator[Page]:
    """Yield a page that notes when it was live, in a context that was never anywhere unless one is given."""
    chosen = context or browser.new_context()
    page = chosen.new_page()
    page.add_init_script(_NOTE)
    yield page
    if context is None:
        chosen.close()
    else:
        page.close()


def first_visit(browser: Browser, address: str) -> float:
    """Open a page with nothing in its cache, and return when it was live."""
    with visited(browser) as page:
        page.goto(address)
        return when_live(page)


@contextmanager
def again(browser: Browser, address: str) -> Iterator[tuple[BrowserContext, str]]:
    """Yield a reader who was on a page before, long enough for the browser to keep what it may."""
    context = browser.new_context()
    with visited(browser, context) as page:
        page.goto(address)
        when_live(page)
        if address.endswith("widget.html"):
            for _ in range(120):
                if page.evaluate(_KEPT):
                    break
                page.wait_for_timeout(500)
    yield context, address
    context.close()


def live_at(reader: tuple[BrowserContext, str]) -> float:
    """Open the page once more, and return when it was live."""
    context, address = reader
    page = context.new_page()
    page.add_init_script(_NOTE)
    page.goto(address)
    at = when_live(page)
    page.close()
    return at


def when_live(page: Page) -> float:
    """Return when a page was live, in milliseconds from the start of its navigation."""
    page.wait_for_function("window.liveAt !== undefined", timeout=PATIENCE)
    return float(page.evaluate("window.liveAt"))
