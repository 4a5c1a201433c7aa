"""How the site is built: again the same, nothing left over, and with the addresses that are stated."""

from pathlib import Path

import pytest

from lesson.errors import LessonError
from lesson.exercises import Exercise
from lesson.helpers import Widget
from lesson.pages import render
from lesson.site import build
from tests.lesson.reader import elements_of
from tests.lesson.test_site import metadata, of


def test_the_same_sources_make_the_same_files(
    site: Path, tmp_path: Path, widget: Widget, exercise: Exercise
) -> None:
    build(tmp_path / "again", tmp_path / "scratch", widget=widget, exercise=exercise)
    first, second = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in (site, tmp_path / "again")
    )
    assert first == second


def nothing(base: str, link: str) -> str:
    return ""


SMALL_PAGE = """---
title: A page
search_title: A page
description: Words.
date: 2026-10-17
chapter: tests
order: 1
prerequisites: [reading]
---

# A page

[To its top](#a-page)
"""


def test_a_build_removes_what_it_made_before_and_nothing_else(tmp_path: Path) -> None:
    source, output = tmp_path / "source", tmp_path / "dist"
    (source / "assets").mkdir(parents=True)
    (source / "index.md").write_text(SMALL_PAGE, encoding="utf-8")
    (source / "assets" / "old.txt").write_text("old", encoding="utf-8")
    (output / "runtime").mkdir(parents=True)
    (output / "runtime" / "pyodide.mjs").write_text("//", encoding="utf-8")
    project = tmp_path / "pyproject.toml"
    project.write_text('[project.urls]\nRepository = "https://github.com/some/where"\n', encoding="utf-8")

    build(output, tmp_path / "scratch", widget=nothing, source=source, facts={}, project=project)
    assert (output / "assets" / "old.txt").read_text(encoding="utf-8") == "old"
    elements = elements_of((output / "index.html").read_text(encoding="utf-8"))
    assert [link.get("href") for link in of(elements, "a") if link.get("rel") == "edit"] == [
        "https://github.com/some/where/edit/main/site/index.md"
    ]
    # The theme would ask that server for the repository's stars.
    assert [element for element in elements if element.get("data-md-component") == "source"] == []

    (source / "assets" / "old.txt").unlink()
    build(output, tmp_path / "scratch", widget=nothing, source=source, facts={}, project=project)
    assert not (output / "assets" / "old.txt").exists()
    assert (output / "index.html").exists()
    assert (output / "runtime" / "pyodide.mjs").exists()


def test_a_stated_address_makes_full_addresses_and_a_map(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "index.md").write_text(SMALL_PAGE, encoding="utf-8")
    project = tmp_path / "pyproject.toml"
    project.write_text('[project.urls]\nDocumentation = "https://example.org/kv"\n', encoding="utf-8")
    output = tmp_path / "dist"
    source = tmp_path / "source"
    build(output, tmp_path / "scratch", widget=nothing, source=source, facts={}, project=project)
    elements = elements_of((output / "index.html").read_text(encoding="utf-8"))
    links = {link.get("rel"): link.get("href") for link in of(elements, "link")}
    found = metadata(elements)
    assert links["canonical"] == found["og:url"] == "https://example.org/kv/index.html"
    assert found["og:image"] == "https://example.org/kv/assets/cards/index.png"
    assert (output / "assets/cards/index.png").is_file()
    assert "https://example.org/kv/index.html" in (output / "sitemap.xml").read_text(encoding="utf-8")


def test_a_link_to_a_section_that_is_not_there_stops_the_build(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    page = SMALL_PAGE.replace("(#a-page)", "(#another-page)")
    (tmp_path / "source" / "index.md").write_text(page, encoding="utf-8")
    with pytest.raises(LessonError, match="#another-page"):
        build(tmp_path / "dist", tmp_path / "scratch", widget=nothing, source=tmp_path / "source", facts={})
    assert not (tmp_path / "dist").exists()


def test_a_page_further_down_finds_its_way_up(tmp_path: Path) -> None:
    (tmp_path / "source" / "deep").mkdir(parents=True)
    body = "{{ widget() }}\n\n{{ figure(4) }}\n"
    (tmp_path / "source" / "deep" / "page.md").write_text(SMALL_PAGE + body, encoding="utf-8")
    (page,) = render(
        tmp_path / "source",
        tmp_path / "target",
        widget=lambda base, _: f"<kv-pool>{base}",
        facts={},
    )
    assert "<kv-pool>../" in page.text
    assert 'href="../figs/free-list.svg"' in page.text
