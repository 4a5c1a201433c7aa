"""From a seed to numbers: the same in every Python, so that a link shows the same variant for years.

Example:
    >>> draw = Draw("question 3", 17)
    >>> [draw.between(1, 6) for _ in range(5)]
    [2, 2, 1, 3, 6]

The one part of Python's `random` whose output is promised to stay is `random()`, for the same seed. So
everything here is made of that: a whole number below n is `int(random() * n)`. The generator is seeded with
the text `pagedkv/1/NAME/SEED`. Another derivation would be
another version: old links would show other variants.
"""

import random
from collections.abc import Sequence
from typing import TypeVar

_T = TypeVar("_T")

VERSION = 1
LARGEST_SEED = 999_999


class Draw:
    """Numbers drawn from a name and a seed.

    >>> Draw("a", 1).below(1000) == Draw("a", 1).below(1000) != Draw("b", 1).below(1000)
    True
    """

    def __init__(self, name: str, seed: int) -> None:
        self._random = random.Random(f"pagedkv/{VERSION}/{name}/{seed}").random

    def below(self, count: int) -> int:
        """Return a whole number from 0 to `count` - 1.

        >>> Draw("a", 1).below(1)
        0
        """
        return int(self._random() * count)

    def between(self, lowest: int, highest: int) -> int:
        """Return a whole number from `lowest` to `highest`, both included.

        >>> {Draw("a", seed).between(2, 3) for seed in range(20)}
        {2, 3}
        """
        return lowest + self.below(highest - lowest + 1)

    def pick(self, items: Sequence[_T]) -> _T:
        """Return one of the items.

        >>> Draw("a", 1).pick("x")
        'x'
        """
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[_T]) -> list[_T]:
        """Return the items in another order.

        >>> sorted(Draw("a", 1).shuffled("abc"))
        ['a', 'b', 'c']
        """
        mixed = list(items)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed


def next_seed(seed: int) -> int:
    """Return the seed of the variant that a reader is offered next: never 0, which is the lesson's own.

    >>> next_seed(0) == next_seed(0), next_seed(0) != next_seed(1)
    (True, True)
    """
    return Draw("next", seed).between(1, LARGEST_SEED)
