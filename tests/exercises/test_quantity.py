"""What is typed is read as people write it, and what cannot be meant is refused."""

from decimal import Decimal

import pytest

from exercises.quantity import UNITS, Unreadable, read_count, read_size


@pytest.mark.parametrize(
    ("text", "num_bytes"),
    [
        *(("49152000", 49_152_000), ("49,152,000 B", 49_152_000), ("49 152 000 bytes", 49_152_000)),
        *(
            ("49_152_000b", 49_152_000),
            ("49'152'000 byte", 49_152_000),
            ("49\u202f152\u00a0000 B", 49_152_000),
        ),
        *(("46.875 MiB", 49_152_000), ("46,875 MiB", 49_152_000_000), ("46,88 MiB", Decimal("49157242.88"))),
        *(("24 KiB", 24_576), ("24kib", 24_576), ("24 KB", 24_000), ("24 kB.", 24_000), ("1 TiB", 2**40)),
        *(("1,536.5 KiB", 1_573_376), ("0 B", 0)),
    ],
)
def test_an_amount_is_read(text: str, num_bytes: int) -> None:
    assert read_size(text).in_bytes == num_bytes


@pytest.mark.parametrize(
    ("text", "word"),
    [
        *(("", "number"), ("KiB", "number"), ("-1 B", "number"), ("1e3 B", "number"), ("1..5 B", "number")),
        *(
            ("46.9", "unit"),
            ("3 apples", "unit"),
            ("8 kbit", "bits"),
            ("1,23,4 B", "number"),
            ("1" * 41, "number"),
        ),
        *(("٣ B", "number"), ("1 B; drop", "number")),
    ],
)
def test_what_is_no_amount_is_refused(text: str, word: str) -> None:
    with pytest.raises(Unreadable, match=word):
        read_size(text)


@pytest.mark.parametrize(
    ("text", "is_it"),
    [
        *(("46.9 MiB", True), ("46.88 MiB", True), ("46.875 MiB", True), ("47 MiB", True), ("46 MiB", False)),
        *(("46.8 MiB", False), ("49.2 MB", True), ("49.15 MB", True), ("50 MB", False), ("0.05 GB", False)),
        *(
            ("0.049 GB", True),
            ("0.0 GB", False),
            ("49152 kB", True),
            ("49152001 B", False),
            ("48000 KiB", True),
        ),
    ],
)
def test_an_amount_is_right_when_it_is_rounded_to_what_is_written(text: str, is_it: bool) -> None:
    assert read_size(text).matches(49_152_000) is is_it


def test_every_unit_has_its_size() -> None:
    for power, letter in enumerate("kMGT", start=1):
        assert UNITS[f"{letter}B"] == 1000**power
        assert UNITS[f"{letter.upper()}iB"] == 1024**power


@pytest.mark.parametrize("text", ["", "x", "1.5", "-3", "3 slots", "1" * 41])
def test_what_is_no_whole_number_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        read_count(text)
    assert read_count(" 1,234 ") == 1234
