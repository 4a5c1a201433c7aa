"""Random decode steps whose every unused slot is poisoned: for tests, and for a first look.

Example:
    >>> case = make_case(
    ...     lengths=[5, 2], num_heads=2, num_kv_heads=1, head_dim=16, block_size=4, dtype="float32"
    ... )
    >>> case.block_tables.array.shape, case.lengths.array.tolist()
    ((2, 2), [5, 2])
    >>> bool(np.isnan(to_numpy(case.k_cache)).any())
    True

The block tables are those of a `BlockAllocator` whose requests grew in random turns, in a pool whose free
list was shuffled by earlier requests. A slot that holds no token of anybody holds NaN or infinity.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kernels.batch import PADDING, tables_of
from kernels.device import on_device, to_numpy
from kernels.reference import paged_decode
from pagedkv.blocks import BlockAllocator

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Case:
    """The arguments of a decode step, where the kernels read them."""

    q: Any
    k_cache: Any
    v_cache: Any
    block_tables: Any
    lengths: Any

    def expected(self) -> "NDArray[np.float64]":
        """Return the output of the reference on the very numbers that the kernels read."""
        q, k_cache, v_cache, block_tables, lengths = (
            to_numpy(each) for each in (self.q, self.k_cache, self.v_cache, self.block_tables, self.lengths)
        )
        return paged_decode(q, k_cache, v_cache, block_tables, lengths)

    def error_of(self, out: Any) -> float:
        """Return the largest difference between an output and the reference's; NaN if there is any in it."""
        return float(np.abs(to_numpy(out) - self.expected()).max(initial=0.0))


def make_case(
    *,
    lengths: Sequence[int],
    num_heads: int,
    num_kv_heads: int,
    head_dim: int,
    block_size: int,
    dtype: str,
    padding: int = PADDING,
    seed: int = 0,
    gpu: bool | None = None,
) -> Case:
    """Return a decode step for requests of the given lengths.

    Args:
        lengths: tokens per request; 0 is allowed.
        num_heads, num_kv_heads, head_dim, block_size: sizes; `num_heads` is a multiple of `num_kv_heads`.
        dtype: of the caches. The queries have the same, or bfloat16 where the caches hold 8-bit numbers.
        padding: what stands in the block tables behind the end of the shorter ones.
        seed: another one gives other numbers and other tables.
        gpu: where the arrays shall be; where there is a GPU, on it, if left out.
    """
    rng = np.random.default_rng(seed)
    blocks = scattered(lengths, block_size, seed=seed)
    block_tables, counted = tables_of(blocks, padding=padding)
    k_cache, v_cache = rng.standard_normal((2, blocks.num_blocks, block_size, num_kv_heads, head_dim))
    unused = np.ones((blocks.num_blocks, block_size), dtype=bool)
    for table, length in zip(block_tables, counted, strict=True):
        positions = np.arange(length)
        unused[table[positions // block_size], positions % block_size] = False
    # No 8-bit float of this kind is infinite: what is too large for it becomes NaN as well.
    poison = np.array([np.nan, np.inf, -np.inf])
    for cache in (k_cache, v_cache):
        cache[unused] = rng.choice(poison, size=(int(unused.sum()), num_kv_heads, head_dim))
    q = rng.standard_normal((len(lengths), num_heads, head_dim))
    q_dtype = "bfloat16" if dtype.startswith("float8") else dtype
    return Case(
        on_device(q, q_dtype, gpu=gpu),
        on_device(k_cache, dtype, gpu=gpu),
        on_device(v_cache, dtype, gpu=gpu),
        on_device(block_tables, "int32", gpu=gpu),
        on_device(counted, "int32", gpu=gpu),
    )


def scattered(lengths: Sequence[int], block_size: int, *, spare: int = 3, seed: int = 0) -> BlockAllocator:
    """Return an allocator with requests 0, 1, ... of the given lengths, whose blocks lie about in the pool.

    >>> scattered([9, 9], block_size=4, seed=1).tables
    {0: [5, 7, 0], 1: [6, 4, 3]}
    """
    generator = random.Random(seed)
    needed = sum(-(-length // block_size) for length in lengths)
    blocks = BlockAllocator(needed + spare, block_size)
    # Requests of one block each take all of the pool, and give it back in random order.
    before = [f"before {number}" for number in range(blocks.num_blocks)]
    for name in before:
        blocks.add_request(name)
        blocks.append(name)
    generator.shuffle(before)
    for name in before:
        blocks.free(name)
    turns = [rid for rid, length in enumerate(lengths) for _ in range(length)]
    generator.shuffle(turns)
    for rid in range(len(lengths)):
        blocks.add_request(rid)
    for rid in turns:
        blocks.append(rid)
    return blocks
