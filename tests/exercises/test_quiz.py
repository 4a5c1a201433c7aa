"""A reader's quiz: answers, variants, links, and what the browser keeps. And what the build records of it."""

import json

import pytest

from exercises.bank import QUESTIONS, variant
from exercises.desk import Frame
from exercises.link import read, written
from exercises.question import check
from exercises.quiz import MOST_REMEMBERED, Quiz
from exercises.recorded import recorded
from exercises.view import marked, write


def right(number: int, seed: int = 0) -> dict[str, str]:
    return {part.name: part.answer for part in variant(number, seed).parts}


def answer(quiz: Quiz, number: int, fields: dict[str, str], seed: int = 0) -> Frame:
    return quiz.dispatch({"type": "answer", "question": number, "seed": seed, "fields": fields})


@pytest.mark.parametrize("number", QUESTIONS)
@pytest.mark.parametrize("seed", [0, 17])
def test_right_answers_are_right_and_counted(number: int, seed: int) -> None:
    quiz = Quiz()
    frame = answer(quiz, number, right(number, seed), seed)
    parts = len(right(number, seed))
    assert frame["said"] == f"Question {number}: {parts} of {parts} right."
    assert frame["regions"][f"question-{number}"].count("kv-right") == parts
    assert "✓ right" in frame["regions"]["progress"]
    assert "1 variant answered right" in frame["regions"]["progress"]


def test_a_wrong_answer_is_shown_with_its_mistake_beside_its_part_and_kept_in_its_field() -> None:
    frame = answer(Quiz(), 3, {"token": "96 KiB", "chat": ""})
    shown = frame["regions"]["question-3"]
    assert shown.count("kv-wrong") == 1
    assert "query heads instead of KV heads" in shown
    assert 'value="96 KiB"' in shown
    assert "0 of 2 right" in frame["regions"]["progress"]


def test_what_is_shown_does_not_count_as_answered() -> None:
    quiz = Quiz()
    frame = quiz.dispatch({"type": "solve", "question": 4, "seed": 0})
    assert frame["regions"]["question-4"].count("kv-solution") == len(right(4))
    frame = answer(quiz, 4, right(4))
    assert "0 variants answered right" in frame["regions"]["progress"]


def test_another_variant_has_a_link_that_leads_to_it() -> None:
    quiz = Quiz()
    frame = quiz.dispatch({"type": "variant", "question": 2, "seed": 0})
    assert frame["link"] is not None
    assert read(frame["link"]) == {2: quiz.seeds[2]}
    other = Quiz()
    opened = other.dispatch({"type": "open", "link": f"#{frame['link']}"})
    assert opened["regions"] == frame["regions"]
    assert opened["show"] == "question-2"


def test_a_link_opens_what_it_names_and_the_lessons_own_for_the_rest() -> None:
    quiz = Quiz()
    quiz.dispatch({"type": "variant", "question": 5, "seed": 0})
    quiz.dispatch({"type": "open", "link": "#v=1&q=1,3&seed=5,9"})
    assert quiz.seeds == {1: 5, 2: 0, 3: 9, 4: 0, 5: 0}


@pytest.mark.parametrize(
    "seeds", [{1: 0}, {3: 17}, {1: 5, 4: 5}, {2: 1, 5: 2}, dict.fromkeys(QUESTIONS, 999_999)]
)
def test_links_are_read_as_they_are_written(seeds: dict[int, int]) -> None:
    assert read(f"#{written(seeds)}") == seeds


def test_links_that_were_published_open_what_they_always_did() -> None:
    assert read("#q=3&seed=17") == {3: 17}
    assert read("#v=1&q=3&seed=17") == {3: 17}
    assert read("v=1&q=1,4&seed=5,9") == {1: 5, 4: 9}
    assert read("?v=1&q=1%2C4&seed=5") == {1: 5, 4: 5}
    assert read("#v=1&seed=8") == dict.fromkeys(QUESTIONS, 8)
    assert read("#v=1") == dict.fromkeys(QUESTIONS, 0)


def test_what_is_kept_is_taken_up_again() -> None:
    quiz = Quiz()
    answer(quiz, 1, right(1))
    answer(quiz, 3, {"token": "<i>&quot;"})
    quiz.dispatch({"type": "solve", "question": 4, "seed": 7})
    kept = quiz.dispatch({"type": "variant", "question": 5, "seed": 0})["memory"]
    other = Quiz()
    taken = other.dispatch({"type": "resume", "memory": kept})
    assert taken["problem"] is None
    assert taken["regions"] == quiz.regions()
    assert "<i>" not in taken["regions"]["question-3"]


def test_clearing_leaves_nothing() -> None:
    quiz = Quiz()
    answer(quiz, 1, right(1), 4)
    frame = quiz.dispatch({"type": "clear"})
    assert frame["memory"] == ""
    assert frame["regions"] == Quiz().regions()


@pytest.mark.parametrize(
    "change",
    [
        *({"v": 2}, {"seeds": [0] * 4}, {"seeds": ["x"] * 5}, {"seeds": None}, {"answers": [[9, 0, {}]]}),
        *({"answers": [[1, 0, ["x"]]]}, {"answers": {"1": 2}}, {"shown": [[1]]}, {"shown": [["a", "b"]]}),
    ],
)
def test_what_is_kept_and_was_meddled_with_is_refused(change: dict[str, object]) -> None:
    kept = json.loads(answer(Quiz(), 1, right(1))["memory"] or "")
    frame = Quiz().dispatch({"type": "resume", "memory": json.dumps(kept | change)})
    assert frame["problem"] == "What this browser kept of the quiz cannot be read. It starts anew."
    assert frame["regions"] == Quiz().regions()


def test_what_is_kept_stays_small() -> None:
    quiz, kept = Quiz(), None
    for seed in range(MOST_REMEMBERED + 20):
        kept = answer(quiz, 3, {"token": "1" * 5000}, seed)["memory"]
    frame = Quiz().dispatch({"type": "resume", "memory": kept})
    assert frame["problem"] is None


# What the build records


def test_recorded_verdicts_are_those_of_a_fresh_run() -> None:
    said = recorded()
    seen = 0
    for number in QUESTIONS:
        for part in variant(number, 0).parts:
            for text, place in said["answers"][str(number)][part.name].items():
                verdict = check(part, text)
                markup = "".join(write(child) for child in marked(verdict) if child is not None)
                assert said["verdicts"][place] == (verdict.is_right, markup), text
                seen += 1
    assert seen > 500


@pytest.mark.parametrize(
    ("number", "part", "texts"),
    [
        (1, "why", ["reserved", "holes", "tokens", "uncleared"]),
        (1, "empty", ["39", "9", "48"]),
        (3, "token", ["24 kib", "24kib", "24,576 b", "24576", "96 kib", "24 kb", "24.6 kb"]),
        (3, "chat", ["46.9 mib", "46.9 mb", "49 mb", "49,152,000 b", "187.5 mib", "46.875 mib"]),
        (4, "table", ["2,6", "6,2", "2", "0,1"]),
    ],
)
def test_answers_that_people_give_are_recorded(number: int, part: str, texts: list[str]) -> None:
    assert set(texts) <= set(recorded()["answers"][str(number)][part])
