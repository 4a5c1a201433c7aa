"""Attention: who attends, the outputs beside each other, and the way to each token.

Example:
    >>> from widget.session import Session
    >>> frame = Session().dispatch({"type": "attend", "chat": "A", "poison": False})
    >>> "Careless reader" in frame["regions"]["attention"]
    True

Numbers are rounded before they are written, so that every Python writes the same text.
"""

import json
import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from figures.markup import Element, el
from figures.pool import owner_class, seats_of
from figures.words import WAY, LayoutName, counted, numbered
from widget.parts.pieces import button
from widget.state import State

if TYPE_CHECKING:
    from pagedkv.contents import Attention, PagedReading, Reading

# Rows of the table of tokens; a pool of the page has 64 slots.
MOST_ROWS = 128
# Where the same sum is taken in another order, its last digits may differ.
SAME = 1e-12

_ABOUT = (
    "The newest token of a chat looks back at all of the chat's tokens. It compares its query with the key "
    "of each, and takes the mean of their values; the better the match, the more a value counts. That is "
    "attention, computed here over the slots as they are. A bar in a slot shows how much its token counts, "
    "the tallest the most. Keys and values are made up."
)


def weights(layout: LayoutName, state: State) -> dict[int, float]:
    """Return slot -> how much its token counts, as a share of the one that counts most.

    >>> from widget.session import Session
    >>> session = Session()
    >>> frame = session.dispatch({"type": "attend", "chat": "B", "poison": False})
    >>> list(weights("contiguous", session.state())), list(weights("paged", session.state()))
    ([24, 25, 26], [8, 9, 10])
    """
    reading = _reading(layout, state.attention.found)
    if reading is None:
        return {}
    most = max(reading.weights)
    return {
        slot: round(weight / most, 4) for slot, weight in zip(reading.slots, reading.weights, strict=True)
    }


def panel(state: State) -> list[Element]:
    """Return what the panel shows.

    >>> from widget.session import Session
    >>> [element.attributes["data-key"] for element in panel(Session().state())]
    ['about', 'choice']
    """
    about = el("p", _ABOUT, key="about")
    if not state.snapshot["seats"]:
        return [about, _line("nobody", "No chat is there, so there is nothing to attend to.")]
    return [about, _choice(state), *_found(state)]


def _choice(state: State) -> Element:
    """Return the buttons; `data-attend` is the command to send as soon as more than this can be shown."""
    attending, seats = state.attention, seats_of(state.snapshot)
    chosen = attending.chat if attending.chat in seats else state.selected
    offer = None if attending.has_numpy else _command(chosen, poison=attending.is_poisoned)
    poison = not attending.is_poisoned
    return el(
        "div",
        el(
            "div",
            el("span", "Chat", class_="kv-label"),
            [
                button(
                    chat,
                    _command(chat, poison=attending.is_poisoned),
                    f"{chat} attends",
                    class_=owner_class(seat),
                    pressed=chat == attending.chat,
                )
                for chat, seat in seats.items()
            ],
            role="group",
            aria_label="Which chat attends",
            class_="kv-row",
        ),
        button(
            "Fill unused slots with NaN",
            _command(chosen, poison=poison),
            "Fill unused slots with NaN",
            pressed=attending.is_poisoned,
        ),
        key="choice",
        class_="kv-attends",
        data_attend=None if offer is None else json.dumps(offer, separators=(",", ":")),
    )


def _found(state: State) -> list[Element]:
    attending = state.attention
    chat = attending.chat
    if chat is None:
        return []
    if not attending.has_numpy:
        return [_line("waits", "The numbers appear as soon as NumPy is there. Meanwhile the rest goes on.")]
    found = attending.found
    if found is None:
        return [_line("absent", f"{chat} is not there. Choose another chat.")]
    if found.paged is None and found.contiguous is None:
        return [_line("absent", f"{chat} waits and holds no token yet, so there is nothing to attend to.")]
    return [
        *_outputs(found, state),
        *(
            [_line("nan", _nan_words(found.paged, chat, is_poisoned=attending.is_poisoned))]
            if found.paged
            else []
        ),
        _line("walk", _walk_words(found, state)),
        *_tokens(found, state),
    ]


def _outputs(found: "Attention", state: State) -> list[Element]:
    """Return the outputs, one reader a column, and how far the first two are apart."""
    rows: list[tuple[str, list[float]]] = []
    words = []
    if found.paged is not None:
        rows += [("Block table", found.paged.output), ("Flat array", found.paged.flat)]
        apart = _difference(found.paged.largest_difference)
        words.append(f"Largest difference between block table and flat array: {apart}.")
    else:
        words.append(f"New way: {found.chat} holds no token, it waits or is not there.")
    if found.contiguous is not None:
        rows.append(("Old way", found.contiguous.output))
        if found.paged is not None and len(found.contiguous.slots) != len(found.paged.slots):
            words.append(
                f"Old way: {found.chat} holds {counted(len(found.contiguous.slots), 'token')} and not "
                f"{len(found.paged.slots)}, so another token is the newest there."
            )
    else:
        words.append(f"Old way: {found.chat} holds no token, it waits or is not there.")
    if found.paged is not None:
        rows.append(("Careless reader", found.paged.careless))
    table = el(
        "table",
        el("caption", f"What {found.chat}'s newest token gets"),
        el(
            "thead",
            el("tr", [el("th", head, scope="col") for head in ("No.", *(name for name, _ in rows))]),
        ),
        el(
            "tbody",
            [
                el("tr", el("th", str(place), scope="row"), [el("td", _rounded(one)) for one in numbers])
                for place, numbers in enumerate(zip(*(output for _, output in rows), strict=True))
            ],
        ),
        class_="kv-numbers",
    )
    return [_scrolling("outputs", table, "Outputs"), _line("difference", " ".join(words))]


def _nan_words(reading: "PagedReading", chat: str, *, is_poisoned: bool) -> str:
    if reading.beyond:
        hold = "holds" if len(reading.beyond) == 1 else "hold"
        beyond = numbered("slot", reading.beyond)
        careless = (
            f"A careless reader forgets where the last block ends: it reads {beyond} too, "
            f"which {hold} no token of {chat}, and gets {'NaN' if is_poisoned else 'something else'}."
        )
    else:
        careless = f"{chat}'s last block is full, so a careless reader, who forgets its end, gets the same."
    if not is_poisoned:
        return careless
    answer = "is the same to the last bit, since none of them is read" if reading.is_unmoved else "has moved"
    return (
        "Every slot that holds no token is filled with NaN, not a number: "
        f"{reading.num_unused} in the new way. The answer {answer}. {careless}"
    )


def _walk_words(found: "Attention", state: State) -> str:
    """Say the way to the token that is looked at, or to the newest."""
    position = _looked_at(found, state)
    is_newest = position is None
    if position is None:
        position = max(len(reading.slots) for reading in (found.paged, found.contiguous) if reading) - 1
    words = [f"The newest token is {position}." if is_newest else f"Token {position} of {found.chat}."]
    paged, contiguous = found.paged, found.contiguous
    if paged is not None and position < len(paged.slots):
        size = state.snapshot["paged"]["block_size"]
        slot = paged.slots[position]
        logical, offset, block = position // size, position % size, slot // size
        words.append(
            f"{WAY['paged']}: {position} ÷ {size} is {logical}, remainder {offset}. "
            f"Entry {logical} of its block table is block {block}, "
            f"so it lies in slot {block} × {size} + {offset} = {slot}."
        )
    if contiguous is not None and position < len(contiguous.slots):
        first, slot = contiguous.slots[0], contiguous.slots[position]
        words.append(f"{WAY['contiguous']}: slot {first} + {position} = {slot}.")
    if is_newest:
        words.append("Point at a slot to follow another.")
    return " ".join(words)


def _tokens(found: "Attention", state: State) -> list[Element]:
    """Return the way to each token and what it counts, as a table."""
    paged, contiguous = found.paged, found.contiguous
    size = state.snapshot["paged"]["block_size"]
    count = max(len(reading.slots) for reading in (paged, contiguous) if reading)
    looked_at = _looked_at(found, state)
    rows = []
    # Where both layouts hold the same tokens, they weigh the same.
    is_one = paged is None or contiguous is None or len(paged.slots) == len(contiguous.slots)
    for position in range(min(count, MOST_ROWS)):
        new, new_weight = _cells(paged, position)
        old, old_weight = _cells(contiguous, position)
        is_new = new != _NONE
        block = f"{position // size} → {int(new) // size}" if is_new else _NONE
        weighed = [new_weight if is_new else old_weight] if is_one else [new_weight, old_weight]
        rows.append(_row(position, (block, new, old, *weighed), is_walked=position == looked_at))
    weigh = ["Weight"] if is_one else ["Weight, new", "Weight, old"]
    heads = ["Token", "Block", "Slot, new", "Slot, old", *weigh]
    table = el(
        "table",
        el("caption", f"Where each token of {found.chat} lies, logical → physical block, and what it counts"),
        el("thead", el("tr", [el("th", head, scope="col") for head in heads])),
        el("tbody", rows),
        class_="kv-numbers",
    )
    shown = [_scrolling("tokens", table, f"Every token of {found.chat}")]
    if count > MOST_ROWS:
        shown.append(_line("more", f"And {counted(count - MOST_ROWS, 'more token')}."))
    return shown


# From one frame to the next most rows are the same: kept, they are written only once.
@lru_cache(maxsize=2048)
def _row(position: int, cells: tuple[str, ...], *, is_walked: bool) -> Element:
    return el(
        "tr",
        el("th", str(position), scope="row"),
        [el("td", cell) for cell in cells],
        key=f"token-{position}",
        class_="kv-walked" if is_walked else None,
    )


_NONE = "–"


def _cells(reading: "Reading | None", position: int) -> tuple[str, str]:
    if reading is None or position >= len(reading.slots):
        return _NONE, _NONE
    return str(reading.slots[position]), f"{100 * reading.weights[position]:.1f} %"


def _looked_at(found: "Attention", state: State) -> int | None:
    """Return the position of the token in the slot that a reader looks at, if it is one of the chat's."""
    if state.look is None:
        return None
    layout, slot = state.look
    reading = _reading(layout, found)
    return reading.slots.index(slot) if reading is not None and slot in reading.slots else None


def _reading(layout: LayoutName, found: "Attention | None") -> "Reading | None":
    if found is None:
        return None
    return found.contiguous if layout == "contiguous" else found.paged


def _scrolling(key: str, table: Element, label: str) -> Element:
    """Let a table that is too wide move by itself, with the keys too."""
    return el("div", table, key=key, class_="kv-scroll", tabindex="0", role="region", aria_label=label)


def _line(key: str, text: str) -> Element:
    return el("p", text, key=key)


def _command(chat: str | None, *, poison: bool) -> dict[str, Any]:
    return {"type": "attend", "chat": chat, "poison": poison}


def _rounded(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    text = f"{value:.4f}"
    return text.removeprefix("-") if float(text) == 0 else text


def _difference(value: float) -> str:
    return "less than 10⁻¹²" if value < SAME else f"{value:.4f}"
