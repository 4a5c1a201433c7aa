"""The tracks: which pages belong together, in which order, and how long each track takes to read.

Example:
    >>> tracks = Tracks(
    ...     {
    ...         "a.md": Place("A", "deep", 2),
    ...         "b.md": Place("B", "deep", 3),
    ...         "c.md": Place("C", "", 1),
    ...     }
    ... )
    >>> tracks.minutes("deep"), tracks.position("b.md"), tracks.position("c.md")
    (5, (2, 2), None)

The order is that of `nav.yml` beside the pages, as MkDocs reads it. A page names its track in its front
matter.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

NAV = "nav.yml"


class Place(NamedTuple):
    """A page as others see it: its title, the track it is of (or ""), and the minutes it takes, exactly."""

    title: str
    track: str
    minutes: float


class Tracks:
    """The pages in the order of reading.

    >>> Tracks({}).minutes("deep")
    0
    """

    def __init__(self, places: Mapping[str, Place]) -> None:
        self.places = dict(places)

    def of(self, track: str) -> list[str]:
        """Return the paths of a track's pages, in order.

        >>> Tracks({"a.md": Place("A", "deep", 2)}).of("deep")
        ['a.md']
        """
        return [path for path, place in self.places.items() if place.track == track]

    def minutes(self, track: str) -> int:
        """Return the whole minutes that a track takes."""
        return round(sum(self.places[path].minutes for path in self.of(track)))

    def position(self, path: str) -> tuple[int, int] | None:
        """Return (which page of its track it is, of how many), or None for a page of no track."""
        place = self.places.get(path)
        if place is None or not place.track:
            return None
        pages = self.of(place.track)
        return pages.index(path) + 1, len(pages)


def nav_of(source: Path) -> list[Any] | None:
    """Return the order of the pages in `source` as MkDocs wants it, or None if none is stated.

    >>> nav_of(Path("no/such/folder")) is None
    True
    """
    file = source / NAV
    return yaml.safe_load(file.read_text(encoding="utf-8")) if file.is_file() else None


def paths_in(nav: object) -> Iterator[str]:
    """Yield the paths that a nav names, from its first page to its last.

    >>> list(paths_in([{"A": "a.md"}, {"B": [{"C": "b/c.md"}]}]))
    ['a.md', 'b/c.md']
    """
    if isinstance(nav, str):
        yield nav
    elif isinstance(nav, Mapping):
        for inner in nav.values():
            yield from paths_in(inner)
    elif isinstance(nav, list):
        for inner in nav:
            yield from paths_in(inner)
