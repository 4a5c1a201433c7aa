"""The counters of a story at each of its steps.

Example:
    >>> from widget.story import Story
    >>> [moment["paged"]["used"] for moment in history(Story.of("start"))]
    [0, 6, 9, 14]
"""

from collections.abc import Mapping
from functools import lru_cache

from figures.words import LayoutName
from pagedkv.operations import Operation, Settings
from pagedkv.side_by_side import SideBySide
from pagedkv.snapshot import Counters
from widget.story import Story

LAYOUTS: tuple[LayoutName, ...] = ("contiguous", "paged")

Moment = Mapping[LayoutName, Counters]


def history(story: Story) -> tuple[Moment, ...]:
    """Return layout -> counters before the first step and after each, steps still to come included.

    >>> history(Story.of("holes"))[4]["contiguous"]["largest_hole"]
    8
    """
    return _history(story.settings, story.operations)


# A session that is played or looked at keeps its operations: they are carried out once.
@lru_cache(maxsize=4)
def _history(settings: Settings, operations: tuple[Operation, ...]) -> tuple[Moment, ...]:
    model = SideBySide(settings)
    moments = [_counters(model)]
    for operation in operations:
        model.apply(operation)
        moments.append(_counters(model))
    return tuple(moments)


def _counters(model: SideBySide) -> Moment:
    # Without any chat, a snapshot is quickly made.
    return {
        "contiguous": model.contiguous.snapshot([])["counters"],
        "paged": model.paged.snapshot([])["counters"],
    }
