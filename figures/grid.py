"""Where things lie: slots in rows, with a strip above each row for labels. Geometry only, no drawing.

Example:
    >>> grid = Grid(num_slots=64, columns=32, pitch=21)
    >>> grid.box(33)
    Box(x=23.5, y=53.5, width=16.0, height=16.0)
    >>> [(row, first, last) for row, first, last in grid.pieces(20, 24)]
    [(0, 20, 31), (1, 32, 43)]

Units are those of the picture: one unit is one CSS pixel at the narrowest width that the picture is made for.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple


class Box(NamedTuple):
    """A rectangle by its top left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """The x of its vertical middle line.

        >>> Box(2, 0, 4, 4).middle
        4.0
        """
        return self.x + self.width / 2


@dataclass(frozen=True)
class Grid:
    """Slots of a pool in rows of `columns`, `pitch` units apart.

    `inset` is the space around a slot within its pitch, `slot_height` its height, `label` the strip above a
    row, `below` the strip under it, `top` where the first row's strip begins.

    >>> Grid(num_slots=20, columns=10, pitch=27).width
    270
    """

    num_slots: int
    columns: int
    pitch: float
    inset: float = 2.5
    slot_height: float = 0
    label: float = 14
    below: float = 2
    top: float = 0

    @property
    def width(self) -> float:
        """Units from the left of the first column to the right of the last."""
        return self.columns * self.pitch

    @property
    def height(self) -> float:
        """Units from the top of the picture to the bottom of the last row."""
        return self.top + self.num_rows * self.row_height

    @property
    def num_rows(self) -> int:
        """Rows, the last of which may be short."""
        return -(-self.num_slots // self.columns)

    @property
    def row_height(self) -> float:
        """Units of one row with its strips."""
        return self.label + self._tall + 2 * self.inset + self.below

    @cached_property
    def _boxes(self) -> list[Box]:
        width, height = self.pitch - 2 * self.inset, self._tall
        first = self.top + self.label + self.inset
        return [
            Box(column * self.pitch + self.inset, first + row * self.row_height, width, height)
            for row in range(self.num_rows)
            for column in range(self.columns)
        ]

    @property
    def _tall(self) -> float:
        return self.slot_height or self.pitch - 2 * self.inset

    def box(self, slot: int) -> Box:
        """Return the box of a slot.

        >>> Grid(num_slots=4, columns=2, pitch=20).box(3)
        Box(x=22.5, y=52.5, width=15.0, height=15.0)
        """
        return self._boxes[slot]

    def span(self, first: int, last: int) -> Box:
        """Return the frame around slots `first` to `last`, which lie in one row.

        >>> Grid(num_slots=4, columns=4, pitch=20).span(0, 3)
        Box(x=0.75, y=14.75, width=78.5, height=18.5)
        """
        left, right = self._boxes[first], self._boxes[last]
        gap = self.inset - 0.75
        x, y = left.x - gap, left.y - gap
        return Box(x, y, right.x + right.width + gap - x, left.height + 2 * gap)

    def pieces(self, start: int, size: int) -> Iterator[tuple[int, int, int]]:
        """Yield (row, first slot, last slot) for each row that a run of slots touches.

        >>> list(Grid(num_slots=8, columns=4, pitch=20).pieces(3, 2))
        [(0, 3, 3), (1, 4, 4)]
        """
        end = start + size
        while start < end:
            row = start // self.columns
            stop = min(end, (row + 1) * self.columns)
            yield row, start, stop - 1
            start = stop
