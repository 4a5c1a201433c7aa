"""The two runs that the lesson offers as evidence: the same attention, and nothing lost or owned twice.

Example:
    >>> [(run.block_size, run.largest_difference < 1e-12) for run in attention_proof()]
    [(1, True), (4, True), (16, True)]
    >>> random_run(seed=1, num_operations=50).checks
    50

The random numbers are the standard library's, seeded, so that every Python gives the same runs.
"""

import random
from collections import Counter
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from pagedkv.arrays import Floats
from pagedkv.attention import attention_contiguous, paged_attention
from pagedkv.errors import OutOfBlocks
from pagedkv.manager import BlockManager

HEAD_DIM = 4
LENGTHS = {"A": 13, "B": 7}


@dataclass(frozen=True)
class AttentionRun:
    """Attention through the table beside attention over one flat array, for one block size.

    `outputs` is request -> (through the table, flat), each of shape (head_dim,).
    """

    block_size: int
    outputs: dict[str, tuple[Floats, Floats]]
    largest_difference: float


def attention_proof(block_sizes: tuple[int, ...] = (1, 4, 16), seed: int = 0) -> list[AttentionRun]:
    """Grow two requests in turn, so that their blocks alternate in the pool, and read both in two ways.

    The flat arrays are lists of what was appended, kept apart from the pool.

    >>> attention_proof((4,))[0].outputs["A"][0].shape
    (4,)
    """
    rng = random.Random(seed)
    pairs = {rid: [(_gaussian(rng), _gaussian(rng)) for _ in range(n)] for rid, n in LENGTHS.items()}
    queries = {rid: _gaussian(rng) for rid in LENGTHS}
    runs = []
    for block_size in block_sizes:
        mgr = BlockManager(sum(LENGTHS.values()), block_size, HEAD_DIM)
        for rid in LENGTHS:
            mgr.add_request(rid)
        for turn in zip_longest(*pairs.values()):
            for rid, pair in zip(LENGTHS, turn, strict=True):
                if pair is not None:
                    mgr.append(rid, *pair)
        outputs = {}
        for rid in LENGTHS:
            keys, values = (np.array(side) for side in zip(*pairs[rid], strict=True))
            outputs[rid] = (
                paged_attention(queries[rid], mgr, rid),
                attention_contiguous(queries[rid], keys, values),
            )
        difference = max(float(np.abs(paged - flat).max()) for paged, flat in outputs.values())
        runs.append(AttentionRun(block_size, outputs, difference))
    return runs


@dataclass(frozen=True)
class RandomRun:
    """What a randomized run did: operations by kind, of which `refused` for want of a block, and checks."""

    seed: int
    operations: dict[str, int]
    refused: int
    checks: int


def random_run(
    seed: int, num_operations: int = 400, *, num_blocks: int = 24, block_size: int = 4
) -> RandomRun:
    """Mix add, append, fork and free at random, and check the whole state after each.

    Checked: each block is either on the free list once and unowned, or named by as many tables as its count
    says; and every request reads back exactly what was written to it, forks included.

    Raises:
        AssertionError: a check failed.

    >>> sum(random_run(seed=0, num_operations=40).operations.values())
    40
    """
    rng = random.Random(seed)
    mgr = BlockManager(num_blocks, block_size, head_dim=1)
    written: dict[int, list[float]] = {}
    done: Counter[str] = Counter()
    refused = 0
    for number in range(num_operations):
        kind = rng.choices(("add", "append", "fork", "free"), weights=(3, 12, 2, 2))[0] if written else "add"
        rid = rng.choice(sorted(written)) if written else -1
        done[kind] += 1
        if kind == "add":
            mgr.add_request(number)
            written[number] = []
        elif kind == "append":
            token = rng.random()
            try:
                mgr.append(rid, token, -token)
                written[rid].append(token)
            except OutOfBlocks:
                refused += 1
        elif kind == "fork":
            mgr.fork(rid, number)
            written[number] = written[rid].copy()
        else:
            mgr.free(rid)
            del written[rid]
        _check(mgr, written)
    return RandomRun(seed, dict(done), refused, num_operations)


def _check(mgr: BlockManager, written: dict[int, list[float]]) -> None:
    owners = Counter(block for table in mgr.tables.values() for block in table)
    free = Counter(mgr.free_list)
    for block in range(mgr.num_blocks):
        is_right = owners[block] == mgr.ref_count[block] and free[block] == (owners[block] == 0)
        if not is_right:
            raise AssertionError(
                f"Block {block} is free {free[block]} times, named by {owners[block]} tables, "
                f"and counted {mgr.ref_count[block]} times."
            )
    for rid, tokens in written.items():
        keys, values = mgr.gather(rid)
        if keys[:, 0].tolist() != tokens or values[:, 0].tolist() != [-token for token in tokens]:
            raise AssertionError(f"Request {rid} reads back other tokens than were written to it.")


def _gaussian(rng: random.Random) -> Floats:
    return np.array([rng.gauss() for _ in range(HEAD_DIM)])
