"""What a reader's line has to carry: before the first picture, until Python is live, and with NumPy.

Bytes are those of the built files, as they are and as gzip and brotli at their highest setting would send
them. What belongs to the first picture is not listed by hand: it is what the page asks for while the runtime
and the app's archive are kept from it.
"""

import gzip
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import brotli

from benchmarks.browser import DIST, PATIENCE, opened
from benchmarks.runner import Row

TITLE = "Bytes, cold: as they are, as gzip, as brotli"
FIRST_PICTURE = 300  # kB, uncompressed
RUNTIME = 5_500  # kB, as brotli


def rows() -> Iterator[Row]:
    """Load the pages and weigh what they asked for."""
    with opened() as (browser, base):

        def asked_for(page_name: str, *, is_live: bool) -> set[Path]:
            context = browser.new_context()
            page = context.new_page()
            asked: set[str] = set()
            context.on("request", lambda request: asked.add(request.url))
            if not is_live:
                for pattern in ("**/runtime/**", "**/app.zip"):
                    context.route(pattern, lambda route: route.abort())
            page.goto(base + page_name)
            page.wait_for_selector(f"kv-pool[data-state={'live' if is_live else 'failed'}]", timeout=PATIENCE)
            context.close()
            paths = (urlsplit(url).path.lstrip("/") for url in asked if url.startswith(base))
            found = {DIST / path for path in paths}
            return {path for path in found if is_live or not is_runtime(path)}

        first = asked_for("widget.html", is_live=False)
        live = asked_for("widget.html", is_live=True)
        numpy = set(DIST.glob("runtime/*/numpy*.whl"))
        yield weighed("widget.html, before the first picture", first, at_most=FIRST_PICTURE)
        yield weighed("widget.html, until Python is live", live)
        yield weighed("the same and NumPy", live | numpy)
        runtime = {path for path in DIST.glob("runtime/*/*") if path.is_file()}
        yield weighed("the trimmed runtime alone, with NumPy", runtime, first="brotli", at_most=RUNTIME)
        yield weighed("the lesson's page, before Python", asked_for("index.html", is_live=False))


def is_runtime(path: Path) -> bool:
    """Return whether a file belongs to what makes the page live."""
    return path.name == "app.zip" or path.parent.parent.name == "runtime"


def weighed(name: str, paths: Iterable[Path], *, first: str = "raw", at_most: float | None = None) -> Row:
    """Return the sum of files in kB, and of what they are when each is compressed; `first` has the aim."""
    contents = [path.read_bytes() for path in paths if path.is_file()]
    sums = {
        "raw": sum(map(len, contents)) / 1000,
        "gzip": sum(len(gzip.compress(content, 9)) for content in contents) / 1000,
        "brotli": sum(len(brotli.compress(content)) for content in contents) / 1000,
    }
    return Row(name, "kB", {first: sums[first], **sums}, at_most=at_most)
