"""The sessions of a page: one Python answers for each widget that stands in it.

Example:
    >>> sessions = Sessions()
    >>> answer = sessions.dispatch_json("1", "widget.session:Session", '{"type": "reset"}')
    >>> sessions.dispatch_json("2", "widget.session:Session", '{"type": "undo"}') != answer
    True
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, cast

from figures.views import VIEWS

# The widget on a page, and what it asks first: to be drawn as wide as it is there.
WIDGET = "widget.session:Session"
FIRST_COMMANDS = tuple({"type": "show", "view": view} for view in VIEWS)


class Answers(Protocol):
    """What a session is to a page: JSON text in, JSON text out."""

    def dispatch_json(self, text: str) -> str:
        """Carry out a command."""


@dataclass(frozen=True)
class Prepared:
    """A session that has carried out its first command before anybody asked, and its answer."""

    made_by: str
    command: object
    session: Answers
    answer: str


class Sessions:
    """Sessions by name, each made when its first command comes, or prepared for it.

    >>> list(Sessions().by_name)
    []
    """

    def __init__(self) -> None:
        self.by_name: dict[str, Answers] = {}
        self.prepared: list[Prepared] = []

    def prepare(self, made_by: str = WIDGET, commands: Iterable[object] = FIRST_COMMANDS) -> None:
        """Make a session for each of these first commands and let it answer, so that a page need not wait.

        A Python that is kept for the next visit keeps them, too: its first answer is there when it wakes.

        >>> sessions = Sessions()
        >>> sessions.prepare()
        >>> answer = sessions.dispatch_json("1", WIDGET, '{"type": "show", "view": "wide"}')
        >>> answer == Sessions().dispatch_json("1", WIDGET, '{"type": "show", "view": "wide"}')
        True
        """
        for command in commands:
            session = _made(made_by)
            answer = session.dispatch_json(json.dumps(command))
            self.prepared.append(Prepared(made_by, command, session, answer))

    def dispatch_json(self, name: str, made_by: str, text: str) -> str:
        """Carry out a command in a session, from JSON text to JSON text.

        Args:
            name: of the session.
            made_by: the class of which it is, as "module:Class".
            text: the command.

        >>> Sessions().dispatch_json("1", "widget.session:Session", '{"type": "reset"}')[:17]
        '{"v":1,"regions":'
        """
        if name not in self.by_name:
            if (ready := self._take(made_by, json.loads(text))) is not None:
                self.by_name[name] = ready.session
                return ready.answer
            self.by_name[name] = _made(made_by)
        return self.by_name[name].dispatch_json(text)

    def end(self, name: str) -> None:
        """Forget a session, if there is one.

        >>> Sessions().end("1")
        """
        self.by_name.pop(name, None)

    def _take(self, made_by: str, command: object) -> Prepared | None:
        """Return the session that was prepared for a first command, for one page only."""
        for ready in self.prepared:
            if (ready.made_by, ready.command) == (made_by, command):
                self.prepared.remove(ready)
                return ready
        return None


def _made(made_by: str) -> Answers:
    module, _, made = made_by.partition(":")
    return cast("Answers", getattr(import_module(module), made)())
