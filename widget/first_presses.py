"""What a reader presses first: the ways that the build records, from how the widget opens.

Example:
    >>> ways = list(first_presses())
    >>> [{"type": "reset"}] in ways, max(map(len, ways))
    (True, 3)

Every press that the opened widget offers is there, then what most readers do next: let chats write, draw a
slider back and forth and let a chat write, walk through a scenario. So is each link to a step of a scenario,
and each that any of these ways leaves in the address of a page, which may be loaded again.
"""

from collections.abc import Iterable, Iterator
from itertools import product

from pagedkv.scenarios import SCENARIOS, START
from widget.link import written
from widget.recording import Command, Way
from widget.session import Session
from widget.sliders import SLIDERS
from widget.story import Story

_CHATS = "ABC"


def first_presses() -> Iterator[Way]:
    """Yield the ways that are worth recording.

    >>> sum(1 for _ in first_presses()) > 500
    True
    """
    ways = [[{"type": "reset"}], *_of_chats(), *_of_sliders(), *_of_scenarios()]
    yield from ways
    yield from _loaded_again(ways)


def _of_chats() -> Iterator[Way]:
    more = [_append(chat, tokens) for tokens in (4, 1) for chat in _CHATS]
    others = [
        *(command for chat in _CHATS for command in (_generate(chat), _fork(chat), _finish(chat))),
        *({"type": "select", "chat": chat} for chat in _CHATS),
        {"type": "arrive", "tokens": 6},
    ]
    for first in (*more, *others):
        yield [first]
        yield [first, {"type": "reset"}]
        yield from ([first, opened] for opened in _scenarios())
        yield from ([first, second] for second in more if _is_there(second, after=first))
    for chat in _CHATS:
        again = _append(chat, 4)
        yield [again, again, again]


def _of_sliders() -> Iterator[Way]:
    places = {
        name: [
            {"type": "setting", "name": name, "position": position}
            for position in range(slider.first, slider.first + len(slider.values))
        ]
        for name, slider in SLIDERS.items()
    }
    for reserve, block_size in product(places["reserve"], places["block_size"]):
        yield [reserve, block_size]
        yield [block_size, reserve]
    yield from ([reserve, _append("A", 4)] for reserve in places["reserve"])
    for place in (*places["reserve"], *places["block_size"]):
        yield [place, {"type": "reset"}]
    yield from ([size, _append(chat, 4)] for size in places["block_size"] for chat in _CHATS)


def _of_scenarios() -> Iterator[Way]:
    for step, by in product(range(len(START.operations) + 1), (-1, 1)):
        yield [{"type": "step", "to": step}, {"type": "step", "by": by}]
    yield from ([{"type": "step", "by": by}] for by in (-1, 1))
    for name, scenario in SCENARIOS.items():
        for step in range(len(scenario.operations) + 1):
            yield [_open(Story.of(name).at(step))]
        seats = scenario.run(scenario.opens_at)[0].seat_of_chat
        opened: Command = {"type": "scenario", "name": name}
        for way_in in (opened, _open(Story.of(name)), {"type": "open", "link": f"v=1&scenario={name}"}):
            yield from ([way_in, _append(chat, 4)] for chat in seats)
        yield [opened, {"type": "reset"}]
        yield from ([opened, other] for other in _scenarios())
        yield from ([opened, {"type": "step", "by": by}] for by in (-1, 1))
        for step, by in product(range(len(scenario.operations) + 1), (-1, 1)):
            yield [opened, {"type": "step", "to": step}, {"type": "step", "by": by}]


def _loaded_again(ways: Iterable[Way]) -> Iterator[Way]:
    """Yield how a page opens that is loaded again: its address holds what each of these ways has led to."""
    links = set()
    for way in ways:
        session = Session()
        for command in way:
            session.carry_out(command)
        links.add(written(session.story))
    yield from ([{"type": "open", "link": link}] for link in sorted(links))


def _is_there(command: Command, after: Command) -> bool:
    finished = after.get("operation", {}).get("op") == "finish"
    return not finished or after["operation"]["chat"] != command["operation"]["chat"]


def _scenarios() -> list[Command]:
    return [{"type": "scenario", "name": name} for name in SCENARIOS]


def _open(story: Story) -> Command:
    return {"type": "open", "link": written(story)}


def _append(chat: str, tokens: int) -> Command:
    return {"type": "operation", "operation": {"op": "append", "chat": chat, "tokens": tokens}}


def _fork(chat: str) -> Command:
    return {"type": "fork", "chat": chat}


def _finish(chat: str) -> Command:
    return {"type": "operation", "operation": {"op": "finish", "chat": chat}}


def _generate(chat: str) -> Command:
    return {"type": "generate", "chat": chat}
