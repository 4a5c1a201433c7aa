"""Which variant of each question, as a short link, and back.

Example:
    >>> written({3: 17})
    'v=1&q=3&seed=17'
    >>> read("#v=1&q=3&seed=17")
    {3: 17}

Form, version 1: `name=value` pairs joined by `&`.

    v     1
    q     a question, or several joined by `,`; all five if missing
    seed  a seed for all of them, or one for each, joined by `,`; 0, the lesson's own variant, if missing

The same seed gives the same variant of a question, today and in ten years (`exercises.seeds`): a class can be
given a link each. Links that were published keep working: a new form gets a new `v`.
"""

import re
from collections.abc import Mapping

from exercises.bank import QUESTIONS
from exercises.seeds import LARGEST_SEED
from pagedkv.errors import InvalidOperation

LONGEST_LINK = 200
_NAMES = ("v", "q", "seed")


def written(seeds: Mapping[int, int]) -> str:
    """Return the shortest link for question -> seed, without the `#`.

    >>> written({number: 5 for number in range(1, 6)}), written({1: 5, 4: 9})
    ('v=1&seed=5', 'v=1&q=1,4&seed=5,9')
    """
    pairs = ["v=1"]
    if set(seeds) != set(QUESTIONS):
        pairs.append(f"q={','.join(map(str, seeds))}")
    values = list(seeds.values())
    if len(set(values)) == 1:
        values = values[:1]
    if values != [0]:
        pairs.append(f"seed={','.join(map(str, values))}")
    return "&".join(pairs)


def read(link: str) -> dict[int, int]:
    """Return question -> seed of a link, which may begin with `#` or `?`.

    Raises:
        InvalidOperation: the link is not of this form; the sentence says which part.

    >>> read("v=1&q=6")
    Traceback (most recent call last):
    pagedkv.errors.InvalidOperation: The link asks for question '6'. There are questions 1 to 5.
    """
    said = pairs(link, _NAMES)
    numbers = questions(said.get("q"))
    words = said.get("seed", "0").split(",")
    seeds = [whole(word, "seed", 0, LARGEST_SEED) for word in words]
    if len(seeds) not in (1, len(numbers)):
        raise InvalidOperation(
            f"The link gives {len(seeds)} seeds to {len(numbers)} questions; give one to all, or one to each."
        )
    return dict(zip(numbers, seeds if len(seeds) > 1 else seeds * len(numbers), strict=True))


def pairs(link: str, names: tuple[str, ...], longest: int = LONGEST_LINK) -> dict[str, str]:
    """Return name -> value of a link of version 1 that may say `names`.

    >>> pairs("#v=1&seed=3", ("v", "seed"))
    {'v': '1', 'seed': '3'}
    """
    if len(link) > longest:
        raise InvalidOperation(f"The link has {len(link)} characters; the most is {longest}.")
    said = {}
    for pair in filter(None, link.lstrip("#?").replace("%2C", ",").split("&")):
        name, separator, value = pair.partition("=")
        if not separator or name not in names:
            known = ", ".join(names)
            raise InvalidOperation(f"The link says {pair!r:.40}, which is not known. Known: {known}.")
        said[name] = value
    if said.get("v", "1") != "1":
        raise InvalidOperation(f"The link is of version {said['v']!r:.20}; this page reads version 1.")
    return said


def questions(text: str | None) -> list[int]:
    """Return the numbers of questions in a text, each once and in order; all of them for None.

    >>> questions("4,1"), questions(None)
    ([1, 4], [1, 2, 3, 4, 5])
    """
    if text is None:
        return list(QUESTIONS)
    known = {str(number): number for number in QUESTIONS}
    for word in text.split(","):
        if word not in known:
            raise InvalidOperation(
                f"The link asks for question {word!r:.20}. There are questions 1 to {max(QUESTIONS)}."
            )
    return sorted({known[word] for word in text.split(",")})


def whole(text: object, name: str, lowest: int, highest: int) -> int:
    """Return the whole number that a text or a number of a command states, within bounds.

    Raises:
        InvalidOperation: it is none, or beyond the bounds.

    >>> whole("17", "seed", 0, 99)
    17
    """
    digits = str(text).strip() if isinstance(text, str | int) and not isinstance(text, bool) else ""
    if not re.fullmatch(r"[0-9]{1,9}", digits) or not lowest <= int(digits) <= highest:
        raise InvalidOperation(
            f"{name} is {text!r:.20}; it must be a whole number from {lowest:,} to {highest:,}."
        )
    return int(digits)
