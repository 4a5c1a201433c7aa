"""Where the files of the browser's Python come from: one small function for each kind of source.

`fetch` asks one source for some files and puts those that it gives into a folder. It checks no digest of a
file: `widget.runtime` does that for every file, whatever its source. A source that does not answer raises
`SourceFailure` with the reason, and the caller goes on to the next.
"""

import http.client
import os
import shutil
import subprocess
import sys
import tarfile
import threading
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Literal, NotRequired, TypedDict

Report = Callable[[str], None]

ANSWER_WITHIN_S = 3.0
STALLED_AFTER_S = 30.0
REPORT_EVERY_S = 3.0
MB = 1_000_000

# What urlopen and its response raise when the network or the other side fails.
BROKEN = (OSError, http.client.HTTPException)


class UrlSource(TypedDict):
    """Files below one address, each a request of its own."""

    kind: Literal["url"]
    address: str


class PypiSource(TypedDict):
    """A wheel, by name and digest, whose folder `folder` holds the files."""

    kind: Literal["pypi"]
    requirement: str
    sha256: str
    size: NotRequired[int]
    folder: str


class NpmSource(TypedDict):
    """An npm package whose folder `folder` holds the files; of use only where npm is installed."""

    kind: Literal["npm"]
    package: str
    folder: str


Source = UrlSource | PypiSource | NpmSource


class SourceFailure(Exception):
    """Why a source gave nothing, as half a sentence."""


def described(source: Source) -> str:
    """Return the source as a person would name it.

    >>> described({"kind": "npm", "package": "pyodide@314.0.3", "folder": "package/"})
    'the npm package pyodide@314.0.3'
    """
    if source["kind"] == "url":
        return source["address"]
    if source["kind"] == "pypi":
        return f"the Python package {source['requirement']}"
    return f"the npm package {source['package']}"


def fetch(source: Source, names: Sequence[str], into: Path, report: Report) -> None:
    """Put the files `names` of `source` into the folder `into`, or raise `SourceFailure`.

    What had arrived before a failure stays in the folder.
    """
    if source["kind"] == "url":
        fetch_url(source, names, into, report)
    elif source["kind"] == "pypi":
        fetch_pypi(source, names, into, report)
    else:
        fetch_npm(source, names, into)


def fetch_url(source: UrlSource, names: Iterable[str], into: Path, report: Report) -> None:
    """Download each file; the first must begin to answer within `ANSWER_WITHIN_S` seconds."""
    for count, name in enumerate(names):
        address = source["address"] + name
        try:
            # One that does not answer at once would cost its time-out for every file: the first decides.
            with open_within(address, ANSWER_WITHIN_S if count == 0 else STALLED_AFTER_S) as response:
                save(response, into / name, report)
        except urllib.error.HTTPError as error:
            raise SourceFailure(f"answered {error.code} for {name}") from error
        except BROKEN as error:
            raise SourceFailure(f"did not answer for {name} ({error})") from error


def open_within(address: str, seconds: float) -> IO[bytes]:
    """Open `address` and return the response, or raise `TimeoutError` when none has begun after `seconds`.

    The time-out of `urlopen` starts anew at each address of a host and does not count the look-up of its
    name, so a thread watches the whole; one that is too late is left to end by itself.
    """
    answers: list[IO[bytes] | Exception] = []

    def ask() -> None:
        try:
            answers.append(urllib.request.urlopen(address, timeout=STALLED_AFTER_S))
        except BROKEN as error:
            answers.append(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(seconds)
    if not answers:
        raise TimeoutError(f"no answer within {seconds:g} s")
    (answer,) = answers
    if isinstance(answer, Exception):
        raise answer
    return answer


def save(stream: IO[bytes], target: Path, report: Report) -> None:
    """Copy `stream` into the file `target`, with a line of progress now and then."""
    done = 0
    next_report = time.monotonic() + REPORT_EVERY_S
    with target.open("wb") as file:
        while chunk := stream.read(1 << 18):
            file.write(chunk)
            done += len(chunk)
            if time.monotonic() > next_report:
                report(f"  {target.name}: {done / MB:.1f} MB")
                next_report += REPORT_EVERY_S


def fetch_pypi(source: PypiSource, names: Iterable[str], into: Path, report: Report) -> None:
    """Let pip download the wheel, take the files out of it, and remove it."""
    with Scratch(into) as scratch:
        wanted = scratch / "requirement.txt"
        wanted.write_text(f"{source['requirement']} --hash=sha256:{source['sha256']}\n", encoding="utf-8")
        # The wheel is opened, never installed: its own demands on Python and its dependencies do not matter.
        command = [sys.executable, "-m", "pip", "download", "--require-hashes", "--no-deps"]
        command += ["--only-binary=:all:", "--ignore-requires-python", "--no-cache-dir", "--progress-bar=off"]
        command += ["--disable-pip-version-check", "--retries=2", "--timeout=15"]
        command += ["--dest", str(scratch / "wheel"), "--requirement", str(wanted)]
        size = source.get("size", 0)
        run(command, {"TMPDIR": str(scratch)}, progress=lambda: report(download_progress(scratch, size)))
        (wheel,) = (scratch / "wheel").glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            for name in names:
                try:
                    with archive.open(source["folder"] + name) as member, (into / name).open("wb") as target:
                        shutil.copyfileobj(member, target)
                except KeyError as error:
                    raise SourceFailure(f"has no file {source['folder']}{name}") from error


def fetch_npm(source: NpmSource, names: Iterable[str], into: Path) -> None:
    """Let npm download the package and take the files out of it."""
    npm = shutil.which("npm")
    if npm is None:
        raise SourceFailure("needs npm, which is not installed")
    with Scratch(into) as scratch:
        # In the scratch folder, because npm writes the archive into the folder that it is run in.
        run([npm, "pack", source["package"], "--ignore-scripts", "--silent"], {}, folder=scratch)
        (archive_path,) = scratch.glob("*.tgz")
        with tarfile.open(archive_path) as archive:
            for name in names:
                try:
                    member = archive.extractfile(source["folder"] + name)
                except KeyError as error:
                    raise SourceFailure(f"has no file {source['folder']}{name}") from error
                assert member is not None, f"{name} is not a plain file in {source['package']}"
                with (into / name).open("wb") as target:
                    shutil.copyfileobj(member, target)


class Scratch:
    """A folder inside `parent` that is gone after the `with` block."""

    def __init__(self, parent: Path) -> None:
        self.path = parent / "scratch"

    def __enter__(self) -> Path:
        self.path.mkdir()
        return self.path

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.path)


def download_progress(folder: Path, size: int) -> str:
    """Return how much has arrived in `folder`: pip itself tells it only to a terminal."""
    done = 0
    for path in folder.rglob("*"):
        try:
            done += path.stat().st_size
        except FileNotFoundError:  # pip has just moved it
            continue
    total = f" of {size / MB:.0f}" if size else ""
    return f"  {done / MB:.0f}{total} MB"


def run(
    command: Sequence[str],
    more: Mapping[str, str],
    *,
    folder: Path | None = None,
    progress: Callable[[], None] | None = None,
) -> None:
    """Run a downloader, call `progress` now and then, and raise `SourceFailure` with its last words."""
    with subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, **more},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        output = None
        while output is None:
            try:
                output, _ = process.communicate(timeout=REPORT_EVERY_S)
            except subprocess.TimeoutExpired:
                if progress is not None:
                    progress()
    if process.returncode != 0:
        words = [line.strip() for line in output.splitlines() if line.strip()]
        raise SourceFailure(" ".join(words[-3:]) or f"ended with code {process.returncode}")
