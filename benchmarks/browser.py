"""The built site in Chromium, for the topics that measure a page."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tools.browser import LAUNCH_ARGS, chromium
from tools.serve import serving

DIST = Path(__file__).parents[1] / "dist"
PATIENCE = 120_000  # ms


@contextmanager
def opened() -> Iterator[tuple[Browser, str]]:
    """Serve dist/ and start Chromium; yields the browser and the address of the site."""
    if not (DIST / "widget.html").exists():
        raise SystemExit("dist/ is missing. Build it first: make build")
    with serving(DIST) as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium()), args=LAUNCH_ARGS)
        try:
            yield browser, base
        finally:
            browser.close()
