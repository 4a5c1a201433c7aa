"""The messages between a page and the Python that runs its widget: plain JSON, version 1.

A page sends a `Command` for each press; Python answers each with one `Frame`, in order. Nothing else crosses
from one thread to the other: no Python object, no function. `browser/protocol.d.ts` says the same for the
JavaScript side, and a test keeps the two alike.
"""

from typing import Any, Literal, Required, TypedDict

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


class ArriveCommand(TypedDict):
    """Let a new chat arrive with a prompt of so many tokens, under the next free name."""

    type: Literal["arrive"]
    tokens: int


class ForkCommand(TypedDict):
    """Copy a chat, under the next free name at the time when it is carried out."""

    type: Literal["fork"]
    chat: str


class GenerateCommand(TypedDict):
    """Let a chat write until it stops by itself."""

    type: Literal["generate"]
    chat: str


class StepCommand(TypedDict, total=False):
    """Go to a step, or by some steps on or back; beyond an end, to that end."""

    type: Required[Literal["step"]]
    to: int
    by: int


class ScenarioCommand(TypedDict):
    """Open a scenario."""

    type: Literal["scenario"]
    name: str


class OpenCommand(TypedDict):
    """Open a link, in the form of `widget.link`."""

    type: Literal["open"]
    link: str


class UndoCommand(TypedDict):
    """Take the newest change back: an operation, a setting, a scenario, a link or a reset."""

    type: Literal["undo"]


class RedoCommand(TypedDict):
    """Make the change that was undone last again."""

    type: Literal["redo"]


class SelectCommand(TypedDict):
    """Choose the chat that the buttons of the bar act on."""

    type: Literal["select"]
    chat: str


class LookCommand(TypedDict, total=False):
    """Look at a slot of a layout; or move left, right, up, down, first or last; or look at none."""

    type: Required[Literal["look"]]
    layout: Required[str | None]
    slot: int
    move: str


class AttendCommand(TypedDict):
    """Let a chat's newest token attend, with NaN in every unused slot or not; without a chat, end it."""

    type: Literal["attend"]
    chat: str | None
    poison: bool


class OpenPanelCommand(TypedDict):
    """Draw what a panel holds from now on, or no longer: it is open, or closed again."""

    type: Literal["open_panel"]
    panel: str
    open: bool


class ExportCommand(TypedDict, total=False):
    """Answer with the session as a file: svg, png, json or csv; a PNG in the colours of a theme."""

    type: Required[Literal["export"]]
    what: Required[str]
    theme: str


class ImportCommand(TypedDict):
    """Open a document of operations, in the form of `widget.export`."""

    type: Literal["import"]
    text: str


class ResetCommand(TypedDict):
    """Go back to how the scenario opens: operations, sliders and choice."""

    type: Literal["reset"]


Command = (
    ShowCommand
    | OperationCommand
    | ArriveCommand
    | ForkCommand
    | GenerateCommand
    | SettingCommand
    | StepCommand
    | ScenarioCommand
    | OpenCommand
    | UndoCommand
    | RedoCommand
    | SelectCommand
    | LookCommand
    | AttendCommand
    | OpenPanelCommand
    | ExportCommand
    | ImportCommand
    | ResetCommand
)


class File(TypedDict):
    """A file to save: its name and the type it is to have. A PNG comes as the text of the SVG to draw."""

    name: str
    type: str
    text: str


class Frame(TypedDict):
    """What a page shows after a command.

    `regions` is region name -> markup, for every region of the widget; `link` leads back to this very state;
    `steps` counts the operations of the session, those still to come included. `problem` is a sentence where
    the command was refused, and then everything else is as before. `file` is what an `export` asked for.
    """

    v: Literal[1]
    regions: dict[str, str]
    snapshot: Snapshot
    contiguous: list[Event]
    paged: list[Event]
    caption: str
    looked: str
    link: str
    steps: int
    file: File | None
    problem: str | None
