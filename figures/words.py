"""Plain words for what happened and for what a picture shows. Every sentence about memory is made here.

Example:
    >>> from pagedkv.scenarios import WORKED_EXAMPLE
    >>> model, steps = WORKED_EXAMPLE.run(5)
    >>> happened("paged", steps[-1]["paged"], model.snapshot())
    'A writes token 8. Its last block is full, so block 5 leaves the free list.'

Sentences say cause and effect. They take what they say from events and snapshots, and know no rule of memory.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from pagedkv.snapshot import ContiguousSnapshot, Event, PagedSnapshot, Snapshot

LayoutName = Literal["contiguous", "paged"]
WAY = {"contiguous": "Old way", "paged": "New way"}


def counted(count: int, noun: str) -> str:
    """Return a count with its noun in the right number.

    >>> counted(1, "slot"), counted(1200, "slot")
    ('1 slot', '1,200 slots')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def listed(words: Sequence[str]) -> str:
    """Return words as a list in a sentence.

    >>> listed(["A"]), listed(["A", "B"]), listed(["A", "B", "C"])
    ('A', 'A and B', 'A, B and C')
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def ranged(numbers: Iterable[int]) -> str:
    """Return whole numbers in their order, with runs of three and more drawn together.

    >>> ranged([0, 1, 2, 5]), ranged([7, 2, 6]), ranged([3, 4])
    ('0 to 2 and 5', '7, 2 and 6', '3 and 4')
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    words: list[str] = []
    for run in runs:
        words += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else [str(number) for number in run]
    return listed(words)


def numbered(noun: str, numbers: Sequence[int]) -> str:
    """Return a noun with the numbers of its things.

    >>> numbered("block", [5]), numbered("block", [0, 1])
    ('block 5', 'blocks 0 and 1')
    """
    return f"{noun}{'' if len(numbers) == 1 else 's'} {ranged(numbers)}"


def happened(layout: LayoutName, events: Sequence[Event], snapshot: Snapshot) -> str:
    """Return what one operation did to one layout, and why, in plain words.

    >>> from pagedkv.scenarios import START
    >>> model, steps = START.run()
    >>> happened("contiguous", steps[-1]["contiguous"], model.snapshot())
    'C arrives with 5 tokens and needs 24 slots in a row. The longest hole has 16, so C waits.'
    """
    say = _contiguous if layout == "contiguous" else _paged
    return " ".join(say(event, snapshot) for event in events)


def waits(snapshot: ContiguousSnapshot | PagedSnapshot) -> str:
    """Return who waits, or nothing.

    >>> from pagedkv.scenarios import START
    >>> waits(START.run()[0].snapshot()["contiguous"])
    'C waits'
    """
    queue = snapshot["queue"]
    return f"{listed(queue)} wait{'s' if len(queue) == 1 else ''}" if queue else ""


def described(layout: LayoutName, snapshot: Snapshot) -> str:
    """Return a picture of a layout in words: who holds what, what is free, and who waits.

    >>> from pagedkv.scenarios import START
    >>> described("paged", START.run()[0].snapshot())[:75]
    'New way. 64 slots in 16 blocks of 4. A holds 6 tokens in blocks 0 and 1. B '
    """
    if layout == "contiguous":
        return _described_contiguous(snapshot["contiguous"])
    return _described_paged(snapshot["paged"])


def slot_in_words(layout: LayoutName, snapshot: Snapshot, slot: int) -> str:
    """Return what one slot is: where it lies, whose it is, and the way from a token's position to it.

    >>> from pagedkv.scenarios import WORKED_EXAMPLE
    >>> snapshot = WORKED_EXAMPLE.run(5)[0].snapshot()
    >>> slot_in_words("paged", snapshot, 20)
    "Slot 20, physical block 5: A's token 8. Position 8 is logical block 2, slot 0; A's table says block 5."
    >>> slot_in_words("contiguous", snapshot, 11)
    'Slot 11: reserved by A and empty.'
    """
    if layout == "contiguous":
        return f"Slot {slot}: {_contiguous_slot(snapshot['contiguous'], slot)}"
    paged = snapshot["paged"]
    size = paged["block_size"]
    block, offset = divmod(slot, size)
    where = f"Slot {slot}, physical block {block}"
    places = [(chat, chat["table"].index(block)) for chat in paged["chats"] if block in chat["table"]]
    if not places:
        place = paged["free_list"].index(block) + 1
        return f"{where}: free. The block is number {place} on the free list."
    owners = listed([chat["chat"] for chat, _ in places])
    chat, logical = places[0]
    position = logical * size + offset
    if position >= chat["tokens"]:
        return f"{where}: {owners} {'holds' if len(places) == 1 else 'hold'} the block, this slot is empty."
    walk = f"Position {position} is logical block {logical}, slot {offset}"
    if len(places) == 1:
        return f"{where}: {owners}'s token {position}. {walk}; {owners}'s table says block {block}."
    return f"{where}: token {position} of {owners}, who share it. {walk}; each table says block {block}."


def _contiguous_slot(state: ContiguousSnapshot, slot: int) -> str:
    for chat in state["chats"]:
        start = chat["start"]
        if start is not None and start <= slot < start + chat["size"]:
            position = slot - start
            if position < chat["tokens"]:
                return f"{chat['chat']}'s token {position}: its reservation starts at slot {start}."
            return f"reserved by {chat['chat']} and empty."
    return "free."


def _described_contiguous(state: ContiguousSnapshot) -> str:
    sentences = [f"Old way. {counted(state['num_slots'], 'slot')} in one stretch."]
    for chat in state["chats"]:
        if chat["start"] is not None:
            last = chat["start"] + chat["size"] - 1
            sentences.append(
                f"{chat['chat']} reserves slots {chat['start']} to {last} "
                f"and holds {counted(chat['tokens'], 'token')}."
            )
    holes = [numbered("slot", range(start, start + size)) for start, size in state["holes"]]
    sentences.append(f"Free: {listed(holes)}." if holes else "No slot is free.")
    sentences.extend(
        f"{chat['chat']} waits for {counted(chat['size'], 'slot')} in a row."
        for chat in state["chats"]
        if chat["state"] == "waiting"
    )
    return " ".join(sentences)


def _described_paged(state: PagedSnapshot) -> str:
    blocks = f"{counted(state['num_blocks'], 'block')} of {state['block_size']}"
    sentences = [f"New way. {counted(state['num_slots'], 'slot')} in {blocks}."]
    sentences.extend(
        f"{chat['chat']} holds {counted(chat['tokens'], 'token')} in {numbered('block', chat['table'])}."
        for chat in state["chats"]
        if chat["table"]
    )
    shared = [block for block, count in enumerate(state["ref_count"]) if count > 1]
    if shared:
        sentences.append(f"Shared: {numbered('block', shared)}.")
    free = state["free_list"]
    sentences.append(f"Free list: {ranged(free)}." if free else "No block is free.")
    sentences.extend(
        f"{chat['chat']} waits with {counted(chat['wanted'], 'token')}."
        for chat in state["chats"]
        if chat["state"] == "waiting"
    )
    return " ".join(sentences)


def _contiguous(event: Event, snapshot: Snapshot) -> str:
    chat, kind = event["chat"], event["kind"]
    state = snapshot["contiguous"]
    size = next((entry["size"] for entry in state["chats"] if entry["chat"] == chat), 0)
    tokens = counted(event["tokens"], "token")
    if kind == "admitted" and event["run"]:
        start, length = event["run"]
        asked = counted(event["asked"], "token")
        lead = f"{chat} no longer waits: it" if event["from_queue"] else f"{chat} arrives with {asked} and"
        empty = length - event["tokens"]
        rest = f"{empty} of them still empty" if empty else "all of them in use"
        return f"{lead} reserves slots {start} to {start + length - 1}, {rest}.{_cut_off(event, length)}"
    if kind == "queued":
        lead = f"{chat} arrives with {counted(event['asked'], 'token')}"
        if event["reason"] == "behind":
            return f"{lead}. Others wait already, and nobody overtakes, so {chat} waits behind them."
        lead = f"{lead} and needs {counted(event['needs'], 'slot')} in a row"
        if event["needs"] > state["num_slots"]:
            return f"{lead}. The pool has {state['num_slots']}, so {chat} can never fit, and waits."
        hole = state["counters"]["largest_hole"]
        longest = f"The longest hole has {hole}" if hole else "No slot is free"
        return f"{lead}. {longest}, so {chat} waits."
    if kind == "wrote":
        if not event["slots"]:
            return f"{chat} writes nothing.{_cut_off(event, size)}"
        slots = numbered("slot", event["slots"])
        return f"{chat} writes {tokens} into {slots}, in its reservation.{_cut_off(event, size)}"
    if kind == "wants_more":
        lost = event["tokens"] - event["needs"]
        beyond = f" It may reserve {event['needs']}, so {lost} would be cut off." if lost > 0 else ""
        return f"{chat} still waits, now with {tokens}.{beyond}"
    if kind == "finished" and event["run"]:
        start, length = event["run"]
        return (
            f"{chat} finishes. Its whole reservation, slots {start} to {start + length - 1}, is free again."
        )
    if kind == "forked" and event["run"]:
        start, length = event["run"]
        return (
            f"{chat} copies {event['parent']}: it reserves slots {start} to {start + length - 1} "
            f"and {tokens} are written a second time."
        )
    return _both(event)


def _paged(event: Event, snapshot: Snapshot) -> str:
    chat, kind = event["chat"], event["kind"]
    tokens = counted(event["tokens"], "token")
    if kind == "admitted":
        taken = numbered("block", event["blocks"])
        leave = f"{taken} {'leaves' if len(event['blocks']) == 1 else 'leave'} the free list"
        if event["from_queue"]:
            return f"{chat} no longer waits: {leave} for its {tokens}."
        return f"{chat} arrives with {tokens}: {leave}."
    if kind == "queued":
        lead = f"{chat} arrives with {counted(event['asked'], 'token')}"
        if event["reason"] == "behind":
            return f"{lead}. Others wait already, and nobody overtakes, so {chat} waits behind them."
        return f"{lead}. {_too_few_blocks(event, snapshot['paged'])}, so {chat} waits."
    if kind == "wrote":
        return _paged_write(event, snapshot["paged"])
    if kind == "wants_more":
        has = snapshot["paged"]["num_blocks"]
        beyond = f" That is {event['needs']} blocks, and the pool has {has}: it can never fit."
        return f"{chat} still waits, now with {tokens}.{beyond if event['needs'] > has else ''}"
    if kind == "finished":
        if not event["blocks"]:
            return f"{chat} finishes. Its blocks are shared, so none goes back to the free list."
        go = "goes" if len(event["blocks"]) == 1 else "go"
        return f"{chat} finishes. {numbered('Block', event['blocks'])} {go} back to the free list."
    if kind == "forked":
        shared = numbered("block", event["blocks"])
        return f"{chat} starts as {event['parent']} and shares {shared}. No slot is copied."
    return _both(event)


def _paged_write(event: Event, state: PagedSnapshot) -> str:
    chat, size = event["chat"], state["block_size"]
    length = next((entry["tokens"] for entry in state["chats"] if entry["chat"] == chat), 0)
    first = length - event["tokens"]
    sentences = []
    for source, block in event["copies"]:
        sentences.append(
            f"{chat}'s last block, {source}, is shared and has room, "
            f"so it is copied to block {block} first (copy-on-write)."
        )
    new = [block for block in event["blocks"] if block not in [to for _, to in event["copies"]]]
    if event["tokens"]:
        sentences.insert(0, f"{chat} writes {numbered('token', range(first, length))}.")
    if new:
        leave = f"{numbered('block', new)} {'leaves' if len(new) == 1 else 'leave'} the free list"
        cause = "is full" if first % size == 0 else "fills up"
        sentences.append(f"Its last block {cause}, so {leave}." if first else f"{leave.capitalize()}.")
    elif event["tokens"] and not event["copies"]:
        block = event["slots"][0] // size
        sentences.append(f"Its last block, {block}, has room, so no block leaves the free list.")
    if event["reason"] == "out_of_blocks":
        sentences.append(_no_block(event, state, length))
    return " ".join(sentences)


def _no_block(event: Event, state: PagedSnapshot, length: int) -> str:
    """Say why no more was written: a last block that is full, or one with room that others share."""
    chat, refused = event["chat"], event["asked"] - event["tokens"]
    if event["tokens"]:
        rest = "the other token" if refused == 1 else f"the other {counted(refused, 'token')}"
        return f"No block is free for {rest}; nothing else changed."
    keeps = f"{chat} keeps its {counted(length, 'token')}; nothing changed."
    if is_shared_with_room(chat, state):
        last = next(entry["table"][-1] for entry in state["chats"] if entry["chat"] == chat)
        return f"Its last block, {last}, is shared and would be copied first, but no block is free. {keeps}"
    return f"No block is free. {keeps}"


def is_shared_with_room(chat: str, state: PagedSnapshot) -> bool:
    """Return whether a chat's next token would need a copy of its last block.

    >>> from pagedkv.scenarios import PREFIX_SHARING
    >>> [is_shared_with_room("S1", PREFIX_SHARING.run(step)[0].snapshot()["paged"]) for step in (1, 2, 3)]
    [False, True, False]
    """
    return any(
        entry["tokens"] % state["block_size"] > 0 and state["ref_count"][entry["table"][-1]] > 1
        for entry in state["chats"]
        if entry["chat"] == chat and entry["table"]
    )


def _too_few_blocks(event: Event, state: PagedSnapshot) -> str:
    free, needs = len(state["free_list"]), counted(event["needs"], "block")
    if event["needs"] > state["num_blocks"]:
        return f"It needs {needs} and the pool has {state['num_blocks']}: it can never fit"
    return f"It needs {needs} and {free or 'none'} {'is' if free < 2 else 'are'} free"


def _cut_off(event: Event, size: int) -> str:
    if event["reason"] != "cut_off":
        return ""
    lost = counted(event["asked"] - event["tokens"], "token")
    what = "prompt" if event["kind"] == "admitted" and not event["from_queue"] else "reply"
    return f" Its reservation of {size} is full: {lost} not written, the {what} is cut off."


def _both(event: Event) -> str:
    chat = event["chat"]
    if event["kind"] == "left_queue":
        return f"{chat} ends before it got any memory."
    if event["parent"] is None:
        return f"{chat} is not there: its copy was refused earlier."
    reason = {
        "no_hole": "No hole is long enough for a second reservation",
        "parent_waits": f"{event['parent']} still waits and holds nothing to copy",
        "absent": f"{event['parent']} is not there",
    }.get(event["reason"] or "", "It cannot be copied")
    return f"{reason}. {chat} is not started; nothing changed."
