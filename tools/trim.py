"""What of the browser's Python is imported: `python -m tools.trim` writes `widget/runtime.trim.json`.

It boots a runtime in Chromium, imports every module of the site's Python, opens every scenario, lets a chat
attend, and looks at what Python has loaded by then. What is never loaded need not be sent to a reader.
"""

import io
import json
import shutil
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

from tools.browser import LAUNCH_ARGS, chromium
from tools.serve import serving
from widget.page import archive
from widget.runtime import install, read_lock
from widget.runtime_trim import LIST

PATIENCE = 120_000  # ms

# Where Python finds the members of an archive. Pyodide imports the standard library straight from its zip.
PLACES = {"python_stdlib.zip": "/lib/python314.zip/", "numpy": "/lib/python3.14/site-packages/"}

# Asked for by name, and only sometimes: two encodings, and a package's version.
ALSO = ("encodings/ascii.py", "encodings/latin_1.py", ".dist-info/METADATA")

_RUN = """
async ([base, program]) => {
  const { loadPyodide } = await import(`${base}runtime/pyodide.mjs`);
  const python = await loadPyodide({ indexURL: `${base}runtime/` });
  python.unpackArchive(await (await fetch(`${base}app.zip`)).arrayBuffer(), "zip", { extractDir: "/app" });
  await python.loadPackage("numpy");
  return JSON.parse(python.runPython(program));
}
"""

_PROGRAM = """
import json, platform, sys
sys.path.insert(0, "/app")
from importlib import import_module
from pathlib import Path

platform.python_version()
for path in sorted(Path("/app").rglob("*.py")):
    name = ".".join(path.relative_to("/app").with_suffix("").parts)
    if not name.endswith("__main__"):
        import_module(name.removesuffix(".__init__"))

from pagedkv.scenarios import SCENARIOS
from widget.session import PANELS, Session

session = Session()
for panel in PANELS:
    session.dispatch({"type": "open_panel", "panel": panel, "open": True})
for name in SCENARIOS:
    session.dispatch({"type": "scenario", "name": name})
for what in ("svg", "png", "json", "csv"):
    session.dispatch({"type": "export", "what": what})
session.dispatch({"type": "scenario", "name": "start"})
found = session.dispatch({"type": "attend", "chat": "A", "poison": True})
assert found["problem"] is None, found["problem"]
json.dumps([str(module.__file__) for module in sys.modules.values() if getattr(module, "__file__", None)])
"""


def imported(page: Page, runtime: Path) -> dict[str, list[str]]:
    """Return archive -> the members that are loaded once the site's Python has done all it does.

    Args:
        page: any page of a browser.
        runtime: the folder of the runtime to boot.
    """
    with TemporaryDirectory() as folder:
        root = Path(folder)
        shutil.copytree(runtime, root / "runtime")
        (root / "app.zip").write_bytes(archive())
        (root / "index.html").write_text("<!doctype html><title>trim</title>", encoding="utf-8")
        with serving(root) as base:
            page.goto(base)
            files: list[str] = page.evaluate(_RUN, [base, _PROGRAM])
    return {
        path.name: members(path, files) for path in sorted(runtime.iterdir()) if kind_of(path) is not None
    }


def kind_of(path: Path) -> str | None:
    """Return which of `PLACES` a file of the runtime is."""
    return next((kind for kind in PLACES if path.name.startswith(kind)), None)


def members(path: Path, files: list[str]) -> list[str]:
    """Return the members of an archive that are among the files."""
    kind = str(kind_of(path))
    inside = {file.removeprefix(PLACES[kind]) for file in files if file.startswith(PLACES[kind])}
    with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as archived:
        return [name for name in archived.namelist() if name in inside or name.endswith(ALSO)]


def main() -> None:
    """Write the list anew, from the whole runtime."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        install(Path(folder), read_lock(is_trimmed=False))
        browser = playwright.chromium.launch(executable_path=str(chromium()), args=LAUNCH_ARGS)
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        found = imported(page, Path(folder))
        browser.close()
    LIST.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
