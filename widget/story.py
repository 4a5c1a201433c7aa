"""A session as a value: a scenario, settings, operations, and how far they are carried out.

Example:
    >>> from pagedkv.operations import Finish
    >>> story = Story.of("worked-example")
    >>> story.step, len(story.operations)
    (8, 8)
    >>> acted, dropped = story.at(5).act(Finish("A"))
    >>> acted.step, len(acted.operations), dropped
    (6, 6, 3)

Nothing here changes: each change returns another story. To act in the past drops the future, explicitly.
"""

from dataclasses import dataclass, replace

from pagedkv.errors import InvalidOperation
from pagedkv.operations import Arrive, Operation, Settings
from pagedkv.scenarios import SCENARIOS

# More than anybody presses, and few enough to replay at once.
MOST_OPERATIONS = 500

# More than a page shows at a glance, and few enough to draw at once, even where many chats share them all.
MOST_SLOTS = 256


@dataclass(frozen=True)
class Story:
    """What a link carries. `step` operations are carried out, those after it are still to come.

    >>> Story.of("start").settings.reserve
    24
    """

    scenario: str
    settings: Settings
    operations: tuple[Operation, ...]
    step: int

    @classmethod
    def of(cls, name: str) -> "Story":
        """Return the story of a scenario, at the step where it opens.

        >>> Story.of("block-table").step
        5
        """
        scenario = SCENARIOS[name]
        return cls(name, scenario.settings, scenario.operations, scenario.opens_at)

    @property
    def own_reservations(self) -> int:
        """How many of the chats that came so far asked for a reservation of their own.

        >>> Story.of("start").own_reservations, Story.of("holes").own_reservations
        (0, 4)
        """
        return sum(one.reserve is not None for one in self._arrivals)

    @property
    def uses_reserve(self) -> bool:
        """Whether the setting of the reservation concerns anybody who came so far, or whoever comes first.

        >>> Story.of("start").uses_reserve, Story.of("holes").uses_reserve
        (True, False)
        """
        return self.own_reservations < len(self._arrivals) or not self._arrivals

    @property
    def _arrivals(self) -> list[Arrive]:
        return [one for one in self.operations[: self.step] if isinstance(one, Arrive)]

    def act(self, operation: Operation) -> tuple["Story", int]:
        """Return the story with one more operation, and how many later ones that drops.

        Raises:
            InvalidOperation: there are as many operations as a story can hold.

        >>> from pagedkv.operations import Finish
        >>> Story.of("start").act(Finish("A"))[0].step
        4
        """
        if self.step >= MOST_OPERATIONS:
            raise InvalidOperation(f"This session has {self.step} steps, the most there can be. Reset it.")
        kept = (*self.operations[: self.step], operation)
        return replace(self, operations=kept, step=len(kept)), len(self.operations) - self.step

    def at(self, step: int) -> "Story":
        """Return the same story at another step, or at its nearest end.

        >>> Story.of("start").at(99).step
        3
        """
        return replace(self, step=max(0, min(step, len(self.operations))))

    def under(self, **settings: int) -> "Story":
        """Return the same story under other settings.

        Raises:
            InvalidOperation: a setting is out of range, or the pool is larger than what can be drawn.

        >>> Story.of("start").under(reserve=16).settings.reserve
        16
        """
        changed = replace(self.settings, **settings)
        if changed.num_slots > MOST_SLOTS:
            raise InvalidOperation(
                f"The pool has {changed.num_slots} slots; the page draws {MOST_SLOTS} at most."
            )
        return replace(self, settings=changed)
