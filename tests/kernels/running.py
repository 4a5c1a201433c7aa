"""What the tests of the kernels share: where Triton is missing they say so, and how near is near."""

import importlib
import importlib.util
from typing import Any

import numpy as np
import pytest

from kernels.cases import Case
from kernels.device import to_numpy

MISSING = "Triton is not installed. `make test-kernels` installs it and runs these tests."

# Relative to the output, of the last rounding: 2**-11 for float16. The interpreter rounds to bfloat16 by
# cutting off, which is 2**-7. What is absolute is the rounding of weights on the way.
RELATIVE = {"float32": 1e-5, "float16": 2**-10, "bfloat16": 2**-7, "float8_e4m3fn": 2**-7}
ABSOLUTE = {"float32": 1e-6, "float16": 1e-3, "bfloat16": 1e-2, "float8_e4m3fn": 1e-2}


def needing_triton(name: str) -> Any:
    """Return a module of the kernels, or skip the file that asks for it."""
    if importlib.util.find_spec("triton") is None:
        pytest.skip(MISSING, allow_module_level=True)
    return importlib.import_module(name)


def arguments(case: Case) -> tuple[Any, ...]:
    return case.q, case.k_cache, case.v_cache, case.block_tables, case.lengths


def assert_right(out: Any, case: Case, dtype: str) -> None:
    """Compare an output with the reference's. A NaN is as far away as can be."""
    np.testing.assert_allclose(
        to_numpy(out), case.expected(), rtol=RELATIVE[dtype], atol=ABSOLUTE[dtype], equal_nan=False
    )
