"""Figure 5: two chats share the blocks of one start, and the first write copies the block that has room.

>>> figure().caption.split(". ")[0]
'S1 and S2 share blocks 0 and 1'
"""

from figures.pool import paged_scene, seats_of
from figures.sheet import Figure, Sheet
from figures.words import described, happened, numbered, ranged
from pagedkv.scenarios import PREFIX_SHARING

TALL = 30  # units: room for two letters above each other


def figure() -> Figure:
    """Run the scenario step by step, and return the figure of all its states.

    >>> figure().name
    'prefix-sharing'
    """
    count = len(PREFIX_SHARING.operations)
    runs = [PREFIX_SHARING.run(step) for step in range(1, count + 1)]
    snapshots = [model.snapshot() for model, _ in runs]
    events = [steps[-1]["paged"] for _, steps in runs]
    sayings = [happened("paged", event, snapshot) for event, snapshot in zip(events, snapshots, strict=True)]

    def paint(sheet: Sheet) -> None:
        for number, (snapshot, event, saying) in enumerate(zip(snapshots, events, sayings, strict=True), 1):
            paged, seats = snapshot["paged"], seats_of(snapshot)
            sheet.words(f"{number}. {saying}")
            written = event[0]["slots"] if event[0]["kind"] == "wrote" else []
            sheet.pool(
                paged_scene(paged, show_counts=True),
                seats,
                block_size=paged["block_size"],
                fresh=written,
                slot_height=TALL,
                prefix=f"{number}-",
            )
            sheet.gap(3)
            for chat in paged["chats"]:
                table = [str(block) for block in chat["table"]]
                copies = event[0]["copies"] if chat["chat"] == event[0]["chat"] else []
                marked = {str(block) for _, block in copies}
                sheet.chips(f"{chat['chat']}'s table", table, marked=marked, seat=seats[chat["chat"]])
            sheet.words(f"free list: {ranged(paged['free_list'])}", "soft")
            sheet.gap(8)
        sheet.words("refs: reference count, how many tables name the block", "soft")
        sheet.legend()

    shared = snapshots[1]["paged"]
    parent, child = (chat["chat"] for chat in shared["chats"])
    source, copy = next(pair for event in events for pair in event[0]["copies"])
    still = [block for block, refs in enumerate(snapshots[-1]["paged"]["ref_count"]) if refs > 1]
    return Figure(
        number=5,
        name="prefix-sharing",
        scenario=PREFIX_SHARING.name,
        title="A shared start, and copy-on-write",
        caption=(
            f"{parent} and {child} share {numbered('block', shared['chats'][0]['table'])}. {parent}'s next "
            f"token needs the room in block {source}, so {parent} gets a copy, block {copy}; {child} then "
            f"has block {source} to itself. {numbered('Block', still)} is full and stays shared."
        ),
        description=" ".join(
            f"Step {number}. {saying} {described('paged', snapshot)}"
            for number, (saying, snapshot) in enumerate(zip(sayings, snapshots, strict=True), 1)
        ),
        paint=paint,
    )
