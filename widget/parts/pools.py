"""The two pools, with their counts, and the free list.

Example:
    >>> from widget.session import Session
    >>> "of 64 slots hold a token" in Session().frame()["regions"]["paged"]
    True
"""

from figures.markup import Child, Element, el
from figures.pool import Marks, draw, seats_of
from figures.scene import contiguous_scene, paged_scene
from figures.views import View
from figures.words import WAY, LayoutName, described, waits
from pagedkv.snapshot import Counters
from widget.parts.attention import weights
from widget.parts.pieces import chip
from widget.state import State

# A free list up to this long is shown whole; a longer one by its front and its back.
MOST_CHIPS, FRONT_CHIPS, BACK_CHIPS = 16, 8, 4

# Units of height for a slot that carries the letters of two owners.
TALL = 28

_SUBTITLE: dict[LayoutName, str] = {"contiguous": "one long stretch per chat", "paged": "blocks on demand"}


def way(layout: LayoutName, state: State) -> list[Element]:
    """Return one layout: its heading, its counts in words and as a bar, its pool, and what is free.

    >>> from widget.session import Session
    >>> Session().frame()["regions"]["contiguous"][:31]
    '<div class="kv-head"><h3>Old wa'
    """
    snapshot = state.snapshot
    counters = snapshot[layout]["counters"]
    num_slots = snapshot[layout]["num_slots"]
    left = snapshot["settings"]["num_slots"] - num_slots
    return [
        el(
            "div",
            el("h3", WAY[layout], " ", el("small", _SUBTITLE[layout])),
            el("p", _counts(layout, counters, num_slots, left, waits(snapshot[layout])), class_="kv-counts"),
            class_="kv-head",
        ),
        _meter(counters, num_slots),
        el(
            "div",
            [picture(layout, state, view) for view in state.views],
            class_="kv-pair",
            tabindex="0",
            role="application",
            aria_label=f"{WAY[layout]}, {num_slots} slots. Arrow keys go from slot to slot.",
            data_pool=layout,
        ),
        *([_free_list(state)] if layout == "paged" else []),
    ]


def picture(layout: LayoutName, state: State, view: View) -> Element:
    """Return the pool of a layout, drawn for a width.

    >>> from figures.views import NARROW
    >>> from widget.session import Session
    >>> picture("paged", Session().state(), NARROW).tag
    'svg'
    """
    snapshot = state.snapshot
    paged = snapshot["paged"]
    is_shared = layout == "paged" and max(paged["ref_count"]) > 1
    slot_height = TALL if is_shared else 0
    grid = view.grid(snapshot[layout]["num_slots"], paged["block_size"], slot_height=slot_height)
    scene = contiguous_scene(snapshot["contiguous"]) if layout == "contiguous" else paged_scene(paged)
    return el(
        "svg",
        draw(scene, grid, seats_of(snapshot), view.font, marks=marks_of(layout, state), is_linked=True),
        key=view.name,
        class_=f"kv-picture kv-{view.name}",
        viewBox=f"-1 0 {grid.width + 2:.0f} {grid.height:.0f}",
        role="img",
        aria_label=described(layout, snapshot),
    )


def marks_of(layout: LayoutName, state: State) -> Marks:
    """Return what the newest step did to a layout's slots, and the slot that a reader looks at.

    >>> from widget.session import Session
    >>> sorted(marks_of("paged", Session().state()).fresh)
    [12, 13, 14, 15, 16]
    """
    events, size = state.last[layout], state.snapshot["paged"]["block_size"]
    opened: set[int] = set()
    copied: dict[int, int] = {}
    for event in events:
        if event["kind"] == "finished" and event["run"]:
            start, length = event["run"]
            opened.update(range(start, start + length))
        elif event["kind"] == "finished":
            opened.update(
                slot for block in event["blocks"] for slot in range(block * size, (block + 1) * size)
            )
        for source, block in event["copies"]:
            written = min(slot for slot in event["slots"] if slot // size == block) % size
            copied |= {block * size + offset: source * size + offset for offset in range(written)}
    look = state.look[1] if state.look and state.look[0] == layout else None
    fresh = [slot for event in events for slot in event["slots"]]
    return Marks(fresh=fresh, opened=opened, copied=copied, look=look, weights=weights(layout, state))


def _counts(layout: LayoutName, counters: Counters, num_slots: int, left: int, waiting: str) -> list[Child]:
    """Return the counts in words; `left` slots of the pool are in no block."""
    if layout == "contiguous":
        empty = f"{counters['empty']} reserved, empty"
        free = f"{counters['free']} free"
        if counters["largest_hole"] != counters["free"]:
            free += f", longest hole {counters['largest_hole']}"
    else:
        empty, free = f"{counters['empty']} held, empty", f"{counters['free']} free"
        if left:
            free += f", {left} left over: too few for a block"
    hold = "holds" if counters["used"] == 1 else "hold"
    return [
        el("span", el("strong", str(counters["used"])), f" of {num_slots} slots {hold} a token", key="used"),
        " ",
        el("span", empty, key="empty"),
        " ",
        el("span", free, key="free"),
        " ",
        el("em", waiting, key="waiting") if waiting else None,
    ]


def _meter(counters: Counters, num_slots: int) -> Element:
    """Draw used, empty and free as one bar. The counts beside it say the same in words."""
    used, empty = counters["used"], counters["empty"]
    return el(
        "svg",
        el("rect", key="free", class_="kv-bar-free", width=num_slots, height=1),
        el("rect", key="empty", class_="kv-bar-empty", x=used, width=empty, height=1),
        el("rect", key="used", class_="kv-bar-used", width=used, height=1),
        class_="kv-meter",
        viewBox=f"0 0 {num_slots} 1",
        preserveAspectRatio="none",
        aria_hidden="true",
    )


def _free_list(state: State) -> Element:
    free = state.snapshot["paged"]["free_list"]
    returned = {
        block for event in state.last["paged"] if event["kind"] == "finished" for block in event["blocks"]
    }

    def chips(blocks: list[int]) -> list[Child]:
        return [
            chip(block, is_fresh=block in returned, place="free", is_stop=block == free[0])
            for block in blocks
        ]

    if len(free) <= MOST_CHIPS:
        shown = chips(free)
    else:
        hidden = el("li", f"and {len(free) - FRONT_CHIPS - BACK_CHIPS} more", key="more", class_="kv-more")
        shown = [*chips(free[:FRONT_CHIPS]), hidden, *chips(free[-BACK_CHIPS:])]
    return el(
        "div",
        el("span", "Free list" if free else "Free list: empty", class_="kv-label"),
        el("ol", shown, aria_label="Free list, next block first") if free else None,
        class_="kv-chips",
    )
