"""Random sessions of the widget: events and snapshots tell the same story, and nobody overtakes."""

import json

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pagedkv import DuplicateRequest, UnknownRequest
from pagedkv.operations import Append, Arrive, Finish, Fork, Operation, Settings
from pagedkv.side_by_side import SideBySide, Step, replay
from tests.pagedkv.ledger import ContiguousLedger, PagedLedger

NAMES = "ABCDEFGH"
PICK = st.integers(0, 99)


class Session(RuleBasedStateMachine):
    @initialize(
        num_slots=st.sampled_from([8, 13, 20, 32, 64]),
        reserve=st.sampled_from([2, 4, 8, 12, 24]),
        block_size=st.sampled_from([1, 2, 3, 4, 8]),
    )
    def start(self, num_slots: int, reserve: int, block_size: int) -> None:
        self.settings = Settings(num_slots, reserve, block_size)
        self.model = SideBySide(self.settings)
        self.operations: list[Operation] = []
        self.steps: list[Step] = []
        self.contiguous = ContiguousLedger(num_slots=num_slots)
        self.paged = PagedLedger(num_blocks=num_slots // block_size, block_size=block_size)
        self.asked: dict[str, int] = {}

    def play(self, operation: Operation) -> None:
        step = self.model.apply(operation)
        self.operations.append(operation)
        self.steps.append(step)
        is_finish = isinstance(operation, Finish)
        self.contiguous.believe(step["contiguous"], is_finish=is_finish)
        self.paged.believe(step["paged"], is_finish=is_finish)
        if isinstance(operation, Arrive):
            self.asked[operation.chat] = operation.tokens
        elif operation.chat not in self.asked and not isinstance(operation, Fork):
            assert {step["contiguous"][0]["reason"], step["paged"][0]["reason"]} == {"absent"}
        elif isinstance(operation, Append):
            self.asked[operation.chat] += operation.tokens
        elif isinstance(operation, Finish):
            del self.asked[operation.chat]
        elif {"forked"} & {step["contiguous"][0]["kind"], step["paged"][0]["kind"]}:
            self.asked[operation.chat] = self.asked[operation.parent]

    def chats(self) -> list[str]:
        return [seat["chat"] for seat in self.model.snapshot()["seats"]]

    def known(self, pick: int) -> str:
        chats = self.chats()
        return chats[pick % len(chats)]

    def unknown(self) -> str:
        return next(name for name in NAMES if name not in self.taken())

    def is_busy(self) -> bool:
        return bool(self.chats())

    def has_a_name_left(self) -> bool:
        return len(self.taken()) < len(NAMES)

    def taken(self) -> list[str]:
        return [*self.chats(), *sorted(self.model.turned_away)]

    @precondition(has_a_name_left)
    @rule(tokens=st.integers(1, 12), reserve=st.none() | st.integers(1, 12))
    def arrive(self, tokens: int, reserve: int | None) -> None:
        self.play(Arrive(self.unknown(), tokens, reserve))

    @precondition(is_busy)
    @rule(pick=PICK, tokens=st.integers(1, 5))
    def append(self, pick: int, tokens: int) -> None:
        self.play(Append(self.known(pick), tokens))

    @precondition(is_busy)
    @rule(pick=PICK)
    def finish(self, pick: int) -> None:
        self.play(Finish(self.known(pick)))

    @precondition(lambda self: self.is_busy() and self.has_a_name_left())
    @rule(pick=PICK)
    def fork(self, pick: int) -> None:
        self.play(Fork(self.known(pick), self.unknown()))

    @precondition(lambda self: self.model.turned_away)
    @rule(is_finish=st.booleans())
    def act_on_a_copy_that_both_refused(self, is_finish: bool) -> None:
        chat, before = min(self.model.turned_away), self.model.snapshot()
        with pytest.raises(DuplicateRequest):
            self.model.apply(Arrive(chat, 1))
        self.play(Finish(chat) if is_finish else Append(chat, 1))
        assert self.model.snapshot() == {**before, "step": before["step"] + 1}
        assert (chat in self.model.turned_away) != is_finish

    @precondition(is_busy)
    @rule(pick=PICK)
    def ask_for_what_is_refused(self, pick: int) -> None:
        chat, before = self.known(pick), self.model.snapshot()
        for doubled in (Arrive(chat, 1), Fork(chat, chat)):
            with pytest.raises(DuplicateRequest):
                self.model.apply(doubled)
        for unknown in (Append("nobody", 1), Finish("nobody"), Fork("nobody", chat)):
            with pytest.raises(UnknownRequest):
                self.model.apply(unknown)
        assert self.model.snapshot() == before

    @invariant()
    def events_account_for_the_contiguous_snapshot(self) -> None:
        snapshot, ledger = self.model.snapshot()["contiguous"], self.contiguous
        chats = {chat["chat"]: chat for chat in snapshot["chats"]}
        assert snapshot["queue"] == ledger.queue
        running = {name: chat for name, chat in chats.items() if chat["state"] == "running"}
        assert {name: chat["tokens"] for name, chat in running.items()} == ledger.held
        assert {name: [chat["start"], chat["size"]] for name, chat in running.items()} == ledger.runs
        waiting = {name: chat["wanted"] for name, chat in chats.items() if chat["state"] == "waiting"}
        assert waiting == ledger.wanted
        assert set(waiting) == set(ledger.queue)
        assert all(chat["tokens"] == min(chat["wanted"], chat["size"]) for chat in running.values())

    @invariant()
    def events_account_for_the_paged_snapshot(self) -> None:
        snapshot, ledger = self.model.snapshot()["paged"], self.paged
        chats = {chat["chat"]: chat for chat in snapshot["chats"]}
        assert snapshot["queue"] == ledger.queue
        running = {name: chat for name, chat in chats.items() if chat["state"] == "running"}
        assert {name: chat["tokens"] for name, chat in running.items()} == ledger.held
        assert {name: chat["table"] for name, chat in running.items()} == ledger.tables
        waiting = {name: chat["wanted"] for name, chat in chats.items() if chat["state"] == "waiting"}
        assert waiting == ledger.wanted
        assert set(waiting) == set(ledger.queue)
        assert all(chat["tokens"] == chat["wanted"] for chat in running.values())
        assert snapshot["free_list"] == ledger.free_list
        assert snapshot["ref_count"] == [ledger.owners(block) for block in range(ledger.num_blocks)]

    @invariant()
    def counters_add_up(self) -> None:
        snapshot = self.model.snapshot()
        contiguous, paged = snapshot["contiguous"]["counters"], snapshot["paged"]["counters"]
        for counters, num_slots in (
            (contiguous, self.settings.num_slots),
            (paged, self.paged.num_blocks * self.settings.block_size),
        ):
            assert counters["used"] + counters["empty"] + counters["free"] == num_slots
            assert min(counters["used"], counters["empty"], counters["free"]) >= 0
        assert contiguous["used"] == sum(self.contiguous.held.values())
        assert contiguous["free"] == self.settings.num_slots - len(self.contiguous.owner)
        assert contiguous["waiting"] == len(self.contiguous.queue)
        cells = {
            (table[position // self.settings.block_size], position % self.settings.block_size)
            for chat, table in self.paged.tables.items()
            for position in range(self.paged.held[chat])
        }
        assert paged["used"] == len(cells)
        assert paged["free"] == paged["largest_hole"] == len(self.paged.free_list) * self.settings.block_size
        assert paged["waiting"] == len(self.paged.queue)

    @invariant()
    def holes_are_what_no_run_covers(self) -> None:
        snapshot = self.model.snapshot()["contiguous"]
        row = "".join(" x"[slot in self.contiguous.owner] for slot in range(self.settings.num_slots))
        sizes = [len(hole) for hole in row.split("x") if hole]
        assert [size for _, size in snapshot["holes"]] == sizes
        assert snapshot["counters"]["largest_hole"] == max(sizes, default=0)
        assert all(row[start : start + size] == " " * size for start, size in snapshot["holes"])

    @invariant()
    def whoever_is_first_in_the_queue_does_not_fit(self) -> None:
        snapshot = self.model.snapshot()
        if self.contiguous.queue:
            first = next(
                chat for chat in snapshot["contiguous"]["chats"] if chat["chat"] == self.contiguous.queue[0]
            )
            assert first["size"] > snapshot["contiguous"]["counters"]["largest_hole"]
        if self.paged.queue:
            assert self.paged.wanted[self.paged.queue[0]] > snapshot["paged"]["counters"]["free"]

    @invariant()
    def every_chat_has_a_seat_of_its_own_and_what_was_asked_of_it(self) -> None:
        snapshot = self.model.snapshot()
        assert {seat["chat"]: seat["asked"] for seat in snapshot["seats"]} == self.asked
        seats = [seat["seat"] for seat in snapshot["seats"]]
        assert len(set(seats)) == len(seats)
        assert all(seat < len(NAMES) for seat in seats)
        for old, new in zip(snapshot["contiguous"]["chats"], snapshot["paged"]["chats"], strict=True):
            assert old["chat"] == new["chat"]
            assert {old["state"], new["state"]} != {"absent"}

    @rule(reserve=st.sampled_from([1, 5, 40]), block_size=st.sampled_from([1, 2, 5]))
    def see_it_under_other_settings(self, reserve: int, block_size: int) -> None:
        num_slots = self.settings.num_slots
        other, _ = replay(Settings(num_slots, reserve, block_size), self.operations)
        taken = {*other.seat_of_chat, *other.turned_away}
        assert taken == {*self.model.seat_of_chat, *self.model.turned_away}

    def teardown(self) -> None:
        if not hasattr(self, "model"):
            return
        snapshot = self.model.snapshot()
        again, steps = replay(self.settings, self.operations)
        assert again.snapshot() == snapshot
        assert steps == self.steps
        assert json.loads(json.dumps([snapshot, steps])) == [snapshot, steps]


TestSession = Session.TestCase
