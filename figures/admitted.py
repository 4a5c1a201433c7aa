"""A chart of how many requests fit a pool at once, against the block size and against reserved runs.

Example:
    >>> from figures.views import NARROW
    >>> columns = [Column("run", 256, is_run=True), Column("1", 482), Column("16", 431)]
    >>> picture = chart(columns, NARROW, name="admitted", title="Requests that fit", is_file=False)
    >>> picture.attributes["class"]
    'kv-picture kv-narrow'

Every column carries its number, and the one of the old way is lined where the others are solid, so the chart
is read without an axis and without colour. It shows memory, not speed, and says so.
"""

from collections.abc import Sequence
from typing import NamedTuple

from figures.grid import Box
from figures.markup import Element, el, number
from figures.pool import rectangle, words_at
from figures.sheet import Sheet, framed
from figures.views import View
from figures.words import listed

_TALL, _LINING = 150, 4  # units of height of the columns, and between the lines of the old way's
_SHARE = 0.72  # of a column's room that it fills

NOTE = "Memory, not speed: how many fit at once."


class Column(NamedTuple):
    """A column: what it stands for, requests that fit, and whether they reserve a run each."""

    label: str
    requests: int
    is_run: bool = False


def chart(columns: Sequence[Column], view: View, *, name: str, title: str, is_file: bool) -> Element:
    """Return the chart: for a file, with its own style, or to stand in a page.

    Args:
        columns: from left to right, at least one.
        view: the width that it is drawn for.
        name: keeps the ids of one chart apart from those of others in the page.
        title: what the chart is called; it says which workload it shows.
        is_file: whether it is to stand alone.

    >>> from figures.views import WIDE
    >>> chart([Column("1", 3)], WIDE, name="x", title="X", is_file=True).attributes["width"]
    692
    """
    sheet = Sheet(view)
    if is_file:
        sheet.words(title, "strong")
    paint(sheet, columns)
    sheet.words(NOTE, "soft")
    return framed(sheet, name=name, title=title, description=described(columns), is_file=is_file)


def described(columns: Sequence[Column]) -> str:
    """Return the chart in words.

    >>> described([Column("run", 256, is_run=True), Column("1", 482), Column("2", 475)])
    'Old way, a run reserved for each request: 256 fit. New way, by block size: 1: 482, and 2: 475. Memory,
    not...'
    """
    runs = [
        f"Old way, a run reserved for each request: {one.requests:,} fit." for one in columns if one.is_run
    ]
    sizes = [f"{one.label}: {one.requests:,}" for one in columns if not one.is_run]
    return " ".join([*runs, f"New way, by block size: {listed(sizes).replace(' and ', ', and ')}.", NOTE])


def paint(sheet: Sheet, columns: Sequence[Column]) -> None:
    """Draw the columns, what each stands for, and how many it counts, on a sheet.

    >>> from figures.views import NARROW
    >>> sheet = Sheet(NARROW)
    >>> paint(sheet, [Column("1", 3)])
    >>> [element.attributes.get("data-key") for element in sheet.elements][:3]
    ['column-0', 'count-0', 'label-0']
    """
    font = sheet.view.font
    most = max(1, *(column.requests for column in columns))
    wide = sheet.view.width / len(columns)
    base = sheet.height + font * 1.6 + _TALL
    for place, column in enumerate(columns):
        height = _TALL * column.requests / most
        left = place * wide + wide * (1 - _SHARE) / 2
        box = Box(left, base - height, wide * _SHARE, height)
        middle = box.middle
        sheet.elements.append(
            rectangle(box, "brace" if column.is_run else "head", key=f"column-{place}", rx=0)
        )
        if column.is_run:
            sheet.elements.append(el("path", key=f"lining-{place}", class_="arrow", d=_lining(box)))
        sheet.elements += [
            words_at(
                f"{column.requests}", middle, box.y - 4, font, "plain", anchor="middle", key=f"count-{place}"
            ),
            words_at(
                column.label, middle, base + font * 1.3, font, "plain", anchor="middle", key=f"label-{place}"
            ),
        ]
    sheet.elements.append(
        el("path", key="base", class_="brace", d=f"M0 {number(base)}h{number(sheet.view.width)}")
    )
    sheet.height = base + font * 1.7
    sheet.words("Requests that fit, by block size. Lined: the old way, a run for each.", "plain")


def _lining(box: Box) -> str:
    rows = int(box.height / _LINING)
    return "".join(
        f"M{number(box.x)} {number(box.y + box.height - row * _LINING)}h{number(box.width)}"
        for row in range(1, rows + 1)
    )
