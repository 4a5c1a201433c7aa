"""The worked example and the prefix run, row by row, against the lesson's tables."""

import pytest

from pagedkv import BlockAllocator, prefix_sharing_example, worked_example
from tests.pagedkv import facts


@pytest.mark.parametrize(("step", "row"), [*enumerate(facts.WORKED_EXAMPLE)])
def test_worked_example_has_the_row(step: int, row: facts.Row) -> None:
    found = worked_example()[step]
    assert (found.step, found.event) == (step, row.event)
    assert found.lengths == row.lengths
    assert found.tables == row.tables
    assert found.free_list == row.free_list
    assert found.wasted == row.wasted


def test_worked_example_has_nine_rows() -> None:
    assert len(worked_example()) == 9


def test_worked_example_owns_each_block_once_or_not_at_all() -> None:
    for row, found in zip(facts.WORKED_EXAMPLE, worked_example(), strict=True):
        owned = [block for table in row.tables.values() for block in table]
        assert found.ref_count == [owned.count(block) for block in range(8)]


def test_the_allocator_alone_reaches_the_same_rows() -> None:
    """The rows come from the rules, whoever calls them."""
    blocks = BlockAllocator(num_blocks=8, block_size=4)
    rows = [(dict(blocks.tables), list(blocks.free_list))]

    def row_after(tokens: int, rid: str) -> None:
        for _ in range(tokens):
            blocks.append(rid)
        rows.append(({name: list(table) for name, table in blocks.tables.items()}, list(blocks.free_list)))

    for rid, tokens in (("A", 6), ("B", 3), ("C", 5)):
        blocks.add_request(rid)
        row_after(tokens, rid)
    row_after(2, "A")
    row_after(1, "A")
    row_after(2, "B")
    blocks.free("B")
    row_after(0, "B")
    row_after(4, "C")
    assert rows == [(row.tables, row.free_list) for row in facts.WORKED_EXAMPLE]


@pytest.mark.parametrize(("index", "row"), [*enumerate(facts.PREFIX_SHARING)])
def test_prefix_run_has_the_row(index: int, row: facts.PrefixRow) -> None:
    found = prefix_sharing_example()[index + 1]
    assert (found.step, found.event) == (index + 1, row.event)
    assert found.tables == row.tables
    assert found.ref_count == [*row.ref_count, 0, 0, 0]
    assert found.free_list == row.free_list


def test_prefix_run_starts_empty_and_has_five_rows() -> None:
    steps = prefix_sharing_example()
    assert len(steps) == 5
    assert (steps[0].event, steps[0].tables, steps[0].free_list) == ("start", {}, [0, 1, 2, 3, 4, 5])


def test_changing_a_returned_row_changes_no_later_call() -> None:
    worked_example()[-1].tables["A"].append(99)
    worked_example()[-1].free_list.clear()
    assert worked_example()[-1].tables == facts.WORKED_EXAMPLE[-1].tables
    assert worked_example()[-1].free_list == facts.WORKED_EXAMPLE[-1].free_list


def test_an_earlier_row_is_not_changed_by_later_steps() -> None:
    """Rows are copies: a shared table would show the last state in every row."""
    lengths = [len(step.tables.get("A", [])) for step in worked_example()]
    assert lengths == [0, 2, 2, 2, 2, 3, 3, 3, 3]
