"""The rules of paging, one by one, on states small enough to check by hand."""

import pytest

from pagedkv import BlockAllocator, OutOfBlocks


def grown(num_blocks: int, block_size: int, **tokens_of: int) -> BlockAllocator:
    """Return an allocator in which requests arrived one after the other with so many tokens each."""
    blocks = BlockAllocator(num_blocks, block_size)
    for rid, tokens in tokens_of.items():
        blocks.add_request(rid)
        append(blocks, rid, tokens)
    return blocks


def append(blocks: BlockAllocator, rid: str, tokens: int) -> None:
    for _ in range(tokens):
        blocks.append(rid)


def test_a_new_pool_is_free_and_in_order() -> None:
    blocks = BlockAllocator(5, 4)
    assert (list(blocks.free_list), blocks.ref_count, blocks.tables) == ([0, 1, 2, 3, 4], [0] * 5, {})


def test_a_new_request_holds_no_block() -> None:
    blocks = grown(2, 4, A=0)
    assert (blocks.tables, blocks.lengths, list(blocks.free_list)) == ({"A": []}, {"A": 0}, [0, 1])


def test_a_block_is_taken_exactly_when_the_length_is_a_multiple_of_the_block_size() -> None:
    blocks = grown(8, 3, A=0)
    free_before_each = []
    for _ in range(8):
        free_before_each.append(len(blocks.free_list))
        blocks.append("A")
    # Tokens 0, 3 and 6 take one each: the count drops right after them.
    assert [*free_before_each, len(blocks.free_list)] == [8, 7, 7, 7, 6, 6, 6, 5, 5]


def test_blocks_are_handed_out_in_the_order_of_the_free_list() -> None:
    blocks = grown(4, 1, A=2, B=2)
    assert blocks.tables == {"A": [0, 1], "B": [2, 3]}


def test_freed_blocks_go_to_the_back_in_the_order_of_the_table() -> None:
    blocks = grown(6, 2, A=3, B=4)
    assert blocks.free("A") == [0, 1]
    assert list(blocks.free_list) == [4, 5, 0, 1]
    assert blocks.free("B") == [2, 3]
    assert list(blocks.free_list) == [4, 5, 0, 1, 2, 3]


def test_the_block_that_has_been_free_longest_is_used_next() -> None:
    blocks = grown(3, 1, A=1, B=1)
    blocks.free("B")
    blocks.free("A")
    blocks.add_request("C")
    append(blocks, "C", 3)
    assert blocks.tables == {"C": [2, 1, 0]}


def test_append_tells_block_and_offset_of_each_token() -> None:
    blocks = grown(4, 2, A=1, B=1)
    assert [blocks.append("A"), blocks.append("A"), blocks.append("B")] == [
        (0, 1, None),
        (2, 0, None),
        (1, 1, None),
    ]


def test_slots_lists_every_position_in_order() -> None:
    blocks = grown(4, 2, A=1, B=2)
    append(blocks, "A", 2)
    assert list(blocks.slots("A")) == [(0, 0), (0, 1), (2, 0)]
    assert list(blocks.slots("B")) == [(1, 0), (1, 1)]


@pytest.mark.parametrize(("block_size", "wasted"), [(1, 0), (2, 1), (4, 3), (5, 0), (8, 3), (16, 11)])
def test_waste_is_the_rest_of_the_last_block(block_size: int, wasted: int) -> None:
    assert grown(8, block_size, A=5).num_wasted == wasted


def test_a_fork_shares_every_block_and_takes_none() -> None:
    blocks = grown(4, 4, A=6)
    blocks.fork("A", "B")
    assert blocks.tables == {"A": [0, 1], "B": [0, 1]}
    assert (blocks.lengths, blocks.ref_count) == ({"A": 6, "B": 6}, [2, 2, 0, 0])
    assert list(blocks.free_list) == [2, 3]


def test_the_tables_of_parent_and_child_are_two() -> None:
    blocks = grown(4, 2, A=2)
    blocks.fork("A", "B")
    blocks.append("B")
    assert blocks.tables == {"A": [0], "B": [0, 1]}


def test_a_write_to_a_shared_block_with_room_copies_it() -> None:
    blocks = grown(4, 4, A=6)
    blocks.fork("A", "B")
    assert blocks.append("B") == (2, 2, 1)
    assert (blocks.tables, blocks.ref_count) == ({"A": [0, 1], "B": [0, 2]}, [2, 1, 1, 0])
    # Block 1 has one owner left, who writes in place.
    assert blocks.append("A") == (1, 2, None)
    assert list(blocks.free_list) == [3]


def test_a_shared_block_that_is_full_is_never_copied() -> None:
    blocks = grown(4, 4, A=4)
    blocks.fork("A", "B")
    assert [blocks.append("A"), blocks.append("B")] == [(1, 0, None), (2, 0, None)]
    assert (blocks.tables, blocks.ref_count) == ({"A": [0, 1], "B": [0, 2]}, [2, 1, 1, 0])


def test_of_three_sharers_two_copy_and_the_last_writes_in_place() -> None:
    blocks = grown(4, 2, A=1)
    blocks.fork("A", "B")
    blocks.fork("B", "C")
    assert [blocks.append(rid) for rid in "CAB"] == [(1, 1, 0), (2, 1, 0), (0, 1, None)]


def test_a_shared_block_goes_back_when_its_last_owner_ends() -> None:
    blocks = grown(4, 4, A=6)
    blocks.fork("A", "B")
    blocks.append("B")  # B now owns block 2 alone, and block 0 with A
    assert blocks.free("A") == [1]
    assert (blocks.ref_count, list(blocks.free_list)) == ([1, 0, 1, 0], [3, 1])
    assert blocks.free("B") == [0, 2]
    assert (blocks.ref_count, list(blocks.free_list)) == ([0, 0, 0, 0], [3, 1, 0, 2])


def test_a_block_of_three_owners_stays_when_one_ends() -> None:
    blocks = grown(2, 4, A=1)
    blocks.fork("A", "B")
    blocks.fork("A", "C")
    assert blocks.free("A") == []
    assert (blocks.ref_count, list(blocks.free_list)) == ([2, 0], [1])


def test_a_shared_block_is_wasted_once() -> None:
    blocks = grown(4, 4, A=6)
    blocks.fork("A", "B")
    assert blocks.filled_of_block() == {0: 4, 1: 2}
    assert blocks.num_wasted == 2
    blocks.append("B")
    assert blocks.filled_of_block() == {0: 4, 1: 2, 2: 3}
    assert blocks.num_wasted == 3


def test_the_last_free_block_is_handed_out_and_then_no_more() -> None:
    blocks = grown(2, 2, A=4)
    with pytest.raises(OutOfBlocks, match="all 2 are owned"):
        blocks.append("A")
    blocks.free("A")
    blocks.add_request("B")
    append(blocks, "B", 4)
    assert blocks.tables == {"B": [0, 1]}


@pytest.mark.parametrize(("tokens", "needed"), [(0, 0), (1, 1), (4, 1), (5, 2), (8, 2), (9, 3)])
def test_blocks_for_rounds_up(tokens: int, needed: int) -> None:
    assert BlockAllocator(8, 4).blocks_for(tokens) == needed


def test_any_hashable_id_names_a_request() -> None:
    blocks = BlockAllocator(4, 1)
    for rid in ("A", 7, ("user", 1), None):
        blocks.add_request(rid)
        blocks.append(rid)
    assert blocks.tables == {"A": [0], 7: [1], ("user", 1): [2], None: [3]}
