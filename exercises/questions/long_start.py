"""Question 2: chats with one long start, and what a write to a shared block does.

>>> [part.expected for part in make(0).parts]
[63, 'copy-last', 64, 1]
"""

from dataclasses import dataclass

from exercises.question import Mistake, Question, choice, count
from exercises.seeds import Draw
from figures.words import counted
from pagedkv.blocks import BlockAllocator
from pagedkv.sources import CITED

NUMBER, TITLE = 2, "One long start"

WHAT = {
    "in-place": "It writes into the last shared block.",
    "copy-last": "The last shared block is copied to a free one, and it writes into the copy.",
    "copy-all": "All blocks of the start are copied, and it writes into the copies.",
    "new-block": "It takes a free block and writes there. Nothing is copied.",
}


@dataclass(frozen=True)
class Setting:
    """A start of so many tokens, in blocks of a size, and how many chats share it."""

    tokens: int
    block_size: int
    chats: int


def make(seed: int) -> Question:
    """Return the variant of a seed.

    >>> make(0).parts[0].prompt
    'How many blocks do they hold together? Count each block of the pool once.'
    """
    # A prompt of a thousand tokens, and the block size of the paper.
    own = Setting(1000, int(CITED["vllm.block_size"].value), 2)
    return _question(own if seed == 0 else _drawn(seed), seed)


def _drawn(seed: int) -> Setting:
    draw = Draw(f"question {NUMBER}", seed)
    block_size = draw.pick((4, 8, 16, 32))
    # One time in four the start ends with a full block, and then nothing is copied.
    rest = 0 if draw.below(4) == 0 else draw.between(1, block_size - 1)
    return Setting(block_size * draw.between(5, 60) + rest, block_size, draw.between(2, 4))


def _question(setting: Setting, seed: int) -> Question:
    size, chats = setting.block_size, setting.chats
    pool = BlockAllocator(num_blocks=chats * (setting.tokens // size + 2), block_size=size)
    pool.add_request(0)
    for _ in range(setting.tokens):
        pool.append(0)
    for chat in range(1, chats):
        pool.fork(0, chat)
    full = setting.tokens // size
    held, entries = pool.num_blocks - len(pool.free_list), sum(map(len, pool.tables.values()))
    last = pool.tables[0][-1]
    _, offset, copied_from = pool.append(0)
    then, counted_after = pool.num_blocks - len(pool.free_list), pool.ref_count[last]
    is_copied = copied_from is not None
    happens = "copy-last" if is_copied else "new-block"
    apart = "The tables list the same blocks. In the pool each of them is there once."
    return Question(
        NUMBER,
        seed,
        TITLE,
        f"{counted(chats, 'chat').capitalize()} begin with the same {setting.tokens:,} tokens, in blocks of "
        f"{size} slots. The first chat held the start alone; "
        f"{'the other was forked from it' if chats == 2 else 'the others were forked from it'}, and nobody "
        "has "
        "written since.",
        (
            count(
                "before",
                "How many blocks do they hold together? Count each block of the pool once.",
                held,
                f"{setting.tokens:,} tokens take {counted(held, 'block')}, and all tables list the same "
                "ones.",
                {
                    held + 1: Mistake("a block too many", "No block is taken before a token needs it."),
                    entries: Mistake("shared blocks counted once for each chat", apart),
                    full: Mistake(
                        "the last block forgotten", "What does not fill a block takes one all the same."
                    ),
                    full * chats: Mistake("shared blocks counted once for each chat", apart),
                    full + chats: Mistake(
                        "only full blocks shared",
                        "A fork shares every block, the last one included, full or not.",
                    ),
                    setting.tokens: Mistake("tokens for blocks", f"A block holds {counted(size, 'token')}."),
                },
                unit="block",
                hint=f"Divide the tokens by {size}, and round up.",
            ),
            choice(
                "write",
                "Now the first chat writes one token. What happens?",
                happens,
                WHAT,
                because=f"The last block has {counted(offset, 'token')} and room, and {chats} owners: it "
                "is copied first (copy-on-write). The full blocks stay shared."
                if is_copied
                else f"{setting.tokens:,} tokens fill their blocks to the end, so the token needs a block "
                "of its "
                "own anyway. A full block is never written into, and stays shared.",
                mistakes={
                    "in-place": Mistake(
                        "a shared block written in place",
                        "The other chat would read a token that is not its own."
                        if is_copied
                        else "The last block is full: there is no slot left in it.",
                    ),
                    "copy-all": Mistake(
                        "the whole start copied",
                        "Only a block that is written into is copied. The rest stays shared.",
                    ),
                    "copy-last": Mistake(
                        "a full block copied",
                        f"{setting.tokens:,} is a multiple of {size}: the last block has no room, and "
                        "nothing is "
                        "written into it.",
                    ),
                    "new-block": Mistake(
                        "a new block before the last is full",
                        f"The last block has room for {counted(size - offset, 'more token')}: the chat "
                        "writes there, "
                        "once it has a copy of its own.",
                    ),
                },
            ),
            count(
                "after",
                "How many blocks do they hold together after that?",
                then,
                "One more: the copy." if is_copied else "One more: the new one.",
                {
                    held: Mistake(
                        "a shared block written in place" if is_copied else "the new block forgotten",
                        "One block has left the free list.",
                    ),
                    held + full: Mistake(
                        "the whole start copied", "Only one block is new. The rest stays shared."
                    ),
                    2 * held: Mistake(
                        "the whole start copied", "Only one block is new. The rest stays shared."
                    ),
                    entries: Mistake("shared blocks counted once for each chat", apart),
                    entries + 1: Mistake("shared blocks counted once for each chat", apart),
                },
                unit="block",
                hint="Take what they held before, and add what left the free list.",
            ),
            count(
                "refs",
                "And the reference count of the block that was the start's last?",
                counted_after,
                f"{counted(counted_after, 'table')} still list{'s' if counted_after == 1 else ''} it."
                + (" The first chat's lists the copy in its place." if is_copied else ""),
                {
                    chats: Mistake(
                        "the count not lowered",
                        "The first chat's table lists the copy now, and no longer this block.",
                    ),
                    chats - 1: Mistake(
                        "the count lowered without a copy", "The first chat's table still lists this block."
                    ),
                    0: Mistake("the block given back", "Another table still lists it."),
                    chats + 1: Mistake("the count raised", "It counts tables, and there is none more."),
                },
                hint="It says how many tables list the block.",
            ),
        ),
    )
