"""Figure 1: the same three chats in the same 20 slots, reserved for and in blocks.

>>> figure().caption
'Old way: 8 slots are held and empty, and chat 3 waits. New way: all three fit, and 2 slots are empty.'
"""

from figures.pool import contiguous_scene, paged_scene, seats_of
from figures.sheet import Figure, Sheet
from figures.words import counted, described
from pagedkv.scenarios import RESERVE_VS_BLOCKS


def figure() -> Figure:
    """Run the scenario to its end, and return the figure of both layouts.

    >>> figure().name
    'reserve-vs-blocks'
    """
    snapshot = RESERVE_VS_BLOCKS.run()[0].snapshot()
    old, new = snapshot["contiguous"], snapshot["paged"]
    seats = seats_of(snapshot)
    waiting = old["queue"][0]

    def paint(sheet: Sheet) -> None:
        sheet.words(f"Old way: {RESERVE_VS_BLOCKS.settings.reserve} slots reserved per chat", "strong")
        sheet.pool(contiguous_scene(old), seats, block_size=new["block_size"], prefix="old-")
        sheet.words(
            f"chat {waiting} waits: the longest hole has {old['counters']['largest_hole']} slots", "warn"
        )
        sheet.gap(8)
        sheet.words(f"New way: blocks of {new['block_size']}, handed out on demand", "strong")
        sheet.pool(paged_scene(new), seats, block_size=new["block_size"], prefix="new-")
        for chat in new["chats"]:
            blocks = [str(block) for block in chat["table"]]
            sheet.chips(f"chat {chat['chat']} in blocks", blocks, seat=seats[chat["chat"]])
        sheet.legend()

    return Figure(
        number=1,
        name="reserve-vs-blocks",
        scenario=RESERVE_VS_BLOCKS.name,
        title="Reserving against handing out blocks",
        caption=(
            f"Old way: {counted(old['counters']['empty'], 'slot')} are held and empty, and chat {waiting} "
            f"waits. New way: all three fit, and {counted(new['counters']['empty'], 'slot')} are empty."
        ),
        description=f"{described('contiguous', snapshot)} {described('paged', snapshot)}",
        paint=paint,
    )
