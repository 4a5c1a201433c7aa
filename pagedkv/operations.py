"""The few things that can happen to a server's memory, and the settings they happen under.

Example:
    >>> operation_from_json({"op": "append", "chat": "A", "tokens": 4})
    Append(chat='A', tokens=4)
    >>> operation_to_json(Fork(parent="A", chat="D"))
    {'op': 'fork', 'parent': 'A', 'chat': 'D'}

One list of operations drives every layout of memory, is the input of every figure, and is what a link to
the widget carries. Its JSON form, version 1, is a list of objects:

    {"op": "arrive", "chat": NAME, "tokens": N}      a prompt of N tokens, optionally with "reserve": N
    {"op": "append", "chat": NAME, "tokens": N}      N more tokens, one after the other
    {"op": "finish", "chat": NAME}
    {"op": "fork", "parent": NAME, "chat": NAME}     a copy that shares what it can

What this does not do: carry them out (`pagedkv.layouts`, `pagedkv.side_by_side`).
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeAlias

from pagedkv.errors import InvalidOperation, InvalidSize, shown, whole_number

# Far above what a picture can show, and low enough that no list of operations can stall a page.
MOST_SLOTS = 4096
MOST_TOKENS = 4096
LONGEST_NAME = 12


@dataclass(frozen=True)
class Settings:
    """What is fixed while operations run: the pool, and how each layout cuts it.

    Args:
        num_slots: token slots in the pool, the same for both layouts.
        reserve: slots that the contiguous layout reserves per chat.
        block_size: slots per block of the paged layout.

    Raises:
        InvalidOperation: a number is out of range, or not even one block fits the pool.

    >>> Settings().num_blocks
    16
    >>> Settings(num_slots=4, block_size=8)
    Traceback (most recent call last):
    pagedkv.errors.InvalidOperation: A block of 8 slots does not fit a pool of 4. Make the blocks smaller.
    """

    num_slots: int = 64
    reserve: int = 24
    block_size: int = 4

    def __post_init__(self) -> None:
        for name in ("num_slots", "reserve", "block_size"):
            _keep(self, name, _counted(getattr(self, name), name, MOST_SLOTS))
        if self.block_size > self.num_slots:
            raise InvalidOperation(
                f"A block of {self.block_size} slots does not fit a pool of {self.num_slots}. "
                "Make the blocks smaller."
            )

    @property
    def num_blocks(self) -> int:
        """Whole blocks in the pool; slots left over at its end belong to no block."""
        return self.num_slots // self.block_size


@dataclass(frozen=True)
class _Checked:
    """What operations have in common: one that exists is well formed. Else it raises `InvalidOperation`."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in ("chat", "parent"):
                _named(value, field.name)
            elif field.name == "tokens" or value is not None:  # "reserve" may be left out
                _keep(self, field.name, _counted(value, field.name, MOST_TOKENS))


@dataclass(frozen=True)
class Arrive(_Checked):
    """A new chat with a prompt of `tokens`; `reserve` overrides the settings' reservation for this chat."""

    chat: str
    tokens: int
    reserve: int | None = None


@dataclass(frozen=True)
class Append(_Checked):
    """`tokens` more tokens for a chat, written one after the other until one is refused."""

    chat: str
    tokens: int


@dataclass(frozen=True)
class Finish(_Checked):
    """The end of a chat: it gives back what it holds, or leaves the queue."""

    chat: str


@dataclass(frozen=True)
class Fork(_Checked):
    """A second chat that starts with everything the parent holds."""

    parent: str
    chat: str


Operation: TypeAlias = Arrive | Append | Finish | Fork

_KINDS: dict[str, type[Operation]] = {"arrive": Arrive, "append": Append, "finish": Finish, "fork": Fork}


def operation_from_json(value: object) -> Operation:
    """Return the operation that a JSON object describes.

    Raises:
        InvalidOperation: the object has another form; the sentence says which part.

    >>> operation_from_json({"op": "arrive", "chat": "A", "tokens": 0})
    Traceback (most recent call last):
    pagedkv.errors.InvalidOperation: tokens is 0; it must be a whole number of at least 1.
    """
    if not isinstance(value, Mapping):
        raise InvalidOperation(f"An operation is an object with the field 'op', not {shown(value)}.")
    kind = _KINDS.get(value["op"]) if isinstance(value.get("op"), str) else None
    if kind is None:
        raise InvalidOperation(f"op is {shown(value.get('op'))}; it must be one of {', '.join(_KINDS)}.")
    expected = [field.name for field in fields(kind)]
    unknown = sorted(str(name) for name in value if name not in ("op", *expected))
    if unknown:
        raise InvalidOperation(f"{value['op']} has the unknown field {shown(unknown[0])}. Leave it out.")
    arguments: dict[str, Any] = {}
    for name in expected:
        if name in value:
            arguments[name] = value[name]
        elif name != "reserve":
            raise InvalidOperation(f"{value['op']} lacks the field {name!r}. Add it.")
    return kind(**arguments)


def operation_to_json(operation: Operation) -> dict[str, Any]:
    """Return the JSON object of an operation, without fields that are not set.

    >>> operation_to_json(Arrive("A", 6))
    {'op': 'arrive', 'chat': 'A', 'tokens': 6}
    """
    kind = next(name for name, kind in _KINDS.items() if isinstance(operation, kind))
    return {"op": kind} | {name: value for name, value in asdict(operation).items() if value is not None}


def _keep(record: object, name: str, value: int) -> None:
    """Let a frozen record hold a plain number, whatever kind of whole number it was given."""
    object.__setattr__(record, name, value)


def _counted(value: object, name: str, most: int) -> int:
    try:
        number = whole_number(value, name)
    except InvalidSize as error:
        raise InvalidOperation(str(error)) from None
    if number > most:
        raise InvalidOperation(f"{name} is {shown(number)}; the most is {most}.")
    return number


def _named(value: object, name: str) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_NAME or not value.isprintable():
        raise InvalidOperation(
            f"{name} is {shown(value)}; it must be a name of 1 to {LONGEST_NAME} printable characters."
        )
    return value
