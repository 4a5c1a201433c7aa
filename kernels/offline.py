"""What the compiler makes of the kernels, without a GPU: registers, spills, shared memory, kinds of copies.

    $ python -m kernels.offline            # a table: every target, every kernel
    $ python -m kernels.offline --json     # the same for a program

Triton brings the assembler of NVIDIA's toolkit, which says how many registers a kernel takes on a target, and
how many of them it had to spill to memory. A decode kernel that spills reads memory for nothing. On 8.0 and
later the loads of the loop should be `cp.async` of 16 bytes: copies that run on their own, as wide as can be.
Both are seen without a GPU; how fast it all is, is not.
"""

import os
import sys

# A process compiles or interprets, and this one compiles.
os.environ["TRITON_INTERPRET"] = "0"

import argparse
import json
import re
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import triton
from triton.backends.compiler import GPUTarget
from triton.backends.nvidia.compiler import get_ptxas
from triton.compiler import ASTSource

from kernels.fast import MERGE, dot_type, fast_kernel, launch_for, merge_kernel, padded
from kernels.plain import plain_kernel
from kernels.shapes import Sizes

TARGETS = {75: (7, 5), 80: (8, 0), 89: (8, 9), 90: (9, 0)}
TYPES = {
    "float16": "fp16",
    "bfloat16": "bf16",
    "float8_e4m3fn": "fp8e4nv",
    "float32": "fp32",
    "int32": "i32",
}
FLOATS = ("scale_log2", "v_scale")
# What is a multiple of 16 in no way: the rest is, where the head size is.
ODD = ("num_splits", "tables_stride")


@dataclass(frozen=True)
class Asked:
    """A kernel, a target, and the sizes that it is compiled for."""

    kernel: str
    target: int
    cache: str
    head_dim: int
    group: int
    block_size: int


@dataclass(frozen=True)
class Made:
    """What the compiler made: per thread registers and spilled bytes, per program bytes of shared memory.

    `wide_copies` counts copies of 16 bytes that run on their own. `ahead` is how many groups of copies may
    still be on their way when a tile's turn comes: three, a tile of keys, one of values and table entries,
    are the next tile.
    """

    asked: Asked
    registers: int
    spilled: int
    shared: int
    wide_copies: int
    ahead: int
    tile: int
    num_warps: int
    num_stages: int


def all_asked() -> Iterator[Asked]:
    """Yield what is worth a look: Llama 3 8B's heads on every target, then the sizes that differ most."""
    for target in TARGETS:
        for cache in ("float16", "bfloat16", "float8_e4m3fn"):
            if (cache == "bfloat16" and target < 80) or (cache == "float8_e4m3fn" and target < 89):
                continue
            yield Asked("fast", target, cache, 128, 4, 16)
    for target in (75, 90):
        for kernel in ("unsplit", "plain", "merge"):
            yield Asked(kernel, target, "float16", 128, 4, 16)
        for head_dim, group, block_size in (
            (64, 8, 1),
            (80, 1, 128),
            (96, 5, 32),
            (256, 4, 16),
            (128, 32, 64),
        ):
            yield Asked("fast", target, "float16", head_dim, group, block_size)
    yield Asked("fast", 89, "float8_e4m3fn", 256, 8, 16)


def compiled(asked: Asked) -> Made:
    """Compile a kernel for a target, assemble it, and return what the assembler says."""
    query = "bfloat16" if asked.cache.startswith("float8") else asked.cache
    sizes = Sizes(1, 8 * asked.group, 8, asked.head_dim, asked.block_size)
    dims = {"HEAD_DIM": asked.head_dim, "HEAD_DIM_PAD": padded(asked.head_dim)}
    group = {"GROUP": asked.group}
    block = {"BLOCK_SIZE": asked.block_size}
    launch = launch_for(sizes, asked.cache, TARGETS[asked.target])
    if asked.kernel in ("fast", "unsplit"):
        kernel = fast_kernel
        constants = (
            dims | group | block | {"GROUP_PAD": triton.next_power_of_2(asked.group), "TILE": launch.tile}
        )
        constants |= {"IS_SPLIT": asked.kernel == "fast", "DOT_TYPE": dot_type(asked.cache)}
    else:
        kernel = plain_kernel if asked.kernel == "plain" else merge_kernel
        launch = launch._replace(tile=asked.block_size, num_warps=4, num_stages=3)
        constants = dims | group | block | {"BLOCK_SIZE_PAD": triton.next_power_of_2(asked.block_size)}
        if asked.kernel == "merge":
            launch = MERGE
            constants = dims | {"AT_A_TIME": MERGE.tile}
    pointers = {"q_ptr": query, "k_ptr": asked.cache, "v_ptr": asked.cache, "out_ptr": query}
    pointers |= {"tables_ptr": "int32", "lengths_ptr": "int32", "part_ptr": "float32", "lse_ptr": "float32"}
    source = _source(kernel, constants, pointers)
    made = triton.compile(
        source,
        target=GPUTarget("cuda", asked.target, 32),
        options={"num_warps": launch.num_warps, "num_stages": launch.num_stages},
    )
    text = made.asm["ptx"]
    log = _assembled(text, asked.target)
    return Made(
        asked,
        registers=_number(r"Used (\d+) registers", log),
        spilled=_number(r"(\d+) bytes spill stores", log),
        shared=made.metadata.shared,
        wide_copies=len(re.findall(r"cp\.async\.\S+ .*, 0x10", text)),
        ahead=max(
            (int(number, 0) for number in re.findall(r"cp\.async\.wait_group\s+(\w+)", text)), default=0
        ),
        **launch._asdict(),
    )


def _source(kernel: Any, constants: dict[str, Any], pointers: dict[str, str]) -> ASTSource:
    signature, attributes = {}, {}
    for index, name in enumerate(kernel.arg_names):
        if name in constants:
            signature[name] = "constexpr"
        elif name in FLOATS:
            signature[name] = "fp32"
        else:
            signature[name] = f"*{TYPES[pointers[name]]}" if name in pointers else "i32"
            if name not in ODD:
                # What Triton finds by itself when it is handed a tensor: without it no load is wide.
                attributes[(index,)] = [["tt.divisibility", 16]]
    indexed = {(kernel.arg_names.index(name),): value for name, value in constants.items()}
    return ASTSource(fn=kernel, signature=signature, constexprs=indexed, attrs=attributes)


def _assembled(text: str, target: int) -> str:
    """Return what the assembler says when it is asked to say more."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "kernel.ptx"
        source.write_text(text, encoding="utf-8")
        architecture = f"sm_{target}a" if target >= 90 else f"sm_{target}"
        command = [get_ptxas(target).path, "-v", f"--gpu-name={architecture}", str(source)]
        command += ["-o", str(source.with_suffix(".cubin"))]
        return subprocess.run(command, capture_output=True, text=True, check=True).stderr


def _number(pattern: str, log: str) -> int:
    found = re.search(pattern, log)
    assert found is not None, f"the assembler does not say {pattern}:\n{log}"
    return int(found[1])


def main(arguments: list[str] | None = None) -> int:
    """Compile everything and print what was made."""
    parser = argparse.ArgumentParser(prog="python -m kernels.offline", description=__doc__)
    parser.add_argument("--json", action="store_true", help="for a program to read")
    as_json = parser.parse_args(arguments).json
    made = [compiled(asked) for asked in all_asked()]
    if as_json:
        print(json.dumps([asdict(one) for one in made]))
        return 0
    print(f"Triton {triton.__version__}\n")
    print(
        "kernel  target  cache          head  group  block  tile warps stages   registers  spilled  shared  "
        "16-byte copies  ahead"
    )
    for one in made:
        asked = one.asked
        print(
            f"{asked.kernel:7} {asked.target:6}  {asked.cache:13} {asked.head_dim:5} {asked.group:6} "
            f"{asked.block_size:6} {one.tile:5} {one.num_warps:5} {one.num_stages:6} {one.registers:11} "
            f"{one.spilled:8} {one.shared:7} {one.wide_copies:15} {one.ahead:6}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
