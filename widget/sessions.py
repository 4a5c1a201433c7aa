"""The sessions of a page: one Python answers for each widget that stands in it.

Example:
    >>> sessions = Sessions()
    >>> answer = sessions.dispatch_json("1", '{"type": "reset"}')
    >>> sessions.dispatch_json("2", '{"type": "undo"}') != answer
    True
"""

from widget.session import Session


class Sessions:
    """Sessions by name, each made when its first command comes.

    >>> list(Sessions().by_name)
    []
    """

    def __init__(self) -> None:
        self.by_name: dict[str, Session] = {}

    def dispatch_json(self, name: str, text: str) -> str:
        """Carry out a command in a session, from JSON text to JSON text.

        >>> Sessions().dispatch_json("1", '{"type": "reset"}')[:17]
        '{"v":1,"regions":'
        """
        return self.by_name.setdefault(name, Session()).dispatch_json(text)

    def end(self, name: str) -> None:
        """Forget a session, if there is one.

        >>> Sessions().end("1")
        """
        self.by_name.pop(name, None)
