"""Figure 2: holes. Twelve slots are free and twelve are wanted, and yet nothing fits.

>>> figure().caption
'12 slots are free, but in runs of 8 and 4. R4 needs 12 in a row, so R4 waits.'
"""

from figures.markup import el
from figures.pool import contiguous_scene, seats_of
from figures.sheet import Figure, Sheet
from figures.words import counted, described, listed
from pagedkv.operations import Finish
from pagedkv.scenarios import HOLES
from pagedkv.snapshot import Snapshot


def figure() -> Figure:
    """Run the scenario before and after a request ends, and return the figure of both states.

    >>> figure().name
    'contiguous'
    """
    finish = next(index for index, op in enumerate(HOLES.operations) if isinstance(op, Finish))
    running = HOLES.run(finish)[0].snapshot()
    after = HOLES.run()[0].snapshot()
    gone = HOLES.operations[finish].chat
    empty = running["contiguous"]["counters"]["empty"]
    holes = [size for _, size in after["contiguous"]["holes"]]
    waiting = next(chat for chat in after["contiguous"]["chats"] if chat["state"] == "waiting")
    free = after["contiguous"]["counters"]["free"]
    needs = f"{waiting['chat']} needs {waiting['size']} in a row"

    def paint(sheet: Sheet) -> None:
        sheet.words(f"(a) All three run: {empty} reserved slots are empty", "strong")
        _pool(sheet, running, "a-")
        sheet.gap(8)
        sheet.words(
            f"(b) {gone} has finished: {free} slots are free, in runs of {listed(_texts(holes))}", "strong"
        )
        _pool(sheet, after, "b-")
        sheet.words(f"{needs}; the longest run has {max(holes)}: refused, it waits", "warn")
        sheet.legend()

    return Figure(
        number=2,
        name="contiguous",
        scenario=HOLES.name,
        title="Reserved runs leave holes",
        caption=(
            f"{counted(free, 'slot')} are free, but in runs of {listed(_texts(holes))}. "
            f"{needs}, so {waiting['chat']} waits."
        ),
        description=(
            f"(a) {described('contiguous', running)} "
            f"(b) {gone} has finished. {described('contiguous', after)}"
        ),
        paint=paint,
    )


def _texts(sizes: list[int]) -> list[str]:
    return [str(size) for size in sizes]


def _pool(sheet: Sheet, snapshot: Snapshot, prefix: str) -> None:
    state = snapshot["contiguous"]
    grid = sheet.pool(contiguous_scene(state), seats_of(snapshot), prefix=prefix)
    for start, size in state["holes"]:
        for _, first, last in grid.pieces(start, size):
            span = grid.span(first, last)
            label = f"{size} free" if size == last - first + 1 else f"{last - first + 1} of {size} free"
            sheet.elements.append(
                el(
                    "text",
                    label,
                    key=f"{prefix}hole-{first}",
                    class_="tick",
                    x=span.middle,
                    y=span.y - 3.5,
                    font_size=sheet.view.font,
                )
            )
