"""What is recorded of the first presses is what Python draws, and a recording that is not stops the build."""

import html
import json
import re
from dataclasses import replace
from itertools import pairwise

import pytest

from figures.views import VIEWS
from widget.first_presses import first_presses
from widget.parts.pieces import compact
from widget.recording import Command, Recording, RecordingBroken, Way, read, record, verify
from widget.session import Session
from widget.sliders import SLIDERS

GROW: Command = {"type": "operation", "operation": {"op": "append", "chat": "A", "tokens": 4}}
WAYS: list[Way] = [[GROW, GROW], [{"type": "setting", "name": "reserve", "position": 16}, GROW]]


@pytest.fixture(scope="module")
def recordings() -> dict[str, Recording]:
    return record(WAYS)


@pytest.mark.parametrize("view", VIEWS)
def test_a_picture_is_the_frame_that_a_session_answers_with(
    recordings: dict[str, Recording], view: str
) -> None:
    recording = read(recordings[view].packed())
    for way in WAYS:
        session, here = Session(), 0
        session.dispatch({"type": "show", "view": view})
        for command in way:
            frame = session.dispatch(command)
            here = recording.following[here][compact(command)]
            regions = [frame["regions"][name] for name in recording.names]
            rest = [frame["snapshot"]["step"], frame["steps"], frame["link"], frame["caption"]]
            assert recording.picture(here) == [*regions, *rest]
            assert set(recording.names) == set(frame["regions"])


def test_one_changed_letter_in_a_picture_is_noticed(recordings: dict[str, Recording]) -> None:
    verify(recordings, WAYS)
    wide = recordings["wide"]
    for number in (0, len(wide.regions) // 2, len(wide.regions) - 1):
        regions = wide.regions.copy()
        regions[number] += " "
        with pytest.raises(RecordingBroken, match="another picture follows"):
            verify({"wide": replace(wide, regions=regions)}, WAYS)


def test_a_way_that_leads_elsewhere_is_noticed(recordings: dict[str, Recording]) -> None:
    wide = recordings["wide"]
    following = [dict(edges) for edges in wide.following]
    following[0][compact(GROW)] = 0
    with pytest.raises(RecordingBroken, match="another picture follows"):
        verify({"wide": replace(wide, following=following)}, WAYS)


def test_what_python_refuses_is_not_recorded() -> None:
    nobody = {"type": "operation", "operation": {"op": "finish", "chat": "Z"}}
    with pytest.raises(RecordingBroken, match="Chat Z is not there"):
        record([[nobody]])


def test_every_first_press_and_every_place_of_a_slider_after_another_is_recorded() -> None:
    ways = list(first_presses())
    first = {compact(way[0]) for way in ways}
    session = Session()
    frame = session.dispatch({"type": "show", "view": "wide"})
    buttons = {
        compact(command)
        for markup in frame["regions"].values()
        for command in commands_in(markup)
        if command["type"] not in {"undo", "redo", "export", "attend"}
    }
    assert {button for button in buttons - first if '"step"' not in button} == set()
    for name, slider in SLIDERS.items():
        places = range(slider.first, slider.first + len(slider.values))
        assert {compact({"type": "setting", "name": name, "position": place}) for place in places} <= first
    pairs = {(compact(one), compact(other)) for way in ways for one, other in pairwise(way)}
    assert (compact(WAYS[1][0]), compact(GROW)) in pairs
    for way_in in ({"type": "scenario", "name": "start"}, {"type": "open", "link": "v=1&scenario=start"}):
        assert (compact(way_in), compact(GROW)) in pairs


def commands_in(markup: str) -> list[dict[str, object]]:

    found = re.findall(r'<button[^>]*data-command="([^"]*)"', markup)
    commands = [json.loads(html.unescape(text)) for text in found]
    return [{**command, "tokens": 6} if command["type"] == "arrive" else command for command in commands]
