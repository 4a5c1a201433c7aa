"""From the sources in `site/` to plain Markdown: fills in what the build computed, strictly.

    pages = render(Path("site"), Path("build/docs"), widget=lambda base: fragment(base, app))

Every Markdown file below the source is a Jinja template; all else is copied, except `overrides/`, which
belongs to the theme. What a page may call is in `lesson.helpers`. Whatever is missing stops the build with a
`LessonError` that names the page and the line.
"""

import re
import shutil
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import jinja2
from mkdocs.utils import meta

from lesson.errors import LessonError
from lesson.exercises import Exercise
from lesson.facts import Facts, gather
from lesson.helpers import Helpers, Widget
from lesson.reading import check_listed

# Adults read English prose silently at about 240 (Brysbaert 2019). The pictures take the rest.
WORDS_PER_MINUTE = 220

# What the front matter of every page says, beside `minutes`, which is computed.
REQUIRED = ("title", "search_title", "description", "date", "chapter", "order", "prerequisites")

_OVERRIDES = "overrides"

# Markup, and what is folded away: as HTML, as a fence of code, and in Markdown (an indented block under ???).
_UNREAD = (
    re.compile(r"<(details|svg)\b.*?</\1>", re.DOTALL),
    re.compile(r"^(```+).*?^\1$", re.DOTALL | re.MULTILINE),
    re.compile(r"^\?\?\? .*?(?=^\S|\Z)", re.DOTALL | re.MULTILINE),
    re.compile(r"<[^>]*>|\{:[^}]*\}|\]\([^)]*\)"),
)


@dataclass(frozen=True)
class Page:
    """A rendered page: its path below the root, what its front matter says, and its Markdown."""

    path: str
    meta: dict[str, Any]
    text: str


def render(
    source: Path,
    target: Path,
    *,
    widget: Widget,
    exercise: Exercise | None = None,
    facts: Facts | None = None,
) -> list[Page]:
    """Render every page of `source` into `target`, which is emptied first, and return the pages.

    Args:
        source: the folder with the Markdown sources.
        target: the folder for MkDocs to read.
        widget: returns the widget's markup for a page, given its relative path to the root of the site.
        exercise: the same for an exercise, by its name; without it pages can show none.
        facts: the numbers, if other than those of the default model and capacity example.

    Raises:
        LessonError: a page asks for something that is not there, or lacks a field in its front matter.
    """
    facts = gather() if facts is None else facts
    if source.resolve().is_relative_to(target.resolve()):
        raise LessonError(f"The rendered pages would overwrite their sources in {source}.")
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("*.md", _OVERRIDES))
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(source),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701  # Markdown comes out; helpers escape what they put into HTML
        keep_trailing_newline=True,
    )
    pages = []
    for file in sorted(source.rglob("*.md")):
        path = file.relative_to(source)
        if _OVERRIDES in path.parts:
            continue
        used = partial(Helpers, path.as_posix(), facts, widget, exercise=exercise)
        page = _rendered(environment, path.as_posix(), file.read_text(encoding="utf-8"), used)
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_text(page.text, encoding="utf-8")
        pages.append(page)
    return pages


def minutes_to_read(text: str) -> int:
    """Return whole minutes for text with markup; folded parts and code do not count.

    >>> minutes_to_read("word " * 1300), minutes_to_read("<b>one</b>")
    (6, 1)
    """
    for unread in _UNREAD:
        text = unread.sub(" ", text)
    words = re.findall(r"\w[\w.,'’-]*", text)
    return max(1, round(len(words) / WORDS_PER_MINUTE))


def _rendered(
    environment: jinja2.Environment, path: str, source: str, helpers: Callable[..., Helpers]
) -> Page:
    _, found = meta.get_data(source)
    if missing := [name for name in REQUIRED if not found.get(name)]:
        raise LessonError(f"{path}, line 1: the front matter lacks {', '.join(missing)}.")
    # Twice: the page shows how long it takes to read, and that is counted on the page.
    counted = _fill(environment, path, found | {"minutes": 0}, helpers(prose_only=True))
    found |= {"minutes": minutes_to_read(meta.get_data(counted)[0])}
    text = _fill(environment, path, found, helpers())
    text = re.sub(r"\A---\n", f"---\nminutes: {found['minutes']}\n", text)
    return Page(path, found, text)


def _fill(environment: jinja2.Environment, path: str, found: dict[str, Any], helpers: Helpers) -> str:
    try:
        text = environment.get_template(path).render(helpers.names(), page=found)
        check_listed(helpers.cited, helpers.listed)
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
    return text
