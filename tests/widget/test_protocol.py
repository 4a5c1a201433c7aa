"""The two sides of the protocol say the same: widget/protocol.py and widget/browser/protocol.d.ts."""

import re
from typing import Literal, get_args, get_origin, get_type_hints

from widget.protocol import VERSION, Command, Frame
from widget.scripts import BROWSER

TEXT = (BROWSER / "protocol.d.ts").read_text(encoding="utf-8")


def test_commands_have_the_same_types_and_fields() -> None:
    declared = TEXT[TEXT.index("export type Command") : TEXT.index("export interface Frame")]
    theirs = {}
    for body in re.findall(r"\| \{ (.*) \}", declared):
        fields = dict(field.replace("?:", ":").split(": ", 1) for field in body.split("; "))
        theirs[fields["type"].strip('"')] = set(fields)
    ours = {}
    for kind in get_args(Command):
        hints = get_type_hints(kind)
        assert get_origin(hints["type"]) is Literal
        (name,) = get_args(hints["type"])
        ours[name] = set(hints)
    assert theirs == ours
    assert len(ours) == 18


def test_a_frame_has_the_same_fields() -> None:
    body = re.search(r"export interface Frame \{(.*?)\n\}", TEXT, re.DOTALL)
    assert body is not None
    assert set(re.findall(r"^  (\w+):", body[1], re.MULTILINE)) == set(get_type_hints(Frame))


def test_both_speak_of_the_same_version() -> None:
    assert set(re.findall(r"\bv: (\d+)", TEXT)) == {str(VERSION)}
