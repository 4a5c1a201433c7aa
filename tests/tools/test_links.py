"""What leads out of the site is found on its pages, and a dead address is told from a shy one."""

from pathlib import Path

import pytest

from tools.links import addresses, answer, main
from tools.serve import serving


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    (tmp_path / "here.html").write_text("here", encoding="utf-8")
    return tmp_path


def test_addresses_outside_are_found_once_and_without_anchors(pages: Path) -> None:
    (pages / "page.html").write_text(
        '<a href="https://example.org/a?b=1&amp;c=2#part">1</a> <a class="x" href="https://example.org/a?b=1&amp;c=2">'
        '2</a> <a href="other.html">3</a> <link href="https://example.org/style.css">',
        encoding="utf-8",
    )
    assert addresses(pages) == ["https://example.org/a?b=1&c=2"]


def test_what_is_there_and_what_is_not(pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving(pages, "/") as base:
        assert answer(f"{base}here.html") == ("200", True)
        assert answer(f"{base}gone.html") == ("404", False)
        (pages / "page.html").write_text(
            f'<a href="{base}here.html">1</a> <a href="{base}gone.html">2</a>', encoding="utf-8"
        )
        assert main(pages) == 1
        assert f"404  {base}gone.html" in capsys.readouterr().out
    said, is_there = answer(f"{base}here.html")
    assert not is_there, said
