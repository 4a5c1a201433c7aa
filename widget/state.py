"""All that a frame is drawn from."""

from dataclasses import dataclass

from figures.views import View
from figures.words import LayoutName
from pagedkv.side_by_side import Step
from pagedkv.snapshot import Snapshot
from widget.attend import Attending
from widget.story import Story


@dataclass(frozen=True)
class State:
    """How a session stands, for the parts that draw it.

    `last` is what the newest step did, `changed_setting` the slider that was moved last, `dropped` how many
    later steps that step dropped. `sliders` is name -> (first position, last position, position). `panels`
    are those that the reader has opened.
    """

    snapshot: Snapshot
    story: Story
    last: Step
    changed_setting: str | None
    dropped: int
    can_undo: bool
    can_redo: bool
    next_name: str
    selected: str | None
    views: tuple[View, ...]
    sliders: dict[str, tuple[int, int, int]]
    look: tuple[LayoutName, int] | None
    attention: Attending
    panels: frozenset[str]
    problem: str | None

    def is_open(self, panel: str) -> bool:
        """Return whether what a panel holds is to be drawn."""
        return panel in self.panels
