"""Less of the browser's Python: archives with only the members that are imported.

Example:
    >>> whole = archive_of({"json/__init__.py": b"import re", "turtle.py": b"", "turtledemo/": b""})
    >>> zipfile.ZipFile(io.BytesIO(trimmed(whole, ["json/__init__.py"]))).namelist()
    ['json/__init__.py']

`runtime.trim.json` lists the members by archive. It is not typed: `python -m tools.trim` boots the whole
runtime in a browser, imports and does what the site's Python does, and writes down what was imported; a test
does the same with what is served. What is kept is byte for byte what the distribution has.
"""

import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

LIST = Path(__file__).with_name("runtime.trim.json")

# The same archive on each machine: no date of today.
_LONG_AGO = (1980, 1, 1, 0, 0, 0)


def kept_members(path: Path = LIST) -> dict[str, list[str]]:
    """Return archive -> the members that are kept of it.

    >>> "json/decoder.py" in kept_members()["python_stdlib.zip"]
    True
    """
    kept: dict[str, list[str]] = json.loads(path.read_text(encoding="utf-8"))
    return kept


def trimmed(archive: bytes, keep: Iterable[str]) -> bytes:
    """Return an archive with the members to keep, in the order of the whole one.

    Members are compressed one by one: few hosts compress archives, and those that do lose little.

    Raises:
        KeyError: the archive has no such member.

    >>> trimmed(archive_of({}), ["json/__init__.py"])
    Traceback (most recent call last):
    KeyError: "There is no 'json/__init__.py' in the archive: run python -m tools.trim again."
    """
    wanted = set(keep)
    with zipfile.ZipFile(io.BytesIO(archive)) as whole:
        if missing := sorted(wanted - set(whole.namelist())):
            raise KeyError(f"There is no {missing[0]!r} in the archive: run python -m tools.trim again.")
        return archive_of({name: whole.read(name) for name in whole.namelist() if name in wanted})


def archive_of(content: Mapping[str, bytes]) -> bytes:
    """Return an archive of member -> content, the same whenever it is made.

    >>> archive_of({"a.py": b""}) == archive_of({"a.py": b""})
    True
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in content.items():
            entry = zipfile.ZipInfo(name, _LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return buffer.getvalue()
