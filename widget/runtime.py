"""The browser's Python: Pyodide and NumPy, fetched once, checked, and copied into the site.

    >>> versions()["numpy"]
    '2.4.3'

`runtime.lock.json` names each file with its digest and its sources. `install(folder)` makes `folder` hold
exactly these files and a `pyodide-lock.json` for them, and then

    loadPyodide({indexURL: folder, lockFileURL: folder + "pyodide-lock.json"})

boots from it, and `loadPackage("numpy")` works, without a request to anyone else. What was fetched is kept in
`.cache/runtime`, each file under its digest; set `PAGEDKV_CACHE` to keep it in another place than `.cache`.

It loads nothing into a page, and it knows nothing of `pagedkv`: that travels with the widget.
"""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from widget.runtime_sources import Source, SourceFailure, described, fetch

ROOT = Path(__file__).resolve().parent.parent
LOCK = Path(__file__).with_name("runtime.lock.json")
PACKAGE_LIST = "pyodide-lock.json"


class RuntimeUnavailable(Exception):
    """A file of the runtime that no source gave as the lock describes it."""


@dataclass(frozen=True)
class RuntimeFile:
    """One file of the runtime, as the lock describes it."""

    name: str
    sha256: str
    size: int
    licence: str
    sources: tuple[str, ...]
    package: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class RuntimeLock:
    """What `runtime.lock.json` says."""

    pyodide: str
    info: Mapping[str, str]
    sources: Mapping[str, Source]
    files: tuple[RuntimeFile, ...]


def read_lock(path: Path = LOCK) -> RuntimeLock:
    """Read a runtime lock, by default the project's own."""
    text = json.loads(path.read_text(encoding="utf-8"))
    files = tuple(RuntimeFile(**{**entry, "sources": tuple(entry["sources"])}) for entry in text["files"])
    return RuntimeLock(text["pyodide"], text["info"], text["sources"], files)


def versions(lock: RuntimeLock | None = None) -> dict[str, str]:
    """Return the version of Pyodide and of each package that comes with it.

    >>> versions()
    {'pyodide': '314.0.3', 'numpy': '2.4.3'}
    """
    lock = lock or read_lock()
    packages = {file.package["name"]: file.package["version"] for file in lock.files if file.package}
    return {"pyodide": lock.pyodide, **packages}


def install(
    target: Path, lock: RuntimeLock | None = None, report: Callable[[str], None] = print
) -> list[str]:
    """Make the folder `target` hold the runtime and nothing else, and return the names that were written.

    A second run writes nothing. Raises `RuntimeUnavailable` when a file cannot be had as the lock says.
    """
    lock = lock or read_lock()
    cache = cache_folder()
    fetch_missing(lock, cache, report)
    target.mkdir(parents=True, exist_ok=True)
    written = []
    for file in lock.files:
        if digest(target / file.name) != file.sha256:
            replace(target / file.name, (cache / file.sha256).read_bytes())
            written.append(file.name)
    listing = package_list(lock).encode()
    if digest(target / PACKAGE_LIST) != hashlib.sha256(listing).hexdigest():
        replace(target / PACKAGE_LIST, listing)
        written.append(PACKAGE_LIST)
    # A file of an earlier version would be published and never asked for.
    expected = {PACKAGE_LIST, *(file.name for file in lock.files)}
    for path in target.iterdir():
        if path.name not in expected:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    return written


def package_list(lock: RuntimeLock) -> str:
    """Return the `pyodide-lock.json` for the packages of `lock`: where `loadPackage` looks things up.

    The one of the distribution lists some 350 packages that the site does not serve. The digest in each
    entry is what Pyodide gives the browser to check the download against.
    """
    packages = {
        file.package["name"]: {**file.package, "file_name": file.name, "sha256": file.sha256}
        for file in lock.files
        if file.package
    }
    return json.dumps({"info": dict(lock.info), "packages": packages}, indent=1, sort_keys=True) + "\n"


def cache_folder() -> Path:
    """Return the folder that keeps what was fetched, each file under its digest."""
    return Path(os.environ.get("PAGEDKV_CACHE") or ROOT / ".cache").absolute() / "runtime"


def fetch_missing(lock: RuntimeLock, cache: Path, report: Callable[[str], None] = print) -> None:
    """Fill `cache` with the files of `lock` that it lacks, asking the sources in the order of the lock."""
    cache.mkdir(parents=True, exist_ok=True)
    missing = [file for file in lock.files if digest(cache / file.sha256) != file.sha256]
    tried: list[str] = []
    for name, source in lock.sources.items():
        wanted = [file for file in missing if name in file.sources]
        if not wanted:
            continue
        size = sum(file.size for file in wanted) / 1e6
        report(
            f"Fetching {len(wanted)} files of the browser's Python ({size:.1f} MB) from {described(source)}"
        )
        with tempfile.TemporaryDirectory(dir=cache, prefix="fetching-") as folder:
            try:
                fetch(source, [file.name for file in wanted], Path(folder), report)
            except SourceFailure as failure:
                tried.append(f"{described(source)} {failure}")
                report(f"  it {failure}")
            for file in wanted:
                problem = keep(file, Path(folder) / file.name, cache)
                if problem is None:
                    missing.remove(file)
                elif problem:
                    tried.append(f"{described(source)} {problem}")
                    report(f"  it {problem}")
    if missing:
        raise RuntimeUnavailable(unavailable(missing, tried, cache))


def keep(file: RuntimeFile, arrived: Path, cache: Path) -> str | None:
    """Move a file that arrived as the lock describes it into `cache`, and return None.

    Otherwise return what is wrong with it; that is an empty text when it did not arrive at all.
    """
    if not arrived.is_file():
        return ""
    got = digest(arrived)
    if got != file.sha256:
        return f"gave another {file.name}: expected sha256 {file.sha256}, got {got}"
    arrived.replace(cache / file.sha256)
    return None


def unavailable(missing: list[RuntimeFile], tried: list[str], cache: Path) -> str:
    """Return the message for files that no source gave."""
    lines = [f"No source gave {file.name} (sha256 {file.sha256})." for file in missing]
    lines += ["Tried:", *(f"  - {line}" for line in tried)]
    lines.append("Check the connection and run the same command again;")
    lines.append(f"or put each file, named by its sha256, into {cache}")
    return "\n".join(lines)


def digest(path: Path) -> str | None:
    """Return the sha256 of a file, or None when there is no such file."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None


def replace(target: Path, content: bytes) -> None:
    """Write a file in one step, so that a page or a stopped build never sees half of it."""
    half = target.with_name(target.name + ".part")
    half.write_bytes(content)
    half.replace(target)
