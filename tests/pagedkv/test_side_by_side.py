"""The rules of the widget: who is admitted, who waits, what is cut off, what is refused, in both layouts."""

import json
from copy import deepcopy

import pytest

from pagedkv.errors import DuplicateRequest
from pagedkv.operations import Append, Arrive, Finish, Fork, Settings
from pagedkv.side_by_side import replay
from tests.pagedkv.sessions import counters, kinds, new_way, old_way, only, play, runs, tables

START = (Arrive("A", 6), Arrive("B", 3), Arrive("C", 5))


# The sliders.


def test_with_sixteen_slots_each_all_three_fit_the_old_way() -> None:
    model, _ = play(Settings(reserve=16), *START)
    assert runs(model) == {"A": (0, 16, 6), "B": (16, 16, 3), "C": (32, 16, 5)}
    assert counters(model, "contiguous") == (14, 34, 16, 16, 0)


def test_with_thirty_two_slots_each_c_is_shut_out_and_waits() -> None:
    model, step = play(Settings(reserve=32), *START)
    assert runs(model) == {"A": (0, 32, 6), "B": (32, 32, 3), "C": (None, 32, 0)}
    assert counters(model, "contiguous") == (9, 55, 0, 0, 1)
    assert model.snapshot()["contiguous"]["queue"] == ["C"]
    assert (only(step["contiguous"])["kind"], only(step["contiguous"])["reason"]) == ("queued", "no_hole")


@pytest.mark.parametrize("reserve", [8, 16, 24, 32])
def test_the_reservation_does_not_concern_the_new_way(reserve: int) -> None:
    model, _ = play(Settings(reserve=reserve), *START)
    assert tables(model) == {"A": [0, 1], "B": [2], "C": [3, 4]}


@pytest.mark.parametrize(
    ("block_size", "expected", "empty"),
    [
        (1, {"A": [0, 1, 2, 3, 4, 5], "B": [6, 7, 8], "C": [9, 10, 11, 12, 13]}, 0),
        (2, {"A": [0, 1, 2], "B": [3, 4], "C": [5, 6, 7]}, 2),
        (8, {"A": [0], "B": [1], "C": [2]}, 10),
        (16, {"A": [0], "B": [1], "C": [2]}, 34),
    ],
)
def test_the_block_size_concerns_the_new_way_only(
    block_size: int, expected: dict[str, list[int]], empty: int
) -> None:
    model, _ = play(Settings(block_size=block_size), *START)
    assert tables(model) == expected
    assert counters(model, "paged") == (14, empty, 50 - empty, 50 - empty, 0)
    assert counters(model, "contiguous") == (9, 39, 16, 16, 1)


# "+4 tokens".


def test_four_more_tokens_take_one_small_block_and_fill_it_in_order() -> None:
    model, step = play(Settings(), *START, Append("A", 4))
    wrote = only(step["paged"])
    assert (wrote["kind"], wrote["asked"], wrote["tokens"]) == ("wrote", 4, 4)
    assert (wrote["slots"], wrote["blocks"]) == ([6, 7, 20, 21], [5])
    assert tables(model)["A"] == [0, 1, 5]
    assert only(step["contiguous"])["slots"] == [6, 7, 8, 9]


def test_four_more_tokens_stop_at_the_first_that_finds_no_block() -> None:
    model, step = play(Settings(num_slots=8), Arrive("A", 6), Append("A", 4))
    wrote = only(step["paged"])
    assert (wrote["asked"], wrote["tokens"], wrote["slots"]) == (4, 2, [6, 7])
    assert (wrote["blocks"], wrote["reason"]) == ([], "out_of_blocks")
    chat = new_way(model, "A")
    assert (chat["tokens"], chat["wanted"], chat["table"]) == (8, 8, [0, 1])


def test_four_more_tokens_that_find_no_block_at_all_change_nothing() -> None:
    model, _ = play(Settings(num_slots=8), Arrive("A", 8))
    before = model.snapshot()["paged"]
    wrote = only(model.apply(Append("A", 4))["paged"])
    assert (wrote["tokens"], wrote["slots"], wrote["reason"]) == (0, [], "out_of_blocks")
    assert model.snapshot()["paged"] == before


def test_four_more_tokens_may_copy_a_shared_block_and_then_find_none() -> None:
    model, step = play(Settings(num_slots=12), Arrive("A", 6), Fork("A", "B"), Append("B", 4))
    wrote = only(step["paged"])
    assert (wrote["slots"], wrote["blocks"], wrote["copies"]) == ([10, 11], [2], [[1, 2]])
    assert (wrote["tokens"], wrote["reason"]) == (2, "out_of_blocks")
    assert tables(model) == {"A": [0, 1], "B": [0, 2]}
    assert model.snapshot()["paged"]["ref_count"] == [2, 1, 1]


def test_four_more_tokens_that_cannot_copy_a_shared_block_change_nothing() -> None:
    model, _ = play(Settings(num_slots=8), Arrive("A", 6), Fork("A", "B"))
    before = model.snapshot()["paged"]
    wrote = only(model.apply(Append("B", 4))["paged"])
    assert (wrote["tokens"], wrote["copies"], wrote["reason"]) == (0, [], "out_of_blocks")
    assert model.snapshot()["paged"] == before


def test_the_old_way_cuts_a_reply_off_at_its_reservation() -> None:
    model, step = play(Settings(num_slots=16, reserve=8), Arrive("A", 6), Append("A", 4))
    wrote = only(step["contiguous"])
    assert (wrote["asked"], wrote["tokens"], wrote["slots"]) == (4, 2, [6, 7])
    assert wrote["reason"] == "cut_off"
    assert runs(model)["A"] == (0, 8, 8)
    again = only(model.apply(Append("A", 4))["contiguous"])
    assert (again["tokens"], again["reason"]) == (0, "cut_off")
    assert counters(model, "contiguous") == (8, 0, 8, 8, 0)


def test_the_last_token_that_fits_is_not_cut_off() -> None:
    _, step = play(Settings(num_slots=16, reserve=8), Arrive("A", 6), Append("A", 2))
    assert (only(step["contiguous"])["tokens"], only(step["contiguous"])["reason"]) == (2, None)


def test_a_prompt_longer_than_the_reservation_is_cut_off_too() -> None:
    model, step = play(Settings(num_slots=16, reserve=8), Arrive("A", 9))
    assert (only(step["contiguous"])["tokens"], only(step["contiguous"])["reason"]) == (8, "cut_off")
    assert (old_way(model, "A")["tokens"], old_way(model, "A")["wanted"]) == (8, 9)


# The queue.


def test_a_waiting_chat_takes_nothing_and_its_demand_grows() -> None:
    model, step = play(Settings(), *START, Append("C", 4))
    event = only(step["contiguous"])
    assert (event["kind"], event["asked"], event["tokens"], event["slots"]) == ("wants_more", 4, 9, [])
    chat = old_way(model, "C")
    assert (chat["state"], chat["tokens"], chat["wanted"], chat["start"]) == ("waiting", 0, 9, None)
    assert counters(model, "contiguous") == (9, 39, 16, 16, 1)


def test_a_chat_from_the_queue_is_admitted_with_all_its_tokens() -> None:
    model, step = play(Settings(), *START, Append("C", 4), Finish("B"))
    finished, admitted = step["contiguous"]
    assert (finished["kind"], finished["chat"], finished["run"]) == ("finished", "B", [24, 24])
    assert (admitted["kind"], admitted["chat"], admitted["from_queue"]) == ("admitted", "C", True)
    assert (admitted["tokens"], admitted["slots"]) == (9, list(range(24, 33)))
    assert runs(model) == {"A": (0, 24, 6), "C": (24, 24, 9)}


def test_a_demand_that_outgrew_the_reservation_is_cut_off_on_admission() -> None:
    model, step = play(
        Settings(num_slots=8, reserve=8), Arrive("A", 1), Arrive("B", 7), Append("B", 4), Finish("A")
    )
    admitted = step["contiguous"][1]
    assert (admitted["asked"], admitted["tokens"], admitted["reason"]) == (11, 8, "cut_off")
    assert runs(model) == {"B": (0, 8, 8)}


def test_nobody_overtakes_in_the_new_way() -> None:
    model, step = play(
        Settings(num_slots=32), Arrive("A", 16), Arrive("B", 12), Arrive("C", 8), Arrive("D", 1)
    )
    # One block is free: too few for C, enough for D, who came later.
    assert (only(step["paged"])["kind"], only(step["paged"])["reason"]) == ("queued", "behind")
    assert model.snapshot()["paged"]["queue"] == ["C", "D"]
    assert model.snapshot()["paged"]["free_list"] == [7]


def test_nobody_overtakes_in_the_old_way() -> None:
    model, step = play(
        Settings(num_slots=16), Arrive("A", 1, 12), Arrive("B", 1, reserve=8), Arrive("C", 1, reserve=4)
    )
    assert (only(step["contiguous"])["kind"], only(step["contiguous"])["reason"]) == ("queued", "behind")
    assert model.snapshot()["contiguous"]["queue"] == ["B", "C"]
    assert runs(model)["C"] == (None, 4, 0)


def test_a_finish_serves_the_queue_in_order_in_the_same_step() -> None:
    model, step = play(
        Settings(num_slots=32),
        *(Arrive("A", 16), Arrive("B", 16), Arrive("C", 8), Arrive("D", 4), Arrive("E", 8), Finish("A")),
    )
    assert kinds(step["paged"]) == [("finished", "A"), ("admitted", "C"), ("admitted", "D")]
    assert [event["from_queue"] for event in step["paged"]] == [False, True, True]
    # E wants two blocks, and one is left.
    assert model.snapshot()["paged"]["queue"] == ["E"]
    assert tables(model) == {"B": [4, 5, 6, 7], "C": [0, 1], "D": [2], "E": []}
    assert model.num_steps == 6


def test_a_finish_admits_nobody_behind_one_who_does_not_fit() -> None:
    model, step = play(
        Settings(num_slots=32),
        *(Arrive("A", 4), Arrive("B", 28), Arrive("C", 8), Arrive("D", 1), Finish("A")),
    )
    assert kinds(step["paged"]) == [("finished", "A")]
    assert model.snapshot()["paged"]["queue"] == ["C", "D"]


def test_a_demand_that_grows_may_keep_a_chat_waiting() -> None:
    operations = (Arrive("A", 4), Arrive("B", 28), Arrive("C", 4))
    _, step = play(Settings(num_slots=32), *operations, Finish("A"))
    assert kinds(step["paged"]) == [("finished", "A"), ("admitted", "C")]
    _, step = play(Settings(num_slots=32), *operations, Append("C", 4), Finish("A"))
    assert kinds(step["paged"]) == [("finished", "A")]


def test_finishing_a_waiting_chat_takes_it_out_of_the_queue() -> None:
    model, step = play(Settings(), *START, Finish("C"))
    assert kinds(step["contiguous"]) == [("left_queue", "C")]
    assert model.snapshot()["contiguous"]["queue"] == []
    assert counters(model, "contiguous") == (9, 39, 16, 16, 0)
    assert kinds(step["paged"]) == [("finished", "C")]


def test_when_the_first_in_the_queue_leaves_those_behind_are_admitted() -> None:
    model, step = play(Settings(num_slots=16), Arrive("A", 12), Arrive("B", 8), Arrive("C", 2), Finish("B"))
    assert kinds(step["paged"]) == [("left_queue", "B"), ("admitted", "C")]
    assert tables(model) == {"A": [0, 1, 2], "C": [3]}


def test_a_chat_too_large_for_the_pool_waits_in_both_layouts() -> None:
    model, step = play(Settings(num_slots=16, reserve=17), Arrive("A", 17))
    assert kinds(step["contiguous"]) == kinds(step["paged"]) == [("queued", "A")]
    assert counters(model, "contiguous") == counters(model, "paged") == (0, 0, 16, 16, 1)


def test_a_chat_of_exactly_the_pool_is_admitted() -> None:
    model, _ = play(Settings(num_slots=16, reserve=16), Arrive("A", 16))
    assert counters(model, "contiguous") == counters(model, "paged") == (16, 0, 0, 0, 0)


# Forks.


def test_a_fork_shares_in_the_new_way_and_copies_in_the_old() -> None:
    model, step = play(Settings(reserve=16), *START, Fork("A", "D"))
    assert (only(step["contiguous"])["run"], only(step["contiguous"])["slots"]) == (
        [48, 16],
        [48, 49, 50, 51, 52, 53],
    )
    assert counters(model, "contiguous") == (20, 44, 0, 0, 0)
    shared = only(step["paged"])
    assert (shared["parent"], shared["blocks"], shared["tokens"]) == ("A", [0, 1], 6)
    assert tables(model)["D"] == [0, 1]
    # Shared slots are counted once.
    assert counters(model, "paged") == (14, 6, 44, 44, 0)


def test_a_fork_without_a_hole_is_refused_in_the_old_way_only() -> None:
    model, step = play(Settings(), *START, Fork("A", "D"))
    refused = only(step["contiguous"])
    assert (refused["kind"], refused["parent"], refused["reason"]) == ("refused", "A", "no_hole")
    assert (old_way(model, "D")["state"], new_way(model, "D")["state"]) == ("absent", "running")
    assert runs(model)["D"][0] is None
    assert counters(model, "contiguous") == (9, 39, 16, 16, 1)


def test_a_chat_whose_fork_was_refused_lives_on_in_the_other_layout() -> None:
    model, _ = play(Settings(), *START, Fork("A", "D"))
    step = model.apply(Append("D", 2))
    refused = only(step["contiguous"])
    assert (refused["kind"], refused["reason"]) == ("refused", "absent")
    assert only(step["paged"])["slots"] == [22, 23]  # block 1 is shared and copied to block 5
    step = model.apply(Fork("D", "E"))
    assert (only(step["contiguous"])["kind"], only(step["paged"])["kind"]) == ("refused", "forked")
    step = model.apply(Finish("D"))
    assert kinds(step["paged"]) == [("finished", "D")]
    assert "D" not in tables(model)
    assert counters(model, "contiguous") == (9, 39, 16, 16, 1)


def test_a_fork_of_a_chat_that_waits_is_refused_where_it_waits() -> None:
    model, step = play(Settings(), *START, Fork("C", "D"))
    refused = only(step["contiguous"])
    assert (refused["kind"], refused["reason"]) == ("refused", "parent_waits")
    assert only(step["paged"])["kind"] == "forked"
    assert model.snapshot()["contiguous"]["queue"] == ["C"]


def test_a_fork_of_a_chat_that_waits_for_blocks_only_is_refused_in_the_new_way_only() -> None:
    model, step = play(
        Settings(num_slots=16, reserve=4), Arrive("A", 13), Arrive("B", 5), Fork("B", "C"), Append("B", 2)
    )
    assert (old_way(model, "C")["state"], new_way(model, "C")["state"]) == ("running", "absent")
    assert kinds(step["paged"]) == [("wants_more", "B")]


def test_a_chat_that_is_not_there_or_waits_holds_no_token() -> None:
    model, _ = play(Settings(num_slots=16, reserve=4), Arrive("A", 13), Arrive("B", 5), Fork("B", "C"))
    assert new_way(model, "B") == {"chat": "B", "state": "waiting", "tokens": 0, "wanted": 5, "table": []}
    assert new_way(model, "C") == {"chat": "C", "state": "absent", "tokens": 0, "wanted": 0, "table": []}
    model, _ = play(Settings(), *START, Fork("C", "D"))
    waiting, absent = old_way(model, "C"), old_way(model, "D")
    assert (waiting["state"], waiting["tokens"], waiting["wanted"]) == ("waiting", 0, 5)
    assert (absent["state"], absent["tokens"], absent["wanted"]) == ("absent", 0, 0)


def test_a_fork_that_both_layouts_refuse_leaves_no_chat_behind() -> None:
    model, _ = play(Settings(num_slots=16, reserve=16), Arrive("A", 16), Arrive("B", 1))
    before = model.snapshot()
    step = model.apply(Fork("B", "C"))
    assert only(step["contiguous"])["reason"] == only(step["paged"])["reason"] == "parent_waits"
    assert model.snapshot() == {**before, "step": 3}
    with pytest.raises(DuplicateRequest, match="A copy that was refused has the name 'C'"):
        model.apply(Arrive("C", 3))
    model.apply(Arrive("D", 3))
    assert model.snapshot()["seats"][-1] == {"chat": "D", "seat": 2, "asked": 3}


def test_operations_that_can_be_carried_out_can_be_under_any_setting() -> None:
    """Where there is room B's copy C lives and has a copy of its own; where B waits there is neither."""
    story = (Arrive("A", 16), Arrive("B", 1), Fork("B", "C"), Append("C", 2), Fork("C", "D"), Finish("C"))
    roomy, _ = replay(Settings(num_slots=64, reserve=16), story)
    assert [chat["chat"] for chat in roomy.snapshot()["paged"]["chats"]] == ["A", "B", "D"]
    narrow, steps = replay(Settings(num_slots=16, reserve=16), story)
    assert [chat["chat"] for chat in narrow.snapshot()["paged"]["chats"]] == ["A", "B"]
    assert narrow.turned_away == {"D"}
    for layout in ("contiguous", "paged"):
        kinds = [(only(step[layout])["kind"], only(step[layout])["reason"]) for step in steps[2:]]
        assert kinds == [
            ("refused", "parent_waits"),
            ("refused", "absent"),
            ("refused", "absent"),
            ("left_queue", "absent"),
        ]
    narrow.apply(Arrive("C", 3))
    with pytest.raises(DuplicateRequest):
        narrow.apply(Arrive("D", 3))


def test_a_fork_keeps_the_reservation_that_its_parent_asked_for() -> None:
    model, _ = play(Settings(num_slots=64, reserve=8), Arrive("A", 3, reserve=20), Fork("A", "B"))
    assert runs(model) == {"A": (0, 20, 3), "B": (20, 20, 3)}


def test_the_new_way_forks_even_when_the_pool_is_full() -> None:
    model, step = play(Settings(num_slots=8), Arrive("A", 8), Fork("A", "B"))
    assert only(step["paged"])["kind"] == "forked"
    assert counters(model, "paged") == (8, 0, 0, 0, 0)


# Seats, copies and replay.


def test_a_seat_is_kept_while_the_chat_is_there_and_then_given_to_the_next() -> None:
    model, _ = play(Settings(), *START, Finish("A"), Arrive("D", 1), Arrive("A", 1))
    seats = {each["chat"]: each["seat"] for each in model.snapshot()["seats"]}
    assert seats == {"B": 1, "C": 2, "D": 0, "A": 3}


def test_a_chat_that_comes_again_has_forgotten_its_own_reservation() -> None:
    model, _ = play(Settings(reserve=8), Arrive("A", 1, reserve=20), Finish("A"), Arrive("A", 1))
    assert runs(model) == {"A": (0, 8, 1)}


def test_slots_left_over_behind_the_last_whole_block_count_for_the_old_way_only() -> None:
    model, _ = play(Settings(num_slots=10, reserve=10), Arrive("A", 9))
    assert counters(model, "contiguous") == (9, 1, 0, 0, 0)
    assert model.snapshot()["paged"]["num_slots"] == 8
    assert counters(model, "paged") == (0, 0, 8, 8, 1)


def test_a_snapshot_is_a_copy_and_plain_json() -> None:
    model, _ = play(Settings(), *START, Fork("A", "D"))
    snapshot = model.snapshot()
    kept = deepcopy(snapshot)
    assert json.loads(json.dumps(snapshot)) == snapshot
    for operation in (Append("A", 4), Finish("B"), Append("D", 4)):
        model.apply(operation)
    assert snapshot == kept


def test_other_settings_are_seen_by_replaying_the_same_operations() -> None:
    operations = (*START, Append("A", 4), Finish("B"), Fork("A", "D"))
    model, steps = replay(Settings(reserve=32, block_size=2), operations)
    again, same_steps = replay(Settings(reserve=32, block_size=2), operations)
    assert (again.snapshot(), same_steps) == (model.snapshot(), steps)
    other, _ = replay(Settings(reserve=16, block_size=8), operations)
    assert other.snapshot()["step"] == model.snapshot()["step"] == len(operations)
    assert other.snapshot()["settings"] == {"num_slots": 64, "reserve": 16, "block_size": 8}
    assert tables(other)["A"] == [0, 3]
    assert runs(other)["A"] == (0, 16, 10)
