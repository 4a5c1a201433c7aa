"""What the lesson tells a reader to try in the widget, tried: the numbers that the reader will see.

Example:
    >>> {name: number.text for name, number in tries()}["try.shut_out.reserve"]
    '32'
"""

from collections.abc import Iterator
from dataclasses import replace

from pagedkv.errors import PagedKVError
from pagedkv.operations import Append, Finish
from pagedkv.quote import Number
from pagedkv.scenarios import START
from pagedkv.side_by_side import replay
from pagedkv.snapshot import Snapshot


class ClaimBroken(PagedKVError):
    """The widget does not do what the lesson says that it does."""


# What a reader is told to set and to press. The page says what happens then, so that is run here.
FITS, SHUT_OUT, MORE_TOKENS = 16, 32, 4
WAITING, GROWING, ENDING = "C", "A", "B"


def tries(
    fits: int = FITS, shut_out: int = SHUT_OUT, more_tokens: int = MORE_TOKENS
) -> Iterator[tuple[str, Number]]:
    """Try the start scenario as the reader will, and yield what the page says about it.

    Raises:
        ClaimBroken: it comes out otherwise.

    >>> dict(tries())["try.more.block"].text
    '5'
    >>> list(tries(fits=24))
    Traceback (most recent call last):
    pagedkv.tries.ClaimBroken: With 24 slots reserved per chat, C waits, and the page says that all chats fit.
    """
    _expect(fits, _run(reserve=fits)["contiguous"]["queue"], [], "all chats fit")
    yield "try.fits.reserve", _input(fits)
    for reserve in (START.settings.reserve, shut_out):
        _expect(reserve, _run(reserve=reserve)["contiguous"]["queue"], [WAITING], f"{WAITING} waits")
    yield "try.shut_out.reserve", _input(shut_out)

    before, after = _run()["paged"], _run(Append(GROWING, more_tokens))["paged"]
    taken = before["free_list"][: len(before["free_list"]) - len(after["free_list"])]
    if len(taken) != 1:
        raise ClaimBroken(
            f"With {more_tokens} more tokens {GROWING} takes {len(taken)} blocks, and the page says one."
        )
    yield "try.more.tokens", _input(more_tokens)
    yield "try.more.block", Number(taken[0], str(taken[0]), "the start scenario, run")

    (ending,) = [chat["table"] for chat in before["chats"] if chat["chat"] == ENDING]
    ended = _run(Finish(ENDING))
    if ended["contiguous"]["queue"] or ended["paged"]["free_list"][-len(ending) :] != ending:
        raise ClaimBroken(
            f"When {ENDING} finishes, the free list is {ended['paged']['free_list']}, and the page says "
            f"that {WAITING} gets in and that {ending} goes to its end."
        )
    yield "try.ended.block", Number(ending[0], str(ending[0]), "the start scenario, run")


def _run(*more: Append | Finish, reserve: int = START.settings.reserve) -> Snapshot:
    settings = replace(START.settings, reserve=reserve)
    return replay(settings, [*START.operations, *more])[0].snapshot()


def _expect(reserve: int, queue: list[str], expected: list[str], claim: str) -> None:
    if queue != expected:
        waiting = f"{' and '.join(queue)} waits" if queue else "nobody waits"
        raise ClaimBroken(
            f"With {reserve} slots reserved per chat, {waiting}, and the page says that {claim}."
        )


def _input(value: int) -> Number:
    return Number(value, str(value), "what the reader is told to try")
