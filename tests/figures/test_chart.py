"""The chart of counters: its heights are the worked example's numbers, and it is read without colour."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from itertools import pairwise

import pytest

from figures.chart import Amounts, chart
from figures.markup import write
from figures.views import NARROW, VIEWS, View
from figures.words import LayoutName
from pagedkv.scenarios import WORKED_EXAMPLE

SVG = "{http://www.w3.org/2000/svg}"

# Used, empty and free before the first step and after each of the eight.
OLD = [
    *((0, 0, 32), (6, 6, 20), (9, 15, 8), (9, 15, 8), (11, 13, 8)),
    *((12, 12, 8), (14, 10, 8), (14, 10, 8), (18, 6, 8)),
]
NEW = [
    *((0, 0, 32), (6, 2, 24), (9, 3, 20), (14, 6, 12), (16, 4, 12)),
    *((17, 7, 8), (19, 9, 4), (14, 6, 12), (18, 6, 8)),
]


def points(layout: LayoutName) -> list[Amounts]:
    found = []
    for step in range(len(WORKED_EXAMPLE.operations) + 1):
        counters = WORKED_EXAMPLE.run(step)[0].snapshot()[layout]["counters"]
        found.append(Amounts(counters["used"], counters["empty"], counters["free"]))
    return found


def drawn(points: list[Amounts], step: int, view: View = NARROW) -> ET.Element:
    return ET.fromstring(write(chart("paged", points, step, view, is_file=True)))


def one(root: ET.Element, key: str) -> ET.Element:
    (found,) = [element for element in root.iter() if element.get("data-key") == key]
    return found


def heights(root: ET.Element, key: str, columns: int) -> list[float]:
    """Return the y of each column's top, from a path of V and H."""
    plot = one(root, "plot")
    left, wide = float(plot.get("x", "")), float(plot.get("width", "")) / columns
    found: list[float] = []
    y = 0.0
    for letter, value in re.findall(r"([VH])([\d.]+)", one(root, key).get("d", "")):
        if letter == "V":
            y = float(value)
        else:
            found += [y] * (round((float(value) - left) / wide) - len(found))
    return found


@pytest.mark.parametrize(("layout", "numbers"), [("contiguous", OLD), ("paged", NEW)])
@pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)
def test_each_column_is_as_high_as_its_step_says(
    layout: LayoutName, numbers: list[tuple[int, int, int]], view: View
) -> None:
    assert points(layout) == numbers
    root = drawn(points(layout), 8, view)
    plot = one(root, "plot")
    top, tall = float(plot.get("y", "")), float(plot.get("height", ""))
    for key, amounts in (("used", [n[0] for n in numbers]), ("edge", [n[0] + n[1] for n in numbers])):
        shown = [(top + tall - y) / tall * 32 for y in heights(root, key, len(numbers))]
        assert shown == pytest.approx(amounts, abs=0.02)


def test_what_is_empty_is_lined_between_what_is_used_and_what_is_free() -> None:
    root = drawn(points("paged"), 8)
    plot = one(root, "plot")
    left, wide = float(plot.get("x", "")), float(plot.get("width", "")) / len(NEW)
    lined = [0] * len(NEW)
    for x, _, length in re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)", one(root, "empty").get("d", "")):
        first = round((float(x) - left) / wide)
        for column in range(first, first + round(float(length) / wide)):
            lined[column] += 1
    # A line every 4 units, 3 units to a slot, so that lines are 0.75 of what is empty, give or take an end.
    assert all(abs(lines - empty * 0.75) <= 1 for lines, (_, empty, _) in zip(lined, NEW, strict=True))


@pytest.mark.parametrize("layout", ["contiguous", "paged"])
def test_it_is_the_reviewed_picture(layout: LayoutName, same_picture: Callable[[str, str], None]) -> None:
    text = write(chart(layout, points(layout), 5, NARROW, is_file=True))
    same_picture(f"chart-{layout}.narrow.svg", text)


def test_it_says_in_words_what_it_shows() -> None:
    root = drawn(points("paged"), 5)
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert title.text == "New way: slots used, empty and free at each step"
    assert description is not None
    assert description.text == (
        "New way, 8 steps. After step 5, 17 slots hold a token, 7 are held and empty, 8 are free. "
        "The most in use: 19, first after step 6. The most held and empty: 9, first after step 6."
    )
    assert (root.get("aria-labelledby") or "").split() == [title.get("id"), description.get("id")]
    words = [text.text for text in root.iter(f"{SVG}text")]
    assert words == [
        *("New way, step 5: 17 used, 7 empty, 8 free", "32", "0"),
        *("free", "empty", "used", "step 5", "0", "8"),
    ]


CASES = [
    ([Amounts(0, 0, 64)], 0),
    ([Amounts(64, 0, 0)] * 2, 1),
    ([Amounts(0, 4096, 0)] * 501, 250),
    ([Amounts(0, 0, 1), Amounts(1, 0, 0)], 0),
    (points("contiguous"), 0),
    (points("contiguous"), 1),
    (points("contiguous"), 8),
]


@pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)
@pytest.mark.parametrize(("amounts", "step"), CASES)
def test_everything_lies_inside_and_no_words_lie_on_each_other(
    amounts: list[Amounts], step: int, view: View
) -> None:
    root = drawn(amounts, step, view)
    left, top, width, height = map(float, (root.get("viewBox") or "").split())
    boxes = []
    for text in root.iter(f"{SVG}text"):
        font, x, y = (float(text.get(name, "nan")) for name in ("font-size", "x", "y"))
        assert font >= (10 if view is NARROW else 12)
        wide = len(text.text or "") * font * 0.5
        start = x - {"end": wide, "middle": wide / 2}.get(text.get("text-anchor", ""), 0)
        assert left <= start <= start + wide <= left + width
        assert top <= y - font * 0.7 <= y <= top + height
        boxes.append((start, y - font * 0.7, start + wide, y))
    for index, (x1, y1, x2, y2) in enumerate(boxes):
        for a1, b1, a2, b2 in boxes[index + 1 :]:
            assert x2 <= a1 or a2 <= x1 or y2 <= b1 or b2 <= y1
    for rect in root.iter(f"{SVG}rect"):
        x, y, w, h = (float(rect.get(name, "nan")) for name in ("x", "y", "width", "height"))
        assert left <= x <= x + w <= left + width + 0.01
        assert top <= y <= y + h <= top + height + 0.01


def test_the_names_keep_their_order_and_their_distance() -> None:
    for amounts in ([Amounts(64, 0, 0)], [Amounts(0, 64, 0)], [Amounts(0, 0, 64)]):
        root = drawn(amounts, 0)
        places = [float(one(root, f"name-{name}").get("y", "nan")) for name in ("free", "empty", "used")]
        assert all(lower - upper >= 12 for upper, lower in pairwise(places))
        plot = one(root, "plot")
        top, tall = float(plot.get("y", "")), float(plot.get("height", ""))
        assert top < places[0] < places[-1] <= top + tall, "they stand beside the columns"
