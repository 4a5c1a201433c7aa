"""Two ways to lay chats out in one pool, each with its queue: contiguous reservations, and paged blocks.

Example:
    >>> from pagedkv.operations import Append, Arrive, Finish, Settings
    >>> paged = PagedLayout(Settings(num_slots=8, block_size=4))
    >>> [event["blocks"] for event in paged.apply(Arrive("A", 6))]
    [[0, 1]]
    >>> [(event["kind"], event["reason"]) for event in paged.apply(Arrive("B", 3))]
    [('queued', 'out_of_blocks')]
    >>> [(event["kind"], event["chat"], event["blocks"]) for event in paged.apply(Finish("A"))]
    [('finished', 'A', [0, 1]), ('admitted', 'B', [0])]

Rules of both: a chat that does not fit waits, first come, first served, and nobody overtakes; while it waits
its demand may grow; after a finish the queue is served at once, in order, as part of the same operation.
Every operation returns the events that it caused, in order.

What this does not do: check that a chat exists or is new (`pagedkv.side_by_side` does, and drives both).
"""

from abc import ABC, abstractmethod

from pagedkv.blocks import BlockAllocator
from pagedkv.contiguous import ContiguousPool
from pagedkv.errors import OutOfBlocks
from pagedkv.operations import Append, Arrive, Finish, Operation, Settings
from pagedkv.snapshot import (
    ChatState,
    ContiguousChat,
    ContiguousSnapshot,
    Counters,
    Event,
    EventKind,
    PagedChat,
    PagedSnapshot,
    Reason,
)


class Layout(ABC):
    """The rules that do not depend on how memory is cut: who waits, who is next, who is not there at all."""

    def __init__(self) -> None:
        self.wanted: dict[str, int] = {}  # tokens asked for, of each chat that runs or waits here
        self.queue: list[str] = []

    def apply(self, operation: Operation) -> list[Event]:
        """Carry out one operation, and return what happened.

        >>> [event["kind"] for event in PagedLayout(Settings()).apply(Arrive("A", 6))]
        ['admitted']
        """
        if isinstance(operation, Arrive):
            return [self._arrive(operation)]
        if isinstance(operation, Append):
            return [self._append(operation)]
        if isinstance(operation, Finish):
            return [self._finish(operation.chat), *self._serve_queue()]
        return [self._fork(operation.parent, operation.chat)]

    def state_of(self, chat: str) -> ChatState:
        """Return whether a chat runs here, waits here, or is absent.

        >>> PagedLayout(Settings()).state_of("nobody")
        'absent'
        """
        if chat in self.queue:
            return "waiting"
        return "running" if chat in self.wanted else "absent"

    def _arrive(self, arrival: Arrive) -> Event:
        self.wanted[arrival.chat] = arrival.tokens
        reason: Reason = "behind"
        if not self.queue:
            event = self._admit(arrival.chat)
            if event is not None:
                return event
            reason = self.full
        self.queue.append(arrival.chat)
        needs = self._needs(arrival.chat)
        return record("queued", arrival.chat, asked=arrival.tokens, needs=needs, reason=reason)

    def _append(self, more: Append) -> Event:
        state = self.state_of(more.chat)
        if state == "running":
            return self._write(more.chat, more.tokens)
        if state == "absent":
            return record("refused", more.chat, asked=more.tokens, reason="absent")
        self.wanted[more.chat] += more.tokens
        wanted, needs = self.wanted[more.chat], self._needs(more.chat)
        return record("wants_more", more.chat, asked=more.tokens, tokens=wanted, needs=needs)

    def _finish(self, chat: str) -> Event:
        state = self.state_of(chat)
        if state == "absent":
            return record("left_queue", chat, reason="absent")
        tokens = self.wanted.pop(chat)
        if state == "waiting":
            self.queue.remove(chat)
            return record("left_queue", chat, tokens=tokens)
        return self._release(chat)

    def _serve_queue(self) -> list[Event]:
        events = []
        while self.queue:
            event = self._admit(self.queue[0])
            if event is None:
                break
            event["from_queue"] = True
            events.append(event)
            del self.queue[0]
        return events

    def _fork(self, parent: str, child: str) -> Event:
        state = self.state_of(parent)
        event = None
        if state == "running":
            event = self._copy(parent, child)
        if event is None:
            reasons: dict[ChatState, Reason] = {
                "running": self.full,
                "waiting": "parent_waits",
                "absent": "absent",
            }
            return record("refused", child, parent=parent, reason=reasons[state])
        self.wanted[child] = self.wanted[parent]
        return event

    full: Reason  # why a chat that does not fit is refused

    @abstractmethod
    def _needs(self, chat: str) -> int:
        """Return what a waiting chat needs: slots in a row, or blocks."""

    @abstractmethod
    def _admit(self, chat: str) -> Event | None:
        """Give a chat memory for all that it wants and write it, or change nothing and return None."""

    @abstractmethod
    def _write(self, chat: str, tokens: int) -> Event:
        """Write tokens one at a time, each whole, up to the first that is refused."""

    @abstractmethod
    def _release(self, chat: str) -> Event:
        """Take back what a running chat holds."""

    @abstractmethod
    def _copy(self, parent: str, child: str) -> Event | None:
        """Start a copy of a running chat, or change nothing and return None."""


class ContiguousLayout(Layout):
    """One reservation per chat, first fit. A chat that fills its reservation gets no further token.

    >>> layout = ContiguousLayout(Settings(num_slots=16, reserve=8))
    >>> layout.apply(Arrive("A", 6))[0]["run"]
    [0, 8]
    >>> event = layout.apply(Append("A", 4))[0]
    >>> event["slots"], event["reason"]
    ([6, 7], 'cut_off')
    """

    full: Reason = "no_hole"

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.reserve = settings.reserve
        self.pool = ContiguousPool(settings.num_slots)
        self.own_reserve: dict[str, int] = {}  # of chats that asked for another size than the settings'

    def snapshot(self, chats: list[str]) -> ContiguousSnapshot:
        """Return the state as plain JSON, with the given chats in the given order.

        >>> ContiguousLayout(Settings(num_slots=16)).snapshot([])["holes"]
        [[0, 16]]
        """
        waiting = len(self.queue)
        holes = self.pool.holes()
        counters: Counters = {
            "used": sum(self.pool.lengths.values()),
            "empty": self.pool.num_wasted,
            "free": self.pool.num_free,
            "largest_hole": self.pool.largest_hole,
            "waiting": waiting,
        }
        return {
            "num_slots": self.pool.num_slots,
            "chats": [self._chat(chat) for chat in chats],
            "queue": self.queue.copy(),
            "holes": [list(hole) for hole in holes],
            "counters": counters,
        }

    def _chat(self, chat: str) -> ContiguousChat:
        run = self.pool.reservations.get(chat)
        return {
            "chat": chat,
            "state": self.state_of(chat),
            "tokens": self.pool.lengths.get(chat, 0),
            "wanted": self.wanted.get(chat, 0),
            "start": run.start if run else None,
            "size": run.size if run else self._needs(chat),
        }

    def _arrive(self, arrival: Arrive) -> Event:
        if arrival.reserve is not None:
            self.own_reserve[arrival.chat] = arrival.reserve
        return super()._arrive(arrival)

    def _finish(self, chat: str) -> Event:
        self.own_reserve.pop(chat, None)
        return super()._finish(chat)

    def _needs(self, chat: str) -> int:
        return self.own_reserve.get(chat, self.reserve)

    def _admit(self, chat: str) -> Event | None:
        size = self._needs(chat)
        start = self.pool.reserve(chat, size)
        if start is None:
            return None
        slots, reason = self._fill(chat, self.wanted[chat])
        return record(
            "admitted", chat, asked=self.wanted[chat], slots=slots, run=[start, size], reason=reason
        )

    def _write(self, chat: str, tokens: int) -> Event:
        self.wanted[chat] += tokens
        slots, reason = self._fill(chat, tokens)
        return record("wrote", chat, asked=tokens, slots=slots, reason=reason)

    def _fill(self, chat: str, tokens: int) -> tuple[list[int], Reason | None]:
        slots: list[int] = []
        for _ in range(tokens):
            slot = self.pool.append(chat)
            if slot is None:
                return slots, "cut_off"
            slots.append(slot)
        return slots, None

    def _release(self, chat: str) -> Event:
        run, tokens = self.pool.reservations[chat], self.pool.lengths[chat]
        self.pool.free(chat)
        return record("finished", chat, tokens=tokens, run=list(run))

    def _copy(self, parent: str, child: str) -> Event | None:
        start = self.pool.fork(parent, child)
        if start is None:
            return None
        size, tokens = self.pool.reservations[child].size, self.pool.lengths[child]
        slots = list(range(start, start + tokens))
        return record("forked", child, parent=parent, slots=slots, run=[start, size])


class PagedLayout(Layout):
    """Blocks on demand. An arrival takes all the blocks of its prompt, or waits.

    >>> layout = PagedLayout(Settings(num_slots=8, block_size=4))
    >>> layout.apply(Arrive("A", 6))[0]["slots"]
    [0, 1, 2, 3, 4, 5]
    >>> event = layout.apply(Append("A", 4))[0]
    >>> event["slots"], event["reason"]
    ([6, 7], 'out_of_blocks')
    """

    full: Reason = "out_of_blocks"

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.blocks = BlockAllocator(settings.num_blocks, settings.block_size)

    def snapshot(self, chats: list[str]) -> PagedSnapshot:
        """Return the state as plain JSON, with the given chats in the given order.

        >>> PagedLayout(Settings(num_slots=16, block_size=4)).snapshot([])["free_list"]
        [0, 1, 2, 3]
        """
        blocks = self.blocks
        filled = blocks.filled_of_block()
        free = len(blocks.free_list) * blocks.block_size
        counters: Counters = {
            "used": sum(filled.values()),
            "empty": blocks.num_wasted,
            "free": free,
            "largest_hole": free,
            "waiting": len(self.queue),
        }
        return {
            "num_slots": blocks.num_blocks * blocks.block_size,
            "block_size": blocks.block_size,
            "num_blocks": blocks.num_blocks,
            "chats": [self._chat(chat) for chat in chats],
            "queue": self.queue.copy(),
            "ref_count": blocks.ref_count.copy(),
            "free_list": list(blocks.free_list),
            "counters": counters,
        }

    def _chat(self, chat: str) -> PagedChat:
        return {
            "chat": chat,
            "state": self.state_of(chat),
            "tokens": self.blocks.lengths.get(chat, 0),
            "wanted": self.wanted.get(chat, 0),
            "table": list(self.blocks.tables.get(chat, [])),
        }

    def _needs(self, chat: str) -> int:
        return self.blocks.blocks_for(self.wanted[chat])

    def _admit(self, chat: str) -> Event | None:
        tokens = self.wanted[chat]
        if self._needs(chat) > len(self.blocks.free_list):
            return None
        self.blocks.add_request(chat)
        event = self._write(chat, tokens)
        event["kind"] = "admitted"
        return event

    def _write(self, chat: str, tokens: int) -> Event:
        slots: list[int] = []
        taken: list[int] = []
        copies: list[list[int]] = []
        reason: Reason | None = None
        for _ in range(tokens):
            try:
                block, offset, copied_from = self.blocks.append(chat)
            except OutOfBlocks:
                reason = "out_of_blocks"
                break
            slots.append(block * self.blocks.block_size + offset)
            if offset == 0 or copied_from is not None:
                taken.append(block)
            if copied_from is not None:
                copies.append([copied_from, block])
        self.wanted[chat] = self.blocks.lengths[chat]  # a refused append leaves no trace
        return record("wrote", chat, asked=tokens, slots=slots, blocks=taken, copies=copies, reason=reason)

    def _release(self, chat: str) -> Event:
        tokens = self.blocks.lengths[chat]
        return record("finished", chat, tokens=tokens, blocks=self.blocks.free(chat))

    def _copy(self, parent: str, child: str) -> Event | None:
        self.blocks.fork(parent, child)
        tokens, table = self.blocks.lengths[child], list(self.blocks.tables[child])
        return record("forked", child, parent=parent, tokens=tokens, blocks=table)


def record(
    kind: EventKind,
    chat: str,
    *,
    parent: str | None = None,
    asked: int = 0,
    tokens: int | None = None,
    slots: list[int] | None = None,
    blocks: list[int] | None = None,
    copies: list[list[int]] | None = None,
    run: list[int] | None = None,
    needs: int = 0,
    reason: Reason | None = None,
) -> Event:
    """Return an event; fields that are not given are empty, and `tokens` counts the slots written.

    >>> record("wrote", "A", asked=1, slots=[3])["tokens"]
    1
    """
    slots = slots or []
    return {
        "kind": kind,
        "chat": chat,
        "parent": parent,
        "asked": asked,
        "tokens": len(slots) if tokens is None else tokens,
        "slots": slots,
        "blocks": blocks or [],
        "copies": copies or [],
        "run": run,
        "needs": needs,
        "from_queue": False,
        "reason": reason,
    }
