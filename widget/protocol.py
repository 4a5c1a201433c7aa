"""The messages between a page and the Python that runs its widget: plain JSON, version 1.

A page sends a `Command` for each press; Python answers each with one `Frame`, in order. Nothing else crosses
from one thread to the other: no Python object, no function. `browser/protocol.d.ts` says the same for the
JavaScript side, and a test keeps the two alike.
"""

from typing import Any, Literal, TypedDict

from pagedkv.snapshot import Event, Snapshot

VERSION: Literal[1] = 1


class ShowCommand(TypedDict):
    """Draw the state as it is, for a page of the given width."""

    type: Literal["show"]
    view: str


class OperationCommand(TypedDict):
    """Carry out one operation, in the JSON form of `pagedkv.operations`."""

    type: Literal["operation"]
    operation: dict[str, Any]


class SettingCommand(TypedDict):
    """Move a slider: its name, and its position as the slider counts."""

    type: Literal["setting"]
    name: str
    position: int


class SelectCommand(TypedDict):
    """Choose the chat that the buttons of the bar act on."""

    type: Literal["select"]
    chat: str


class ResetCommand(TypedDict):
    """Go back to the beginning: operations, sliders and choice."""

    type: Literal["reset"]


Command = ShowCommand | OperationCommand | SettingCommand | SelectCommand | ResetCommand


class Frame(TypedDict):
    """What a page shows after a command.

    `regions` is region name -> markup, for every region of the widget; `problem` is a sentence where the
    command was refused, and then everything else is as before.
    """

    v: Literal[1]
    regions: dict[str, str]
    snapshot: Snapshot
    contiguous: list[Event]
    paged: list[Event]
    caption: str
    problem: str | None
