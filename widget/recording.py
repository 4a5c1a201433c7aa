"""Frames for the presses that a reader makes before Python has arrived, recorded by running the same Python.

Example:
    >>> arrive = {"type": "arrive", "tokens": 6}
    >>> recording = record([[arrive], [arrive, arrive]])["narrow"]
    >>> len(recording.frames), sorted(recording.following[0])
    (3, ['{"type":"arrive","tokens":6}'])

A recording is a graph. A node is a picture of the widget; an edge is a command, as the page sends it. Two
ways to the same picture lead to the same node, so that a slider can be drawn back and forth. Node 0 is how
the widget opens. What is undone depends on the way and not on the picture: undo and redo are never recorded.
Which ways are recorded is said in `widget.first_presses`.

Regions are stored once each and named by number: most presses change few of them.
"""

import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from figures.views import VIEWS
from widget.link import written
from widget.parts.pieces import compact
from widget.session import Session
from widget.view import caption, regions
from widget.view import ways as drawn_ways

VERSION = 1
_PIECE = re.compile(r"[^>]*>|[^>]+")

Command = dict[str, Any]
Way = list[Command]


class RecordingBroken(Exception):
    """A recorded picture is not what Python draws."""


@dataclass
class Recording:
    """What a page of a view shows after presses.

    `frames` hold for each picture the number of each region's markup, in the order of `names`, and then its
    step, how many steps there are, the link and the caption. `following` has for each picture the commands
    that lead on, as JSON, and the number of the picture to which each leads.
    """

    view: str
    names: list[str]
    regions: list[str] = field(default_factory=list)
    frames: list[list[Any]] = field(default_factory=list)
    following: list[dict[str, int]] = field(default_factory=list)

    def packed(self) -> bytes:
        """Return the recording as a file: JSON, compressed here, since not every host would.

        Markup is cut after each tag into `pieces`, and a region is the numbers of its pieces: most pictures
        differ from others in a few slots.

        >>> json.loads(gzip.decompress(record([])["narrow"].packed()))["view"]
        'narrow'
        """
        pieces: dict[str, int] = {}
        regions = [
            [pieces.setdefault(piece, len(pieces)) for piece in _PIECE.findall(region)]
            for region in self.regions
        ]
        content = {"v": VERSION, **asdict(self), "pieces": list(pieces), "regions": regions}
        text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
        return gzip.compress(text.encode(), compresslevel=9, mtime=0)

    def picture(self, number: int) -> list[Any]:
        """Return a picture: the markup of each region, and the rest of its frame.

        >>> record([])["narrow"].picture(0)[-2]
        'v=1'
        """
        regions, rest = self.frames[number][: len(self.names)], self.frames[number][len(self.names) :]
        return [*(self.regions[region] for region in regions), *rest]


def record(ways: Iterable[Way]) -> dict[str, Recording]:
    """Return view -> what is shown on all ways, step by step.

    >>> len(record([])["narrow"].frames)
    1
    """
    recordings: dict[str, Recording] = {}
    number_of_picture: dict[tuple[str, ...], int] = {}
    number_of_way: dict[tuple[str, ...], int] = {}
    for way, pictures in _shown(ways):
        for name, (names, picture) in pictures.items():
            recording = recordings.setdefault(name, Recording(name, names))
            key = (name, *map(str, picture))
            if key not in number_of_picture:
                number_of_picture[key] = len(recording.frames)
                recording.frames.append(picture)
                recording.following.append({})
            here = number_of_way[name, *way] = number_of_picture[key]
            if way:
                recording.following[number_of_way[name, *way[:-1]]][way[-1]] = here
    for recording in recordings.values():
        _share_regions(recording)
    return recordings


def _share_regions(recording: Recording) -> None:
    """Store each region's markup once. Those of one region stand together, as a compressor likes them."""
    columns = range(len(recording.names))
    markups = dict.fromkeys(frame[column] for column in columns for frame in recording.frames)
    number_of = {markup: number for number, markup in enumerate(markups)}
    recording.regions = list(markups)
    for frame in recording.frames:
        frame[: len(columns)] = [number_of[frame[column]] for column in columns]


def verify(recordings: Mapping[str, Recording], ways: Iterable[Way]) -> None:
    """Walk all ways through recordings, and compare each picture with what a fresh session draws.

    Raises:
        RecordingBroken: a way does not lead on, or leads to another picture.

    >>> arrive = {"type": "arrive", "tokens": 6}
    >>> verify(record([[arrive]]), [[arrive]])
    >>> verify(record([]), [[arrive]])
    Traceback (most recent call last):
    widget.recording.RecordingBroken: In the narrow recording nothing follows {"type":"arrive","tokens":6}
    """
    number_of_way: dict[tuple[str, ...], int] = {(name,): 0 for name in recordings}
    for way, pictures in _shown(ways):
        for name, recording in recordings.items():
            place = f"In the {name} recording"
            said = " ".join(way) or "opening"
            if way:
                there = recording.following[number_of_way[name, *way[:-1]]].get(way[-1])
                if there is None:
                    raise RecordingBroken(f"{place} nothing follows {said}")
                number_of_way[name, *way] = there
            if recording.picture(number_of_way[name, *way]) != pictures[name][1]:
                raise RecordingBroken(f"{place} another picture follows {said}")


def read(file: bytes) -> Recording:
    """Return the recording that a file holds.

    >>> read(record([])["wide"].packed()) == record([])["wide"]
    True
    """
    content = json.loads(gzip.decompress(file))
    pieces = content.pop("pieces")
    regions = ["".join(pieces[piece] for piece in region) for region in content.pop("regions")]
    del content["v"]
    return Recording(**content, regions=regions)


def _shown(ways: Iterable[Way]) -> Iterator[tuple[tuple[str, ...], dict[str, tuple[list[str], list[Any]]]]]:
    """Yield each beginning of a way once, as JSON, with what each view shows: region names, picture."""
    seen: set[tuple[str, ...]] = set()
    for way in ([], *ways):
        session = Session()
        for length in range(len(way) + 1):
            problem = session.carry_out(way[length - 1]) if length else None
            if problem is not None:
                raise RecordingBroken(f"{problem} So there is nothing to record: {way}")
            begun = tuple(map(compact, way[:length]))
            if begun not in seen:
                seen.add(begun)
                yield begun, _pictures(session)


def _pictures(session: Session) -> dict[str, tuple[list[str], list[Any]]]:
    state = session.state()
    common = regions(replace(state, views=()))
    rest = [state.snapshot["step"], len(state.story.operations), written(state.story), caption(state)]
    pictures: dict[str, tuple[list[str], list[Any]]] = {}
    for view in VIEWS.values():
        texts = common | drawn_ways(replace(state, views=(view,)))
        pictures[view.name] = (list(texts), [*texts.values(), *rest])
    return pictures
