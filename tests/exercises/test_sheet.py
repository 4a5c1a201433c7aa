"""The sheet: what is chosen is what is printed, each variant with its answers."""

import pytest

from exercises.bank import TITLES, variant
from exercises.sheet import Choice, Sheet, chosen


def make(**fields: str) -> Sheet:
    sheet = Sheet()
    frame = sheet.dispatch({"type": "make", "fields": {"q": "1,2,3,4,5", **fields}})
    assert frame["problem"] is None
    return sheet


def test_every_variant_is_there_once_and_its_answers_once() -> None:
    markup = make(first="40", count="3").regions()["sheet"]
    for seed in (40, 41, 42):
        assert markup.count(f"<h2>Variant {seed}</h2>") == 1
        assert markup.count(f"<h2>Answers to variant {seed}</h2>") == 1
        for number, title in TITLES.items():
            assert f"<h3>{number}. {title}</h3>" in markup
            for part in variant(number, seed).parts:
                assert part.solution.rstrip(".").replace("<", "&lt;") in markup
    assert "Variant 43" not in markup


def test_pages_with_answers_come_last_and_say_so() -> None:
    markup = make(count="2").regions()["sheet"]
    first_key = markup.index("kv-key")
    assert "Variant 2</h2>" in markup[:first_key]
    assert "kv-solution" not in markup[:first_key]


def test_a_link_leads_to_the_same_sheet() -> None:
    sheet = make(q="2,4", first="7", count="5", answers="1")
    assert sheet.choice == Choice((2, 4), 7, 5, has_answers=True)
    other = Sheet()
    other.dispatch({"type": "open", "link": f"#{sheet.choice.link}"})
    assert other.regions() == sheet.regions()


@pytest.mark.parametrize(
    "fields",
    [{"count": "0"}, {"count": "61"}, {"first": "999999", "count": "2"}, {"q": "6"}, {"answers": "yes"}],
)
def test_what_is_too_much_is_refused(fields: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        chosen(fields)


def test_fewer_questions_allow_more_variants() -> None:
    assert chosen({"q": "3", "count": "300"}).count == 300
