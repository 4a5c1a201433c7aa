"""The capacity example, against its figures and against plain arithmetic."""

from dataclasses import replace

import numpy as np
import pytest

from pagedkv import LLAMA_3_8B, InvalidSize
from pagedkv.capacity import Admitted, CapacityExample, admitted_contiguous, admitted_paged, capacity_example


@pytest.fixture(scope="module")
def example() -> CapacityExample:
    return capacity_example()


def admitted_by_arithmetic(lengths: list[int], num_slots: int, block_size: int) -> Admitted:
    """Count what fits without any allocator: whole blocks, rounded up, until the pool's are used up."""
    blocks_left = num_slots // block_size
    requests = tokens = allocated = 0
    for length in lengths:
        full, rest = divmod(length, block_size)
        blocks = full + (rest > 0)
        if blocks > blocks_left:
            break
        blocks_left -= blocks
        requests, tokens, allocated = requests + 1, tokens + length, allocated + blocks * block_size
    return Admitted(requests, tokens, allocated)


def test_the_workload_is_the_one_that_the_lesson_states(example: CapacityExample) -> None:
    assert example.lengths == np.random.default_rng(0).integers(100, 2001, 500).tolist()
    assert (example.lowest, example.highest) == (100, 2_000)


def test_the_pool_is_sixteen_gib_of_llama_3_8b(example: CapacityExample) -> None:
    assert (example.pool_bytes, example.num_slots) == (17_179_869_184, 131_072)


def test_sixteen_reservations_fit_and_use_an_eighth_of_what_they_hold(example: CapacityExample) -> None:
    assert example.contiguous.requests == 16
    assert example.contiguous.allocated == 16 * 8_192
    assert example.contiguous.tokens == sum(example.lengths[:16])
    assert f"{example.contiguous.tokens / example.contiguous.allocated:.1%}" == "12.9%"


def test_blocks_of_sixteen_admit_122_and_waste_913_slots(example: CapacityExample) -> None:
    assert (example.paged.requests, example.paged.allocated, example.paged.wasted) == (122, 130_800, 913)
    assert f"{example.paged.wasted / example.paged.allocated:.1%}" == "0.7%"
    assert f"{example.paged.requests / example.contiguous.requests:.1f}" == "7.6"


@pytest.mark.parametrize("block_size", [1, 2, 4, 8, 16])
def test_every_block_size_up_to_sixteen_admits_122(block_size: int, example: CapacityExample) -> None:
    assert admitted_by_arithmetic(example.lengths, 131_072, block_size).requests == 122
    assert admitted_paged(example.lengths, 131_072, block_size) == admitted_by_arithmetic(
        example.lengths, 131_072, block_size
    )


@pytest.mark.long
@pytest.mark.parametrize("block_size", range(1, 65))
def test_every_block_size_agrees_with_arithmetic(block_size: int, example: CapacityExample) -> None:
    by_arithmetic = admitted_by_arithmetic(example.lengths, 131_072, block_size)
    assert admitted_paged(example.lengths, 131_072, block_size) == by_arithmetic
    if block_size <= 16:
        assert by_arithmetic.requests == 122


def test_one_layer_more_leaves_room_for_one_reservation_less() -> None:
    example = capacity_example(replace(LLAMA_3_8B, n_layers=33))
    assert (example.num_slots, example.contiguous.requests) == (127_100, 15)


def test_admission_stops_at_the_first_request_that_does_not_fit() -> None:
    assert admitted_paged([4, 9, 1], num_slots=8, block_size=4) == Admitted(1, 4, 4)
    assert admitted_contiguous([4, 9, 1], num_slots=16, reserve=8) == Admitted(2, 12, 16)


def test_a_request_counts_no_more_tokens_than_its_reservation_holds() -> None:
    assert admitted_contiguous([9], num_slots=16, reserve=8).tokens == 8


@pytest.mark.parametrize("wrong", [0, -4, 2.5, True])
def test_sizes_that_are_no_counts_are_refused_by_name(wrong: int) -> None:
    with pytest.raises(InvalidSize, match="block_size is"):
        admitted_paged([5], 32, wrong)
    with pytest.raises(InvalidSize, match="block_size is"):
        capacity_example(block_size=wrong)
    with pytest.raises(InvalidSize, match=r"^size is"):
        admitted_contiguous([5], 32, wrong)


@pytest.mark.parametrize("wrong", [-1, 2.5, True])
def test_a_length_that_is_no_count_is_refused(wrong: int) -> None:
    with pytest.raises(InvalidSize):
        admitted_paged([wrong], 32, 4)
    with pytest.raises(InvalidSize):
        admitted_contiguous([wrong], 32, 8)
