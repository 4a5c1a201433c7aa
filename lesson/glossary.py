r"""The glossary: one definition a term, and a link to it from the term's first use on each page.

Example:
    >>> terms = [Term("block", (), "Slots."), Term("block table", ("block tables",), "A list of blocks.")]
    >>> linked("A block table lists a block.\n", terms, "../glossary.html")
    'A <a class="lesson-term" href="../glossary.html#block-table">block table</a> lists a <a class=...'

Terms stand in `glossary.toml` beside the pages. In headings, code, links, pictures and markup none is linked.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from figures.markup import Element, el, write
from lesson.errors import LessonError

GLOSSARY = "glossary.toml"


class Term(NamedTuple):
    """A term, other forms in which it is written, and what it means.

    >>> Term("copy-on-write", (), "A copy.").anchor
    'copy-on-write'
    """

    name: str
    also: tuple[str, ...]
    means: str

    @property
    def anchor(self) -> str:
        """The id of the definition on the glossary's page."""
        return self.name.lower().replace(" ", "-")


# No prose: the front matter, code in fences, and paragraphs that are markup, headings, tables or code.
_APART = re.compile(r"\A---\n.*?\n---\n|^(`{3,}).*?^\1$", re.DOTALL | re.MULTILINE)
_NO_PROSE = re.compile(r"\s*(?:<|#|\||\?\?\?|\{|$)| {4}")
# Within prose: code, numbers, links in Markdown, links and other elements in HTML.
_WITHIN = re.compile(
    r"`[^`]*`|<span class=\"num\">.*?</span>|!?\[[^\]]*\]\([^)]*\)|<a\b.*?</a>|<[^>]*>", re.DOTALL
)


def terms_of(source: Path) -> list[Term]:
    """Return the terms of the glossary in `source`, in alphabetical order; none if there is no glossary.

    Raises:
        LessonError: a term is defined twice, or two terms are written alike.
    """
    file = source / GLOSSARY
    if not file.is_file():
        return []
    found = tomllib.loads(file.read_text(encoding="utf-8"))
    terms = [
        Term(name, tuple(one.get("also", ())), " ".join(one["means"].split())) for name, one in found.items()
    ]
    written = [form.lower() for term in terms for form in (term.name, *term.also)]
    if twice := sorted({form for form in written if written.count(form) > 1}):
        raise LessonError(f"{GLOSSARY} has two definitions for {', '.join(map(repr, twice))}.")
    return sorted(terms, key=lambda term: term.name.lower())


def definitions(terms: Iterable[Term]) -> str:
    """Return the terms with their definitions as HTML.

    >>> definitions([Term("slot", ("slots",), "Room for one token.")])
    '<dl class="lesson-glossary"><dt id="slot">slot</dt><dd>Room for one token.</dd></dl>'
    """
    children: list[Element] = []
    for term in terms:
        children += [el("dt", term.name, id=term.anchor), el("dd", term.means)]
    return write(el("dl", children, class_="lesson-glossary"))


def linked(text: str, terms: Sequence[Term], glossary: str) -> str:
    r"""Return Markdown with each term's first use in prose linked to its definition on the page `glossary`.

    >>> linked("# A slot\n\nIn `slot` a slot, a slot.\n", [Term("slot", (), "Room.")], "g.html")
    '# A slot\n\nIn `slot` a <a class="lesson-term" href="g.html#slot">slot</a>, a slot.\n'
    """
    if not terms:
        return text
    term_of = {form.lower(): term for term in terms for form in (term.name, *term.also)}
    # The longest first, so that a block table is no block.
    forms = "|".join(re.escape(form).replace(r"\ ", r"\s") for form in sorted(term_of, key=len, reverse=True))
    search = re.compile(rf"(?<![\w-])(?:{forms})(?![\w-])", re.IGNORECASE)
    left = set(terms)

    def link(match: re.Match[str]) -> str:
        term = term_of[re.sub(r"\s", " ", match[0]).lower()]
        if term not in left:
            return match[0]
        left.remove(term)
        return f'<a class="lesson-term" href="{glossary}#{term.anchor}">{match[0]}</a>'

    def paragraph(prose: str) -> str:
        if _NO_PROSE.match(prose):
            return prose
        return _outside(_WITHIN, prose, lambda piece: search.sub(link, piece))

    def section(prose: str) -> str:
        return "".join(map(paragraph, re.split(r"(\n\s*\n)", prose)))

    return _outside(_APART, text, section)


def _outside(apart: re.Pattern[str], text: str, change: Callable[[str], str]) -> str:
    """Return a text with everything between the matches of `apart` changed."""
    pieces, end = [], 0
    for match in apart.finditer(text):
        pieces += [change(text[end : match.start()]), match[0]]
        end = match.end()
    return "".join([*pieces, change(text[end:])])
