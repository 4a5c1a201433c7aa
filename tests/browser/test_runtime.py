"""The installed runtime, in a real browser: a module worker boots it and imports NumPy."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tools.serve import serving
from widget.runtime import install

pytestmark = pytest.mark.browser

WORKER = """
import { loadPyodide } from "./runtime/pyodide.mjs";
const folder = new URL("./runtime/", import.meta.url).href;
try {
  const python = await loadPyodide({ indexURL: folder, lockFileURL: folder + "pyodide-lock.json" });
  await python.loadPackage("numpy");
  const report = `
import json, sys, numpy
dot = float(numpy.ones(3) @ [0, 1, 2])
json.dumps({"python": list(sys.version_info[:2]), "numpy": numpy.__version__, "dot": dot})`;
  postMessage(python.runPython(report));
} catch (error) {
  postMessage(JSON.stringify({ error: String(error) }));
}
"""
ANSWER = """
() => new Promise((resolve) => {
  const worker = new Worker("worker.js", { type: "module" });
  worker.onmessage = (event) => resolve(event.data);
  worker.onerror = (event) => resolve(JSON.stringify({ error: event.message ?? "the worker did not start" }));
})
"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    install(tmp_path / "runtime")
    (tmp_path / "worker.js").write_text(WORKER, encoding="utf-8")
    (tmp_path / "index.html").write_text("<!doctype html><title>runtime</title>", encoding="utf-8")
    with serving(tmp_path, "/some/sub/path/") as base:
        yield tmp_path, base


def test_a_module_worker_boots_it_and_asks_no_one_else(site: tuple[Path, str], page: Page) -> None:
    _, base = site
    asked: list[str] = []
    page.context.on("request", lambda request: asked.append(request.url))
    page.goto(base)
    answer = json.loads(page.evaluate(ANSWER))
    assert answer == {"python": [3, 14], "numpy": "2.4.3", "dot": 3.0}
    assert [url for url in asked if not url.startswith((base, "blob:", "data:"))] == []
    assert {url.removeprefix(base + "runtime/") for url in asked} >= {
        path.name for path in (site[0] / "runtime").iterdir()
    }


def test_a_package_with_another_digest_is_refused(site: tuple[Path, str], page: Page) -> None:
    folder, base = site
    (wheel,) = (folder / "runtime").glob("numpy-*.whl")
    shutil.copy(wheel, folder / "copy")
    wheel.write_bytes((folder / "copy").read_bytes() + b"\0")
    page.goto(base)
    # loadPackage logs the refusal and returns as if nothing were wrong: only the import tells.
    answer = json.loads(page.evaluate(ANSWER))
    assert (
        "The module 'numpy' is included in the Pyodide distribution, but it is not installed"
        in answer["error"]
    )
