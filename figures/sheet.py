"""A page of a figure that fills up from the top: headings, words, pools, chips. And the figure itself.

Example:
    >>> from figures.views import NARROW
    >>> sheet = Sheet(NARROW)
    >>> sheet.words("Old way", class_="strong")
    >>> sheet.height > 10, sheet.elements[0].tag
    (True, 'text')

A sheet knows a view's width and wraps words to it, since SVG does not.
"""

import math
import textwrap
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from figures.grid import Box, Grid
from figures.markup import Element, el, write
from figures.pool import Marks, draw, owner_class, rectangle
from figures.scene import Scene
from figures.theme import file_css
from figures.views import View

# Of the font's size, on average over a line of words.
_LETTER_WIDTH, _BOLD_LETTER_WIDTH = 0.53, 0.6


@dataclass
class Sheet:
    """Elements from the top down; `height` is where the next one goes."""

    view: View
    elements: list[Element] = field(default_factory=list)
    height: float = 0

    def gap(self, units: float) -> None:
        """Leave some room.

        >>> from figures.views import NARROW
        >>> sheet = Sheet(NARROW)
        >>> sheet.gap(5)
        >>> sheet.height
        5
        """
        self.height += units

    def words(self, text: str, class_: str = "plain") -> None:
        """Write words, wrapped to the width.

        >>> from figures.views import NARROW
        >>> sheet = Sheet(NARROW)
        >>> sheet.words("word " * 20)
        >>> len(sheet.elements)
        2
        """
        font = self.view.font + (1 if class_ == "strong" else 0)
        letter_width = _BOLD_LETTER_WIDTH if class_ in ("strong", "warn") else _LETTER_WIDTH
        for line in textwrap.wrap(text, int(self.view.width / (font * letter_width))):
            self.height += font * 1.45
            self.elements.append(
                el("text", line, class_=class_, x=0, y=self.height - font * 0.35, font_size=font)
            )

    def pool(
        self,
        scene: Scene,
        seats: Mapping[str, int],
        *,
        block_size: int = 1,
        fresh: Collection[int] = (),
        slot_height: float = 0,
        prefix: str = "",
    ) -> Grid:
        """Draw a pool, and return its grid for whoever wants to point into it.

        >>> from figures.scene import Cell
        >>> from figures.views import NARROW
        >>> Sheet(NARROW).pool(Scene([Cell((), filled=False)] * 4, []), {}).columns
        4
        """
        grid = self.view.grid(len(scene.cells), block_size, top=self.height, slot_height=slot_height)
        marks = Marks(fresh=fresh)
        self.elements += draw(scene, grid, seats, self.view.font, marks=marks, prefix=prefix)
        self.height = grid.height
        return grid

    def chips(
        self, label: str, texts: Sequence[str], *, marked: Collection[str] = (), seat: int | None = None
    ) -> list[float]:
        """Draw a row of small boxes behind a label, and return the x of the middle of each.

        >>> from figures.views import NARROW
        >>> len(Sheet(NARROW).chips("Free list", ["7", "2"]))
        2
        """
        font, tall, wide = self.view.font, self.view.font + 9, self.view.font * 2.2
        x = len(label) * font * _LETTER_WIDTH + 10
        self.elements.append(el("text", label, x=0, y=self.height + tall * 0.68, font_size=font))
        owner = "" if seat is None else f"{owner_class(seat)} "
        middles = []
        for text in texts:
            box = Box(x, self.height + 1.5, wide, tall - 3)
            self.elements.append(rectangle(box, f"{owner}chip", rx=4))
            if text in marked:
                self.elements.append(rectangle(box, "fresh", rx=4))
            middles.append(x + wide / 2)
            self.elements.append(
                el(
                    "text",
                    text,
                    class_="tick plain",
                    x=middles[-1],
                    y=self.height + tall * 0.68,
                    font_size=font,
                )
            )
            x += wide + 5
        self.height += tall
        return middles

    def legend(self) -> None:
        """Say what solid, pale and dashed mean.

        >>> from figures.views import NARROW
        >>> sheet = Sheet(NARROW)
        >>> sheet.legend()
        >>> [element.attributes["class"] for element in sheet.elements if element.tag == "rect"]
        ['s0 used', 's0 kept', 'free']
        """
        font, size = self.view.font, self.view.font + 1
        self.gap(6)
        x = 1.0
        for kind, meaning in (("s0 used", "holds a token"), ("s0 kept", "held, empty"), ("free", "free")):
            box = Box(x, self.height + 1, size, size)
            self.elements.append(rectangle(box, kind))
            if kind == "s0 used":
                y = box.y + size * 0.8
                self.elements.append(el("text", "A", class_="letter", x=box.middle, y=y, font_size=10))
            self.elements.append(
                el("text", meaning, x=x + size + 4, y=self.height + size * 0.85, font_size=font)
            )
            x += size + 16 + len(meaning) * font * _LETTER_WIDTH
        self.height += size + 4


@dataclass(frozen=True)
class Figure:
    """A picture of the lesson: what it is called, what it says, and how it is drawn.

    `scenario` is the one whose picture it is, to be opened live. `paint` fills a sheet; `description` says in
    words all that the picture shows, `caption` what to see.
    All of them are computed from states that `pagedkv` reached.
    """

    number: int
    name: str
    scenario: str
    title: str
    caption: str
    description: str
    paint: Callable[[Sheet], None]

    def svg(self, view: View, *, is_file: bool) -> str:
        """Return the figure as SVG: for a file, with its own style and background, or to stand in a page.

        >>> from figures.gallery import FIGURES
        >>> from figures.views import NARROW
        >>> FIGURES[1].svg(NARROW, is_file=False)[:50]
        '<svg class="kv-picture kv-narrow" viewBox="-1 -1 2'
        """
        sheet = Sheet(view)
        self.paint(sheet)
        title = f"Figure {self.number}. {self.title}"
        framed_sheet = framed(
            sheet, name=self.name, title=title, description=self.description, is_file=is_file
        )
        return write(framed_sheet)


def framed(
    sheet: Sheet, *, name: str, title: str, description: str, is_file: bool, theme: str | None = None
) -> Element:
    """Return what is on a sheet as a picture with a title and a description for those who do not see it.

    Args:
        sheet: what has been painted.
        name: keeps the ids of one picture apart from those of others in the page.
        title: what the picture is called.
        description: all that it shows, in words.
        is_file: whether it stands alone, with its own style and background, or in a page.
        theme: the colours of a file, light or dark; without it they follow who looks at it.

    >>> from figures.views import NARROW
    >>> framed(Sheet(NARROW), name="x", title="X", description="Nothing.", is_file=False).attributes["role"]
    'img'
    """
    view = sheet.view
    margin = 10 if is_file else 1
    width, height = view.width + 2 * margin, math.ceil(sheet.height) + 2 * margin
    title_id, description_id = f"{name}-{view.name}-title", f"{name}-{view.name}-desc"
    return el(
        "svg",
        el("title", title, id=title_id),
        el("desc", description, id=description_id),
        el("style", file_css(theme)) if is_file else None,
        rectangle(Box(-margin, -margin, width, height), "paper", rx=0) if is_file else None,
        sheet.elements,
        xmlns="http://www.w3.org/2000/svg" if is_file else None,
        class_=f"kv-picture kv-{view.name}",
        viewBox=f"{-margin} {-margin} {width:.0f} {height:.0f}",
        width=width if is_file else None,
        height=height if is_file else None,
        role="img",
        aria_labelledby=f"{title_id} {description_id}",
    )
