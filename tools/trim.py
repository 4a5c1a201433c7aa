"""What of the browser's Python is imported, and that as bytecode: `python -m tools.trim` writes both down.

It boots a runtime in Chromium, imports every module of the site's Python, opens every scenario, lets a chat
attend, and looks at what Python has loaded by then. What is never loaded need not be sent to a reader.
`widget/runtime.trim.json` is the list, `widget/runtime.code.xz` the standard library in it, compiled there.
"""

import base64
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
from widget.runtime_code import CODE, LIBRARY, code_name, packed
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


# Compiles members of the library, and returns them as text; `small` leaves columns out.
_COMPILE = """
import base64, importlib.util, json, marshal, types, zipfile

def small(code):
    inner = [small(one) if isinstance(one, types.CodeType) else one for one in code.co_consts]
    made = code.replace(co_consts=tuple(inner), co_linetable=bytes(lines(code)))
    assert line_of_each(made) == line_of_each(code), code
    return made

# Kinds of entries, by CPython's InternalDocs/code_objects.md: 13 is a line without columns, 15 no line.
def lines(code):
    before = code.co_firstlineno
    for start, end, line in code.co_lines():
        for first in range(start, end, 16):
            units = (min(end, first + 16) - first) // 2
            yield 0x80 | (15 if line is None else 13) << 3 | (units - 1)
            if line is not None:
                yield from signed(line - before)
                before = line

def signed(number):
    rest = -number << 1 | 1 if number < 0 else number << 1
    while rest >= 64:
        yield 0x40 | rest & 63
        rest >>= 6
    yield rest

def line_of_each(code):
    return {at: line for start, end, line in code.co_lines() for at in range(start, end, 2)}

def compiled(source, name):
    code = small(compile(source, name, "exec", dont_inherit=True, optimize=2))
    # Checked against no source: none is sent.
    flags = (1).to_bytes(4, "little")
    return importlib.util.MAGIC_NUMBER + flags + importlib.util.source_hash(source) + marshal.dumps(code)

library = zipfile.ZipFile("/library.zip")
json.dumps({name: base64.b64encode(compiled(library.read(name), name)).decode() for name in NAMES})
"""

_BOOT_AND_COMPILE = """
async ([base, program]) => {
  const { loadPyodide } = await import(`${base}pyodide.mjs`);
  const python = await loadPyodide({ indexURL: base });
  const library = await (await fetch(`${base}python_stdlib.zip`)).arrayBuffer();
  python.FS.writeFile("/library.zip", new Uint8Array(library));
  return JSON.parse(python.runPython(program));
}
"""


def bytecode(page: Page, keep: list[str]) -> dict[str, bytes]:
    """Return member -> its bytecode, of the members to keep of the standard library as distributed.

    Args:
        page: any page of a browser.
        keep: members, as sources.
    """
    with TemporaryDirectory() as folder:
        root = Path(folder)
        install(root / "runtime", read_lock(is_trimmed=False))
        (root / "index.html").write_text("<!doctype html><title>compile</title>", encoding="utf-8")
        with serving(root) as base:
            page.goto(base)
            program = f"NAMES = {keep!r}\n{_COMPILE}"
            found: dict[str, str] = page.evaluate(_BOOT_AND_COMPILE, [f"{base}runtime/", program])
    return {code_name(name): base64.b64decode(text) for name, text in found.items()}


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
    """Return the members of an archive that are among the files, each as the source that it is or was."""
    kind = str(kind_of(path))
    inside = {file.removeprefix(PLACES[kind]) for file in files if file.startswith(PLACES[kind])}
    inside = {name.removesuffix("c") if name.endswith(".pyc") else name for name in inside}
    with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as archived:
        names = [name.removesuffix("c") if name.endswith(".pyc") else name for name in archived.namelist()]
    return [name for name in names if name in inside or name.endswith(ALSO)]


def main() -> None:
    """Write list and bytecode anew, from the whole runtime."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        install(Path(folder), read_lock(is_trimmed=False))
        library = (Path(folder) / LIBRARY).read_bytes()
        browser = playwright.chromium.launch(executable_path=str(chromium()), args=LAUNCH_ARGS)
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        found = imported(page, Path(folder))
        code = bytecode(page, found[LIBRARY])
        browser.close()
    LIST.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    CODE.write_bytes(packed(code, library))


if __name__ == "__main__":
    main()
