"""What is kept of the runtime's archives is what Python imports in a browser: no less, and no more."""

import io
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tools.trim import bytecode, imported
from widget.runtime import cache_folder, read_lock
from widget.runtime_code import LIBRARY, compiled
from widget.runtime_trim import kept_members

pytestmark = pytest.mark.browser

DIST = Path(__file__).resolve().parents[2] / "dist"


def test_what_is_kept_is_what_is_imported(page: Page) -> None:
    (runtime,) = (DIST / "runtime").iterdir()
    found = imported(page, runtime)
    assert {name: sorted(members) for name, members in found.items()} == {
        name: sorted(members) for name, members in kept_members().items()
    }, "Run: python -m tools.trim"


def test_the_library_is_served_as_the_bytecode_of_its_sources(page: Page) -> None:
    lock = read_lock(is_trimmed=False)
    (file,) = (file for file in lock.files if file.name == LIBRARY)
    whole = (cache_folder() / file.sha256).read_bytes()
    served = next(DIST.glob(f"runtime/*/{LIBRARY}")).read_bytes()
    assert served == compiled(whole, kept_members()[LIBRARY])
    with zipfile.ZipFile(io.BytesIO(served)) as archive:
        ours = {name: archive.read(name) for name in archive.namelist()}
    anew = bytecode(page, kept_members()[LIBRARY])
    assert ours.keys() == anew.keys()
    assert ours == anew, "Run: python -m tools.trim"
