"""What a page may call: `num`, `value`, `cite`, `code`, `table`, `figure`, `widget`, `reading`, `glossary`,
`minutes`, `whole`, `byline`, `notebook`, `notebook_links`, and what `lesson.exercises` has.

Example:
    >>> from lesson.facts import gather
    >>> helpers = Helpers("index.md", gather(), widget=lambda base, link: "")
    >>> helpers.num("capacity.paged.requests")
    '<span class="num">122</span>'

Each of them returns Markdown, or HTML that Markdown leaves alone: one block without an empty line in it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from figures.gallery import FIGURES
from lesson.errors import LessonError, Missing
from lesson.excerpts import excerpt
from lesson.exercises import Exercise, Practice
from lesson.facts import Facts
from lesson.figure import figure_html
from lesson.glossary import Term, definitions
from lesson.notebook import as_markdown, kept_outputs, links_html
from lesson.reading import anchor, entry_of, reading_list, sources_list
from lesson.tables import TABLES
from lesson.tracks import Tracks
from pagedkv.quote import Number
from pagedkv.scenarios import SCENARIOS, START
from pagedkv.sources import CITED, SOURCES
from widget.link import written
from widget.story import Story

Widget = Callable[[str, str], str]
"""Given the relative path from a page to the root of the site, and the link of a session ("" for the start),
the markup of the widget for that page, opened at that session."""

# What a page has once, wherever it stands, and what on paper is of no use.
_NOT_IN_A_PART = (
    re.compile(r'<div class="lesson-widget">.*?</lesson-unsearched></div>', re.DOTALL),
    re.compile(r'^<p class="lesson-byline">.*</p>$', re.MULTILINE),
    re.compile(r"^## Try it\n.*?(?=^## |\Z)", re.DOTALL | re.MULTILINE),
    re.compile(r"^## Sources\n.*", re.DOTALL | re.MULTILINE),
)

_TERM = re.compile(r'<a class="lesson-term" [^>]*>(.*?)</a>', re.DOTALL)

TRACKS = {"plain": "Plain track", "deep": "Deep track"}


class Helpers:
    """The helpers of one page, and what it used: `cited` sources, and those `listed` for reading.

    Args:
        path: the page, relative to the root of the site.
        facts: the numbers it may show.
        widget: returns the widget's markup.
        exercise: returns an exercise's markup, given its name and `base`.
        tracks: all pages, once the minutes of each are known.
        terms: what the glossary explains.
        bodies: path -> Markdown of the pages that are rendered already, for a page that holds others.
        prose_only: leave out pictures, tables and the widget, to count what is read.
    """

    def __init__(
        self,
        path: str,
        facts: Facts,
        widget: Widget,
        *,
        exercise: Exercise | None = None,
        tracks: Tracks | None = None,
        terms: Sequence[Term] = (),
        bodies: Mapping[str, str] | None = None,
        prose_only: bool = False,
    ) -> None:
        self.path = path
        self.base = "../" * path.count("/")
        self.facts = facts
        self.prose_only = prose_only
        self.tracks = tracks or Tracks({})
        self.terms = terms
        self.bodies = bodies or {}
        self.cited: set[str] = set()
        self.listed: set[str] = set()
        self._widget = widget
        self._practice = Practice(self.base, facts, exercise, prose_only=prose_only)
        self._figures: set[int] = set()
        self.opened = Story.of(START.name)  # what the page's widget shows first, or would

    def names(self) -> dict[str, Callable[..., object]]:
        """Return name -> helper, for the template."""
        helpers = (
            self.num,
            self.value,
            self.cite,
            self.minutes,
            self.code,
            self.table,
            self.figure,
            self.widget,
            self.reading,
            self.glossary,
            self.whole,
            self.byline,
            self.notebook,
            self.notebook_links,
        )
        return {helper.__name__: helper for helper in helpers} | self._practice.names()

    def num(self, name: str) -> str:
        """Return a number as it is written. A cited one says its source and links to it.

        Raises:
            Missing: there is no number of that name.
        """
        number = self._fact(name)
        text = escape(number.text, quote=False)
        if name not in CITED:
            return f'<span class="num">{text}</span>'
        fact = CITED[name]
        return self._citation(fact.source, f"{SOURCES[fact.source].title}, {fact.where}", text, "num ")

    def cite(self, source: str, words: str) -> str:
        """Return words that say what a source on the reading list says; they show it and link to it.

        Raises:
            Missing: no reading list holds that source.
        """
        return self._citation(source, entry_of(source).title, escape(words, quote=False))

    def _citation(self, source: str, said: str, text: str, also: str = "") -> str:
        self.cited.add(source)
        target = anchor(source)
        return (
            f'<a class="{also}lesson-cited" href="#{target}" aria-describedby="{target}" '
            f'data-source="{escape(f"Source: {said}")}">{text}</a>'
        )

    def minutes(self, track: str) -> str:
        """Return how long a whole track takes, in words such as "14 minutes"."""
        return f'<span class="num">{_minutes(self.tracks.minutes(track))}</span>'

    def value(self, name: str) -> float | str:
        """Return the bare value of a number, to reckon with.

        Raises:
            Missing: there is no number of that name.
        """
        return self._fact(name).value

    def code(self, symbol: str, *, docstring: bool = False) -> str:
        """Return the real source of a symbol as a block of code, titled with its file and lines.

        Raises:
            Missing: there is nothing of that name.
        """
        piece = excerpt(symbol, docstring=docstring)
        fence = "`" * (3 + max(map(len, re.findall("`+", piece.text)), default=0))
        return f'{fence}{{ .python title="{piece.place}" }}\n{piece.text}\n{fence}'

    def table(self, name: str) -> str:
        """Return a table of the lesson in Markdown.

        Raises:
            Missing: there is no table of that name.
        """
        if name not in TABLES:
            raise Missing("table", name, TABLES)
        return "" if self.prose_only else TABLES[name]()

    def figure(self, number: int) -> str:
        """Return a figure, once per page: its ids are the page's.

        Raises:
            Missing: there is no figure of that number.
            LessonError: the page has it already.
        """
        if number not in FIGURES:
            raise Missing("figure", number, FIGURES)
        if number in self._figures:
            raise LessonError(f"Figure {number} is on this page already. Link to #figure-{number}.")
        self._figures.add(number)
        if self.prose_only:
            return f"Figure {number}. {FIGURES[number].caption}"
        return _block(figure_html(FIGURES[number], self.base))

    def widget(self, scenario: str = START.name, step: int | None = None) -> str:
        """Return the widget, opened at a scenario and at one of its steps, or where the scenario opens.

        Raises:
            Missing: there is no scenario of that name, or it has no such step.
        """
        if scenario not in SCENARIOS:
            raise Missing("scenario", scenario, SCENARIOS)
        opening = Story.of(scenario)
        if step is not None and opening.at(step).step != step:
            raise Missing(f"step of the scenario {scenario!r}", step, range(len(opening.operations) + 1))
        shown = self.opened = opening if step is None else opening.at(step)
        if self.prose_only:
            return ""
        markup = self._widget(self.base, "" if shown == Story.of(START.name) else written(shown))
        # An element of a name of its own: the search finds the end of what it leaves out by the name.
        inner = f"<lesson-unsearched data-search-exclude>{markup}</lesson-unsearched>"
        return _block(f'<div class="lesson-widget">{inner}</div>')

    def reading(self, name: str) -> str:
        """Return a reading list.

        Raises:
            Missing: there is no list of that name.
        """
        html, keys = reading_list(name)
        self.listed |= set(keys)
        return "" if self.prose_only else _block(html)

    def glossary(self) -> str:
        """Return all terms with their definitions."""
        return _block(definitions(self.terms))

    def whole(self, track: str) -> str:
        """Return all pages of a track one after the other, without the widget, to print or to keep."""
        if self.prose_only:
            return ""
        paths = self.tracks.of(track)
        if not paths:
            raise Missing("track", track, TRACKS)
        bodies = [self.bodies[path] for path in paths]
        self.cited |= {key for body in bodies for key in re.findall(r'href="#source-([^"]+)"', body)}
        return "\n\n".join(map(_as_part, bodies))

    def sources(self) -> str:
        """Return the entries that the page cites and does not list, or nothing."""
        return _block(sources_list(self.cited - self.listed)) if self.cited - self.listed else ""

    def byline(self, page: Mapping[str, Any]) -> str:
        """Return the lines below the title: track, minutes, chapter, date, and what a reader should know."""
        minutes = f"{_minutes(page['minutes'])} to read"
        place = f"Chapter “{escape(page['chapter'])}”, lesson {page['order']}"
        date = f'<time datetime="{page["date"]:%Y-%m-%d}">{page["date"].day} {page["date"]:%B %Y}</time>'
        parts = [minutes, place, date]
        track = page.get("track")
        if track in TRACKS:
            number, of = self.tracks.position(self.path) or (1, 1)
            where = f"{TRACKS[track]}, page {number} of {of}" if of > 1 else TRACKS[track]
            if of > 1:
                parts[0] += f", {self.tracks.minutes(track)} in all"
            parts = [where, parts[0], *(parts[1:] if number == 1 else [])]
        needed = "; ".join(map(escape, page["prerequisites"]))
        helps = f"{escape(page['helps'])} " if page.get("helps") else "It helps to know: "
        return (
            f'<p class="lesson-byline">{" · ".join(parts)}</p>\n<p class="lesson-byline">{helps}{needed}.</p>'
        )

    def notebook(self) -> str:
        """Return the notebook, with what its cells printed if it was run."""
        return as_markdown(None if self.prose_only else kept_outputs(), prose_only=self.prose_only)

    def notebook_links(self) -> str:
        """Return the ways to run the notebook, and room for the session that a reader brings."""
        return "" if self.prose_only else _block(links_html(self.base))

    def _fact(self, name: str) -> Number:
        if name not in self.facts:
            raise Missing("number", name, self.facts)
        return self.facts[name]


def _block(html: str) -> str:
    return re.sub(r"\n\s*\n", "\n", html)


def _minutes(minutes: int) -> str:
    return f"{minutes} minute{'' if minutes == 1 else 's'}"


def _as_part(body: str) -> str:
    """Return a page as a part of a longer one: no widget, no lines below the title, no sources of its own."""
    for left_out in _NOT_IN_A_PART:
        body = left_out.sub("", body)
    body = _TERM.sub(r"\1", body)
    return re.sub(r"^(#+ )", r"#\1", body, flags=re.MULTILINE).strip()
