"""From the sources in `site/` to plain Markdown: fills in what the build computed, strictly.

    pages = render(Path("site"), Path("build/docs"), widget=lambda base, link: fragment(base, app, link))

Every Markdown file below the source is a Jinja template; all else is copied, except `overrides/`, which
belongs to the theme. What a page may call is in `lesson.helpers`. Whatever is missing stops the build with a
`LessonError` that names the page and the line.
"""

import re
import shutil
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jinja2
from mkdocs.utils import meta

from lesson.cards import card_name
from lesson.errors import LessonError
from lesson.exercises import Exercise
from lesson.facts import Facts, gather
from lesson.glossary import GLOSSARY, Term, linked, terms_of
from lesson.helpers import Helpers, Widget
from lesson.readability import grade, words_of
from lesson.reference import reference_pages
from lesson.tracks import NAV, Place, Tracks, nav_of, paths_in
from pagedkv.scenarios import START
from widget.story import Story

# Adults read English prose silently at about 240 (Brysbaert 2019). The pictures take the rest.
WORDS_PER_MINUTE = 220
# Open code is read, too: a second and a half a line, since the words around it say what it does.
LINES_PER_MINUTE = 40
# A school-leaver's level, in years of school. Only the plain track is held to it.
HIGHEST_GRADE = {"plain": 9.0}

# What the front matter of every page says, beside `minutes`, which is computed.
REQUIRED = ("title", "search_title", "description", "date", "chapter", "order", "prerequisites")

# What is of the lesson and not of a page: the first page says it for all that do not.
OF_THE_LESSON = ("date", "chapter", "order")

_OVERRIDES = "overrides"
_GLOSSARY_PAGE = "glossary.md"

# What is folded away, as HTML and in Markdown (an indented block under ???), what is drawn, and the byline.
_FOLDED = (
    re.compile(r"<(details|svg)\b.*?</\1>", re.DOTALL),
    re.compile(r'<p class="lesson-byline">.*?</p>', re.DOTALL),
    re.compile(r"^\?\?\? .*?(?=^\S|\Z)", re.DOTALL | re.MULTILINE),
)
_CODE = re.compile(r"^(```+).*?^\1$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Page:
    """A rendered page: its path below the root, what its front matter says, and its Markdown."""

    path: str
    meta: dict[str, Any]
    text: str
    story: Story = field(default_factory=lambda: Story.of(START.name))  # what its widget shows, and its card


def render(
    source: Path,
    target: Path,
    *,
    widget: Widget,
    exercise: Exercise | None = None,
    facts: Facts | None = None,
) -> list[Page]:
    """Render every page of `source` into `target`, which is emptied first, and return the pages.

    Where `nav.yml` names pages below `reference/`, they are made from the docstrings of `pagedkv`.

    Args:
        source: the folder with the Markdown sources.
        target: the folder for MkDocs to read.
        widget: returns the widget's markup for a page, as `lesson.helpers.Widget` says.
        exercise: the same for an exercise, by its name; without it pages can show none.
        facts: the numbers, if other than those of the default model and capacity example.

    Raises:
        LessonError: a page asks for something that is not there, lacks a field in its front matter, or is
            harder to read than its track may be.
    """
    facts = gather() if facts is None else facts
    if source.resolve().is_relative_to(target.resolve()):
        raise LessonError(f"The rendered pages would overwrite their sources in {source}.")
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("*.md", _OVERRIDES, NAV, GLOSSARY))
    order = list(paths_in(nav_of(source)))
    work = _Rendering(source, facts, widget, exercise, terms_of(source))
    paths = [file.relative_to(source) for file in sorted(source.rglob("*.md"))]
    drafts = [work.draft(path.as_posix()) for path in paths if _OVERRIDES not in path.parts]
    drafts.sort(
        key=lambda draft: (order.index(draft.path) if draft.path in order else len(order), draft.path)
    )
    work.tracks = Tracks(
        {
            draft.path: Place(draft.meta["title"], draft.meta.get("track", ""), work.exact[draft.path])
            for draft in drafts
        }
    )
    # Pages that hold whole tracks come when the tracks are there.
    pages = [work.page(draft) for draft in sorted(drafts, key=lambda draft: "whole(" in draft.text)]
    pages += [Page(path, meta, text) for path, meta, text in reference_pages(order)]
    for page in pages:
        (target / page.path).parent.mkdir(parents=True, exist_ok=True)
        (target / page.path).write_text(page.text, encoding="utf-8")
    return pages


def minutes_to_read(text: str) -> int:
    r"""Return whole minutes for text with markup: words and open lines of code; folded parts do not count.

    >>> minutes_to_read("word " * 1300), minutes_to_read("<b>one</b>")
    (6, 1)
    >>> minutes_to_read("```\n" + "a = b\n" * 60 + "```\n")
    2
    """
    return max(1, round(_minutes(text)))


def _minutes(text: str) -> float:
    for folded in _FOLDED:
        text = folded.sub(" ", text)
    code = [match[0].count("\n") - 1 for match in _CODE.finditer(text)]
    return len(words_of(_CODE.sub(" ", text))) / WORDS_PER_MINUTE + sum(code) / LINES_PER_MINUTE


class _Rendering:
    """Fills in pages: first as prose, to count what is read, then with everything."""

    def __init__(
        self, source: Path, facts: Facts, widget: Widget, exercise: Exercise | None, terms: list[Term]
    ) -> None:
        self.source, self.facts, self.terms = source, facts, terms
        self.widget, self.exercise = widget, exercise
        first = source / "index.md"
        said = meta.get_data(first.read_text(encoding="utf-8"))[1] if first.is_file() else {}
        self.lesson = {name: said[name] for name in OF_THE_LESSON if name in said}
        self.tracks = Tracks({})
        self.exact: dict[str, float] = {}
        self.bodies: dict[str, str] = {}
        self.environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(source),
            undefined=jinja2.StrictUndefined,
            autoescape=False,  # noqa: S701  # Markdown comes out; helpers escape what they put into HTML
            keep_trailing_newline=True,
        )

    def draft(self, path: str) -> Page:
        """Return a page with its source as text, and with how long and how hard it is to read."""
        source = (self.source / path).read_text(encoding="utf-8")
        found = self.lesson | meta.get_data(source)[1]
        if missing := [name for name in REQUIRED if not found.get(name)]:
            raise LessonError(f"{path}, line 1: the front matter lacks {', '.join(missing)}.")
        prose = meta.get_data(
            self._filled(path, found | {"minutes": 0}, self._helpers(path, prose_only=True))
        )[0]
        for folded in _FOLDED:
            prose = folded.sub(" ", prose)
        self.exact[path] = _minutes(prose)
        found |= {"minutes": minutes_to_read(prose), "grade": grade(_CODE.sub(" ", prose))}
        most = HIGHEST_GRADE.get(found.get("track", ""))
        if most is not None and found["grade"] > most:
            raise LessonError(
                f"{path} reads at grade {found['grade']}, and the {found['track']} track may be at {most} at "
                "most. Shorten its sentences, and use shorter words."
            )
        return Page(path, found, source)

    def page(self, draft: Page) -> Page:
        """Return the page, ready for MkDocs."""
        path, found = draft.path, draft.meta
        helpers = self._helpers(path)
        text = self._filled(path, found, helpers)
        if sources := helpers.sources():
            text = f"{text.rstrip()}\n\n## Sources\n\n{sources}\n"
        if not path.endswith(_GLOSSARY_PAGE):
            text = linked(text, self.terms, f"{helpers.base}glossary.html")
        self.bodies[path] = meta.get_data(text)[0]
        added = {"minutes": found["minutes"], "grade": found["grade"], "card": card_name(path)}
        stated = meta.get_data(draft.text)[1]
        added |= {name: value for name, value in self.lesson.items() if name not in stated}
        lines = "".join(f"{name}: {value}\n" for name, value in added.items())
        return Page(path, found, re.sub(r"\A---\n", f"---\n{lines}", text), helpers.opened)

    def _helpers(self, path: str, *, prose_only: bool = False) -> Helpers:
        return Helpers(
            path,
            self.facts,
            self.widget,
            exercise=self.exercise,
            tracks=self.tracks,
            terms=self.terms,
            bodies=self.bodies,
            prose_only=prose_only,
        )

    def _filled(self, path: str, found: dict[str, Any], helpers: Helpers) -> str:
        try:
            return self.environment.get_template(path).render(helpers.names(), page=found)
        except jinja2.TemplateSyntaxError as error:
            raise LessonError(f"{error.name or path}, line {error.lineno}: {error.message}") from error
        except (LessonError, jinja2.TemplateError, TypeError) as error:
            lines = [
                frame.lineno
                for frame in traceback.extract_tb(error.__traceback__)
                if frame.filename.endswith(path)
            ]
            place = f"{path}, line {lines[-1]}" if lines else path
            raise LessonError(f"{place}: {error}") from error
