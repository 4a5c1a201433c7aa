"""The rules of paging: block ids, block tables, reference counts and the free list. No arrays.

Example:
    >>> blocks = BlockAllocator(num_blocks=8, block_size=4)
    >>> blocks.add_request("A")
    >>> for _ in range(6):
    ...     block, offset, copied_from = blocks.append("A")
    >>> blocks.tables["A"], blocks.lengths["A"], list(blocks.free_list)
    ([0, 1], 6, [2, 3, 4, 5, 6, 7])
    >>> blocks.free("A")
    [0, 1]
    >>> list(blocks.free_list)
    [2, 3, 4, 5, 6, 7, 0, 1]

Ids: a *physical block* is an index 0 .. num_blocks - 1 into the pool. A *logical block* is an index into
one request's block table. A *position* counts a request's tokens from 0, and an *offset* is a slot within
its block. So position p lies in logical block p // block_size, at offset p % block_size, in physical block
table[p // block_size].

What this does not do: hold keys and values (`pagedkv.manager`), queue requests that do not fit
(`pagedkv.layouts`), or find equal prefixes by itself.

Source: Kwon et al. 2023, arXiv 2309.06180, sections 4.2 to 4.4. The free list is first in, first out.
"""

from collections import deque
from collections.abc import Hashable, Iterator
from typing import TypeAlias

from pagedkv.errors import DuplicateRequest, OutOfBlocks, UnknownRequest, whole_number

# (physical block, offset, block copied from). A plain tuple, because building a named one would double the
# time of an append (`make bench`).
Written: TypeAlias = tuple[int, int, int | None]


class BlockAllocator:
    """Hands out equal blocks of slots on demand, shares them, and takes them back.

    Args:
        num_blocks: blocks in the pool, at least 1.
        block_size: token slots per block, at least 1.

    Readable at any time: `tables` (request id -> list of physical blocks), `lengths` (request id -> tokens),
    `ref_count` (per physical block, how many tables name it), `free_list` (the next block to hand out is at
    the front).

    Raises:
        InvalidSize: a size is not a whole number of at least 1.

    >>> BlockAllocator(num_blocks=2, block_size=0)
    Traceback (most recent call last):
    pagedkv.errors.InvalidSize: block_size is 0; it must be a whole number of at least 1.
    """

    def __init__(self, num_blocks: int, block_size: int) -> None:
        self.num_blocks = whole_number(num_blocks, "num_blocks")
        self.block_size = whole_number(block_size, "block_size")
        self.tables: dict[Hashable, list[int]] = {}
        self.lengths: dict[Hashable, int] = {}
        self.ref_count = [0] * self.num_blocks
        self.free_list = deque(range(self.num_blocks))

    def add_request(self, rid: Hashable) -> None:
        """Start a request that holds no token and no block.

        Raises:
            DuplicateRequest: `rid` is in use.

        >>> blocks = BlockAllocator(num_blocks=2, block_size=4)
        >>> blocks.add_request("A")
        >>> blocks.tables["A"], blocks.lengths["A"]
        ([], 0)
        """
        if rid in self.tables:
            raise DuplicateRequest(f"Request {rid!r} exists already. Free it first, or use another id.")
        self.tables[rid] = []
        self.lengths[rid] = 0

    def append(self, rid: Hashable) -> Written:
        """Give the request's next token a slot, and return (block, offset, copied_from).

        A new block leaves the free list in two cases. The length is a multiple of the block size, 0 included:
        there is no last block, or it is full. Or the last block has room but is shared: then it is copied
        first (copy-on-write), and `copied_from` is the block whose slots before `offset` must be copied to
        `block`. Otherwise `copied_from` is None.

        Raises:
            UnknownRequest: nobody added `rid`.
            OutOfBlocks: a block is needed and none is free. Nothing has changed.

        >>> blocks = BlockAllocator(num_blocks=2, block_size=2)
        >>> blocks.add_request("A")
        >>> blocks.append("A"), blocks.append("A"), blocks.append("A")
        ((0, 0, None), (0, 1, None), (1, 0, None))
        """
        try:
            table = self.tables[rid]
        except KeyError:
            raise self._unknown(rid) from None
        length = self.lengths[rid]
        offset = length % self.block_size
        copied_from = None
        if offset == 0:
            block = self._take_block()
            table.append(block)
        else:
            block = table[-1]
            if self.ref_count[block] > 1:
                copied_from = block
                block = self._take_block()
                table[-1] = block
                self.ref_count[copied_from] -= 1
        self.lengths[rid] = length + 1
        return block, offset, copied_from

    def fork(self, parent: Hashable, child: Hashable) -> None:
        """Start `child` as a copy of `parent` that shares every block of it.

        Only the table is copied. Each block's reference count goes up by one; no slot is touched.

        Raises:
            UnknownRequest: nobody added `parent`.
            DuplicateRequest: `child` is in use.

        >>> blocks = BlockAllocator(num_blocks=6, block_size=4)
        >>> blocks.add_request("S1")
        >>> for _ in range(6):
        ...     block, offset, copied_from = blocks.append("S1")
        >>> blocks.fork("S1", "S2")
        >>> blocks.ref_count[:3]
        [2, 2, 0]
        >>> blocks.append("S1")
        (2, 2, 1)
        >>> blocks.tables, blocks.ref_count[:3]
        ({'S1': [0, 2], 'S2': [0, 1]}, [2, 1, 1])
        """
        if parent not in self.tables:
            raise self._unknown(parent)
        self.add_request(child)
        self.tables[child] = self.tables[parent].copy()
        self.lengths[child] = self.lengths[parent]
        for block in self.tables[child]:
            self.ref_count[block] += 1

    def free(self, rid: Hashable) -> list[int]:
        """End a request, and return the blocks that went back to the free list, in that order.

        A block goes back when the last table that names it is gone. It is neither cleared nor copied: only
        slots within a request's length are ever read.

        Raises:
            UnknownRequest: nobody added `rid`.

        >>> blocks = BlockAllocator(num_blocks=2, block_size=4)
        >>> blocks.add_request("A")
        >>> blocks.append("A")
        (0, 0, None)
        >>> blocks.free("A"), list(blocks.free_list)
        ([0], [1, 0])
        """
        if rid not in self.tables:
            raise self._unknown(rid)
        returned = []
        for block in self.tables.pop(rid):
            self.ref_count[block] -= 1
            if self.ref_count[block] == 0:
                self.free_list.append(block)
                returned.append(block)
        del self.lengths[rid]
        return returned

    def slots(self, rid: Hashable) -> Iterator[tuple[int, int]]:
        """Yield (physical block, offset) of each of the request's tokens, in order of position.

        Raises:
            UnknownRequest: nobody added `rid`.

        >>> blocks = BlockAllocator(num_blocks=2, block_size=2)
        >>> blocks.add_request("A")
        >>> for _ in range(3):
        ...     block, offset, copied_from = blocks.append("A")
        >>> list(blocks.slots("A"))
        [(0, 0), (0, 1), (1, 0)]
        """
        length, table = self.length_of(rid), self.tables[rid]
        return ((table[p // self.block_size], p % self.block_size) for p in range(length))

    def length_of(self, rid: Hashable) -> int:
        """Return the request's number of tokens.

        Raises:
            UnknownRequest: nobody added `rid`.

        >>> BlockAllocator(num_blocks=2, block_size=4).length_of("A")
        Traceback (most recent call last):
        pagedkv.errors.UnknownRequest: There is no request 'A'. Add it first. Known: none.
        """
        if rid not in self.lengths:
            raise self._unknown(rid)
        return self.lengths[rid]

    def blocks_for(self, num_tokens: int) -> int:
        """Return how many blocks `num_tokens` tokens of one request take.

        >>> BlockAllocator(num_blocks=8, block_size=4).blocks_for(9)
        3
        """
        return -(-whole_number(num_tokens, "num_tokens", at_least=0) // self.block_size)

    @property
    def num_wasted(self) -> int:
        """Slots that are allocated and hold no token, each physical block counted once.

        >>> blocks = BlockAllocator(num_blocks=8, block_size=4)
        >>> blocks.add_request("A")
        >>> blocks.append("A")
        (0, 0, None)
        >>> blocks.num_wasted
        3
        """
        return sum(self.block_size - filled for filled in self.filled_of_block().values())

    def filled_of_block(self) -> dict[int, int]:
        """Return physical block -> slots of it that hold a token, for every allocated block.

        >>> blocks = BlockAllocator(num_blocks=8, block_size=4)
        >>> blocks.add_request("A")
        >>> for _ in range(6):
        ...     block, offset, copied_from = blocks.append("A")
        >>> blocks.filled_of_block()
        {0: 4, 1: 2}
        """
        # Tables that share a block agree on how full it is: a write to a shared block with room copies it.
        return {
            block: min(self.block_size, self.lengths[rid] - logical * self.block_size)
            for rid, table in self.tables.items()
            for logical, block in enumerate(table)
        }

    def _take_block(self) -> int:
        """Take the block at the front of the free list and give it a first owner."""
        if not self.free_list:
            raise OutOfBlocks(
                f"No block is free: all {self.num_blocks} are owned. Free a request, or make the pool larger."
            )
        block = self.free_list.popleft()
        self.ref_count[block] = 1
        return block

    def _unknown(self, rid: Hashable) -> UnknownRequest:
        known = ", ".join(map(repr, self.tables)) or "none"
        return UnknownRequest(f"There is no request {rid!r}. Add it first. Known: {known}.")
