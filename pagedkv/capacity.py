"""How many requests fit a pool at once: reserved runs against blocks. It shows memory, and not speed.

Example:
    >>> admitted_contiguous([5, 9, 3], num_slots=32, reserve=16)
    Admitted(requests=2, tokens=14, allocated=32)
    >>> admitted_paged([5, 9, 3], num_slots=32, block_size=4)
    Admitted(requests=3, tokens=17, allocated=24)

Requests are admitted in order, each counted at its final length, until the first that does not fit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pagedkv.blocks import BlockAllocator
from pagedkv.contiguous import ContiguousPool
from pagedkv.errors import whole_number
from pagedkv.sizes import GIB, LLAMA_3_8B, ModelShape, kv_bytes_per_token

NUM_REQUESTS = 500


class Admitted(NamedTuple):
    """What fitted: requests, the tokens they hold, and the slots that are allocated to them.

    >>> Admitted(requests=1, tokens=6, allocated=8).wasted
    2
    """

    requests: int
    tokens: int
    allocated: int

    @property
    def wasted(self) -> int:
        """Slots that are allocated and hold no token."""
        return self.allocated - self.tokens


def admitted_contiguous(lengths: Sequence[int], num_slots: int, reserve: int) -> Admitted:
    """Admit requests that each reserve a run of `reserve` slots, and hold at most that many tokens.

    Raises:
        InvalidSize: a size or a length is not a whole number, or is too small.

    >>> admitted_contiguous([100, 100], num_slots=16, reserve=16).requests
    1
    """
    pool = ContiguousPool(num_slots)
    tokens = 0
    for rid, length in enumerate(lengths):
        if pool.reserve(rid, reserve) is None:
            break
        tokens += min(whole_number(length, "a length", at_least=0), reserve)
    return Admitted(len(pool.reservations), tokens, len(pool.reservations) * reserve)


def admitted_paged(lengths: Sequence[int], num_slots: int, block_size: int) -> Admitted:
    """Admit requests that each take the blocks of their tokens.

    Raises:
        InvalidSize: a size or a length is not a whole number, or is too small.

    >>> admitted_paged([100, 100], num_slots=16, block_size=4).requests
    0
    """
    blocks = BlockAllocator(num_slots // whole_number(block_size, "block_size"), block_size)
    for rid, length in enumerate(lengths):
        if blocks.blocks_for(length) > len(blocks.free_list):
            break
        blocks.add_request(rid)
        for _ in range(length):
            blocks.append(rid)
    allocated = (blocks.num_blocks - len(blocks.free_list)) * block_size
    return Admitted(len(blocks.tables), sum(blocks.lengths.values()), allocated)


@dataclass(frozen=True)
class CapacityExample:
    """The lesson's example: an invented workload on a pool for a real model.

    `lengths` are the workload's final lengths; `lowest` and `highest` bound them.
    """

    model: ModelShape
    pool_bytes: int
    num_slots: int
    reserve: int
    block_size: int
    lowest: int
    highest: int
    lengths: list[int]
    contiguous: Admitted
    paged: Admitted


def capacity_example(
    model: ModelShape = LLAMA_3_8B,
    *,
    pool_bytes: int = 16 * GIB,
    reserve: int = 8192,
    block_size: int = 16,
    num_requests: int = NUM_REQUESTS,
) -> CapacityExample:
    """Run the capacity example: lengths uniform on 100 to 2,000, drawn by NumPy's generator with seed 0.

    >>> example = capacity_example()
    >>> example.paged.requests > 7 * example.contiguous.requests
    True
    """
    # Build data: the NumPy of the browser comes without `random`, so this runs on the builder's machine only.
    import numpy as np  # noqa: PLC0415

    lowest, highest = 100, 2000
    lengths = np.random.default_rng(0).integers(lowest, highest + 1, num_requests).tolist()
    num_slots = pool_bytes // kv_bytes_per_token(model)
    return CapacityExample(
        model=model,
        pool_bytes=pool_bytes,
        num_slots=num_slots,
        reserve=reserve,
        block_size=block_size,
        lowest=lowest,
        highest=highest,
        lengths=lengths,
        contiguous=admitted_contiguous(lengths, num_slots, reserve),
        paged=admitted_paged(lengths, num_slots, block_size),
    )
