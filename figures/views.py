"""The widths that pictures are drawn for, and how many columns a pool gets in each.

Example:
    >>> NARROW.columns_for(64, 4), WIDE.columns_for(64, 4), NARROW.columns_for(20, 2)
    (16, 32, 10)

A phone of 320 pixels leaves 276 for a picture; from 672 pixels on the wide one is used, and from 940 on, in
the widget, the broad one. At those widths one unit is one pixel, so that no text falls below 10 pixels on a
phone and 12 elsewhere. A picture that has more room than that grows, up to the next width.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from figures.grid import Grid

ViewName = Literal["narrow", "wide", "broad"]


@dataclass(frozen=True)
class View:
    """A width in units, the most columns of slots in it, and the size of its text.

    >>> NARROW.grid(64, 4).pitch
    17.25
    """

    name: ViewName
    width: float
    most_columns: int
    font: float

    def columns_for(self, num_slots: int, block_size: int) -> int:
        """Return the columns for a pool: rows of equal length, no block broken across rows where that can be.

        >>> WIDE.columns_for(24, 4), NARROW.columns_for(64, 16), NARROW.columns_for(7, 1)
        (24, 16, 7)
        """
        fitting = [
            columns
            for columns in range(1, min(self.most_columns, num_slots) + 1)
            if columns % block_size == 0 and num_slots % columns == 0
        ]
        if fitting:
            return fitting[-1]
        return max(self.most_columns // block_size * block_size, min(block_size, self.most_columns))

    @lru_cache(maxsize=64)  # noqa: B019 (views are a handful, and live as long as the program)
    def grid(self, num_slots: int, block_size: int, *, top: float = 0, slot_height: float = 0) -> Grid:
        """Return the grid of a pool that starts at height `top`.

        >>> WIDE.grid(64, 4, top=10).top
        10
        """
        columns = self.columns_for(num_slots, block_size)
        return Grid(
            num_slots,
            columns,
            pitch=self.width / columns,
            inset=1.75 if columns > 12 else 2.5,
            slot_height=slot_height or min(self.width / columns - 4, self.font + 12),
            label=self.font + 5,
            top=top,
        )


NARROW = View("narrow", width=276, most_columns=16, font=10.5)
WIDE = View("wide", width=672, most_columns=32, font=12)
BROAD = View("broad", width=940, most_columns=32, font=12.5)

# A figure stands in a column of text, the widget may have the whole page.
FIGURE_VIEWS = (NARROW, WIDE)
VIEWS: dict[ViewName, View] = {view.name: view for view in (NARROW, WIDE, BROAD)}
