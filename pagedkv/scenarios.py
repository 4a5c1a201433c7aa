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
    """A pool, and what happens to it.

    >>> SCENARIOS["start"].settings.num_slots
    64
    """

    name: str
    title: str
    settings: Settings
    operations: tuple[Operation, ...]

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
    name="start",
    title="Three chats",
    settings=Settings(num_slots=64, reserve=24, block_size=4),
    operations=(Arrive("A", 6), Arrive("B", 3), Arrive("C", 5)),
)

RESERVE_VS_BLOCKS = Scenario(
    name="reserve-vs-blocks",
    title="Reserving against blocks",
    settings=Settings(num_slots=20, reserve=8, block_size=2),
    operations=_in_turn({"1": 3, "2": 5, "3": 4}),
)

HOLES = Scenario(
    name="holes",
    title="Holes",
    settings=Settings(num_slots=32, reserve=12, block_size=4),
    operations=(
        Arrive("R1", 5, reserve=12),
        Arrive("R2", 3, reserve=8),
        Arrive("R3", 6, reserve=8),
        Finish("R2"),
        Arrive("R4", 4, reserve=12),
    ),
)

WORKED_EXAMPLE = Scenario(
    name="worked-example",
    title="The worked example",
    settings=Settings(num_slots=32, reserve=12, block_size=4),
    operations=(
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

PREFIX_SHARING = Scenario(
    name="prefix-sharing",
    title="A shared start",
    settings=Settings(num_slots=24, reserve=8, block_size=4),
    operations=(Arrive("S1", 6), Fork("S1", "S2"), Append("S1", 1), Append("S2", 1)),
)

SCENARIOS = {
    scenario.name: scenario for scenario in (START, RESERVE_VS_BLOCKS, HOLES, WORKED_EXAMPLE, PREFIX_SHARING)
}
