"""Memory rebuilt from the events alone: what a reader of the captions would know, and nothing of the model.

Each class keeps a layout's state by believing the events one after the other, and asserts on the way that no
event contradicts what was known before: a run that was taken, a block that was not at the front of the free
list, a chat that overtook another.
"""

from dataclasses import dataclass, field

from pagedkv.snapshot import Event


@dataclass
class Ledger:
    """What both layouts share: who waits, in which order, and what each chat that waits wants."""

    queue: list[str] = field(default_factory=list)
    wanted: dict[str, int] = field(default_factory=dict)
    held: dict[str, int] = field(default_factory=dict)  # chat that runs -> tokens it holds

    def believe(self, events: list[Event], *, is_finish: bool) -> None:
        for number, event in enumerate(events):
            assert event["from_queue"] == (number > 0), "only the first event is the operation's own"
            assert number == 0 or is_finish, "only a finish serves the queue"
            getattr(self, f"_{event['kind']}")(event)

    def _queued(self, event: Event) -> None:
        assert event["reason"] == "behind" or not self.queue
        self.queue.append(event["chat"])
        self.wanted[event["chat"]] = event["asked"]

    def _wants_more(self, event: Event) -> None:
        self.wanted[event["chat"]] += event["asked"]
        assert event["tokens"] == self.wanted[event["chat"]]

    def _left_queue(self, event: Event) -> None:
        if event["reason"] == "absent":
            assert event["chat"] not in self.queue
            return
        self.queue.remove(event["chat"])
        assert self.wanted.pop(event["chat"]) == event["tokens"]

    def _refused(self, event: Event) -> None:
        assert event["chat"] not in self.held
        assert event["chat"] not in self.queue
        assert not event["slots"]
        assert not event["blocks"]

    def _admitted(self, event: Event) -> None:
        chat = event["chat"]
        if event["from_queue"]:
            assert chat == self.queue.pop(0), "nobody overtakes"
            assert event["asked"] == self.wanted.pop(chat)
        else:
            assert not self.queue, "nobody overtakes"
        self.held[chat] = 0
        self._wrote(event)

    def _wrote(self, event: Event) -> None:
        assert event["tokens"] == len(event["slots"]) <= event["asked"]
        assert (event["tokens"] < event["asked"]) == (event["reason"] is not None)
        self._place(event)
        self.held[event["chat"]] += len(event["slots"])

    def _forked(self, event: Event) -> None:
        assert event["parent"] is not None
        assert event["tokens"] == self.held[event["parent"]]
        self.held[event["chat"]] = event["tokens"]
        self._share(event, event["parent"])

    def _finished(self, event: Event) -> None:
        assert self.held.pop(event["chat"]) == event["tokens"]
        self._take_back(event)

    def _place(self, event: Event) -> None:
        raise NotImplementedError

    def _share(self, event: Event, parent: str) -> None:
        raise NotImplementedError

    def _take_back(self, event: Event) -> None:
        raise NotImplementedError


@dataclass
class ContiguousLedger(Ledger):
    """Runs by chat, and the owner of every slot."""

    num_slots: int = 0
    runs: dict[str, list[int]] = field(default_factory=dict)
    owner: dict[int, str] = field(default_factory=dict)

    def _place(self, event: Event) -> None:
        chat = event["chat"]
        if event["run"] is not None:
            self._reserve(chat, event["run"])
        start, size = self.runs[chat]
        first = start + self.held[chat]
        assert event["slots"] == list(range(first, first + event["tokens"]))
        assert self.held[chat] + event["tokens"] <= size
        if event["reason"] is not None:
            assert event["reason"] == "cut_off"
            assert self.held[chat] + event["tokens"] == size

    def _share(self, event: Event, parent: str) -> None:
        assert event["run"] is not None
        start, size = event["run"]
        assert size == self.runs[parent][1]
        assert event["slots"] == list(range(start, start + event["tokens"]))
        self._reserve(event["chat"], event["run"])

    def _take_back(self, event: Event) -> None:
        run = self.runs.pop(event["chat"])
        assert event["run"] == run
        for slot in range(run[0], run[0] + run[1]):
            assert self.owner.pop(slot) == event["chat"]

    def _reserve(self, chat: str, run: list[int]) -> None:
        slots = range(run[0], run[0] + run[1])
        assert slots.stop <= self.num_slots
        for slot in slots:
            assert slot not in self.owner, "a slot has one owner"
            self.owner[slot] = chat
        self.runs[chat] = run


@dataclass
class PagedLedger(Ledger):
    """Tables by chat, and the free list."""

    num_blocks: int = 0
    block_size: int = 1
    tables: dict[str, list[int]] = field(default_factory=dict)
    free_list: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.free_list = list(range(self.num_blocks))

    def owners(self, block: int) -> int:
        return sum(table.count(block) for table in self.tables.values())

    def _place(self, event: Event) -> None:
        chat, taken = event["chat"], event["blocks"]
        assert self.free_list[: len(taken)] == taken, "first in, first out"
        del self.free_list[: len(taken)]
        table = self.tables.setdefault(chat, [])
        for source, copy in event["copies"]:
            assert table[-1] == source
            assert self.owners(source) > 1, "only a shared block is copied"
            assert self.held[chat] % self.block_size != 0, "only a block with room is copied"
            table[-1] = copy
        copies = [copy for _, copy in event["copies"]]
        table.extend(block for block in taken if block not in copies)
        positions = range(self.held[chat], self.held[chat] + event["tokens"])
        cells = [(table[position // self.block_size], position % self.block_size) for position in positions]
        assert event["slots"] == [block * self.block_size + offset for block, offset in cells]
        assert all(self.owners(block) == 1 for block, _ in cells), "nobody writes into a shared block"
        if event["reason"] is not None:
            assert event["reason"] == "out_of_blocks"
            assert not self.free_list

    def _share(self, event: Event, parent: str) -> None:
        assert event["blocks"] == self.tables[parent]
        self.tables[event["chat"]] = list(self.tables[parent])

    def _take_back(self, event: Event) -> None:
        table = self.tables.pop(event["chat"])
        assert event["blocks"] == [block for block in table if self.owners(block) == 0]
        self.free_list.extend(event["blocks"])
