"""Figure 3: from a token's position through the block table to its slot in the pool.

>>> figure().caption
"A's tokens 0 to 8 lie in blocks 0, 1 and 5. Token 8 is in logical block 2, so in physical block 5, slot 0."
"""

from figures.grid import Box, Grid
from figures.markup import Element, el, number
from figures.pool import paged_scene, seats_of
from figures.sheet import Figure, Sheet
from figures.words import described, ranged
from pagedkv.scenarios import BLOCK_TABLE

_CHAT = "A"


def figure() -> Figure:
    """Run the worked example to where A has three blocks, and return the figure of its table.

    >>> figure().name
    'block-table'
    """
    model, _ = BLOCK_TABLE.run(BLOCK_TABLE.opens_at)
    snapshot = model.snapshot()
    paged, blocks = snapshot["paged"], model.paged.blocks
    size, table, length = blocks.block_size, blocks.tables[_CHAT], blocks.lengths[_CHAT]
    position = length - 1
    block, offset = list(blocks.slots(_CHAT))[position]
    logical = position // size
    seats = seats_of(snapshot)

    def paint(sheet: Sheet) -> None:
        sheet.words(f"{_CHAT}'s block table: logical block, physical block", "strong")
        sheet.gap(2)
        middles = sheet.chips("logical ", [str(index) for index in range(len(table))])
        sheet.chips("physical", [str(entry) for entry in table], marked={str(block)}, seat=seats[_CHAT])
        start = sheet.height
        sheet.gap(5 * (len(table) + 1))
        grid = sheet.pool(paged_scene(paged), seats, block_size=size, fresh=[block * size + offset])
        for lane, (x, entry) in enumerate(zip(middles, table, strict=True)):
            y = start + 5 * (len(table) - lane)
            sheet.elements += _arrow(grid, x, start, y, grid.span(entry * size, entry * size + size - 1))
        sheet.gap(4)
        sheet.words(
            f"Token {position}: {position} divided by {size} is {logical}, remainder {offset}. So it is in "
            f"logical block {logical}, slot {offset}, and the table says: physical block {block}."
        )
        sheet.legend()

    return Figure(
        number=3,
        name="block-table",
        scenario=BLOCK_TABLE.name,
        title="The block table of one chat",
        caption=(
            f"{_CHAT}'s tokens 0 to {position} lie in blocks {ranged(table)}. Token {position} is in logical "
            f"block {logical}, so in physical block {block}, slot {offset}."
        ),
        description=(
            f"{described('paged', snapshot)} {_CHAT}'s table: "
            + ", ".join(
                f"logical block {index} is physical block {entry}" for index, entry in enumerate(table)
            )
            + f". Token {position} lies in slot {offset} of physical block {block}."
        ),
        paint=paint,
    )


def _arrow(grid: Grid, x: float, top: float, lane: float, target: Box) -> list[Element]:
    """Draw an elbow from a table entry to a block's number: from above, or from the side in a lower row."""
    path = f"M{number(x)} {number(top)}V{number(lane)}"
    if target.y == grid.span(0, 0).y:
        end, tip = target.middle, target.y - grid.label
        path += f"H{number(end)}V{number(tip - 4)}"
        corners = [(end, tip), (end - 3, tip - 5), (end + 3, tip - 5)]
    else:
        gutter, y = target.x + target.width + 0.75, target.y - grid.label * 0.45
        end = target.middle + 8
        path += f"H{number(gutter)}V{number(y)}H{number(end + 4)}"
        corners = [(end, y), (end + 5, y - 3), (end + 5, y + 3)]
    head = " ".join(f"{number(px)},{number(py)}" for px, py in corners)
    return [el("path", class_="arrow", d=path), el("polygon", class_="head", points=head)]
