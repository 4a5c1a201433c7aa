"""The notebook runs without a GPU, on the worked example and on whatever the widget hands over."""

import zipfile
from pathlib import Path

import pytest

from lesson import notebook
from lesson.pairing import FOLDER, paired
from tests.kernels.running import needing_triton
from widget.export import document
from widget.story import Story

needing_triton("triton")

WORKED_EXAMPLE = 'SESSION = """v=1&scenario=worked-example"""'


def printed(session: str | None = None, folder: Path = FOLDER, last: int | None = None) -> str:
    """Run the notebook, up to cell `last`, with another session, and return all that its cells printed."""
    book = paired(notebook.SOURCE)
    if session is not None:
        (cell,) = [cell for cell in book.cells if cell.source == WORKED_EXAMPLE]
        cell.source = f'SESSION = """{session}"""'
    book.cells = book.cells[:last]
    book = notebook.executed(book, folder)
    return "".join(
        "".join(output["text"])
        for cell in book.cells
        for output in cell.get("outputs", [])
        if output["output_type"] == "stream"
    )


def up_to(words: str) -> int:
    """Return how many cells come before and with the first that prints these words."""
    cells = paired(notebook.SOURCE).cells
    return (
        next(number for number, cell in enumerate(cells) if cell.cell_type == "code" and words in cell.source)
        + 1
    )


def test_it_runs_from_top_to_bottom(tmp_path: Path) -> None:
    """In a folder with nothing but the zip that the site offers, as whoever downloads both has it."""
    (tmp_path / "sources.zip").write_bytes(notebook.archive())
    text = printed(folder=tmp_path)
    assert zipfile.is_zipfile(tmp_path / "sources.zip")
    assert (tmp_path / "sources" / "kernels" / "fast.py").is_file()
    assert "A: 9 tokens in blocks [0, 1, 5]\nC: 9 tokens in blocks [3, 4, 7]" in text
    assert "same answer, to the last bit: True" in text
    assert "WRONG" not in text
    assert text.count("right  fast, split") >= 3
    assert text.endswith("Benchmark skipped: no GPU.\n")


@pytest.mark.parametrize(
    "session",
    [
        "https://lesson.example/widget.html?theme=dark#v=1&scenario=worked-example&step=5",
        "v=1&scenario=block-table&step=5",
        document(Story.of("worked-example").at(5)),
    ],
    ids=["a link", "the end of a link", "saved operations"],
)
def test_it_replays_what_the_widget_hands_over(session: str) -> None:
    text = printed(session, last=up_to("plain.plain_paged_decode(*on_gpu)"))
    assert "after 5 operations" in text
    assert "A: 9 tokens in blocks [0, 1, 5]\nB: 3 tokens in blocks [2]\nC: 5 tokens in blocks [3, 4]" in text
    assert "differs from NumPy by" in text


def test_a_session_in_which_chats_share_blocks() -> None:
    text = printed("v=1&scenario=prefix-sharing", last=up_to("fast.paged_decode(*on_gpu)"))
    assert "S1: 7 tokens in blocks [0, 2]\nS2: 7 tokens in blocks [0, 1]" in text
    assert "the session: differs from NumPy by" in text
