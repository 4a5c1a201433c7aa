"""What a reader sets: scenarios, sliders, and time.

Example:
    >>> from widget.session import Session
    >>> 'aria-current="true"' in Session().frame()["regions"]["scenarios"]
    True
"""

from functools import lru_cache

from figures.markup import Element, el
from figures.words import counted
from pagedkv.scenarios import SCENARIOS
from widget.parts.pieces import button, compact
from widget.state import State


def scenarios(state: State) -> list[Element]:
    """Return a button for each scenario; the one that is open is marked, also when it was changed since.

    >>> from widget.session import Session
    >>> Session().frame()["regions"]["scenarios"].count("<button")
    9
    """
    return list(_scenarios(state.story.scenario))


@lru_cache(maxsize=32)
def _scenarios(open_one: str) -> tuple[Element, ...]:
    return tuple(
        el(
            "button",
            scenario.title,
            key=name,
            type="button",
            data_command=compact({"type": "scenario", "name": name}),
            aria_current="true" if name == open_one else None,
        )
        for name, scenario in SCENARIOS.items()
    )


def about(state: State) -> str:
    """Return in a sentence what there is to see.

    >>> from widget.session import Session
    >>> about(Session().state())[:38]
    'Reserving leaves no room for the third'
    """
    return SCENARIOS[state.story.scenario].about


def settings(state: State) -> list[Element]:
    """Return the two sliders with their values."""
    values = state.snapshot["settings"]
    return [
        _slider(
            state,
            "reserve",
            "Reserved per chat, old way",
            values["reserve"],
            is_idle=not state.story.uses_reserve,
        ),
        _slider(state, "block_size", "Block size, new way", values["block_size"]),
    ]


def time(state: State) -> list[Element]:
    """Return where in time the session is, and the ways back and forth."""
    step, last = state.story.step, len(state.story.operations)
    return [
        button("◀", {"type": "step", "by": -1}, "One step back", disabled=step == 0),
        el(
            "input",
            type="range",
            min=0,
            max=max(last, 1),
            step=1,
            value=step,
            disabled=last == 0,
            data_command='{"type":"step"}',
            data_field="to",
            aria_label="Step",
            aria_valuetext=f"step {step} of {last}",
        ),
        button("▶", {"type": "step", "by": 1}, "One step on", disabled=step == last),
        el("span", f"{step} / {last}", class_="kv-where"),
        button("Undo", {"type": "undo"}, "Undo", disabled=not state.can_undo),
        button("Redo", {"type": "redo"}, "Redo", disabled=not state.can_redo),
    ]


def _slider(state: State, name: str, label: str, value: int, *, is_idle: bool = False) -> Element:
    """Return a slider; one is idle where each chat asked for a size of its own."""
    first, last, position = state.sliders[name]
    return el(
        "label",
        el("span", label, class_="kv-label"),
        el("b", "each its own" if is_idle else str(value), class_="kv-value"),
        el(
            "input",
            type="range",
            min=first,
            max=last,
            step=1,
            value=position,
            data_command=compact({"type": "setting", "name": name}),
            data_field="position",
            data_setting=name,
            aria_label=f"{label}, in slots",
            aria_valuetext="each chat its own" if is_idle else counted(value, "slot"),
            disabled=is_idle,
        ),
        key=name,
    )
