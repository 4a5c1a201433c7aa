"""One reader's session: commands in, frames out. The same code answers in the browser and in the build.

Example:
    >>> session = Session()
    >>> frame = session.dispatch(
    ...     {"type": "operation", "operation": {"op": "append", "chat": "A", "tokens": 4}}
    ... )
    >>> frame["snapshot"]["paged"]["chats"][0]["table"], frame["problem"]
    ([0, 1, 5], None)

A session is a story (`widget.story`): settings, operations, and how far they are carried out. All else is
derived by carrying them out. Moving a slider replays the list under the new setting.

What this does not do: draw (`widget.view`) or know a browser.
"""

import json
from collections.abc import Callable, Mapping
from string import ascii_uppercase
from typing import Any, TypeVar

from figures.views import NARROW, VIEWS, View
from figures.words import LayoutName
from pagedkv.errors import PagedKVError
from pagedkv.operations import Arrive, Fork, operation_from_json
from pagedkv.scenarios import SCENARIOS
from pagedkv.side_by_side import SideBySide, Step, replay
from widget.attend import Attend
from widget.export import exported, read_document
from widget.link import read, written
from widget.looking import moved
from widget.protocol import VERSION, File, Frame
from widget.sliders import SLIDERS
from widget.state import State
from widget.story import Story
from widget.view import caption, looked, regions

_T = TypeVar("_T")

MOST_UNDONE = 200
_LAYOUTS: dict[str, LayoutName] = {"contiguous": "contiguous", "paged": "paged"}
# What takes long to draw, and is drawn only while its panel is open.
PANELS = {"chart": "chart", "table": "table"}


class Session:
    """What one reader did so far, and how it looks.

    Args:
        scenario: the name of the scenario that it starts with.

    >>> Session().frame()["snapshot"]["step"]
    3
    """

    model: SideBySide  # as after the story's step
    last: Step  # what the newest step did; empty after a replay under another setting

    def __init__(self, scenario: str = "start") -> None:
        self.view: View | None = None  # None: all widths, for a page that does not know its own yet
        self.selected: str | None = None
        self.undone: list[Story] = []
        self.attend = Attend()
        self.panels: frozenset[str] = frozenset()
        self.file: File | None = None  # what the newest command asked for
        self.before: list[Story] = []
        self.changed_setting: str | None = None
        self.dropped = 0
        self.look: tuple[LayoutName, int] | None = None
        self.story = Story.of(scenario)
        self._turn_to(self.story, is_change=False)

    def dispatch(self, command: object) -> Frame:
        """Carry out a command, and return the frame. A command that is refused changes nothing.

        >>> Session().dispatch({"type": "dance"})["problem"]
        "There is no command 'dance'."
        """
        return self.frame(self.carry_out(command))

    def carry_out(self, command: object) -> str | None:
        """Carry out a command without drawing, and return why it was refused, if it was.

        >>> Session().carry_out({"type": "reset"}) is None
        True
        """
        self.file = None
        try:
            self._obey(command)
        except PagedKVError as error:
            return str(error)
        return None

    def dispatch_json(self, text: str) -> str:
        """Do the same from JSON text to JSON text: the form in which commands cross from page to Python.

        >>> Session().dispatch_json('{"type": "reset"}')[:17]
        '{"v":1,"regions":'
        """
        return json.dumps(self.dispatch(json.loads(text)), separators=(",", ":"), ensure_ascii=False)

    def frame(self, problem: str | None = None) -> Frame:
        """Return how things look now.

        >>> sorted(Session().frame()["regions"])
        ['about', 'attention', 'bar', 'caption', 'chart', 'chats', 'contiguous', 'look', 'paged',
        'scenarios', 'settings', 'table', 'time', 'title']
        """
        state = self.state(problem)
        return {
            "v": VERSION,
            "regions": regions(state),
            "snapshot": state.snapshot,
            "contiguous": self.last["contiguous"],
            "paged": self.last["paged"],
            "caption": caption(state),
            "looked": looked(state),
            "link": written(self.story),
            "steps": len(self.story.operations),
            "file": self.file,
            "problem": problem,
        }

    def state(self, problem: str | None = None) -> State:
        """Return all that a frame is drawn from.

        >>> Session().state().next_name
        'D'
        """
        snapshot = self.model.snapshot()
        return State(
            snapshot=snapshot,
            story=self.story,
            last=self.last,
            changed_setting=self.changed_setting,
            dropped=self.dropped,
            can_undo=bool(self.before),
            can_redo=bool(self.undone),
            next_name=self._free_name(),
            selected=self.selected,
            views=tuple(VIEWS.values()) if self.view is None else (self.view,),
            sliders={
                name: (
                    slider.first,
                    slider.first + len(slider.values) - 1,
                    slider.position_of(snapshot["settings"][name]),  # type: ignore[literal-required]
                )
                for name, slider in SLIDERS.items()
            },
            look=self.look,
            attention=self.attend.over(self.story.settings, self.story.operations[: self.story.step]),
            panels=self.panels,
            problem=problem,
        )

    def _obey(self, command: object) -> None:
        if not isinstance(command, Mapping):
            raise PagedKVError("A command is an object with the field 'type'.")
        known: dict[str, Callable[[Mapping[str, Any]], None]] = {
            "show": self._show,
            "operation": self._operate,
            "arrive": self._arrive,
            "fork": self._fork,
            "generate": self._generate,
            "setting": self._set,
            "step": self._step,
            "scenario": self._open_scenario,
            "open": self._open_link,
            "undo": self._undo,
            "redo": self._redo,
            "select": self._select,
            "look": self._look,
            "attend": self._attend,
            "open_panel": self._open_panel,
            "export": self._export,
            "import": self._import,
            "reset": self._reset,
        }
        obey = known.get(str(command.get("type")))
        if obey is None:
            raise PagedKVError(f"There is no command {command.get('type')!r:.60}.")
        obey(command)

    def _show(self, command: Mapping[str, Any]) -> None:
        self.view = _one_of(VIEWS, command.get("view"), "view")

    def _operate(self, command: Mapping[str, Any]) -> None:
        operation = operation_from_json(command.get("operation"))
        story, dropped = self.story.act(operation)
        # What cannot be is refused before anything is remembered. A button pressed twice is no mistake.
        named = operation.parent if isinstance(operation, Fork) else operation.chat
        if not isinstance(operation, Arrive) and named not in self.model.seat_of_chat:
            raise PagedKVError(f"Chat {named} is not there.")
        last = self.model.apply(operation)
        self._remember()
        self.story, self.last, self.dropped, self.changed_setting = story, last, dropped, None
        if isinstance(operation, Arrive | Fork):
            self.selected = operation.chat
        self._choose()

    def _arrive(self, command: Mapping[str, Any]) -> None:
        """Let a chat arrive under the next free name, for a page that asks for the tokens only."""
        arrival = {"op": "arrive", "chat": self._free_name(), "tokens": command.get("tokens")}
        self._operate({"operation": arrival})

    def _fork(self, command: Mapping[str, Any]) -> None:
        """Copy a chat under the next free name: of copies that wait, none takes the name of another."""
        self._operate({"operation": {"op": "fork", "parent": command.get("chat"), "chat": self._free_name()}})

    def _generate(self, command: Mapping[str, Any]) -> None:
        """Let a chat write until it stops by itself: nothing holds more tokens than the pool has slots."""
        tokens = self.story.settings.num_slots
        self._operate({"operation": {"op": "append", "chat": command.get("chat"), "tokens": tokens}})

    def _set(self, command: Mapping[str, Any]) -> None:
        slider = _one_of(SLIDERS, command.get("name"), "slider")
        name, value = str(command["name"]), slider.value_at(command.get("position"))
        self._turn_to(self.story.under(**{name: value}))
        self.last = {"contiguous": [], "paged": []}
        self.changed_setting = name

    def _step(self, command: Mapping[str, Any]) -> None:
        """Go to a step, or by some: presses that follow fast each count from where the last one led."""
        start, step = (self.story.step, command["by"]) if "by" in command else (0, command.get("to"))
        if isinstance(step, bool) or not isinstance(step, int):
            raise PagedKVError(f"A step is a whole number, not {step!r:.60}.")
        self._turn_to(self.story.at(start + step), is_change=False)

    def _open_scenario(self, command: Mapping[str, Any]) -> None:
        _one_of(SCENARIOS, command.get("name"), "scenario")
        self._turn_to(Story.of(str(command["name"])))

    def _open_link(self, command: Mapping[str, Any]) -> None:
        link = command.get("link")
        if not isinstance(link, str):
            raise PagedKVError(f"A link is a text, not {link!r:.60}.")
        try:
            story = read(link)
        except PagedKVError as error:
            raise PagedKVError(f"The link cannot be opened. {error}") from None
        if story != self.story:
            self._turn_to(story)

    def _undo(self, _command: Mapping[str, Any]) -> None:
        if not self.before:
            raise PagedKVError("There is nothing to undo.")
        self.undone.append(self.story)
        self._turn_to(self.before.pop(), is_change=False)

    def _redo(self, _command: Mapping[str, Any]) -> None:
        if not self.undone:
            raise PagedKVError("There is nothing to do again.")
        self.before.append(self.story)
        self._turn_to(self.undone.pop(), is_change=False)

    def _select(self, command: Mapping[str, Any]) -> None:
        _one_of(self.model.seat_of_chat, command.get("chat"), "chat")
        self.selected = str(command["chat"])

    def _look(self, command: Mapping[str, Any]) -> None:
        """Look at a slot, at its neighbour in a direction, or at none."""
        if command.get("layout") is None:
            self.look = None
            return
        layout = _one_of(_LAYOUTS, command.get("layout"), "layout")
        num_slots = self.model.snapshot()[layout]["num_slots"]
        slot = command.get("slot")
        if "move" in command:
            here = self.look[1] if self.look and self.look[0] == layout else None
            columns = (self.view or NARROW).columns_for(num_slots, self.story.settings.block_size)
            slot = moved(here, command["move"], num_slots=num_slots, columns=columns)
        if isinstance(slot, bool) or not isinstance(slot, int) or not 0 <= slot < num_slots:
            raise PagedKVError(f"There is no slot {slot!r:.60}; the pool has {num_slots}.")
        self.look = (layout, slot)

    def _attend(self, command: Mapping[str, Any]) -> None:
        """Let a chat attend, with NaN in the unused slots or not; without a chat, let none."""
        chat = command.get("chat")
        if chat is not None:
            _one_of(self.model.seat_of_chat, chat, "chat")
        self.attend.chat, self.attend.is_poisoned = chat, command.get("poison") is True

    def _open_panel(self, command: Mapping[str, Any]) -> None:
        panel = _one_of(PANELS, command.get("panel"), "panel")
        self.panels = self.panels | {panel} if command.get("open") is True else self.panels - {panel}

    def _export(self, command: Mapping[str, Any]) -> None:
        self.file = exported(command.get("what"), self.state(), command.get("theme"))

    def _import(self, command: Mapping[str, Any]) -> None:
        text = command.get("text")
        if not isinstance(text, str):
            raise PagedKVError(f"A document is a text, not {text!r:.60}.")
        try:
            story = read_document(text)
        except PagedKVError as error:
            raise PagedKVError(f"The file cannot be opened. {error}") from None
        if story != self.story:
            self._turn_to(story)

    def _reset(self, _command: Mapping[str, Any]) -> None:
        """Go back to how the scenario opens, chosen chat included."""
        self.selected = None
        self._turn_to(Story.of(self.story.scenario))

    def _remember(self) -> None:
        self.before = [*self.before[-MOST_UNDONE:], self.story]
        self.undone = []

    def _turn_to(self, story: Story, *, is_change: bool = True) -> None:
        """Carry out a story up to its step. To go from step to step is no change that could be undone."""
        model, steps = replay(story.settings, story.operations[: story.step])
        if is_change:
            self._remember()
        is_other = story.scenario != self.story.scenario
        self.story, self.model, self.dropped, self.changed_setting = story, model, 0, None
        if is_other and self.attend.chat not in {None, *model.seat_of_chat}:
            self.attend.chat = next(iter(model.seat_of_chat), None)
        self.look = None
        self.last = steps[-1] if steps else {"contiguous": [], "paged": []}
        self._choose()

    def _choose(self) -> None:
        """Keep a chat chosen, as long as there is one."""
        if self.selected not in self.model.seat_of_chat:
            self.selected = next(iter(self.model.seat_of_chat), None)

    def _free_name(self) -> str:
        """Return the first letter, or letter with a number, that no chat of the story has had."""
        had = {operation.chat for operation in self.story.operations[: self.story.step]}
        names = (f"{letter}{number}" for number in ("", *range(2, 100)) for letter in ascii_uppercase)
        return next(name for name in names if name not in had)


def _one_of(known: Mapping[Any, _T], name: object, noun: str) -> _T:
    """Return what stands under a name, which may be anything that JSON can hold."""
    if not isinstance(name, str) or name not in known:
        raise PagedKVError(f"There is no {noun} {name!r:.60}. There is: {', '.join(known) or 'none'}.")
    return known[name]
