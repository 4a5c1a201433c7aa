"""What is kept of the runtime's archives is what Python imports in a browser: no less, and no more."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tools.trim import imported
from widget.runtime_trim import kept_members

pytestmark = pytest.mark.browser

DIST = Path(__file__).resolve().parents[2] / "dist"


def test_what_is_kept_is_what_is_imported(page: Page) -> None:
    (runtime,) = (DIST / "runtime").iterdir()
    found = imported(page, runtime)
    assert {name: sorted(members) for name, members in found.items()} == {
        name: sorted(members) for name, members in kept_members().items()
    }, "Run: python -m tools.trim"
