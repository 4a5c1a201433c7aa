"""Compiled without a GPU: nothing spills on any target, and loads run on their own where they can."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.kernels.running import needing_triton

needing_triton("triton")

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Compile in a process of its own: this one interprets."""
    cache = str(tmp_path_factory.mktemp("triton"))
    done = subprocess.run(
        [sys.executable, "-m", "kernels.offline", "--json"],
        cwd=ROOT,
        env={**os.environ, "TRITON_CACHE_DIR": cache},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def fast_ones(made: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for one in made if one["asked"]["kernel"] in ("fast", "unsplit")]


def test_every_target_and_every_type_is_there(made: list[dict[str, Any]]) -> None:
    seen = {(one["asked"]["target"], one["asked"]["cache"]) for one in fast_ones(made)}
    assert seen == {
        (75, "float16"),
        *((target, cache) for target in (80, 89, 90) for cache in ("float16", "bfloat16")),
        *((target, "float8_e4m3fn") for target in (89, 90)),
    }
    assert {one["asked"]["head_dim"] for one in fast_ones(made)} == {64, 80, 96, 128, 256}
    assert {one["asked"]["group"] for one in fast_ones(made)} >= {1, 4, 5, 8, 32}


def test_nothing_spills(made: list[dict[str, Any]]) -> None:
    assert [one for one in made if one["spilled"] > 0] == []


def test_registers_leave_room_for_another_program(made: list[dict[str, Any]]) -> None:
    """A multiprocessor has 65,536 registers; two programs at least keep its memory busy."""
    assert [one for one in made if 2 * 32 * one["num_warps"] * one["registers"] > 65_536] == []


def test_shared_memory_leaves_room_for_another_program(made: list[dict[str, Any]]) -> None:
    # KiB per multiprocessor: NVIDIA's tuning guides for Turing, Ampere, Ada and Hopper.
    room = {75: 64, 80: 164, 89: 100, 90: 228}
    assert [one for one in made if 2 * (one["shared"] + 1024) > 1024 * room[one["asked"]["target"]]] == []


def test_loads_run_on_their_own_and_are_wide(made: list[dict[str, Any]]) -> None:
    """Keys and values of a tile, 16 bytes a thread at a time: before the loop, and once more in it."""
    for one in fast_ones(made):
        if one["asked"]["target"] < 80:
            continue
        itemsize = 1 if one["asked"]["cache"].startswith("float8") else 2
        head_dim_pad = 1 << (one["asked"]["head_dim"] - 1).bit_length()
        copies_per_tile = one["tile"] * head_dim_pad * itemsize // (16 * 32 * one["num_warps"])
        # An 8-bit value tile is copied 8 bytes at a time: its matrix is turned in registers.
        tiles = 1 if itemsize == 1 else 2
        assert one["wide_copies"] >= 2 * tiles * copies_per_tile > 0, one


def test_the_next_tile_is_on_its_way_while_one_is_worked_on(made: list[dict[str, Any]]) -> None:
    """Its keys, its values and its table entries: three groups of copies that are not waited for."""
    for one in fast_ones(made):
        assert one["ahead"] >= (3 if one["asked"]["target"] >= 80 else 0), one
