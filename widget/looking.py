"""Which slot a reader looks at, when going from slot to slot.

Example:
    >>> moved(None, "right", num_slots=64, columns=16), moved(3, "down", num_slots=64, columns=16)
    (0, 19)
"""

from pagedkv.errors import PagedKVError


def moved(here: int | None, move: object, *, num_slots: int, columns: int) -> int:
    """Return the slot in a direction from `here`, or the first one when coming from nowhere.

    Left and right go on to the next row and stop at the ends of the pool; up and down stay in the column.

    Raises:
        PagedKVError: there is no such direction.

    >>> moved(15, "right", num_slots=64, columns=16), moved(3, "up", num_slots=64, columns=16)
    (16, 3)
    """
    steps = {"left": -1, "right": 1, "up": -columns, "down": columns, "first": -num_slots, "last": num_slots}
    if not isinstance(move, str) or move not in steps:
        raise PagedKVError(f"There is no direction {move!r:.60}. There is: {', '.join(steps)}.")
    if here is None:
        return 0
    there = here + steps[move]
    if move in ("up", "down") and not 0 <= there < num_slots:
        return here
    return max(0, min(there, num_slots - 1))
