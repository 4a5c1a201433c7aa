"""Draws a scene on a grid: the slots, their letters, the frames and labels, and what changed.

Example:
    >>> from pagedkv.scenarios import START
    >>> from figures.views import WIDE
    >>> snapshot = START.run()[0].snapshot()
    >>> drawing = draw(paged_scene(snapshot["paged"]), WIDE.grid(64, 4), seats_of(snapshot), WIDE.font)
    >>> [element.attributes["data-key"] for element in drawing if element.tag == "rect"][:2]
    ['slot-0', 'slot-1']

A slot that holds a token is solid and carries its owner's letter; one that is held and empty is pale with a
line; a free one is dashed. A shared slot carries each owner's letter. What is `fresh` is outlined in ink.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from figures.grid import Box, Grid
from figures.markup import Element, el, number
from figures.scene import Scene, contiguous_scene, paged_scene
from figures.theme import NUM_SEATS
from pagedkv.snapshot import Snapshot

__all__ = [
    "Marks",
    "contiguous_scene",
    "draw",
    "owner_class",
    "paged_scene",
    "rectangle",
    "seats_of",
    "words_at",
]

# The average width of a letter, as a share of the font's size: enough to keep a label inside the picture.
_LETTER_WIDTH = 0.56
_BOLD_LETTER_WIDTH = 0.68
_SMALLEST_FONT = 10


@dataclass(frozen=True)
class Marks:
    """What a picture points out, by slot: written now, given back now, copied from which, and looked at.

    `weights` is slot -> a share between 0 and 1, drawn as a bar that fills so much of the slot.
    """

    fresh: Collection[int] = ()
    opened: Collection[int] = ()
    copied: Mapping[int, int] = field(default_factory=dict)
    look: int | None = None
    weights: Mapping[int, float] = field(default_factory=dict)


NO_MARKS = Marks()


def seats_of(snapshot: Snapshot) -> dict[str, int]:
    """Return chat -> seat.

    >>> from pagedkv.scenarios import START
    >>> seats_of(START.run()[0].snapshot())
    {'A': 0, 'B': 1, 'C': 2}
    """
    return {seat["chat"]: seat["seat"] for seat in snapshot["seats"]}


def owner_class(seat: int) -> str:
    """Return the class that gives a seat its colour; more seats than colours share them.

    >>> owner_class(1), owner_class(5)
    ('s1', 's1')
    """
    return f"s{seat % NUM_SEATS}"


# Elements never change, and from one frame to the next most are the same: kept, they are written only once.
@lru_cache(maxsize=8192)
def rectangle(
    box: Box,
    class_: str,
    *,
    key: str | None = None,
    rx: float = 3,
    link: str | None = None,
    origin: str | None = None,
) -> Element:
    """Return a rectangle on a box.

    >>> rectangle(Box(0, 0, 4, 4), "fresh").attributes["rx"]
    3
    """
    return el(
        "rect",
        key=key,
        class_=class_,
        x=box.x,
        y=box.y,
        width=box.width,
        height=box.height,
        rx=rx,
        data_link=link,
        data_origin=origin,
    )


@lru_cache(maxsize=8192)
def words_at(
    text: str,
    x: float,
    y: float,
    font: float,
    class_: str | None = None,
    *,
    anchor: str | None = None,
    key: str | None = None,
) -> Element:
    """Return a line of text on a baseline.

    >>> words_at("A", 1, 2, 10, "letter").text
    '<text class="letter" x="1" y="2" font-size="10">A</text>'
    """
    return el("text", text, key=key, class_=class_, x=x, y=y, font_size=font, text_anchor=anchor)


def draw(
    scene: Scene,
    grid: Grid,
    seats: Mapping[str, int],
    font: float,
    *,
    marks: Marks = NO_MARKS,
    prefix: str = "",
    is_linked: bool = False,
) -> list[Element]:
    """Return the elements of a pool, from back to front. `prefix` keeps keys apart where one picture has two.

    With `is_linked` each slot says in `data-link` which chat and which block it belongs to.

    >>> from figures.scene import Cell
    >>> from figures.views import NARROW
    >>> [el.tag for el in draw(Scene([Cell((), filled=False)], []), NARROW.grid(1, 1), {}, 10)]
    ['rect']
    """
    classes = {chat: owner_class(seat) for chat, seat in seats.items()}
    return [
        *_slots(scene, grid, classes, prefix, marks=marks, links=_links(scene) if is_linked else {}),
        *_hatches(scene, grid, seats, classes, prefix),
        *_frames(scene, grid, classes, font, prefix),
        *_weights(grid, marks.weights, prefix),
        *_letters(scene, grid, font, prefix),
        *_outlines(grid, marks, prefix, _links(scene) if is_linked else {}),
    ]


def _links(scene: Scene) -> dict[int, str]:
    """Return slot -> the names of what it belongs to: its chats, and its block where frames are blocks."""
    return {
        slot: " ".join(
            [f"chat-{owner}" for owner in frame.owners]
            + ([f"block-{frame.start // frame.size}"] if frame.centred else [])
        )
        for frame in scene.frames
        for slot in range(frame.start, frame.start + frame.size)
    }


def _slots(
    scene: Scene,
    grid: Grid,
    classes: Mapping[str, str],
    prefix: str,
    *,
    marks: Marks,
    links: Mapping[int, str],
) -> list[Element]:
    found = []
    for slot, cell in enumerate(scene.cells):
        box = grid.box(slot)
        parts = cell.owners[:2] or ("",)
        for part, owner in enumerate(parts):
            height = box.height / len(parts)
            kind = f"{classes[owner]} {'used' if cell.filled else 'kept'}" if owner else "free"
            if slot in marks.opened and not owner:
                kind += " opened"
            key = f"{prefix}slot-{slot}" + (f"-{part}" if part else "")
            place = box._replace(y=box.y + part * height, height=height)
            rx = 3 if len(parts) == 1 else 0
            origin = f"{prefix}slot-{marks.copied[slot]}" if slot in marks.copied else None
            found.append(rectangle(place, kind, key=key, rx=rx, link=links.get(slot), origin=origin))
    return found


def _letters(scene: Scene, grid: Grid, font: float, prefix: str) -> list[Element]:
    found = []
    for slot, cell in enumerate(scene.cells):
        if not cell.filled:
            continue
        box = grid.box(slot)
        words = list(cell.owners[:2])
        if len(cell.owners) > 2:
            words[1] = f"+{len(cell.owners) - 1}"
        for line, word in enumerate(words):
            middle = box.y + box.height * (line + 0.5) / len(words)
            key = f"{prefix}letter-{slot}" + (f"-{line}" if line else "")
            size = _letter_size(word, box.width, font)
            found.append(words_at(word, box.middle, middle + font * 0.36, size, "letter", key=key))
    return found


def _letter_size(word: str, width: float, font: float) -> float:
    return min(font, max(_SMALLEST_FONT, (width - 3) / (_BOLD_LETTER_WIDTH * len(word))))


def _frames(scene: Scene, grid: Grid, classes: Mapping[str, str], font: float, prefix: str) -> list[Element]:
    found = []
    for frame in scene.frames:
        pieces = list(grid.pieces(frame.start, frame.size))
        if frame.owners:
            for row, first, last in pieces:
                kind, key = f"{classes[frame.owners[0]]} frame", f"{prefix}frame-{frame.start}-{row}"
                found.append(rectangle(grid.span(first, last), kind, key=key, rx=4.5))
        _, first, last = pieces[0]
        span = grid.span(first, last)
        # A label that would run out of the picture is set against its right edge instead.
        is_at_end = not frame.centred and span.x + len(frame.label) * font * _LETTER_WIDTH > grid.width
        anchor = "middle" if frame.centred else "end" if is_at_end else "start"
        x = {"middle": span.middle, "end": grid.width - 1, "start": span.x + 1}[anchor]
        key = f"{prefix}label-{frame.start}"
        found.append(words_at(frame.label, x, span.y - 3.5, font, anchor=anchor, key=key))
    return found


def _hatches(
    scene: Scene, grid: Grid, seats: Mapping[str, int], classes: Mapping[str, str], prefix: str
) -> list[Element]:
    """Draw each owner's pattern over its filled slots: seen in print and forced colours, hidden otherwise."""
    found = []
    for chat, seat in seats.items():
        marks = [
            _hatch(seat % NUM_SEATS, grid.box(slot))
            for slot, cell in enumerate(scene.cells)
            if cell.filled and cell.owners[0] == chat
        ]
        if marks:
            path = "".join(marks)
            found.append(el("path", key=f"{prefix}hatch-{chat}", class_=f"{classes[chat]} hatch", d=path))
    return found


@lru_cache(maxsize=2048)
def _hatch(pattern: int, box: Box) -> str:
    x, y, width, height = box
    right, low = number(x + width), number(y + height)
    left, high = number(x), number(y)
    return (
        f"M{left} {number(y + 5)}L{number(x + 5)} {high}",
        f"M{number(x + width - 5)} {low}L{right} {number(y + height - 5)}",
        f"M{number(x + 2.5)} {number(y + height - 1.8)}h{number(width - 5)}",
        f"M{number(x + 1.8)} {number(y + 2.5)}v{number(height - 5)}",
    )[pattern]


def _weights(grid: Grid, weights: Mapping[int, float], prefix: str) -> list[Element]:
    """Draw bars from the bottom of slots, under their letters."""
    found = []
    for slot, share in weights.items():
        box = grid.box(slot)
        height = box.height * share
        bar = box._replace(y=box.y + box.height - height, height=height)
        found.append(rectangle(bar, "kv-weight", key=f"{prefix}weight-{slot}", rx=0))
    return found


def _outlines(grid: Grid, marks: Marks, prefix: str, links: Mapping[int, str]) -> list[Element]:
    found = [
        rectangle(grid.box(slot), "fresh", key=f"{prefix}fresh-{slot}") for slot in sorted(set(marks.fresh))
    ]
    if marks.look is not None:
        link = links.get(marks.look)
        found.append(rectangle(grid.box(marks.look), "look", key=f"{prefix}look", link=link))
    return found
