"""The chart of admitted requests: its numbers by other arithmetic, its words, and its files."""

import csv
import io
import xml.etree.ElementTree as ET

import pytest

from exercises.portfolio import Portfolio, in_short, stated
from exercises.workload import BLOCK_SIZES, Workload, admitted, fitting, why_level
from figures.admitted import NOTE, Column, chart, described
from figures.markup import write
from figures.views import NARROW, WIDE
from pagedkv.capacity import capacity_example

FIRST_LENGTHS = [10, 30, 46, 9, 25]  # drawn once and written down

SVG = "{http://www.w3.org/2000/svg}"


def fit_by_hand(lengths: list[int], slots: int, size: int) -> int:
    left, found = slots // size, 0
    for length in lengths:
        left -= -(-length // size)
        if left < 0:
            break
        found += 1
    return found


@pytest.mark.parametrize(
    "workload",
    [
        *(
            Workload(),
            Workload(seed=5),
            Workload(lowest=1, highest=1),
            Workload(lowest=100, highest=900, reserve=1024),
        ),
        Workload(slots=16, count=3),
    ],
)
def test_what_fits_is_what_arithmetic_says(workload: Workload) -> None:
    found, lengths = admitted(workload), workload.lengths
    assert found.run.requests == min(workload.slots // workload.reserve, len(lengths))
    assert {size: fit.requests for size, fit in found.blocks.items()} == {
        size: fit_by_hand(lengths, workload.slots, size) for size in BLOCK_SIZES if size <= workload.slots
    }


def test_lengths_are_within_their_bounds_and_reach_them() -> None:
    lengths = Workload().lengths
    assert (min(lengths), max(lengths), len(lengths)) == (4, 64, 1000)
    assert lengths == Workload().lengths != Workload(seed=1).lengths
    assert lengths[:5] == FIRST_LENGTHS, "links would lead to other charts: make it another version"


def test_the_lessons_example_is_level_from_1_to_16_and_says_why() -> None:
    example = capacity_example()
    found = fitting(example.lengths, example.num_slots, example.reserve)
    assert [found.blocks[size].requests for size in (1, 2, 4, 8, 16)] == [122] * 5
    assert found.blocks[32].requests < 122
    assert found.run.requests == 16
    left = example.num_slots - sum(example.lengths[:122])
    why = why_level(example.lengths, example.num_slots, found)
    assert f"Request 123 has {example.lengths[122]:,} tokens." in why
    assert f"{left:,} are left" in why
    assert "913" in why
    assert example.lengths[122] > left


def test_nothing_is_said_where_nothing_is_level() -> None:
    workload = Workload()
    assert why_level(workload.lengths, workload.slots, admitted(workload)) == ""


def test_the_chart_has_a_column_for_each_and_its_height_is_its_number() -> None:
    found = admitted(Workload())
    root = ET.fromstring(write(chart(found.columns, WIDE, name="x", title="A <title>", is_file=True)))
    texts = {one.get("data-key"): one.text for one in root.iter(f"{SVG}text")}
    boxes = {one.get("data-key"): one for one in root.iter(f"{SVG}rect")}
    heights = [float(boxes[f"column-{place}"].get("height", "")) for place in range(len(found.columns))]
    counts = [column.requests for column in found.columns]
    assert [texts[f"count-{place}"] for place in range(len(counts))] == [str(one) for one in counts]
    assert [texts[f"label-{place}"] for place in range(len(counts))] == ["run", *map(str, BLOCK_SIZES)]
    for height, one in zip(heights, counts, strict=True):
        assert height / max(heights) == pytest.approx(one / max(counts), abs=0.001)
    assert NOTE in " ".join(filter(None, (one.text for one in root.iter(f"{SVG}text"))))
    assert (
        len([key for key in (one.get("data-key") for one in root.iter()) if (key or "").startswith("lining")])
        == 1
    )


def test_columns_lie_within_the_picture_and_numbers_do_not_touch() -> None:
    columns = [Column("run", 9999, is_run=True), *(Column(str(size), 9999) for size in BLOCK_SIZES)]
    for view in (NARROW, WIDE):
        assert len("9999") * view.font * 0.6 < view.width / len(columns)


def test_the_words_have_every_number() -> None:
    found = admitted(Workload())
    words = described(found.columns)
    assert all(f"{column.label}: {column.requests}" in words for column in found.columns if not column.is_run)
    assert "Memory, not speed" in words


def test_files_hold_what_the_chart_shows() -> None:
    portfolio = Portfolio()
    portfolio.dispatch({"type": "run", "fields": {"slots": "2048", "seed": "3"}})
    saved = portfolio.dispatch({"type": "export", "what": "csv"})["file"]
    assert saved is not None
    rows = list(csv.DictReader(io.StringIO(saved["text"])))
    assert [int(row["requests"]) for row in rows] == [column.requests for column in portfolio.found.columns]
    assert {(row["slots"], row["seed"]) for row in rows} == {("2048", "3")}
    drawn = portfolio.dispatch({"type": "export", "what": "svg"})["file"]
    assert drawn is not None
    assert ET.fromstring(drawn["text"]).tag == f"{SVG}svg"
    assert "var(" not in drawn["text"]


def test_a_link_leads_to_the_same_chart() -> None:
    portfolio = Portfolio()
    frame = portfolio.dispatch({"type": "run", "fields": {"lowest": "1", "seed": "9"}})
    assert frame["link"] == "v=1&lowest=1&seed=9"
    other = Portfolio()
    assert other.dispatch({"type": "open", "link": "#v=1&lowest=1&seed=9"})["regions"] == frame["regions"]


@pytest.mark.parametrize(
    "fields",
    [
        {"lowest": "65"},
        {"reserve": "63"},
        {"slots": "15"},
        {"count": "10000"},
        {"seed": "-1"},
        {"lowest": ""},
    ],
)
def test_a_workload_that_cannot_be_is_refused(fields: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        stated(fields)


def test_a_workload_that_all_fits_says_so() -> None:
    assert "All that came fit" in in_short(admitted(Workload(count=3)))
