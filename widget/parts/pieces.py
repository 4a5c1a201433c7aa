"""The pieces that several parts are made of.

Example:
    >>> button("Reset", {"type": "reset"}, "Reset").text
    '<button type="button" data-command="{&quot;type&quot;:&quot;reset&quot;}">Reset</button>'
"""

import json
from typing import Any

from figures.markup import Child, Element, el

# Made once: a dump with separators of its own would make an encoder for each button.
compact = json.JSONEncoder(separators=(",", ":")).encode


def button(
    text: Child | list[Child],
    command: dict[str, Any],
    label: str,
    *,
    class_: str | None = None,
    pressed: bool | None = None,
    disabled: bool = False,
) -> Element:
    """Return a button that sends a command; its label is what a screen reader says, and begins with its text.

    >>> button("+4", {"type": "reset"}, "+4, chat A", pressed=True).attributes["aria-pressed"]
    'true'
    """
    return el(
        "button",
        text,
        type="button",
        class_=class_,
        data_command=compact(command),
        aria_label=None if label == text else label,
        aria_pressed=None if pressed is None else str(pressed).lower(),
        disabled=disabled,
    )


def chip(block: int, *, is_fresh: bool, owner: str = "", place: str, is_stop: bool = False) -> Element:
    """Return a block's number in a small box. `data-flight` lets it be seen moving from one place to another.

    Of the chips of a list one is the stop of the Tab key; arrow keys lead to the others.

    >>> chip(5, is_fresh=False, place="free").attributes["data-flight"]
    'block-5'
    """
    classes = " ".join(name for name in ("kv-chip", owner, "kv-fresh" if is_fresh else "") if name)
    return el(
        "li",
        str(block),
        key=f"{place}-{block}",
        class_=classes,
        tabindex=0 if is_stop else -1,
        data_flight=f"block-{block}",
        data_link=f"block-{block}",
    )
