"""A question in parts, how an answer to a part is read, and the verdict on it, which names the mistake.

Example:
    >>> part = count("left", "How many are left?", 3, "Five less two.", {7: Mistake("added", "It is less.")})
    >>> check(part, "3").is_right, check(part, "7").sentence
    (True, 'Not yet: added. It is less.')

Answers are texts, as a page sends them: the key of an option, a number, an amount of memory, or blocks by
their numbers. The right one of each part is what the rules of `pagedkv` did; `exercises.questions` runs them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from exercises.quantity import Size, Unreadable, read_count, read_size
from figures.words import counted, ranged
from pagedkv.sizes import in_binary_units
from pagedkv.snapshot import Snapshot

Answer: TypeAlias = str | int | tuple[int, ...]
Kind = Literal["choice", "count", "size", "blocks"]


class Mistake(NamedTuple):
    """A wrong way to an answer: what it is called, and a sentence that sets it right."""

    name: str
    says: str


class Verdict(NamedTuple):
    """What is said about an answer; `mistake` is None where it is right, or has no name."""

    is_right: bool
    mistake: Mistake | None
    sentence: str


@dataclass(frozen=True)
class Part:
    """One thing that is asked.

    `expected` is the right answer, `because` says why, `mistakes` is wrong answer -> mistake, `hint` is for
    any other. `options` are the (key, text) of a choice, `unit` what is counted, `among` the blocks that can
    be pressed. Where two wrong ways lead to one answer, the one that is listed last is told. `diagnose` may
    name a mistake in an answer that is not foreseen one by one.
    """

    name: str
    kind: Kind
    prompt: str
    expected: Answer
    because: str
    mistakes: Mapping[Answer, Mistake]
    hint: str
    options: tuple[tuple[str, str], ...] = ()
    unit: str = ""
    among: tuple[int, ...] = ()
    diagnose: Callable[[Answer], Mistake | None] = field(default=lambda _: None)

    @property
    def solution(self) -> str:
        """The right answer as it is written for a reader.

        >>> choice("a", "Which?", "x", {"x": "This.", "y": "That."}, because="So.", mistakes={}).solution
        'This.'
        """
        if self.kind == "choice":
            return dict(self.options)[str(self.expected)]
        if isinstance(self.expected, tuple):
            return ", ".join(map(str, self.expected))
        if self.kind == "size" and isinstance(self.expected, int):
            exact = f"{self.expected:,} B"
            binary = in_binary_units(self.expected)
            return exact if binary.endswith(" B") else f"{exact}, or {binary}"
        return counted(int(self.expected), self.unit) if self.unit else f"{self.expected:,}"

    @property
    def answer(self) -> str:
        """The right answer as a page would send it."""
        if isinstance(self.expected, tuple):
            return ",".join(map(str, self.expected))
        return str(self.expected)


@dataclass(frozen=True)
class Question:
    """A variant of one of the five: its number and seed, what it tells, and what it asks.

    `snapshot` is the state that is drawn, of the layout `drawn`; `table` are rows of a model's configuration.
    """

    number: int
    seed: int
    title: str
    story: str
    parts: tuple[Part, ...]
    snapshot: Snapshot | None = None
    drawn: Literal["contiguous", "paged"] = "paged"
    shows_counts: bool = False
    table: tuple[tuple[str, str], ...] = ()


def choice(
    name: str,
    prompt: str,
    expected: str,
    options: Mapping[str, str],
    *,
    because: str,
    mistakes: Mapping[str, Mistake],
) -> Part:
    """Return a part that is answered by choosing; `options` is key -> text, in the order shown.

    >>> choice("a", "Which?", "x", {"x": "This.", "y": "That."}, because="So.", mistakes={}).kind
    'choice'
    """
    wrong: dict[Answer, Mistake] = {key: mistake for key, mistake in mistakes.items() if key != expected}
    hint = "Look at the picture again, or at what is said above it."
    return Part(name, "choice", prompt, expected, because, wrong, hint, options=tuple(options.items()))


def count(
    name: str,
    prompt: str,
    expected: int,
    because: str,
    mistakes: Mapping[int, Mistake],
    *,
    unit: str = "",
    hint: str = "Count again, or run it in the widget.",
) -> Part:
    """Return a part that is answered by a whole number.

    >>> count("a", "How many?", 2, "So.", {2: Mistake("never", "Never.")}).mistakes
    {}
    """
    wrong: dict[Answer, Mistake] = {value: said for value, said in mistakes.items() if value != expected}
    return Part(name, "count", prompt, expected, because, wrong, hint, unit=unit)


def size(name: str, prompt: str, expected: int, because: str, mistakes: Mapping[int, Mistake]) -> Part:
    """Return a part that is answered by an amount of memory, in bytes or any unit.

    >>> size("a", "How much?", 2048, "So.", {}).solution
    '2,048 B, or 2 KiB'
    """
    wrong: dict[Answer, Mistake] = {value: said for value, said in mistakes.items() if value != expected}
    hint = (
        "Multiply: two for a key and a value, the layers, the KV heads, the numbers of a head, their bytes."
    )
    return Part(name, "size", prompt, expected, because, wrong, hint)


def blocks(
    name: str,
    prompt: str,
    expected: tuple[int, ...],
    because: str,
    mistakes: Mapping[tuple[int, ...], Mistake],
    *,
    among: int,
    diagnose: Callable[[Answer], Mistake | None] = lambda _: None,
) -> Part:
    """Return a part that is answered by pressing blocks, in order, out of the first `among` numbers.

    >>> blocks("a", "Which?", (2, 6), "So.", {}, among=8).solution
    '2, 6'
    """
    wrong: dict[Answer, Mistake] = {value: said for value, said in mistakes.items() if value != expected}
    hint = "Look at the free list and at what is asked, and press again."
    return Part(
        name, "blocks", prompt, expected, because, wrong, hint, among=tuple(range(among)), diagnose=diagnose
    )


def check(part: Part, text: str) -> Verdict:
    """Return the verdict on an answer.

    >>> part = size("a", "How much?", 2_000_000, "So.", {1_000_000: Mistake("half", "Twice that.")})
    >>> [check(part, text).sentence for text in ("2 MB", "2 MiB", "1 MB", "1 apple")][1:]
    ['Not yet: MiB for MB. ...', 'Not yet: half. Twice that.', '“apple” is no unit here. Known: ...']
    """
    try:
        if part.kind == "size":
            return _size_verdict(part, read_size(text))
        answer = _read(part, text)
    except Unreadable as unreadable:
        return Verdict(is_right=False, mistake=None, sentence=str(unreadable))
    if answer == part.expected:
        return Verdict(is_right=True, mistake=None, sentence=f"Right. {part.because}")
    return _wrong(part, part.mistakes.get(answer) or part.diagnose(answer))


def _read(part: Part, text: str) -> Answer:
    if not text.strip():
        raise Unreadable("This is not answered yet.")
    if part.kind == "choice":
        if text not in dict(part.options):
            raise Unreadable("Choose one of those that are there.")
        return text
    if part.kind == "blocks":
        pressed = tuple(read_count(word) for word in text.split(",")[: len(part.among) + 1])
        if not set(pressed) <= set(part.among):
            raise Unreadable(f"There are blocks {ranged(part.among)}.")
        return pressed
    return read_count(text)


def _size_verdict(part: Part, said: Size) -> Verdict:
    expected = part.expected
    if not isinstance(expected, int):
        raise TypeError("An amount of memory is a whole number of bytes.")
    if said.matches(expected):
        return Verdict(is_right=True, mistake=None, sentence=f"Right. {part.because}")
    for amount, mistake in part.mistakes.items():
        if isinstance(amount, int) and said.matches(amount):
            return _wrong(part, mistake)
    twin = said.in_twin()
    if twin is not None and twin.matches(expected):
        return _wrong(part, unit_mistake(said.unit, twin.unit))
    if twin is not None:
        for amount, mistake in part.mistakes.items():
            if isinstance(amount, int) and twin.matches(amount):
                both = f"{mistake.name}, and {said.unit} for {twin.unit}"
                return _wrong(part, Mistake(both, mistake.says))
    if abs(said.in_bytes - expected) * 50 <= expected:
        return _wrong(part, ROUNDED)
    return _wrong(part, None)


ROUNDED = Mistake("rounded too far", "It is near. Write more digits, or the exact bytes.")


def unit_mistake(said: str, meant: str) -> Mistake:
    """Return the mistake of writing one unit for its twin.

    >>> unit_mistake("GB", "GiB").name
    'GB for GiB'
    """
    return Mistake(
        f"{said} for {meant}",
        "The number is right, the unit is not. kB, MB and GB go in steps of 1,000; "
        "KiB, MiB and GiB in steps of 1,024.",
    )


def _wrong(part: Part, mistake: Mistake | None) -> Verdict:
    if mistake is None:
        return Verdict(is_right=False, mistake=None, sentence=f"Not yet. {part.hint}")
    sentence = f"Not yet: {mistake.name}. {mistake.says}"
    return Verdict(is_right=False, mistake=mistake, sentence=sentence)
