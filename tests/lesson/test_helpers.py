"""Each helper gives what it says, and what is missing stops the build: page, line and name."""

import inspect
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from figures.gallery import FIGURES
from lesson.errors import LessonError
from lesson.excerpts import excerpt
from lesson.facts import Facts, gather
from lesson.helpers import Helpers
from lesson.pages import Page, minutes_to_read, render
from lesson.reading import READING
from lesson.tables import TABLES
from pagedkv.attention import paged_attention
from pagedkv.blocks import BlockAllocator
from pagedkv.sizes import ModelShape
from pagedkv.sources import CITED, SOURCES

FRONT = """---
title: A page
search_title: A page to be found
description: What it is about.
date: 2026-10-17
chapter: tests
order: 1
prerequisites: [reading]
---
"""


@pytest.fixture(scope="module")
def facts() -> Facts:
    return gather()


def nothing(base: str, link: str) -> str:
    return ""


def mounted(base: str, link: str) -> str:
    return f'<kv-pool data-base="{base}" data-opens="{link}"></kv-pool>'


@pytest.fixture
def helpers(facts: Facts) -> Helpers:
    return Helpers(
        "deep/page.md",
        facts,
        widget=mounted,
    )


Build = Callable[..., Page]


@pytest.fixture
def rendered(tmp_path: Path, facts: Facts) -> Build:
    """Render one page with the given body, and return it."""

    def build(body: str, *, front: str = FRONT) -> Page:
        source = tmp_path / "source"
        source.mkdir()
        (source / "page.md").write_text(front + body, encoding="utf-8")
        (page,) = render(source, tmp_path / "target", widget=mounted, facts=facts)
        assert (tmp_path / "target" / "page.md").read_text(encoding="utf-8") == page.text
        return page

    return build


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            'num("capacity.paged.request")',
            "no number 'capacity.paged.request'. Near it: 'capacity.paged.requests'",
        ),
        ('value("nothing.like.it.at.all")', "There is no number 'nothing.like.it.at.all'. None is near it."),
        ('code("pagedkv.blocks.BlockAllocator.apend")', "no symbol 'pagedkv.blocks.BlockAllocator.apend'"),
        ('code("pagedkv.block.BlockAllocator")', "There is no symbol 'pagedkv.block.BlockAllocator'"),
        ('code("numpy.zeros")', "There is no symbol 'numpy.zeros'"),
        ('table("worked-exampel")', "no table 'worked-exampel'. Near it: 'worked-example'"),
        ("figure(6)", "There is no figure 6. Known: 1, 2, 3, 4, 5."),
        ("figure(1) ~ figure(1)", "Figure 1 is on this page already. Link to #figure-1."),
        ('widget(scenario="hole")', "There is no scenario 'hole'. Near it: 'holes'."),
        ("widget(step=4)", "There is no step of the scenario 'start' 4. Known: 0, 1, 2, 3."),
        ('cite("vllm-papers", "words")', "no entry of a reading list 'vllm-papers'. Near it: 'vllm-paper'"),
        ('whole("shallow")', "There is no track 'shallow'. Known: 'plain', 'deep'."),
        ('reading("shallow")', "no reading list 'shallow'. Known: 'gentle', 'deep'."),
        ("numbr(1)", "'numbr' is undefined"),
        ("page.subtitle", "has no attribute 'subtitle'"),
        ("num()", "missing 1 required positional argument"),
        ("num(", "unexpected"),
    ],
)
def test_what_is_missing_stops_the_build_and_is_named(rendered: Build, call: str, sentence: str) -> None:
    with pytest.raises(LessonError) as stopped:
        rendered("# A\n\nWords, and\nthen {{ " + call + " }}.\n")
    assert str(stopped.value).startswith("page.md, line 13: ")
    assert sentence in str(stopped.value)


def test_a_page_ends_with_the_sources_that_it_cites_and_does_not_list(rendered: Build) -> None:
    page = rendered('{{ num("vllm.token_share") }}, {{ cite("vllm-tuning", "waits") }}\n')
    head, _, sources = page.text.partition("\n\n## Sources\n\n")
    assert re.findall(r'href="#([^"]+)"', head) == ["source-vllm-paper", "source-vllm-tuning"]
    assert re.findall(r'<li id="([^"]+)">', sources) == ["source-vllm-tuning", "source-vllm-paper"]


def test_a_page_with_the_reading_list_needs_no_other(rendered: Build) -> None:
    page = rendered('{{ num("vllm.token_share") }}\n\n{{ reading("deep") }}\n')
    assert "## Sources" not in page.text


@pytest.mark.parametrize("name", ["title", "description", "date", "chapter", "order", "prerequisites"])
def test_a_page_without_its_metadata_stops_the_build(rendered: Build, name: str) -> None:
    front = re.sub(rf"^{name}: .*\n", "", FRONT, flags=re.MULTILINE)
    with pytest.raises(LessonError, match=rf"page.md, line 1: the front matter lacks {name}\."):
        rendered("words", front=front)


def test_pages_are_never_rendered_over_their_sources(tmp_path: Path, facts: Facts) -> None:
    source = tmp_path / "site"
    source.mkdir()
    (source / "index.md").write_text(FRONT, encoding="utf-8")
    for target in (source, tmp_path):
        with pytest.raises(LessonError, match="would overwrite"):
            render(source, target, widget=nothing, facts=facts)
    assert (source / "index.md").is_file()


def test_a_computed_number_is_its_text(helpers: Helpers) -> None:
    assert helpers.num("llama_3_8b.per_token") == '<span class="num">128 KiB</span>'
    assert helpers.value("llama_3_8b.per_token") == 131072
    assert helpers.cited == set()


@pytest.mark.parametrize("name", sorted(CITED))
def test_a_cited_number_says_its_source_and_links_to_an_entry(helpers: Helpers, name: str) -> None:
    html = helpers.num(name)
    fact = CITED[name]
    assert f">{fact.text}</a>" in html
    assert f'data-source="Source: {SOURCES[fact.source].title}, {fact.where}"' in html
    assert helpers.cited == {fact.source}
    entries = helpers.reading("gentle") + helpers.reading("deep")
    (target,) = re.findall(r'href="#([^"]+)"', html)
    assert f'<li id="{target}"><a href="{SOURCES[fact.source].url}">' in entries
    assert helpers.cited <= helpers.listed


@pytest.mark.parametrize(
    ("symbol", "real"),
    [
        ("pagedkv.blocks.BlockAllocator.append", BlockAllocator.append),
        ("pagedkv.blocks.BlockAllocator.num_wasted", BlockAllocator.__dict__["num_wasted"].fget),
        ("pagedkv.attention.paged_attention", paged_attention),
        ("pagedkv.sizes.ModelShape", ModelShape),
    ],
)
def test_an_excerpt_is_the_source_that_runs(symbol: str, real: object) -> None:
    piece = excerpt(symbol, docstring=True)
    lines, first = inspect.getsourcelines(real)  # type: ignore[arg-type]
    assert piece.text.split() == "".join(lines).split()
    assert (piece.first, piece.last) == (first, first + len(lines) - 1)
    assert piece.place == f"{piece.path}, lines {piece.first} to {piece.last}"


def test_an_excerpt_comes_without_its_docstring_and_dedented(helpers: Helpers) -> None:
    text = excerpt("pagedkv.blocks.BlockAllocator.append").text
    assert text.startswith("def append(self, rid: Hashable) -> Written:\n    try:\n")
    assert '"""' not in text
    assert text.endswith("return block, offset, copied_from")
    fenced = helpers.code("pagedkv.blocks.BlockAllocator.append")
    assert fenced.startswith('```{ .python title="pagedkv/blocks.py, lines ')
    assert text in fenced


def test_modules_and_constants_can_be_shown() -> None:
    assert excerpt("pagedkv.sizes.KIB").text == "KIB, MIB, GIB = 1024, 1024**2, 1024**3"
    assert excerpt("pagedkv.sizes.GIB").text == "KIB, MIB, GIB = 1024, 1024**2, 1024**3"
    assert excerpt("pagedkv.sizes", docstring=True).first == 1


def test_the_tables_are_those_of_the_lesson(helpers: Helpers) -> None:
    assert helpers.table("worked-example").splitlines()[2:] == [
        "| 0 | start | -, -, - | none | 0 1 2 3 4 5 6 7 | 0 |",
        "| 1 | A arrives, 6 tokens | 6, -, - | A [0, 1] | 2 3 4 5 6 7 | 2 |",
        "| 2 | B arrives, 3 tokens | 6, 3, - | A [0, 1], B [2] | 3 4 5 6 7 | 3 |",
        "| 3 | C arrives, 5 tokens | 6, 3, 5 | A [0, 1], B [2], C [3, 4] | 5 6 7 | 6 |",
        "| 4 | A +2 | 8, 3, 5 | A [0, 1], B [2], C [3, 4] | 5 6 7 | 4 |",
        "| 5 | A +1 | 9, 3, 5 | A [0, 1, 5], B [2], C [3, 4] | 6 7 | 7 |",
        "| 6 | B +2 | 9, 5, 5 | A [0, 1, 5], B [2, 6], C [3, 4] | 7 | 9 |",
        "| 7 | B finishes | 9, -, 5 | A [0, 1, 5], C [3, 4] | 7 2 6 | 6 |",
        "| 8 | C +4 | 9, -, 9 | A [0, 1, 5], C [3, 4, 7] | 2 6 | 6 |",
    ]
    assert helpers.table("prefix-sharing").splitlines()[2:] == [
        "| S1 arrives, 6 tokens | S1 [0, 1] | 1, 1, 0 | 2 3 4 5 |",
        "| S2 forks S1 | S1 [0, 1], S2 [0, 1] | 2, 2, 0 | 2 3 4 5 |",
        "| S1 +1 | S1 [0, 2], S2 [0, 1] | 2, 1, 1 | 3 4 5 |",
        "| S2 +1 | S1 [0, 2], S2 [0, 1] | 2, 1, 1 | 3 4 5 |",
    ]
    for make in TABLES.values():
        assert len({line.count("|") for line in make().splitlines()}) == 1


@pytest.mark.parametrize("number", sorted(FIGURES))
def test_a_figure_is_one_block_with_its_words_and_its_file(helpers: Helpers, number: int) -> None:
    html = helpers.figure(number)
    figure = FIGURES[number]
    assert re.search(r"\n\s*\n", html) is None
    assert html.startswith("<figure ")
    assert f"Figure {number}.</strong> {figure.caption}" in html
    assert f"<p>{figure.description}</p>" in html
    assert f'href="../figs/{figure.name}.svg"' in html


def test_the_widget_gets_the_way_to_the_root_and_stays_one_block(helpers: Helpers, facts: Facts) -> None:
    assert '<kv-pool data-base="../" data-opens=""></kv-pool>' in helpers.widget()
    gaps = Helpers("index.md", facts, widget=lambda *_: "<p>a</p>\n \n\n<p>b</p>").widget(scenario="start")
    assert gaps.startswith('<div class="lesson-widget">')
    assert "<p>a</p>\n<p>b</p>" in gaps


@pytest.mark.parametrize(
    ("scenario", "step", "link"),
    [
        ("start", None, ""),
        ("start", 3, ""),
        ("start", 1, "v=1&step=1"),
        ("holes", None, "v=1&scenario=holes"),
        ("worked-example", 0, "v=1&scenario=worked-example&step=0"),
    ],
)
def test_the_widget_opens_at_the_scenario_and_step_of_the_page(
    helpers: Helpers, scenario: str, step: int | None, link: str
) -> None:
    assert f'data-opens="{link}"' in helpers.widget(scenario=scenario, step=step)


def test_every_source_of_a_number_is_on_the_reading_list() -> None:
    entries = [entry for entries in READING.values() for entry in entries]
    assert {fact.source for fact in CITED.values()} <= {entry.key for entry in entries}
    assert len({entry.key for entry in entries}) == len({entry.url for entry in entries}) == len(entries)


def test_the_minutes_are_counted_on_the_page_and_shown(rendered: Build) -> None:
    code = '{{ code("pagedkv.blocks.BlockAllocator.append") }}'
    page = rendered("{{ byline(page) }}\n\n" + "word " * 550 + f"\n\n{code}\n")
    assert page.meta["minutes"] == 3, "two and a half of words, half a minute of code"
    assert page.text.startswith("---\nminutes: 3\ngrade: ")
    assert "3 minutes to read · Chapter “tests”, lesson 1 · " in page.text
    assert '<time datetime="2026-10-17">17 October 2026</time>' in page.text


def test_what_is_folded_or_drawn_is_not_counted() -> None:
    folded = '??? curious "For the curious"\n\n    ' + "word " * 500 + "\n\n    more\n\nword"
    fenced = "```{ .python }\n" + "word " * 500 + "\n```\n"  # one line of code
    for text in (folded, fenced, f"<svg>{'word ' * 500}</svg>", f"<details>{'word ' * 500}</details>"):
        assert minutes_to_read(text) == 1
    assert minutes_to_read("word " * 440) == 2
