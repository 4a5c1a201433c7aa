"""From the tables of a `BlockManager` to what a kernel takes: one rectangle of block ids, and the lengths.

Example:
    >>> from pagedkv import BlockAllocator
    >>> blocks = BlockAllocator(num_blocks=8, block_size=4)
    >>> for chat, tokens in (("A", 6), ("B", 3)):
    ...     blocks.add_request(chat)
    ...     for _ in range(tokens):
    ...         written = blocks.append(chat)
    >>> block_tables, lengths = tables_of(blocks, padding=-1)
    >>> block_tables
    array([[ 0,  1],
           [ 2, -1]], dtype=int32)
    >>> lengths
    array([6, 3], dtype=int32)
"""

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from pagedkv.blocks import BlockAllocator
from pagedkv.errors import UnknownRequest
from pagedkv.manager import BlockManager

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Rows of the rectangle are as long as the longest table. No reader may look at what fills up the others, so
# it is a block that no pool has: a reader who does look reads far outside, and that is noticed.
PADDING = 2**31 - 1


def tables_of(
    blocks: BlockAllocator, rids: Iterable[Hashable] | None = None, *, padding: int = PADDING
) -> tuple["NDArray[np.int32]", "NDArray[np.int32]"]:
    """Return (block_tables, lengths) of requests, as int32: shapes (requests, longest table) and (requests,).

    Args:
        blocks: the allocator; a `BlockManager` is one.
        rids: which requests, in this order; all of them, in the order in which they were added, if left out.
        padding: what stands behind the end of a table that is shorter than the longest.

    Raises:
        UnknownRequest: nobody added one of them.
    """
    chosen = list(blocks.tables) if rids is None else list(rids)
    for rid in chosen:
        if rid not in blocks.tables:
            raise UnknownRequest(f"There is no request {rid!r}, so it has no block table.")
    tables = [blocks.tables[rid] for rid in chosen]
    # At least one column, so that there is something to point at even where nobody holds a block.
    widest = max([1, *map(len, tables)])
    block_tables = np.full((len(tables), widest), padding, dtype=np.int32)
    for row, table in zip(block_tables, tables, strict=True):
        row[: len(table)] = table
    return block_tables, np.array([blocks.lengths[rid] for rid in chosen], dtype=np.int32)


def caches_of(mgr: BlockManager) -> tuple["NDArray[np.float64]", "NDArray[np.float64]"]:
    """Return (k_cache, v_cache) of a `BlockManager`: its pools as caches of one KV head, not copied.

    Shape (num_blocks, block_size, 1, head_dim).

    >>> mgr = BlockManager(num_blocks=8, block_size=4, head_dim=2)
    >>> caches_of(mgr)[0].shape
    (8, 4, 1, 2)
    """
    return mgr.k_pool[:, :, None, :], mgr.v_pool[:, :, None, :]
