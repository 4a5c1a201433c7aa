"""The chats: a card for each with its block table and its buttons, a new one, and the bar of a phone.

Example:
    >>> from widget.session import Session
    >>> Session().frame()["regions"]["chats"].count("<article")
    3
"""

from functools import lru_cache
from typing import Any

from figures.markup import Element, el
from figures.pool import owner_class, seats_of
from figures.words import counted, is_shared_with_room
from pagedkv.snapshot import ContiguousChat, PagedChat
from widget.parts.pieces import button, chip
from widget.state import State


def cards(state: State) -> list[Element]:
    """Return a card for each chat, and a place to start another.

    >>> from widget.session import Session
    >>> "New chat D" in Session().frame()["regions"]["chats"]
    True
    """
    snapshot = state.snapshot
    seats = seats_of(snapshot)
    found = [
        _card(old, new, seats[new["chat"]], state)
        for old, new in zip(snapshot["contiguous"]["chats"], snapshot["paged"]["chats"], strict=True)
    ]
    if not found:
        nobody = "No chat is left, and every slot is free. Start one, or reset."
        found = [el("p", nobody, key="nobody", class_="kv-nobody")]
    return [*found, _new_chat(state)]


def bar(state: State) -> list[Element]:
    """Return the bar at a phone's lower edge: choose a chat, then act on it.

    >>> from widget.session import Session
    >>> Session().frame()["regions"]["bar"].count("aria-pressed")
    3
    """
    chats = state.snapshot["paged"]["chats"]
    seats = seats_of(state.snapshot)
    if state.selected is None:
        return []
    choices = [
        button(
            [chat["chat"], el("small", str(_tokens(chat)))],
            {"type": "select", "chat": chat["chat"]},
            f"{chat['chat']} {counted(_tokens(chat), 'token')}, choose",
            class_=owner_class(seats[chat["chat"]]),
            pressed=chat["chat"] == state.selected,
        )
        for chat in chats
    ]
    main, *others = _actions(state.selected, state.next_name)
    return [
        el("div", choices, class_="kv-choice", role="group", aria_label="Chat"),
        main,
        el("details", el("summary", "More"), el("div", others), class_="kv-menu"),
    ]


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
            [
                chip(block, is_fresh=block in taken, owner=owner, place="table", is_stop=number == 0)
                for number, block in enumerate(new["table"])
            ],
            class_="kv-table",
            aria_label=f"Block table of {chat}",
        )
        if new["table"]
        else el("p", "no block yet", class_="kv-table"),
        el("p", _note(old, new, state), class_="kv-note"),
        el("div", _actions(chat, state.next_name), class_="kv-row"),
        key=f"chat-{chat}",
        class_=f"kv-chat {owner}",
        aria_label=f"Chat {chat}",
        data_link=f"chat-{chat}",
    )


@lru_cache(maxsize=256)
def _actions(chat: str, next_name: str) -> tuple[Element, ...]:
    """Return what can be done with a chat, the first thing first. The same in nearly every frame, so kept."""
    return (
        button("+4 tokens", _append(chat, 4), f"+4 tokens, chat {chat}", class_="kv-main"),
        button("+1", _append(chat, 1), f"+1 token, chat {chat}"),
        button("Generate", {"type": "generate", "chat": chat}, f"Generate until it stops, chat {chat}"),
        button("Fork", {"type": "fork", "chat": chat}, f"Fork chat {chat} as {next_name}"),
        button(
            "Finish",
            {"type": "operation", "operation": {"op": "finish", "chat": chat}},
            f"Finish chat {chat}",
        ),
    )


def _new_chat(state: State) -> Element:
    return el(
        "div",
        el(
            "label",
            "Prompt of ",
            el(
                "input",
                type="number",
                min=1,
                max=state.snapshot["settings"]["num_slots"],
                value=6,
                required=True,
                inputmode="numeric",
                data_field="tokens",
                aria_label="Tokens in the prompt of a new chat",
            ),
            " tokens",
        ),
        button(f"New chat {state.next_name}", {"type": "arrive"}, f"New chat {state.next_name}"),
        key="new",
        class_="kv-new",
        data_form=True,
    )


def _tokens(chat: PagedChat) -> int:
    return chat["tokens"] if chat["state"] == "running" else chat["wanted"]


def _note(old: ContiguousChat, new: PagedChat, state: State) -> str:
    """Say how the chat stands where that is not plain from its table, the new way first."""
    snapshot, chat = state.snapshot, new["chat"]
    asked = next(seat["asked"] for seat in snapshot["seats"] if seat["chat"] == chat)
    paged, notes = snapshot["paged"], []
    if new["state"] == "running":
        room, last = len(new["table"]) * paged["block_size"] - new["tokens"], new["table"][-1]
        notes.append(
            f"{counted(room, 'slot')} left in block {last}" if room else f"its last block, {last}, is full"
        )
        if is_shared_with_room(chat, paged):
            notes[-1] += ", which is shared"
        if new["tokens"] < asked:
            refused = counted(asked - new["tokens"], "token")
            notes.append(f"{refused} refused in the new way: no block was free")
    elif new["state"] == "waiting":
        free = f"{counted(len(paged['free_list']), 'block')} free"
        if new["wanted"] > paged["num_slots"]:
            free = f"more than the {paged['num_slots']} slots there are, so it can never fit"
        notes.append(f"waits in the new way with {counted(new['wanted'], 'token')}: {free}")
    else:
        notes.append("not there in the new way: its copy was refused")
    if old["state"] == "waiting":
        hole = snapshot["contiguous"]["counters"]["largest_hole"]
        held = f" with {counted(old['wanted'], 'token')}" if old["wanted"] != _tokens(new) else ""
        needs = f"longest hole {hole}, needs {old['size']}"
        if old["size"] > snapshot["contiguous"]["num_slots"]:
            needs = f"it needs {old['size']} in a row, more than there are, so it can never fit"
        notes.append(f"waits in the old way{held}: {needs}")
    elif old["state"] == "absent":
        notes.append("not there in the old way: its copy was refused")
    elif old["tokens"] < asked:
        notes.append(f"cut off in the old way at {counted(old['tokens'], 'token')}")
    return "; ".join(notes)


def _append(chat: str, tokens: int) -> dict[str, Any]:
    return {"type": "operation", "operation": {"op": "append", "chat": chat, "tokens": tokens}}
