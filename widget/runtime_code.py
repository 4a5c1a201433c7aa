"""The browser's standard library as bytecode: Python starts at once instead of compiling its sources first.

Example:
    >>> from widget.runtime_trim import archive_of
    >>> source = archive_of({"json/__init__.py": b"import re"})
    >>> kept = archive_of({"json/__init__.pyc": b"bytecode"}, note=digest_of(source))
    >>> zipfile.ZipFile(io.BytesIO(compiled(source, ["json/__init__.py"], kept))).namelist()
    ['json/__init__.pyc']

Only that very Python can write its bytecode, and it runs in a browser, which a build does not need. So
`python -m tools.trim` compiles what is kept of the library there and writes `runtime.code.zip`, which names
the archive that it was made from; a test compiles all of it again and compares. Docstrings and the columns of
errors are left out: they are a third of it, and nothing on a page shows them.
"""

import hashlib
import io
import zipfile
from collections.abc import Iterable
from pathlib import Path

LIBRARY = "python_stdlib.zip"
CODE = Path(__file__).with_name("runtime.code.zip")


class StaleCode(Exception):
    """The bytecode was made from another standard library, or of other members of it."""


def digest_of(archive: bytes) -> str:
    """Return the name of an archive by its content, as the bytecode notes it.

    >>> len(digest_of(b""))
    64
    """
    return hashlib.sha256(archive).hexdigest()


def compiled(archive: bytes, keep: Iterable[str], code: bytes | None = None) -> bytes:
    """Return the bytecode of the members to keep of the whole library.

    Args:
        archive: the whole library, as distributed.
        keep: its members that are served, as sources.
        code: what `tools.trim` wrote; the project's own by default.

    Raises:
        StaleCode: `code` is of another library, or of other members.

    >>> from widget.runtime_trim import archive_of
    >>> compiled(archive_of({"a.py": b""}), ["a.py"], archive_of({}))
    Traceback (most recent call last):
    widget.runtime_code.StaleCode: runtime.code.zip was made from another library. Run: python -m tools.trim
    """
    code = CODE.read_bytes() if code is None else code
    with zipfile.ZipFile(io.BytesIO(code)) as made:
        if made.comment.decode() != digest_of(archive):
            raise StaleCode("runtime.code.zip was made from another library. Run: python -m tools.trim")
        if sorted(made.namelist()) != sorted(map(code_name, keep)):
            raise StaleCode("runtime.code.zip has other members than are kept. Run: python -m tools.trim")
    return code


def code_name(member: str) -> str:
    """Return the name of the bytecode of a member.

    >>> code_name("json/decoder.py")
    'json/decoder.pyc'
    """
    return f"{member}c"
