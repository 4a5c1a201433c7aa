"""The picture that stands beside a link to a page where links are shared: the page's title, and both pools.

Example:
    >>> from pagedkv.scenarios import START
    >>> svg = card("Why AI servers waste memory", "Paged KV cache", START.run()[0].snapshot())
    >>> svg[:5], 'width="1200" height="630"' in svg
    ('<svg ', True)

The size is what social networks ask for. Light only: a card is a file that knows no reader.
"""

import textwrap

from figures.grid import Box
from figures.markup import el, write
from figures.pool import contiguous_scene, paged_scene, rectangle, seats_of
from figures.sheet import Sheet
from figures.theme import LIGHT, plain_css
from figures.views import WIDE
from pagedkv.snapshot import Snapshot

WIDTH, HEIGHT = 1200, 630
_MARGIN = 64
_TITLE, _NAME = 52, 26  # sizes of type
_LETTERS = 38  # of the title, on a line


def card(title: str, site: str, snapshot: Snapshot) -> str:
    """Return a card as SVG: the site's name, the title on at most three lines, and the pools of a snapshot.

    >>> from pagedkv.scenarios import HOLES
    >>> "longest" in card("Holes", "A site", HOLES.run()[0].snapshot())
    False
    """
    lines = textwrap.wrap(title, _LETTERS)[:3]
    pools = _pools(snapshot)
    top = _MARGIN + _NAME + 24 + len(lines) * _TITLE * 1.15 + 24
    scale = min((WIDTH - 2 * _MARGIN) / WIDE.width, (HEIGHT - top - _MARGIN / 2) / pools.height)
    text = [el("text", site, class_="soft", x=_MARGIN, y=_MARGIN + _NAME, font_size=_NAME)]
    for number, line in enumerate(lines, 1):
        y = _MARGIN + _NAME + 16 + number * _TITLE * 1.15
        text.append(el("text", line, class_="strong", x=_MARGIN, y=y, font_size=_TITLE))
    return write(
        el(
            "svg",
            el("style", plain_css(LIGHT)),
            rectangle(Box(0, 0, WIDTH, HEIGHT), "paper", rx=0),
            text,
            el("g", pools.elements, transform=f"translate({_MARGIN} {top:.0f}) scale({scale:.3f})"),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {WIDTH} {HEIGHT}",
            width=WIDTH,
            height=HEIGHT,
        )
    )


def _pools(snapshot: Snapshot) -> Sheet:
    sheet, seats, size = Sheet(WIDE), seats_of(snapshot), snapshot["paged"]["block_size"]
    for name, scene in (
        ("Old way", contiguous_scene(snapshot["contiguous"])),
        ("New way", paged_scene(snapshot["paged"])),
    ):
        sheet.words(name, "strong")
        sheet.pool(scene, seats, block_size=size, prefix=name[:3].lower())
        sheet.gap(12)
    return sheet
