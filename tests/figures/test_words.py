"""Captions: cause and effect in plain words, for everything that can happen."""

import pytest

from figures.words import counted, happened, listed, ranged
from pagedkv.operations import Append, Arrive, Finish, Fork, Operation, Settings
from pagedkv.side_by_side import replay

SMALL = Settings(num_slots=16, reserve=8, block_size=4)


def said(*operations: Operation, settings: Settings = SMALL) -> tuple[str, str]:
    model, steps = replay(settings, operations)
    snapshot, last = model.snapshot(), steps[-1]
    return (
        happened("contiguous", last["contiguous"], snapshot),
        happened("paged", last["paged"], snapshot),
    )


@pytest.mark.parametrize(
    ("operations", "old", "new"),
    [
        (
            (Arrive("A", 6),),
            "A arrives with 6 tokens and reserves slots 0 to 7, 2 of them still empty.",
            "A arrives with 6 tokens: blocks 0 and 1 leave the free list.",
        ),
        (
            (Arrive("A", 8),),
            "A arrives with 8 tokens and reserves slots 0 to 7, all of them in use.",
            "A arrives with 8 tokens: blocks 0 and 1 leave the free list.",
        ),
        (
            (Arrive("A", 6), Append("A", 1)),
            "A writes 1 token into slot 6, in its reservation.",
            "A writes token 6. Its last block, 1, has room, so no block leaves the free list.",
        ),
        (
            (Arrive("A", 8), Append("A", 1)),
            "A writes nothing. Its reservation of 8 is full: 1 token not written, the reply is cut off.",
            "A writes token 8. Its last block is full, so block 2 leaves the free list.",
        ),
        (
            (Arrive("A", 6), Append("A", 4)),
            (
                "A writes 2 tokens into slots 6 and 7, in its reservation. "
                "Its reservation of 8 is full: 2 tokens not written, the reply is cut off."
            ),
            "A writes tokens 6 to 9. Its last block fills up, so block 2 leaves the free list.",
        ),
        (
            (Arrive("A", 6), Arrive("B", 3), Arrive("C", 5)),
            "C arrives with 5 tokens and needs 8 slots in a row. No slot is free, so C waits.",
            "C arrives with 5 tokens. It needs 2 blocks and 1 is free, so C waits.",
        ),
        (
            (Arrive("A", 6), Arrive("B", 3), Arrive("C", 5), Arrive("D", 1)),
            "D arrives with 1 token. Others wait already, and nobody overtakes, so D waits behind them.",
            "D arrives with 1 token. Others wait already, and nobody overtakes, so D waits behind them.",
        ),
        (
            (Arrive("A", 6), Arrive("B", 3), Arrive("C", 5), Append("C", 4)),
            "C still waits, now with 9 tokens. It may reserve 8, so 1 would be cut off.",
            "C still waits, now with 9 tokens.",
        ),
        (
            (Arrive("A", 6), Arrive("B", 3), Arrive("C", 5), Finish("A")),
            (
                "A finishes. Its whole reservation, slots 0 to 7, is free again. "
                "C no longer waits: it reserves slots 0 to 7, 3 of them still empty."
            ),
            (
                "A finishes. Blocks 0 and 1 go back to the free list. "
                "C no longer waits: blocks 3 and 0 leave the free list for its 5 tokens."
            ),
        ),
        (
            (Arrive("A", 6), Arrive("B", 3), Arrive("C", 5), Finish("C")),
            "C ends before it got any memory.",
            "C ends before it got any memory.",
        ),
        (
            (Arrive("A", 6), Fork("A", "B")),
            "B copies A: it reserves slots 8 to 15 and 6 tokens are written a second time.",
            "B starts as A and shares blocks 0 and 1. No slot is copied.",
        ),
        (
            (Arrive("A", 6), Fork("A", "B"), Append("A", 1)),
            "A writes 1 token into slot 6, in its reservation.",
            (
                "A writes token 6. A's last block, 1, is shared and has room, "
                "so it is copied to block 2 first (copy-on-write)."
            ),
        ),
        (
            (Arrive("A", 6), Fork("A", "B"), Fork("A", "C")),
            "No hole is long enough for a second reservation. C is not started; nothing changed.",
            "C starts as A and shares blocks 0 and 1. No slot is copied.",
        ),
        (
            (Arrive("A", 6), Fork("A", "B"), Fork("A", "C"), Append("C", 1)),
            "C is not there: its copy was refused earlier.",
            (
                "C writes token 6. C's last block, 1, is shared and has room, "
                "so it is copied to block 2 first (copy-on-write)."
            ),
        ),
        (
            (Arrive("A", 4), Fork("A", "B"), Finish("A")),
            "A finishes. Its whole reservation, slots 0 to 7, is free again.",
            "A finishes. Its blocks are shared, so none goes back to the free list.",
        ),
    ],
    ids=lambda value: "" if isinstance(value, str) else " ".join(type(each).__name__ for each in value),
)
def test_what_happened(operations: tuple[Operation, ...], old: str, new: str) -> None:
    assert said(*operations) == (old, new)


def test_a_full_pool_is_calm_and_exact() -> None:
    full = (Arrive("A", 8), Arrive("B", 8))
    assert said(*full, Append("A", 4))[1] == "No block is free. A keeps its 8 tokens; nothing changed."
    nearly = (Arrive("A", 6), Arrive("B", 8))
    assert said(*nearly, Append("A", 4))[1] == (
        "A writes tokens 6 and 7. Its last block, 1, has room, so no block leaves the free list. "
        "No block is free for the other 2 tokens; nothing else changed."
    )


def test_numbers_in_words() -> None:
    assert counted(1, "slot") == "1 slot"
    assert listed(["A", "B", "C"]) == "A, B and C"
    assert ranged([0, 1, 2, 5]) == "0 to 2 and 5"
    assert ranged([7, 2, 6]) == "7, 2 and 6"
