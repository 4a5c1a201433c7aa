"""The allocator and the manager beside a simple oracle, through random sessions.

Both are driven by the same calls. After each of them the complete state must be that of the oracle, which
holds owners and cells instead of tables and counts, and what must hold of any state is checked on its own.
"""

from collections import Counter

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pagedkv import BlockAllocator, BlockManager, DuplicateRequest, OutOfBlocks, UnknownRequest, WrongShape
from tests.pagedkv.oracles import PagedOracle

NAMES = "ABCDEFGH"
PICK = st.integers(0, 99)


class Paging(RuleBasedStateMachine):
    @initialize(
        num_blocks=st.integers(6, 24) | st.integers(1, 6),
        block_size=st.integers(2, 5) | st.integers(1, 4),
        head_dim=st.integers(1, 2),
    )
    def start(self, num_blocks: int, block_size: int, head_dim: int) -> None:
        self.blocks = BlockAllocator(num_blocks, block_size)
        self.mgr = BlockManager(num_blocks, block_size, head_dim)
        self.oracle = PagedOracle(num_blocks, block_size)
        self.last_token = 0

    def known(self, pick: int) -> str:
        names = sorted(self.oracle.cells)
        return names[pick % len(names)]

    def unknown(self) -> str:
        return next(name for name in NAMES if name not in self.oracle.cells)

    def is_busy(self) -> bool:
        return bool(self.oracle.cells)

    def has_a_name_left(self) -> bool:
        return len(self.oracle.cells) < len(NAMES)

    @precondition(has_a_name_left)
    @rule(tokens=st.integers(0, 6))
    def arrive(self, tokens: int) -> None:
        rid = self.unknown()
        self.blocks.add_request(rid)
        self.mgr.add_request(rid)
        self.oracle.add(rid)
        for _ in range(tokens):
            self.append_one(rid)

    @precondition(is_busy)
    @rule(pick=PICK, tokens=st.integers(1, 4))
    def append(self, pick: int, tokens: int) -> None:
        rid = self.known(pick)
        for _ in range(tokens):
            self.append_one(rid)

    def append_one(self, rid: str) -> None:
        self.last_token += 1
        token = float(self.last_token)
        key = np.full(self.mgr.head_dim, token)
        free_before, length = list(self.blocks.free_list), self.blocks.lengths[rid]
        expected = self.oracle.append(rid, token)
        if expected is None:
            with pytest.raises(OutOfBlocks):
                self.blocks.append(rid)
            with pytest.raises(OutOfBlocks):
                self.mgr.append(rid, key, -key)
            return
        assert self.blocks.append(rid) == expected
        assert self.mgr.append(rid, key, -key) == expected
        block, offset, copied_from = expected
        is_new = length % self.blocks.block_size == 0
        assert offset == length % self.blocks.block_size
        assert list(self.blocks.free_list) == free_before[int(is_new or copied_from is not None) :]
        if is_new or copied_from is not None:
            assert block == free_before[0]

    @precondition(lambda self: self.is_busy() and self.has_a_name_left())
    @rule(pick=PICK, writers=st.lists(st.booleans(), max_size=4))
    def fork(self, pick: int, writers: list[bool]) -> None:
        parent, child = self.known(pick), self.unknown()
        pools = self.mgr.k_pool.tobytes(), self.mgr.v_pool.tobytes()
        self.blocks.fork(parent, child)
        self.mgr.fork(parent, child)
        self.oracle.fork(parent, child)
        assert (self.mgr.k_pool.tobytes(), self.mgr.v_pool.tobytes()) == pools
        for is_child in writers:
            self.append_one(child if is_child else parent)

    @precondition(is_busy)
    @rule(pick=PICK)
    def free(self, pick: int) -> None:
        rid = self.known(pick)
        given_back = self.oracle.finish(rid)
        assert self.blocks.free(rid) == given_back
        assert self.mgr.free(rid) == given_back

    @precondition(is_busy)
    @rule(pick=PICK)
    def ask_for_what_is_refused(self, pick: int) -> None:
        """Anything refused leaves the state to the comparison below."""
        rid, nobody = self.known(pick), "nobody"
        for each in (self.blocks, self.mgr):
            with pytest.raises(DuplicateRequest):
                each.add_request(rid)
            with pytest.raises(DuplicateRequest):
                each.fork(rid, rid)
            with pytest.raises(UnknownRequest):
                each.fork(nobody, rid)
            with pytest.raises(UnknownRequest):
                each.free(nobody)
        with pytest.raises(WrongShape):
            self.mgr.append(rid, np.zeros(self.mgr.head_dim), np.zeros(self.mgr.head_dim + 1))

    @invariant()
    def state_is_that_of_the_oracle(self) -> None:
        for each in (self.blocks, self.mgr):
            assert list(each.free_list) == self.oracle.free
            assert each.ref_count == [len(owners) for owners in self.oracle.owners]
            assert each.tables == {rid: self.oracle.table(rid) for rid in self.oracle.cells}
            assert each.lengths == {rid: len(tokens) for rid, tokens in self.oracle.tokens.items()}
            assert {rid: list(each.slots(rid)) for rid in each.tables} == self.oracle.cells
            cells = {cell for of_one in self.oracle.cells.values() for cell in of_one}
            allocated = sum(map(bool, self.oracle.owners)) * each.block_size
            assert each.num_wasted == allocated - len(cells)
            assert sum(each.filled_of_block().values()) == len(cells)

    @invariant()
    def every_block_is_free_once_or_owned_as_often_as_its_count(self) -> None:
        owned = Counter(block for table in self.blocks.tables.values() for block in table)
        free = Counter(self.blocks.free_list)
        for block in range(self.blocks.num_blocks):
            assert free[block] == (0 if owned[block] else 1)
            assert owned[block] == self.blocks.ref_count[block]

    @invariant()
    def a_request_wastes_less_than_one_block(self) -> None:
        for rid, table in self.blocks.tables.items():
            assert (
                0 <= len(table) * self.blocks.block_size - self.blocks.lengths[rid] < self.blocks.block_size
            )

    @invariant()
    def stored_values_survive(self) -> None:
        for rid, tokens in self.oracle.tokens.items():
            keys, values = self.mgr.gather(rid)
            rows = [[token] * self.mgr.head_dim for token in tokens]
            assert keys.tolist() == rows
            assert (-values).tolist() == rows


TestPaging = Paging.TestCase
