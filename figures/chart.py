"""How full a pool was, step by step: used, empty and free on top of each other, as a small step chart.

Example:
    >>> from figures.sheet import Sheet
    >>> from figures.views import NARROW
    >>> sheet = Sheet(NARROW)
    >>> paint(sheet, [Amounts(0, 0, 32), Amounts(6, 2, 24)], step=1)
    >>> [element.attributes["data-key"] for element in sheet.elements if element.tag == "path"]
    ['used', 'empty', 'edge', 'sample-empty', 'mark']

Every step has a column. What is used is solid, what is empty is lined, what is free is blank, so the chart
needs no colour; each kind is named beside the last column.
"""

from collections.abc import Sequence
from typing import NamedTuple

from figures.grid import Box
from figures.markup import Element, el, number
from figures.pool import rectangle, words_at
from figures.sheet import Sheet, framed
from figures.views import View
from figures.words import WAY, LayoutName, counted

# Of the font's size: the width of a letter, and what lies between two lines of text.
_LETTER_WIDTH, _LINE = 0.56, 1.3

# Units of height of the columns, and between the lines that say "empty".
_TALL, _LINING = 96, 4


class Amounts(NamedTuple):
    """How many slots are used, empty and free after a step."""

    used: int
    empty: int
    free: int


def chart(layout: LayoutName, points: Sequence[Amounts], step: int, view: View, *, is_file: bool) -> Element:
    """Return the chart of one layout: for a file, with its own style, or to stand in a page.

    Args:
        layout: which of the two.
        points: the amounts before the first step, and after each.
        step: the step that is marked.
        view: the width that it is drawn for.
        is_file: whether it is to stand alone.

    >>> from figures.views import NARROW
    >>> chart("paged", [Amounts(0, 0, 8)], 0, NARROW, is_file=False).tag
    'svg'
    """
    sheet = Sheet(view)
    now = points[step]
    amounts = f"{now.used} used, {now.empty} empty, {now.free} free"
    sheet.words(f"{WAY[layout]}, step {step}: {amounts}")
    sheet.gap(4)
    paint(sheet, points, step)
    return framed(
        sheet,
        name=f"chart-{layout}",
        title=f"{WAY[layout]}: slots used, empty and free at each step",
        description=described(layout, points, step),
        is_file=is_file,
    )


def described(layout: LayoutName, points: Sequence[Amounts], step: int) -> str:
    """Return the chart in words.

    >>> described("paged", [Amounts(0, 0, 32), Amounts(6, 2, 24)], 1)[:70]
    'New way, 1 step. After step 1, 6 slots hold a token, 2 are held and em'
    """
    now = points[step]
    empty = [point.empty for point in points]
    used = [point.used for point in points]
    return (
        f"{WAY[layout]}, {counted(len(points) - 1, 'step')}. "
        f"After step {step}, {counted(now.used, 'slot')} hold a token, {now.empty} are held and empty, "
        f"{now.free} are free. "
        f"The most in use: {max(used)}, first after step {used.index(max(used))}. "
        f"The most held and empty: {max(empty)}, first after step {empty.index(max(empty))}."
    )


def paint(sheet: Sheet, points: Sequence[Amounts], step: int) -> None:
    """Draw the columns, the axes, the names of the three kinds and the mark of a step on a sheet.

    >>> from figures.views import WIDE
    >>> sheet = Sheet(WIDE)
    >>> paint(sheet, [Amounts(0, 0, 8)], step=0)
    >>> sheet.height > 96
    True
    """
    font, total = sheet.view.font, sum(points[0])
    left = len(str(total)) * font * _LETTER_WIDTH + 6
    names = font * (1 + _LETTER_WIDTH * len("empty")) + 10
    plot = Box(left, sheet.height + font * 0.5, sheet.view.width - left - names, _TALL)
    base = plot.y + plot.height
    wide = plot.width / len(points)

    def height_of(slots: int) -> float:
        return base - slots * plot.height / total

    used = [height_of(point.used) for point in points]
    held = [height_of(point.used + point.empty) for point in points]
    low = base + font * _LINE + 5
    sheet.elements += [
        el("path", key="used", class_="head", d=_columns(plot, used)),
        el("path", key="empty", class_="arrow", d=_lining(plot, held, used)),
        el("path", key="edge", class_="brace", d=_edge(plot, held)),
        rectangle(plot, "brace", key="plot", rx=0),
        words_at(str(total), left - 4, plot.y + font * 0.36, font, anchor="end", key="total"),
        words_at("0", left - 4, base, font, anchor="end", key="none"),
        *_names(plot, font, held[-1], used[-1]),
        el("path", key="mark", class_="head", d=_mark(plot.x + (step + 0.5) * wide, base)),
        *_steps(plot, len(points), step, font, low),
    ]
    sheet.height = low + font * 0.4


def _columns(plot: Box, tops: Sequence[float]) -> str:
    """Return the outline of what lies below the tops."""
    base = plot.y + plot.height
    return f"M{number(plot.x)} {number(base)}" + _along(plot, tops) + f"V{number(base)}Z"


def _edge(plot: Box, tops: Sequence[float]) -> str:
    return f"M{number(plot.x)} {number(tops[0])}" + _along(plot, tops)


def _along(plot: Box, tops: Sequence[float]) -> str:
    wide = plot.width / len(tops)
    steps = []
    for column, top in enumerate(tops):
        if column == 0 or top != tops[column - 1]:
            steps.append(f"V{number(top)}")
        if column + 1 == len(tops) or tops[column + 1] != top:
            steps.append(f"H{number(plot.x + (column + 1) * wide)}")
    return "".join(steps)


def _lining(plot: Box, tops: Sequence[float], bottoms: Sequence[float]) -> str:
    """Return level lines between the tops and the bottoms; where columns meet, they run on."""
    wide = plot.width / len(tops)
    lines = []
    for row in range(1, int(plot.height / _LINING)):
        y = plot.y + plot.height - row * _LINING
        start = None
        for column in range(len(tops) + 1):
            is_inside = column < len(tops) and tops[column] < y < bottoms[column]
            if is_inside and start is None:
                start = column
            elif not is_inside and start is not None:
                length = number((column - start) * wide)
                lines.append(f"M{number(plot.x + start * wide)} {number(y)}h{length}")
                start = None
    return "".join(lines)


def _names(plot: Box, font: float, held: float, used: float) -> list[Element]:
    """Name the three kinds beside the last column, each near its part of it, and show how each is drawn."""
    base, gap = plot.y + plot.height, font * _LINE
    middles = [(plot.y + held) / 2, (held + used) / 2, (used + base) / 2]
    for place, at_least in enumerate([plot.y + font / 2, gap, gap]):
        middles[place] = max(middles[place], at_least + (middles[place - 1] if place else 0))
    for place in (2, 1, 0):
        at_most = base - font / 2 if place == 2 else middles[place + 1] - gap
        middles[place] = min(middles[place], at_most)
    x, size = plot.x + plot.width + 6, font * 0.8
    found = []
    for name, middle in zip(("free", "empty", "used"), middles, strict=True):
        sample = Box(x, middle - size / 2, size, size)
        kind = "head" if name == "used" else "brace"
        found.append(rectangle(sample, kind, key=f"sample-{name}-box", rx=0))
        if name == "empty":
            d = "".join(
                f"M{number(x)} {number(sample.y + size * share)}h{number(size)}" for share in (0.3, 0.7)
            )
            found.append(el("path", key="sample-empty", class_="arrow", d=d))
        found.append(words_at(name, x + size + 4, middle + font * 0.36, font, "plain", key=f"name-{name}"))
    return found


def _mark(x: float, base: float) -> str:
    """Return a small pointer from below."""
    return f"M{number(x)} {number(base + 1)}l3.5 5h-7Z"


def _steps(plot: Box, num_points: int, step: int, font: float, y: float) -> list[Element]:
    """Number the first step, the marked one and the last, as far as there is room."""
    wide, letter = plot.width / num_points, font * _LETTER_WIDTH
    text = f"step {step}"
    half = len(text) * letter / 2
    right = plot.x + plot.width
    middle = max(plot.x + half, min(plot.x + (step + 0.5) * wide, right - half))
    found = [words_at(text, middle, y, font, "plain", anchor="middle", key="step")]
    last = num_points - 1
    for where, key in ((0, "first"), (last, "last")):
        room = (len(str(where)) / 2 + 1) * letter
        x = max(plot.x + letter / 2, min(plot.x + (where + 0.5) * wide, right - room + letter))
        if abs(x - middle) > half + room:
            found.append(words_at(str(where), x, y, font, anchor="middle", key=key))
    return found
