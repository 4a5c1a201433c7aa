"""What a picture of a pool shows, before it has a place: cells, one per slot, and frames around runs of them.

Example:
    >>> from pagedkv.scenarios import START
    >>> scene = paged_scene(START.run()[0].snapshot()["paged"])
    >>> scene.cells[8], scene.cells[11], scene.cells[63]
    (Cell(owners=('B',), filled=True), Cell(owners=('B',), filled=False), Cell(owners=(), filled=False))
    >>> scene.frames[2]
    Frame(start=8, size=4, owners=('B',), label='2', centred=True)

Both layouts become the same two lists, so one routine draws both.
"""

from typing import NamedTuple

from pagedkv.snapshot import ContiguousSnapshot, PagedSnapshot


class Cell(NamedTuple):
    """A slot: who holds it, nobody if it is free, and whether a token lies in it."""

    owners: tuple[str, ...]
    filled: bool


class Frame(NamedTuple):
    """A run of slots that belong together, and the label above it; without an owner it gets no line."""

    start: int
    size: int
    owners: tuple[str, ...]
    label: str
    centred: bool


class Scene(NamedTuple):
    """Cells in the order of slots, and frames in the order of their start."""

    cells: list[Cell]
    frames: list[Frame]


def contiguous_scene(snapshot: ContiguousSnapshot) -> Scene:
    """Return the scene of the contiguous layout: one frame per reservation.

    >>> from pagedkv.scenarios import START
    >>> contiguous_scene(START.run()[0].snapshot()["contiguous"]).frames[0]
    Frame(start=0, size=24, owners=('A',), label='A reserves 24', centred=False)
    """
    cells = [Cell((), filled=False)] * snapshot["num_slots"]
    frames = []
    for chat in snapshot["chats"]:
        start, owners = chat["start"], (chat["chat"],)
        if start is None:
            continue
        for position in range(chat["size"]):
            cells[start + position] = Cell(owners, filled=position < chat["tokens"])
        label = f"{chat['chat']} reserves {chat['size']}"
        frames.append(Frame(start, chat["size"], owners, label, centred=False))
    return Scene(cells, sorted(frames))


def paged_scene(snapshot: PagedSnapshot, *, show_counts: bool = False) -> Scene:
    """Return the scene of the paged layout: one frame per block, labelled with its number.

    A reference count is added to the label where a block is shared, or everywhere with `show_counts`.

    >>> from pagedkv.scenarios import PREFIX_SHARING
    >>> paged_scene(PREFIX_SHARING.run(2)[0].snapshot()["paged"]).frames[0]
    Frame(start=0, size=4, owners=('S1', 'S2'), label='0 · refs 2', centred=True)
    """
    size = snapshot["block_size"]
    cells = [Cell((), filled=False)] * snapshot["num_slots"]
    owners_of_block: dict[int, tuple[str, ...]] = {}
    for chat in snapshot["chats"]:
        for logical, block in enumerate(chat["table"]):
            owners = (*owners_of_block.get(block, ()), chat["chat"])
            owners_of_block[block] = owners
            for offset in range(size):
                filled = logical * size + offset < chat["tokens"]
                cells[block * size + offset] = Cell(owners, filled)
    frames = []
    for block, count in enumerate(snapshot["ref_count"]):
        label = f"{block} · refs {count}" if count > 1 or (show_counts and count) else str(block)
        frames.append(Frame(block * size, size, owners_of_block.get(block, ()), label, centred=True))
    return Scene(cells, frames)
