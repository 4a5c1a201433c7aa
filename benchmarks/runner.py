"""Measure in turn, compare, print a table, write JSON: what all topics share.

A topic is a module of this package with a `TITLE` and a function `rows()`, which yields a `Row` as soon as it
is measured. To add one, write the module and name it in `benchmarks.__main__.TOPICS`.

What is compared is measured in one process and in turn, A B A B, so that a busy machine slows both down. The
ratio is the median of the rounds' ratios.
"""

import json
import os
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median


@dataclass(frozen=True)
class Row:
    """One line of a table.

    Attributes:
        name: what was measured.
        unit: of `measured`.
        measured: label -> median over the rounds.
        ratio: the first of `measured` over the second, if the row compares two.
        at_most: what the project aims at, for the ratio, or for the first of `measured` where there is none.
    """

    name: str
    unit: str
    measured: dict[str, float]
    ratio: float | None = None
    at_most: float | None = None

    @property
    def verdict(self) -> str:
        """Say whether the aim is met."""
        found = next(iter(self.measured.values()), None) if self.ratio is None else self.ratio
        if found is None or self.at_most is None:
            return ""
        unit = f" {self.unit}" if self.ratio is None else ""
        return f"at most {self.at_most:,g}{unit}: " + ("met" if found <= self.at_most else "MISSED")


def compare(
    name: str,
    contestants: dict[str, Callable[[], float]],
    *,
    rounds: int,
    unit: str,
    at_most: float | None = None,
) -> Row:
    """Measure two contestants in turn, and return their medians and the median ratio of first to second.

    A contestant does its work once and returns what it measured, in `unit`, so that setting up stays outside.
    One round before the first warms both up and is not counted.
    """
    (first, measure_first), (second, measure_second) = contestants.items()
    measure_first(), measure_second()
    pairs = [(measure_first(), measure_second()) for _ in range(rounds)]
    firsts, seconds = zip(*pairs, strict=True)
    return Row(
        name=name,
        unit=unit,
        measured={first: median(firsts), second: median(seconds)},
        ratio=median(one / other for one, other in pairs),
        at_most=at_most,
    )


def line(row: Row) -> str:
    """Return a row of the printed table."""
    measured = "   ".join(f"{label} {value:>9,.4g} {row.unit}" for label, value in row.measured.items())
    ratio = "" if row.ratio is None else f"   ratio {row.ratio:5.2f}"
    return f"{row.name:44} {measured}{ratio}   {row.verdict}".rstrip()


def write(path: Path, rows_of_topic: Mapping[str, Sequence[Row]]) -> None:
    """Write all rows, and on what they were measured."""
    report = {
        "v": 1,
        "python": platform.python_version(),
        "processors": os.cpu_count(),
        "topics": {topic: [asdict(row) for row in rows] for topic, rows in rows_of_topic.items()},
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
