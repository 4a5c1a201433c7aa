"""A model's layers as a strip, and what fits in a GPU beside its weights as a bar.

Example:
    >>> from figures.views import NARROW
    >>> strip(["full", "window"], NARROW, name="x").attributes["aria-label"]
    '2 layers, from the first to the last: full, window.'

Each kind of layer has a letter and a pattern of its own, so that the strip is read without colour.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from figures.grid import Box
from figures.markup import Element, el, number
from figures.pool import rectangle, words_at
from figures.views import View

# Kind -> its letter, its class, and what it keeps.
KINDS = {
    "full": ("F", "s0 used", "keeps every token"),
    "window": ("W", "s1 used", "keeps the last tokens"),
    "latent": ("L", "s2 used", "keeps one vector for each token"),
    "linear": ("S", "s3 kept", "keeps a state that does not grow"),
    "shared": ("=", "free", "reads what an earlier layer keeps"),
    "none": ("", "free", "keeps nothing"),
}
_COLUMNS = {"narrow": 16, "wide": 32, "broad": 32}
_MOST_DRAWN = 48  # chats apart; more are one stretch
_TALL = 34
_LONGEST_SAID = 160  # letters; a longer list of layers is no help to who hears it


def sample(kind: str) -> Element:
    """Return a layer of a kind, to stand beside words.

    >>> sample("full").tag
    'span'
    """
    drawn = el("svg", _cell(kind, Box(1, 1, 20, 20), 12), viewBox="0 0 22 22", aria_hidden="true")
    return el("span", drawn, class_="kv-picture kv-sample")


def strip(kinds: Sequence[str], view: View, *, name: str) -> Element:
    """Return the layers in order, in rows from left to right."""
    columns = min(len(kinds), _COLUMNS[view.name])
    pitch = view.width / _COLUMNS[view.name]
    cells = []
    for index, kind in enumerate(kinds):
        row, column = divmod(index, columns)
        box = Box(column * pitch + 1, row * (pitch + 3) + 1, pitch - 2, pitch - 2)
        cells += _cell(kind, box, view.font, key=f"{name}-{index}")
    rows = -(-len(kinds) // columns)
    return el(
        "svg",
        cells,
        key=view.name,
        class_=f"kv-picture kv-{view.name}",
        viewBox=f"0 0 {number(view.width)} {number(rows * (pitch + 3))}",
        role="img",
        aria_label=in_words(kinds),
    )


def _cell(kind: str, box: Box, font: float, key: str | None = None) -> list[Element]:
    letter, look, _ = KINDS[kind]
    found = [rectangle(box, look, key=key)]
    if letter:
        inked = "letter" if "used" in look else "plain"
        middle = box.y + box.height / 2 + font * 0.36
        found.append(
            words_at(letter, box.middle, middle, font, inked, anchor="middle", key=key and f"{key}-letter")
        )
    return found


def in_words(kinds: Sequence[str]) -> str:
    """Return the layers in a sentence; what repeats is said once.

    >>> in_words(["linear", "linear", "full"] * 2)
    '6 layers, from the first to the last: 2 times (2 linear, full).'
    >>> in_words(["window", "full"] * 3 + ["window"] * 2)
    '8 layers, from the first to the last: 3 times (window, full), 2 window.'
    """
    runs = [(len(list(run)), kind) for kind, run in groupby(kinds)]
    # What repeats from the first layer on, and what is left after its last full turn.
    said = ", ".join(_run(*run) for run in runs)
    for period in range(1, len(runs) // 2 + 1):
        times = next(
            (turn for turn in range(1, len(runs) // period) if not _same(runs, period, turn)),
            len(runs) // period,
        )
        if times > 1:
            inner = ", ".join(_run(*run) for run in runs[:period])
            rest = [_run(*run) for run in runs[times * period :]]
            said = ", ".join([f"{times} times ({inner})", *rest])
            break
    if len(said) > _LONGEST_SAID:
        counts = [f"{kinds.count(kind)} {kind}" for kind in KINDS if kind in kinds]
        return f"{len(kinds)} layers: {', '.join(counts)}, in no order that repeats."
    return f"{len(kinds)} layers, from the first to the last: {said}."


def _same(runs: Sequence[tuple[int, str]], period: int, turn: int) -> bool:
    return runs[turn * period : (turn + 1) * period] == runs[:period]


def _run(count: int, kind: str) -> str:
    return kind if count == 1 else f"{count} {kind}"


class Share(NamedTuple):
    """What a GPU has to hold: bytes of it, of weights, of a chat; how many chats are wished for."""

    memory: int
    weights: int
    chat: int
    chats: int

    @property
    def total(self) -> int:
        """The bytes that are needed.

        >>> Share(100, 20, 10, 3).total
        50
        """
        return self.weights + self.chat * self.chats


def bar(share: Share, view: View, *, says: str) -> Element:
    """Return a GPU's memory as a bar: weights, then chats, and where the memory ends.

    Args:
        share: what is to be held.
        view: the width that it is drawn for.
        says: the same in a sentence, for those who do not see it.

    >>> from figures.views import NARROW
    >>> bar(Share(100, 20, 10, 3), NARROW, says="x").tag
    'svg'
    """
    # Shares of the whole come first: bytes by the quintillion are no numbers to multiply widths with.
    whole = max(share.memory, share.total, 1)
    end, weights = view.width * (share.memory / whole), view.width * (share.weights / whole)
    drawn = [rectangle(Box(0.6, 1, max(end - 1.2, 0.3), _TALL), "free", key="memory")]
    if share.weights:
        drawn.append(rectangle(Box(0.6, 1, max(weights - 0.6, 0.3), _TALL), "s3 kept", key="weights"))
    pieces = share.chats if share.chats <= _MOST_DRAWN else 1
    wide = view.width * (share.chat * share.chats / whole) / pieces
    for piece in range(pieces if share.chat else 0):
        left = weights + piece * wide
        gap = min(1.0, wide / 4)
        drawn.append(
            rectangle(Box(left + gap / 2, 4, max(wide - gap, 0.3), _TALL - 6), "s0 used", key=f"chat-{piece}")
        )
    drawn.append(el("path", key="end", class_="fresh", d=f"M{number(max(end - 1.2, 1.2))} 0v{_TALL + 2}"))
    return el(
        "svg",
        drawn,
        key=view.name,
        class_=f"kv-picture kv-{view.name}",
        viewBox=f"0 0 {number(view.width)} {_TALL + 3}",
        role="img",
        aria_label=says,
    )
