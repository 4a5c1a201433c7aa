"""Keys and values in the slots of both layouts; attention over them against a formula in plain Python."""

import math
import random
from collections.abc import Sequence

import numpy as np
import pytest

from pagedkv.contents import HEAD_DIM, Contents, Token
from pagedkv.errors import UnknownRequest
from pagedkv.operations import Append, Arrive, Finish, Fork, Operation, Settings
from pagedkv.scenarios import SCENARIOS
from pagedkv.side_by_side import replay


def made_up(role: str, token: Token) -> list[float]:
    rng = random.Random(f"{role} {token.writer} {token.position}")
    return [2.0 * (2 * rng.random() - 1) for _ in range(HEAD_DIM)]


def plain_attention(tokens: Sequence[Token]) -> tuple[list[float], list[float]]:
    """Weights and output of the newest of the tokens, by the formula and without an array."""
    query = made_up("query", tokens[-1])
    scores = [
        math.fsum(a * b for a, b in zip(query, made_up("key", token), strict=True)) / math.sqrt(HEAD_DIM)
        for token in tokens
    ]
    raised = [math.exp(score) for score in scores]
    weights = [one / math.fsum(raised) for one in raised]
    values = [made_up("value", token) for token in tokens]
    output = [
        math.fsum(weight * value[number] for weight, value in zip(weights, values, strict=True))
        for number in range(HEAD_DIM)
    ]
    return weights, output


def carried_out(*operations: Operation, settings: Settings | None = None) -> Contents:
    contents = Contents(settings or Settings())
    for operation in operations:
        contents.apply(operation)
    return contents


def far(one: Sequence[float], other: Sequence[float]) -> float:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


# B's block lies between A's, and D inherits eight of A's tokens and writes three of its own.
STORY = (Arrive("A", 6), Arrive("B", 3), Append("A", 2), Fork("A", "D"), Append("D", 3), Append("A", 1))


def test_attention_is_that_of_the_formula_in_both_layouts() -> None:
    contents = carried_out(*STORY, settings=Settings(reserve=16))
    held = {
        "A": [Token("A", position) for position in range(9)],
        "B": [Token("B", position) for position in range(3)],
        "D": [*(Token("A", position) for position in range(8)), *(Token("D", p) for p in (8, 9, 10))],
    }
    for chat, tokens in held.items():
        weights, output = plain_attention(tokens)
        found = contents.attend(chat)
        assert found.paged is not None
        assert found.contiguous is not None
        for reading in (found.paged, found.contiguous):
            assert far(reading.weights, weights) < 1e-12
            assert far(reading.output, output) < 1e-12
        assert far(found.paged.flat, output) < 1e-12
        assert found.paged.largest_difference == far(found.paged.output, found.paged.flat) < 1e-12
        assert max(weights) / min(weights) > 1.5, "the tokens do not all count the same"


def test_the_slots_are_those_of_the_snapshot() -> None:
    contents = carried_out(*STORY, settings=Settings(reserve=16))
    snapshot = contents.snapshot()
    for old, new in zip(snapshot["contiguous"]["chats"], snapshot["paged"]["chats"], strict=True):
        found = contents.attend(new["chat"])
        assert found.paged is not None
        assert found.contiguous is not None
        assert old["start"] is not None
        slots = [new["table"][p // 4] * 4 + p % 4 for p in range(new["tokens"])]
        assert found.paged.slots == slots
        assert found.contiguous.slots == list(range(old["start"], old["start"] + old["tokens"]))


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_rules_are_those_of_the_layouts(name: str) -> None:
    scenario = SCENARIOS[name]
    model, steps = replay(scenario.settings, scenario.operations)
    contents = Contents(scenario.settings)
    assert [contents.apply(operation) for operation in scenario.operations] == steps
    assert contents.snapshot() == model.snapshot()


@pytest.mark.parametrize("name", SCENARIOS)
def test_nan_in_every_unused_slot_changes_no_bit_of_any_answer(name: str) -> None:
    scenario = SCENARIOS[name]
    contents = Contents(scenario.settings)
    for operation in scenario.operations:
        contents.apply(operation)
        keys, values = contents.blocks.k_pool.copy(), contents.pool.values.copy()
        for chat in contents.seat_of_chat:
            plain, poisoned = contents.attend(chat), contents.attend(chat, is_poisoned=True)
            for one, other in ((plain.contiguous, poisoned.contiguous), (plain.paged, poisoned.paged)):
                assert (one is None) == (other is None)
                if one is not None and other is not None:
                    assert np.array(one.output).tobytes() == np.array(other.output).tobytes()
                    assert np.array(one.weights).tobytes() == np.array(other.weights).tobytes()
                    assert not any(map(math.isnan, other.output))
            if plain.paged is not None and poisoned.paged is not None:
                assert poisoned.paged.is_unmoved
                is_full = len(plain.paged.slots) % scenario.settings.block_size == 0
                assert (plain.paged.beyond == []) == is_full
                assert all(map(math.isnan, poisoned.paged.careless)) == (not is_full)
                assert (
                    poisoned.paged.num_unused
                    == contents.blocks.num_blocks * (contents.blocks.block_size)
                    - contents.snapshot()["paged"]["counters"]["used"]
                )
        assert np.array_equal(contents.blocks.k_pool, keys, equal_nan=True)
        assert np.array_equal(contents.pool.values, values, equal_nan=True)


def test_stale_values_are_there_and_only_a_careless_reader_meets_them() -> None:
    """A's block goes back with all in it; B takes it and fills a part of it."""
    contents = carried_out(
        Arrive("A", 4), Finish("A"), Arrive("B", 2), settings=Settings(num_slots=4, reserve=4)
    )
    for stale, rows in ((2, contents.blocks.k_pool[0]), (3, contents.pool.keys)):
        assert rows[stale].tolist() == made_up("key", Token("A", stale))
    found = contents.attend("B").paged
    assert found is not None
    assert (found.slots, found.beyond, found.num_unused) == ([0, 1], [2, 3], 2)
    assert far(found.output, plain_attention([Token("B", 0), Token("B", 1)])[1]) < 1e-12
    # What the careless reader gets: attention of B's newest token with A's last two after it.
    query = made_up("query", Token("B", 1))
    read = [Token("B", 0), Token("B", 1), Token("A", 2), Token("A", 3)]
    raised = [
        math.exp(math.fsum(a * b for a, b in zip(query, made_up("key", token), strict=True)) / 2)
        for token in read
    ]
    expected = [
        math.fsum(one * made_up("value", token)[number] for one, token in zip(raised, read, strict=True))
        / math.fsum(raised)
        for number in range(HEAD_DIM)
    ]
    assert far(found.careless, expected) < 1e-12
    assert far(found.careless, found.output) > 0.01


def test_a_careless_reader_is_right_where_the_last_block_is_full() -> None:
    found = carried_out(Arrive("A", 8)).attend("A").paged
    assert found is not None
    assert found.beyond == []
    assert far(found.careless, found.output) < 1e-12


def test_a_chat_that_waits_in_one_layout_is_read_in_the_other() -> None:
    contents = carried_out(Arrive("A", 6), Arrive("B", 3), Arrive("C", 5))
    found = contents.attend("C")
    assert found.contiguous is None
    assert found.paged is not None
    assert found.paged.slots == [12, 13, 14, 15, 16]


def test_a_reply_that_is_cut_off_is_read_as_far_as_it_goes() -> None:
    contents = carried_out(Arrive("A", 6), Append("A", 4), settings=Settings(reserve=8))
    found = contents.attend("A")
    assert found.paged is not None
    assert found.contiguous is not None
    assert (len(found.paged.slots), len(found.contiguous.slots)) == (10, 8)
    assert far(found.contiguous.output, plain_attention([Token("A", p) for p in range(8)])[1]) < 1e-12


def test_a_chat_that_is_not_there_is_named() -> None:
    with pytest.raises(UnknownRequest, match="There is no chat 'B'"):
        carried_out(Arrive("A", 1)).attend("B")
