"""Short ways to play operations on both layouts and to ask how they stand."""

from typing import Literal

from pagedkv.operations import Operation, Settings
from pagedkv.side_by_side import SideBySide, Step, replay
from pagedkv.snapshot import ContiguousChat, Event, PagedChat

LayoutName = Literal["contiguous", "paged"]


def play(settings: Settings, *operations: Operation) -> tuple[SideBySide, Step]:
    """Return the model after the operations, and what the last of them did."""
    model, steps = replay(settings, operations)
    return model, steps[-1]


def counters(model: SideBySide, layout: LayoutName) -> tuple[int, int, int, int, int]:
    """Return used, empty, free, largest hole and waiting."""
    found = model.snapshot()[layout]["counters"]
    return found["used"], found["empty"], found["free"], found["largest_hole"], found["waiting"]


def old_way(model: SideBySide, chat: str) -> ContiguousChat:
    return next(each for each in model.snapshot()["contiguous"]["chats"] if each["chat"] == chat)


def new_way(model: SideBySide, chat: str) -> PagedChat:
    return next(each for each in model.snapshot()["paged"]["chats"] if each["chat"] == chat)


def tables(model: SideBySide) -> dict[str, list[int]]:
    return {each["chat"]: each["table"] for each in model.snapshot()["paged"]["chats"]}


def runs(model: SideBySide) -> dict[str, tuple[int | None, int, int]]:
    """Return chat -> (start, size, tokens written) in the old way; start is None where it holds nothing."""
    chats = model.snapshot()["contiguous"]["chats"]
    return {each["chat"]: (each["start"], each["size"], each["tokens"]) for each in chats}


def kinds(events: list[Event]) -> list[tuple[str, str]]:
    return [(event["kind"], event["chat"]) for event in events]


def only(events: list[Event]) -> Event:
    (event,) = events
    return event
