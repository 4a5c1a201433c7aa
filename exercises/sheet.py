"""A sheet of variants to print: each begins on a new page, and the answers stand on pages at the end.

Example:
    >>> sheet = Sheet()
    >>> frame = sheet.dispatch({"type": "make", "fields": {"q": "3", "first": "17", "count": "2"}})
    >>> frame["link"], frame["regions"]["sheet"].count("Variant 18")
    ('v=1&q=3&first=17&count=2', 1)

Form of a link, version 1: `q` as in `exercises.link`; `first` the first seed; `count` how many, each the
next; `answers=1` prints the answers, too. What is missing is as the sheet opens.
"""

from collections.abc import Callable
from dataclasses import dataclass

from exercises.bank import QUESTIONS, TITLES, variant
from exercises.desk import Command, Desk, fields_of
from exercises.link import pairs, questions, whole, written
from exercises.seeds import LARGEST_SEED
from exercises.view import link_to, printed, solved
from figures.markup import Element, el, write
from pagedkv.errors import InvalidOperation, PagedKVError

MOST_VARIANTS = 60
_NAMES = ("v", "q", "first", "count", "answers")


@dataclass(frozen=True)
class Choice:
    """Which questions, from which seed on, for how many, and whether the answers are printed.

    >>> Choice().seeds
    range(1, 3)
    """

    questions: tuple[int, ...] = tuple(QUESTIONS)
    first: int = 1
    count: int = 2
    has_answers: bool = False

    @property
    def seeds(self) -> range:
        """The seeds, one for each reader."""
        return range(self.first, self.first + self.count)

    @property
    def link(self) -> str:
        """The link to this sheet."""
        words = ["v=1"]
        if self.questions != tuple(QUESTIONS):
            words.append(f"q={','.join(map(str, self.questions))}")
        words += [f"first={self.first}", f"count={self.count}"]
        return "&".join([*words, "answers=1"] if self.has_answers else words)


def chosen(said: dict[str, str]) -> Choice:
    """Return the choice that a link or a form states.

    Raises:
        InvalidOperation: it asks for too much, or for what is not there.

    >>> chosen({"q": "1,3", "count": "4"}).questions
    (1, 3)
    """
    numbers = tuple(questions(said.get("q") or None))
    most = MOST_VARIANTS * len(QUESTIONS) // len(numbers)
    count = whole(said.get("count", Choice.count), "The number of variants", 1, most)
    first = whole(said.get("first", Choice.first), "The first variant", 0, LARGEST_SEED)
    if first + count - 1 > LARGEST_SEED:
        raise InvalidOperation(
            f"The last variant would be {first + count - 1:,}; the most is {LARGEST_SEED:,}."
        )
    return Choice(numbers, first, count, has_answers=bool(whole(said.get("answers") or "0", "answers", 0, 1)))


class Sheet(Desk):
    """The form of the sheet, and the sheet.

    >>> list(Sheet().regions())
    ['form', 'sheet']
    """

    def __init__(self) -> None:
        super().__init__()
        self.choice = Choice()

    def commands(self) -> dict[str, Callable[[Command], None]]:
        """Return type of command -> what carries it out."""
        return {"show": lambda _: None, "make": self._make, "open": self._open}

    def regions(self) -> dict[str, str]:
        """Return the markup of the form and of the sheet."""
        return {"form": write(self._form()), "sheet": "".join(map(write, pages(self.choice)))}

    def _make(self, command: Command) -> None:
        fields = fields_of(command)
        if not fields.get("q"):
            raise PagedKVError("Choose at least one question.")
        self.choice = chosen(fields)
        self.answer.link = self.choice.link
        self.answer.said = f"The sheet has {self.choice.count} variants."

    def _open(self, command: Command) -> None:
        link = command.get("link")
        if not isinstance(link, str):
            raise PagedKVError(f"A link is a text, not {link!r:.60}.")
        try:
            self.choice = chosen(pairs(link, _NAMES))
        except PagedKVError as error:
            raise PagedKVError(f"The link cannot be opened. {error}") from None

    def _form(self) -> Element:
        choice = self.choice

        def number(label: str, name: str, value: int) -> Element:
            box = el(
                "input",
                type="text",
                inputmode="numeric",
                autocomplete="off",
                name=name,
                id=f"sheet-{name}",
                value=str(value),
            )
            return el("label", el("span", label), box, for_=f"sheet-{name}", class_="kv-field")

        return el(
            "form",
            el(
                "fieldset",
                el("legend", "Questions"),
                [
                    el(
                        "label",
                        el(
                            "input",
                            type="checkbox",
                            name="q",
                            value=str(one),
                            checked=one in choice.questions,
                        ),
                        el("span", f"{one}. {title}"),
                        class_="kv-option",
                    )
                    for one, title in TITLES.items()
                ],
            ),
            el(
                "div",
                number("How many variants", "count", choice.count),
                number("First variant", "first", choice.first),
                class_="kv-fields",
            ),
            el(
                "label",
                el(
                    "input",
                    type="checkbox",
                    name="answers",
                    value="1",
                    checked=choice.has_answers,
                    data_answers=True,
                ),
                el("span", "Show and print the answers, at the end"),
                class_="kv-option",
            ),
            el(
                "div",
                el("button", "Make the sheet", type="submit", class_="kv-main"),
                el("button", "Print", type="button", data_print=True),
                *link_to("this sheet", choice.link),
                class_="kv-buttons",
            ),
            novalidate=True,
            # Another choice is another form, whose fields say what was chosen, whatever was typed before.
            key=f"form-{choice.link}",
            class_="kv-choices",
            data_command='{"type": "make"}',
        )


def pages(choice: Choice) -> list[Element]:
    """Return the pages of a sheet: the variants, then their answers.

    >>> [page.attributes["class"] for page in pages(Choice(count=2))]
    ['kv-sheet-page', 'kv-sheet-page', 'kv-sheet-page kv-key', 'kv-sheet-page kv-key']
    """
    return [_variant_page(choice, seed) for seed in choice.seeds] + [
        _key_page(choice, seed) for seed in choice.seeds
    ]


def _variant_page(choice: Choice, seed: int) -> Element:
    link = written(dict.fromkeys(choice.questions, seed))
    return el(
        "article",
        el("h2", f"Variant {seed}"),
        el("p", "Name: ", el("span", "", class_="kv-blank kv-wide-blank"), class_="kv-name"),
        # The quiz stands one folder above the page of the sheet.
        el(
            "p",
            "The same on screen: ",
            el("a", f"quiz.html#{link}", href=f"../quiz.html#{link}"),
            class_="kv-variant",
        ),
        [
            el("section", el("h3", f"{number}. {TITLES[number]}"), printed(variant(number, seed)))
            for number in choice.questions
        ],
        key=f"variant-{seed}",
        class_="kv-sheet-page",
    )


def _key_page(choice: Choice, seed: int) -> Element:
    return el(
        "article",
        el("h2", f"Answers to variant {seed}"),
        [
            el(
                "section",
                el("h3", f"{number}. {TITLES[number]}"),
                el("ol", [el("li", solved(part)) for part in variant(number, seed).parts]),
            )
            for number in choice.questions
        ],
        key=f"key-{seed}",
        class_="kv-sheet-page kv-key",
    )
