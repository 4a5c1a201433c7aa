"""Keys and values beside the rules: what is written stays, and what is copied is whole."""

import numpy as np
import pytest

from pagedkv import BlockManager


def pair(token: float, head_dim: int = 2) -> tuple[list[float], list[float]]:
    """Return a key and a value that no other token has."""
    return [token + 0.25 * i for i in range(head_dim)], [-token - 0.25 * i for i in range(head_dim)]


def write(mgr: BlockManager, rid: str, *tokens: float) -> None:
    for token in tokens:
        mgr.append(rid, *pair(token, mgr.head_dim))


def assert_holds(mgr: BlockManager, rid: str, *tokens: float) -> None:
    keys, values = mgr.gather(rid)
    assert keys.tolist() == [pair(token, mgr.head_dim)[0] for token in tokens]
    assert values.tolist() == [pair(token, mgr.head_dim)[1] for token in tokens]


def test_a_token_lies_at_the_block_and_offset_that_append_names() -> None:
    mgr = BlockManager(4, 2, head_dim=2)
    for rid in "AB":
        mgr.add_request(rid)
    for token, rid in enumerate("AABBA"):
        block, offset, _ = mgr.append(rid, *pair(token))
        assert (mgr.k_pool[block, offset].tolist(), mgr.v_pool[block, offset].tolist()) == pair(token)


def test_requests_that_grow_in_turn_keep_apart() -> None:
    mgr = BlockManager(6, 2, head_dim=2)
    for rid in "AB":
        mgr.add_request(rid)
    for token in range(5):
        write(mgr, "A", token)
        write(mgr, "B", 100 + token)
    assert_holds(mgr, "A", 0, 1, 2, 3, 4)
    assert_holds(mgr, "B", 100, 101, 102, 103, 104)


def test_gather_of_an_empty_request_has_no_row() -> None:
    mgr = BlockManager(2, 2, head_dim=3)
    mgr.add_request("A")
    keys, values = mgr.gather("A")
    assert keys.shape == values.shape == (0, 3)


def test_gather_stops_at_the_length_and_not_at_the_end_of_the_block() -> None:
    mgr = BlockManager(2, 4, head_dim=2)
    mgr.add_request("A")
    write(mgr, "A", 1, 2, 3)
    mgr.k_pool[0, 3] = mgr.v_pool[0, 3] = np.nan
    assert_holds(mgr, "A", 1, 2, 3)


def test_what_gather_returns_is_a_copy() -> None:
    mgr = BlockManager(2, 4, head_dim=2)
    mgr.add_request("A")
    write(mgr, "A", 1)
    keys, values = mgr.gather("A")
    keys[:] = values[:] = 0
    assert_holds(mgr, "A", 1)


def test_what_append_was_given_may_change_afterwards() -> None:
    mgr = BlockManager(2, 4, head_dim=2)
    mgr.add_request("A")
    key, value = (np.array(side) for side in pair(1))
    mgr.append("A", key, value)
    key[:] = value[:] = 0
    assert_holds(mgr, "A", 1)


def test_a_fork_touches_neither_pool() -> None:
    mgr = BlockManager(4, 4, head_dim=2)
    mgr.add_request("A")
    write(mgr, "A", 1, 2)
    before = mgr.k_pool.tobytes(), mgr.v_pool.tobytes()
    mgr.fork("A", "B")
    assert (mgr.k_pool.tobytes(), mgr.v_pool.tobytes()) == before
    assert_holds(mgr, "B", 1, 2)


def test_after_copy_on_write_both_read_what_they_wrote() -> None:
    mgr = BlockManager(4, 4, head_dim=2)
    mgr.add_request("A")
    write(mgr, "A", 1, 2, 3)
    mgr.fork("A", "B")
    write(mgr, "B", 40)
    write(mgr, "A", 4)
    assert_holds(mgr, "A", 1, 2, 3, 4)
    assert_holds(mgr, "B", 1, 2, 3, 40)


def test_copy_on_write_copies_the_slots_before_the_offset_and_no_other() -> None:
    mgr = BlockManager(2, 4, head_dim=1)
    mgr.k_pool[:], mgr.v_pool[:] = -7, -8
    mgr.add_request("A")
    for token in (1.0, 2.0):
        mgr.append("A", token, 10 * token)
    mgr.fork("A", "B")
    assert mgr.append("B", 3.0, 30.0) == (1, 2, 0)
    assert mgr.k_pool[1, :, 0].tolist() == [1, 2, 3, -7]
    assert mgr.v_pool[1, :, 0].tolist() == [10, 20, 30, -8]


def test_the_child_survives_the_end_of_its_parent_and_the_reuse_of_blocks() -> None:
    mgr = BlockManager(3, 2, head_dim=2)
    mgr.add_request("A")
    write(mgr, "A", 1, 2, 3)
    mgr.fork("A", "B")
    write(mgr, "A", 4)
    mgr.free("A")
    mgr.add_request("C")
    write(mgr, "C", 9, 9)
    assert_holds(mgr, "B", 1, 2, 3)
    assert_holds(mgr, "C", 9, 9)


def test_freed_slots_are_neither_cleared_nor_read() -> None:
    mgr = BlockManager(1, 4, head_dim=2)
    mgr.add_request("old")
    write(mgr, "old", 1, 2, 3, 4)
    before = mgr.k_pool.tobytes()
    mgr.free("old")
    assert mgr.k_pool.tobytes() == before
    mgr.add_request("new")
    write(mgr, "new", 9)
    assert_holds(mgr, "new", 9)


def test_keys_and_values_are_single_numbers_unless_a_size_is_given() -> None:
    mgr = BlockManager(3, 2)
    assert (mgr.head_dim, mgr.k_pool.shape, mgr.v_pool.shape) == (1, (3, 2, 1), (3, 2, 1))


@pytest.mark.parametrize("number", [5, 5.0, np.float32(5), np.array(5), [5], np.array([5.0])])
def test_a_plain_number_stands_for_a_vector_of_one(number: float) -> None:
    mgr = BlockManager(1, 1, head_dim=1)
    mgr.add_request("A")
    mgr.append("A", number, number)
    keys, values = mgr.gather("A")
    assert (keys.tolist(), values.tolist()) == ([[5.0]], [[5.0]])
    assert keys.dtype == values.dtype == np.float64
