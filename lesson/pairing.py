"""The notebook from its source: percent-format Python in, `.ipynb` without outputs out, by jupytext.

    $ python -m lesson.pairing            # writes the .ipynb of every source in notebook/
    $ python -m lesson.pairing --check    # says which differ; exit code 1 if any does

Two things are filled in on the way, so that no copy can drift: `{{ code("kernels.plain.plain_kernel") }}`
becomes the source of that symbol, and `{{ repository }}` the address in `pyproject.toml`, or nothing where
none is set.
"""

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import jupytext
import nbformat

from lesson.excerpts import ROOT, excerpt

FOLDER = ROOT / "notebook"

_CODE = re.compile(r'\{\{ code\("([\w.]+)"\) \}\}')


def repository(project: Path = ROOT / "pyproject.toml") -> str:
    """Return the address of the repository, from the one setting that there is; "" without one."""
    stated = tomllib.loads(project.read_text(encoding="utf-8"))["project"].get("urls", {})
    return str(stated.get("Repository", ""))


def paired(source: Path) -> Any:
    """Return the notebook that a source makes.

    Raises:
        Missing: it asks for the code of something that is not there.

    >>> book = paired(FOLDER / "paged_decode.py")
    >>> book.cells[0].source.splitlines()[0]
    '# Paged attention on a GPU, from the block table up'
    """
    book = jupytext.read(source)
    for number, cell in enumerate(book.cells):
        # By the place, and not at random: the same source makes the same file.
        cell.id = f"cell-{number}"
        cell.source = _CODE.sub(_fenced, cell.source).replace("{{ repository }}", repository())
    book.metadata = {"kernelspec": book.metadata["kernelspec"], "language_info": {"name": "python"}}
    return book


def sources() -> list[Path]:
    """Return the sources of all notebooks.

    >>> [source.name for source in sources()]
    ['paged_decode.py']
    """
    return sorted(FOLDER.glob("*.py"))


def drift(source: Path) -> str | None:
    """Return how the `.ipynb` beside a source differs from what the source makes, or None.

    The ids of cells do not count: editors write their own.
    """
    there = source.with_suffix(".ipynb")
    if not there.is_file():
        return f"{there.name} is not there"
    book = nbformat.read(there, nbformat.NO_CONVERT)
    if any(cell.cell_type == "code" and (cell.outputs or cell.execution_count) for cell in book.cells):
        return f"{there.name} holds outputs"
    if _core(book) != _core(paired(source)):
        return f"{there.name} is not what {source.name} makes"
    return None


def _core(book: Any) -> list[tuple[str, str]]:
    return [(cell.cell_type, cell.source) for cell in book.cells]


def _fenced(found: re.Match[str]) -> str:
    piece = excerpt(found[1])
    return f"*{piece.path}*\n\n```python\n{piece.text}\n```"


def main(arguments: list[str]) -> int:
    """Write the notebooks, or say which differ."""
    if arguments == ["--check"]:
        differing = [found for source in sources() if (found := drift(source))]
        for found in differing:
            print(f"{found}; run: make format", file=sys.stderr)
        return 1 if differing else 0
    for source in sources():
        if drift(source):
            nbformat.write(paired(source), source.with_suffix(".ipynb"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
