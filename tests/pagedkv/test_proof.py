"""The two runs that the lesson offers as evidence do what it says they do, and notice what is wrong."""

import numpy as np
import pytest

from pagedkv import BlockManager
from pagedkv.proof import HEAD_DIM, LENGTHS, attention_proof, random_run


def test_the_proof_covers_what_the_lesson_states() -> None:
    assert LENGTHS == {"A": 13, "B": 7}
    assert HEAD_DIM == 4
    assert [run.block_size for run in attention_proof()] == [1, 4, 16]


def test_both_columns_of_the_proof_agree_and_are_no_constants() -> None:
    outputs = []
    for run in attention_proof():
        for rid in ("A", "B"):
            through_the_table, flat = run.outputs[rid]
            np.testing.assert_allclose(through_the_table, flat, rtol=0, atol=1e-12)
            outputs.append(tuple(np.round(flat, 9).tolist()))
        assert run.largest_difference < 1e-12
    # The same inputs for every block size, other ones for A than for B.
    assert len(set(outputs)) == 2
    assert all(any(output) for output in outputs)


@pytest.mark.parametrize("block_size", [1, 4, 16])
def test_the_proof_notices_attention_that_is_wrong(block_size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pagedkv.proof.paged_attention", lambda q, mgr, rid: mgr.gather(rid)[1].mean(axis=0))
    assert attention_proof((block_size,))[0].largest_difference > 1e-3


@pytest.mark.parametrize("seed", range(5))
def test_a_random_run_mixes_all_four_operations_and_meets_a_full_pool(seed: int) -> None:
    run = random_run(seed)
    assert set(run.operations) == {"add", "append", "fork", "free"}
    assert sum(run.operations.values()) == run.checks == 400
    assert min(run.operations.values()) >= 20
    assert run.refused > 0


def test_a_seed_gives_the_same_run_every_time() -> None:
    assert random_run(1, 100) == random_run(1, 100) != random_run(2, 100)


def fork_without_counts(mgr: BlockManager, parent: int, child: int) -> None:
    mgr.tables[child], mgr.lengths[child] = mgr.tables[parent].copy(), mgr.lengths[parent]


@pytest.mark.parametrize(
    ("name", "broken", "says"),
    [
        ("fork", fork_without_counts, "Block"),
        ("free", lambda mgr, rid: mgr.tables.pop(rid), "Block"),
        (
            "gather",
            lambda mgr, rid: (np.zeros((mgr.lengths[rid], 1)), np.zeros((mgr.lengths[rid], 1))),
            "reads back other tokens",
        ),
    ],
)
def test_a_random_run_notices_rules_that_are_wrong(
    name: str, broken: object, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BlockManager, name, broken)
    with pytest.raises(AssertionError, match=says):
        random_run(0)


def test_the_flat_column_is_not_read_from_the_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pool that stores nothing must make the two columns differ."""
    store = BlockManager.append

    def forgetful(self: BlockManager, rid: str, k: object, v: object) -> object:
        return store(self, rid, np.zeros(HEAD_DIM), np.zeros(HEAD_DIM))

    monkeypatch.setattr(BlockManager, "append", forgetful)
    assert attention_proof((4,))[0].largest_difference > 1e-3
