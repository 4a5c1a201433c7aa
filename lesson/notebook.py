"""The notebook as a page of the site, and beside the page as a file with the sources that it runs.

Example:
    >>> as_markdown(None).splitlines()[0][:57]
    "The lesson's `paged_attention` walks a block table in Pyt"

What a cell printed comes from a run on this machine, without a GPU. A run needs Triton and the notebook's
tools, which are large, so `make build` shows the notebook without outputs where they are not installed, and
`make site` installs them first. What a run printed is kept in `build/notebook/`, by a digest of all that the
notebook runs.
"""

import base64
import importlib
import importlib.util
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import Any

from figures.markup import el, write
from lesson.errors import LessonError
from lesson.excerpts import ROOT
from lesson.pairing import FOLDER, paired, repository
from tools.changes import digest_of

SOURCE = FOLDER / "paged_decode.py"
NAME = SOURCE.with_suffix(".ipynb").name
RUNS = ROOT / "build" / "notebook"

# What the notebook imports: it is read from the zip where there is no clone around the notebook.
PARTS = ("pagedkv", "figures", "widget", "widget/parts", "kernels")
TOOLS = ("triton", "nbclient", "ipykernel", "ml_dtypes")
TIMEOUT = 300  # seconds for a cell; all of them together take a tenth of that


def digest() -> str:
    """Return the digest of the notebook and all that it runs.

    >>> len(digest())
    64
    """
    files = [
        path.relative_to(ROOT).as_posix() for part in PARTS for path in sorted((ROOT / part).glob("*.py"))
    ]
    return digest_of(ROOT, [*files, f"notebook/{SOURCE.name}", "pyproject.toml"])


def can_run() -> bool:
    """Return whether all that a run needs is installed.

    >>> can_run() in (True, False)
    True
    """
    return all(importlib.util.find_spec(name) is not None for name in TOOLS)


def run(report: Callable[[str], None], runs: Path = RUNS) -> bool:
    """Run the notebook unless it was, and keep what it printed. Return whether there is something to show.

    Raises:
        LessonError: a cell failed.
    """
    kept = runs / f"{digest()}.json"
    if kept.is_file():
        return True
    if not can_run():
        return False
    report("notebook: running it")
    book = executed(paired(SOURCE), FOLDER)
    outputs = [cell.get("outputs", []) for cell in book.cells]
    for earlier in runs.glob("*.json"):
        earlier.unlink()
    runs.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(outputs), encoding="utf-8")
    return True


def executed(book: Any, folder: Path) -> Any:
    """Return a notebook with its outputs, after all of its cells have run in `folder`, top to bottom.

    Raises:
        LessonError: a cell failed; the sentence holds what it raised.
    """
    nbclient = importlib.import_module("nbclient")
    client = nbclient.NotebookClient(
        book,
        kernel_name="python3",
        # It warns that others could listen in; it talks to this process on this machine.
        extra_arguments=["--IPKernelApp.log_level=40"],
        timeout=TIMEOUT,
        coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
    )
    try:
        return client.execute()
    except nbclient.exceptions.CellExecutionError as error:
        raise LessonError(f"A cell of {NAME} failed:\n{error}") from None


def kept_outputs(runs: Path = RUNS) -> list[list[dict[str, Any]]] | None:
    """Return the outputs of each cell from the last run, or None if there was none of these sources."""
    kept = runs / f"{digest()}.json"
    if not kept.is_file():
        return None
    found: list[list[dict[str, Any]]] = json.loads(kept.read_text(encoding="utf-8"))
    return found


def as_markdown(outputs: list[list[dict[str, Any]]] | None, *, prose_only: bool = False) -> str:
    """Return the notebook as Markdown, without its title, which is the page's.

    Args:
        outputs: of each cell, as `kept_outputs` returns them.
        prose_only: leave out cells and outputs, to count what is read.
    """
    return "\n\n".join(_blocks(outputs, prose_only=prose_only))


def colab() -> str | None:
    """Return the address that opens the notebook in Colab; None where no repository on GitHub is set."""
    found = re.fullmatch(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?", repository())
    if found is None:
        return None
    return f"https://colab.research.google.com/github/{found[1]}/blob/main/notebook/{NAME}"


def links_html(base: str) -> str:
    """Return the ways to run the notebook; `base` is the relative path from the page to the root of the site.

    The script fills in the session that a link of the widget brings along, and shows that part.

    >>> 'href="notebook/paged_decode.ipynb"' in links_html("")
    True
    """
    folder = f"{base}notebook/"
    address = colab()
    in_colab = (
        el("li", el("a", "Open it in Colab", href=address), ", where a GPU is to be had for nothing.")
        if address
        else el(
            "li",
            "In Colab, upload the notebook, and then the sources into its folder of files. "
            "This site does not name a repository that Colab could open by itself.",
        )
    )
    ways = el(
        "ul",
        el(
            "li",
            el("a", "Download the notebook", href=f"{folder}{NAME}", download=True),
            " and ",
            el("a", "the sources that it runs", href=f"{folder}sources.zip", download=True),
            ", put both in one folder, and open it with Jupyter.",
        ),
        in_colab,
    )
    session = el(
        "div",
        el(
            "p",
            el("strong", "Your session from the widget"),
            " is this text. It goes between the quotes of SESSION.",
        ),
        el("p", el("code", data_notebook_session=True)),
        el(
            "p",
            el("button", "Copy it", type="button", data_notebook_copy=True),
            " ",
            el("button", "Download the notebook with it", type="button", data_notebook_download=True),
        ),
        el("p", data_notebook_told=True, role="status"),
        class_="lesson-session",
        hidden=True,
        data_notebook=f"{folder}{NAME}",
    )
    style = el("link", rel="stylesheet", href=f"{base}assets/notebook.css")
    script = el("script", type="module", src=f"{base}assets/notebook.js")
    return "".join(write(element) for element in (style, ways, session, script)) + _without_outputs()


def _without_outputs() -> str:
    if kept_outputs() is not None:
        return ""
    words = (
        "This copy of the site was built without Triton, so what the cells print is not shown: make site, "
        "in the project's folder, installs it and shows that, too."
    )
    return write(el("p", words, class_="lesson-output"))


def publish(folder: Path) -> None:
    """Write the notebook and the zip of what it runs into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / NAME).write_bytes((FOLDER / NAME).read_bytes())
    (folder / "sources.zip").write_bytes(archive())


def archive() -> bytes:
    """Return the zip of what the notebook imports, the same bytes for the same sources.

    >>> {"kernels/fast.py", "pagedkv/blocks.py"} <= set(zipfile.ZipFile(io.BytesIO(archive())).namelist())
    True
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target:
        for path in (path for part in PARTS for path in sorted((ROOT / part).glob("*.py"))):
            entry = zipfile.ZipInfo(path.relative_to(ROOT).as_posix(), date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(entry, path.read_bytes())
    return buffer.getvalue()


def _blocks(outputs: list[list[dict[str, Any]]] | None, *, prose_only: bool) -> Iterator[str]:
    for number, cell in enumerate(paired(SOURCE).cells):
        if cell.cell_type == "markdown":
            yield re.sub(r"\A# .*\n+", "", cell.source)
        elif not prose_only:
            yield f"```python\n{cell.source}\n```"
            for output in outputs[number] if outputs else ():
                yield _shown(output)


def _shown(output: dict[str, Any]) -> str:
    if output["output_type"] == "stream":
        text = "".join(output["text"]).rstrip()
        return f'```{{ .text .no-copy .lesson-output title="printed, without a GPU" }}\n{text}\n```'
    data = output.get("data", {})
    if "image/svg+xml" in data:
        picture = "".join(data["image/svg+xml"])
        title = re.search(r"<title[^>]*>(.*?)</title>", picture)
        address = f"data:image/svg+xml;base64,{base64.b64encode(picture.encode()).decode()}"
        return (
            f'<img class="lesson-output" alt="{escape(title[1] if title else "A picture")}" src="{address}">'
        )
    raise LessonError(
        f"A cell of {NAME} put out {', '.join(data) or output['output_type']}, which no page can show."
    )
