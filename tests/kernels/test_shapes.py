"""What does not fit is refused with a sentence, before a kernel could read out of bounds."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kernels.cases import Case, make_case
from kernels.device import HostTensor, on_device
from kernels.shapes import check
from pagedkv import WrongShape


def a_case() -> Case:
    return make_case(
        lengths=[6, 3], num_heads=4, num_kv_heads=2, head_dim=16, block_size=4, dtype="float16", gpu=False
    )


def other(shape: tuple[int, ...], dtype: str = "float16") -> Any:
    return on_device(np.zeros(shape), dtype, gpu=False)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"q": other((2, 64))}, r"q has shape \(2, 64\); it must be \(requests, heads, head_dim\)"),
        ({"q": other((2, 5, 16))}, "5 query heads do not fall into groups for 2 KV heads"),
        ({"q": other((2, 4, 8))}, "all three must have one head_dim"),
        ({"q": other((3, 4, 16))}, "There are 3 requests in q, 2 in block_tables and 2 in lengths"),
        ({"q": other((2, 4, 16), "float32")}, "q holds float32 and the caches float16"),
        ({"v_cache": other((6, 4, 2, 8))}, "the caches must be alike"),
        (
            {"k_cache": other((6, 4, 2, 16), "float64")},
            "k_cache holds float64; it must hold float32 or float16",
        ),
        ({"lengths": other((2,), "int64")}, "lengths holds int64; it must hold int32"),
        ({"block_tables": other((2,), "int32")}, r"it must be \(requests, blocks\)"),
        (
            {"q": HostTensor(np.zeros((2, 4, 32), np.float16)[:, :, ::2])},
            "Along its last axis q must lie in one piece",
        ),
    ],
)
def test_it_is_refused(changed: dict[str, Any], sentence: str) -> None:
    case = replace(a_case(), **changed)
    with pytest.raises(WrongShape, match=sentence):
        check(case.q, case.k_cache, case.v_cache, case.block_tables, case.lengths)
