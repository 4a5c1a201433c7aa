"""What happened, in words.

Example:
    >>> from widget.session import Session
    >>> Session().frame()["regions"]["caption"][:58]
    '<p data-key="contiguous"><strong data-key="step">Step 3.</'
"""

from figures.markup import Element, el
from figures.words import WAY, LayoutName, counted, happened, listed, slot_in_words
from pagedkv.snapshot import Snapshot
from widget.state import State

_LAYOUTS: tuple[LayoutName, ...] = ("contiguous", "paged")


def caption(state: State) -> str:
    """Return what happened last as one line of text, for those who hear it: only what changed.

    >>> from widget.session import Session
    >>> Session().frame()["caption"][:43]
    'Old way: C arrives with 5 tokens and needs '
    """
    if state.problem:
        return f"Nothing changed. {state.problem}"
    lines = [f"{WAY[layout]}: {text}" for layout, text in _happenings(state)]
    return " ".join([*lines, *_dropped(state)])


def looked(state: State) -> str:
    """Return the slot that a reader looks at, in words, or nothing.

    >>> from widget.session import Session
    >>> Session().dispatch({"type": "look", "layout": "paged", "slot": 63})["looked"]
    'Slot 63, physical block 15: free. The block is number 11 on the free list.'
    """
    return slot_in_words(state.look[0], state.snapshot, state.look[1]) if state.look else ""


def paragraphs(state: State) -> list[Element]:
    """Return the caption as it stands on the page: the step, what each layout did, and what was refused."""
    step = f"Step {state.snapshot['step']}."
    if state.changed_setting:
        step = f"The same {counted(state.snapshot['step'], 'step')}, replayed."
    lines = [
        el(
            "p",
            *((el("strong", step, key="step"), " ") if index == 0 else ()),
            el("b", f"{WAY[layout]}."),
            " ",
            text,
            key=layout,
        )
        for index, (layout, text) in enumerate(_happenings(state))
    ]
    lines += [el("p", text, key="dropped") for text in _dropped(state)]
    if state.problem:
        lines.append(el("p", el("strong", "Nothing changed."), " ", state.problem, key="problem"))
    return lines


def _dropped(state: State) -> list[str]:
    if not state.dropped:
        return []
    are, them = ("is", "it") if state.dropped == 1 else ("are", "them")
    later = counted(state.dropped, "later step")
    return [f"You acted in the past: {later} {are} dropped. Undo brings {them} back."]


def _happenings(state: State) -> list[tuple[LayoutName, str]]:
    if state.changed_setting:
        layout: LayoutName = "contiguous" if state.changed_setting == "reserve" else "paged"
        return [(layout, _after_replay(layout, state))]
    if state.snapshot["step"] == 0:
        return [(layout, _at_the_start(layout, state.snapshot)) for layout in _LAYOUTS]
    return [(layout, happened(layout, state.last[layout], state.snapshot)) for layout in _LAYOUTS]


def _at_the_start(layout: LayoutName, snapshot: Snapshot) -> str:
    if layout == "contiguous":
        return f"Nobody is there yet. {counted(snapshot['contiguous']['num_slots'], 'slot')} are free."
    paged = snapshot["paged"]
    blocks = counted(paged["num_blocks"], "block")
    return f"Nobody is there yet. The free list holds {blocks} of {counted(paged['block_size'], 'slot')}."


def _after_replay(layout: LayoutName, state: State) -> str:
    snapshot = state.snapshot
    settings, counters = snapshot["settings"], snapshot[layout]["counters"]
    if layout == "contiguous":
        who = "Each chat that asks for no other size" if state.story.own_reservations else "Each chat"
        setting = f"{who} reserves {counted(settings['reserve'], 'slot')}"
    else:
        setting = f"Blocks have {counted(settings['block_size'], 'slot')}"
    empty = f"Held and empty: {counted(counters['empty'], 'slot')}"
    return " ".join([f"{setting}.", *_who_fits(layout, snapshot), f"{empty}."])


def _who_fits(layout: LayoutName, snapshot: Snapshot) -> list[str]:
    """Return sentences on who waits, who is in, and who could not write all that was asked."""
    queue, count = snapshot[layout]["queue"], len(snapshot["seats"])
    if queue:
        sentences = [f"{listed(queue)} {'waits' if len(queue) == 1 else 'wait'}."]
    else:
        words = {0: "No chat is there.", 1: "The chat is in.", 2: "Both chats are in."}
        sentences = [words.get(count, f"All {count} chats are in.")]
    asked = {seat["chat"]: seat["asked"] for seat in snapshot["seats"]}
    for chat in snapshot[layout]["chats"]:
        if chat["state"] == "running" and chat["tokens"] < asked[chat["chat"]]:
            total = counted(asked[chat["chat"]], "token")
            sentences.append(f"{chat['chat']} holds only {chat['tokens']} of {total}.")
    return sentences
