"""The text of the kernels: every load is masked and says what else, and every offset is 64 bits wide.

A mask without `other` leaves whatever is in the register, and an offset in 32 bits is right in every small
test. Both are read off the source here, so that a line which no test happens to reach is looked at as well.
"""

import ast
from pathlib import Path

import pytest

import kernels

KERNELS = Path(kernels.__file__).parent

# Loads of one number at an address that every program of the grid, or every turn of its loop, has.
SINGLE = {"lengths_ptr + request", "tables_ptr + request * tables_stride + logical"}

# What is never large: a slot within its block. A block's numbers are fewer than 2**31.
SMALL = {"offsets"}


def compiled_functions() -> dict[str, ast.FunctionDef]:
    """Return every function of the folder that Triton compiles, by file and name."""
    found = {}
    for file in sorted(KERNELS.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and "triton.jit" in map(ast.unparse, node.decorator_list):
                found[f"{file.stem}.{node.name}"] = node
    return found


FOUND = compiled_functions()
NONE: dict[str, list[str]] = {name: [] for name in FOUND}


def careless_loads(kernel: ast.FunctionDef) -> list[str]:
    """Return the loads that are neither of a single number nor have both a mask and `other`."""
    return [
        ast.unparse(call)
        for call in ast.walk(kernel)
        if isinstance(call, ast.Call)
        and ast.unparse(call.func) == "tl.load"
        and not {"mask", "other"} <= {keyword.arg for keyword in call.keywords}
        and not (len(call.args) == 1 and not call.keywords and ast.unparse(call.args[0]) in SINGLE)
    ]


def unmasked_stores(kernel: ast.FunctionDef) -> list[str]:
    return [
        ast.unparse(call)
        for call in ast.walk(kernel)
        if isinstance(call, ast.Call)
        and ast.unparse(call.func) == "tl.store"
        and "mask" not in {keyword.arg for keyword in call.keywords}
    ]


def narrow_products(kernel: ast.FunctionDef) -> list[str]:
    """Return the products with a stride whose other factor nobody made 64 bits wide."""
    wide: set[str] = set()
    for statement in ast.walk(kernel):
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            names = {node.id for node in ast.walk(statement.value) if isinstance(node, ast.Name)}
            is_widened = ast.unparse(statement.value).endswith(".to(tl.int64)")
            is_arithmetic = isinstance(statement.value, ast.BinOp)
            if is_widened or (is_arithmetic and names & wide):
                wide.add(statement.targets[0].id)
    found = []
    for node in ast.walk(kernel):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            sides = [ast.unparse(node.left), ast.unparse(node.right)]
            if any("_stride" in side for side in sides):
                factor = next(side for side in sides if "_stride" not in side)
                if factor.partition("[")[0] not in wide | SMALL:
                    found.append(ast.unparse(node))
    return found


def test_the_kernels_are_found() -> None:
    assert set(FOUND) == {"plain.plain_kernel", "fast.fast_kernel", "fast.merge_kernel"}
    loads = [ast.unparse(kernel).count("tl.load(") for kernel in FOUND.values()]
    assert min(loads) >= 3


def test_every_load_is_masked_and_says_what_else() -> None:
    assert {name: careless_loads(kernel) for name, kernel in FOUND.items()} == NONE


def test_every_store_is_masked() -> None:
    assert {name: unmasked_stores(kernel) for name, kernel in FOUND.items()} == NONE


def test_every_offset_is_64_bits_wide() -> None:
    assert {name: narrow_products(kernel) for name, kernel in FOUND.items()} == NONE


@pytest.mark.parametrize(
    ("body", "careless"),
    [
        ("x = tl.load(q_ptr + dims)", 1),
        ("x = tl.load(q_ptr + dims, mask=is_dim)", 1),
        ("x = tl.load(q_ptr + dims, is_dim, 0.0)", 1),
        ("x = tl.load(lengths_ptr + dims)", 1),
        ("x = tl.load(lengths_ptr + request)", 0),
        ("x = tl.load(q_ptr + dims, mask=is_dim, other=0.0)", 0),
    ],
)
def test_careless_loads_are_found(body: str, careless: int) -> None:
    (kernel,) = ast.parse(f"def kernel():\n    {body}").body
    assert isinstance(kernel, ast.FunctionDef)
    assert len(careless_loads(kernel)) == careless


@pytest.mark.parametrize(
    ("body", "narrow"),
    [
        ("at = blocks * k_stride_block", 1),
        ("blocks = tl.load(at)\n    at = blocks * k_stride_block", 1),
        ("blocks = tl.load(at).to(tl.int64)\n    at = blocks * k_stride_block + offsets * k_stride_slot", 0),
        ("head = tl.program_id(1)\n    heads = head * GROUP\n    at = heads[:, None] * q_stride_head", 1),
        ("head = tl.program_id(1).to(tl.int64)\n    heads = head * GROUP\n    at = heads * q_stride_head", 0),
    ],
)
def test_narrow_products_are_found(body: str, narrow: int) -> None:
    (kernel,) = ast.parse(f"def kernel():\n    {body}").body
    assert isinstance(kernel, ast.FunctionDef)
    assert len(narrow_products(kernel)) == narrow
