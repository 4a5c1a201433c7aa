"""The old way: one long run of slots per request, sized for the longest reply allowed. No arrays.

Example (the state of Figure 2):
    >>> pool = ContiguousPool(num_slots=32)
    >>> pool.reserve("R1", 12), pool.reserve("R2", 8), pool.reserve("R3", 8)
    (0, 12, 20)
    >>> pool.free("R2")
    >>> pool.holes(), pool.num_free
    ([Run(start=12, size=8), Run(start=28, size=4)], 12)
    >>> print(pool.reserve("R4", 12))
    None

Twelve slots are free and twelve are wanted, and yet nothing can be reserved: no hole is long enough.

What this does not do: move a reservation, let it grow, or queue a request that does not fit
(`pagedkv.layouts` queues).

Source: the reserving systems that Kwon et al. 2023, arXiv 2309.06180, section 3.1 and Figure 2, measure.
First fit; the paper models its baselines with a buddy allocator instead.
"""

from collections.abc import Hashable
from typing import NamedTuple

from pagedkv.errors import DuplicateRequest, UnknownRequest, whole_number


class Run(NamedTuple):
    """A run of neighbouring slots: `start` .. `start + size - 1`."""

    start: int
    size: int


class ContiguousPool:
    """Reserves one run of slots per request, first fit, and refuses with `None`.

    Args:
        num_slots: token slots in the pool, at least 1.

    Readable at any time: `reservations` (request id -> `Run`), `lengths` (request id -> tokens written).

    Raises:
        InvalidSize: `num_slots` is not a whole number of at least 1.

    >>> ContiguousPool(num_slots=0)
    Traceback (most recent call last):
    pagedkv.errors.InvalidSize: num_slots is 0; it must be a whole number of at least 1.
    """

    def __init__(self, num_slots: int) -> None:
        self.num_slots = whole_number(num_slots, "num_slots")
        self.reservations: dict[Hashable, Run] = {}
        self.lengths: dict[Hashable, int] = {}

    def reserve(self, rid: Hashable, size: int) -> int | None:
        """Reserve the first run of `size` free slots; return its start, or None if no hole is long enough.

        Raises:
            DuplicateRequest: `rid` holds a reservation.
            InvalidSize: `size` is not a whole number of at least 1.

        >>> pool = ContiguousPool(num_slots=10)
        >>> pool.reserve("A", 6), pool.reserve("B", 6), pool.reserve("C", 4)
        (0, None, 6)
        """
        size = whole_number(size, "size")
        if rid in self.reservations:
            raise DuplicateRequest(f"Request {rid!r} has a reservation. Free it first, or use another id.")
        for hole in self.holes():
            if hole.size >= size:
                self.reservations[rid] = Run(hole.start, size)
                self.lengths[rid] = 0
                return hole.start
        return None

    def append(self, rid: Hashable) -> int | None:
        """Write the request's next token, and return its slot, or None if the reservation is full.

        Raises:
            UnknownRequest: `rid` holds no reservation.

        >>> pool = ContiguousPool(num_slots=2)
        >>> pool.reserve("A", 1)
        0
        >>> pool.append("A"), pool.append("A")
        (0, None)
        """
        run = self._run(rid)
        length = self.lengths[rid]
        if length == run.size:
            return None
        self.lengths[rid] = length + 1
        return run.start + length

    def fork(self, parent: Hashable, child: Hashable) -> int | None:
        """Reserve as much again and copy every token of `parent` to it; return the start, or None.

        Nothing can be shared here: a reservation belongs to one request.

        Raises:
            UnknownRequest: `parent` holds no reservation.
            DuplicateRequest: `child` holds one.

        >>> pool = ContiguousPool(num_slots=8)
        >>> pool.reserve("A", 4), pool.append("A")
        (0, 0)
        >>> pool.fork("A", "B"), pool.lengths["B"], pool.fork("A", "C")
        (4, 1, None)
        """
        start = self.reserve(child, self._run(parent).size)
        if start is not None:
            self.lengths[child] = self.lengths[parent]
        return start

    def free(self, rid: Hashable) -> None:
        """End a request: its whole run is free again.

        Raises:
            UnknownRequest: `rid` holds no reservation.

        >>> pool = ContiguousPool(num_slots=8)
        >>> pool.reserve("A", 4)
        0
        >>> pool.free("A")
        >>> pool.holes()
        [Run(start=0, size=8)]
        """
        self._run(rid)
        del self.reservations[rid], self.lengths[rid]

    def holes(self) -> list[Run]:
        """Return the free runs in order of their start, neighbours merged.

        >>> ContiguousPool(num_slots=8).holes()
        [Run(start=0, size=8)]
        """
        holes, start = [], 0
        for run in sorted(self.reservations.values()):
            if run.start > start:
                holes.append(Run(start, run.start - start))
            start = run.start + run.size
        if start < self.num_slots:
            holes.append(Run(start, self.num_slots - start))
        return holes

    @property
    def num_free(self) -> int:
        """Slots that nobody has reserved, in total: no promise that any run of them is long enough."""
        return sum(hole.size for hole in self.holes())

    @property
    def largest_hole(self) -> int:
        """Slots in the longest free run, 0 if none is free."""
        return max((hole.size for hole in self.holes()), default=0)

    @property
    def num_wasted(self) -> int:
        """Slots that are reserved and hold no token."""
        return sum(run.size - self.lengths[rid] for rid, run in self.reservations.items())

    def _run(self, rid: Hashable) -> Run:
        if rid not in self.reservations:
            known = ", ".join(map(repr, self.reservations)) or "none"
            raise UnknownRequest(f"There is no reservation of {rid!r}. Reserve first. Known: {known}.")
        return self.reservations[rid]
