"""Reference pages say what the docstrings say, and nothing that is public is missing."""

import importlib
import inspect
from pathlib import Path

import pytest

import pagedkv
from lesson.errors import Missing
from lesson.reference import module_page
from lesson.site import SOURCE
from lesson.tracks import nav_of, paths_in
from tests.lesson.reader import elements_of

MODULES = [
    path.removeprefix("reference/").removesuffix(".md")
    for path in paths_in(nav_of(SOURCE))
    if path.startswith("reference/") and path != "reference/index.md"
]


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_of_a_module_is_on_its_page(name: str) -> None:
    module = importlib.import_module(f"pagedkv.{name}")
    page = module_page(module.__name__)
    for key, value in vars(module).items():
        is_own = getattr(value, "__module__", None) == module.__name__
        if is_own and not key.startswith("_") and (inspect.isclass(value) or inspect.isfunction(value)):
            assert f"\n## {key} {{ #{key} }}\n" in page
            for line in (inspect.getdoc(value) or "").splitlines():
                if line.startswith(">>> "):
                    assert line in page


def test_every_public_name_of_the_package_is_on_some_page() -> None:
    pages = "".join(module_page(f"pagedkv.{name}") for name in MODULES)
    named = [name for name in pagedkv.__all__ if callable(getattr(pagedkv, name))]
    assert len(named) > 10
    missing = [name for name in named if f"{{ #{name} }}" not in pages]
    assert missing == []


def test_a_page_has_signatures_errors_and_examples(site: Path) -> None:
    elements = elements_of((site / "reference" / "blocks.html").read_text(encoding="utf-8"))
    ids = {element.get("id") for element in elements}
    assert {"BlockAllocator", "BlockAllocator.append", "BlockAllocator.num_wasted"} <= ids
    code = [element.text.strip() for element in elements if element.tag == "pre"]
    assert "append(rid: Hashable) -> Written" in code
    assert any(text.startswith(">>> blocks = BlockAllocator(num_blocks=8, block_size=4)") for text in code)
    items = [element.text for element in elements if element.tag == "li"]
    assert "OutOfBlocks: a block is needed and none is free. Nothing has changed." in items


def test_markdown_does_not_read_powers_and_brackets_as_markup(site: Path) -> None:
    for name in MODULES:
        elements = elements_of((site / "reference" / f"{name}.html").read_text(encoding="utf-8"))
        prose = [element for element in elements if element.tag in ("p", "li")]
        for element in prose:
            assert "**" not in element.text or "`" not in element.text


def test_a_module_that_is_not_there_is_named() -> None:
    with pytest.raises(Missing, match=r"no module 'pagedkv.block'. Near it: 'pagedkv.blocks'"):
        module_page("pagedkv.block")
