"""The rules run without NumPy, and `import pagedkv` does not import it: proven in processes of their own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import pagedkv
from pagedkv.scenarios import SCENARIOS

ROOT = Path(__file__).parents[2]

RULES = [
    "blocks",
    "contiguous",
    "decode",
    "errors",
    "examples",
    "layouts",
    "operations",
    "scenarios",
    "side_by_side",
    "sizes",
    "snapshot",
    "sources",
]
WITHOUT_NUMPY = "import sys; sys.modules['numpy'] = None"  # importing it raises ImportError
PUBLIC_WITHOUT_NUMPY = [
    "LLAMA_3_8B",
    "OPT_13B",
    "BlockAllocator",
    "ContiguousPool",
    "DuplicateRequest",
    "InvalidOperation",
    "InvalidSize",
    "ModelShape",
    "OutOfBlocks",
    "PagedKVError",
    "RefusedConfig",
    "UnknownRequest",
    "WrongShape",
    "kv_bytes_per_token",
    "pairs_with_cache",
    "pairs_without_cache",
    "prefix_sharing_example",
    "worked_example",
]
PUBLIC_WITH_NUMPY = [
    "BlockManager",
    "attention_contiguous",
    "decode_both_ways",
    "paged_attention",
    "paged_weights",
]


def run(*lines: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "\n".join(lines)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_importing_the_package_imports_no_numpy() -> None:
    done = run("import sys, pagedkv", "print('numpy' in sys.modules, len(dir(pagedkv)) > 20)")
    assert (done.stdout, done.stderr) == ("False True\n", "")


def test_the_way_in_which_numpy_is_withheld_works() -> None:
    done = run(WITHOUT_NUMPY, "import pagedkv.manager")
    assert done.returncode == 1
    assert "ModuleNotFoundError" in done.stderr


def test_the_rules_import_and_run_without_numpy() -> None:
    done = run(
        WITHOUT_NUMPY,
        "import importlib, json",
        f"for name in {RULES}: importlib.import_module('pagedkv.' + name)",
        "from pagedkv.scenarios import SCENARIOS",
        "print(json.dumps({name: each.run()[0].snapshot() for name, each in SCENARIOS.items()}))",
    )
    assert done.stderr == ""
    here = {name: scenario.run()[0].snapshot() for name, scenario in SCENARIOS.items()}
    assert json.loads(done.stdout) == here


def test_the_public_names_of_the_rules_work_without_numpy() -> None:
    done = run(
        WITHOUT_NUMPY,
        f"from pagedkv import {', '.join(PUBLIC_WITHOUT_NUMPY)}",
        "print(kv_bytes_per_token(LLAMA_3_8B), pairs_without_cache(10), pairs_with_cache(10))",
        "print(worked_example()[-1].free_list, prefix_sharing_example()[-1].ref_count)",
    )
    assert done.stderr == ""
    assert done.stdout == "131072 55 10\n[2, 6] [2, 1, 1, 0, 0, 0]\n"


def test_every_public_name_is_listed_and_imports_from_the_package() -> None:
    assert sorted(pagedkv.__all__) == sorted(PUBLIC_WITHOUT_NUMPY + PUBLIC_WITH_NUMPY)
    for name in pagedkv.__all__:
        assert getattr(pagedkv, name) is not None
        assert name in dir(pagedkv)


def test_a_public_name_is_the_one_of_its_module() -> None:
    from pagedkv.blocks import BlockAllocator
    from pagedkv.manager import BlockManager

    assert pagedkv.BlockAllocator is BlockAllocator
    assert pagedkv.BlockManager is BlockManager
    assert issubclass(BlockManager, BlockAllocator)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'BlockManger'"):
        pagedkv.BlockManger  # noqa: B018
    with pytest.raises(ImportError):
        from pagedkv import nothing_of_that_name  # noqa: F401
