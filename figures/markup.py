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
from html import escape
from typing import TypeAlias

Value: TypeAlias = str | float | bool | None

_VOID = {"br", "hr", "img", "input", "link", "meta"}
_SHAPES = {"circle", "line", "path", "polygon", "polyline", "rect"}


@dataclass(frozen=True)
class Element:
    """An element: its tag, its attributes in order, and its children."""

    tag: str
    attributes: dict[str, Value]
    children: tuple["Element | str", ...]


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
    named = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
    return Element(tag, keyed | named, tuple(spread))


def write(element: Element | str) -> str:
    """Return the text of an element and all that is in it.

    >>> write(el("input", type="range", disabled=True, list=None))
    '<input type="range" disabled>'
    """
    parts: list[str] = []
    _write(element, parts)
    return "".join(parts)


def number(value: float) -> str:
    """Return a coordinate as text, with at most two decimals and no needless zeros.

    >>> number(17.250), number(3.0), number(-0.001)
    ('17.25', '3', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _write(element: Element | str, parts: list[str]) -> None:
    if isinstance(element, str):
        parts.append(escape(element, quote=False))
        return
    parts.append(f"<{element.tag}")
    for name, value in element.attributes.items():
        if value is None or value is False:
            continue
        if value is True:
            parts.append(f" {name}")
        else:
            text = escape(value) if isinstance(value, str) else number(value)
            parts.append(f' {name}="{text}"')
    if element.tag in _SHAPES and not element.children:
        parts.append("/>")
        return
    parts.append(">")
    if element.tag in _VOID:
        return
    for child in element.children:
        _write(child, parts)
    parts.append(f"</{element.tag}>")
