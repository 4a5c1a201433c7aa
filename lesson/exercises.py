"""What pages with exercises may call, and what teachers find: misconceptions, slides, a link as an example.

Example:
    >>> practice = Practice("../", {}, exercise=lambda name, base: f'<kv-exercise data-app="{name}">')
    >>> practice.exercise("quiz")
    '<div class="lesson-exercise"><lesson-unsearched data-search-exclude><kv-exercise data-app="quiz">...'

Like the helpers of `lesson.helpers`, each returns one block that Markdown leaves alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from exercises.bank import TITLES, variant
from exercises.link import written
from exercises.quantity import UNITS
from exercises.question import ROUNDED, Mistake, unit_mistake
from exercises.workload import Fitting, fitting, why_level
from figures.admitted import chart
from figures.gallery import FIGURES
from figures.markup import Element, el, write
from figures.views import FIGURE_VIEWS
from lesson.errors import LessonError, Missing
from lesson.facts import Facts
from lesson.models import model_rows, model_strip, of_mistake, of_model, size_command, tokens
from pagedkv.capacity import CapacityExample, capacity_example

Exercise = Callable[[str, str], str]
"""Given an exercise's name and the relative path from a page to the root of the site, its markup."""

EXERCISES = ("quiz", "sheet", "portfolio", "calculator")
EXAMPLE_SEED = 17
VARIANTS = 60  # of each question, looked through for the mistakes that it names


class Practice:
    """The helpers of one page.

    Args:
        base: the relative path from the page to the root of the site.
        facts: the numbers of the build, which say how large the capacity example is.
        exercise: returns an exercise's markup.
        prose_only: leave out what is not read as text.
    """

    def __init__(
        self, base: str, facts: Facts, exercise: Exercise | None, *, prose_only: bool = False
    ) -> None:
        self.base = base
        self.facts = facts
        self.prose_only = prose_only
        self._exercise = exercise

    def names(self) -> dict[str, Callable[..., object]]:
        """Return name -> helper, for the template."""
        helpers = (
            *(self.exercise, self.misconceptions, self.slides, self.capacity_chart, self.units),
            *(self.example_link, self.model_strip, self.model_rows),
        )
        named = {helper.__name__: helper for helper in helpers}
        return named | {one.__name__: one for one in (of_model, of_mistake, tokens, size_command)}

    def model_strip(self, name: str) -> str:
        """Return a well-known model's layers as a picture.

        Raises:
            Missing: there is no model of that name.
        """
        return "" if self.prose_only else model_strip(name, self.base)

    def model_rows(self, names: Sequence[str], lengths: Sequence[int]) -> str:
        """Return a table of models, and what a chat of each length takes."""
        return "" if self.prose_only else model_rows(names, lengths)

    def exercise(self, name: str) -> str:
        """Return an exercise, as it opens.

        Raises:
            Missing: there is none of that name.
            LessonError: the site is built without exercises.
        """
        if name not in EXERCISES:
            raise Missing("exercise", name, EXERCISES)
        if self._exercise is None:
            raise LessonError("This site is built without exercises.")
        if self.prose_only:
            return ""
        # An element of a name of its own: the search finds the end of what it leaves out by the name.
        inner = (
            f"<lesson-unsearched data-search-exclude>{self._exercise(name, self.base)}</lesson-unsearched>"
        )
        return f'<div class="lesson-exercise">{inner}</div>'

    def misconceptions(self) -> str:
        """Return the mistakes that the quiz names, folded by question, with what sets each right."""
        return "".join(
            write(
                el(
                    "details",
                    el("summary", f"{number}. {title}: {len(mistakes_of(number))} mistakes"),
                    el("dl", [one for mistake in mistakes_of(number) for one in _entry(mistake)]),
                    class_="curious lesson-mistakes",
                    data_search_exclude=True,
                )
            )
            for number, title in TITLES.items()
        )

    def slides(self) -> str:
        """Return every figure with the addresses of its files."""
        items = []
        for figure in FIGURES.values():
            files = el(
                "p",
                [
                    self._file(f"{figure.name}.wide", "wide, for slides"),
                    ", ",
                    self._file(figure.name, "narrow, for phones"),
                ],
            )
            image = el(
                "img",
                src=f"{self.base}figs/{figure.name}.wide.svg",
                alt=f"Figure {figure.number}. {figure.title}",
                loading="lazy",
            )
            items.append(
                el("li", image, el("p", el("strong", f"Figure {figure.number}. "), figure.caption), files)
            )
        return write(el("ul", items, class_="lesson-slides"))

    def _file(self, name: str, label: str) -> Element:
        return el("a", f"{label}: {name}.svg", href=f"{self.base}figs/{name}.svg", download=True)

    def capacity_chart(self) -> str:
        """Return the chart of the lesson's capacity example by block size, and why its left end is level."""
        example, found = _capacity(
            int(self.facts["capacity.workload.requests"].value),
            int(self.facts["capacity.num_slots"].value),
        )
        title = (
            f"{len(example.lengths)} requests of {example.lowest:,} to {example.highest:,} tokens, "
            f"{example.num_slots:,} slots"
        )
        pictures = [
            chart(found.columns, view, name="capacity", title=title, is_file=False) for view in FIGURE_VIEWS
        ]
        return write(
            el(
                "figure",
                el("div", pictures, class_="kv-pair"),
                el(
                    "figcaption",
                    el("p", el("strong", f"{title}. "), why_level(example.lengths, example.num_slots, found)),
                ),
                id="figure-capacity",
                class_="lesson-figure kv-theme",
                data_search_exclude=True,
            )
        )

    def example_link(self) -> str:
        """Return the end of a link to a variant of all questions, as an example."""
        return write(el("code", f"#{written(dict.fromkeys(TITLES, EXAMPLE_SEED))}"))

    def units(self) -> str:
        """Return the units that an answer may have."""
        return ", ".join(UNITS)


@cache
def mistakes_of(number: int) -> list[Mistake]:
    """Return the mistakes that a question names over its first variants, each once, by name.

    >>> [mistake.name for mistake in mistakes_of(3)][:2]
    ['one layer only', 'a factor of two left out']
    """
    found: dict[str, Mistake] = {}
    for seed in range(VARIANTS):
        for part in variant(number, seed).parts:
            for mistake in part.mistakes.values():
                found.setdefault(mistake.name, mistake)
    if any(part.kind == "size" for part in variant(number, 0).parts):
        found |= {one.name: one for one in (unit_mistake("GB", "GiB"), ROUNDED)}
    return list(found.values())


@cache
def _capacity(num_requests: int, num_slots: int) -> tuple[CapacityExample, Fitting]:
    example = replace(capacity_example(num_requests=num_requests), num_slots=num_slots)
    return example, fitting(example.lengths, example.num_slots, example.reserve)


def _entry(mistake: Mistake) -> list[Element]:
    return [el("dt", mistake.name[:1].upper() + mistake.name[1:]), el("dd", mistake.says)]
