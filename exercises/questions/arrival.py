"""Question 4: a chat arrives, and takes blocks off the free list.

>>> [part.expected for part in make(0).parts]
[(2, 6), 0, 3, 6, 0]
"""

from collections import deque
from dataclasses import dataclass

from exercises.question import Answer, Mistake, Question, blocks, count
from exercises.seeds import Draw
from figures.words import counted, ranged
from pagedkv.blocks import BlockAllocator
from pagedkv.operations import Append, Arrive, Finish, Operation, Settings
from pagedkv.scenarios import WORKED_EXAMPLE
from pagedkv.side_by_side import SideBySide, replay

NUMBER, TITLE = 4, "A chat arrives"

_FRONT = Mistake(
    "the back of the free list instead of the front",
    "Blocks leave at the front of the free list. Those that are given back join at its back.",
)


@dataclass(frozen=True)
class Setting:
    """A pool, what happened to it, who arrives with how many tokens, and the position that is asked for."""

    settings: Settings
    operations: tuple[Operation, ...]
    arrival: Arrive
    position: int


def make(seed: int) -> Question:
    """Return the variant of a seed.

    >>> make(0).story
    'The worked example, after its last step. Now chat D arrives with 5 tokens. The free list is 2 and 6.'
    """
    own = Setting(WORKED_EXAMPLE.settings, WORKED_EXAMPLE.operations, Arrive("D", 5), 4)
    return _question(own if seed == 0 else _drawn(seed), seed)


def _drawn(seed: int) -> Setting:
    draw = Draw(f"question {NUMBER}", seed)
    while True:
        size = draw.pick((2, 4, 8))
        settings = Settings(num_slots=size * draw.between(7, 10), reserve=size, block_size=size)
        operations: list[Operation] = [Arrive(chat, draw.between(1, 2 * size + 1)) for chat in "ABC"]
        operations += [Append(draw.pick("ABC"), draw.between(1, size)) for _ in range(draw.between(1, 3))]
        operations.append(Finish(draw.pick("AB")))
        operations.append(Append("C", draw.between(1, size)))
        tokens = draw.between(size + 1, 3 * size)
        setting = Setting(settings, tuple(operations), Arrive("D", tokens), draw.between(size, tokens - 1))
        if _is_fit(setting):
            return setting


def _is_fit(setting: Setting) -> bool:
    """Return whether everything fits, and the front of the free list has not just the lowest numbers."""
    model, steps = replay(setting.settings, setting.operations)
    free = list(model.paged.blocks.free_list)
    need = model.paged.blocks.blocks_for(setting.arrival.tokens)
    refused = any(event["kind"] in ("queued", "refused") for step in steps for event in step["paged"])
    asked = sum(
        event["asked"] - event["tokens"]
        for step in steps
        for event in step["paged"]
        if event["kind"] == "wrote"
    )
    return not refused and asked == 0 and 2 <= need <= len(free) and free[:need] != sorted(free)[:need]


def _taken(model: SideBySide, free: list[int], tokens: int) -> tuple[int, ...]:
    """Return the blocks that an arrival takes when the free list is this one."""
    here = model.paged.blocks
    pool = BlockAllocator(here.num_blocks, here.block_size)
    pool.free_list = deque(free)
    pool.add_request("D")
    for _ in range(tokens):
        pool.append("D")
    return tuple(pool.tables["D"])


def _question(setting: Setting, seed: int) -> Question:
    before, _ = replay(setting.settings, setting.operations)
    after, _ = replay(setting.settings, (*setting.operations, setting.arrival))
    chat, tokens, size = setting.arrival.chat, setting.arrival.tokens, setting.settings.block_size
    rules, position = after.paged.blocks, setting.position
    table = tuple(rules.tables[chat])
    free, left = list(before.paged.blocks.free_list), len(rules.free_list)
    block, slot = list(rules.slots(chat))[position]
    empty = len(table) * size - rules.length_of(chat)
    owned = {number for held in before.paged.blocks.tables.values() for number in held}
    logical = position // size

    def diagnose(answer: Answer) -> Mistake | None:
        pressed = answer if isinstance(answer, tuple) else ()
        if taken := sorted(owned & set(pressed)):
            return Mistake(
                "a block that is in use", f"Another chat holds {ranged(taken)}. Look at the free list."
            )
        if sorted(pressed) == sorted(table):
            return Mistake(
                "the order of the table", "These are the blocks. The one at the front is taken first."
            )
        if len(pressed) < len(table):
            return Mistake(
                "too few blocks",
                f"{counted(len(pressed), 'block')} of {size} cannot hold {counted(tokens, 'token')}.",
            )
        if len(pressed) > len(table):
            return Mistake(
                "too many blocks",
                "A block is taken only when a token needs it. Divide by the block size, and round up.",
            )
        return None

    return Question(
        NUMBER,
        seed,
        TITLE,
        ("The worked example, after its last step. Now chat " if seed == 0 else "Chat ")
        + f"{chat} arrives with {counted(tokens, 'token')}. The free list is {ranged_as_list(free)}.",
        (
            blocks(
                "table",
                f"Press the blocks that {chat} takes, in order.",
                table,
                f"{counted(tokens, 'token')} need {counted(len(table), 'block')} of {size}, taken off the "
                "front of the "
                f"free list: {', '.join(map(str, table))}.",
                {
                    _taken(before, sorted(free), tokens): Mistake(
                        "the lowest number instead of the front",
                        "The free list is a queue. The order in which blocks came back counts, not their "
                        "numbers.",
                    ),
                    tuple(free[-len(table) :]): _FRONT,
                    _taken(before, free[::-1], tokens): _FRONT,
                },
                among=rules.num_blocks,
                diagnose=diagnose,
            ),
            count(
                "free",
                "How many blocks are on the free list then?",
                left,
                f"{counted(len(free), 'block')} less {len(table)}.",
                {
                    len(free): Mistake(
                        "the free list before", f"{chat} has taken {counted(len(table), 'block')} off it."
                    ),
                    len(free) - tokens // size: Mistake(
                        "the last block forgotten", "A block that is not full is taken, too."
                    ),
                },
                unit="block",
                hint="Take the blocks of its table off the list.",
            ),
            count(
                "empty",
                f"How many slots of {chat}'s blocks are empty?",
                empty,
                f"{len(table)} blocks of {size} have {counted(len(table) * size, 'slot')}, and {tokens} "
                "hold a token.",
                {
                    rules.num_wasted: Mistake(
                        "all chats' empty slots", f"Count those in {chat}'s blocks only."
                    ),
                    size - empty: Mistake(
                        "the filled slots of the last block", "Count those that are left in it."
                    ),
                },
                unit="slot",
                hint="Take its tokens from the slots of its blocks.",
            ),
            count(
                "block",
                f"In which physical block does {chat}'s position {position} lie? Positions count from zero.",
                block,
                f"{position} // {size} = {logical}, and entry {logical} of the table "
                f"[{', '.join(map(str, table))}] is "
                f"{block}.",
                {
                    logical: Mistake(
                        "the logical for the physical block",
                        f"{position} // {size} says which entry of {chat}'s table to look at.",
                    ),
                    table[(position - 1) // size]: Mistake(
                        "positions counted from one", "The first is position 0."
                    ),
                    table[min((position + 1) // size, len(table) - 1)]: Mistake(
                        "positions counted from one", "The first is position 0."
                    ),
                    block * size + slot: Mistake(
                        "a slot for a block", "That is the slot's number in the pool."
                    ),
                },
                hint=f"Divide the position by {size}, then look it up in {chat}'s table.",
            ),
            count(
                "slot",
                "And in which slot of that block? Slots of a block count from zero.",
                slot,
                f"{position} % {size} = {slot}.",
                {
                    position: Mistake("the position for the slot", f"A block has only {size} slots."),
                    slot + 1: Mistake("slots counted from one", "The first is slot 0."),
                    block * size + slot: Mistake("the slot in the pool", "Count within the block."),
                    logical: Mistake(
                        "quotient and remainder confused",
                        "The remainder is the slot, the quotient the entry.",
                    ),
                },
                hint=f"It is what is left when the position is divided by {size}.",
            ),
        ),
        snapshot=before.snapshot(),
    )


def ranged_as_list(numbers: list[int]) -> str:
    """Return a free list as it reads in a sentence, in its order and without runs drawn together.

    >>> ranged_as_list([7, 2, 6]), ranged_as_list([3])
    ('7, 2 and 6', '3')
    """
    words = [str(number) for number in numbers]
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]
