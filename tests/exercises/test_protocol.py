"""The two sides of the exercises' protocol say the same: exercises/desk.py and protocol.d.ts."""

import re
from typing import get_type_hints

import pytest

from exercises.desk import VERSION, Desk, Frame
from exercises.page import DESKS
from widget.scripts import BROWSER

TEXT = (BROWSER / "exercises" / "protocol.d.ts").read_text(encoding="utf-8")
PYTHON = (BROWSER / "python.js").read_text(encoding="utf-8")


def test_a_frame_has_the_same_fields() -> None:
    body = re.search(r"export interface ExerciseFrame \{(.*?)\n\}", TEXT, re.DOTALL)
    assert body is not None
    assert set(re.findall(r"^  (\w+):", body[1], re.MULTILINE)) == set(get_type_hints(Frame))
    assert set(re.findall(r"\bv: (\d+)", TEXT)) == {str(VERSION)}


def test_the_worker_knows_every_desk_by_its_module_and_class() -> None:
    named = {
        name: f"{desk.__module__}:{desk.__name__}" for name, desk in DESKS.items() if isinstance(desk, type)
    }
    known = dict(re.findall(r'^  (\w+): "([\w.]+:\w+)",$', PYTHON, re.MULTILINE))
    assert len(named) == 4
    assert known == named | {"widget": "widget.session:Session"}


@pytest.mark.parametrize("name", DESKS)
@pytest.mark.parametrize(
    "command",
    [
        *(None, [], "show", {}, {"type": "dance"}, {"type": ["answer"]}, {"type": "open", "link": 3}),
        *({"type": "answer"}, {"type": "answer", "question": "1", "seed": True, "fields": {}}),
        *({"type": "answer", "question": 1, "seed": 0, "fields": {"why": 3}}, {"type": "variant"}),
        *({"type": "resume", "memory": "[" * 50_000}, {"type": "resume"}, {"type": "resume", "memory": "{}"}),
        *({"type": "make", "fields": []}, {"type": "make", "fields": {}}, {"type": "export", "what": "exe"}),
        *({"type": "run", "fields": {"lowest": "many"}}, {"type": "run", "fields": {"slots": "9" * 99}}),
        *({"type": "open", "link": "#v=2"}, {"type": "open", "link": "#" + "x=" * 500}),
        *({"type": "open", "link": "#q=<script>"}, {"type": "open", "link": "seed=-1"}),
    ],
    ids=lambda command: str(command)[:40],
)
def test_what_cannot_be_is_refused_with_a_sentence_and_changes_nothing(name: str, command: object) -> None:
    desk: Desk = DESKS[name]()
    before = desk.regions()
    frame = desk.dispatch(command)
    assert frame["problem"]
    assert frame["problem"].endswith(".")
    assert len(frame["problem"]) < 300
    assert "<script>" not in "".join(frame["regions"].values())
    assert frame["regions"] == before
    assert (frame["link"], frame["memory"], frame["file"], frame["said"]) == (None, None, None, "")
