"""The reference is right: against the textbook's formula, against `paged_attention`, and against poison."""

import math

import numpy as np
import pytest

from kernels.batch import PADDING, caches_of, tables_of
from kernels.cases import make_case, scattered
from kernels.device import to_numpy
from kernels.reference import paged_decode
from pagedkv import BlockManager, UnknownRequest, paged_attention
from pagedkv.arrays import Floats


def by_the_formula(
    q: Floats, k_cache: Floats, v_cache: Floats, block_tables: Floats, lengths: Floats
) -> Floats:
    """Return softmax(q K^T / sqrt(d)) V for each head, with K and V laid out flat and repeated per head."""
    num_requests, num_heads, head_dim = q.shape
    _, block_size, num_kv_heads, _ = k_cache.shape
    out = np.zeros(q.shape)
    for b in range(num_requests):
        rows = [(int(block_tables[b, p // block_size]), p % block_size) for p in range(int(lengths[b]))]
        if not rows:
            continue
        keys = np.array([k_cache[block, offset] for block, offset in rows])
        values = np.array([v_cache[block, offset] for block, offset in rows])
        keys, values = (
            np.repeat(each, num_heads // num_kv_heads, axis=1).swapaxes(0, 1) for each in (keys, values)
        )
        scores = np.einsum("hd,hnd->hn", q[b], keys) / math.sqrt(head_dim)
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        out[b] = np.einsum("hn,hnd->hd", weights / weights.sum(axis=1, keepdims=True), values)
    return out


@pytest.mark.parametrize("block_size", [1, 3, 16, 128])
@pytest.mark.parametrize(("num_heads", "num_kv_heads"), [(1, 1), (8, 2), (5, 1), (6, 6)])
def test_it_is_the_formula(block_size: int, num_heads: int, num_kv_heads: int) -> None:
    case = make_case(
        lengths=[0, 1, 15, 16, 17, 130],
        num_heads=num_heads,
        num_kv_heads=num_kv_heads,
        head_dim=24,
        block_size=block_size,
        dtype="float32",
        gpu=False,
    )
    arrays = [
        to_numpy(each) for each in (case.q, case.k_cache, case.v_cache, case.block_tables, case.lengths)
    ]
    expected = by_the_formula(*arrays)
    assert np.isfinite(expected).all()
    for split_size in (None, 16, 7):
        for tile in (64, 5):
            out = paged_decode(*arrays, tile=tile, split_size=split_size)
            np.testing.assert_allclose(out, expected, rtol=0, atol=1e-12)


def test_it_is_the_paged_attention_of_the_lesson_on_tables_as_they_are() -> None:
    rng = np.random.default_rng(1)
    mgr = BlockManager(num_blocks=40, block_size=4, head_dim=8)
    for turn in range(33):
        for rid, length in (("A", 9), ("B", 33), ("C", 1)):
            if turn == 0:
                mgr.add_request(rid)
            if turn < length:
                mgr.append(rid, *rng.standard_normal((2, 8)))
    mgr.fork("A", "D")
    mgr.append("D", *rng.standard_normal((2, 8)))  # a shared block, copied on write
    mgr.free("B")
    block_tables, lengths = tables_of(mgr)
    assert lengths.tolist() == [9, 1, 10]
    q = rng.standard_normal((3, 2, 8))
    out = paged_decode(q, *caches_of(mgr), block_tables, lengths)
    for row, chat in enumerate(mgr.tables):
        for head in range(2):
            np.testing.assert_allclose(
                out[row, head], paged_attention(q[row, head], mgr, chat), rtol=0, atol=1e-12
            )


def test_what_fills_up_a_table_is_read_by_nobody() -> None:
    blocks = scattered([9, 1], block_size=4)
    block_tables, lengths = tables_of(blocks)
    assert block_tables.dtype == lengths.dtype == np.int32
    assert block_tables.tolist()[1] == [*blocks.tables[1], PADDING, PADDING]
    rng = np.random.default_rng(0)
    k_cache, v_cache = rng.standard_normal((2, blocks.num_blocks, 4, 1, 8))
    assert np.isfinite(paged_decode(np.ones((2, 1, 8)), k_cache, v_cache, block_tables, lengths)).all()


def test_requests_are_chosen_by_name_and_in_order() -> None:
    blocks = scattered([9, 0, 2], block_size=4)
    block_tables, lengths = tables_of(blocks, [2, 1], padding=-1)
    assert block_tables.tolist() == [blocks.tables[2], [-1]]
    assert lengths.tolist() == [2, 0]
    with pytest.raises(UnknownRequest, match="'nobody'"):
        tables_of(blocks, ["nobody"])


def test_every_slot_that_holds_no_token_is_poisoned() -> None:
    """Without the poison the tests of the kernels would prove less than they say."""
    lengths = [9, 0, 2]
    case = make_case(
        lengths=lengths, num_heads=1, num_kv_heads=1, head_dim=8, block_size=4, dtype="float16", gpu=False
    )
    for cache in (case.k_cache, case.v_cache):
        numbers = to_numpy(cache)
        finite = np.isfinite(numbers).all(axis=(2, 3))
        assert finite.sum() == sum(lengths)
        assert np.isnan(numbers).any()
        assert np.isinf(numbers).any()
