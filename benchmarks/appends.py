"""One-token appends of `BlockAllocator` against a bare loop that makes the same updates inline.

The bare loop keeps the same dictionaries and lists, finds out block and offset of each token as the allocator
does, and leaves out what makes the allocator one: the call, the check of the id, the check whether the block
is shared, the refusal, the result. Both fill fresh pools, several requests in turn.
"""

import time
from collections import deque
from collections.abc import Iterator

from benchmarks.runner import Row, compare
from pagedkv import BlockAllocator

TITLE = "One-token appends, blocks of 16, 8 requests in turn: the rules against a bare loop"
BLOCK_SIZE = 16
REQUESTS = range(8)
ROUNDS = {1_000: 51, 10_000: 15, 100_000: 5, 1_000_000: 5}
# Fills the pool of 100,000 blocks, and a tenth of the largest.
MOST_TOKENS = 1_600_000


def rows() -> Iterator[Row]:
    """Measure every pool size."""
    for num_blocks, rounds in ROUNDS.items():
        tokens_each = min(num_blocks * BLOCK_SIZE, MOST_TOKENS) // len(REQUESTS)
        # A request's last block may stay partly empty: leave room for it.
        tokens_each -= tokens_each % BLOCK_SIZE

        def rules(num_blocks: int = num_blocks, tokens_each: int = tokens_each) -> float:
            return with_the_rules(num_blocks, tokens_each)

        def bare(num_blocks: int = num_blocks, tokens_each: int = tokens_each) -> float:
            return with_a_bare_loop(num_blocks, tokens_each)

        yield compare(
            f"{num_blocks:,} blocks",
            {"rules": rules, "bare loop": bare},
            rounds=rounds,
            unit="ns",
            at_most=2.0,
        )


def with_the_rules(num_blocks: int, tokens_each: int) -> float:
    """Return nanoseconds per append of `BlockAllocator`."""
    blocks = BlockAllocator(num_blocks, BLOCK_SIZE)
    for rid in REQUESTS:
        blocks.add_request(rid)
    append = blocks.append
    start = time.perf_counter_ns()
    for _ in range(tokens_each):
        for rid in REQUESTS:
            append(rid)
    return (time.perf_counter_ns() - start) / (tokens_each * len(REQUESTS))


def with_a_bare_loop(num_blocks: int, tokens_each: int) -> float:
    """Return nanoseconds per append of the loop that knows nothing but these few lines."""
    free_list = deque(range(num_blocks))
    ref_count = [0] * num_blocks
    tables: dict[int, list[int]] = {rid: [] for rid in REQUESTS}
    lengths = dict.fromkeys(REQUESTS, 0)
    block_size = BLOCK_SIZE
    start = time.perf_counter_ns()
    for _ in range(tokens_each):
        for rid in REQUESTS:
            table = tables[rid]
            length = lengths[rid]
            offset = length % block_size
            if offset == 0:
                block = free_list.popleft()
                ref_count[block] = 1
                table.append(block)
            else:
                block = table[-1]
            lengths[rid] = length + 1
    return (time.perf_counter_ns() - start) / (tokens_each * len(REQUESTS))
