"""Whatever is public says what it does, and whatever is exported shows it by an example."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType

import pytest

import pagedkv

MODULES = [importlib.import_module(f"pagedkv.{info.name}") for info in pkgutil.iter_modules(pagedkv.__path__)]


def public_parts(module: ModuleType) -> Iterator[tuple[str, object]]:
    """Yield name and object of each public function, class, method and property that a module defines."""
    for name, part in vars(module).items():
        if name.startswith("_") or getattr(part, "__module__", None) != module.__name__:
            continue
        if inspect.isfunction(part):
            yield f"{module.__name__}.{name}", part
        elif inspect.isclass(part):
            yield f"{module.__name__}.{name}", part
            for member, value in vars(part).items():
                if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                    yield f"{module.__name__}.{name}.{member}", value


PARTS = dict(part for module in MODULES for part in public_parts(module))
EXPORTED = {
    name: getattr(pagedkv, name)
    for name in pagedkv.__all__
    if inspect.isclass(getattr(pagedkv, name)) or inspect.isfunction(getattr(pagedkv, name))
}


def test_the_walk_finds_the_package() -> None:
    """A walk that found nothing would pass every test below."""
    assert {"pagedkv.blocks.BlockAllocator.append", "pagedkv.contiguous.ContiguousPool.num_free"} <= set(
        PARTS
    )
    assert {"pagedkv.sizes.kv_bytes_per_token", "pagedkv.snapshot.Counters"} <= set(PARTS)
    assert {"BlockManager", "paged_attention", "OutOfBlocks"} <= set(EXPORTED)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_module_says_what_it_does(module: ModuleType) -> None:
    assert len((module.__doc__ or "").split()) >= 8


@pytest.mark.parametrize("name", PARTS)
def test_every_public_part_has_a_docstring(name: str) -> None:
    doc = PARTS[name].__doc__
    assert doc is not None
    assert not doc.startswith(f"{name.rsplit('.', 1)[-1]}("), "a signature made by Python is no docstring"


@pytest.mark.parametrize("name", EXPORTED)
def test_everything_exported_shows_an_example(name: str) -> None:
    assert ">>>" in (EXPORTED[name].__doc__ or "")


@pytest.mark.parametrize("name", [name for name in EXPORTED if inspect.isclass(EXPORTED[name])])
def test_every_method_of_an_exported_class_shows_an_example(name: str) -> None:
    without = [
        member
        for member, value in vars(EXPORTED[name]).items()
        if inspect.isfunction(value) and not member.startswith("_") and ">>>" not in (value.__doc__ or "")
    ]
    assert without == []
