"""Whole sessions of random commands: none raises, none breaks an invariant, and each can be told again."""

import json

import pytest

from pagedkv.snapshot import Snapshot
from tests.widget.commands import random_commands
from widget.link import LONGEST_LINK
from widget.session import Session
from widget.sessions import FIRST_COMMANDS, WIDGET, Sessions


def check(snapshot: Snapshot) -> None:
    for layout in ("contiguous", "paged"):
        state = snapshot[layout]
        counters = state["counters"]
        assert counters["used"] + counters["empty"] + counters["free"] == state["num_slots"]
        assert counters["waiting"] == len(state["queue"])
        assert {chat["chat"] for chat in state["chats"] if chat["state"] == "waiting"} == set(state["queue"])
    paged = snapshot["paged"]
    owners = [block for chat in paged["chats"] for block in chat["table"]]
    for block, count in enumerate(paged["ref_count"]):
        assert owners.count(block) == count
        assert paged["free_list"].count(block) == (count == 0)


def play(seed: int, count: int) -> int:
    """Play a session, check each of its frames, and return how many commands did something."""
    session = Session()
    frame, done = session.frame(), 0
    for command in random_commands(seed, count):
        frame = session.dispatch(command)
        check(frame["snapshot"])
        done += frame["problem"] is None
        assert frame["snapshot"]["step"] <= frame["steps"]
    if len(frame["link"]) < LONGEST_LINK:
        again = Session("holes")
        assert again.dispatch({"type": "open", "link": f"#{frame['link']}"})["problem"] is None
        assert again.frame()["snapshot"] == session.frame()["snapshot"]
    json.dumps(frame)
    return done


@pytest.mark.parametrize("seed", range(20))
def test_random_sessions_break_nothing(seed: int) -> None:
    assert play(seed, 30) > 10


@pytest.mark.long
def test_two_thousand_random_sessions_break_nothing() -> None:
    assert sum(play(seed, 30) for seed in range(1_000, 3_000)) > 2_000 * 10


def test_a_prepared_session_answers_as_any_other_and_belongs_to_one_page() -> None:
    sessions, plain = Sessions(), Sessions()
    sessions.prepare()
    for name in ("1", "2"):
        for command in (FIRST_COMMANDS[0], {"type": "generate", "chat": "A"}, FIRST_COMMANDS[1]):
            texts = {each.dispatch_json(name, WIDGET, json.dumps(command)) for each in (sessions, plain)}
            assert len(texts) == 1
    assert [ready.command for ready in sessions.prepared] == [*FIRST_COMMANDS[1:]]
    assert sessions.by_name["1"] is not sessions.by_name["2"]


@pytest.mark.parametrize("command", [{"type": "show", "view": "none"}, {"type": "reset"}, [], None, 1])
def test_what_was_not_prepared_for_is_answered_by_a_session_of_its_own(command: object) -> None:
    sessions = Sessions()
    sessions.prepare()
    answer = sessions.dispatch_json("1", WIDGET, json.dumps(command))
    assert answer == Sessions().dispatch_json("1", WIDGET, json.dumps(command))
    assert len(sessions.prepared) == len(FIRST_COMMANDS)
