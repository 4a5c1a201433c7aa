"""Sessions: commands in, frames out, and nothing that a page sends can break one."""

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widget.session import SLIDERS, Session


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
        ({"type": "operation", "operation": {"op": "finish", "chat": "Z"}}, "There is no chat 'Z'."),
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
    ["operation", "setting", "select", "show", "reset", "append", "arrive", "finish", "fork", "A", "reserve"]
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
            *("button", "label", "input", "svg", "rect", "text", "path"),
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
    assert len(commands) == 3 * 2 + 3 + 2
    for command in commands:
        session = Session()
        assert session.dispatch(json.loads(command.replace("&quot;", '"')))["problem"] is None


def test_a_long_free_list_shows_its_front_and_its_back() -> None:
    session = Session()
    session.dispatch({"type": "setting", "name": "block_size", "position": 0})
    chips = re.findall(r'<li data-key="block-(\d+)"', session.frame()["regions"]["paged"])
    assert list(map(int, chips)) == [*range(14, 22), *range(60, 64)]
    assert "and 38 more" in session.frame()["regions"]["paged"]
