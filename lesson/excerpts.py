"""Pieces of the real source, by the name of what they define: no marker comments, no copies.

Example:
    >>> piece = excerpt("pagedkv.blocks.BlockAllocator.blocks_for")
    >>> piece.path, piece.text.splitlines()[0]
    ('pagedkv/blocks.py', 'def blocks_for(self, num_tokens: int) -> int:')
"""

import ast
import textwrap
from pathlib import Path
from typing import NamedTuple

from lesson.errors import LessonError, Missing

ROOT = Path(__file__).resolve().parent.parent

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Excerpt(NamedTuple):
    """Lines `first` to `last` of the file at `path`, which is relative to the root of the project.

    >>> Excerpt("pagedkv/blocks.py", 3, 9, "").place
    'pagedkv/blocks.py, lines 3 to 9'
    """

    path: str
    first: int
    last: int
    text: str

    @property
    def place(self) -> str:
        """Say where the excerpt is from."""
        return f"{self.path}, lines {self.first} to {self.last}"


def excerpt(symbol: str, *, docstring: bool = False, root: Path = ROOT) -> Excerpt:
    """Return the source of a module, class, function, method or module constant, dedented.

    Args:
        symbol: the dotted name, from the package on.
        docstring: keep its docstring. Those of what is inside it are kept in any case.
        root: the folder that holds the package.

    Raises:
        Missing: no file, or nothing in the file, has that name.
        LessonError: without its docstring, nothing is left of it.

    >>> print(excerpt("pagedkv.blocks.Written").text)
    Written: TypeAlias = tuple[int, int, int | None]
    >>> excerpt("pagedkv.blocks.BlockAllocator.apend")
    Traceback (most recent call last):
    lesson.errors.Missing: There is no symbol 'pagedkv.blocks.BlockAllocator.apend'. Near it: ...append', ...
    """
    file, names = _file_of(symbol, root)
    source = file.read_text(encoding="utf-8")
    node: ast.Module | ast.stmt = ast.parse(source)
    reached = symbol.split(".")[: -len(names) or None]
    for name in names:
        inside = _defined_in(node)
        if name not in inside:
            raise Missing("symbol", symbol, [".".join([*reached, other]) for other in inside])
        node = inside[name]
        reached.append(name)
    lines = source.splitlines()
    first, last = _span(node, len(lines))
    kept = [
        line
        for number, line in enumerate(lines[first - 1 : last], start=first)
        if docstring or number not in _docstring_lines(node)
    ]
    text = textwrap.dedent("\n".join(kept)).strip("\n")
    if not text:
        raise LessonError(f"Nothing is left of {symbol!r} without its docstring.")
    return Excerpt(file.relative_to(root).as_posix(), first, last, text)


def _file_of(symbol: str, root: Path) -> tuple[Path, list[str]]:
    """Return the file of the longest part of `symbol` that is a module, and the names that are left."""
    parts = symbol.split(".")
    for length in range(len(parts), 0, -1):
        place = root.joinpath(*parts[:length])
        for file in (place.with_suffix(".py"), place / "__init__.py"):
            if file.is_file():
                return file, parts[length:]
    raise Missing("symbol", symbol, [])


def _defined_in(node: ast.Module | ast.stmt) -> dict[str, ast.stmt]:
    """Return name -> statement for what the body of a module, class or function defines."""
    found: dict[str, ast.stmt] = {}
    for statement in getattr(node, "body", []):
        if isinstance(statement, _Definition):
            found[statement.name] = statement
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            names = [name for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]
            found |= {name.id: statement for name in names}
    return found


def _span(node: ast.Module | ast.stmt, num_lines: int) -> tuple[int, int]:
    if isinstance(node, ast.Module):
        return 1, num_lines
    decorators = node.decorator_list if isinstance(node, _Definition) else []
    return min([node.lineno, *(one.lineno for one in decorators)]), node.end_lineno or node.lineno


def _docstring_lines(node: ast.Module | ast.stmt) -> range:
    if isinstance(node, _Definition | ast.Module) and ast.get_docstring(node) is not None:
        statement = node.body[0]
        return range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
    return range(0)
