"""Whatever is refused has changed nothing: a deep copy of the whole state, pools included, stays equal."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

from pagedkv import (
    BlockAllocator,
    BlockManager,
    ContiguousPool,
    DuplicateRequest,
    InvalidSize,
    OutOfBlocks,
    PagedKVError,
    UnknownRequest,
    WrongShape,
    attention_contiguous,
    paged_attention,
    paged_weights,
)
from pagedkv.operations import Append, Arrive, Finish, Fork, Operation, Settings
from pagedkv.side_by_side import SideBySide

ONE = [1.0, 2.0]


def state_of(thing: object) -> dict[str, Any]:
    """Return a deep copy of everything that an object holds, arrays as bytes, so that NaN equals itself."""
    return {
        name: (value.shape, value.tobytes()) if isinstance(value, np.ndarray) else deepcopy(value)
        for name, value in vars(thing).items()
    }


def manager(num_blocks: int) -> BlockManager:
    """Return a pool, full with 2 blocks: A and B share block 0, with room; C fills block 1; E has none."""
    mgr = BlockManager(num_blocks, block_size=2, head_dim=2)
    mgr.k_pool[:], mgr.v_pool[:] = np.nan, np.inf
    mgr.add_request("A")
    mgr.append("A", ONE, ONE)
    mgr.fork("A", "B")
    mgr.add_request("C")
    for _ in range(2):
        mgr.append("C", ONE, ONE)
    mgr.add_request("E")
    return mgr


REFUSED_BY_A_MANAGER: list[tuple[type[PagedKVError], Callable[[BlockManager], object]]] = [
    (DuplicateRequest, lambda mgr: mgr.add_request("A")),
    (UnknownRequest, lambda mgr: mgr.append("Z", ONE, ONE)),
    (UnknownRequest, lambda mgr: mgr.free("Z")),
    (UnknownRequest, lambda mgr: mgr.gather("Z")),
    (UnknownRequest, lambda mgr: mgr.length_of("Z")),
    (UnknownRequest, lambda mgr: mgr.slots("Z")),
    (UnknownRequest, lambda mgr: mgr.fork("Z", "D")),
    (UnknownRequest, lambda mgr: mgr.fork("Z", "A")),
    (UnknownRequest, lambda mgr: mgr.fork("Z", "Z")),
    (DuplicateRequest, lambda mgr: mgr.fork("A", "C")),
    (DuplicateRequest, lambda mgr: mgr.fork("A", "A")),
    (OutOfBlocks, lambda mgr: mgr.append("C", ONE, ONE)),  # a block is full
    (OutOfBlocks, lambda mgr: mgr.append("E", ONE, ONE)),  # the first token of all
    (OutOfBlocks, lambda mgr: mgr.append("A", ONE, ONE)),  # copy-on-write
    (OutOfBlocks, lambda mgr: mgr.append("B", ONE, ONE)),
    (InvalidSize, lambda mgr: mgr.blocks_for(-1)),
    (InvalidSize, lambda mgr: mgr.blocks_for(1.5)),  # type: ignore[arg-type]
    (WrongShape, lambda mgr: paged_attention([1.0], mgr, "A")),
    (WrongShape, lambda mgr: paged_attention(["a", "b"], mgr, "A")),
    (WrongShape, lambda mgr: paged_weights([ONE], mgr, "A")),
    (WrongShape, lambda mgr: paged_attention(ONE, mgr, "E")),
    (WrongShape, lambda mgr: paged_weights(ONE, mgr, "E")),
    (UnknownRequest, lambda mgr: paged_attention(ONE, mgr, "Z")),
    (UnknownRequest, lambda mgr: paged_weights(ONE, mgr, "Z")),
]


@pytest.mark.parametrize(("refusal", "ask"), REFUSED_BY_A_MANAGER)
def test_a_refused_call_of_the_manager_changes_nothing(
    refusal: type[PagedKVError], ask: Callable[[BlockManager], object]
) -> None:
    mgr = manager(num_blocks=2)
    before = state_of(mgr)
    with pytest.raises(refusal):
        ask(mgr)
    assert state_of(mgr) == before


WRONG_PAIRS: list[tuple[Any, Any]] = [
    (1.0, ONE),
    (ONE, 1.0),
    ([1.0], ONE),
    (ONE, [1.0, 2.0, 3.0]),
    ([ONE], ONE),
    (ONE, "ab"),
    (["a", "b"], ONE),
    (ONE, [1.0, None]),
    ([1j, 2j], ONE),
    (ONE, [[1.0], [1.0, 2.0]]),
    (ONE, [10**5000, 1]),
    (ONE, []),
]


@pytest.mark.parametrize("pair", WRONG_PAIRS, ids=range(len(WRONG_PAIRS)))
@pytest.mark.parametrize("rid", ["A", "B", "C", "E", "Z"])
@pytest.mark.parametrize("num_blocks", [4, 2])
def test_a_key_or_value_of_the_wrong_shape_changes_nothing(
    num_blocks: int, rid: str, pair: tuple[Any, Any]
) -> None:
    mgr = manager(num_blocks)
    before = state_of(mgr)
    with pytest.raises(WrongShape):
        mgr.append(rid, *pair)
    assert state_of(mgr) == before


def full_allocator() -> BlockAllocator:
    """Return the rules of `manager(2)`, without arrays."""
    blocks = BlockAllocator(num_blocks=2, block_size=2)
    blocks.add_request("A")
    blocks.append("A")
    blocks.fork("A", "B")
    blocks.add_request("C")
    for _ in range(2):
        blocks.append("C")
    return blocks


REFUSED_BY_THE_RULES: list[tuple[type[PagedKVError], Callable[[BlockAllocator], object]]] = [
    (DuplicateRequest, lambda blocks: blocks.add_request("A")),
    (UnknownRequest, lambda blocks: blocks.append("Z")),
    (UnknownRequest, lambda blocks: blocks.free("Z")),
    (UnknownRequest, lambda blocks: blocks.fork("Z", "D")),
    (DuplicateRequest, lambda blocks: blocks.fork("A", "C")),
    (OutOfBlocks, lambda blocks: blocks.append("C")),
    (OutOfBlocks, lambda blocks: blocks.append("A")),
]


@pytest.mark.parametrize(("refusal", "ask"), REFUSED_BY_THE_RULES)
def test_a_refused_call_of_the_allocator_changes_nothing(
    refusal: type[PagedKVError], ask: Callable[[BlockAllocator], object]
) -> None:
    blocks = full_allocator()
    before = state_of(blocks)
    with pytest.raises(refusal):
        ask(blocks)
    assert state_of(blocks) == before


def test_a_freed_request_is_unknown_and_may_come_again() -> None:
    blocks = full_allocator()
    blocks.free("C")
    with pytest.raises(UnknownRequest, match="'C'"):
        blocks.append("C")
    blocks.add_request("C")
    assert blocks.append("C") == (1, 0, None)


REFUSED_BY_A_POOL: list[tuple[type[PagedKVError], Callable[[ContiguousPool], object]]] = [
    (DuplicateRequest, lambda pool: pool.reserve("A", 1)),
    (InvalidSize, lambda pool: pool.reserve("B", 0)),
    (InvalidSize, lambda pool: pool.reserve("B", 1.5)),  # type: ignore[arg-type]
    (UnknownRequest, lambda pool: pool.append("Z")),
    (UnknownRequest, lambda pool: pool.free("Z")),
    (UnknownRequest, lambda pool: pool.fork("Z", "B")),
    (DuplicateRequest, lambda pool: pool.fork("A", "A")),
]


@pytest.mark.parametrize(("refusal", "ask"), REFUSED_BY_A_POOL)
def test_a_refused_call_of_the_contiguous_pool_changes_nothing(
    refusal: type[PagedKVError], ask: Callable[[ContiguousPool], object]
) -> None:
    pool = ContiguousPool(8)
    pool.reserve("A", 4)
    pool.append("A")
    before = state_of(pool)
    with pytest.raises(refusal):
        ask(pool)
    assert state_of(pool) == before


@pytest.mark.parametrize(
    "ask",
    [lambda pool: pool.reserve("B", 5), lambda pool: pool.fork("A", "B"), lambda pool: pool.append("A")],
)
def test_a_contiguous_pool_answers_no_room_with_none_and_changes_nothing(
    ask: Callable[[ContiguousPool], object],
) -> None:
    pool = ContiguousPool(5)
    pool.reserve("A", 4)
    for _ in range(4):
        pool.append("A")
    before = state_of(pool)
    assert ask(pool) is None
    assert state_of(pool) == before


@pytest.mark.parametrize(
    ("keys", "values", "query"),
    [
        ([], [], [1.0]),
        (np.empty((0, 1)), np.empty((0, 1)), [1.0]),
        ([1.0], [1.0], [1.0]),
        ([[1.0]], [1.0], [1.0]),
        ([[1.0]], [[1.0], [2.0]], [1.0]),
        ([[[1.0]]], [[1.0]], [1.0]),
        ([[1.0, 2.0]], [[1.0]], [1.0]),
        ([["a"]], [[1.0]], [1.0]),
        ([[1.0]], [[None]], [1.0]),
        ([[1.0]], [[1.0]], [[1.0]]),
    ],
)
def test_flat_attention_refuses_shapes_that_do_not_fit(keys: Any, values: Any, query: Any) -> None:  # noqa: ANN401
    with pytest.raises(WrongShape):
        attention_contiguous(query, keys, values)


@pytest.mark.parametrize(
    ("refusal", "operation"),
    [
        (UnknownRequest, Append("Z", 1)),
        (UnknownRequest, Finish("Z")),
        (UnknownRequest, Fork("Z", "D")),
        (UnknownRequest, Fork("Z", "A")),
        (DuplicateRequest, Arrive("A", 1)),
        (DuplicateRequest, Arrive("C", 1)),  # waits in the old way
        (DuplicateRequest, Fork("A", "B")),
        (DuplicateRequest, Fork("A", "A")),
    ],
)
def test_a_refused_operation_changes_nothing(refusal: type[PagedKVError], operation: Operation) -> None:
    model = SideBySide(Settings(num_slots=64, reserve=24, block_size=4))
    for arrival in (Arrive("A", 6), Arrive("B", 3), Arrive("C", 5)):
        model.apply(arrival)
    before = deepcopy(model.snapshot())
    seats = model.seat_of_chat.copy()
    with pytest.raises(refusal):
        model.apply(operation)
    assert model.snapshot() == before
    assert model.seat_of_chat == seats
