"""Figures 1 to 5: reviewed pictures, and the facts of the lesson as literals."""

import re
from collections import Counter
from collections.abc import Callable
from xml.etree import ElementTree

import pytest

from figures.gallery import FIGURES
from figures.sheet import Figure
from figures.views import FIGURE_VIEWS, NARROW, View
from figures.words import LayoutName, described
from pagedkv.scenarios import SCENARIOS

SVG = "{http://www.w3.org/2000/svg}"


def drawn(figure: Figure, view: View) -> ElementTree.Element:
    return ElementTree.fromstring(figure.svg(view, is_file=True))


def letters(figure: Figure, view: View = NARROW) -> Counter[str]:
    found = drawn(figure, view).iter(f"{SVG}text")
    # The legend's sample letter has no key.
    return Counter(
        text.text or "" for text in found if "letter" in text.get("class", "") and text.get("data-key")
    )


def classes(figure: Figure, kind: str, view: View = NARROW) -> int:
    found = drawn(figure, view).iter(f"{SVG}rect")
    return sum(kind in rect.get("class", "").split() for rect in found if rect.get("data-key"))


@pytest.mark.parametrize("number", range(1, 6))
@pytest.mark.parametrize("view", FIGURE_VIEWS, ids=lambda view: view.name)
def test_each_figure_is_the_reviewed_picture(
    number: int, view: View, same_picture: Callable[[str, str], None]
) -> None:
    figure = FIGURES[number]
    same_picture(f"{figure.name}.{view.name}.svg", figure.svg(view, is_file=True))


def test_the_five_figures_have_the_names_that_others_link_to() -> None:
    assert {number: figure.name for number, figure in FIGURES.items()} == {
        1: "reserve-vs-blocks",
        2: "contiguous",
        3: "block-table",
        4: "free-list",
        5: "prefix-sharing",
    }


def test_figure_1_reserves_for_two_chats_and_has_blocks_for_three() -> None:
    figure = FIGURES[1]
    # Old way: 3 of chat 1 and 5 of chat 2; new way: 3, 5 and 4.
    assert letters(figure) == {"1": 3 + 3, "2": 5 + 5, "3": 4}
    assert classes(figure, "kept") == 8 + 2
    assert classes(figure, "free") == 4 + 6
    assert "1 holds 3 tokens in blocks 0 and 3." in figure.description
    assert "2 holds 5 tokens in blocks 1, 4 and 6." in figure.description
    assert "3 holds 4 tokens in blocks 2 and 5." in figure.description
    assert "3 waits for 8 slots in a row." in figure.description


def test_figure_2_has_twelve_free_slots_in_runs_of_eight_and_four() -> None:
    figure = FIGURES[2]
    assert letters(figure) == {"R1": 5 + 5, "R2": 3, "R3": 6 + 6}
    assert classes(figure, "kept") == 14 + 9
    assert classes(figure, "free") == 4 + 12
    assert figure.caption == "12 slots are free, but in runs of 8 and 4. R4 needs 12 in a row, so R4 waits."


def test_figure_3_finds_token_8_in_physical_block_5() -> None:
    figure = FIGURES[3]
    assert letters(figure) == {"A": 9, "B": 3, "C": 5}
    assert figure.caption == (
        "A's tokens 0 to 8 lie in blocks 0, 1 and 5. "
        "Token 8 is in logical block 2, so in physical block 5, slot 0."
    )
    arrows = [path for path in drawn(figure, NARROW).iter(f"{SVG}path") if path.get("class") == "arrow"]
    assert len(arrows) == 3


def test_figure_4_gives_blocks_2_and_6_back_behind_7() -> None:
    figure = FIGURES[4]
    assert letters(figure) == {"A": 9 + 9, "B": 5, "C": 5 + 5}
    assert figure.caption == (
        "B finishes and gives back blocks 2 and 6. The free list was 7; now it is 7, 2 and 6."
    )


def test_figure_5_shares_two_blocks_and_copies_one() -> None:
    figure = FIGURES[5]
    # S1: 6, 6, 7, 7 tokens; S2: 6, 6, 7. Block 0 stays shared, so its slots carry both letters to the end.
    assert letters(figure) == {"S1": 6 + 6 + 7 + 7, "S2": 6 + 6 + 7}
    labels = [text.text for text in drawn(figure, NARROW).iter(f"{SVG}text") if "refs" in (text.text or "")]
    assert [label for label in labels if label and label[0].isdigit()] == [
        *("0 · refs 1", "1 · refs 1"),
        *("0 · refs 2", "1 · refs 2"),
        *("0 · refs 2", "1 · refs 1", "2 · refs 1"),
        *("0 · refs 2", "1 · refs 1", "2 · refs 1"),
    ]


@pytest.mark.parametrize("number", range(1, 6))
@pytest.mark.parametrize("view", FIGURE_VIEWS, ids=lambda view: view.name)
def test_each_figure_says_what_it_is_to_those_who_do_not_see_it(number: int, view: View) -> None:
    root = drawn(FIGURES[number], view)
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert description is not None
    assert root.get("role") == "img"
    assert (root.get("aria-labelledby") or "").split() == [title.get("id"), description.get("id")]
    assert title.text == f"Figure {number}. {FIGURES[number].title}"
    assert description.text == FIGURES[number].description


@pytest.mark.parametrize("number", range(1, 6))
@pytest.mark.parametrize("view", FIGURE_VIEWS, ids=lambda view: view.name)
def test_everything_lies_inside_the_picture_and_is_large_enough_to_read(number: int, view: View) -> None:
    root = drawn(FIGURES[number], view)
    left, top, width, height = map(float, (root.get("viewBox") or "").split())
    smallest = 10 if view is NARROW else 12
    for text in root.iter(f"{SVG}text"):
        size = float(text.get("font-size", "0"))
        # A letter in a slot may be smaller where the slot is narrow, but never below what a phone shows.
        assert size >= (10 if "letter" in text.get("class", "") else smallest)
        assert left <= float(text.get("x", "nan")) <= left + width
        assert top <= float(text.get("y", "nan")) <= top + height
    for rect in root.iter(f"{SVG}rect"):
        x, y, w, h = (float(rect.get(name, "nan")) for name in ("x", "y", "width", "height"))
        assert left <= x
        assert x + w <= left + width + 0.01
        assert top <= y
        assert y + h <= top + height + 0.01
        assert min(w, h) > 0


@pytest.mark.parametrize("number", range(1, 6))
def test_keys_and_ids_are_unique(number: int) -> None:
    figure = FIGURES[number]
    ids: list[str] = []
    for view in FIGURE_VIEWS:
        elements = list(drawn(figure, view).iter())
        keys = [element.get("data-key") for element in elements if element.get("data-key")]
        assert len(keys) == len(set(keys))
        ids += [element.get("id", "") for element in elements if element.get("id")]
    assert len(ids) == len(set(ids)), "both widths stand in one page"


@pytest.mark.parametrize("number", range(1, 6))
def test_a_file_stands_alone(number: int) -> None:
    text = FIGURES[number].svg(NARROW, is_file=True)
    assert "var(" not in text
    assert re.findall(r"(?:href|src)=|url\(|@import", text) == []
    assert "prefers-color-scheme:dark" in text
    assert "@media print" in text


def test_each_figure_shows_the_state_in_which_its_scenario_opens() -> None:
    scenarios = {number: figure.scenario for number, figure in FIGURES.items()}
    assert scenarios == {
        1: "reserve-vs-blocks",
        2: "holes",
        3: "block-table",
        4: "free-list",
        5: "prefix-sharing",
    }
    for figure in FIGURES.values():
        scenario = SCENARIOS[figure.scenario]
        snapshot = scenario.run(scenario.opens_at)[0].snapshot()
        layout: LayoutName = "contiguous" if figure.number == 2 else "paged"
        assert described(layout, snapshot) in figure.description
