"""What stops the build of the lesson, always with a sentence that says what is missing and where."""

import difflib
from collections.abc import Iterable


class LessonError(Exception):
    """A page asks for something that is not there, or the site cannot be built from it."""


class Missing(LessonError):
    """There is nothing of that name. The sentence offers the nearest names.

    >>> print(Missing("number", "capacity.paged.request", ["capacity.paged.requests", "start.free"]))
    There is no number 'capacity.paged.request'. Near it: 'capacity.paged.requests'.
    >>> print(Missing("figure", 6, [1, 2]))
    There is no figure 6. Known: 1, 2.
    """

    def __init__(self, kind: str, name: object, known: Iterable[object]) -> None:
        names = list(known)
        near = difflib.get_close_matches(str(name), [str(one) for one in names], cutoff=0.6)
        if near:
            hint = f"Near it: {', '.join(map(repr, near))}."
        else:
            hint = f"Known: {', '.join(map(repr, names))}." if len(names) <= 12 else "None is near it."
        super().__init__(f"There is no {kind} {name!r}. {hint}")
