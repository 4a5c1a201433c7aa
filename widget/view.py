"""How a session looks: the markup of each region of the widget, and every word in it.

Example:
    >>> from widget.session import Session
    >>> Session().frame()["regions"]["caption"][:58]
    '<p data-key="contiguous"><strong data-key="step">Step 3.</'

The page holds a region by its name and patches what is in it; it knows nothing else. A button carries the
command that it sends as JSON in `data-command`, a slider its name in `data-setting`.
"""

import json
from dataclasses import dataclass
from typing import Any

from figures.markup import Child, Element, el, write
from figures.pool import contiguous_scene, draw, owner_class, paged_scene, seats_of
from figures.views import View
from figures.words import WAY, LayoutName, counted, described, happened, listed, waits
from pagedkv.side_by_side import Step
from pagedkv.snapshot import ContiguousChat, Counters, PagedChat, Snapshot

# A free list up to this long is shown whole; a longer one by its front and its back.
MOST_CHIPS, FRONT_CHIPS, BACK_CHIPS = 16, 8, 4

_SUBTITLE: dict[LayoutName, str] = {"contiguous": "one long stretch per chat", "paged": "blocks on demand"}


@dataclass(frozen=True)
class State:
    """All that a frame is drawn from. `sliders` is name -> (first position, last position, position)."""

    snapshot: Snapshot
    last: Step
    changed_setting: str | None
    selected: str | None
    views: tuple[View, ...]
    sliders: dict[str, tuple[int, int, int]]
    problem: str | None


def regions(state: State) -> dict[str, str]:
    """Return region name -> markup.

    >>> from widget.session import Session
    >>> Session().frame()["regions"]["title"]
    '64 slots, three chats, two ways'
    """
    return {
        "title": write(_title(state)),
        "settings": _joined(_settings(state)),
        "contiguous": _joined(_way("contiguous", state)),
        "paged": _joined(_way("paged", state)),
        "chats": _joined(_chats(state)),
        "caption": _joined(_caption(state)),
        "bar": _joined(_bar(state)),
    }


def caption(state: State) -> str:
    """Return what happened last, in both layouts, as one line of text.

    >>> from widget.session import Session
    >>> Session().frame()["caption"][:43]
    'Old way: C arrives with 5 tokens and needs '
    """
    return " ".join(f"{WAY[layout]}: {text}" for layout, text in _happenings(state))


def _joined(elements: list[Element]) -> str:
    return "".join(write(element) for element in elements)


def _title(state: State) -> str:
    count = len(state.snapshot["seats"])
    words = ("no chat", "one chat", "two chats", "three chats", "four chats", "five chats", "six chats")
    chats = words[count] if count < len(words) else f"{count} chats"
    return f"{state.snapshot['settings']['num_slots']} slots, {chats}, two ways"


# Settings


def _settings(state: State) -> list[Element]:
    settings = state.snapshot["settings"]
    return [
        _slider(state, "reserve", "Reserved per chat, old way", settings["reserve"]),
        _slider(state, "block_size", "Block size, new way", settings["block_size"]),
    ]


def _slider(state: State, name: str, label: str, value: int) -> Element:
    first, last, position = state.sliders[name]
    return el(
        "label",
        el("span", label, class_="kv-label"),
        el("b", str(value), class_="kv-value"),
        el(
            "input",
            type="range",
            min=first,
            max=last,
            step=1,
            value=position,
            data_setting=name,
            aria_label=f"{label}, in slots",
            aria_valuetext=counted(value, "slot"),
        ),
        key=name,
    )


# The two pools


def _way(layout: LayoutName, state: State) -> list[Element]:
    snapshot = state.snapshot
    counters = snapshot[layout]["counters"]
    num_slots = snapshot[layout]["num_slots"]
    return [
        el(
            "div",
            el("h3", WAY[layout], " ", el("small", _SUBTITLE[layout])),
            el("p", _counts(layout, counters, num_slots, waits(snapshot[layout])), class_="kv-counts"),
            class_="kv-head",
        ),
        _meter(counters, num_slots),
        el("div", [_picture(layout, state, view) for view in state.views], class_="kv-pair"),
        *([_free_list(state)] if layout == "paged" else []),
    ]


def _counts(layout: LayoutName, counters: Counters, num_slots: int, waiting: str) -> list[Child]:
    if layout == "contiguous":
        empty = f"{counters['empty']} reserved, empty"
        free = f"{counters['free']} free"
        if counters["largest_hole"] != counters["free"]:
            free += f", longest hole {counters['largest_hole']}"
    else:
        empty, free = f"{counters['empty']} held, empty", f"{counters['free']} free"
    return [
        el("span", el("strong", str(counters["used"])), f" of {num_slots} slots hold a token", key="used"),
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


def _picture(layout: LayoutName, state: State, view: View) -> Element:
    snapshot = state.snapshot
    paged = snapshot["paged"]
    grid = view.grid(snapshot[layout]["num_slots"], paged["block_size"])
    scene = contiguous_scene(snapshot["contiguous"]) if layout == "contiguous" else paged_scene(paged)
    fresh = [slot for event in state.last[layout] for slot in event["slots"]]
    return el(
        "svg",
        draw(scene, grid, seats_of(snapshot), view.font, fresh=fresh),
        key=view.name,
        class_=f"kv-picture kv-{view.name}",
        viewBox=f"-1 0 {grid.width + 2:.0f} {grid.height:.0f}",
        role="img",
        aria_label=described(layout, snapshot),
    )


def _free_list(state: State) -> Element:
    free = state.snapshot["paged"]["free_list"]
    returned = {
        block for event in state.last["paged"] if event["kind"] == "finished" for block in event["blocks"]
    }
    if len(free) <= MOST_CHIPS:
        shown: list[Child] = [_chip(block, is_fresh=block in returned) for block in free]
    else:
        hidden = len(free) - FRONT_CHIPS - BACK_CHIPS
        shown = [
            *(_chip(block, is_fresh=block in returned) for block in free[:FRONT_CHIPS]),
            el("li", f"and {hidden} more", key="more", class_="kv-more"),
            *(_chip(block, is_fresh=block in returned) for block in free[-BACK_CHIPS:]),
        ]
    return el(
        "div",
        el("span", "Free list" if free else "Free list: empty", class_="kv-label"),
        el("ol", shown, aria_label="Free list, next block first") if free else None,
        class_="kv-chips",
    )


def _chip(block: int, *, is_fresh: bool, owner: str = "") -> Element:
    classes = " ".join(name for name in ("kv-chip", owner, "kv-fresh" if is_fresh else "") if name)
    return el("li", str(block), key=f"block-{block}", class_=classes)


# Chats


def _chats(state: State) -> list[Element]:
    snapshot = state.snapshot
    seats = seats_of(snapshot)
    cards = [
        _card(old, new, seats[new["chat"]], state)
        for old, new in zip(snapshot["contiguous"]["chats"], snapshot["paged"]["chats"], strict=True)
    ]
    if not cards:
        return [el("p", "No chat is left, and every slot is free. Reset starts again.", class_="kv-nobody")]
    return cards


def _card(old: ContiguousChat, new: PagedChat, seat: int, state: State) -> Element:
    chat = new["chat"]
    taken = {
        block
        for event in state.last["paged"]
        if event["chat"] == chat and event["kind"] in ("admitted", "wrote")
        for block in event["blocks"]
    }
    owner = owner_class(seat)
    return el(
        "article",
        el("h3", el("b", chat), " ", counted(_tokens(new), "token")),
        el(
            "ol",
            [_chip(block, is_fresh=block in taken, owner=owner) for block in new["table"]],
            class_="kv-table",
            aria_label=f"Block table of {chat}",
        )
        if new["table"]
        else el("p", "no block yet", class_="kv-table"),
        el("p", _note(old, new, state.snapshot), class_="kv-note"),
        el(
            "div",
            _button("+4 tokens", _append(chat), f"+4 tokens, chat {chat}", class_="kv-main"),
            _button("Finish", _finish(chat), f"Finish chat {chat}"),
            class_="kv-row",
        ),
        key=f"chat-{chat}",
        class_=f"kv-chat {owner}",
        aria_label=f"Chat {chat}",
    )


def _tokens(chat: PagedChat) -> int:
    return chat["tokens"] if chat["state"] == "running" else chat["wanted"]


def _note(old: ContiguousChat, new: PagedChat, snapshot: Snapshot) -> str:
    paged, notes = snapshot["paged"], []
    if new["state"] == "running":
        room, last = len(new["table"]) * paged["block_size"] - new["tokens"], new["table"][-1]
        notes.append(
            f"{counted(room, 'slot')} left in block {last}" if room else f"its last block, {last}, is full"
        )
    elif new["state"] == "waiting":
        notes.append(f"waits in the new way: {counted(len(paged['free_list']), 'block')} free")
    if old["state"] == "waiting":
        hole = snapshot["contiguous"]["counters"]["largest_hole"]
        notes.append(f"waits in the old way: longest hole {hole}, needs {old['size']}")
    elif old["state"] == "absent":
        notes.append("not there in the old way: no hole was long enough for a copy")
    elif old["wanted"] > old["tokens"]:
        notes.append(f"cut off in the old way at {old['tokens']} tokens")
    return "; ".join(notes)


def _append(chat: str) -> dict[str, Any]:
    return {"type": "operation", "operation": {"op": "append", "chat": chat, "tokens": 4}}


def _finish(chat: str) -> dict[str, Any]:
    return {"type": "operation", "operation": {"op": "finish", "chat": chat}}


def _button(
    text: Child | list[Child],
    command: dict[str, Any],
    label: str,
    *,
    class_: str | None = None,
    pressed: bool | None = None,
) -> Element:
    return el(
        "button",
        text,
        type="button",
        class_=class_,
        data_command=json.dumps(command, separators=(",", ":")),
        aria_label=label,
        aria_pressed=None if pressed is None else str(pressed).lower(),
    )


def _bar(state: State) -> list[Element]:
    """Return the bar at a phone's lower edge: choose a chat, then act on it."""
    chats = state.snapshot["paged"]["chats"]
    seats = seats_of(state.snapshot)
    if state.selected is None:
        return []
    return [
        el(
            "div",
            [
                _button(
                    [chat["chat"], el("small", str(_tokens(chat)))],
                    {"type": "select", "chat": chat["chat"]},
                    f"{chat['chat']} {counted(_tokens(chat), 'token')}, choose",
                    class_=owner_class(seats[chat["chat"]]),
                    pressed=chat["chat"] == state.selected,
                )
                for chat in chats
            ],
            class_="kv-choice",
            role="group",
            aria_label="Chat",
        ),
        _button("+4 tokens", _append(state.selected), f"+4 tokens, chat {state.selected}", class_="kv-main"),
        _button("Finish", _finish(state.selected), f"Finish chat {state.selected}"),
    ]


# Words


def _caption(state: State) -> list[Element]:
    if state.problem:
        return [el("p", el("strong", "Nothing changed. ", key="step"), state.problem)]
    step = f"Step {state.snapshot['step']}."
    if state.changed_setting:
        step = "Replayed."
    return [
        el("p", el("strong", step, key="step"), " ", el("b", f"{WAY[layout]}."), " ", text, key=layout)
        if index == 0
        else el("p", el("b", f"{WAY[layout]}."), " ", text, key=layout)
        for index, (layout, text) in enumerate(_happenings(state))
    ]


def _happenings(state: State) -> list[tuple[LayoutName, str]]:
    layouts: tuple[LayoutName, ...] = ("contiguous", "paged")
    if not state.changed_setting:
        return [(layout, happened(layout, state.last[layout], state.snapshot)) for layout in layouts]
    return [(layout, _after_replay(layout, state.snapshot)) for layout in layouts]


def _after_replay(layout: LayoutName, snapshot: Snapshot) -> str:
    settings, counters = snapshot["settings"], snapshot[layout]["counters"]
    if layout == "contiguous":
        setting = f"Each chat reserves {counted(settings['reserve'], 'slot')}"
    else:
        setting = f"Blocks have {counted(settings['block_size'], 'slot')}"
    queue = snapshot[layout]["queue"]
    if queue:
        verb = "waits" if len(queue) == 1 else "wait"
        return f"{setting}. {listed(queue)} {verb}; {counted(counters['empty'], 'slot')} held and empty."
    count = len(snapshot["seats"])
    everyone = f"All {count} chats fit" if count > 1 else "It fits"
    return f"{setting}. {everyone}; {counted(counters['empty'], 'slot')} held and empty."
