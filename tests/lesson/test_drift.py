"""No number is typed on a page: each comes from the build, and follows when the build's input changes."""

import re
from pathlib import Path

import pytest

from lesson.exercises import Exercise
from lesson.facts import gather
from lesson.helpers import Widget
from lesson.pages import Page, render
from lesson.site import SOURCE
from pagedkv.capacity import capacity_example
from pagedkv.sizes import ModelShape

SOURCES = sorted(SOURCE.rglob("*.md"))

# Names with a digit in them.
ALLOWED = ("OPT-13B",)

# What the build fills in, the front matter, and where links lead.
FILLED_IN = re.compile(r"\A---\n.*?\n---\n|\{\{.*?\}\}|\{%.*?%\}|\]\([^)]*\)", re.DOTALL)
LIST_ITEM = re.compile(r"^\d+\. ", re.MULTILINE)
REFERENCE = re.compile(r"\bFigure \d+\b")


def typed_digits(text: str) -> list[str]:
    """Return the words of a source that hold a digit which nobody computed."""
    for pattern in (FILLED_IN, LIST_ITEM, REFERENCE):
        text = pattern.sub(" ", text)
    return [word for word in re.findall(r"\S*\d\S*", text) if word.strip(".,;:()*") not in ALLOWED]


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_no_number_is_typed_on_a_page(source: Path) -> None:
    assert typed_digits(source.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("In all 122 fit.", ["122"]),
        ("1. Move it to 16.", ["16."]),
        ('Figure 2 shows {{ num("figure_2.num_slots") }}.', []),
        ("---\ndate: 2026-10-17\n---\nIt takes (7.6) times.", ["(7.6)"]),
        ("OPT-13B, and OPT-30B", ["OPT-30B"]),
    ],
)
def test_typed_numbers_are_found(text: str, found: list[str]) -> None:
    assert typed_digits(text) == found


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_every_figure_that_a_page_mentions_is_on_it(source: Path) -> None:
    text = source.read_text(encoding="utf-8")
    shown = set(re.findall(r"\{\{ figure\((\d+)\) \}\}", text))
    assert set(re.findall(r"Figure (\d+)", text)) <= shown
    assert sorted(shown) == re.findall(r"\{\{ figure\((\d+)\) \}\}", text), "in order of their numbers"


def test_another_model_and_workload_change_every_number_that_depends_on_them(
    tmp_path: Path, widget: Widget, exercise: Exercise
) -> None:
    before = plain_track(render(SOURCE, tmp_path / "before", widget=widget, exercise=exercise))
    model = ModelShape("Llama 3 8B and a layer", 33, 8, 128, 2, n_heads=32, context=8192)
    old, new = gather(), gather(model, capacity_example(model, num_requests=501))
    after = plain_track(render(SOURCE, tmp_path / "after", widget=widget, exercise=exercise, facts=new))
    still_right = {number.text for number in new.values()}
    for name in (
        "model.name",
        "llama_3_8b.per_token",
        "llama_3_8b.for_1000",
        "llama_3_8b.for_context",
        "llama_3_8b.for_ten_contexts",
        "llama_3_8b.for_long_context",
        "capacity.contiguous.requests",
        "capacity.paged.requests",
    ):
        assert old[name].text != new[name].text
        assert shows(before, old[name].text), name
        assert shows(after, new[name].text), name
        assert old[name].text in still_right or not shows(after, old[name].text), name


def plain_track(pages: list[Page]) -> Page:
    return next(page for page in pages if page.path == "index.md")


def shows(page: Page, text: str) -> bool:
    return f'<span class="num">{text}</span>' in page.text
