"""One list of operations, carried out on both layouts, each on its own.

Example:
    >>> from pagedkv.operations import Append, Arrive
    >>> model = SideBySide(Settings(num_slots=64, reserve=24, block_size=4))
    >>> for operation in (Arrive("A", 6), Arrive("B", 3), Arrive("C", 5)):
    ...     step = model.apply(operation)
    >>> step["contiguous"][0]["kind"], step["paged"][0]["kind"]
    ('queued', 'admitted')
    >>> model.snapshot()["contiguous"]["counters"]["largest_hole"]
    16

Settings never change: to see another block size, replay the operations under other settings (`replay`). So
whether an operation can be carried out at all must not depend on them: a copy that both layouts refuse keeps
its name until it is finished, since under other settings there would be such a chat.
"""

from collections.abc import Iterable
from typing import TypedDict

from pagedkv.errors import DuplicateRequest, UnknownRequest
from pagedkv.layouts import ContiguousLayout, PagedLayout
from pagedkv.operations import Arrive, Finish, Fork, Operation, Settings
from pagedkv.snapshot import VERSION, Event, Snapshot


class Step(TypedDict):
    """What one operation did, layout by layout."""

    contiguous: list[Event]
    paged: list[Event]


class SideBySide:
    """Both layouts over a pool of the same size, and who is there.

    >>> SideBySide(Settings()).snapshot()["paged"]["num_blocks"]
    16
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.contiguous = ContiguousLayout(settings)
        self.paged = PagedLayout(settings)
        self.seat_of_chat: dict[str, int] = {}
        self.turned_away: set[str] = set()  # copies that both layouts refused
        self.asked_of_chat: dict[str, int] = {}
        self.num_steps = 0

    def apply(self, operation: Operation) -> Step:
        """Carry out one operation on both layouts.

        Raises:
            UnknownRequest: the operation names a chat that never came, or has finished.
            DuplicateRequest: the name is taken. In both cases nothing has changed.

        >>> SideBySide(Settings()).apply(Finish("A"))
        Traceback (most recent call last):
        pagedkv.errors.UnknownRequest: There is no chat 'A'. Chats that are there: none.
        """
        self._check(operation)
        step: Step = {
            "contiguous": self.contiguous.apply(operation),
            "paged": self.paged.apply(operation),
        }
        self.num_steps += 1
        self._note(operation)
        return step

    def snapshot(self) -> Snapshot:
        """Return the state of both layouts as plain JSON.

        >>> SideBySide(Settings()).snapshot()["v"]
        1
        """
        chats = list(self.seat_of_chat)
        return {
            "v": VERSION,
            "step": self.num_steps,
            "settings": {
                "num_slots": self.settings.num_slots,
                "reserve": self.settings.reserve,
                "block_size": self.settings.block_size,
            },
            "seats": [
                {"chat": chat, "seat": seat, "asked": self.asked_of_chat[chat]}
                for chat, seat in self.seat_of_chat.items()
            ],
            "contiguous": self.contiguous.snapshot(chats),
            "paged": self.paged.snapshot(chats),
        }

    def _check(self, operation: Operation) -> None:
        """Refuse an operation on nobody, and a name that is taken."""
        taken = self.seat_of_chat.keys() | self.turned_away
        named = operation.parent if isinstance(operation, Fork) else operation.chat
        if not isinstance(operation, Arrive) and named not in taken:
            known = ", ".join(map(repr, self.seat_of_chat)) or "none"
            raise UnknownRequest(f"There is no chat {named!r}. Chats that are there: {known}.")
        if isinstance(operation, Arrive | Fork) and operation.chat in taken:
            is_there = operation.chat in self.seat_of_chat
            reason = (
                f"There is a chat {operation.chat!r} already"
                if is_there
                else f"A copy that was refused has the name {operation.chat!r}"
            )
            raise DuplicateRequest(f"{reason}. Use another name.")

    def _note(self, operation: Operation) -> None:
        """Note who is there after an operation, and what was asked of them."""
        chat = operation.chat
        if isinstance(operation, Finish):
            self.turned_away.discard(chat)
            self.seat_of_chat.pop(chat, None)
            self.asked_of_chat.pop(chat, None)
        elif isinstance(operation, Fork) and self._is_absent(chat):
            self.turned_away.add(chat)
        elif isinstance(operation, Arrive | Fork):
            self.seat_of_chat[chat] = self._free_seat()
            self.asked_of_chat[chat] = (
                operation.tokens if isinstance(operation, Arrive) else self.asked_of_chat[operation.parent]
            )
        elif chat in self.seat_of_chat:
            self.asked_of_chat[chat] += operation.tokens

    def _is_absent(self, chat: str) -> bool:
        return self.contiguous.state_of(chat) == self.paged.state_of(chat) == "absent"

    def _free_seat(self) -> int:
        taken = set(self.seat_of_chat.values())
        return next(seat for seat in range(len(taken) + 1) if seat not in taken)


def replay(settings: Settings, operations: Iterable[Operation]) -> tuple[SideBySide, list[Step]]:
    """Carry out operations from the start, and return the model and what each of them did.

    >>> model, steps = replay(Settings(), [Arrive("A", 6), Finish("A")])
    >>> model.num_steps, [step["paged"][0]["kind"] for step in steps]
    (2, ['admitted', 'finished'])
    """
    model = SideBySide(settings)
    return model, [model.apply(operation) for operation in operations]
