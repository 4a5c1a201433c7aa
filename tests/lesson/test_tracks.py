"""The two tracks as a reader walks them: whole, in order, in their own words, and as long as they say."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from figures.gallery import FIGURES
from lesson.errors import LessonError
from lesson.exercises import Exercise
from lesson.glossary import linked, terms_of
from lesson.pages import HIGHEST_GRADE, Page, render
from lesson.readability import grade
from lesson.site import SOURCE
from lesson.tracks import nav_of, paths_in
from pagedkv.operations import Finish
from pagedkv.scenarios import SCENARIOS
from pagedkv.side_by_side import replay
from pagedkv.snapshot import Snapshot
from tests.lesson.reader import Element, elements_of
from tests.lesson.test_helpers import FRONT, mounted

PATHS = list(paths_in(nav_of(SOURCE)))
WRITTEN = [path for path in PATHS if not path.startswith("reference/")]
DEEP = [path for path in WRITTEN if path.startswith("deep/") and path != "deep/all.md"]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory, exercise: Exercise) -> dict[str, Page]:
    folder = tmp_path_factory.mktemp("pages")
    return {page.path: page for page in render(SOURCE, folder, widget=mounted, exercise=exercise)}


def article_of(site: Path, path: str) -> Element:
    elements = elements_of((site / path.replace(".md", ".html")).read_text(encoding="utf-8"))
    return next(element for element in elements if element.tag == "article")


def test_the_order_of_reading_names_every_page_once(pages: dict[str, Page]) -> None:
    assert sorted(PATHS) == sorted(pages)
    assert PATHS[: 1 + len(DEEP)] == ["index.md", *DEEP], "the deep track follows the plain one"


def test_the_tracks_take_as_long_as_they_say(pages: dict[str, Page]) -> None:
    assert abs(pages["index.md"].meta["minutes"] - 6) <= 1
    (minutes,) = re.findall(r"Python, in <[^>]*>(\d+) minutes<", pages["index.md"].text)
    assert abs(int(minutes) - 14) <= 1
    assert f"Deep track, page 1 of {len(DEEP)} · " in pages[DEEP[0]].text
    assert f", {minutes} in all" in pages[DEEP[0]].text
    for path in (path for path in WRITTEN if path != "gpu.md"):
        assert pages[path].meta["minutes"] <= 6, path


def test_the_way_onward_leads_from_the_first_page_to_the_last_and_back(site: Path) -> None:
    for place, path in enumerate(PATHS):
        file = site / path.replace(".md", ".html")
        elements = elements_of(file.read_text(encoding="utf-8"))
        (onward,) = [element for element in elements if element.has_class("lesson-onward")]
        leads = {link.get("rel"): (file.parent / link.get("href")).resolve() for link in onward.children}
        wanted = {"prev": PATHS[place - 1 : place], "next": PATHS[place + 1 : place + 2]}
        assert leads == {
            name: (site / other.replace(".md", ".html")).resolve()
            for name, others in wanted.items()
            for other in others
        }, path


def test_date_chapter_and_order_are_said_once_for_all_pages(pages: dict[str, Page]) -> None:
    first = pages["index.md"].meta
    for path in WRITTEN:
        for name in ("date", "chapter", "order"):
            assert pages[path].meta[name] == first[name]
            assert pages[path].text.count(f"\n{name}: {first[name]}\n") == 1, path


def test_each_page_of_the_lesson_says_what_it_needs(pages: dict[str, Page]) -> None:
    for path in ["index.md", *DEEP]:
        text = pages[path].text
        assert text.count('<p class="lesson-byline">') == 2, path
        for needed in pages[path].meta["prerequisites"]:
            assert needed in text, path


def test_each_page_of_a_track_opens_the_widget_at_a_scenario_of_its_own(pages: dict[str, Page]) -> None:
    opened = {}
    for path in ["index.md", *DEEP]:
        (link,) = re.findall(r'data-opens="([^"]*)"', pages[path].text)
        opened[path] = link
    assert opened["index.md"] == ""
    assert len(set(opened.values())) == len(opened), "no two pages show the same"
    named = {found for link in opened.values() for found in re.findall(r"scenario=([\w-]+)", link)}
    assert named <= set(SCENARIOS)
    assert len(named) >= 7


def test_the_deep_track_shows_figures_two_to_five_in_order(pages: dict[str, Page]) -> None:
    shown = [int(n) for path in DEEP for n in re.findall(r'id="figure-(\d)"', pages[path].text)]
    assert shown == sorted(FIGURES)[1:]
    assert re.findall(r'id="figure-(\d)"', pages["index.md"].text) == ["1"]


def prose(page: Page) -> str:
    """Return a page's words without its front matter, code, figures, markup and reading lists."""
    text = re.sub(r"\A---\n.*?\n---\n|^## Sources\n.*", "", page.text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"<(figure|ul|p class=\"lesson-byline\")\b.*?</(figure|ul|p)>", " ", text, flags=re.DOTALL)
    return re.sub(r"^```.*?^```|`[^`]*`|<[^>]*>|\]\([^)]*\)", " ", text, flags=re.DOTALL | re.MULTILINE)


def test_the_plain_track_says_chat_and_the_deep_track_request(pages: dict[str, Page]) -> None:
    assert re.findall(r"\brequests?\b", prose(pages["index.md"])) == []
    change = prose(pages[DEEP[0]])
    assert re.search(r"chat is a\W+request", change), "where the words change, the page says so"
    for path in DEEP[1:]:
        assert re.findall(r"\bchats?\b|\bnotes\b", prose(pages[path])) == [], path


# What the deep pages tell to try


def test_what_the_deep_pages_tell_to_try_happens() -> None:
    def after(name: str, *more: Finish, **settings: int) -> Snapshot:
        scenario = SCENARIOS[name]
        model, _ = replay(replace(scenario.settings, **settings), [*scenario.operations, *more])
        return model.snapshot()

    holes = after("holes")
    assert (holes["contiguous"]["queue"], holes["paged"]["queue"]) == (["R4"], [])
    assert after("holes", Finish("R1"))["contiguous"]["queue"] == []

    full = after("out-of-blocks")
    assert (full["paged"]["free_list"], full["paged"]["queue"]) == ([], ["D"])
    assert after("out-of-blocks", Finish("B"))["paged"]["queue"] == []

    assert after("block-sizes")["paged"]["queue"] == ["E"]
    single = after("block-sizes", block_size=1)["paged"]
    assert (single["queue"], single["counters"]["empty"]) == ([], 0)


# Readability


def test_the_plain_track_is_held_to_a_school_leavers_level(tmp_path: Path, pages: dict[str, Page]) -> None:
    assert pages["index.md"].meta["grade"] <= HIGHEST_GRADE["plain"]
    for page in (page for page in pages.values() if "grade" in page.meta):
        assert f"grade: {page.meta['grade']}\n" in page.text
    hard = (
        "Administrative organisations systematically institutionalise unnecessarily complicated terminology. "
    )
    source = tmp_path / "source"
    source.mkdir()
    for track, stops in (("plain", True), ("deep", False)):
        front = FRONT.replace("order: 1\n", f"order: 1\ntrack: {track}\n")
        (source / "page.md").write_text(front + hard * 9, encoding="utf-8")
        if stops:
            with pytest.raises(
                LessonError, match=r"page.md reads at grade \d\d\.\d, and the plain track may"
            ):
                render(source, tmp_path / "target", widget=mounted, facts={})
        else:
            render(source, tmp_path / "target", widget=mounted, facts={})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Published scores of these two texts: 2.3 and 11.3.
        ("Do you like green eggs and ham? I do not like them, Sam-I-am.", 2.3),
        ("The Australian platypus is seemingly a hybrid of a mammal and reptilian creature.", 11.3),
    ],
)
def test_the_grade_is_near_what_others_count(text: str, expected: float) -> None:
    assert abs(grade(text) - expected) < 2.5


# Glossary


def test_a_term_is_linked_where_a_page_uses_it_first_and_there_only(site: Path) -> None:
    terms = {term.anchor: term for term in terms_of(SOURCE)}
    seen: set[str] = set()
    for path in (path for path in WRITTEN if path != "glossary.md"):
        links = [e for e in everything(article_of(site, path)) if e.has_class("lesson-term")]
        anchors = [link.get("href").partition("#")[2] for link in links]
        assert len(anchors) == len(set(anchors)), path
        for link, anchor in zip(links, anchors, strict=True):
            term = terms[anchor]
            forms = {form.lower() for form in (term.name, *term.also)}
            assert " ".join(link.text.split()).lower() in forms
        seen |= set(anchors)
    assert seen == set(terms), "a term that no page uses needs no definition"


def everything(element: Element) -> list[Element]:
    return [one for child in element.children for one in (child, *everything(child))]


def test_the_glossary_has_one_definition_a_term(site: Path) -> None:
    elements = everything(article_of(site, "glossary.md"))
    names = [element.text for element in elements if element.tag == "dt"]
    assert names == [term.name for term in terms_of(SOURCE)]
    assert len(names) == len([element for element in elements if element.tag == "dd"])


def test_two_definitions_of_a_term_stop_the_build(tmp_path: Path) -> None:
    (tmp_path / "glossary.toml").write_text(
        '["block"]\nmeans = "One."\n["lump"]\nalso = ["Block"]\nmeans = "Two."\n', encoding="utf-8"
    )
    with pytest.raises(LessonError, match="two definitions for 'block'"):
        terms_of(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "# A slot\n",
        "`slot`\n",
        "```\nslot\n```\n",
        "[a slot](x.md)\n",
        '<p title="slot">\n',
        "| slot |\n",
        "---\ntitle: slot\n---\n",
        "A slotted spoon.\n",
    ],
)
def test_what_is_no_prose_is_not_linked(text: str) -> None:
    assert linked(text, terms_of(SOURCE), "g.html") == text
