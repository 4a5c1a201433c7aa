"""The panel of attention, as a session draws it."""

import json
import re
import sys
from typing import Any

import pytest

from pagedkv.contents import Contents
from tests.widget.commands import random_commands
from widget.session import Session


def attend(chat: str | None, *, poison: bool = False) -> dict[str, Any]:
    return {"type": "attend", "chat": chat, "poison": poison}


def operate(**operation: object) -> dict[str, Any]:
    return {"type": "operation", "operation": operation}


def panel(session: Session) -> str:
    return session.frame()["regions"]["attention"]


def bars(session: Session, layout: str) -> dict[int, float]:
    """Return slot -> height of its bar, in the first of the pictures of a layout."""
    markup = session.frame()["regions"][layout]
    first = markup[: markup.index("</svg>", markup.index("kv-picture"))]
    found = re.findall(r'data-key="weight-(\d+)" class="kv-weight"[^>]* height="([\d.]+)"', first)
    return {int(slot): float(height) for slot, height in found}


def cells(markup: str, row: str) -> list[str]:
    """Return the words of the row of a table that begins with `row`."""
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", markup)
    found = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", one) for one in rows]
    return next(one[1:] for one in found if one[0] == row)


def test_nobody_attends_until_asked_and_nothing_is_drawn() -> None:
    session = Session()
    assert bars(session, "paged") == bars(session, "contiguous") == {}
    assert "<table" not in panel(session)
    offer = re.search(r'data-attend="([^"]*)"', panel(session))
    assert offer is not None
    assert json.loads(offer[1].replace("&quot;", '"')) == attend("A")


def test_weights_are_drawn_on_the_slots_of_the_tokens_in_both_layouts() -> None:
    session = Session()
    session.dispatch(attend("B"))
    assert list(bars(session, "contiguous")) == [24, 25, 26]
    assert list(bars(session, "paged")) == [8, 9, 10]
    contents = Contents(session.story.settings)
    for operation in session.story.operations:
        contents.apply(operation)
    found = contents.attend("B").paged
    assert found is not None
    heights, most = list(bars(session, "paged").values()), max(found.weights)
    tallest = max(heights)
    for height, weight in zip(heights, found.weights, strict=True):
        assert height / tallest == pytest.approx(weight / most, abs=0.001)
    assert len(set(heights)) == 3
    assert "data-attend" not in panel(session)


def test_every_step_is_attended_to_anew() -> None:
    session = Session()
    session.dispatch(attend("A"))
    before = bars(session, "paged")
    session.dispatch(operate(op="append", chat="A", tokens=4))
    assert list(bars(session, "paged")) == [0, 1, 2, 3, 4, 5, 6, 7, 20, 21]
    assert bars(session, "paged") != before
    session.dispatch({"type": "undo"})
    assert bars(session, "paged") == before
    session.dispatch({"type": "setting", "name": "block_size", "position": 1})
    assert list(bars(session, "paged")) == [0, 1, 2, 3, 4, 5]
    session.dispatch(attend(None))
    assert bars(session, "paged") == {}


def test_going_on_gives_what_starting_over_gives() -> None:
    went_on, started = Session(), Session()
    went_on.dispatch(attend("A"))
    for session in (went_on, started):
        session.dispatch(operate(op="finish", chat="B"))
        session.dispatch(operate(op="fork", parent="A", chat="D"))
        session.dispatch(operate(op="append", chat="D", tokens=3))
        session.dispatch(attend("D"))
    assert went_on.frame() == started.frame()


def test_outputs_stand_beside_each_other_rounded() -> None:
    session = Session()
    session.dispatch(attend("A"))
    for number in range(4):
        table, flat, old, careless = cells(panel(session), str(number))
        assert re.fullmatch(r"-?\d\.\d{4}", table)
        assert table == flat == old != careless
    assert "Largest difference between block table and flat array: less than 10⁻¹²." in panel(session)


def test_nan_in_unused_slots_changes_nothing_but_the_careless_reader() -> None:
    session = Session()
    session.dispatch(attend("A"))
    before = [cells(panel(session), str(number))[:3] for number in range(4)]
    drawn = bars(session, "paged"), bars(session, "contiguous")
    words = "it reads slots 6 and 7 too, which hold no token of A, and gets"
    assert f"{words} something else." in panel(session)
    session.dispatch(attend("A", poison=True))
    assert [cells(panel(session), str(number))[:3] for number in range(4)] == before
    assert {cells(panel(session), str(number))[3] for number in range(4)} == {"NaN"}
    assert (bars(session, "paged"), bars(session, "contiguous")) == drawn
    assert "50 in the new way. The answer is the same to the last bit" in panel(session)
    assert f"{words} NaN." in panel(session)
    session.dispatch(operate(op="append", chat="A", tokens=2))
    assert "A&#x27;s last block is full" in panel(session) or "A's last block is full" in panel(session)


def test_the_way_to_the_token_that_is_looked_at() -> None:
    session = Session()
    session.dispatch(operate(op="append", chat="A", tokens=4))
    session.dispatch(attend("A"))
    assert "The newest token is 9." in panel(session)
    session.dispatch({"type": "look", "layout": "paged", "slot": 20})
    assert (
        "Token 8 of A. New way: 8 ÷ 4 is 2, remainder 0. Entry 2 of its block table is block 5, "
        "so it lies in slot 5 × 4 + 0 = 20. Old way: slot 0 + 8 = 8."
    ) in panel(session)
    assert 'data-key="token-8" class="kv-walked"' in panel(session)
    assert cells(panel(session), "8")[:3] == ["2 → 5", "20", "8"]
    session.dispatch({"type": "look", "layout": "contiguous", "slot": 8})
    assert "Token 8 of A." in panel(session)
    session.dispatch({"type": "look", "layout": "paged", "slot": 8})
    assert "The newest token is 9." in panel(session), "slot 8 is B's"


def test_a_chat_that_waits_in_one_layout_is_drawn_in_the_other_and_said_to_wait() -> None:
    session = Session()
    session.dispatch(attend("C"))
    assert bars(session, "contiguous") == {}
    assert list(bars(session, "paged")) == [12, 13, 14, 15, 16]
    assert "Old way: C holds no token, it waits or is not there." in panel(session)
    assert len(cells(panel(session), "0")) == len(["block table", "flat", "careless"])


def test_a_chat_that_waits_in_both_has_nothing_to_attend_to() -> None:
    session = Session()
    session.dispatch(operate(op="arrive", chat="D", tokens=60))
    session.dispatch(attend("D"))
    assert "D waits and holds no token yet, so there is nothing to attend to." in panel(session)
    assert bars(session, "paged") == bars(session, "contiguous") == {}


def test_a_chat_that_has_finished_is_said_to_be_gone_and_may_come_back() -> None:
    session = Session()
    session.dispatch(attend("B"))
    session.dispatch(operate(op="finish", chat="B"))
    assert "B is not there. Choose another chat." in panel(session)
    session.dispatch({"type": "undo"})
    assert list(bars(session, "paged")) == [8, 9, 10]
    for chat in "ABC":
        session.dispatch(operate(op="finish", chat=chat))
    assert "No chat is there" in panel(session)


def test_where_the_layouts_hold_different_tokens_they_weigh_apart() -> None:
    session = Session()
    session.dispatch({"type": "setting", "name": "reserve", "position": 8})
    session.dispatch(operate(op="append", chat="A", tokens=4))
    session.dispatch(attend("A"))
    assert "Old way: A holds 8 tokens and not 10, so another token is the newest there." in panel(session)
    _, slot, old_slot, new, old = cells(panel(session), "7")
    assert (slot, old_slot) == ("7", "7")
    assert new != old
    assert cells(panel(session), "9")[2::2] == ["–", "–"]


@pytest.mark.parametrize("seed", range(10))
def test_through_random_sessions_the_table_leads_to_what_was_written(seed: int) -> None:
    """Whatever a reader does, each chat is read in the slots of the snapshot, and NaN moves nothing."""
    session, read = Session(), 0
    for number, command in enumerate(random_commands(seed, 25)):
        session.dispatch(command)
        chats = list(session.model.seat_of_chat)
        if not chats:
            continue
        chat = chats[number % len(chats)]
        frame = session.dispatch(attend(chat, poison=number % 2 == 1))
        assert frame["problem"] is None
        found = session.state().attention.found
        assert found is not None
        snapshot = frame["snapshot"]
        old = next(one for one in snapshot["contiguous"]["chats"] if one["chat"] == chat)
        new = next(one for one in snapshot["paged"]["chats"] if one["chat"] == chat)
        size = snapshot["paged"]["block_size"]
        if found.paged is not None:
            assert found.paged.slots == [
                new["table"][position // size] * size + position % size for position in range(new["tokens"])
            ]
            assert found.paged.largest_difference < 1e-12
            assert found.paged.is_unmoved
            read += 1
        else:
            assert new["tokens"] == 0
        if found.contiguous is not None:
            assert old["start"] is not None
            assert found.contiguous.slots == [old["start"] + position for position in range(old["tokens"])]
            assert sum(found.contiguous.weights) == pytest.approx(1)
        else:
            assert old["tokens"] == 0
    assert read > 10


@pytest.mark.parametrize("chat", ["Z", 5, ["A"]])
def test_a_chat_that_never_was_is_refused(chat: object) -> None:
    session = Session()
    session.dispatch(attend("A"))
    frame = session.dispatch({"type": "attend", "chat": chat})
    assert frame["problem"] is not None
    assert "There is no chat" in frame["problem"]
    assert list(bars(session, "paged")) == [0, 1, 2, 3, 4, 5]


def test_without_numpy_all_else_goes_on_and_it_appears_once_it_is_there() -> None:
    session = Session()
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in sys.modules if name.split(".")[0] == "numpy"] + [
            *("pagedkv.contents", "pagedkv.attention", "pagedkv.arrays", "pagedkv.manager")
        ]:
            patch.delitem(sys.modules, name, raising=False)
        patch.setitem(sys.modules, "numpy", None)
        frame = session.dispatch(attend("A"))
        assert frame["problem"] is None
        assert "The numbers appear as soon as NumPy is there." in frame["regions"]["attention"]
        assert "data-attend" in frame["regions"]["attention"]
        frame = session.dispatch(operate(op="append", chat="A", tokens=4))
        assert frame["snapshot"]["step"] == 4
        assert bars(session, "paged") == {}
    assert list(bars(session, "paged")) == [0, 1, 2, 3, 4, 5, 6, 7, 20, 21]
