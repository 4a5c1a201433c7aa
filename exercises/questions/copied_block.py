"""Question 5: which block of a shared start is copied, and why the others never are.

>>> [part.expected for part in make(0).parts]
[(1,), 'full', 1]
"""

from dataclasses import dataclass

from exercises.question import Answer, Mistake, Question, blocks, choice, count
from exercises.seeds import Draw
from figures.words import counted, listed, numbered
from pagedkv.operations import Append, Arrive, Finish, Fork, Operation, Settings
from pagedkv.scenarios import PREFIX_SHARING
from pagedkv.side_by_side import SideBySide, replay

NUMBER, TITLE = 5, "Copied, and never copied"


@dataclass(frozen=True)
class Setting:
    """A pool, how chats came to share a start, and who then writes a token each, in order."""

    settings: Settings
    operations: tuple[Operation, ...]
    writers: tuple[str, ...]


def make(seed: int) -> Question:
    """Return the variant of a seed.

    >>> make(0).story
    'S1 arrived with 6 tokens, and S2 was forked from it. Blocks have 4 slots. S1 writes...'
    """
    fork = next(i for i, one in enumerate(PREFIX_SHARING.operations) if isinstance(one, Fork))
    writers = tuple(one.chat for one in PREFIX_SHARING.operations[fork + 1 :])
    own = Setting(PREFIX_SHARING.settings, PREFIX_SHARING.operations[: fork + 1], writers)
    return _question(own if seed == 0 else _drawn(seed), seed)


def _drawn(seed: int) -> Setting:
    draw = Draw(f"question {NUMBER}", seed)
    size, chats = draw.between(2, 8), draw.between(2, 4)
    tokens = size * draw.between(1, 3) + draw.between(1, size - 1)
    earlier = draw.between(
        0, 2
    )  # blocks that another chat has given back, so that the start is not at block 0
    names = [f"S{number}" for number in range(1, chats + 1)]
    operations: list[Operation] = []
    if earlier:
        operations += [Arrive("S0", earlier * size), Arrive("S1", tokens), Finish("S0")]
    else:
        operations.append(Arrive("S1", tokens))
    operations += [Fork("S1", name) for name in names[1:]]
    num_blocks = earlier + tokens // size + 1 + chats + draw.below(2)
    settings = Settings(num_slots=num_blocks * size, reserve=size, block_size=size)
    return Setting(settings, tuple(operations), tuple(draw.shuffled(names)))


def _copies(model: SideBySide, writers: tuple[str, ...]) -> list[list[int]]:
    """Let the writers write one token each, and return each copy that was made as [from, to]."""
    return [
        copy
        for chat in writers
        for event in model.apply(Append(chat, 1))["paged"]
        for copy in event["copies"]
    ]


def _reasons(is_one: bool, them: str) -> dict[str, str]:
    """Return the options of the question why some blocks are never copied."""
    return {
        "full": f"{'It is' if is_one else 'They are'} full: no token is ever written into {them}.",
        "prompt": f"{'It holds' if is_one else 'They hold'} the prompt, and a prompt is never copied.",
        "count": f"{'Its reference count is' if is_one else 'Their reference counts are'} 1.",
        "first": f"{'It stands' if is_one else 'They stand'} at the front of the table, which is never "
        "copied.",
    }


def _question(setting: Setting, seed: int) -> Question:
    model, _ = replay(setting.settings, setting.operations)
    snapshot = model.snapshot()
    shared = next(chat for chat in snapshot["paged"]["chats"] if chat["chat"] == setting.writers[0])
    tokens, table, size = shared["tokens"], shared["table"], setting.settings.block_size
    first_free = snapshot["paged"]["free_list"][0]
    copies = _copies(model, setting.writers)
    (source, target), writers = copies[0], setting.writers
    full = table[:-1]
    never = numbered("block", full)
    verb, them = ("is", "it") if len(full) == 1 else ("are", "them")
    others = [name for name in sorted(writers) if name != "S1"]
    who, again = writers[0], "".join(f", then {name} does" for name in writers[1:])

    def diagnose(answer: Answer) -> Mistake | None:
        pressed = answer if isinstance(answer, tuple) else ()
        if set(pressed) & set(full) and source in pressed:
            return Mistake("the whole start copied", "Only the block that is written into is copied.")
        if set(pressed) & set(full):
            return Mistake(
                "a full block copied", "The token does not go into a full block, so nothing happens to it."
            )
        if source in pressed:
            return Mistake(
                "more than one block", "The token goes into one block, and only that one is copied."
            )
        if first_free in pressed:
            return Mistake("the copy for the original", f"Block {first_free} is where the copy goes.")
        return Mistake("a block that nobody holds", "Look at the blocks of the start.")

    return Question(
        NUMBER,
        seed,
        TITLE,
        f"S1 arrived with {counted(tokens, 'token')}, and {listed(others)} "
        f"{'was' if len(others) == 1 else 'were'} forked from it. Blocks have {counted(size, 'slot')}. "
        f"{who} writes one token{again}.",
        (
            blocks(
                "copied",
                f"Press the block that is copied when {who} writes.",
                (source,),
                f"Block {source} has room and {len(writers)} owners, so {who} gets a copy of it, block "
                f"{target}, and "
                "writes there.",
                {},
                among=snapshot["paged"]["num_blocks"],
                diagnose=diagnose,
            ),
            choice(
                "why",
                f"Why {verb} {never} never copied?",
                "full",
                _reasons(len(full) == 1, them),
                because="A copy is made before a write into a shared block, and a full block has no room.",
                mistakes={
                    "prompt": Mistake(
                        "prompt tokens thought to be special",
                        f"Block {source} holds tokens of the prompt, too, and it is copied.",
                    ),
                    "count": Mistake(
                        "the reference count misread", f"It is {len(writers)}: every table lists {them}."
                    ),
                    "first": Mistake(
                        "the place in the table", "What counts is whether a token is written into a block."
                    ),
                },
            ),
            count(
                "copies",
                f"How many copies are made until {'both' if len(writers) == 2 else 'all'} have written?",
                len(copies),
                f"The last to write is the block's only owner by then, and writes in place: {len(writers)} "
                "chats, "
                f"{'one copy' if len(copies) == 1 else f'{len(copies)} copies'}.",
                {
                    0: Mistake(
                        "a shared block written in place", "The others would read a token that is not theirs."
                    ),
                    len(copies) * len(table): Mistake(
                        "the whole start copied", "Full blocks are never copied."
                    ),
                    len(writers) * len(table): Mistake(
                        "the whole start copied", "Full blocks are never copied."
                    ),
                    len(writers): Mistake(
                        "a copy for each chat",
                        "Each copy lowers the count of the block. When it is 1, its owner writes in place.",
                    ),
                },
            ),
        ),
        snapshot=snapshot,
        shows_counts=True,
    )
