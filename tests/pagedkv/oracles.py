"""The rules once more, as simply as they can be said and with other data than the package keeps.

Paging: every block has a list of owners, every request a list of (block, slot) cells. The contiguous pool:
a row of slots, each with its owner or None, searched by brute force. Slow, and easily checked by reading.
"""

from dataclasses import dataclass, field
from itertools import groupby

Cell = tuple[int, int]


@dataclass
class PagedOracle:
    """Blocks with owners. `None` stands for a refusal for want of a block."""

    num_blocks: int
    block_size: int
    free: list[int] = field(default_factory=list)
    owners: list[list[str]] = field(default_factory=list)
    cells: dict[str, list[Cell]] = field(default_factory=dict)
    tokens: dict[str, list[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.free = list(range(self.num_blocks))
        self.owners = [[] for _ in range(self.num_blocks)]

    def add(self, rid: str) -> None:
        self.cells[rid], self.tokens[rid] = [], []

    def append(self, rid: str, token: float) -> tuple[int, int, int | None] | None:
        cells = self.cells[rid]
        copied_from = None
        if cells and cells[-1][1] < self.block_size - 1:
            block, slot = cells[-1][0], cells[-1][1] + 1
            if self.owners[block] != [rid]:
                copied_from = block
        else:
            block, slot = -1, 0
        if block == -1 or copied_from is not None:
            if not self.free:
                return None
            block, self.free = self.free[0], self.free[1:]
            self.owners[block] = [rid]
        if copied_from is not None:
            self.owners[copied_from].remove(rid)
            self.cells[rid] = cells = [
                (block, cell_slot) if cell_block == copied_from else (cell_block, cell_slot)
                for cell_block, cell_slot in cells
            ]
        cells.append((block, slot))
        self.tokens[rid].append(token)
        return block, slot, copied_from

    def fork(self, parent: str, child: str) -> None:
        self.cells[child] = list(self.cells[parent])
        self.tokens[child] = list(self.tokens[parent])
        for block in self.table(parent):
            self.owners[block].append(child)

    def finish(self, rid: str) -> list[int]:
        given_back = []
        for block in self.table(rid):
            self.owners[block].remove(rid)
            if not self.owners[block]:
                given_back.append(block)
        self.free = self.free + given_back
        del self.cells[rid], self.tokens[rid]
        return given_back

    def table(self, rid: str) -> list[int]:
        return [block for block, _ in groupby(block for block, _ in self.cells[rid])]


@dataclass
class ContiguousOracle:
    """A row of slots, each with its owner or None."""

    num_slots: int
    slots: list[str | None] = field(default_factory=list)
    tokens: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.slots = [None] * self.num_slots

    def reserve(self, rid: str, size: int) -> int | None:
        for start in range(self.num_slots - size + 1):
            if self.slots[start : start + size] == [None] * size:
                self.slots[start : start + size] = [rid] * size
                self.tokens[rid] = 0
                return start
        return None

    def append(self, rid: str) -> int | None:
        mine = [slot for slot, owner in enumerate(self.slots) if owner == rid]
        for slot in mine[self.tokens[rid] :]:
            self.tokens[rid] += 1
            return slot
        return None

    def fork(self, parent: str, child: str) -> int | None:
        start = self.reserve(child, self.slots.count(parent))
        if start is not None:
            self.tokens[child] = self.tokens[parent]
        return start

    def finish(self, rid: str) -> None:
        self.slots = [None if owner == rid else owner for owner in self.slots]
        del self.tokens[rid]

    def holes(self) -> list[tuple[int, int]]:
        found = []
        for owner, run in groupby(range(self.num_slots), key=self.slots.__getitem__):
            run_of_slots = list(run)
            if owner is None:
                found.append((run_of_slots[0], len(run_of_slots)))
        return found
