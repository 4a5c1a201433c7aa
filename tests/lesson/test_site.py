"""The built site: complete, findable, readable by everyone, from any path, and from its own origin alone."""

import itertools
import json
import re
from pathlib import Path

import pytest

from figures.gallery import FIGURES
from lesson.site import SOURCE
from lesson.tracks import nav_of, paths_in
from tests.lesson.conftest import APP
from tests.lesson.reader import Element, elements_of

# What `build.py` puts beside the pages.
BESIDE = (APP.folder, "figs/", "licenses/", "runtime/", "widget.html")

LOADS = {"audio", "embed", "iframe", "img", "link", "object", "script", "source", "track", "video", "use"}
RELATIVE = re.compile(r"(?!//)(?!/)(?![a-z][a-z0-9+.-]*:)[^\s]*", re.IGNORECASE)


def pages_of(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def of(page: list[Element], tag: str) -> list[Element]:
    return [element for element in page if element.tag == tag]


def metadata(page: list[Element]) -> dict[str, str]:
    found = [(meta.get("name") or meta.get("property"), meta.get("content")) for meta in of(page, "meta")]
    return {name: content for name, content in found if name}


# Where things come from


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    seen = 0
    for file in pages_of(site):
        for element in elements_of(file.read_text(encoding="utf-8")):
            if element.tag == "link":
                assert set(element.get("rel").split()) & {"preconnect", "dns-prefetch"} == set()
            if element.tag in LOADS:
                for name in ("src", "srcset", "data", "href", "xlink:href"):
                    address = element.get(name)
                    seen += bool(address)
                    assert RELATIVE.fullmatch(address) or address.startswith("data:"), address
            if "style" in element.attributes or element.tag == "style":
                assert_style_stays_here(element.get("style") + element.text, file)
    assert seen >= 8


def test_styles_load_nothing_from_elsewhere(site: Path) -> None:
    files = sorted(site.rglob("*.css"))
    assert {file.name for file in files} >= {"figures.css", "site.css"}
    for file in files:
        assert_style_stays_here(file.read_text(encoding="utf-8"), file)


def assert_style_stays_here(style: str, file: Path) -> None:
    addresses = re.findall(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)", style)
    for address in (one or other for one, other in addresses):
        assert RELATIVE.fullmatch(address) or address.startswith("data:"), f"{file.name}: {address}"


def test_every_link_inside_the_site_is_relative_and_leads_somewhere(site: Path) -> None:
    pages = {file.resolve(): elements_of(file.read_text(encoding="utf-8")) for file in pages_of(site)}
    for file, elements in pages.items():
        for link in of(elements, "a"):
            address = link.get("href")
            if address.startswith(("https://", "javascript:void(0)")) or not address:
                continue
            assert RELATIVE.fullmatch(address), address
            path, _, anchor = address.partition("#")
            target = (file.parent / path).resolve() if path else file
            if target.relative_to(site.resolve()).as_posix().startswith(BESIDE):
                continue
            assert target.is_file(), address
            # A link to a variant says what Python is to open.
            if anchor and not anchor.startswith("v="):
                assert anchor in {element.get("id") for element in pages[target]}, address


def test_no_page_knows_where_the_site_is_served(site: Path) -> None:
    for file in pages_of(site):
        text = file.read_text(encoding="utf-8")
        assert re.findall(r'(?:href|src|action)="?/', text) == []
        config = re.search(r'<script id="__config" type="application/json">(.*?)</script>', text)
        if config:
            read = json.loads(config[1])
            assert read["base"] == ("/".join([".."] * (len(file.relative_to(site).parts) - 1)) or ".")
            assert RELATIVE.fullmatch(read["search"])
    assert not (site / "sitemap.xml").exists()


def test_the_page_of_lost_addresses_needs_no_other_file_to_be_readable(site: Path) -> None:
    elements = elements_of((site / "404.html").read_text(encoding="utf-8"))
    assert of(elements, "link") == []
    assert [script.get("src") for script in of(elements, "script")] == [""]
    assert of(elements, "h1")[0].text == "There is nothing at this address"


# What is on the page


PATHS = list(paths_in(nav_of(SOURCE)))
DEEP = [path.removesuffix(".md") for path in PATHS if path.startswith("deep/") and path != "deep/all.md"]


def test_both_widths_of_every_figure_stand_once_in_the_tracks(site: Path, elements: list[Element]) -> None:
    pages = [elements, *(elements_of((site / f"{name}.html").read_text("utf-8")) for name in DEEP)]
    figures = [element for page in pages for element in page if element.has_class("lesson-figure")]
    assert [figure.get("id") for figure in figures] == [f"figure-{number}" for number in FIGURES]
    for figure, drawn in zip(figures, FIGURES.values(), strict=True):
        assert figure.has_class("kv-theme")
        (pair,) = [child for child in figure.children if child.has_class("kv-pair")]
        assert [svg.get("class") for svg in pair.children] == ["kv-picture kv-narrow", "kv-picture kv-wide"]
        for svg in pair.children:
            titles = {child.get("id"): child.text for child in svg.children if child.tag in ("title", "desc")}
            assert svg.get("role") == "img"
            assert svg.get("aria-labelledby").split() == list(titles)
            assert list(titles.values()) == [f"Figure {drawn.number}. {drawn.title}", drawn.description]
        (caption,) = [child for child in figure.children if child.tag == "figcaption"]
        assert caption.text.startswith(f"Figure {drawn.number}. {drawn.caption}")
        assert drawn.description in caption.text


def test_the_widget_stands_in_the_page_with_its_first_picture(elements: list[Element]) -> None:
    (pool,) = of(elements, "kv-pool")
    assert [parent.has_class("lesson-widget") for parent in pool.inside].count(True) == 1
    assert "of 64 slots hold a token" in pool.text
    assert [parent.tag for parent in pool.inside].count("p") == 0


def test_ids_are_unique_and_what_names_an_id_finds_it(site: Path) -> None:
    for file in pages_of(site):
        elements = elements_of(file.read_text(encoding="utf-8"))
        ids = [element.get("id") for element in elements if element.get("id")]
        assert len(ids) == len(set(ids)), file.name
        for element in elements:
            for name in ("aria-labelledby", "aria-describedby"):
                assert set(element.get(name).split()) <= set(ids), file.name


def test_headings_are_in_order_on_every_page(site: Path) -> None:
    for file in pages_of(site):
        headings = headings_of(elements_of(file.read_text(encoding="utf-8")))
        levels = [int(heading.tag[1]) for heading in headings]
        assert levels[0] == 1, file.name
        assert levels.count(1) == 1, file.name
        for above, below in itertools.pairwise(levels):
            assert below <= above + 1, file.name


def headings_of(elements: list[Element]) -> list[Element]:
    return [element for element in elements if re.fullmatch("h[1-6]", element.tag)]


def test_the_plain_track_has_its_sections_in_order(elements: list[Element]) -> None:
    headings = headings_of(elements)
    own = [heading for heading in headings if "kv-pool" not in [parent.tag for parent in heading.inside]]
    assert headings[0].text.removesuffix("#") == "Why AI servers waste memory, and how paging fixes it"
    sections = [heading.text.removesuffix("#") for heading in own if heading.tag == "h2"]
    assert sections == [
        "In one minute",
        "Try it",
        "Why notes pile up",
        "Why reserving wastes",
        "How small blocks fix it",
        "Sharing an equal start",
        "What it costs",
        "What it means when you build",
        "Sources",
    ]


def test_the_page_says_what_it_is(elements: list[Element]) -> None:
    found = metadata(elements)
    description = "Equal small blocks instead of one long reservation let one GPU serve many more chats."
    assert found["description"] == found["og:description"] == description
    assert found["og:title"] == "Why AI servers waste memory, and how paging fixes it"
    assert found["date"] == found["article:published_time"] == "2026-10-17"
    assert found["lesson:chapter"] == "serving many chats"
    assert found["lesson:order"] == "22"
    assert found["lesson:minutes"] == "6"
    assert [
        meta.get("content") for meta in of(elements, "meta") if meta.get("name") == "lesson:prerequisite"
    ] == [
        "scaled dot-product attention",
        "paging and page tables in operating systems",
        "reading Python and NumPy",
    ]
    titles = [title.text for title in of(elements, "title") if title.inside[-1].tag == "head"]
    assert titles == ["What PagedAttention is and how vLLM saves memory | Paged KV cache"]
    assert of(elements, "html")[0].get("lang") == "en"


@pytest.mark.parametrize("path", PATHS)
def test_every_page_says_what_it_is_to_machines(site: Path, path: str) -> None:
    file = site / path.replace(".md", ".html")
    elements = elements_of(file.read_text(encoding="utf-8"))
    found = metadata(elements)
    (title,) = [one.text for one in of(elements, "title") if one.inside[-1].tag == "head"]
    assert title.endswith(" | Paged KV cache")
    assert len(found["description"]) > 20
    assert found["og:description"] == found["description"]
    assert (file.parent / found["og:image"]).read_bytes()[:4] == b"\x89PNG"
    canonical = [link.get("href") for link in of(elements, "link") if link.get("rel") == "canonical"]
    assert canonical == [file.name], "nobody has stated an address, so it is the page's own"
    if path.startswith("reference/"):
        return
    (data,) = [one.text for one in of(elements, "script") if one.get("type") == "application/ld+json"]
    about = json.loads(data)
    assert about["@type"] == "LearningResource"
    assert about["name"] == found["og:title"]
    assert about["timeRequired"] == f"PT{found['lesson:minutes']}M"
    assert about["datePublished"] == found["date"]


def test_titles_and_descriptions_are_the_pages_own(site: Path) -> None:
    pages = [
        elements_of(file.read_text(encoding="utf-8")) for file in pages_of(site) if file.name != "404.html"
    ]
    for values in (
        [metadata(page)["description"] for page in pages],
        [one.text for page in pages for one in of(page, "title") if one.inside[-1].tag == "head"],
    ):
        assert len(values) == len(set(values)) == len(PATHS)


def test_the_measured_waste_and_the_gain_name_their_source(elements: list[Element]) -> None:
    cited = {element.text: element for element in elements if element.has_class("lesson-cited")}
    assert {"20.4 %", "38.2 %", "96.3 %", "2", "4", "16 tokens"} <= set(cited)
    for text in ("20.4 %", "38.2 %", "96.3 %"):
        assert "Kwon et al. 2023" in cited[text].get("data-source")


def test_each_model_keeps_its_own_size(elements: list[Element]) -> None:
    (article,) = of(elements, "article")[:1]
    words = " ".join(article.text.split())
    assert "OPT-13B, which the researchers used, needs 800 KiB a token." in words
    assert "For a chat of 131,072 tokens, which newer models allow, that would be 100 GiB." in words
    assert "At the rate of Llama 3 8B it is 16 GiB." in words


def test_the_code_is_that_of_the_rules(elements: list[Element]) -> None:
    (curious,) = [element for element in elements if element.has_class("curious")]
    assert "for the curious" in curious.text.lower()
    assert "pagedkv/blocks.py, lines " in curious.text
    assert "block = self._take_block()" in curious.text


def test_the_search_finds_words_and_not_the_letters_in_slots(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    text = " ".join(entry["text"] for entry in index["docs"])
    assert "fragmentation" in text
    assert {entry["title"] for entry in index["docs"]} >= {"In one minute", "Try it", "What it costs"}
    for drawn in ("S1 writes token 6", "recorded picture", "AAAA", "A A A"):
        assert drawn not in text


def test_a_dialog_has_a_name(elements: list[Element]) -> None:
    assert [dialog.get("aria-label") for dialog in elements if dialog.get("role") == "dialog"] == ["Search"]
