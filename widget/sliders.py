"""The settings that a reader moves with a slider.

Example:
    >>> SLIDERS["block_size"].values
    (1, 2, 4, 8, 16)
"""

from dataclasses import dataclass

from pagedkv.errors import PagedKVError


@dataclass(frozen=True)
class Slider:
    """A setting that a reader moves: its `values` by position, the first position being `first`.

    >>> SLIDERS["block_size"].values[2], SLIDERS["reserve"].position_of(24)
    (4, 24)
    """

    values: tuple[int, ...]
    first: int

    def position_of(self, value: int) -> int:
        """Return the position of a value, or of the nearest one that the slider has.

        >>> SLIDERS["reserve"].position_of(100)
        32
        """
        nearest = min(self.values, key=lambda candidate: abs(candidate - value))
        return self.first + self.values.index(nearest)

    def value_at(self, position: object) -> int:
        """Return the value at a position.

        Raises:
            PagedKVError: the slider has no such position.

        >>> SLIDERS["reserve"].value_at(16)
        16
        """
        last = self.first + len(self.values) - 1
        if isinstance(position, bool) or not isinstance(position, int) or not self.first <= position <= last:
            raise PagedKVError(f"The position {position!r:.60} is not between {self.first} and {last}.")
        return self.values[position - self.first]


SLIDERS = {
    "reserve": Slider(values=tuple(range(8, 33)), first=8),
    "block_size": Slider(values=(1, 2, 4, 8, 16), first=0),
}
