"""Question 1: why memory runs out while most of it is empty, and what bounds the waste of the new way.

>>> [part.expected for part in make(0).parts]
['reserved', 39, 3]
"""

from dataclasses import dataclass

from exercises.question import Mistake, Question, choice, count
from exercises.seeds import Draw
from figures.words import counted
from pagedkv.blocks import BlockAllocator
from pagedkv.operations import Arrive, Finish, Operation, Settings
from pagedkv.scenarios import START
from pagedkv.side_by_side import replay

NUMBER, TITLE = 1, "Full, and mostly empty"

WHY = {
    "reserved": "Each chat holds slots for its longest reply. Most are empty, and no other may use them.",
    "holes": "Enough slots are free, but they do not lie in one row.",
    "tokens": "The chats' tokens fill the pool.",
    "uncleared": "Slots of chats that have ended must be cleared first.",
}


@dataclass(frozen=True)
class Setting:
    """A pool, and what happened to it; the last operation is the arrival of a chat that has to wait."""

    settings: Settings
    operations: tuple[Operation, ...]


def make(seed: int) -> Question:
    """Return the variant of a seed.

    >>> make(1) == make(1), make(0).seed
    (True, 0)
    """
    return _question(Setting(START.settings, START.operations) if seed == 0 else _drawn(seed), seed)


def _drawn(seed: int) -> Setting:
    draw = Draw(f"question {NUMBER}", seed)
    while True:
        reserve = draw.pick((12, 16, 20, 24, 28, 32))
        settings = Settings(
            num_slots=draw.pick((48, 64, 80, 96)), reserve=reserve, block_size=draw.pick((2, 4, 8, 16))
        )
        names = "ABCDEFGH"[: settings.num_slots // reserve]
        operations: list[Operation] = [Arrive(name, draw.between(2, reserve // 2)) for name in names]
        waiting = "ABCDEFGHI"[len(names)]
        if len(names) > 2 and draw.below(2):
            # A chat that wanted less has ended, and left a hole that is too short.
            short, gone = draw.between(reserve // 2, reserve - 2), draw.below(len(names) - 1)
            operations[gone] = Arrive(names[gone], draw.between(2, short // 2), reserve=short)
            operations.append(Finish(names[gone]))
        operations.append(Arrive(waiting, draw.between(2, reserve // 2)))
        setting = Setting(settings, tuple(operations))
        if _is_fit(setting):
            return setting


def _is_fit(setting: Setting) -> bool:
    contiguous = replay(setting.settings, setting.operations)[0].snapshot()["contiguous"]
    counters = contiguous["counters"]
    used, empty, free = counters["used"], counters["empty"], counters["free"]
    return (
        contiguous["queue"] == [setting.operations[-1].chat]
        and used < contiguous["num_slots"] / 2
        and len({used, empty, free, used + empty, empty + free}) == 5
        and free != setting.settings.reserve
    )


def largest_waste(block_size: int) -> int:
    """Return the most slots that one chat leaves empty, by letting one grow beyond two blocks.

    >>> largest_waste(4)
    3
    """
    blocks = BlockAllocator(num_blocks=3, block_size=block_size)
    blocks.add_request("A")
    wasted = []
    for _ in range(2 * block_size + 1):
        blocks.append("A")
        wasted.append(blocks.num_wasted)
    return max(wasted)


def _question(setting: Setting, seed: int) -> Question:
    settings, waiting = setting.settings, setting.operations[-1].chat
    snapshot = replay(settings, setting.operations)[0].snapshot()
    contiguous = snapshot["contiguous"]
    counters = contiguous["counters"]
    used, empty, free = counters["used"], counters["empty"], counters["free"]
    reserve, size, hole = settings.reserve, settings.block_size, counters["largest_hole"]
    bound = largest_waste(size)
    is_short = free < reserve
    return Question(
        NUMBER,
        seed,
        TITLE,
        f"A pool of {settings.num_slots} slots, the old way. Chat {waiting} has arrived and waits: it needs "
        f"{reserve} slots in a row.",
        (
            choice(
                "why",
                f"Why does {waiting} wait?",
                "reserved" if is_short else "holes",
                WHY,
                because=f"{used} slots hold a token, {empty} are reserved and empty: internal fragmentation."
                if is_short
                else f"{free} are free, and the longest row of them has {hole}: external fragmentation.",
                mistakes={
                    "reserved": Mistake(
                        "internal for external fragmentation",
                        f"There is waste inside the runs, too. But {free} slots are free, and {waiting} "
                        "needs "
                        f"{reserve}: only they do not lie in one row.",
                    ),
                    "holes": Mistake(
                        "external for internal fragmentation",
                        f"Only {free} slots are free at all, and {waiting} needs {reserve}. In one row they "
                        "would "
                        "not be enough either.",
                    ),
                    "tokens": Mistake(
                        "reserved slots taken for used ones",
                        f"Count the slots with a letter: {used} of {settings.num_slots} hold a token.",
                    ),
                    "uncleared": Mistake(
                        "freed memory thought to need clearing",
                        "Nothing is ever cleared. A chat reads only as many slots as it has tokens, so "
                        "what lies "
                        "behind them does no harm.",
                    ),
                },
            ),
            count(
                "empty",
                "How many slots are reserved and hold no token?",
                empty,
                f"{used + empty} slots are reserved, and {used} of them hold a token.",
                {
                    used: Mistake(
                        "the used slots", "These hold a token. Count the pale ones, without a letter."
                    ),
                    free: Mistake("the free slots", "These are reserved by nobody. Count the pale ones."),
                    used + empty: Mistake("all reserved slots", "Leave out those that hold a token."),
                    empty + free: Mistake(
                        "free slots counted, too", "Nobody has reserved the dashed ones. Leave them out."
                    ),
                },
                unit="slot",
            ),
            count(
                "bound",
                f"The new way, with blocks of {size}: how many slots can one chat leave empty, at most?",
                bound,
                "A chat takes a block only when it has a token for it. So only its last block has room, "
                "and never "
                f"all of it: less than {counted(size, 'slot')}.",
                {
                    size: Mistake(
                        "a whole block", "A chat takes its next block only when it has a token to put there."
                    ),
                    2 * size: Mistake("two blocks", "All blocks but the last are full."),
                    reserve - 1: Mistake(
                        "the bound of the old way", "Nothing is reserved for the longest reply any more."
                    ),
                    reserve: Mistake(
                        "the bound of the old way", "Nothing is reserved for the longest reply any more."
                    ),
                    empty: Mistake(
                        "the waste of the old way", "Nothing is reserved for the longest reply any more."
                    ),
                    0: Mistake(
                        "no waste at all",
                        "A block belongs to one chat. Where its tokens end inside a block, room is left.",
                    ),
                },
                unit="slot",
            ),
        ),
        snapshot=snapshot,
        drawn="contiguous",
    )
