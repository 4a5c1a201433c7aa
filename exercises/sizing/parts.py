"""What the parts of the calculator have in common: tables, and what is wrong, said where it is.

Example:
    >>> from figures.markup import write
    >>> write(wrong("gpu", Trouble("Write a unit.", "settings", at="gpu"))[0])
    '<p data-key="problem" id="sizing-gpu-problem" class="kv-trouble">Write a unit.</p>'
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from figures.markup import Element, el


@dataclass(frozen=True)
class Trouble:
    """What was refused last: the sentence, the form that sent it, its field, and what was typed there."""

    sentence: str
    form: Literal["file", "settings"]
    at: str = ""
    typed: Mapping[str, str] = field(default_factory=dict)


def problem_id(name: str) -> str:
    """Return the id of the sentence at a field.

    >>> problem_id("gpu")
    'sizing-gpu-problem'
    """
    return f"sizing-{name}-problem"


def wrong(name: str, trouble: Trouble | None) -> list[Element]:
    """Return the sentence at a field that was refused; nothing at others."""
    if trouble is None or trouble.at != name:
        return []
    return [el("p", trouble.sentence, id=problem_id(name), key="problem", class_="kv-trouble")]


def marks(name: str, trouble: Trouble | None, described_by: str = "") -> dict[str, str | None]:
    """Return the attributes of a field that say whether it was refused, and where what belongs to it is told.

    >>> marks("gpu", None, "x")
    {'aria_invalid': None, 'aria_describedby': 'x'}
    """
    is_wrong = trouble is not None and trouble.at == name
    ids = [described_by, problem_id(name) if is_wrong else ""]
    return {
        "aria_invalid": "true" if is_wrong else None,
        "aria_describedby": " ".join(filter(None, ids)) or None,
    }


def explained(name: str, why: str) -> Element:
    """Return the head of a row, with a line on it below: a column for that would not fit a phone.

    >>> from figures.markup import write
    >>> write(explained("32 layers", "from num_hidden_layers"))
    '<th scope="row">32 layers <small>from num_hidden_layers</small></th>'
    """
    return el("th", name, " ", el("small", why), scope="row")


def table(caption: str, heads: tuple[str, ...], rows: list[Element]) -> Element:
    """Return a table that scrolls by itself where it is too wide, and can be reached with the keys for that.

    >>> from figures.markup import write
    >>> write(table("Sizes", ("what",), [])).count("Sizes")
    2
    """
    return el(
        "div",
        el(
            "table",
            el("caption", caption),
            el("thead", el("tr", [el("th", head, scope="col") for head in heads])),
            el("tbody", rows),
            class_="kv-numbers",
        ),
        class_="kv-scroll",
        tabindex="0",
        role="region",
        aria_label=caption,
    )
