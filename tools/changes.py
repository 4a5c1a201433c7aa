"""Tells whether a step has to run again: by a digest of what it reads, kept in a stamp beside its output.

Example:
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> stamp = folder / "built"
    >>> is_current(stamp, "0123")
    False
    >>> mark(stamp, "0123")
    >>> is_current(stamp, "0123"), is_current(stamp, "4567")
    (True, False)
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path


def digest_of(root: Path, names: Iterable[str]) -> str:
    """Return one digest of the files and folders `names` below `root`, by their names and contents.

    >>> len(digest_of(Path(__file__).parent, ["changes.py"]))
    64
    """
    found = hashlib.sha256()
    for name in names:
        start = root / name
        files = sorted(path for path in start.rglob("*") if path.is_file()) if start.is_dir() else [start]
        for path in files:
            if "__pycache__" in path.parts or not path.exists():
                continue
            content = path.read_bytes()
            found.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode() + content)
    return found.hexdigest()


def is_current(stamp: Path, digest: str) -> bool:
    """Return whether the step that left `stamp` ran on what `digest` stands for."""
    return stamp.exists() and stamp.read_text(encoding="utf-8") == digest


def mark(stamp: Path, digest: str) -> None:
    """Leave a stamp: the step has run on what `digest` stands for."""
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(digest, encoding="utf-8")
