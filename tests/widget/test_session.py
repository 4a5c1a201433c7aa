"""Sessions: commands in, frames out, and nothing that a page sends can break one."""

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widget.session import Session
from widget.sliders import SLIDERS


def grow(chat: str) -> dict[str, Any]:
    return {"type": "operation", "operation": {"op": "append", "chat": chat, "tokens": 4}}


def test_a_slider_replays_the_same_operations() -> None:
    session = Session()
    for _ in range(3):
        session.dispatch(grow("A"))
    before = session.frame()["snapshot"]
    session.dispatch({"type": "setting", "name": "block_size", "position": 4})
    assert session.frame()["snapshot"]["paged"]["chats"][0]["table"] == [0, 3]
    session.dispatch({"type": "setting", "name": "block_size", "position": 2})
    assert session.frame()["snapshot"] == before


def test_a_slider_moves_where_a_copy_comes_to_be_or_is_refused() -> None:
    """In blocks of 16 E waits and has no copy; in blocks of 4 there is one, and it goes on writing."""
    session = Session()
    for tokens in (17, 18):
        assert session.dispatch({"type": "arrive", "tokens": tokens})["problem"] is None
    session.dispatch({"type": "setting", "name": "block_size", "position": 4})
    fork = {"op": "fork", "parent": "E", "chat": "F"}
    frame = session.dispatch({"type": "operation", "operation": fork})
    assert [chat["chat"] for chat in frame["snapshot"]["paged"]["chats"]] == list("ABCDE")
    taken = session.dispatch({"type": "operation", "operation": {"op": "arrive", "chat": "F", "tokens": 2}})
    assert taken["problem"] == "A copy that was refused has the name 'F'. Use another name."
    frame = session.dispatch({"type": "setting", "name": "block_size", "position": 2})
    assert frame["problem"] is None
    assert frame["snapshot"]["paged"]["chats"][-1]["chat"] == "F"
    assert session.dispatch(grow("F"))["problem"] is None
    frame = session.dispatch({"type": "setting", "name": "block_size", "position": 4})
    assert frame["problem"] is None
    assert [chat["chat"] for chat in frame["snapshot"]["paged"]["chats"]] == list("ABCDE")
    again = Session("holes")
    assert again.dispatch({"type": "open", "link": f"#{frame['link']}"})["problem"] is None
    assert again.frame()["snapshot"] == frame["snapshot"]


def test_sliders_cover_what_they_promise() -> None:
    assert SLIDERS["reserve"].values == tuple(range(8, 33))
    assert SLIDERS["block_size"].values == (1, 2, 4, 8, 16)
    for slider in SLIDERS.values():
        assert [slider.value_at(slider.position_of(value)) for value in slider.values] == list(slider.values)


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (None, "A command is an object with the field 'type'."),
        ({}, "There is no command None."),
        ({"type": "dance"}, "There is no command 'dance'."),
        ({"type": "show", "view": "huge"}, "There is no view 'huge'. There is: narrow, wide, broad."),
        ({"type": "setting", "name": "colour", "position": 1}, "There is no slider 'colour'."),
        ({"type": "setting", "name": "reserve", "position": 33}, "The position 33 is not between 8 and 32."),
        ({"type": "setting", "name": "reserve", "position": True}, "The position True is not between"),
        ({"type": "select", "chat": "Z"}, "There is no chat 'Z'. There is: A, B, C."),
        ({"type": "operation", "operation": {"op": "finish", "chat": "Z"}}, "Chat Z is not there."),
        ({"type": "step", "to": "end"}, "A step is a whole number, not 'end'."),
        ({"type": "scenario", "name": "nothing"}, "There is no scenario 'nothing'."),
        ({"type": "open", "link": 5}, "A link is a text, not 5."),
        ({"type": "open", "link": "#v=9"}, "The link cannot be opened. The link is of version '9'"),
        ({"type": "redo"}, "There is nothing to do again."),
        ({"type": "arrive"}, "tokens is None; it must be a whole number"),
        ({"type": "operation", "operation": "finish"}, "An operation is an object"),
        (
            {"type": "operation", "operation": {"op": "arrive", "chat": "A", "tokens": 1}},
            "There is a chat 'A' already. Use another name.",
        ),
    ],
)
def test_a_command_that_is_refused_says_why_and_changes_nothing(command: object, problem: str) -> None:
    session = Session()
    session.dispatch(grow("A"))
    before = session.frame()
    frame = session.dispatch(command)
    assert frame["problem"] is not None
    assert frame["problem"].startswith(problem)
    assert "Nothing changed." in frame["regions"]["caption"]
    assert session.frame() == before


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
WORDS = st.sampled_from(
    [
        *("operation", "setting", "select", "show", "reset", "append", "arrive", "finish", "fork", "A"),
        *("reserve", "attend", "generate", "step", "look"),
    ]
)
COMMANDS = st.fixed_dictionaries(
    {"type": WORDS | JSON},
    optional={
        "operation": st.fixed_dictionaries(
            {"op": WORDS | JSON}, optional={"chat": WORDS | JSON, "tokens": JSON, "parent": WORDS | JSON}
        )
        | JSON,
        "name": WORDS | JSON,
        "position": JSON,
        "view": WORDS | JSON,
        "chat": WORDS | JSON,
    },
)


@given(st.lists(COMMANDS | JSON, max_size=4))
def test_no_command_raises_or_leaves_a_state_that_cannot_be_drawn(commands: list[Any]) -> None:
    session = Session()
    for command in commands:
        frame = session.dispatch(command)
        json.dumps(frame)
        for layout in ("contiguous", "paged"):
            counters = frame["snapshot"][layout]["counters"]
            total = counters["used"] + counters["empty"] + counters["free"]
            assert total == frame["snapshot"][layout]["num_slots"]


class Tags(HTMLParser):
    """Collects tags, and whether each that was opened was closed in turn."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        if tag not in ("input", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@given(st.text(min_size=1, max_size=12).filter(str.isprintable))
def test_a_name_from_outside_stays_text(name: str) -> None:
    session = Session()
    session.dispatch({"type": "operation", "operation": {"op": "finish", "chat": "B"}})
    frame = session.dispatch({"type": "operation", "operation": {"op": "arrive", "chat": name, "tokens": 3}})
    for markup in frame["regions"].values():
        tags = Tags()
        tags.feed(markup)
        assert tags.open == []
        assert tags.seen <= {
            *("p", "strong", "b", "em", "small", "span", "div", "article", "h3", "ol", "li"),
            *("button", "label", "input", "svg", "rect", "text", "path", "details", "summary"),
        }


def test_a_hostile_name_is_escaped() -> None:
    session = Session()
    session.dispatch({"type": "operation", "operation": {"op": "arrive", "chat": "<img src=x>", "tokens": 1}})
    everything = "".join(session.frame()["regions"].values())
    assert "<img" not in everything
    assert "&lt;img src=x&gt;" in everything


def test_every_button_carries_a_command_that_its_session_accepts() -> None:
    markup = "".join(Session().frame()["regions"].values())
    commands = re.findall(r'data-command="([^"]*)"', markup)
    values = {"step": {"to": 1}, "arrive": {"tokens": 6}, "setting": {"position": 4}}
    kinds = set()
    for text in commands:
        command = json.loads(text.replace("&quot;", '"'))
        command |= values.get(command["type"], {})
        if command.get("name") == "reserve":
            command["position"] = 16
        kinds.add(command["type"])
        session = Session()
        session.dispatch(grow("A"))
        session.dispatch({"type": "undo"})
        expected = "There is nothing to undo." if command["type"] == "undo" else None
        assert session.dispatch(command)["problem"] == expected
    assert kinds == {
        *("scenario", "setting", "step", "undo", "redo"),
        *("operation", "arrive", "fork", "generate", "select", "attend"),
    }


def test_a_long_free_list_shows_its_front_and_its_back() -> None:
    session = Session()
    session.dispatch({"type": "setting", "name": "block_size", "position": 0})
    chips = re.findall(r'<li data-key="free-(\d+)"', session.frame()["regions"]["paged"])
    assert list(map(int, chips)) == [*range(14, 22), *range(60, 64)]
    assert "and 38 more" in session.frame()["regions"]["paged"]


def test_stepping_goes_both_ways_and_stops_at_the_ends() -> None:
    session = Session("worked-example")
    tables = [session.dispatch({"type": "step", "to": step})["snapshot"]["paged"] for step in range(9)]
    assert [chat["table"] for chat in tables[5]["chats"]] == [[0, 1, 5], [2], [3, 4]]
    assert tables[0]["free_list"] == list(range(8))
    back = [
        session.dispatch({"type": "step", "to": step})["snapshot"]["paged"] for step in reversed(range(9))
    ]
    assert back == tables[::-1]
    by = [session.dispatch({"type": "step", "by": by})["snapshot"]["step"] for by in (1, 1, 3, -2, -9, 99)]
    assert by == [1, 2, 5, 3, 0, 8]
    assert session.dispatch({"type": "step", "to": -1})["snapshot"]["step"] == 0


def test_acting_in_the_past_drops_the_future_says_so_and_can_be_undone() -> None:
    session = Session("worked-example")
    session.dispatch({"type": "step", "to": 5})
    frame = session.dispatch({"type": "operation", "operation": {"op": "finish", "chat": "C"}})
    assert (frame["snapshot"]["step"], frame["steps"]) == (6, 6)
    assert "You acted in the past: 3 later steps are dropped." in frame["regions"]["caption"]
    frame = session.dispatch({"type": "undo"})
    assert (frame["snapshot"]["step"], frame["steps"]) == (5, 8)
    frame = session.dispatch({"type": "redo"})
    assert (frame["snapshot"]["step"], frame["steps"]) == (6, 6)


def test_undo_takes_back_settings_scenarios_links_and_resets_too() -> None:
    session = Session()
    commands: list[dict[str, Any]] = [
        grow("A"),
        {"type": "setting", "name": "reserve", "position": 9},
        {"type": "scenario", "name": "holes"},
        {"type": "open", "link": "#v=1&ops=~A+4,B!"},
        {"type": "arrive", "tokens": 2},
        {"type": "reset"},
    ]
    links = [session.frame()["link"]] + [session.dispatch(command)["link"] for command in commands]
    assert len(set(links)) >= 6
    undone = [session.dispatch({"type": "undo"})["link"] for _ in commands]
    assert undone == links[-2::-1]
    assert [session.dispatch({"type": "redo"})["link"] for _ in commands] == links[1:]


def test_generate_writes_until_it_stops_by_itself_in_each_layout() -> None:
    frame = Session().dispatch({"type": "generate", "chat": "A"})
    assert frame["snapshot"]["contiguous"]["chats"][0]["tokens"] == 24
    assert frame["snapshot"]["paged"]["chats"][0]["tokens"] == 6 + 2 + 11 * 4
    assert frame["contiguous"][0]["reason"] == "cut_off"
    assert frame["paged"][0]["reason"] == "out_of_blocks"


def test_a_new_chat_gets_the_next_letter_that_was_never_used() -> None:
    session = Session()
    session.dispatch({"type": "operation", "operation": {"op": "finish", "chat": "B"}})
    frame = session.dispatch({"type": "arrive", "tokens": 5})
    assert [seat["chat"] for seat in frame["snapshot"]["seats"]] == ["A", "C", "D"]
    assert frame["snapshot"]["seats"][-1] == {"chat": "D", "seat": 1, "asked": 5}


def slide(name: str, position: int) -> dict[str, Any]:
    return {"type": "setting", "name": name, "position": position}


@pytest.mark.parametrize(
    ("commands", "sentence"),
    [
        ([grow("A")] * 4 + [slide("reserve", 8)], "A holds only 8 of 22 tokens."),
        (
            [slide("block_size", 0), *[grow("A")] * 14, slide("block_size", 4)],
            "A holds only 32 of 62 tokens.",
        ),
    ],
    ids=["old way", "new way"],
)
def test_a_replay_says_who_could_not_write_all(commands: list[dict[str, Any]], sentence: str) -> None:
    session = Session()
    frames = [session.dispatch(command) for command in commands]
    assert sentence in frames[-1]["caption"]


def test_every_link_opens_what_it_came_from() -> None:
    session = Session()
    for command in (grow("C"), {"type": "arrive", "tokens": 9}, {"type": "step", "to": 4}):
        frame = session.dispatch(command)
        other = Session("holes")
        opened = other.dispatch({"type": "open", "link": f"#{frame['link']}"})
        assert opened["snapshot"] == frame["snapshot"]
        assert opened["link"] == frame["link"]


def test_a_reader_goes_from_slot_to_slot_and_hears_what_each_is() -> None:
    session = Session("worked-example")
    session.dispatch({"type": "step", "to": 5})

    def look(**how: object) -> str:
        return session.dispatch({"type": "look", "layout": "paged", **how})["looked"]

    assert look(move="right").startswith("Slot 0, physical block 0: A's token 0.")
    assert look(slot=20) == (
        "Slot 20, physical block 5: A's token 8. "
        "Position 8 is logical block 2, slot 0; A's table says block 5."
    )
    assert look(move="right") == "Slot 21, physical block 5: A holds the block, this slot is empty."
    assert look(move="up").startswith("Slot 5, physical block 1: A's token 5.")
    assert look(move="up").startswith("Slot 5,"), "up from the first row stays"
    assert look(move="last") == "Slot 31, physical block 7: free. The block is number 2 on the free list."
    assert look(move="right").startswith("Slot 31,"), "the end stays the end"
    assert look(move="first").startswith("Slot 0,")
    assert session.dispatch({"type": "look", "layout": "paged", "slot": 32})["problem"] is not None
    old = session.dispatch({"type": "look", "layout": "contiguous", "slot": 8})["looked"]
    assert old == "Slot 8: A's token 8: its reservation starts at slot 0."
    assert session.dispatch({"type": "look", "layout": None})["looked"] == ""


def test_a_shared_slot_names_all_who_share_it() -> None:
    session = Session("prefix-sharing")
    session.dispatch({"type": "step", "to": 2})
    looked = session.dispatch({"type": "look", "layout": "paged", "slot": 5})["looked"]
    assert looked == (
        "Slot 5, physical block 1: token 5 of S1 and S2, who share it. "
        "Position 5 is logical block 1, slot 1; each table says block 1."
    )


def test_a_step_marks_what_was_copied_and_what_was_given_back() -> None:
    session = Session("prefix-sharing")
    copied = session.dispatch({"type": "step", "to": 3})["regions"]["paged"]
    origins = re.findall(r'data-key="(slot-\d+)"[^>]*data-origin="(slot-\d+)"', copied)
    assert set(origins) == {("slot-8", "slot-4"), ("slot-9", "slot-5")}
    session = Session("worked-example")
    freed = session.dispatch({"type": "step", "to": 7})["regions"]["paged"]
    opened = re.findall(r'data-key="slot-(\d+)" class="free opened"', freed)
    assert set(map(int, opened)) == {*range(8, 12), *range(24, 28)}
