"""Everything that the pools show, as tables: for those who read rather than see, and to copy from.

Example:
    >>> from widget.session import Session
    >>> session = Session()
    >>> frame = session.dispatch({"type": "open_panel", "panel": "table", "open": True})
    >>> frame["regions"]["table"].count("<table")
    2
"""

from collections.abc import Mapping
from functools import lru_cache

from figures.markup import Element, el
from figures.scene import contiguous_scene
from figures.words import WAY, counted, listed, ranged
from pagedkv.snapshot import ContiguousSnapshot, PagedSnapshot
from widget.state import State


def tables(state: State) -> list[Element]:
    """Return a table for each layout, and under each who waits; nothing while their panel is closed.

    >>> from widget.session import Session
    >>> session = Session()
    >>> frame = session.dispatch({"type": "open_panel", "panel": "table", "open": True})
    >>> tables(session.state())[1].text
    '<p>Queue of the old way: C with 5 tokens, for 24 slots in a row.</p>'
    """
    if not state.is_open("table"):
        return []
    old, new = state.snapshot["contiguous"], state.snapshot["paged"]
    wanted_old = {
        chat["chat"]: f"{counted(chat['wanted'], 'token')}, for {counted(chat['size'], 'slot')} in a row"
        for chat in old["chats"]
    }
    wanted_new = {chat["chat"]: counted(chat["wanted"], "token") for chat in new["chats"]}
    return [
        _contiguous(old),
        el("p", f"Queue of the old way: {_waiting(old['queue'], wanted_old)}."),
        _paged(new),
        el("p", f"Queue of the new way: {_waiting(new['queue'], wanted_new)}."),
    ]


def _waiting(queue: list[str], wanted: Mapping[str, str]) -> str:
    return "; ".join(f"{chat} with {wanted[chat]}" for chat in queue) or "empty"


def _contiguous(state: ContiguousSnapshot) -> Element:
    starts = {chat["chat"]: chat["start"] or 0 for chat in state["chats"]}
    rows = []
    for slot, cell in enumerate(contiguous_scene(state).cells):
        if not cell.owners:
            rows.append([str(slot), "free", "", ""])
        elif cell.filled:
            (chat,) = cell.owners
            rows.append([str(slot), "holds a token", chat, str(slot - starts[chat])])
        else:
            rows.append([str(slot), "held, empty", cell.owners[0], ""])
    caption = f"{WAY['contiguous']}, slot by slot"
    return _table(caption, ["Slot", "State", "Chat", "Token"], rows)


def _paged(state: PagedSnapshot) -> Element:
    size = state["block_size"]
    place_in_line = {block: place for place, block in enumerate(state["free_list"], start=1)}
    holders: dict[int, list[str]] = {}
    tokens: dict[int, range] = {}
    for chat in state["chats"]:
        for logical, block in enumerate(chat["table"]):
            holders.setdefault(block, []).append(f"{chat['chat']} as its block {logical}")
            tokens[block] = range(logical * size, min((logical + 1) * size, chat["tokens"]))
    rows = []
    for block, count in enumerate(state["ref_count"]):
        slots = ranged(range(block * size, (block + 1) * size))
        if block in holders:
            used = len(tokens[block])
            empty = ranged(range(block * size + used, (block + 1) * size)) if used < size else "none"
            row = ["held", listed(holders[block]), ranged(tokens[block]), empty]
        else:
            row = [f"free, number {place_in_line[block]} in line", "", "", ""]
        rows.append([str(block), slots, row[0], str(count), *row[1:]])
    caption = f"{WAY['paged']}, block by block, {counted(size, 'slot')} each"
    header = ["Block", "Slots", "State", "References", "Held by", "Tokens", "Empty slots"]
    return _table(caption, header, rows)


def _table(caption: str, header: list[str], rows: list[list[str]]) -> Element:
    """Return a table in a box of its own, which scrolls by itself and can be reached with the keyboard."""
    return el(
        "div",
        el(
            "table",
            el("caption", caption),
            el("thead", el("tr", [el("th", name, scope="col") for name in header])),
            el("tbody", [_row(tuple(cells)) for cells in rows]),
            class_="kv-grid",
        ),
        class_="kv-scroll",
        role="region",
        aria_label=caption,
        tabindex="0",
    )


# From one step to the next most rows are the same: kept, they are written only once.
@lru_cache(maxsize=8192)
def _row(cells: tuple[str, ...]) -> Element:
    return el("tr", el("th", cells[0], scope="row"), [el("td", cell) for cell in cells[1:]])
