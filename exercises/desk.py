"""What the pages with exercises have in common: a command comes in, a frame goes out. Plain JSON, version 1.

Example:
    >>> class Echo(Desk):
    ...     def commands(self):
    ...         return {"say": self.say}
    ...
    ...     def say(self, command):
    ...         self.answer.said = str(command.get("word"))
    ...
    ...     def regions(self):
    ...         return {}
    >>> Echo().dispatch({"type": "say", "word": "yes"})["said"]
    'yes'

`widget/browser/exercises/protocol.d.ts` says the same for the JavaScript side, and a test keeps the two
alike.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypedDict

from pagedkv.errors import PagedKVError

VERSION: Literal[1] = 1

Command: TypeAlias = Mapping[str, Any]


class File(TypedDict):
    """A file to save: its name, the type it is to have, and its text."""

    name: str
    type: str
    text: str


class Frame(TypedDict):
    """What a page shows after a command.

    `regions` is region name -> markup. `said` is a sentence for those who listen. `link` is what the page's
    address is to say from now on, and `memory` what the browser is to keep ("": nothing any more); None
    leaves either as it is. `show` is the id of what to scroll to. `file` is a file that was asked for.
    `problem` is a sentence where the command was refused, and then everything else is as before.
    """

    v: Literal[1]
    regions: dict[str, str]
    said: str
    link: str | None
    memory: str | None
    show: str | None
    file: File | None
    problem: str | None


@dataclass
class Answer:
    """What a command leads to beside the regions, as in a frame."""

    said: str = ""
    link: str | None = None
    memory: str | None = None
    show: str | None = None
    file: File | None = None


class Desk(ABC):
    """Answers the commands of one page."""

    def __init__(self) -> None:
        self.answer = Answer()

    @abstractmethod
    def commands(self) -> dict[str, Callable[[Command], None]]:
        """Return type of command -> what carries it out; it may set fields of `self.answer`."""

    @abstractmethod
    def regions(self) -> dict[str, str]:
        """Return region name -> markup."""

    def dispatch(self, command: object) -> Frame:
        """Carry out a command, and return the frame. A command that is refused changes nothing."""
        self.answer, problem = Answer(), None
        try:
            if not isinstance(command, Mapping):
                raise PagedKVError("A command is an object with the field 'type'.")
            obey = self.commands().get(str(command.get("type")))
            if obey is None:
                raise PagedKVError(f"There is no command {command.get('type')!r:.60}.")
            obey(command)
        except PagedKVError as error:
            self.answer, problem = Answer(), str(error)
        return {
            "v": VERSION,
            "regions": self.regions(),
            "said": self.answer.said,
            "link": self.answer.link,
            "memory": self.answer.memory,
            "show": self.answer.show,
            "file": self.answer.file,
            "problem": problem,
        }

    def dispatch_json(self, text: str) -> str:
        """Do the same from JSON text to JSON text: the form in which commands cross from page to Python."""
        return json.dumps(self.dispatch(json.loads(text)), separators=(",", ":"), ensure_ascii=False)


def fields_of(command: Command) -> dict[str, str]:
    """Return the fields that a form sent: name -> text.

    Raises:
        PagedKVError: they are something else.

    >>> fields_of({"fields": {"seed": "3"}})
    {'seed': '3'}
    """
    fields = command.get("fields", {})
    if not isinstance(fields, Mapping) or not all(isinstance(value, str) for value in fields.values()):
        raise PagedKVError("The fields of a form are an object of texts.")
    return {str(name): value for name, value in fields.items()}
