"""The contiguous pool beside a row of slots that is searched by brute force, through random sessions."""

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pagedkv import ContiguousPool, DuplicateRequest, UnknownRequest
from tests.pagedkv.oracles import ContiguousOracle

NAMES = "ABCDEFGH"
PICK = st.integers(0, 99)


class Reserving(RuleBasedStateMachine):
    @initialize(num_slots=st.integers(1, 24))
    def start(self, num_slots: int) -> None:
        self.pool = ContiguousPool(num_slots)
        self.oracle = ContiguousOracle(num_slots)

    def known(self, pick: int) -> str:
        names = sorted(self.oracle.tokens)
        return names[pick % len(names)]

    def unknown(self) -> str:
        return next(name for name in NAMES if name not in self.oracle.tokens)

    def is_busy(self) -> bool:
        return bool(self.oracle.tokens)

    def has_a_name_left(self) -> bool:
        return len(self.oracle.tokens) < len(NAMES)

    @precondition(has_a_name_left)
    @rule(size=st.integers(1, 8))
    def reserve(self, size: int) -> None:
        rid = self.unknown()
        assert self.pool.reserve(rid, size) == self.oracle.reserve(rid, size)

    @precondition(is_busy)
    @rule(pick=PICK, tokens=st.integers(1, 5))
    def append(self, pick: int, tokens: int) -> None:
        rid = self.known(pick)
        for _ in range(tokens):
            assert self.pool.append(rid) == self.oracle.append(rid)

    @precondition(lambda self: self.is_busy() and self.has_a_name_left())
    @rule(pick=PICK)
    def fork(self, pick: int) -> None:
        parent, child = self.known(pick), self.unknown()
        assert self.pool.fork(parent, child) == self.oracle.fork(parent, child)

    @precondition(is_busy)
    @rule(pick=PICK)
    def free(self, pick: int) -> None:
        rid = self.known(pick)
        self.pool.free(rid)
        self.oracle.finish(rid)

    @precondition(is_busy)
    @rule(pick=PICK)
    def ask_for_what_is_refused(self, pick: int) -> None:
        rid = self.known(pick)
        with pytest.raises(DuplicateRequest):
            self.pool.reserve(rid, 1)
        with pytest.raises(DuplicateRequest):
            self.pool.fork(rid, rid)
        for ask in (self.pool.append, self.pool.free, lambda nobody: self.pool.fork(nobody, "new")):
            with pytest.raises(UnknownRequest):
                ask("nobody")

    @invariant()
    def state_is_that_of_the_oracle(self) -> None:
        slots = self.oracle.slots
        assert self.pool.lengths == self.oracle.tokens
        assert self.pool.reservations == {
            rid: (slots.index(rid), slots.count(rid)) for rid in self.oracle.tokens
        }
        holes = self.oracle.holes()
        assert self.pool.holes() == holes
        assert self.pool.num_free == slots.count(None)
        assert self.pool.largest_hole == max((size for _, size in holes), default=0)
        assert self.pool.num_wasted == len(slots) - slots.count(None) - sum(self.oracle.tokens.values())

    @invariant()
    def no_slot_has_two_owners_and_none_lies_outside(self) -> None:
        taken = [slot for run in self.pool.reservations.values() for slot in range(*_bounds(run))]
        assert len(taken) == len(set(taken))
        assert set(taken) <= set(range(self.pool.num_slots))


def _bounds(run: tuple[int, int]) -> tuple[int, int]:
    return run[0], run[0] + run[1]


TestReserving = Reserving.TestCase
