"""What a chat takes on a GPU: sums over layers, whole blocks, ranks; and how many tokens or chats fit.

Example:
    >>> from pagedkv.configs.layers import model_of
    >>> llama = model_of(
    ...     {
    ...         "num_hidden_layers": 32,
    ...         "num_attention_heads": 32,
    ...         "num_key_value_heads": 8,
    ...         "hidden_size": 4096,
    ...     }
    ... )
    >>> one = Deployment(llama)
    >>> one.bytes_per_chat(8192), one.max_tokens(2**30), one.max_chats(2**30, 1000)
    (1073741824, 8192, 8)

Three ways to count the tokens of a layer. *Ideal*: each token up to the window. *In blocks*: the same in
whole blocks. *Reserved*: what vLLM sets aside for a window layer, which holds a batch on its way in as well:
`cdiv(min(window - 1 + batched tokens, length), block) + 1` blocks.

Figures are bytes of one rank, the largest; `ranks` says which layers each has.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from pagedkv.configs.fields import MOST_TOKENS
from pagedkv.configs.layers import FORMATS, Layer, Model
from pagedkv.errors import InvalidSize, shown, whole_number

MOST_RANKS = 1_024
MOST_BLOCK = 65_536
BATCHED_TOKENS = 8_192  # what vLLM takes in at once, by default on a large GPU

Tokens = Callable[[int, int | None], int]
"""Given a length and a window, the tokens for which a layer has room."""


@dataclass(frozen=True)
class Group:
    """Layers of a rank that are alike to the sums: bytes of a token over all of them, and their window."""

    bytes_per_token: int
    window: int | None


class Deployment:
    """A model on `tp` x `pp` GPUs, with a format of the cache and a size of blocks.

    Raises:
        InvalidSize: a count is out of bounds, or there are more pipeline stages than layers.
    """

    def __init__(
        self, model: Model, cache_dtype: str = "bf16", tp: int = 1, pp: int = 1, block_size: int = 16
    ) -> None:
        if cache_dtype not in FORMATS:
            raise InvalidSize(f"The cache is {shown(cache_dtype)}; it must be one of {', '.join(FORMATS)}.")
        self.model = model
        self.cache_dtype = cache_dtype
        self.tp = within(tp, "tp", MOST_RANKS)
        self.pp = within(pp, "pp", MOST_RANKS)
        self.block_size = within(block_size, "block size", MOST_BLOCK)
        if self.pp > len(model.layers):
            raise InvalidSize(f"pp is {pp}, and the model has {len(model.layers)} layers to divide.")

    @cached_property
    def stages(self) -> tuple[tuple[Layer, ...], ...]:
        """The layers of each pipeline stage. What does not divide goes to the stages before the last."""
        layers = self.model.layers
        each, left = divmod(len(layers), self.pp)
        counts = [each] * self.pp
        for back in range(2, left + 2):
            counts[-back] += 1
        ends = [sum(counts[: index + 1]) for index in range(self.pp)]
        return tuple(layers[end - count : end] for count, end in zip(counts, ends, strict=True))

    @cached_property
    def ranks(self) -> tuple[tuple[Group, ...], ...]:
        """The groups of each stage: one for layers that keep every token, one for each distinct window."""
        return tuple(tuple(self._groups(stage)) for stage in self.stages)

    def _groups(self, stage: tuple[Layer, ...]) -> Iterator[Group]:
        found: dict[int | None, int] = {}
        for layer in stage:
            if layer.keeps_tokens:
                each = layer.bytes_per_token(self.cache_dtype, self.tp)
                found[layer.window] = found.get(layer.window, 0) + each
                if layer.index_size:  # its keys are searched whole, whatever the layer's window
                    found[None] = found.get(None, 0) + layer.indexer_bytes_per_token
        for window in sorted(found, key=lambda one: (one is not None, one or 0)):
            yield Group(found[window], window)

    def ideal(self, length: int, window: int | None) -> int:
        """Return the tokens of which a layer keeps something."""
        return length if window is None else min(length, window)

    def in_blocks(self, length: int, window: int | None) -> int:
        """Return the same, rounded up to whole blocks."""
        return -(-self.ideal(length, window) // self.block_size) * self.block_size

    def reserved(self, length: int, window: int | None, batched: int = BATCHED_TOKENS) -> int:
        """Return the tokens for which vLLM reserves room when a chat may grow to `length`."""
        if window is None:
            return self.in_blocks(length, None)
        return self.in_blocks(min(window - 1 + batched, length), None) + self.block_size

    def bytes_of(self, rank: tuple[Group, ...], length: int, tokens: Tokens) -> int:
        """Return the bytes of a chat on one rank."""
        return sum(group.bytes_per_token * tokens(length, group.window) for group in rank)

    def largest(self, length: int | None = None) -> int:
        """Return the stage that has the most to keep for a chat of a length; None means a very long one."""
        long = MOST_TOKENS if length is None else length
        sizes = [self.bytes_of(rank, long, self.ideal) for rank in self.ranks]
        return sizes.index(max(sizes))

    def bytes_per_token(self) -> int:
        """Return the bytes of a token in layers that keep every token, on the largest rank.

        An indexer's are not among them.
        """
        return self.full_bytes(self.stages[self.largest()])

    def full_bytes(self, stage: tuple[Layer, ...]) -> int:
        """Return the bytes of a token in those layers of a stage that keep every token."""
        full = [layer for layer in stage if layer.keeps_tokens and layer.window is None]
        return sum(layer.bytes_per_token(self.cache_dtype, self.tp) for layer in full)

    def window_bytes(self, stage: tuple[Layer, ...]) -> list[Group]:
        """Return bytes per token and window of the layers of a stage that have one, by window."""
        found: dict[int, int] = {}
        for layer in stage:
            if layer.keeps_tokens and layer.window is not None:
                each = layer.bytes_per_token(self.cache_dtype, self.tp)
                found[layer.window] = found.get(layer.window, 0) + each
        return [Group(found[window], window) for window in sorted(found)]

    def indexer_bytes(self, stage: tuple[Layer, ...]) -> int:
        """Return the bytes that indexers add for a token in a stage."""
        return sum(layer.indexer_bytes_per_token for layer in stage if layer.index_size)

    def bytes_per_chat(self, length: int, tokens: Tokens | None = None) -> int:
        """Return the bytes of one chat on the largest rank: ideal, or as `tokens` counts."""
        rank = self.ranks[self.largest(length)]
        return self.bytes_of(rank, length, tokens or self.ideal)

    def bytes_on_all(self, length: int, tokens: Tokens | None = None) -> int:
        """Return the bytes of one chat on all ranks together."""
        return self.tp * sum(self.bytes_of(rank, length, tokens or self.ideal) for rank in self.ranks)

    def max_tokens(self, room: int, *, in_blocks: bool = True) -> int | None:
        """Return how long one chat may grow in `room` bytes of each GPU; None means for ever.

        >>> from pagedkv.configs.layers import model_of
        >>> model = model_of(
        ...     {
        ...         "num_hidden_layers": 2,
        ...         "num_attention_heads": 1,
        ...         "head_dim": 1,
        ...         "sliding_window": 8,
        ...         "sliding_window_pattern": 2,
        ...     }
        ... )
        >>> Deployment(model, block_size=1).max_tokens(100), Deployment(model, block_size=1).max_tokens(40)
        (17, 5)
        """
        step = self.block_size if in_blocks else 1
        fits = [_longest(rank, room, step) for rank in self.ranks]
        limits = [one for one in fits if one is not None]
        return min(limits) if limits else None

    def max_chats(self, room: int, length: int, tokens: Tokens | None = None) -> int | None:
        """Return how many chats of a length fit in `room` bytes of each GPU; None means without end.

        In whole blocks, or as `tokens` counts.
        """
        sizes = [self.bytes_of(rank, length, tokens or self.in_blocks) for rank in self.ranks]
        return min((max(room, 0) // size for size in sizes if size), default=None)

    def padded_bytes_per_token(self) -> int | None:
        """Return the bytes for which vLLM counts a token where full and window layers share a pool.

        It puts layers of a kind into groups of the size of the smaller kind, the last of them padded, and
        each group takes a block of its own. None where layers differ in size, or are of one kind.
        """
        stage = self.stages[self.largest()]
        sizes = {layer.bytes_per_token(self.cache_dtype, self.tp) for layer in stage if layer.keeps_tokens}
        kinds: dict[int | None, int] = {}
        for layer in stage:
            if layer.keeps_tokens:
                kinds[layer.window] = kinds.get(layer.window, 0) + 1
        if len(sizes) != 1 or len(kinds) < 2 or self.model.has_constants:
            return None
        fewest, most = min(kinds.values()), max(kinds.values())
        together = most if 4 * most < 5 * fewest else fewest
        groups = sum(-(-count // together) for count in kinds.values())
        return groups * together * sizes.pop()


def _longest(rank: tuple[Group, ...], room: int, step: int) -> int | None:
    """Return the most tokens, a multiple of `step`, that a rank has room for; None where there is no end.

    The bytes grow with a slope that falls at each window: the slope in which the room ends is found first.
    With steps, a window counts in whole steps.
    """
    if room < 0:
        return 0
    ends = sorted({-(-group.window // step) * step for group in rank if group.window is not None})

    def size(length: int) -> int:
        return sum(
            group.bytes_per_token
            * (length if group.window is None else min(length, -(-group.window // step) * step))
            for group in rank
        )

    start = 0
    for end in ends:
        if size(end) > room:
            break
        start = end
    slope = (size(start + step) - size(start)) // step
    if slope == 0:
        return None
    return start + (room - size(start)) // slope // step * step


def within(value: object, name: str, at_most: int, at_least: int = 1) -> int:
    """Return a whole number within bounds.

    >>> within(10**9, "tp", 1024)
    Traceback (most recent call last):
    pagedkv.errors.InvalidSize: tp is 1000000000; it must be at most 1,024.
    """
    number = whole_number(value, name, at_least)
    if number > at_most:
        raise InvalidSize(f"{name} is {shown(number)}; it must be at most {at_most:,}.")
    return number
