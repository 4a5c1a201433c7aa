"""Are the kernels right here? A few small decode steps against the reference, on whatever there is.

Example:
    >>> found = list(check_all(quick=True))
    >>> all(one.is_right for one in found), len(found) >= 4
    (True, True)

On a GPU this is what proves the compiled kernels; without one it runs the same cases in the interpreter.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kernels.cases import make_case
from kernels.device import capability, has_gpu, to_numpy
from kernels.fast import paged_decode
from kernels.plain import plain_paged_decode

# How far an output may be from the reference: of its own rounding, and of that of the weights on the way.
RELATIVE = {"float16": 2**-9, "bfloat16": 2**-7, "float8_e4m3fn": 2**-7}
ABSOLUTE = {"float16": 2e-3, "bfloat16": 1e-2, "float8_e4m3fn": 1e-2}

# lengths, query heads, KV heads, head size, block size
SMALL = (
    ([0, 1, 17, 70], 4, 2, 64, 16),
    ([33, 66], 5, 1, 80, 8),
)
ON_A_GPU = (
    *SMALL,
    ([1, 15, 16, 17, 1000], 32, 8, 128, 16),
    ([63, 64, 65, 4096], 32, 8, 128, 1),
    ([2049, 300], 8, 8, 96, 32),
    ([127, 128, 129, 5000], 32, 1, 128, 128),
    ([777], 8, 2, 256, 64),
)


@dataclass(frozen=True)
class Checked:
    """A kernel on a decode step: the largest difference, and whether rounding explains what differs."""

    what: str
    kernel: str
    error: float
    is_right: bool


def cache_types() -> list[str]:
    """Return what a cache may hold on this GPU; without one, in the interpreter.

    >>> cache_types()[0]
    'float16'
    """
    card = capability()
    has_all = not has_gpu() or card >= (8, 9)
    return [
        "float16",
        *(["bfloat16"] if has_all or card >= (8, 0) else []),
        *(["float8_e4m3fn"] if has_all else []),
    ]


def check_all(*, quick: bool = False) -> Iterator[Checked]:
    """Yield how each kernel did on each decode step; with `quick`, on the smallest one of each type.

    Every slot that holds no token holds NaN or infinity, and what fills up the tables leads nowhere.
    """
    for dtype in cache_types():
        for sizes in SMALL[:1] if quick else (ON_A_GPU if has_gpu() else SMALL):
            lengths, num_heads, num_kv_heads, head_dim, block_size = sizes
            case = make_case(
                lengths=lengths,
                num_heads=num_heads,
                num_kv_heads=num_kv_heads,
                head_dim=head_dim,
                block_size=block_size,
                dtype=dtype,
            )
            arguments = case.q, case.k_cache, case.v_cache, case.block_tables, case.lengths
            expected = case.expected()
            heads = f"{num_heads}/{num_kv_heads} heads of {head_dim}"
            what = f"{dtype}, lengths {lengths}, {heads}, blocks of {block_size}"
            for kernel, out in (
                ("plain", plain_paged_decode(*arguments)),
                ("fast", paged_decode(*arguments, split_size=1 << 20)),
                ("fast, split", paged_decode(*arguments, split_size=64)),
            ):
                found = to_numpy(out)
                is_right = np.allclose(found, expected, rtol=RELATIVE[dtype], atol=ABSOLUTE[dtype])
                yield Checked(what, kernel, float(np.abs(found - expected).max()), is_right)
