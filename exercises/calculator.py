"""The KV calculator: a model's `config.json` comes in, its layers and what they take come out.

Example:
    >>> calculator = Calculator()
    >>> calculator.dispatch({"type": "pick", "fields": {"model": "gpt-oss 20B"}})["said"]
    'gpt-oss 20B: a chat of 8,192 tokens takes 195 MiB in blocks of 16, on one GPU.'
    >>> calculator.dispatch({"type": "read", "text": "{"})["problem"][:40]
    'The file is not taken. The file is no JS'

Form of a link, version 1: `exercises.sizing.choice`.
"""

from collections.abc import Callable

from exercises.desk import Command, Desk, fields_of
from exercises.sizing.choice import Choice, WrongSetting, opened
from exercises.sizing.parts import Trouble
from exercises.sizing.settings import SLIDERS
from exercises.sizing.view import as_file, regions
from figures.words import counted
from pagedkv.configs.fields import parse
from pagedkv.configs.quantities import in_units
from pagedkv.errors import PagedKVError


class Calculator(Desk):
    """A choice, and what follows from it.

    >>> list(Calculator().regions())
    ['choose', 'layers', 'settings', 'result', 'mistakes']
    """

    def __init__(self) -> None:
        super().__init__()
        self.choice = Choice()
        self.taken = 0
        self.trouble: Trouble | None = None

    def commands(self) -> dict[str, Callable[[Command], None]]:
        """Return type of command -> what carries it out."""
        return {
            "show": lambda _: None,
            "pick": self._pick,
            "read": self._read,
            "set": self._set,
            "open": self._open,
            "export": self._export,
        }

    def regions(self) -> dict[str, str]:
        """Return the markup of what is chosen, of the layers, the settings, the figures and the mistakes."""
        return regions(self.choice, self.taken, self.trouble)

    def _pick(self, command: Command) -> None:
        self._turn_to(self.choice.of_model(fields_of(command).get("model", "")))

    def _read(self, command: Command) -> None:
        """Take a file: its text stands in the command, or in the field of a form."""
        text = command.get("text", fields_of(command).get("text"))
        if not isinstance(text, str):
            raise PagedKVError("A file is a text.")
        try:
            self._turn_to(self.choice.of_config(parse(text.removeprefix("\ufeff"))))
        except PagedKVError as error:
            sentence = f"The file is not taken. {error}"
            self.trouble = Trouble(sentence, "file", "text")
            raise PagedKVError(sentence) from None
        self.taken += 1
        self.answer.show = "layers"

    def _set(self, command: Command) -> None:
        """Change settings. A slider says its place, and the field beside it follows.

        A command may say which control was changed. Of the other fields only those count then that hold what
        was refused: the rest may be of another model, if the page had not been drawn anew by then.
        """
        fields, changed = fields_of(command), command.get("changed")
        for name, steps in SLIDERS.items():
            place = fields.pop(f"{name}-at", "")
            if changed == f"{name}-at" and place.isdecimal() and int(place[:4]) < len(steps):
                fields[name], changed = str(steps[int(place[:4])]), name
        if isinstance(changed, str) and changed in fields:
            refused = self.trouble.typed if self.trouble else {}
            fields = {**refused, changed: fields[changed]}
        try:
            choice = self.choice.with_settings(fields)
        except WrongSetting as error:
            self.trouble = Trouble(str(error), "settings", error.field, fields)
            raise
        self._turn_to(choice, keeps_link=command.get("moving") is True)

    def _open(self, command: Command) -> None:
        link = command.get("link")
        if not isinstance(link, str):
            raise PagedKVError(f"A link is a text, not {link!r:.60}.")
        try:
            self.choice, self.trouble = opened(link), None
        except PagedKVError as error:
            raise PagedKVError(f"The link cannot be opened. {error}") from None

    def _export(self, command: Command) -> None:
        if command.get("what", "json") != "json":
            raise PagedKVError(f"There is no file {command.get('what')!r:.60}. There is: json.")
        self.answer.file = {"name": "kv-cache.json", "type": "application/json", "text": as_file(self.choice)}

    def _turn_to(self, choice: Choice, *, keeps_link: bool = False) -> None:
        self.choice, self.trouble = choice, None
        if not keeps_link:
            self.answer.link = choice.link or "v=1"
        tokens, deployment = choice.wish.tokens or 1, choice.deployment
        takes = in_units(deployment.bytes_per_chat(tokens, deployment.in_blocks))
        self.answer.said = (
            f"{choice.name}: a chat of {counted(tokens, 'token')} takes {takes} in blocks of "
            f"{deployment.block_size:,}, on one GPU."
        )
