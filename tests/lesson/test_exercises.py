"""The pages with exercises: what they may call, and what a build without exercises says."""

import re

import pytest

from exercises.bank import TITLES
from exercises.link import read
from figures.gallery import FIGURES
from lesson.errors import LessonError
from lesson.exercises import EXAMPLE_SEED, EXERCISES, Practice, mistakes_of
from lesson.facts import gather


@pytest.fixture(scope="module")
def practice() -> Practice:
    return Practice("../", gather(), lambda name, base: f"<kv-exercise>{name} {base}</kv-exercise>")


def test_an_exercise_stands_in_a_page_and_not_in_its_search(practice: Practice) -> None:
    for name in EXERCISES:
        html = practice.exercise(name)
        assert f"<lesson-unsearched data-search-exclude><kv-exercise>{name} ../</kv-exercise>" in html


def test_what_is_missing_stops_the_build(practice: Practice) -> None:
    with pytest.raises(LessonError, match="There is no exercise 'quizz'"):
        practice.exercise("quizz")
    with pytest.raises(LessonError, match="built without exercises"):
        Practice("", {}, None).exercise("quiz")
    assert Practice("", {}, lambda *_: "x", prose_only=True).exercise("quiz") == ""


def test_teachers_find_every_mistake_that_the_quiz_names(practice: Practice) -> None:
    html = practice.misconceptions()
    for number, title in TITLES.items():
        assert f"{number}. {title}: {len(mistakes_of(number))} mistakes" in html
    for name in (
        "Query heads instead of KV heads",
        "GB for GiB",
        "The back of the free list instead of the front",
        "External for internal fragmentation",
        "A copy for each chat",
    ):
        assert f"<dt>{name}</dt>" in html


def test_every_figure_is_there_for_slides(practice: Practice) -> None:
    files = set(re.findall(r'href="\.\./figs/([\w.-]+)"', practice.slides()))
    assert files == {f"{one.name}{end}.svg" for one in FIGURES.values() for end in ("", ".wide")}


def test_the_example_of_a_link_opens_a_variant_of_every_question(practice: Practice) -> None:
    link = re.sub("<[^>]*>", "", practice.example_link()).replace("&amp;", "&")
    assert read(link) == dict.fromkeys(TITLES, EXAMPLE_SEED)


def test_the_lessons_chart_says_that_it_is_level_and_why(practice: Practice) -> None:
    html = practice.capacity_chart()
    assert html.count("<svg") == 2
    assert "Sizes 1 to 16 all admit 122 requests." in html
    assert "Memory, not speed" in html
