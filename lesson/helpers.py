"""What a page may call: `num`, `value`, `code`, `table`, `figure`, `widget`, `reading`, `byline`,
`notebook` and `notebook_links`.

Example:
    >>> from lesson.facts import gather
    >>> helpers = Helpers("index.md", gather(), widget=lambda base: "")
    >>> helpers.num("capacity.paged.requests")
    '<span class="num">122</span>'

Each of them returns Markdown, or HTML that Markdown leaves alone: one block without an empty line in it.
"""

import re
from collections.abc import Callable
from html import escape
from typing import Any

from figures.gallery import FIGURES
from lesson.errors import LessonError, Missing
from lesson.excerpts import excerpt
from lesson.exercises import Exercise, Practice
from lesson.facts import Facts
from lesson.figure import figure_html
from lesson.notebook import as_markdown, kept_outputs, links_html
from lesson.reading import anchor, reading_list
from lesson.tables import TABLES
from pagedkv.quote import Number
from pagedkv.scenarios import START
from pagedkv.sources import CITED, SOURCES

Widget = Callable[[str], str]
"""Given the relative path from a page to the root of the site, the markup of the widget for that page."""


class Helpers:
    """The helpers of one page, and what it used: `cited` sources, and those `listed` for reading.

    Args:
        path: the page, relative to the root of the site.
        facts: the numbers it may show.
        widget: returns the widget's markup.
        exercise: returns an exercise's markup, given its name and `base`.
        prose_only: leave out code, pictures and the widget, to count what is read.
    """

    def __init__(
        self,
        path: str,
        facts: Facts,
        widget: Widget,
        *,
        exercise: Exercise | None = None,
        prose_only: bool = False,
    ) -> None:
        self.base = "../" * path.count("/")
        self.facts = facts
        self.prose_only = prose_only
        self.cited: set[str] = set()
        self.listed: set[str] = set()
        self._widget = widget
        self._practice = Practice(self.base, exercise, prose_only=prose_only)
        self._figures: set[int] = set()

    def names(self) -> dict[str, Callable[..., object]]:
        """Return name -> helper, for the template."""
        helpers = (
            self.num,
            self.value,
            self.code,
            self.table,
            self.figure,
            self.widget,
            self.reading,
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
        self.cited.add(fact.source)
        source = escape(f"Source: {SOURCES[fact.source].title}, {fact.where}")
        target = anchor(fact.source)
        return (
            f'<a class="num lesson-cited" href="#{target}" aria-describedby="{target}" '
            f'data-source="{source}">{text}</a>'
        )

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
        if self.prose_only:
            return ""
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

    def widget(self, scenario: str = START.name) -> str:
        """Return the widget, as it opens.

        Raises:
            Missing: it does not open with that scenario.
        """
        if scenario != START.name:
            raise Missing("scenario of the widget", scenario, [START.name])
        if self.prose_only:
            return ""
        # An element of a name of its own: the search finds the end of what it leaves out by the name.
        inner = f"<lesson-unsearched data-search-exclude>{self._widget(self.base)}</lesson-unsearched>"
        return _block(f'<div class="lesson-widget">{inner}</div>')

    def reading(self, name: str) -> str:
        """Return a reading list.

        Raises:
            Missing: there is no list of that name.
        """
        html, keys = reading_list(name)
        self.listed |= set(keys)
        return "" if self.prose_only else _block(html)

    def byline(self, page: dict[str, Any]) -> str:
        """Return the lines below the title: track, minutes, chapter, date, and what a reader should know."""
        minutes = f"{page['minutes']} minute{'' if page['minutes'] == 1 else 's'} to read"
        date = f'<time datetime="{page["date"]:%Y-%m-%d}">{page["date"].day} {page["date"]:%B %Y}</time>'
        place = f"Chapter “{escape(page['chapter'])}”, lesson {page['order']}"
        return f'<p class="lesson-byline">{minutes} · {place} · {date}</p>'

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
