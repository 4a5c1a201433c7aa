"""How a session looks: the markup of each region of the widget, from the parts that draw them.

Example:
    >>> from widget.session import Session
    >>> Session().frame()["regions"]["title"]
    '64 slots, three chats, two ways'

The page holds a region by its name and patches what is in it; it knows nothing else. A button carries the
command that it sends as JSON in `data-command`; a slider, too, and the name of the field that its position
becomes in `data-field`.
"""

from figures.markup import Element, el, write
from widget.parts import attention, chats, controls, pools, sharing, table
from widget.parts.captions import caption, looked, paragraphs
from widget.state import State

__all__ = ["caption", "looked", "regions", "ways"]


def regions(state: State) -> dict[str, str]:
    """Return region name -> markup.

    >>> from widget.session import Session
    >>> len(Session().frame()["regions"])
    14
    """
    parts = {
        "scenarios": controls.scenarios(state),
        "about": [el("p", controls.about(state))],
        "settings": controls.settings(state),
        "chats": chats.cards(state),
        "caption": paragraphs(state),
        "look": [el("p", looked(state) or "Point at a slot, or go to one with the arrow keys.")],
        "time": controls.time(state),
        "bar": chats.bar(state),
        "attention": attention.panel(state),
        "chart": sharing.charts(state),
        "table": table.tables(state),
    }
    texts = {name: _joined(elements) for name, elements in parts.items()}
    return {"title": write(_title(state))} | ways(state) | texts


def ways(state: State) -> dict[str, str]:
    """Return the two regions that differ with the width of the page.

    >>> from widget.session import Session
    >>> sorted(ways(Session().state()))
    ['contiguous', 'paged']
    """
    return {
        "contiguous": _joined(pools.way("contiguous", state)),
        "paged": _joined(pools.way("paged", state)),
    }


def _joined(elements: list[Element]) -> str:
    return "".join(element.text for element in elements)


def _title(state: State) -> str:
    count = len(state.snapshot["seats"])
    words = ("no chat", "one chat", "two chats", "three chats", "four chats", "five chats", "six chats")
    chats = words[count] if count < len(words) else f"{count} chats"
    return f"{state.snapshot['settings']['num_slots']} slots, {chats}, two ways"
