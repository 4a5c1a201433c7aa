"""One reader's session: commands in, frames out. The same code answers in the browser and in the build.

Example:
    >>> session = Session()
    >>> frame = session.dispatch(
    ...     {"type": "operation", "operation": {"op": "append", "chat": "A", "tokens": 4}}
    ... )
    >>> frame["snapshot"]["paged"]["chats"][0]["table"], frame["problem"]
    ([0, 1, 5], None)

A session is settings and a list of operations; all else is derived by carrying them out. Moving a slider
replays the list under the new setting.

What this does not do: draw (`widget.view`) or know a browser.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from figures.views import VIEWS, View
from pagedkv.errors import PagedKVError
from pagedkv.operations import Operation, Settings, operation_from_json
from pagedkv.scenarios import SCENARIOS
from pagedkv.side_by_side import SideBySide, Step, replay
from widget.protocol import VERSION, Frame
from widget.view import State, caption, regions

_T = TypeVar("_T")


@dataclass(frozen=True)
class Slider:
    """A setting that a reader moves: its `values` by position, the first position being `first`.

    >>> SLIDERS["block_size"].values[2], SLIDERS["reserve"].position_of(24)
    (4, 24)
    """

    values: tuple[int, ...]
    first: int

    def position_of(self, value: int) -> int:
        """Return the position of a value, or of the nearest one that the slider has.

        >>> SLIDERS["reserve"].position_of(100)
        32
        """
        nearest = min(self.values, key=lambda candidate: abs(candidate - value))
        return self.first + self.values.index(nearest)

    def value_at(self, position: object) -> int:
        """Return the value at a position.

        Raises:
            PagedKVError: the slider has no such position.

        >>> SLIDERS["reserve"].value_at(16)
        16
        """
        last = self.first + len(self.values) - 1
        if isinstance(position, bool) or not isinstance(position, int) or not self.first <= position <= last:
            raise PagedKVError(f"The position {position!r:.60} is not between {self.first} and {last}.")
        return self.values[position - self.first]


SLIDERS = {
    "reserve": Slider(values=tuple(range(8, 33)), first=8),
    "block_size": Slider(values=(1, 2, 4, 8, 16), first=0),
}


class Session:
    """What one reader did so far, and how it looks.

    Args:
        scenario: the name of the scenario that it starts with, and goes back to on reset.

    >>> Session().frame()["snapshot"]["step"]
    3
    """

    settings: Settings
    operations: list[Operation]
    model: SideBySide
    last: Step  # what the newest operation did; empty after a replay under another setting
    changed_setting: str | None
    selected: str | None

    def __init__(self, scenario: str = "start") -> None:
        self.scenario = SCENARIOS[scenario]
        self.view: View | None = None  # None: both widths, for a page that does not know its own yet
        self._reset()

    def dispatch(self, command: object) -> Frame:
        """Carry out a command, and return the frame. A command that is refused changes nothing.

        >>> Session().dispatch({"type": "dance"})["problem"]
        "There is no command 'dance'."
        """
        problem = None
        try:
            self._obey(command)
        except PagedKVError as error:
            problem = str(error)
        return self.frame(problem)

    def dispatch_json(self, text: str) -> str:
        """Do the same from JSON text to JSON text: the form in which commands cross from page to Python.

        >>> Session().dispatch_json('{"type": "reset"}')[:17]
        '{"v":1,"regions":'
        """
        return json.dumps(self.dispatch(json.loads(text)), separators=(",", ":"), ensure_ascii=False)

    def frame(self, problem: str | None = None) -> Frame:
        """Return how things look now.

        >>> sorted(Session().frame()["regions"])
        ['bar', 'caption', 'chats', 'contiguous', 'paged', 'settings', 'title']
        """
        snapshot = self.model.snapshot()
        state = State(
            snapshot=snapshot,
            last=self.last,
            changed_setting=self.changed_setting,
            selected=self.selected if self.selected in self.model.seat_of_chat else None,
            views=tuple(VIEWS.values()) if self.view is None else (self.view,),
            sliders={
                name: (
                    slider.first,
                    slider.first + len(slider.values) - 1,
                    slider.position_of(snapshot["settings"][name]),  # type: ignore[literal-required]
                )
                for name, slider in SLIDERS.items()
            },
            problem=problem,
        )
        return {
            "v": VERSION,
            "regions": regions(state),
            "snapshot": snapshot,
            "contiguous": self.last["contiguous"],
            "paged": self.last["paged"],
            "caption": caption(state),
            "problem": problem,
        }

    def _obey(self, command: object) -> None:
        if not isinstance(command, Mapping):
            raise PagedKVError("A command is an object with the field 'type'.")
        known: dict[str, Callable[[Mapping[str, Any]], None]] = {
            "show": self._show,
            "operation": self._operate,
            "setting": self._set,
            "select": self._select,
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
        self.last = self.model.apply(operation)
        self.operations.append(operation)
        self.changed_setting = None
        if self.selected not in self.model.seat_of_chat:
            self.selected = next(iter(self.model.seat_of_chat), None)

    def _set(self, command: Mapping[str, Any]) -> None:
        slider = _one_of(SLIDERS, command.get("name"), "slider")
        name, value = str(command["name"]), slider.value_at(command.get("position"))
        self.settings = replace(self.settings, **{name: value})
        self.model, _ = replay(self.settings, self.operations)
        self.last = {"contiguous": [], "paged": []}
        self.changed_setting = name

    def _select(self, command: Mapping[str, Any]) -> None:
        _one_of(self.model.seat_of_chat, command.get("chat"), "chat")
        self.selected = str(command["chat"])

    def _reset(self, _command: Mapping[str, Any] | None = None) -> None:
        self.settings = self.scenario.settings
        self.operations = list(self.scenario.operations)
        self.model, steps = replay(self.settings, self.operations)
        self.last = steps[-1] if steps else {"contiguous": [], "paged": []}
        self.changed_setting = None
        self.selected = next(iter(self.model.seat_of_chat), None)


def _one_of(known: Mapping[Any, _T], name: object, noun: str) -> _T:
    """Return what stands under a name, which may be anything that JSON can hold."""
    if not isinstance(name, str) or name not in known:
        raise PagedKVError(f"There is no {noun} {name!r:.60}. There is: {', '.join(known) or 'none'}.")
    return known[name]
