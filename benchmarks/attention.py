"""Attention through the block table against attention over one flat array, 8,192 tokens.

Three tables: of one request alone in a fresh pool, whose blocks are neighbours; of one of two requests that
grew in turn, whose blocks alternate; and of one whose blocks were freed by others in random order.
"""

import random
import time
from collections.abc import Iterator

import numpy as np

from benchmarks.runner import Row, compare
from pagedkv import BlockManager, attention_contiguous, paged_attention
from pagedkv.arrays import Floats

TITLE = "Attention of one query over 8,192 tokens: through the table against flat"
TOKENS = 8_192
HEAD_DIMS = (64, 128)
BLOCK_SIZES = (16, 1, 4, 64)
CLAIMED_BLOCK_SIZE = 16  # that of the paper, and the one that the project's aim is about
TABLES = ("fresh pool", "grown in turn", "scattered")
ROUNDS = 61


def rows() -> Iterator[Row]:
    """Measure every block size, head size and kind of table."""
    for block_size in BLOCK_SIZES:
        for head_dim in HEAD_DIMS:
            for kind in TABLES:
                yield measure(block_size, head_dim, kind)


def measure(block_size: int, head_dim: int, kind: str) -> Row:
    """Compare both ways on the same keys, values and query."""
    generator = np.random.default_rng(0)
    query = generator.standard_normal(head_dim)
    keys, values = generator.standard_normal((2, TOKENS, head_dim))
    mgr = filled(block_size, kind, keys, values)
    difference = np.abs(paged_attention(query, mgr, "A") - attention_contiguous(query, keys, values)).max()
    if difference > 1e-12:
        raise AssertionError(f"The two ways differ by {difference}: there is nothing to compare.")

    def through_the_table() -> float:
        start = time.perf_counter()
        paged_attention(query, mgr, "A")
        return 1000 * (time.perf_counter() - start)

    def flat() -> float:
        start = time.perf_counter()
        attention_contiguous(query, keys, values)
        return 1000 * (time.perf_counter() - start)

    return compare(
        f"blocks of {block_size}, head size {head_dim}, {kind}",
        {"paged": through_the_table, "flat": flat},
        rounds=ROUNDS,
        unit="ms",
        at_most=1.2 if block_size == CLAIMED_BLOCK_SIZE else None,
    )


def filled(block_size: int, kind: str, keys: Floats, values: Floats) -> BlockManager:
    """Return a pool, twice as large as needed, in which request A holds the keys and values."""
    mgr = BlockManager(2 * TOKENS // block_size, block_size, keys.shape[1])
    if kind == "scattered":
        _scatter(mgr)
    mgr.add_request("A")
    mgr.add_request("B")
    for key, value in zip(keys, values, strict=True):
        mgr.append("A", key, value)
        if kind == "grown in turn":
            mgr.append("B", value, key)
    return mgr


def _scatter(mgr: BlockManager) -> None:
    """Take every block for a request of its own, and give all back in random order."""
    names = list(range(mgr.num_blocks))
    nothing = np.zeros(mgr.head_dim)
    for name in names:
        mgr.add_request(name)
        mgr.append(name, nothing, nothing)
    random.Random(0).shuffle(names)
    for name in names:
        mgr.free(name)
