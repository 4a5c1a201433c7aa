"""Both kernels give the reference's answers, in Triton's interpreter, whatever lies in slots and tables."""

from typing import Any

import numpy as np
import pytest

from kernels.cases import Case, make_case
from kernels.device import HostTensor, to_numpy
from tests.kernels.running import arguments, assert_right, needing_triton

plain = needing_triton("kernels.plain")
fast = needing_triton("kernels.fast")

DTYPES = ("float32", "float16", "bfloat16", "float8_e4m3fn")
# What the interpreter's NumPy says when it meets the poison.
NAN_IS_FOUND_IN_THE_ANSWER = pytest.mark.filterwarnings("ignore::RuntimeWarning")
TILE = 64  # what the interpreter's launch takes for head sizes up to 128

# name -> lengths, query heads, KV heads, head size, block size, type of the caches, positions per stretch
SWEEP: dict[str, tuple[list[int], int, int, int, int, str, int | None]] = {
    "blocks of 1": ([0, 1, 65], 2, 1, 64, 1, "float16", None),
    "blocks of 2, split": ([2, 3, 130], 4, 2, 64, 2, "bfloat16", 64),
    "blocks of 8": ([7, 8, 9], 8, 2, 128, 8, "float16", None),
    "blocks of 16, split": ([15, 16, 17, 300], 4, 1, 128, 16, "float16", 128),
    "blocks of 24, no power of two": ([23, 24, 25, 100], 2, 1, 64, 24, "float16", 64),
    "blocks of 32": ([31, 32, 33], 8, 1, 80, 32, "bfloat16", None),
    "blocks of 64, 8 bits": ([63, 64, 65], 4, 1, 128, 64, "float8_e4m3fn", None),
    "blocks of 128, split, 8 bits": ([127, 128, 129, 257], 4, 1, 96, 128, "float8_e4m3fn", 64),
    "a tile and one on either side": ([TILE - 1, TILE, TILE + 1], 4, 1, 64, 16, "float32", None),
    "a group of 1": ([40], 2, 2, 64, 16, "float16", None),
    "a group of 5": ([33, 70], 5, 1, 96, 16, "float16", 64),
    "a group of 8": ([33], 8, 1, 256, 16, "float16", None),
    "a group of 32": ([20, 90], 32, 1, 128, 16, "bfloat16", 64),
    "head size 80": ([33, 66], 4, 2, 80, 8, "float8_e4m3fn", 64),
    "head size 256, split": ([33, 140], 2, 1, 256, 16, "bfloat16", 64),
    "the lesson's head size": ([9, 5], 1, 1, 4, 4, "float32", None),
    "more stretches than tiles": ([1, 0, 65, 640], 2, 1, 64, 16, "float32", 64),
    "stretches that end within a tile": ([100, 75], 4, 1, 64, 16, "float32", 24),
    "nobody holds a token": ([0, 0], 4, 1, 64, 16, "float16", None),
}


@pytest.mark.parametrize("name", SWEEP)
def test_the_fast_kernel_is_right(name: str) -> None:
    lengths, heads, kv_heads, head_dim, block_size, dtype, split_size = SWEEP[name]
    case = make_case(
        lengths=lengths,
        num_heads=heads,
        num_kv_heads=kv_heads,
        head_dim=head_dim,
        block_size=block_size,
        dtype=dtype,
        gpu=False,
    )
    assert_right(fast.paged_decode(*arguments(case), split_size=split_size), case, dtype)


@pytest.mark.parametrize("name", [name for name in SWEEP if "split" not in name and "of 32" not in name])
def test_the_plain_kernel_is_right(name: str) -> None:
    lengths, heads, kv_heads, head_dim, block_size, dtype, _ = SWEEP[name]
    case = make_case(
        lengths=lengths,
        num_heads=heads,
        num_kv_heads=kv_heads,
        head_dim=head_dim,
        block_size=block_size,
        dtype=dtype,
        gpu=False,
    )
    assert_right(plain.plain_paged_decode(*arguments(case)), case, dtype)


def a_case(**changed: Any) -> Case:
    sizes: dict[str, Any] = {
        "num_heads": 4,
        "num_kv_heads": 2,
        "head_dim": 64,
        "block_size": 16,
        "dtype": "float32",
    }
    return make_case(**{"lengths": [70, 3, 33], "gpu": False, **sizes, **changed})


@NAN_IS_FOUND_IN_THE_ANSWER
def test_the_last_tile_stops_at_the_length() -> None:
    """Every slot behind a last token holds NaN or infinity, and so does the rest of the pool."""
    case = a_case(lengths=[1, 17, 65])
    for split_size in (256, 32):
        out = to_numpy(fast.paged_decode(*arguments(case), split_size=split_size))
        assert np.isfinite(out).all()
        np.testing.assert_allclose(out, case.expected(), atol=1e-5)


@NAN_IS_FOUND_IN_THE_ANSWER
def test_the_last_block_of_the_plain_kernel_stops_at_the_length() -> None:
    case = a_case(lengths=[1, 17, 65])
    out = to_numpy(plain.plain_paged_decode(*arguments(case)))
    assert np.isfinite(out).all()
    np.testing.assert_allclose(out, case.expected(), atol=1e-5)


def test_stale_values_behind_the_last_token_do_not_count() -> None:
    """Poison is noticed by itself; finite leftovers of others are noticed only by the answer."""
    case = a_case(lengths=[1, 17, 65])
    for cache in (case.k_cache, case.v_cache):
        cache.array[~np.isfinite(cache.array)] = 5.0
    assert_right(fast.paged_decode(*arguments(case)), case, "float32")
    assert_right(plain.plain_paged_decode(*arguments(case)), case, "float32")


def test_stretches_are_merged_by_their_sums() -> None:
    """One stretch of 64 positions and one of 6 must not count the same."""
    case = a_case(lengths=[70, 3, 140])
    whole = to_numpy(fast.paged_decode(*arguments(case), split_size=256))
    split = to_numpy(fast.paged_decode(*arguments(case), split_size=64))
    np.testing.assert_allclose(whole, case.expected(), atol=1e-5)
    np.testing.assert_allclose(split, whole, atol=1e-5)


def test_more_stretches_than_the_merge_reads_at_a_time() -> None:
    case = a_case(lengths=[16 * (fast.MERGE.tile + 2) + 1, 3, 16 * fast.MERGE.tile], num_kv_heads=1)
    assert_right(fast.paged_decode(*arguments(case), split_size=16), case, "float32")


@pytest.mark.parametrize("padding", [2**31 - 1, -1])
def test_what_fills_up_a_table_is_not_read(padding: int) -> None:
    case = a_case(padding=padding)
    assert (case.block_tables.array == padding).any()
    assert_right(fast.paged_decode(*arguments(case), split_size=32), case, "float32")
    assert_right(plain.plain_paged_decode(*arguments(case)), case, "float32")


def test_large_scores_do_not_overflow() -> None:
    case = a_case(lengths=[40])
    case.q.array[:] *= 1000
    assert_right(fast.paged_decode(*arguments(case)), case, "float32")
    assert_right(plain.plain_paged_decode(*arguments(case)), case, "float32")


def test_caches_may_lie_in_another_order() -> None:
    """As in a cache with the heads before the slots, or with keys and values in one piece."""
    case = a_case()
    both = np.stack([case.k_cache.array, case.v_cache.array], axis=1)
    heads_first = [
        np.ascontiguousarray(each.array.transpose(0, 2, 1, 3)).transpose(0, 2, 1, 3)
        for each in (case.k_cache, case.v_cache)
    ]
    for k_cache, v_cache in ((both[:, 0], both[:, 1]), heads_first):
        args = (case.q, HostTensor(k_cache), HostTensor(v_cache), case.block_tables, case.lengths)
        assert_right(fast.paged_decode(*args, split_size=32), case, "float32")
        assert_right(plain.plain_paged_decode(*args), case, "float32")


def test_scales_of_an_8_bit_cache() -> None:
    case = a_case(dtype="float8_e4m3fn")
    scaled = a_case(dtype="float8_e4m3fn")
    for run in (fast.paged_decode, plain.plain_paged_decode):
        plainly = to_numpy(run(*arguments(case)))
        doubled = to_numpy(run(*arguments(scaled), v_scale=2.0))
        np.testing.assert_allclose(doubled, 2 * plainly, rtol=2**-7)
        # A key scale of 0 makes all scores equal: the output is the mean of the values.
        mean = to_numpy(run(*arguments(case), k_scale=0.0))
        v_cache, tables = to_numpy(case.v_cache), to_numpy(case.block_tables)
        values = np.stack([v_cache[tables[1, 0], offset] for offset in range(3)])
        np.testing.assert_allclose(mean[1, 0], values[:, 0].mean(axis=0), rtol=2**-6, atol=2**-8)


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_output_has_the_type_of_the_query(dtype: str) -> None:
    case = a_case(dtype=dtype, lengths=[3])
    out = fast.paged_decode(*arguments(case))
    assert (out.dtype, out.shape) == (case.q.dtype, case.q.shape)
