"""One run of slots per request: first fit, holes, cut off, and copies."""

import pytest

from pagedkv import ContiguousPool


def pool_with(*sizes: int, num_slots: int = 32) -> ContiguousPool:
    """Return a pool in which requests 0, 1, ... hold reservations of these sizes, side by side."""
    pool = ContiguousPool(num_slots)
    for rid, size in enumerate(sizes):
        assert pool.reserve(rid, size) is not None
    return pool


def figure_2() -> ContiguousPool:
    """Return the pool of Figure 2 (a): R1 reserves 12 and holds 5, R2 8 and 3, R3 8 and 6."""
    pool = ContiguousPool(32)
    for rid, size, tokens in (("R1", 12, 5), ("R2", 8, 3), ("R3", 8, 6)):
        assert pool.reserve(rid, size) is not None
        for _ in range(tokens):
            assert pool.append(rid) is not None
    return pool


def test_figure_2_a_wastes_fourteen_slots() -> None:
    pool = figure_2()
    assert pool.reservations == {"R1": (0, 12), "R2": (12, 8), "R3": (20, 8)}
    assert pool.lengths == {"R1": 5, "R2": 3, "R3": 6}
    assert pool.num_wasted == 14
    assert pool.holes() == [(28, 4)]


def test_figure_2_b_refuses_twelve_in_a_row_though_twelve_are_free() -> None:
    pool = figure_2()
    pool.free("R2")
    assert (pool.num_free, pool.holes(), pool.largest_hole) == (12, [(12, 8), (28, 4)], 8)
    assert pool.reserve("R4", 12) is None
    assert pool.reservations == {"R1": (0, 12), "R3": (20, 8)}
    assert pool.reserve("R4", 8) == 12


def test_the_first_hole_that_is_long_enough_is_taken_and_not_the_best() -> None:
    pool = pool_with(8, 4, 4, 4, 4)  # 8 slots stay free at the end
    pool.free(0)
    pool.free(3)
    assert pool.holes() == [(0, 8), (16, 4), (24, 8)]
    assert pool.reserve("new", 4) == 0


def test_a_hole_of_exactly_the_size_is_taken() -> None:
    pool = pool_with(4, 4, 4)
    pool.free(1)
    assert pool.reserve("new", 4) == 4


def test_a_hole_that_is_one_slot_too_short_is_passed_over() -> None:
    pool = pool_with(4, 4, 4)
    pool.free(1)
    assert pool.reserve("new", 5) == 12


def test_a_request_may_take_the_whole_pool() -> None:
    pool = ContiguousPool(32)
    assert pool.reserve("all", 32) == 0
    assert (pool.holes(), pool.num_free, pool.largest_hole) == ([], 0, 0)
    assert pool.reserve("more", 1) is None


def test_holes_that_touch_are_one_hole() -> None:
    pool = pool_with(4, 4, 4, 4, num_slots=16)
    for rid in (2, 0, 1):
        pool.free(rid)
    assert pool.holes() == [(0, 12)]
    assert pool.reserve("new", 12) == 0


def test_the_run_behind_the_last_reservation_is_a_hole() -> None:
    pool = pool_with(4, 4, num_slots=9)
    assert pool.holes() == [(8, 1)]
    pool.free(1)
    assert pool.holes() == [(4, 5)]


def test_tokens_fill_the_run_from_its_start_and_stop_at_its_end() -> None:
    pool = pool_with(2, 3)
    assert [pool.append(1) for _ in range(5)] == [2, 3, 4, None, None]
    assert pool.lengths == {0: 0, 1: 3}
    assert pool.num_wasted == 2


def test_a_fork_reserves_as_much_again_and_holds_as_many_tokens() -> None:
    pool = pool_with(4, num_slots=8)
    for _ in range(3):
        pool.append(0)
    assert pool.fork(0, "copy") == 4
    assert (pool.reservations["copy"], pool.lengths["copy"]) == ((4, 4), 3)
    assert [pool.append("copy"), pool.append("copy"), pool.append(0)] == [7, None, 3]


def test_a_fork_into_the_hole_at_slot_zero_is_a_fork() -> None:
    pool = pool_with(4, 4, num_slots=8)
    pool.append(1)
    pool.free(0)
    assert pool.fork(1, "copy") == 0
    assert pool.lengths["copy"] == 1


def test_a_fork_without_a_hole_is_refused_and_changes_nothing() -> None:
    pool = pool_with(4, num_slots=7)
    assert pool.fork(0, "copy") is None
    assert (pool.reservations, pool.lengths) == ({0: (0, 4)}, {0: 0})


def test_a_freed_id_may_be_used_again_and_starts_empty() -> None:
    pool = pool_with(4)
    pool.append(0)
    pool.free(0)
    assert pool.reserve(0, 2) == 0
    assert pool.lengths == {0: 0}


@pytest.mark.parametrize("num_slots", [1, 7, 16])
def test_an_empty_pool_is_one_hole(num_slots: int) -> None:
    pool = ContiguousPool(num_slots)
    assert (pool.holes(), pool.num_free, pool.num_wasted) == ([(0, num_slots)], num_slots, 0)
