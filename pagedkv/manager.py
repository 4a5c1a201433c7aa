"""A paged KV cache: the rules of `pagedkv.blocks` with the key and value pools beside them. Needs NumPy.

Example:
    >>> mgr = BlockManager(num_blocks=8, block_size=4, head_dim=2)
    >>> mgr.add_request("A")
    >>> for token in range(5):
    ...     block, offset, copied_from = mgr.append("A", k=[token, 0.0], v=[0.0, token])
    >>> mgr.tables["A"], mgr.lengths["A"]
    ([0, 1], 5)
    >>> keys, values = mgr.gather("A")
    >>> keys[:, 0]
    array([0., 1., 2., 3., 4.])

What this does not do: compute attention (`pagedkv.attention`), or hold more than one layer and one KV head.
"""

from collections.abc import Hashable
from typing import TYPE_CHECKING

import numpy as np

from pagedkv.arrays import Floats, vector
from pagedkv.blocks import BlockAllocator, Written
from pagedkv.errors import whole_number

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class BlockManager(BlockAllocator):
    """A `BlockAllocator` that also stores each token's key and value in its slot.

    Args:
        num_blocks: blocks in the pool, at least 1.
        block_size: token slots per block, at least 1.
        head_dim: numbers in one key and in one value, at least 1.

    Readable: everything of `BlockAllocator`, and `k_pool`, `v_pool`, float64 arrays of shape
    (num_blocks, block_size, head_dim). A freed slot keeps what it held until it is written again.

    Raises:
        InvalidSize: a size is not a whole number of at least 1.

    >>> BlockManager(num_blocks=2, block_size=4, head_dim=3).k_pool.shape
    (2, 4, 3)
    """

    def __init__(self, num_blocks: int, block_size: int, head_dim: int = 1) -> None:
        super().__init__(num_blocks, block_size)
        self.head_dim = whole_number(head_dim, "head_dim")
        shape = (self.num_blocks, self.block_size, self.head_dim)
        self.k_pool: Floats = np.zeros(shape)
        self.v_pool: Floats = np.zeros(shape)

    def append(self, rid: Hashable, k: "ArrayLike", v: "ArrayLike") -> Written:  # type: ignore[override]
        """Store the next token's key and value, and return (block, offset, copied_from).

        Args:
            rid: a request that was added or forked.
            k: the key, shape (head_dim,); a plain number will do where head_dim is 1.
            v: the value, likewise.

        Raises:
            WrongShape: `k` or `v` is not of that shape.
            UnknownRequest: nobody added `rid`.
            OutOfBlocks: a block is needed and none is free. In all three cases nothing has changed.

        >>> mgr = BlockManager(num_blocks=2, block_size=4)
        >>> mgr.add_request("A")
        >>> mgr.append("A", 0.5, 1.5)
        (0, 0, None)
        >>> mgr.append("A", [0.5, 0.5], 1.5)
        Traceback (most recent call last):
        pagedkv.errors.WrongShape: the key has shape (2,); it must have shape (1,).
        """
        # Shapes first, rules second, writes last: whatever refuses does so before anything has changed.
        key, value = vector(k, self.head_dim, "the key"), vector(v, self.head_dim, "the value")
        block, offset, copied_from = super().append(rid)
        if copied_from is not None:
            self.k_pool[block, :offset] = self.k_pool[copied_from, :offset]
            self.v_pool[block, :offset] = self.v_pool[copied_from, :offset]
        self.k_pool[block, offset] = key
        self.v_pool[block, offset] = value
        return block, offset, copied_from

    def gather(self, rid: Hashable) -> tuple[Floats, Floats]:
        """Return copies of the request's keys and values in order of position, each (length, head_dim).

        Raises:
            UnknownRequest: nobody added `rid`.

        >>> mgr = BlockManager(num_blocks=2, block_size=4)
        >>> mgr.add_request("A")
        >>> mgr.append("A", 0.5, 1.5)
        (0, 0, None)
        >>> mgr.gather("A")
        (array([[0.5]]), array([[1.5]]))
        """
        length = self.length_of(rid)
        table = np.array(self.tables[rid], dtype=np.intp)
        # Whole blocks are copied, and what lies past the last token is cut off.
        keys = self.k_pool[table].reshape(-1, self.head_dim)[:length]
        values = self.v_pool[table].reshape(-1, self.head_dim)[:length]
        return keys, values
