"""The contract between the model and everything that draws it: plain JSON, version 1.

A *snapshot* is a state of memory, an *event* is what one operation did to one layout. Both hold only
numbers, strings, lists and objects, so that they can be recorded, sent to another thread, and drawn
without this package. A change that a reader of version 1 could misread makes a new version.

Slots are numbered 0 .. num_slots - 1 through the pool; slot s of the paged layout is offset s % block_size of
physical block s // block_size.
"""

from typing import Literal, TypedDict

VERSION: Literal[1] = 1

ChatState = Literal["running", "waiting", "absent"]  # absent: its fork was refused in this layout


class Counters(TypedDict):
    """How the pool stands, in slots; `waiting` counts chats."""

    used: int  # hold a token, each physical slot counted once
    empty: int  # belong to a chat and hold none
    free: int
    largest_hole: int  # the longest run that could be handed out; any free block will do, so paged: all free
    waiting: int


class ContiguousChat(TypedDict):
    """A chat in the contiguous layout."""

    chat: str
    state: ChatState
    tokens: int  # written
    wanted: int  # asked for; more than written while it waits, or when its reply was cut off
    start: int | None  # first slot of its reservation
    size: int  # slots it reserves, or would


class ContiguousSnapshot(TypedDict):
    """The contiguous layout."""

    num_slots: int
    chats: list[ContiguousChat]
    queue: list[str]
    holes: list[list[int]]  # [start, size]
    counters: Counters


class PagedChat(TypedDict):
    """A chat in the paged layout."""

    chat: str
    state: ChatState
    tokens: int
    wanted: int
    table: list[int]  # logical block -> physical block


class PagedSnapshot(TypedDict):
    """The paged layout."""

    num_slots: int  # in whole blocks
    block_size: int
    num_blocks: int
    chats: list[PagedChat]
    queue: list[str]
    ref_count: list[int]
    free_list: list[int]  # the next to be handed out comes first
    counters: Counters


class Seat(TypedDict):
    """A chat that is there in either layout, the number that picks its colour, and the tokens asked of it."""

    chat: str
    seat: int
    asked: int


class SettingsRecord(TypedDict):
    """The settings as recorded."""

    num_slots: int
    reserve: int
    block_size: int


class Snapshot(TypedDict):
    """Both layouts after `step` operations."""

    v: Literal[1]
    step: int
    settings: SettingsRecord
    seats: list[Seat]
    contiguous: ContiguousSnapshot
    paged: PagedSnapshot


EventKind = Literal[
    "admitted",  # got its memory; tokens were written into slots
    "queued",  # arrived and waits
    "wrote",  # tokens were written into slots, perhaps fewer than asked
    "wants_more",  # waits, and its demand grew by tokens
    "finished",  # gave back blocks, or its run
    "left_queue",  # finished while it waited
    "forked",  # a copy of parent came to be
    "refused",  # nothing changed
]
Reason = Literal[
    "cut_off",  # the reservation is full
    "out_of_blocks",
    "no_hole",  # no run of free slots is long enough
    "behind",  # others wait already, and nobody overtakes
    "parent_waits",
    "absent",  # its fork was refused in this layout earlier, or the parent's was
]


class Event(TypedDict):
    """What happened to one chat in one layout. Fields that a kind does not need are empty."""

    kind: EventKind
    chat: str
    parent: str | None
    asked: int  # tokens asked for
    tokens: int  # tokens written, or held on arrival or fork
    slots: list[int]  # written, in order
    blocks: list[int]  # paged: taken from the free list, given back to it, or shared by a fork
    copies: list[list[int]]  # paged: [from, to] of each copy-on-write
    run: list[int] | None  # contiguous: [start, size]
    needs: int  # queued: slots in a row (contiguous), or blocks (paged)
    from_queue: bool
    reason: Reason | None
