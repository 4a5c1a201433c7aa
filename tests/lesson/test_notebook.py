"""The notebook is what its source and the kernels make, holds no outputs, and stands on its page."""

import io
import re
import zipfile
from pathlib import Path
from typing import Any

import nbformat
import pytest

from lesson import notebook, pairing
from lesson.errors import LessonError, Missing
from lesson.excerpts import ROOT
from tests.lesson.reader import elements_of

OUTPUT_OF_CELLS = [
    [{"output_type": "stream", "name": "stdout", "text": "printed <here>\n"}]
    if cell.cell_type == "code"
    else []
    for cell in pairing.paired(notebook.SOURCE).cells
]


def copy_of_the_notebook(folder: Path) -> Path:
    for source in pairing.FOLDER.glob("paged_decode.*"):
        (folder / source.name).write_bytes(source.read_bytes())
    return folder / "paged_decode.py"


@pytest.mark.parametrize("source", pairing.sources(), ids=lambda path: path.name)
def test_the_notebook_is_what_its_source_makes(source: Path) -> None:
    assert pairing.drift(source) is None, "run: make format"


def test_a_change_on_either_side_is_noticed(tmp_path: Path) -> None:
    source = copy_of_the_notebook(tmp_path)
    assert pairing.drift(source) is None
    source.write_text(source.read_text(encoding="utf-8").replace("default_rng(0)", "default_rng(1)"))
    assert pairing.drift(source) == "paged_decode.ipynb is not what paged_decode.py makes"


def test_outputs_are_noticed(tmp_path: Path) -> None:
    source = copy_of_the_notebook(tmp_path)
    book = nbformat.read(source.with_suffix(".ipynb"), nbformat.NO_CONVERT)
    cell = next(cell for cell in book.cells if cell.cell_type == "code")
    cell.outputs = [nbformat.v4.new_output("stream", text="left over")]
    nbformat.write(book, source.with_suffix(".ipynb"))
    assert pairing.drift(source) == "paged_decode.ipynb holds outputs"


def test_ids_of_cells_do_not_count(tmp_path: Path) -> None:
    source = copy_of_the_notebook(tmp_path)
    book = nbformat.read(source.with_suffix(".ipynb"), nbformat.NO_CONVERT)
    book.cells[0].id = "an-editors-own"
    nbformat.write(book, source.with_suffix(".ipynb"))
    assert pairing.drift(source) is None


def test_code_that_is_not_there_stops_the_pairing(tmp_path: Path) -> None:
    source = copy_of_the_notebook(tmp_path)
    source.write_text(source.read_text(encoding="utf-8").replace("plain_kernel", "plane_kernel"))
    with pytest.raises(Missing, match="plane_kernel"):
        pairing.paired(source)


def test_the_kernels_stand_in_it_as_they_are() -> None:
    text = notebook.as_markdown(None)
    for name, line in (
        ("plain", "block = tl.load(tables_ptr + request * tables_stride + logical).to(tl.int64)"),
        ("fast", "blocks = tl.load(entries, mask=is_token, other=0).to(tl.int64)"),
        ("reference", "alpha = np.exp2(m - m_new)"),
    ):
        assert line in (ROOT / "kernels" / f"{name}.py").read_text(encoding="utf-8")
        assert line in text


def test_a_page_with_outputs_shows_them_and_one_without_says_how_to_get_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_outputs, without = notebook.as_markdown(OUTPUT_OF_CELLS), notebook.as_markdown(None)
    assert with_outputs.count("printed <here>") == sum(map(len, OUTPUT_OF_CELLS)) > 10
    assert "printed <here>" not in without
    monkeypatch.setattr(notebook, "kept_outputs", lambda: None)
    assert "make site" in notebook.links_html("")
    monkeypatch.setattr(notebook, "kept_outputs", lambda: OUTPUT_OF_CELLS)
    assert "make site" not in notebook.links_html("")


def test_an_output_that_no_page_can_show_stops_the_build() -> None:
    odd = [[{"output_type": "display_data", "data": {"text/latex": "$1$"}}] for _ in OUTPUT_OF_CELLS]
    with pytest.raises(LessonError, match="text/latex"):
        notebook.as_markdown(odd)


def test_what_was_printed_is_shown_for_these_sources_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert notebook.kept_outputs(tmp_path) is None
    (tmp_path / f"{notebook.digest()}.json").write_text("[[]]", encoding="utf-8")
    assert notebook.kept_outputs(tmp_path) == [[]]
    monkeypatch.setattr(notebook, "digest", lambda: "other sources")
    assert notebook.kept_outputs(tmp_path) is None


def test_a_run_is_kept_until_the_sources_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def executed(book: Any, _folder: Path) -> Any:
        for cell in book.cells:
            if cell.cell_type == "code":
                cell.outputs = [nbformat.v4.new_output("stream", text="printed <here>\n")]
        return book

    monkeypatch.setattr(notebook, "can_run", lambda: True)
    monkeypatch.setattr(notebook, "executed", executed)
    (tmp_path / "of-earlier-sources.json").write_text("[]", encoding="utf-8")
    lines: list[str] = []
    assert notebook.run(lines.append, tmp_path)
    assert [path.stem for path in tmp_path.iterdir()] == [notebook.digest()]
    assert notebook.as_markdown(notebook.kept_outputs(tmp_path)) == notebook.as_markdown(OUTPUT_OF_CELLS)
    assert notebook.run(lines.append, tmp_path)
    assert lines == ["notebook: running it"], "the second time nothing runs"


def test_a_notebook_that_cannot_be_run_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook, "can_run", lambda: False)
    assert notebook.run(lambda _line: None, tmp_path) is False
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("address", "in_colab"),
    [
        ("https://github.com/some/where", "https://colab.research.google.com/github/some/where/blob/main/"),
        (
            "https://github.com/some/where.git",
            "https://colab.research.google.com/github/some/where/blob/main/",
        ),
        ("https://git.example.org/some/where", None),
        ("", None),
    ],
)
def test_colab_opens_what_the_one_setting_names(
    address: str, in_colab: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notebook, "repository", lambda: address)
    expected = None if in_colab is None else f"{in_colab}notebook/paged_decode.ipynb"
    assert notebook.colab() == expected
    assert ("colab.research" in notebook.links_html("")) == (in_colab is not None)


def test_the_setting_is_filled_into_the_notebook(tmp_path: Path) -> None:
    project = tmp_path / "pyproject.toml"
    project.write_text('[project]\n[project.urls]\nRepository = "https://github.com/some/where"\n')
    assert pairing.repository(project) == "https://github.com/some/where"
    project.write_text("[project]\n")
    assert pairing.repository(project) == ""
    first = next(cell for cell in pairing.paired(notebook.SOURCE).cells if cell.cell_type == "code")
    assert f'REPOSITORY = "{pairing.repository()}"' in first.source


def test_the_files_beside_the_page_are_the_notebook_and_all_that_it_imports(site: Path) -> None:
    assert (site / "notebook" / "paged_decode.ipynb").read_bytes() == (
        pairing.FOLDER / "paged_decode.ipynb"
    ).read_bytes()
    names = zipfile.ZipFile(io.BytesIO((site / "notebook" / "sources.zip").read_bytes())).namelist()
    imported = set()
    for cell in pairing.paired(notebook.SOURCE).cells:
        imported |= set(
            re.findall(r"^\s*from ((?:pagedkv|kernels|widget)[\w.]*) import", cell.source, re.MULTILINE)
        )
    assert {"kernels", "pagedkv", "widget.link"} <= imported
    for name in imported:
        path = name.replace(".", "/")
        assert {f"{path}.py", f"{path}/__init__.py"} & set(names), name


def test_the_page_says_what_it_is_and_claims_no_speed(site: Path) -> None:
    elements = elements_of((site / "gpu.html").read_text(encoding="utf-8"))
    (article,) = [element for element in elements if element.tag == "article"][:1]
    assert "How fast it is has not yet been measured" in " ".join(article.text.split())
    headings = [element.text.removesuffix("#") for element in elements if element.tag == "h2"]
    for heading in ("What the kernel does that the Python does not", "The fast kernel", "How fast is it?"):
        assert heading in headings
    assert [element.tag for element in elements].count("h1") == 1
    links = [element.get("href") for element in elements if element.tag == "a"]
    assert {"notebook/paged_decode.ipynb", "notebook/sources.zip"} <= set(links)
