"""What lies in the slots: both layouts with keys and values, and attention over the slots as they are.

Example:
    >>> from pagedkv.scenarios import START
    >>> contents = Contents(START.settings)
    >>> for operation in START.operations:
    ...     step = contents.apply(operation)
    >>> found = contents.attend("A")
    >>> found.paged.slots, found.contiguous.slots
    ([0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5])
    >>> found.paged.largest_difference < 1e-12
    True

The rules are those of `pagedkv.layouts`; a token is stored as it is written, copied where its block or its
reservation is copied, and stays in a freed slot until the slot is written again. A token is made up from who
wrote it and where: the same in both layouts, on every machine, to the last bit. Needs NumPy.

What this does not do: stand for a trained model. The vectors are random, so that every mistake shows.
"""

import copy
import random
from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from pagedkv.arrays import Floats
from pagedkv.attention import attention_contiguous, paged_attention, paged_weights
from pagedkv.blocks import Written
from pagedkv.contiguous import ContiguousPool
from pagedkv.errors import UnknownRequest
from pagedkv.manager import BlockManager
from pagedkv.operations import Settings
from pagedkv.side_by_side import SideBySide

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

HEAD_DIM = 4
# The range of a vector's numbers: wide enough for weights to differ, narrow enough for none to vanish.
_REACH = 2.0

Vector: TypeAlias = tuple[float, ...]


class Token(NamedTuple):
    """A token by the chat that wrote it and its position there; a fork inherits its parent's."""

    writer: str
    position: int


@dataclass(frozen=True)
class Reading:
    """Attention of a chat's newest token over the chat's tokens, by position.

    `slots` says where each lies, `weights` how much each counts (sum 1), `output` has HEAD_DIM numbers.
    """

    slots: list[int]
    weights: list[float]
    output: list[float]


@dataclass(frozen=True)
class PagedReading(Reading):
    """The same through a block table, and what it is compared with.

    Attributes:
        flat: the output over one flat array of the same tokens, kept apart from the pool.
        largest_difference: between `output` and `flat`, number by number.
        careless: the output of a reader that reads the last block to its end.
        beyond: the slots past the chat's last token that such a reader reads.
        num_unused: slots of the pool that hold no token of anybody.
        is_unmoved: whether `output` is to the last bit what it is without NaN in the unused slots.
    """

    flat: list[float]
    largest_difference: float
    careless: list[float]
    beyond: list[int]
    num_unused: int
    is_unmoved: bool


@dataclass(frozen=True)
class Attention:
    """What `Contents.attend` found; None for a layout in which the chat holds nothing, since it waits."""

    chat: str
    contiguous: Reading | None
    paged: PagedReading | None


class Contents(SideBySide):
    """Both layouts as `SideBySide` drives them, with a key and a value in each slot that was ever written.

    >>> from pagedkv.operations import Arrive
    >>> contents = Contents(Settings())
    >>> contents.apply(Arrive("A", 2))["paged"][0]["slots"]
    [0, 1]
    >>> contents.blocks.k_pool[0, :, 0].round(2).tolist()
    [-1.86, -0.81, 0.0, 0.0]
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        # The layouts act through these, so keys and values go wherever the rules send a token.
        self.pool = self.contiguous.pool = _StoredRuns(settings.num_slots)
        self.blocks = self.paged.blocks = _StoredBlocks(settings.num_blocks, settings.block_size, HEAD_DIM)

    def attend(self, chat: str, *, is_poisoned: bool = False) -> Attention:
        """Let the newest token of a chat attend to all of the chat's tokens, in both layouts.

        With `is_poisoned`, every slot that holds no token of anybody is filled with NaN for this reading.

        Raises:
            UnknownRequest: there is no such chat.

        >>> from pagedkv.operations import Arrive
        >>> contents = Contents(Settings())
        >>> step = contents.apply(Arrive("A", 6))
        >>> plain, poisoned = contents.attend("A"), contents.attend("A", is_poisoned=True)
        >>> plain.paged.output == poisoned.paged.output, plain.paged.beyond
        (True, [6, 7])
        >>> poisoned.paged.careless
        [nan, nan, nan, nan]
        """
        if chat not in self.seat_of_chat:
            known = ", ".join(map(repr, self.seat_of_chat)) or "none"
            raise UnknownRequest(f"There is no chat {chat!r}. Chats that are there: {known}.")
        return Attention(
            chat,
            self._attend_contiguous(chat, is_poisoned=is_poisoned),
            self._attend_paged(chat, is_poisoned=is_poisoned),
        )

    def _attend_contiguous(self, chat: str, *, is_poisoned: bool) -> Reading | None:
        pool = self.pool
        run, length = pool.reservations.get(chat), pool.lengths.get(chat, 0)
        if run is None or length == 0:
            return None
        keys, values = pool.keys, pool.values
        if is_poisoned:
            used = [
                slot
                for rid, other in pool.reservations.items()
                for slot in range(other.start, other.start + pool.lengths[rid])
            ]
            keys, values = _poisoned(keys, used), _poisoned(values, used)
        slots = list(range(run.start, run.start + length))
        query = _vector("query", pool.tokens[chat][-1])
        weights, output = _read(query, keys[run.start : slots[-1] + 1], values[run.start : slots[-1] + 1])
        return Reading(slots, weights, output)

    def _attend_paged(self, chat: str, *, is_poisoned: bool) -> PagedReading | None:
        blocks = as_it_is = self.blocks
        size = blocks.block_size
        if blocks.lengths.get(chat, 0) == 0:
            return None
        filled = blocks.filled_of_block()
        used = [block * size + offset for block, count in filled.items() for offset in range(count)]
        if is_poisoned:
            blocks = copy.copy(blocks)  # the tables are shared, the pools are not
            blocks.k_pool, blocks.v_pool = (
                _poisoned(pool.reshape(-1, HEAD_DIM), used).reshape(pool.shape)
                for pool in (blocks.k_pool, blocks.v_pool)
            )
        tokens, table = blocks.tokens[chat], blocks.tables[chat]
        query = _vector("query", tokens[-1])
        output = paged_attention(query, blocks, chat)
        flat = attention_contiguous(
            query,
            [_vector("key", token) for token in tokens],
            [_vector("value", token) for token in tokens],
        )
        reach = [block * size + offset for block in table for offset in range(size)]
        keys, values = (pool.reshape(-1, HEAD_DIM)[reach] for pool in (blocks.k_pool, blocks.v_pool))
        return PagedReading(
            slots=reach[: len(tokens)],
            weights=paged_weights(query, blocks, chat).tolist(),
            output=output.tolist(),
            flat=flat.tolist(),
            largest_difference=float(np.abs(output - flat).max()),
            careless=attention_contiguous(query, keys, values).tolist(),
            beyond=reach[len(tokens) :],
            num_unused=blocks.num_blocks * size - len(used),
            is_unmoved=output.tobytes() == paged_attention(query, as_it_is, chat).tobytes(),
        )


class _StoredBlocks(BlockManager):
    """A `BlockManager` that makes up what it stores, and remembers which tokens a request holds."""

    def __init__(self, num_blocks: int, block_size: int, head_dim: int) -> None:
        super().__init__(num_blocks, block_size, head_dim)
        self.tokens: dict[Hashable, list[Token]] = {}

    def add_request(self, rid: Hashable) -> None:
        super().add_request(rid)
        self.tokens[rid] = []

    def append(self, rid: Hashable, k: "ArrayLike | None" = None, v: "ArrayLike | None" = None) -> Written:
        token = Token(str(rid), self.length_of(rid))
        key = _vector("key", token) if k is None else k
        value = _vector("value", token) if v is None else v
        written = super().append(rid, key, value)
        self.tokens[rid].append(token)
        return written

    def fork(self, parent: Hashable, child: Hashable) -> None:
        super().fork(parent, child)
        self.tokens[child] = self.tokens[parent].copy()

    def free(self, rid: Hashable) -> list[int]:
        returned = super().free(rid)
        del self.tokens[rid]
        return returned


class _StoredRuns(ContiguousPool):
    """A `ContiguousPool` with a key and a value in each slot, and which tokens a request holds."""

    def __init__(self, num_slots: int) -> None:
        super().__init__(num_slots)
        self.keys: Floats = np.zeros((self.num_slots, HEAD_DIM))
        self.values: Floats = np.zeros((self.num_slots, HEAD_DIM))
        self.tokens: dict[Hashable, list[Token]] = {}

    def reserve(self, rid: Hashable, size: int) -> int | None:
        start = super().reserve(rid, size)
        if start is not None:
            self.tokens[rid] = []
        return start

    def append(self, rid: Hashable) -> int | None:
        slot = super().append(rid)
        if slot is not None:
            token = Token(str(rid), len(self.tokens[rid]))
            self.keys[slot], self.values[slot] = _vector("key", token), _vector("value", token)
            self.tokens[rid].append(token)
        return slot

    def fork(self, parent: Hashable, child: Hashable) -> int | None:
        start = super().fork(parent, child)
        if start is not None:
            first, length = self.reservations[parent].start, self.lengths[parent]
            for pool in (self.keys, self.values):
                pool[start : start + length] = pool[first : first + length]
            self.tokens[child] = self.tokens[parent].copy()
        return start

    def free(self, rid: Hashable) -> None:
        super().free(rid)
        del self.tokens[rid]


def _read(query: Vector, keys: Floats, values: Floats) -> tuple[list[float], list[float]]:
    """Return weights and output. The weights are the output over values that name their own position."""
    weights = attention_contiguous(query, keys, np.eye(len(keys)))
    return weights.tolist(), attention_contiguous(query, keys, values).tolist()


def _poisoned(pool: Floats, used: list[int]) -> Floats:
    """Return a copy of a pool of rows with NaN in every row but the used ones."""
    filled = np.full_like(pool, np.nan)
    filled[used] = pool[used]
    return filled


@lru_cache(maxsize=16384)
def _vector(role: str, token: Token) -> Vector:
    # Only sums and products of the generator's own numbers: no function that differs from machine to machine.
    rng = random.Random(f"{role} {token.writer} {token.position}")
    return tuple(_REACH * (2 * rng.random() - 1) for _ in range(HEAD_DIM))
