"""The browser's Python: Pyodide and NumPy, fetched once, checked, and copied into the site.

    >>> versions()["numpy"]
    '2.4.3'

`runtime.lock.json` names each file with its digest and its sources, `runtime.trim.json` what is kept of the
archives among them; `runtime.code.xz` is the standard library as bytecode. `install(folder)` makes `folder`
hold exactly these files and a `pyodide-lock.json`. Then

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
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from widget.runtime_code import LIBRARY, compiled
from widget.runtime_sources import Source, SourceFailure, described, fetch
from widget.runtime_trim import kept_members, trimmed

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
    keep: tuple[str, ...] = ()  # members of an archive; all if none are named


@dataclass(frozen=True)
class RuntimeLock:
    """What `runtime.lock.json` says."""

    pyodide: str
    info: Mapping[str, str]
    sources: Mapping[str, Source]
    files: tuple[RuntimeFile, ...]


def read_lock(path: Path = LOCK, *, is_trimmed: bool = True) -> RuntimeLock:
    """Read a runtime lock, by default the project's own, with what is kept of its archives."""
    text = json.loads(path.read_text(encoding="utf-8"))
    kept = kept_members() if is_trimmed else {}
    files = tuple(
        RuntimeFile(
            **{**entry, "sources": tuple(entry["sources"]), "keep": tuple(kept.get(entry["name"], ()))}
        )
        for entry in text["files"]
    )
    return RuntimeLock(text["pyodide"], text["info"], text["sources"], files)


def versions(lock: RuntimeLock | None = None) -> dict[str, str]:
    """Return the version of Pyodide and of each package that comes with it.

    >>> versions()
    {'pyodide': '314.0.3', 'numpy': '2.4.3'}
    """
    lock = lock or read_lock()
    packages = {file.package["name"]: file.package["version"] for file in lock.files if file.package}
    return {"pyodide": lock.pyodide, **packages}


def install_under(
    parent: Path, lock: RuntimeLock | None = None, report: Callable[[str], None] = print
) -> Path:
    """Make `parent` hold one folder with the runtime, named by what is in it, and return that folder.

    Pages of one build never meet the runtime of another in a reader's cache.
    """
    contents = fetched(lock, report)
    whole = b"".join(name.encode() + content for name, content in contents.items())
    folder = parent / hashlib.sha256(whole).hexdigest()[:12]
    parent.mkdir(parents=True, exist_ok=True)
    remove_others(parent, {folder.name})
    put(folder, contents)
    return folder


def install(
    target: Path, lock: RuntimeLock | None = None, report: Callable[[str], None] = print
) -> list[str]:
    """Make the folder `target` hold the runtime and nothing else, and return the names that were written.

    A second run writes nothing. Raises `RuntimeUnavailable` when a file cannot be had as the lock says.
    """
    return put(target, fetched(lock, report))


def fetched(lock: RuntimeLock | None = None, report: Callable[[str], None] = print) -> dict[str, bytes]:
    """Return name -> content of every file that is served, fetching what the cache lacks."""
    lock = lock or read_lock()
    cache = cache_folder()
    fetch_missing(lock, cache, report)
    contents = {file.name: content_of(file, cache) for file in lock.files}
    return contents | {PACKAGE_LIST: package_list(served(lock, contents)).encode()}


def put(target: Path, contents: Mapping[str, bytes]) -> list[str]:
    """Make a folder hold these files and nothing else, and return the names that were written."""
    target.mkdir(parents=True, exist_ok=True)
    written = []
    for name, content in contents.items():
        if digest(target / name) != hashlib.sha256(content).hexdigest():
            write(target / name, content)
            written.append(name)
    remove_others(target, contents)
    return written


def remove_others(folder: Path, names: Collection[str]) -> None:
    """Remove what has another name: a file of an earlier version would be published and never asked for."""
    for path in folder.iterdir():
        if path.name not in names:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def content_of(file: RuntimeFile, cache: Path) -> bytes:
    """Return a file as it is served: whole, or what is kept of it."""
    whole = (cache / file.sha256).read_bytes()
    if not file.keep:
        return whole
    return compiled(whole, file.keep) if file.name == LIBRARY else trimmed(whole, file.keep)


def served(lock: RuntimeLock, contents: Mapping[str, bytes]) -> RuntimeLock:
    """Return the lock with digests and sizes as served."""
    files = tuple(
        replace(
            file,
            sha256=hashlib.sha256(contents[file.name]).hexdigest(),
            size=len(contents[file.name]),
        )
        for file in lock.files
    )
    return replace(lock, files=files)


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


def write(target: Path, content: bytes) -> None:
    """Write a file in one step, so that a page or a stopped build never sees half of it."""
    half = target.with_name(target.name + ".part")
    half.write_bytes(content)
    half.replace(target)
