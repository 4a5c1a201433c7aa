"""No number is typed on a page: each comes from the build, and follows when the build's input changes."""

import html
import re
from pathlib import Path

import pytest

from lesson.exercises import Exercise
from lesson.facts import Facts, gather
from lesson.helpers import Widget
from lesson.pages import Page, render
from lesson.site import SOURCE, build
from lesson.tracks import nav_of, paths_in
from pagedkv.capacity import capacity_example
from pagedkv.operations import Fork
from pagedkv.quote import Number
from pagedkv.scenarios import SCENARIOS
from pagedkv.sizes import ModelShape
from tests.lesson.reader import Element, elements_of

SOURCES = sorted(SOURCE.rglob("*.md"))

# Names with a digit in them: a model's, and those of the chats in the scenarios.
CHATS = {
    name
    for scenario in SCENARIOS.values()
    for operation in scenario.operations
    for name in (operation.chat, operation.parent if isinstance(operation, Fork) else operation.chat)
}
ALLOWED = {"OPT-13B"} | {name for name in CHATS if not name.isdigit()}

# What the build fills in: calls of helpers, whose arguments name things. Then the front matter, and links.
CALL = re.compile(r"\{\{ *\w+(?:\.\w+)*(?:\((?:[^(){}]|\([^(){}]*\))*\))?(?: *\| *\w+(?:\([^()]*\))?)* *\}\}")
APART = re.compile(r"\A---\n.*?\n---\n|\]\([^)]*\)", re.DOTALL)
LIST_ITEM = re.compile(r"^\d+\. ", re.MULTILINE)
REFERENCE = re.compile(r"\bFigures? \d+\b")


def typed_digits(text: str) -> list[str]:
    """Return the words of a source that hold a digit which nobody computed."""
    for pattern in (APART, CALL, LIST_ITEM, REFERENCE):
        text = pattern.sub(" ", text)
    words = re.findall(r"\S*\d\S*", text)
    return [word for word in words if word.strip(".,;:()*`|’") not in ALLOWED]


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_no_number_is_typed_on_a_page(source: Path) -> None:
    assert typed_digits(source.read_text(encoding="utf-8")) == []


def test_no_number_is_typed_in_the_glossary() -> None:
    assert re.findall(r"\S*\d\S*", (SOURCE / "glossary.toml").read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("In all 122 fit.", ["122"]),
        ("1. Move it to 16.", ["16."]),
        ('Figure 2 shows {{ num("figure_2.num_slots") }}.', []),
        ('{{ num("a.1") ~ 122 }}', ['num("a.1")', "122"]),
        ("{% set fits = 122 %}{{ fits }}", ["122"]),
        ("---\ndate: 2026-10-17\n---\nIt takes (7.6) times.", ["(7.6)"]),
        ("OPT-13B, and OPT-30B", ["OPT-30B"]),
        ("R2 ends; R9 waits.", ["R9"]),
        ("`block_size = 4`", ["4`"]),
        ('{{ code("pagedkv.blocks.BlockAllocator.append") | indent(4) }}', []),
    ],
)
def test_typed_numbers_are_found(text: str, found: list[str]) -> None:
    assert typed_digits(text) == found


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_every_figure_that_a_page_mentions_is_on_it(source: Path) -> None:
    text = source.read_text(encoding="utf-8")
    shown = set(re.findall(r"\{\{ figure\((\d+)\) \}\}", text))
    assert set(re.findall(r"Figure (\d+)", text)) <= shown
    assert sorted(shown) == re.findall(r"\{\{ figure\((\d+)\) \}\}", text), "in order of their numbers"


# What is on a page and is no prose: its numbers, and what the build ran, drew and read from the sources.
PROSE = {"p", "li", "dd", "h1", "h2", "h3"}
NOT_PROSE = {
    "num",
    "lesson-figure",
    "lesson-exercise",
    "lesson-mistakes",
    "lesson-slides",
    "lesson-widget",
    "highlight",
    "lesson-byline",
    "lesson-reading",
    "md-nav",
}


def test_every_digit_in_the_prose_of_a_built_page_is_a_number_of_the_build(site: Path) -> None:
    """The same once more from the other side: whatever a page shows, wherever it came from."""
    seen = 0
    # The notebook is a document of its own: its words name what stands in the cell beside them.
    for path in (path for path in paths_in(nav_of(SOURCE)) if not path.startswith(("reference/", "gpu"))):
        elements = elements_of((site / path.replace(".md", ".html")).read_text(encoding="utf-8"))
        for element in elements:
            if (
                element.tag in ("p", "li", "dd", "h1", "h2", "h3")
                and in_article(element)
                and not apart(element)
            ):
                typed = [word for word in re.findall(r"\S*\d\S*", own_text(element)) if not is_allowed(word)]
                assert typed == [], f"{path}: {own_text(element)}"
                seen += 1
    assert seen > 200


def in_article(element: Element) -> bool:
    return any(parent.tag == "article" for parent in element.inside)


def apart(element: Element) -> bool:
    return any(one.has_class(name) for one in (*element.inside, element) for name in NOT_PROSE)


def own_text(element: Element) -> str:
    """Return an element's text without the numbers in it, and without what is no prose."""
    text = element.text
    for child in element.children:
        text = text.replace(child.text, " " if apart(child) else own_text(child), 1)
    return REFERENCE.sub(" ", text)


def is_allowed(word: str) -> bool:
    # The form of a link, which the build writes.
    return word.strip(".,;:()*") in ALLOWED or word.startswith("#v=")


# A change of the build's input

MODEL = ModelShape("Llama with a layer more", 33, 8, 128, 2, n_heads=32, context=8192)


@pytest.fixture(scope="module")
def old() -> Facts:
    return gather()


@pytest.fixture(scope="module")
def new() -> Facts:
    return gather(MODEL, capacity_example(MODEL, num_requests=501))


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory, widget: Widget, exercise: Exercise, new: Facts) -> Path:
    """The site of another model and of one more request."""
    folder = tmp_path_factory.mktemp("changed")
    build(folder / "site", folder / "scratch", widget=widget, exercise=exercise, facts=new)
    return folder / "site"


DEPEND = (
    *("model.name", "llama_3_8b.per_token", "llama_3_8b.bytes_per_token", "llama_3_8b.product"),
    *("llama_3_8b.for_1000", "llama_3_8b.for_context", "llama_3_8b.for_ten_contexts"),
    *("llama_3_8b.for_long_context", "llama_3_8b.with_query_heads"),
    *("capacity.num_slots", "capacity.workload.requests", "capacity.contiguous.requests"),
    *("capacity.contiguous.allocated", "capacity.paged.requests", "capacity.paged.allocated"),
    *("capacity.paged.wasted", "capacity.times_as_many"),
)


def test_what_depends_on_the_input_changes_with_it(old: Facts, new: Facts) -> None:
    moved = {name for name in old if old[name].text != new[name].text}
    assert moved >= set(DEPEND)
    assert {name.split(".")[0] for name in moved} <= {"model", "llama_3_8b", "capacity"}


def test_every_number_that_depends_on_the_input_changes_on_every_page(
    tmp_path: Path, widget: Widget, exercise: Exercise, old: Facts, new: Facts
) -> None:
    """Each place where a page shows a number says which; so each is followed through the change."""
    marked = {name: Number(number.value, f"[{name}]", number.origin) for name, number in old.items()}

    def shown(facts: Facts) -> dict[str, list[str]]:
        pages = render(SOURCE, tmp_path, widget=widget, exercise=exercise, facts=facts)
        return {page.path: numbers_on(page) for page in pages}

    named, before, after = map(shown, (marked, old, new))
    followed = set()
    for path, names in named.items():
        assert before[path] == [old[name].text for name in names], path
        assert after[path] == [new[name].text for name in names], path
        followed |= set(names)
    assert followed >= set(DEPEND), "each of them is shown somewhere"


def numbers_on(page: Page) -> list[str]:
    """Return what stands in the page's numbers; the marked pages hold names in brackets."""
    found = re.findall(r'<(?:span|a) class="num[^>]*>([^<]*)</', page.text)
    return [html.unescape(text).strip("[]") for text in found if "minute" not in text]


def test_no_old_number_is_left_on_any_page(changed: Path, old: Facts, new: Facts) -> None:
    still_right = {number.text for number in new.values()}
    gone = {old[name].text for name in old if old[name].text != new[name].text} - still_right
    assert {"128 KiB", "122", "125 MiB", "10 GiB", "512 KiB", "500"} <= gone
    pages = sorted(changed.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        words = text_of(page)
        left = [
            text for text in sorted(gone) if re.search(rf"(?<![\w.,]){re.escape(text)}(?![\w]|[.,]\d)", words)
        ]
        assert left == [], page.relative_to(changed)


# Of other models, by their own configurations: what `lesson.models` marks so, and the calculator.
OTHER_MODELS = re.compile(
    r'<span class="model num">[^<]*</span>|<kv-exercise class="[^"]*kv-calculator".*?</kv-exercise>',
    re.DOTALL,
)


def test_what_is_left_out_is_of_other_models_and_nothing_else(changed: Path) -> None:
    with_others = [
        page.name for page in changed.rglob("*.html") if OTHER_MODELS.search(page.read_text(encoding="utf-8"))
    ]
    assert sorted(with_others) == ["calculator.html", "sizes.html"]
    left = OTHER_MODELS.sub(" ", '<p>128 KiB, <span class="model num">64 KiB</span></p>')
    assert left == "<p>128 KiB,  </p>"


def text_of(page: Path) -> str:
    text = OTHER_MODELS.sub(" ", page.read_text(encoding="utf-8"))
    text = re.sub(r"<(script|style|template)\b.*?</\1>", " ", text, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]*>", "", text))
