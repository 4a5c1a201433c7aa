"""Attention within a session: which chat attends, and what it finds in the slots as they are now.

Example:
    >>> from pagedkv.scenarios import START
    >>> attend = Attend()
    >>> attend.chat = "A"
    >>> attend.over(START.settings, START.operations).found.paged.slots
    [0, 1, 2, 3, 4, 5]

NumPy arrives later than the rest, so it is imported when a chat first attends. Until then nothing is found,
and nothing fails.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pagedkv.operations import Operation, Settings

if TYPE_CHECKING:
    from pagedkv.contents import Attention, Contents


@dataclass(frozen=True)
class Attending:
    """How attention stands: `chat` is None while it is off, `found` while there is nothing to show."""

    chat: str | None
    is_poisoned: bool
    has_numpy: bool
    found: "Attention | None"


class Attend:
    """Which chat attends, and whether unused slots are filled with NaN for it.

    >>> Attend().over(Settings(), ()).found is None
    True
    """

    def __init__(self) -> None:
        self.chat: str | None = None
        self.is_poisoned = False
        self._contents: Contents | None = None
        self._done: tuple[Operation, ...] = ()  # what the contents were reached by
        self._last: tuple[object, Attention] | None = None

    def over(self, settings: Settings, operations: tuple[Operation, ...]) -> Attending:
        """Return how attention stands after the operations.

        >>> from pagedkv.operations import Arrive
        >>> attend = Attend()
        >>> attend.chat = "B"
        >>> attend.over(Settings(), (Arrive("A", 6),))
        Attending(chat='B', is_poisoned=False, has_numpy=True, found=None)
        """
        has_numpy, found = False, None
        if self.chat is not None:
            try:
                found = self._find(self.chat, settings, operations)
                has_numpy = True
            except ImportError:
                found = None
        return Attending(self.chat, self.is_poisoned, has_numpy, found)

    def _find(self, chat: str, settings: Settings, operations: tuple[Operation, ...]) -> "Attention | None":
        contents = self._carried_out(settings, operations)
        if chat not in contents.seat_of_chat:
            return None
        # A reader who goes from slot to slot asks for the same again and again.
        asked = (chat, self.is_poisoned, settings, operations)
        if self._last is None or self._last[0] != asked:
            self._last = (asked, contents.attend(chat, is_poisoned=self.is_poisoned))
        return self._last[1]

    def _carried_out(self, settings: Settings, operations: tuple[Operation, ...]) -> "Contents":
        """Return the contents after the operations, going on from those at hand where that can be."""
        from pagedkv.contents import Contents  # noqa: PLC0415 (NumPy may not be there yet)

        contents, count = self._contents, len(self._done)
        if contents is None or contents.settings != settings or operations[:count] != self._done:
            contents, count = Contents(settings), 0
        for operation in operations[count:]:
            contents.apply(operation)
        self._contents, self._done = contents, operations
        return contents
