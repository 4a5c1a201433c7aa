"""Figure 4: freed blocks go to the back of the free list, uncleared.

>>> figure().caption
'B finishes and gives back blocks 2 and 6. The free list was 7; now it is 7, 2 and 6.'
"""

from figures.pool import paged_scene, rectangle, seats_of
from figures.sheet import Figure, Sheet
from figures.words import described, numbered, ranged
from pagedkv.scenarios import FREE_LIST
from pagedkv.snapshot import Snapshot


def figure() -> Figure:
    """Run the worked example to before and after a chat ends, and return the figure of both free lists.

    >>> figure().name
    'free-list'
    """
    finish = FREE_LIST.opens_at - 1
    gone = FREE_LIST.operations[finish].chat
    before = FREE_LIST.run(finish)[0].snapshot()
    model, steps = FREE_LIST.run(finish + 1)
    after = model.snapshot()
    returned = steps[-1]["paged"][0]["blocks"]

    def paint(sheet: Sheet) -> None:
        sheet.words(f"While {gone} still runs", "strong")
        _panel(sheet, before, [], "before-")
        sheet.gap(10)
        sheet.words(f"{gone} has finished", "strong")
        _panel(sheet, after, returned, "after-")
        sheet.words("Outlined: given back just now. The next block is taken from the left.", "soft")
        sheet.legend()

    return Figure(
        number=4,
        name="free-list",
        scenario=FREE_LIST.name,
        title="The free list before and after a chat ends",
        caption=(
            f"{gone} finishes and gives back {numbered('block', returned)}. "
            f"The free list was {ranged(before['paged']['free_list'])}; "
            f"now it is {ranged(after['paged']['free_list'])}."
        ),
        description=(
            f"Before: {described('paged', before)} After: {described('paged', after)} "
            f"Given back: {numbered('block', returned)}."
        ),
        paint=paint,
    )


def _panel(sheet: Sheet, snapshot: Snapshot, returned: list[int], prefix: str) -> None:
    paged = snapshot["paged"]
    size = paged["block_size"]
    grid = sheet.pool(paged_scene(paged), seats_of(snapshot), block_size=size, prefix=prefix)
    for block in returned:
        span = grid.span(block * size, block * size + size - 1)
        sheet.elements.append(rectangle(span, "fresh", rx=4.5))
    sheet.gap(3)
    texts = [str(block) for block in paged["free_list"]]
    sheet.chips("Free list", texts, marked={str(block) for block in returned})
