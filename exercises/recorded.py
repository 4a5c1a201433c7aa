"""What is said to answers before Python is live: verdicts on the lesson's own variants.

Example:
    >>> said = recorded()
    >>> index = said["answers"]["3"]["chat"]["46.9 mb"]
    >>> said["verdicts"][index][1][-86:-40]
    'e unit is not. kB, MB and GB go in steps of 1,'

Recorded are the right answers and the foreseen mistakes, each in the forms that people write. Any other
answer waits for Python, which then says the same to these.
"""

import itertools
from collections.abc import Iterator
from typing import TypedDict

from exercises.bank import QUESTIONS, variant
from exercises.quantity import TWIN, UNITS, read_size
from exercises.question import Part, check
from exercises.view import marked, write

MOST_PRESSED = 2
MOST_DECIMALS = 3


class Recorded(TypedDict):
    """Verdicts as [whether it is right, its markup], and question -> part -> answer -> place of its verdict.

    Answers stand in lower case, without space around them.
    """

    verdicts: list[tuple[bool, str]]
    answers: dict[str, dict[str, dict[str, int]]]


def recorded() -> Recorded:
    """Return the verdicts on the lesson's own variants."""
    verdicts: dict[tuple[bool, str], int] = {}
    answers: dict[str, dict[str, dict[str, int]]] = {}
    for number in QUESTIONS:
        of_question = answers.setdefault(str(number), {})
        for part in variant(number, 0).parts:
            of_part = of_question.setdefault(part.name, {})
            for text in _forms(part):
                verdict = check(part, text)
                said = (
                    verdict.is_right,
                    "".join(write(child) for child in marked(verdict) if child is not None),
                )
                of_part[text.lower()] = verdicts.setdefault(said, len(verdicts))
    return {"verdicts": list(verdicts), "answers": answers}


def _forms(part: Part) -> Iterator[str]:
    """Yield answers that are worth recording, as a reader may write them."""
    if part.kind == "choice":
        yield from (key for key, _ in part.options)
    elif part.kind == "blocks":
        for length in range(1, MOST_PRESSED + 1):
            for pressed in itertools.permutations(map(str, part.among), length):
                yield ",".join(pressed)
    elif part.kind == "count":
        foreseen = [value for value in part.mistakes if isinstance(value, int)]
        highest = max([*foreseen, int(str(part.expected))])
        yield from map(str, range(min(highest, 130) + 1))
        yield from map(str, foreseen)
    else:
        for amount in (part.expected, *part.mistakes):
            if isinstance(amount, int):
                yield from _sizes(part, amount)


def _sizes(part: Part, amount: int) -> Iterator[str]:
    """Yield an amount in bytes and in larger units, as far as that says something to this part."""
    for exact in (f"{amount}", f"{amount:,}"):
        yield from (exact, f"{exact} B", f"{exact} bytes")
    for unit, size in UNITS.items():
        for decimals in range(MOST_DECIMALS + 1):
            number = f"{amount / size:.{decimals}f}"
            if unit != "B" and 1 <= amount / size < 100_000 and read_size(f"{number} {unit}").matches(amount):
                yield from (f"{number} {unit}", f"{number}{unit}")
                if check(part, f"{number} {unit}").is_right:
                    # Right but for the unit.
                    yield from (f"{number} {TWIN[unit]}", f"{number}{TWIN[unit]}")
