"""A tiny tree of elements, and the one writer that turns it into SVG or HTML text.

Example:
    >>> write(el("text", "8 < 9", key="note", x=1.5, text_anchor="middle"))
    '<text data-key="note" x="1.5" text-anchor="middle">8 &lt; 9</text>'

Everything that a page shows is written here, so text from outside is escaped in one place. An element's key
says which element of the next picture it becomes: the page patches by key and keeps focus and transitions.

Attribute names: `text_anchor` is written text-anchor, and `class_` class. None and False leave an attribute
out, True writes it bare. Numbers are rounded to two decimals, so that every Python writes the same text.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html import escape
from typing import TypeAlias

Value: TypeAlias = str | float | bool | None

_VOID = {"br", "hr", "img", "input", "link", "meta"}
_SHAPES = {"circle", "line", "path", "polygon", "polyline", "rect"}


@dataclass(frozen=True, eq=False)
class Element:
    """An element: its tag, its attributes in order, and its children. It does not change once it is made."""

    tag: str
    attributes: dict[str, Value]
    children: tuple["Element | str", ...]

    @cached_property
    def text(self) -> str:
        """The element as SVG or HTML text."""
        words = [self.tag]
        for name, value in self.attributes.items():
            if value is True:
                words.append(name)
            else:
                words.append(f'{name}="{_quoted(value) if isinstance(value, str) else number(value)}"')
        start = " ".join(words)
        if not self.children and self.tag in _SHAPES:
            return f"<{start}/>"
        if self.tag in _VOID:
            return f"<{start}>"
        inside = "".join(
            [escape(child, quote=False) if isinstance(child, str) else child.text for child in self.children]
        )
        return f"<{start}>{inside}</{self.tag}>"


Child: TypeAlias = Element | str | None


def el(tag: str, *children: Child | Iterable[Child], key: str | None = None, **attributes: Value) -> Element:
    """Return an element; children that are None are left out, and lists of children are spread.

    >>> write(el("g", [el("rect", width=2), None], class_="slot"))
    '<g class="slot"><rect width="2"/></g>'
    """
    spread: list[Element | str] = []
    for child in children:
        if isinstance(child, Element | str):
            spread.append(child)
        elif child is not None:
            spread.extend(inner for inner in child if inner is not None)
    keyed: dict[str, Value] = {} if key is None else {"data-key": key}
    for name, value in attributes.items():
        if value is not None and value is not False:
            keyed[_written_name(name)] = value
    return Element(tag, keyed, tuple(spread))


def write(element: Element | str) -> str:
    """Return the text of an element and all that is in it, or of a string.

    >>> write(el("input", type="range", disabled=True, list=None))
    '<input type="range" disabled>'
    """
    return escape(element, quote=False) if isinstance(element, str) else element.text


# From one frame to the next nearly all numbers and words are the same, and a press is to be answered at once.
@lru_cache(maxsize=8192)
def number(value: float) -> str:
    """Return a coordinate as text, with at most two decimals and no needless zeros.

    >>> number(17.250), number(3.0), number(-0.001)
    ('17.25', '3', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


@lru_cache(maxsize=1024)
def _written_name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


@lru_cache(maxsize=2048)
def _quoted(value: str) -> str:
    return escape(value)
