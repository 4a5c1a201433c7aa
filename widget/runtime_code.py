"""The browser's standard library as bytecode: Python starts at once instead of compiling its sources first.

Example:
    >>> source = archive_of({"json/__init__.py": b"import re"})
    >>> kept = packed({"json/__init__.pyc": b"bytecode"}, source)
    >>> zipfile.ZipFile(io.BytesIO(compiled(source, ["json/__init__.py"], kept))).namelist()
    ['json/__init__.pyc']

Only that very Python can write its bytecode, and it runs in a browser, which a build does not need. So
`python -m tools.trim` compiles what is kept of the library there and writes `runtime.code.xz`, which names
the archive that it was made from; a test compiles all of it again and compares. Docstrings and the columns of
errors are left out: they are a third of it, and nothing on a page shows them.
"""

import hashlib
import io
import lzma
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from widget.runtime_trim import archive_of

LIBRARY = "python_stdlib.zip"
# Tracked although it is made: a build has no such Python to make it with.
CODE = Path(__file__).with_name("runtime.code.xz")


class StaleCode(Exception):
    """The bytecode was made from another standard library, or of other members of it."""


def packed(code: Mapping[str, bytes], archive: bytes) -> bytes:
    """Return bytecode as it is kept among the sources: small, and noting the library that it was made from.

    >>> len(packed({"a.pyc": bytes(9000)}, b"")) < 1000
    True
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as kept:
        for name, content in code.items():
            kept.writestr(zipfile.ZipInfo(name), content)
        kept.comment = _digest(archive)
    return lzma.compress(buffer.getvalue(), preset=9)


def compiled(archive: bytes, keep: Iterable[str], code: bytes | None = None) -> bytes:
    """Return the bytecode of the members to keep of the whole library.

    Args:
        archive: the whole library, as distributed.
        keep: its members that are served, as sources.
        code: what `tools.trim` wrote; the project's own by default.

    Raises:
        StaleCode: `code` is of another library, or of other members.

    >>> compiled(archive_of({"a.py": b""}), ["a.py"], packed({}, b""))
    Traceback (most recent call last):
    widget.runtime_code.StaleCode: runtime.code.xz was made from another library. Run: python -m tools.trim
    """
    kept = lzma.decompress(CODE.read_bytes() if code is None else code)
    with zipfile.ZipFile(io.BytesIO(kept)) as made:
        if made.comment != _digest(archive):
            raise StaleCode("runtime.code.xz was made from another library. Run: python -m tools.trim")
        if sorted(made.namelist()) != sorted(map(code_name, keep)):
            raise StaleCode("runtime.code.xz has other members than are kept. Run: python -m tools.trim")
        return archive_of({name: made.read(name) for name in made.namelist()})


def _digest(archive: bytes) -> bytes:
    return hashlib.sha256(archive).hexdigest().encode()


def code_name(member: str) -> str:
    """Return the name of the bytecode of a member.

    >>> code_name("json/decoder.py")
    'json/decoder.pyc'
    """
    return f"{member}c"
