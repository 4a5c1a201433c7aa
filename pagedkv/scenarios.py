"""The named lists of operations behind the figures, the worked example and the widget: inputs only.

Example:
    >>> [(arrival.chat, arrival.tokens) for arrival in SCENARIOS["start"].operations]
    [('A', 6), ('B', 3), ('C', 5)]
    >>> model, steps = SCENARIOS["holes"].run()
    >>> model.snapshot()["contiguous"]["holes"]
    [[12, 8], [28, 4]]

What memory looks like after any of them is computed by running them, never written down.
"""

from dataclasses import dataclass

from pagedkv.operations import Append, Arrive, Finish, Fork, Operation, Settings
from pagedkv.side_by_side import SideBySide, Step, replay


@dataclass(frozen=True)
class Scenario:
    """A pool, what happens to it, and in a sentence what there is to see.

    >>> SCENARIOS["start"].settings.num_slots
    64
    """

    name: str
    title: str
    about: str
    settings: Settings
    operations: tuple[Operation, ...]
    shows: int | None = None  # the step of its picture; the last if none is given

    @property
    def opens_at(self) -> int:
        """The step at which it opens.

        >>> SCENARIOS["start"].opens_at, SCENARIOS["free-list"].opens_at
        (3, 7)
        """
        return len(self.operations) if self.shows is None else self.shows

    def run(self, num_steps: int | None = None) -> tuple[SideBySide, list[Step]]:
        """Carry out the first `num_steps` operations, or all, and return the model and what each did.

        >>> model, steps = SCENARIOS["worked-example"].run(5)
        >>> model.paged.blocks.tables["A"]
        [0, 1, 5]
        """
        return replay(self.settings, self.operations[:num_steps])


def _in_turn(final_tokens: dict[str, int]) -> tuple[Operation, ...]:
    """Let chats arrive with one token each, then grow a token at a time in turn up to the given lengths."""
    arrivals = tuple(Arrive(chat, 1) for chat in final_tokens)
    rounds = range(2, max(final_tokens.values()) + 1)
    growth = tuple(
        Append(chat, 1) for tokens in rounds for chat, final in final_tokens.items() if tokens <= final
    )
    return arrivals + growth


START = Scenario(
    "start",
    "Three chats",
    "Reserving leaves no room for the third chat, blocks leave plenty. Move a slider; let A write.",
    Settings(num_slots=64, reserve=24, block_size=4),
    (Arrive("A", 6), Arrive("B", 3), Arrive("C", 5)),
)

# Figure 1
RESERVE_VS_BLOCKS = Scenario(
    "reserve-vs-blocks",
    "Reserve or blocks",
    "Three chats grow a token at a time in turn, so in the new way their blocks lie mixed. Play it.",
    Settings(num_slots=20, reserve=8, block_size=2),
    _in_turn({"1": 3, "2": 5, "3": 4}),
)

# Figure 2
HOLES = Scenario(
    "holes",
    "Holes",
    "A chat that ends leaves a hole. There is room enough for the next chat, but not in one stretch.",
    Settings(num_slots=32, reserve=12, block_size=4),
    (
        Arrive("R1", 5, reserve=12),
        Arrive("R2", 3, reserve=8),
        Arrive("R3", 6, reserve=8),
        Finish("R2"),
        Arrive("R4", 4, reserve=12),
    ),
)

WORKED_EXAMPLE = Scenario(
    "worked-example",
    "Worked example",
    "Eight steps in the life of three chats: arrive, write, take a block, finish, use blocks again.",
    Settings(num_slots=32, reserve=12, block_size=4),
    (
        Arrive("A", 6),
        Arrive("B", 3),
        Arrive("C", 5),
        Append("A", 2),
        Append("A", 1),
        Append("B", 2),
        Finish("B"),
        Append("C", 4),
    ),
)

# Figures 3 and 4 are the worked example, looked at where A has three blocks, and where B has given two back.
BLOCK_TABLE = Scenario(
    "block-table",
    "Block table",
    "The worked example where A has just taken a third block, and its table says where that lies.",
    WORKED_EXAMPLE.settings,
    WORKED_EXAMPLE.operations,
    shows=5,
)
FREE_LIST = Scenario(
    "free-list",
    "Free list",
    "The worked example where B has just finished, and its blocks stand at the back of the free list.",
    WORKED_EXAMPLE.settings,
    WORKED_EXAMPLE.operations,
    shows=7,
)

# Figure 5
PREFIX_SHARING = Scenario(
    "prefix-sharing",
    "Shared start",
    "Two chats begin with the same tokens and share their blocks, until one of them writes.",
    Settings(num_slots=24, reserve=8, block_size=4),
    (Arrive("S1", 6), Fork("S1", "S2"), Append("S1", 1), Append("S2", 1)),
)

OUT_OF_BLOCKS = Scenario(
    "out-of-blocks",
    "Out of blocks",
    "What happens when nothing is free: who runs keeps what it has, and who comes waits.",
    Settings(num_slots=64, reserve=24, block_size=4),
    (Arrive("A", 20), Arrive("B", 18), Arrive("C", 17), Append("A", 4), Append("B", 4), Arrive("D", 6)),
)

BLOCK_SIZES = Scenario(
    "block-sizes",
    "Block sizes",
    "The same five chats in blocks of other sizes: move the second slider and watch what is held and empty.",
    Settings(num_slots=64, reserve=16, block_size=16),
    (Arrive("A", 5), Arrive("B", 15), Arrive("C", 2), Arrive("D", 9), Arrive("E", 3)),
)

SCENARIOS = {
    scenario.name: scenario
    for scenario in (
        *(START, RESERVE_VS_BLOCKS, HOLES, BLOCK_TABLE, WORKED_EXAMPLE),
        *(FREE_LIST, PREFIX_SHARING, OUT_OF_BLOCKS, BLOCK_SIZES),
    )
}
