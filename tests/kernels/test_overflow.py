"""A cache of more than 2**32 numbers: an offset in 32 bits would wrap, and stay inside the cache."""

from typing import Any

import numpy as np
import pytest

from kernels.device import HostTensor, on_device, to_numpy
from kernels.reference import paged_decode
from tests.kernels.running import needing_triton

plain = needing_triton("kernels.plain")
fast = needing_triton("kernels.fast")
ml_dtypes = needing_triton("ml_dtypes")

HEAD_DIM, BLOCK_SIZE = 64, 16
NUMBERS_PER_BLOCK = HEAD_DIM * BLOCK_SIZE
NUM_BLOCKS = 5 * 2**30 // NUMBERS_PER_BLOCK
FAR = 2**32 // NUMBERS_PER_BLOCK + 5  # its first number is number 2**32 + 5 * 1024, which wraps to block 5
NEAR = 5


@pytest.fixture(scope="module")
def arrays() -> tuple[Any, ...]:
    """Return a decode step on block FAR. Of the 5 GiB only the pages of two blocks are ever touched."""
    rng = np.random.default_rng(0)
    cache = np.empty((NUM_BLOCKS, BLOCK_SIZE, 1, HEAD_DIM), ml_dtypes.float8_e4m3fn)
    for block in (NEAR, FAR):
        cache[block] = rng.standard_normal(cache.shape[1:])
    q = on_device(rng.standard_normal((1, 4, HEAD_DIM)), "bfloat16", gpu=False)
    table, length = (np.array(each, dtype=np.int32) for each in ([[FAR]], [9]))
    return q, HostTensor(cache), HostTensor(cache), HostTensor(table), HostTensor(length)


def expected(arrays: tuple[Any, ...], block: int) -> Any:
    q, cache, _, _, length = arrays
    # The reference's answer for a pool that holds that block alone.
    pool = cache.array[block : block + 1].astype(np.float64)
    return paged_decode(to_numpy(q), pool, pool, np.zeros((1, 1), np.int32), length.array)


def test_the_far_block_and_the_near_one_give_different_answers(arrays: tuple[Any, ...]) -> None:
    assert np.abs(expected(arrays, FAR) - expected(arrays, NEAR)).max() > 0.1


def test_offsets_of_the_fast_kernel_are_64_bits_wide(arrays: tuple[Any, ...]) -> None:
    out = to_numpy(fast.paged_decode(*arrays))
    np.testing.assert_allclose(out, expected(arrays, FAR), rtol=2**-7, atol=1e-2)


def test_offsets_of_the_plain_kernel_are_64_bits_wide(arrays: tuple[Any, ...]) -> None:
    out = to_numpy(plain.plain_paged_decode(*arrays))
    np.testing.assert_allclose(out, expected(arrays, FAR), rtol=2**-7, atol=1e-2)
