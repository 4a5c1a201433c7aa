"""The questions by number: a variant of each for every seed.

Example:
    >>> variant(3, seed=17).title, len(QUESTIONS)
    ('From a configuration to bytes', 5)

Seed 0 is the lesson's own variant. A variant depends on its number and its seed only, and stays: links to
it are published, and printed.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from exercises.question import Question
from exercises.questions import arrival, copied_block, full_pool, long_start, model_bytes
from exercises.seeds import LARGEST_SEED, Draw
from pagedkv.errors import PagedKVError

_MODULES = (full_pool, long_start, model_bytes, arrival, copied_block)
QUESTIONS: dict[int, Callable[[int], Question]] = {module.NUMBER: module.make for module in _MODULES}
TITLES: dict[int, str] = {module.NUMBER: module.TITLE for module in _MODULES}


@lru_cache(maxsize=256)
def variant(number: int, seed: int) -> Question:
    """Return a question's variant.

    Raises:
        PagedKVError: there is no question of that number, or no such seed.

    >>> variant(6, 0)
    Traceback (most recent call last):
    pagedkv.errors.PagedKVError: There is no question 6. There are questions 1 to 5.
    """
    if number not in QUESTIONS:
        raise PagedKVError(f"There is no question {number}. There are questions 1 to {max(QUESTIONS)}.")
    if not 0 <= seed <= LARGEST_SEED:
        raise PagedKVError(f"{seed} is no seed. A seed is a whole number from 0 to {LARGEST_SEED:,}.")
    question = QUESTIONS[number](seed)
    # Or the right option would stand where its module lists it.
    mixed = Draw(f"options {number}", seed)
    return replace(
        question,
        parts=tuple(replace(part, options=tuple(mixed.shuffled(part.options))) for part in question.parts),
    )
