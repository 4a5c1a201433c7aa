"""From opening a page to live Python: the widget, against a bare page that boots Pyodide and imports NumPy.

Each round opens both pages in a context of its own, so nothing is in a cache. The widget counts as live when
it has answered its first command; the bare page when NumPy is imported. Times are the page's own, from the
start of its navigation.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser

from benchmarks.browser import PATIENCE, opened
from benchmarks.runner import Row, compare
from tools.serve import serving
from widget.runtime import install, read_lock

TITLE = "Time to live Python with an empty cache: the widget against a bare page with Pyodide and NumPy"
ROUNDS = 7

_NOTE_FIRST_FRAME = 'addEventListener("kv-frame", () => { window.liveAt ??= performance.now(); });'
_BARE = """
<!doctype html><title>bare</title>
<script type="module">
import { loadPyodide } from "./runtime/pyodide.mjs";
const python = await loadPyodide({ indexURL: new URL("runtime/", location.href).href });
await python.loadPackage("numpy");
python.runPython("import numpy");
window.liveAt = performance.now();
</script>
"""


def rows() -> Iterator[Row]:
    """Measure both pages in turn."""
    with opened() as (browser, base), bare_page() as bare:
        yield compare(
            "empty cache, no throttling",
            {
                "widget": lambda: milliseconds_until_live(browser, f"{base}widget.html"),
                "bare page": lambda: milliseconds_until_live(browser, bare),
            },
            rounds=ROUNDS,
            unit="ms",
        )


@contextmanager
def bare_page() -> Iterator[str]:
    """Serve a page with Pyodide and NumPy as they are distributed; yields its address."""
    with TemporaryDirectory() as folder:
        install(Path(folder) / "runtime", read_lock(is_trimmed=False))
        (Path(folder) / "index.html").write_text(_BARE, encoding="utf-8")
        with serving(Path(folder)) as base:
            yield base


def milliseconds_until_live(browser: Browser, address: str) -> float:
    """Open a page with nothing in its cache, and return when it was live."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(_NOTE_FIRST_FRAME)
    page.goto(address)
    page.wait_for_function("window.liveAt !== undefined", timeout=PATIENCE)
    live_at = float(page.evaluate("window.liveAt"))
    context.close()
    return live_at
