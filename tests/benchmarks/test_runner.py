"""The benchmark runner: medians, ratios, turns, and the report."""

import json
from pathlib import Path

from benchmarks.runner import Row, compare, line, write


def test_compare_takes_turns_and_returns_medians_and_the_median_ratio() -> None:
    calls: list[str] = []

    def contestant(name: str, values: list[float]) -> float:
        calls.append(name)
        return values.pop(0)

    # The first round warms up. The medians are 4 and 1; the median of the ratios 3, 1 and 4 is 3.
    ours, bare = [99.0, 6.0, 1.0, 4.0], [99.0, 2.0, 1.0, 1.0]
    row = compare(
        "name",
        {"ours": lambda: contestant("ours", ours), "bare": lambda: contestant("bare", bare)},
        rounds=3,
        unit="ns",
        at_most=2.0,
    )
    assert calls == ["ours", "bare"] * 4
    assert row == Row("name", "ns", {"ours": 4.0, "bare": 1.0}, ratio=3.0, at_most=2.0)


def test_the_verdict_says_whether_the_aim_is_met() -> None:
    assert Row("a", "ns", {}, ratio=2.0, at_most=2.0).verdict == "at most 2: met"
    assert Row("a", "ns", {}, ratio=2.01, at_most=2.0).verdict == "at most 2: MISSED"
    assert Row("a", "ms", {"median": 16.0, "p95": 60.0}, at_most=16.0).verdict == "at most 16 ms: met"
    assert Row("a", "ms", {"median": 16.1}, at_most=16.0).verdict == "at most 16 ms: MISSED"
    assert Row("a", "ns", {}, ratio=2.0).verdict == Row("a", "ns", {}).verdict == ""


def test_a_line_holds_every_measurement() -> None:
    printed = line(Row("first", "ms", {"paged": 1.5, "flat": 1.25}, ratio=1.2, at_most=1.2))
    assert " ".join(printed.split()) == "first paged 1.5 ms flat 1.25 ms ratio 1.20 at most 1.2: met"


def test_the_report_holds_every_row(tmp_path: Path) -> None:
    path = tmp_path / "new" / "bench.json"
    write(path, {"topic": [Row("a", "bytes", {"raw": 10.0})]})
    report = json.loads(path.read_text(encoding="utf-8"))
    assert report["v"] == 1
    assert report["topics"] == {
        "topic": [{"name": "a", "unit": "bytes", "measured": {"raw": 10.0}, "ratio": None, "at_most": None}]
    }
