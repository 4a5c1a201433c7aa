"""Attention of one query over one request: over a flat array, and through a block table. Needs NumPy.

Example:
    >>> from pagedkv import BlockManager
    >>> mgr = BlockManager(num_blocks=4, block_size=2, head_dim=2)
    >>> mgr.add_request("A")
    >>> for k, v in (([1, 0], [10, 0]), ([0, 1], [0, 10]), ([0, 0], [5, 5])):
    ...     block, offset, copied_from = mgr.append("A", k, v)
    >>> through_the_table = paged_attention([1, 1], mgr, "A")
    >>> over_a_flat_array = attention_contiguous([1, 1], *mgr.gather("A"))
    >>> bool(abs(through_the_table - over_a_flat_array).max() < 1e-12)
    True

Shapes: a query is (head_dim,), keys and values are (tokens, head_dim), an output is (head_dim,). All float64.

What this does not do: more than one head or query at a time, and masks: a decode step may look at all tokens.

Source: scaled dot-product attention, Vaswani et al. 2017, arXiv 1706.03762, section 3.2.1; the walk through
the table, Kwon et al. 2023, arXiv 2309.06180, section 4.1.
"""

import math
from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from pagedkv.arrays import Floats, floats, vector
from pagedkv.errors import WrongShape
from pagedkv.manager import BlockManager

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

# Numbers of scattered blocks gathered at a time: enough to hide Python's own cost, few enough for a cache.
NUMBERS_AT_A_TIME = 2**16


def softmax(scores: Floats) -> Floats:
    """Return weights of the scores' shape that sum to 1. The maximum is taken out first, so none overflows.

    >>> softmax(np.array([1000.0, 1000.0]))
    array([0.5, 0.5])
    """
    weights: Floats = np.exp(scores - scores.max())
    weights /= weights.sum()
    return weights


def attention_contiguous(q: "ArrayLike", keys: "ArrayLike", values: "ArrayLike") -> Floats:
    """Return the attention of query `q` over keys and values that lie in one piece.

    Args:
        q: shape (head_dim,).
        keys: shape (tokens, head_dim), at least one token.
        values: shape (tokens, any size).

    Raises:
        WrongShape: the shapes do not fit each other, or there is no token.

    >>> attention_contiguous([1.0], [[0.0], [0.0]], [[2.0], [4.0]])
    array([3.])
    """
    keys, values = floats(keys, "keys"), floats(values, "values")
    if keys.ndim != 2 or values.ndim != 2 or len(keys) != len(values) or len(keys) == 0:
        raise WrongShape(
            f"keys have shape {keys.shape} and values {values.shape}; "
            "both must be (tokens, size) with the same number of tokens, at least one."
        )
    query = vector(q, keys.shape[1], "the query")
    weights = softmax(keys @ query / math.sqrt(len(query)))
    return weights @ values


def paged_attention(q: "ArrayLike", mgr: BlockManager, rid: Hashable) -> Floats:
    """Return the attention of query `q` over a request's tokens where they lie, a few blocks at a time.

    Args:
        q: shape (head_dim,); a plain number will do where head_dim is 1.
        mgr: the cache.
        rid: a request that holds at least one token.

    Raises:
        WrongShape: `q` is not of that shape, or the request holds no token.
        UnknownRequest: nobody added `rid`.

    >>> mgr = BlockManager(num_blocks=1, block_size=4)
    >>> mgr.add_request("A")
    >>> mgr.append("A", k=0.0, v=3.0)
    (0, 0, None)
    >>> paged_attention(1.0, mgr, "A")
    array([3.])
    """
    weights = paged_weights(q, mgr, rid)
    output = np.zeros(mgr.head_dim)
    for first, values in _rows(mgr.v_pool, mgr, rid):
        output += weights[first : first + len(values)] @ values
    return output


def paged_weights(q: "ArrayLike", mgr: BlockManager, rid: Hashable) -> Floats:
    """Return how much each of a request's tokens counts for query `q`: shape (length,), sum 1.

    Arguments and errors are those of `paged_attention`.

    >>> mgr = BlockManager(num_blocks=1, block_size=4)
    >>> mgr.add_request("A")
    >>> mgr.append("A", k=0.0, v=3.0)
    (0, 0, None)
    >>> paged_weights(1.0, mgr, "A")
    array([1.])
    """
    query = vector(q, mgr.head_dim, "the query")
    scores = np.empty(mgr.length_of(rid))
    if len(scores) == 0:
        raise WrongShape(
            f"Request {rid!r} holds no token, so there is nothing to attend to. Append one first."
        )
    for first, keys in _rows(mgr.k_pool, mgr, rid):
        scores[first : first + len(keys)] = keys @ query
    return softmax(scores / math.sqrt(mgr.head_dim))


def _rows(pool: Floats, mgr: BlockManager, rid: Hashable) -> Iterator[tuple[int, Floats]]:
    """Yield (position of the first row, rows of `pool`) along the block table, up to the request's length."""
    table, length = mgr.tables[rid], mgr.lengths[rid]
    # However they are found, rows past the length are cut off: past it lie stale slots of the last block.
    if _are_neighbours(table):
        # Blocks that happen to be neighbours in the pool are read in place.
        yield 0, pool[table[0] : table[-1] + 1].reshape(-1, mgr.head_dim)[:length]
        return
    # Scattered ones are gathered, some at a time and always into the same room: each yield ends the last one.
    at_a_time = min(len(table), max(1, NUMBERS_AT_A_TIME // (mgr.block_size * mgr.head_dim)))
    room = np.empty((at_a_time, mgr.block_size, mgr.head_dim))
    for logical in range(0, len(table), at_a_time):
        blocks = table[logical : logical + at_a_time]
        # "clip" spares NumPy a second buffer; no index of a table is out of range.
        found = pool.take(blocks, axis=0, out=room[: len(blocks)], mode="clip")
        first = logical * mgr.block_size
        yield first, found.reshape(-1, mgr.head_dim)[: length - first]


def _are_neighbours(blocks: list[int]) -> bool:
    return blocks == list(range(blocks[0], blocks[0] + len(blocks)))
