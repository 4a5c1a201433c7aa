"""Attention through the table against a formula in plain Python, and blind to slots that are not valid."""

import math
import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagedkv import BlockManager, attention_contiguous, paged_attention, paged_weights
from pagedkv.attention import softmax

Vector = Sequence[float]


def weights_by_hand(query: Vector, keys: Sequence[Vector]) -> list[float]:
    """Return softmax(keys . query / sqrt(size)), number by number and without NumPy."""
    scores = [
        math.fsum(k * q for k, q in zip(key, query, strict=True)) / math.sqrt(len(query)) for key in keys
    ]
    top = max(scores)
    powers = [math.exp(score - top) for score in scores]
    return [power / math.fsum(powers) for power in powers]


def attention_by_hand(query: Vector, keys: Sequence[Vector], values: Sequence[Vector]) -> list[float]:
    weights = weights_by_hand(query, keys)
    return [
        math.fsum(w * value[i] for w, value in zip(weights, values, strict=True))
        for i in range(len(values[0]))
    ]


class Written:
    """A manager, and beside it plain lists of everything that was written to each request."""

    def __init__(self, num_blocks: int, block_size: int, head_dim: int, seed: int = 0) -> None:
        self.mgr = BlockManager(num_blocks, block_size, head_dim)
        self.rng = random.Random(seed)
        self.keys: dict[str, list[list[float]]] = {}
        self.values: dict[str, list[list[float]]] = {}

    def vector(self) -> list[float]:
        return [self.rng.gauss(0, 1) for _ in range(self.mgr.head_dim)]

    def scatter(self) -> None:
        """Put the free list into random order, by taking every block and giving all back at random."""
        names = [f"filler {block}" for block in range(self.mgr.num_blocks)]
        for name in names:
            self.mgr.add_request(name)
            self.mgr.append(name, [math.nan] * self.mgr.head_dim, [math.inf] * self.mgr.head_dim)
        self.rng.shuffle(names)
        for name in names:
            self.mgr.free(name)

    def add(self, rid: str) -> None:
        self.mgr.add_request(rid)
        self.keys[rid], self.values[rid] = [], []

    def append(self, rid: str, tokens: int = 1) -> None:
        for _ in range(tokens):
            key, value = self.vector(), self.vector()
            self.mgr.append(rid, key, value)
            self.keys[rid].append(key)
            self.values[rid].append(value)

    def fork(self, parent: str, child: str) -> None:
        self.mgr.fork(parent, child)
        self.keys[child], self.values[child] = list(self.keys[parent]), list(self.values[parent])

    def check(self, rid: str) -> None:
        query = self.vector()
        by_hand = attention_by_hand(query, self.keys[rid], self.values[rid])
        flat = attention_contiguous(query, self.keys[rid], self.values[rid])
        through_the_table = paged_attention(query, self.mgr, rid)
        np.testing.assert_allclose(flat, by_hand, rtol=0, atol=1e-12)
        np.testing.assert_allclose(through_the_table, by_hand, rtol=0, atol=1e-12)
        weights = paged_weights(query, self.mgr, rid)
        np.testing.assert_allclose(weights, weights_by_hand(query, self.keys[rid]), rtol=0, atol=1e-12)
        keys, values = self.mgr.gather(rid)
        assert (keys.tolist(), values.tolist()) == (self.keys[rid], self.values[rid])

    def spoil_all_but(self, rid: str, junk: float) -> None:
        """Overwrite every slot of both pools that does not hold a token of the request."""
        valid = set(self.mgr.slots(rid))
        for block in range(self.mgr.num_blocks):
            for offset in range(self.mgr.block_size):
                if (block, offset) not in valid:
                    self.mgr.k_pool[block, offset] = self.mgr.v_pool[block, offset] = junk


def grown(
    arrangement: str, lengths: dict[str, int], block_size: int, head_dim: int, seed: int = 0
) -> Written:
    """Return requests that lie as neighbours, that grew in turn, or whose blocks are scattered."""
    num_blocks = sum(-(-length // block_size) for length in lengths.values())
    written = Written(num_blocks, block_size, head_dim, seed)
    if arrangement == "scattered":
        written.scatter()
    for rid in lengths:
        written.add(rid)
    if arrangement == "neighbours":
        for rid, length in lengths.items():
            written.append(rid, length)
    else:
        for step in range(max(lengths.values())):
            for rid, length in lengths.items():
                if step < length:
                    written.append(rid)
    return written


ARRANGEMENTS = ["neighbours", "in turn", "scattered"]


@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
@pytest.mark.parametrize("block_size", [1, 4, 16])
def test_the_proof_of_the_lesson_13_and_7_tokens(arrangement: str, block_size: int) -> None:
    written = grown(arrangement, {"A": 13, "B": 7}, block_size, head_dim=4)
    written.check("A")
    written.check("B")


@given(
    arrangement=st.sampled_from(ARRANGEMENTS),
    lengths=st.lists(st.integers(1, 45), min_size=1, max_size=3),
    block_size=st.integers(1, 9),
    head_dim=st.integers(1, 5),
    seed=st.integers(0, 2**16),
)
def test_through_the_table_is_flat_for_any_lengths_and_sizes(
    arrangement: str, lengths: list[int], block_size: int, head_dim: int, seed: int
) -> None:
    written = grown(arrangement, dict(zip("ABC", lengths, strict=False)), block_size, head_dim, seed)
    for rid in written.keys:
        written.check(rid)


@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
@pytest.mark.parametrize(
    ("block_size", "length"),
    [(1, 31), (1, 32), (1, 33), (1, 2100), (2, 63), (2, 64), (2, 65), (3, 700), (16, 1023), (16, 1025)],
)
def test_tables_too_long_to_be_read_at_once(arrangement: str, block_size: int, length: int) -> None:
    written = grown(arrangement, {"A": length, "B": 40}, block_size, head_dim=2)
    written.check("A")
    written.check("B")


@pytest.mark.parametrize("block_size", [1, 4])
@pytest.mark.parametrize("blocks_in_a_row", [31, 32, 33, 64, 1100])
def test_neighbours_that_are_followed_by_a_gap(blocks_in_a_row: int, block_size: int) -> None:
    """Blocks of others in the gap, and behind it, must not be read along."""
    written = Written(blocks_in_a_row + 40, block_size, head_dim=2)
    for rid, blocks in (("A", blocks_in_a_row), ("B", 3), ("C", 1)):
        written.add(rid)
        written.append(rid, blocks * block_size)
    written.append("A", 33 * block_size + 1)
    written.append("C", 1)
    written.spoil_all_but("A", math.nan)
    written.check("A")


@pytest.mark.parametrize("tokens", [1, 3, 4, 5, 7])
def test_after_a_fork_and_a_copy_on_write_both_attend_to_their_own(tokens: int) -> None:
    written = Written(num_blocks=12, block_size=4, head_dim=3)
    written.add("A")
    written.append("A", tokens)
    written.fork("A", "B")
    written.check("B")
    for rid in "BAAB":
        written.append(rid)
    written.fork("B", "C")
    written.append("C", 2)
    written.mgr.free("A")
    written.add("D")
    written.append("D", 4)  # writes over blocks of A
    for rid in "BCD":
        written.check(rid)


def bits(written: Written, query: list[float], rid: str) -> tuple[bytes, bytes, bytes, bytes]:
    """Return every bit that can be read of a request."""
    keys, values = written.mgr.gather(rid)
    output, weights = paged_attention(query, written.mgr, rid), paged_weights(query, written.mgr, rid)
    return output.tobytes(), weights.tobytes(), keys.tobytes(), values.tobytes()


@pytest.mark.parametrize("junk", [math.nan, math.inf, -math.inf, 1e308])
@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
@pytest.mark.parametrize(("block_size", "length"), [(1, 40), (2, 69), (4, 6), (4, 13), (16, 7), (16, 530)])
def test_no_slot_that_is_not_valid_changes_a_bit(
    junk: float, arrangement: str, block_size: int, length: int
) -> None:
    written = grown(arrangement, {"A": length, "B": 9}, block_size, head_dim=3)
    query = written.vector()
    written.spoil_all_but("A", 0.0)
    before = bits(written, query, "A")
    written.spoil_all_but("A", junk)
    assert bits(written, query, "A") == before
    assert np.isfinite(paged_attention(query, written.mgr, "A")).all()


@pytest.mark.parametrize("junk", [math.nan, math.inf])
def test_stale_slots_of_a_shared_block_change_no_bit(junk: float) -> None:
    written = Written(num_blocks=6, block_size=4, head_dim=3)
    written.add("A")
    written.append("A", 6)
    written.fork("A", "B")
    written.append("A")
    query = written.vector()
    before = bits(written, query, "B")
    written.spoil_all_but("B", junk)
    assert bits(written, query, "B") == before


def test_attention_changes_neither_pool() -> None:
    written = grown("scattered", {"A": 30, "B": 30}, 4, head_dim=2)
    before = written.mgr.k_pool.tobytes(), written.mgr.v_pool.tobytes()
    paged_attention(written.vector(), written.mgr, "A")
    assert (written.mgr.k_pool.tobytes(), written.mgr.v_pool.tobytes()) == before


def test_the_scale_is_the_root_of_the_head_size() -> None:
    """Scores 2 ln 3 and 0 over sqrt(4) give weights 3 : 1."""
    mgr = BlockManager(1, 2, head_dim=4)
    mgr.add_request("A")
    for key, value in (([2 * math.log(3), 0, 0, 0], [4, 8, 0, 0]), ([0, 0, 0, 0], [0, 0, 4, 8])):
        mgr.append("A", key, value)
    np.testing.assert_allclose(paged_weights([1, 0, 0, 0], mgr, "A"), [0.75, 0.25], rtol=1e-15)
    np.testing.assert_allclose(paged_attention([1, 0, 0, 0], mgr, "A"), [3, 6, 1, 2], rtol=1e-15)
    np.testing.assert_allclose(attention_contiguous([1, 0, 0, 0], *mgr.gather("A")), [3, 6, 1, 2], rtol=1e-15)


def test_values_may_be_of_another_size_than_keys_in_flat_attention() -> None:
    output = attention_contiguous([0.0, 0.0], [[1.0, 2.0], [3.0, 4.0]], [[1, 2, 3], [3, 4, 5]])
    assert output.tolist() == [2, 3, 4]


@pytest.mark.parametrize("top", [1e3, 1e5, -1e5, 1e300])
def test_softmax_of_huge_scores_neither_overflows_nor_vanishes(top: float) -> None:
    with np.errstate(all="ignore"):  # a wrong result shall fail here, and not the warning before it
        equal, one_sided = softmax(np.array([top, top])), softmax(np.array([top, 0.0]))
    assert equal.tolist() == [0.5, 0.5]
    assert one_sided.tolist() == ([1.0, 0.0] if top > 0 else [0.0, 1.0])


def test_softmax_depends_on_differences_only() -> None:
    scores = np.array([0.0, math.log(2), math.log(5)])
    for shift in (-50.0, 0.0, 700.0, 1e6):
        np.testing.assert_allclose(softmax(scores + shift), [1 / 8, 2 / 8, 5 / 8], rtol=1e-9)


def test_softmax_leaves_its_argument_alone() -> None:
    scores = np.array([1.0, 2.0])
    softmax(scores)
    assert scores.tolist() == [1.0, 2.0]


def test_huge_scores_go_through_the_table_too() -> None:
    mgr = BlockManager(4, 2, head_dim=1)
    mgr.add_request("A")
    for key, value in ((1e5, 7.0), (-1e5, 8.0), (1e5, 9.0)):
        mgr.append("A", key, value)
    assert paged_attention(1.0, mgr, "A").tolist() == [8.0]
    assert paged_weights(1.0, mgr, "A").tolist() == [0.5, 0.0, 0.5]


@given(st.lists(st.floats(-700, 700), min_size=1, max_size=40))
def test_weights_are_positive_or_zero_and_sum_to_one(scores: list[float]) -> None:
    weights = softmax(np.array(scores))
    assert (weights >= 0).all()
    assert math.isclose(math.fsum(weights.tolist()), 1, rel_tol=1e-12)
    assert weights.max() == weights[scores.index(max(scores))]
