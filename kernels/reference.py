"""Paged decode attention for a batch, in NumPy: the text that the kernels are read beside.

Example:
    >>> rng = np.random.default_rng(0)
    >>> k_cache, v_cache = rng.standard_normal((2, 3, 4, 1, 8))  # 3 blocks of 4 slots, 1 KV head of size 8
    >>> q = rng.standard_normal((2, 2, 8))  # 2 requests, 2 query heads
    >>> out = paged_decode(
    ...     q, k_cache, v_cache, block_tables=np.array([[2, 0], [1, 9]]), lengths=np.array([6, 3])
    ... )
    >>> out.shape
    (2, 2, 8)

Each request decodes one token: it has one query per head, and looks at all keys and values of its context.
The query heads come in groups, and the heads of a group share one KV head. The walk is that of the kernels,
in float64, with loops where they have programs.

    m       the largest score so far
    l       the sum of the weights so far, each relative to m
    acc     the weighted sum of the values so far, relative to m
    alpha   what the sums so far are worth, once m has grown

The softmax needs the largest score before it can weigh anything, and here the scores arrive a tile at a time.
So the sums are kept relative to the largest score so far, and scaled down whenever a larger one turns up.
Weights are powers of two, since a GPU has an instruction for 2**x and none for e**x.

Source: the online softmax, Milakov and Gimelshein 2018, arXiv 1805.02867; splitting and merging, Dao et al.
2023, "Flash-Decoding for long-context inference".
"""

import math
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Ids: TypeAlias = NDArray[np.int32]

LOG2_E = math.log2(math.e)


def paged_decode(
    q: "Floats",
    k_cache: "Floats",
    v_cache: "Floats",
    block_tables: "Ids",
    lengths: "Ids",
    *,
    tile: int = 64,
    split_size: int | None = None,
) -> "Floats":
    """Return the attention of one token per request, shape (requests, heads, head_dim).

    A request of length 0 has nothing to look at; its output is 0.

    Args:
        q: shape (requests, heads, head_dim).
        k_cache, v_cache: shape (num_blocks, block_size, kv_heads, head_dim).
        block_tables: shape (requests, blocks of the longest); what lies behind a last block is not read.
        lengths: tokens of each request, shape (requests,).
        tile: positions that are read at a time.
        split_size: positions that one program would read; all of a request's if left out.
    """
    num_heads, head_dim = q.shape[1:]
    num_kv_heads = k_cache.shape[2]
    group = num_heads // num_kv_heads
    scale_log2 = LOG2_E / math.sqrt(head_dim)
    out = np.zeros(q.shape)
    for request, length in enumerate(lengths):
        split = split_size or max(1, int(length))
        for kv_head in range(num_kv_heads):
            heads = slice(kv_head * group, (kv_head + 1) * group)
            parts = [
                attend(
                    q[request, heads],
                    k_cache[:, :, kv_head],
                    v_cache[:, :, kv_head],
                    block_tables[request],
                    start,
                    min(start + split, int(length)),
                    scale_log2=scale_log2,
                    tile=tile,
                )
                for start in range(0, length, split)
            ]
            if parts:
                out[request, heads] = merge(parts)
    return out


def attend(
    q: "Floats",
    keys: "Floats",
    values: "Floats",
    block_table: "Ids",
    start: int,
    stop: int,
    *,
    scale_log2: float,
    tile: int,
) -> tuple["Floats", "Floats"]:
    """Return (out, lse) of the queries of one group over the positions `start` to `stop` - 1 of one request.

    `out` has shape (group, head_dim), and is a finished softmax over these positions alone. `lse`, shape
    (group,), is the logarithm to base 2 of the sum of their weights, which `merge` needs to join stretches.
    """
    group, head_dim = q.shape
    block_size = keys.shape[1]
    m = np.full(group, -np.inf)
    l = np.zeros(group)
    acc = np.zeros((group, head_dim))
    for first in range(start, stop, tile):
        positions = np.arange(first, min(first + tile, stop))
        # The table says in which block a position lies; within it the offset is what is left over.
        blocks = block_table[positions // block_size]
        offsets = positions % block_size
        k = keys[blocks, offsets]
        v = values[blocks, offsets]
        scores = q @ k.T * scale_log2
        m_new = np.maximum(m, scores.max(axis=1))
        alpha = np.exp2(m - m_new)
        p = np.exp2(scores - m_new[:, None])
        l = l * alpha + p.sum(axis=1)
        acc = acc * alpha[:, None] + p @ v
        m = m_new
    return acc / l[:, None], m + np.log2(l)


def merge(parts: list[tuple["Floats", "Floats"]]) -> "Floats":
    """Return the attention over several stretches from that over each: outputs weighed by their sums.

    >>> one, other = (np.array([[2.0]]), np.array([0.0])), (np.array([[8.0]]), np.array([1.0]))
    >>> merge([one, other])  # the second stretch holds twice the weight
    array([[6.]])
    """
    out, lse = (np.stack(each) for each in zip(*parts, strict=True))
    weights = np.exp2(lse - lse.max(axis=0))
    total: Floats = (out * weights[:, :, None]).sum(axis=0) / weights.sum(axis=0)[:, None]
    return total
