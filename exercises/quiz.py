"""The quiz of one reader: which variants are there, what was answered, and how it is told.

Example:
    >>> quiz = Quiz()
    >>> fields = {"token": "24 KiB", "chat": "46.9 MB"}
    >>> quiz.dispatch({"type": "answer", "question": 3, "seed": 0, "fields": fields})["said"]
    'Question 3: 1 of 2 right. Not yet: MB for MiB. The number is right, the unit is not. ...'

What a browser is to keep is the frame's `memory`, a text that `resume` takes back; nothing is sent anywhere.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from exercises.bank import QUESTIONS, TITLES, variant
from exercises.desk import Command, Desk, fields_of
from exercises.link import read, whole, written
from exercises.question import Question, check
from exercises.seeds import LARGEST_SEED, next_seed
from exercises.view import Answered, asked
from figures.markup import Element, el, write
from pagedkv.errors import PagedKVError

MEMORY_VERSION = 1
LONGEST_MEMORY = 100_000
MOST_REMEMBERED = 100  # variants with answers
LONGEST_ANSWER = 200

Key = tuple[int, int]
"""A question's number and a seed."""


class Quiz(Desk):
    """The five questions of a page.

    >>> sorted(Quiz().regions())
    ['progress', 'question-1', 'question-2', 'question-3', 'question-4', 'question-5']
    """

    def __init__(self) -> None:
        super().__init__()
        self.seeds: dict[int, int] = dict.fromkeys(QUESTIONS, 0)
        self.answers: dict[Key, dict[str, str]] = {}
        self.shown: set[Key] = set()

    def commands(self) -> dict[str, Callable[[Command], None]]:
        """Return type of command -> what carries it out."""
        return {
            "show": lambda _: None,
            "answer": self._answer,
            "solve": self._solve,
            "variant": self._variant,
            "open": self._open,
            "resume": self._resume,
            "clear": self._clear,
        }

    def regions(self) -> dict[str, str]:
        """Return the markup of the progress and of each question."""
        found = {"progress": "".join(map(write, self._progress()))}
        for number, seed in self.seeds.items():
            found[f"question-{number}"] = write(
                asked(
                    variant(number, seed),
                    self._answered((number, seed)),
                    is_shown=(number, seed) in self.shown,
                )
            )
        return found

    def _answer(self, command: Command) -> None:
        question = _named(command)
        fields = fields_of(command)
        known = {part.name for part in question.parts}
        given = {name: text[:LONGEST_ANSWER] for name, text in fields.items() if name in known}
        key = (question.number, question.seed)
        self.seeds[question.number] = question.seed
        self.answers.pop(key, None)  # the newest are remembered longest
        self.answers[key] = given
        verdicts = [answered.verdict for answered in self._answered(key).values()]
        right = sum(verdict.is_right for verdict in verdicts)
        wrong = " ".join(verdict.sentence for verdict in verdicts if not verdict.is_right)
        self.answer.said = (
            f"Question {question.number}: {right} of {len(question.parts)} right. {wrong}".strip()
        )
        self._keep()

    def _solve(self, command: Command) -> None:
        question = _named(command)
        self.seeds[question.number] = question.seed
        self.shown.add((question.number, question.seed))
        self.answer.said = f"Question {question.number}: the answers are shown."
        self._keep()

    def _variant(self, command: Command) -> None:
        """Go to another variant: of a question, the one that follows on `seed`."""
        question = _named(command)
        self.seeds[question.number] = next_seed(question.seed)
        self.answer.said = f"Question {question.number}, variant {self.seeds[question.number]}."
        self.answer.link = written({number: seed for number, seed in self.seeds.items() if seed} or {1: 0})
        self._keep()

    def _open(self, command: Command) -> None:
        """Open a link. Questions that it does not name keep the lesson's own variant."""
        link = command.get("link")
        if not isinstance(link, str):
            raise PagedKVError(f"A link is a text, not {link!r:.60}.")
        try:
            seeds = read(link)
        except PagedKVError as error:
            raise PagedKVError(f"The link cannot be opened. {error}") from None
        self.seeds = dict.fromkeys(QUESTIONS, 0) | seeds
        if len(seeds) < len(QUESTIONS):
            self.answer.show = f"question-{min(seeds)}"

    def _resume(self, command: Command) -> None:
        """Take up what the browser kept."""
        try:
            seeds, answers, shown = _remembered(command.get("memory"))
        except (PagedKVError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise PagedKVError("What this browser kept of the quiz cannot be read. It starts anew.") from None
        self.seeds, self.answers, self.shown = seeds, answers, shown

    def _clear(self, _command: Command) -> None:
        self.seeds, self.answers, self.shown = dict.fromkeys(QUESTIONS, 0), {}, set()
        self.answer.memory, self.answer.link = "", "v=1"
        self.answer.said = "Everything is cleared."

    def _keep(self) -> None:
        kept = list(self.answers.items())[-MOST_REMEMBERED:]
        self.answer.memory = json.dumps(
            {
                "v": MEMORY_VERSION,
                "seeds": list(self.seeds.values()),
                "answers": [[*key, given] for key, given in kept],
                "shown": sorted(self.shown)[:MOST_REMEMBERED],
            },
            separators=(",", ":"),
        )

    def _answered(self, key: Key) -> dict[str, Answered]:
        if key not in self.answers:
            return {}
        given = self.answers[key]
        texts = {part.name: given.get(part.name, "") for part in variant(*key).parts}
        return {
            part.name: Answered(texts[part.name], check(part, texts[part.name]))
            for part in variant(*key).parts
            if texts[part.name].strip()
        }

    def _is_right(self, key: Key) -> bool:
        right = sum(one.verdict.is_right for one in self._answered(key).values())
        return right == len(variant(*key).parts)

    def _progress(self) -> Iterator[Element]:
        items = []
        for number, seed in self.seeds.items():
            key = (number, seed)
            parts = len(variant(*key).parts)
            right = sum(one.verdict.is_right for one in self._answered(key).values())
            state = (
                "✓ right"
                if right == parts
                else f"{right} of {parts} right"
                if key in self.answers
                else "open"
            )
            link = el("a", f"{number}. {TITLES[number]}", href=f"#question-{number}")
            items.append(el("li", link, " ", el("span", state, class_="kv-state"), key=f"item-{number}"))
        yield el("ol", items, class_="kv-progress")
        done = sum(self._is_right(key) and key not in self.shown for key in self.answers)
        plural = "variant" if done == 1 else "variants"
        yield el(
            "p",
            f"{done} {plural} answered right without looking. ",
            el(
                "button",
                "Clear everything",
                type="button",
                data_command=json.dumps({"type": "clear"}),
                data_confirm="Clear all answers and variants that this browser keeps?",
                disabled=not (self.answers or self.shown or any(self.seeds.values())),
            ),
            class_="kv-done",
        )


def _named(command: Command) -> Question:
    """Return the variant that a command is about."""
    number = whole(command.get("question"), "question", 1, max(QUESTIONS))
    return variant(number, whole(command.get("seed"), "seed", 0, LARGEST_SEED))


def _remembered(memory: object) -> tuple[dict[int, int], dict[Key, dict[str, str]], set[Key]]:
    """Return seeds, answers and what was shown, from what a browser kept, which may be anything."""
    if not isinstance(memory, str) or len(memory) > LONGEST_MEMORY:
        raise PagedKVError("It is no text, or too long.")
    kept: Any = json.loads(memory)
    if kept["v"] != MEMORY_VERSION:
        raise PagedKVError("It is of another version.")
    seeds = [whole(seed, "seed", 0, LARGEST_SEED) for seed in kept["seeds"]]
    answers: dict[Key, dict[str, str]] = {}
    for number, seed, given in kept["answers"][:MOST_REMEMBERED]:
        if not isinstance(given, Mapping):
            raise PagedKVError("Answers are an object.")
        key = _key(number, seed)
        answers[key] = {str(name): str(text)[:LONGEST_ANSWER] for name, text in list(given.items())[:10]}
    shown = {_key(number, seed) for number, seed in kept["shown"][:MOST_REMEMBERED]}
    return dict(zip(QUESTIONS, seeds, strict=True)), answers, shown


def _key(number: object, seed: object) -> Key:
    return whole(number, "question", 1, max(QUESTIONS)), whole(seed, "seed", 0, LARGEST_SEED)
