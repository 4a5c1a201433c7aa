"""The sessions of a page: one Python answers for each widget that stands in it.

Example:
    >>> sessions = Sessions()
    >>> answer = sessions.dispatch_json("1", "widget.session:Session", '{"type": "reset"}')
    >>> sessions.dispatch_json("2", "widget.session:Session", '{"type": "undo"}') != answer
    True
"""

from importlib import import_module
from typing import Protocol, cast

import widget.session  # noqa: F401 in memory before the first command comes


class Answers(Protocol):
    """What a session is to a page: JSON text in, JSON text out."""

    def dispatch_json(self, text: str) -> str:
        """Carry out a command."""


class Sessions:
    """Sessions by name, each made when its first command comes.

    >>> list(Sessions().by_name)
    []
    """

    def __init__(self) -> None:
        self.by_name: dict[str, Answers] = {}

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
            module, _, made = made_by.partition(":")
            self.by_name[name] = cast("Answers", getattr(import_module(module), made)())
        return self.by_name[name].dispatch_json(text)

    def end(self, name: str) -> None:
        """Forget a session, if there is one.

        >>> Sessions().end("1")
        """
        self.by_name.pop(name, None)
