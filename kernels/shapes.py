"""What fits what: the sizes of a decode step, read from its tensors and checked.

Example:
    >>> from kernels.cases import make_case
    >>> case = make_case(
    ...     lengths=[6, 3], num_heads=8, num_kv_heads=2, head_dim=16, block_size=4, dtype="float16"
    ... )
    >>> check(case.q, case.k_cache, case.v_cache, case.block_tables, case.lengths)
    Sizes(num_requests=2, num_heads=8, num_kv_heads=2, head_dim=16, block_size=4)
"""

from dataclasses import dataclass
from typing import Any

from kernels.device import ITEMSIZE, capability, dtype_name, has_gpu
from pagedkv.errors import WrongShape

# The first compute capability that has numbers of a type.
_OLDEST = {"bfloat16": (8, 0), "float8_e4m3fn": (8, 9)}


@dataclass(frozen=True)
class Sizes:
    """The sizes of a decode step."""

    num_requests: int
    num_heads: int
    num_kv_heads: int
    head_dim: int
    block_size: int

    @property
    def group(self) -> int:
        """Query heads that share one KV head."""
        return self.num_heads // self.num_kv_heads

    @staticmethod
    def strides(q: Any, k_cache: Any, v_cache: Any, block_tables: Any, out: Any) -> tuple[int, ...]:
        """Return the strides in the order in which both kernels take them."""
        return (
            *(q.stride(0), q.stride(1)),
            *(k_cache.stride(0), k_cache.stride(1), k_cache.stride(2)),
            *(v_cache.stride(0), v_cache.stride(1), v_cache.stride(2)),
            block_tables.stride(0),
            *(out.stride(0), out.stride(1)),
        )


def check(q: Any, k_cache: Any, v_cache: Any, block_tables: Any, lengths: Any) -> Sizes:
    """Return the sizes of a decode step.

    A cache may lie in memory in any order, as long as the numbers of one key, or one value, are neighbours.

    Raises:
        WrongShape: the shapes or types do not fit each other; the sentence says which.
    """
    for name, tensor, axes in (
        ("q", q, ("requests", "heads", "head_dim")),
        ("k_cache", k_cache, ("num_blocks", "block_size", "kv_heads", "head_dim")),
        ("v_cache", v_cache, ("num_blocks", "block_size", "kv_heads", "head_dim")),
        ("block_tables", block_tables, ("requests", "blocks")),
        ("lengths", lengths, ("requests",)),
    ):
        if len(tensor.shape) != len(axes):
            raise WrongShape(f"{name} has shape {tuple(tensor.shape)}; it must be ({', '.join(axes)}).")
        if tensor.shape[-1] > 1 and tensor.stride(len(axes) - 1) != 1:
            raise WrongShape(
                f"Along its last axis {name} must lie in one piece. Make a contiguous copy of it."
            )
    num_requests, num_heads, head_dim = q.shape
    _, block_size, num_kv_heads, _ = k_cache.shape
    if tuple(k_cache.shape) != tuple(v_cache.shape) or k_cache.shape[-1] != head_dim:
        raise WrongShape(
            f"q has shape {tuple(q.shape)}, k_cache {tuple(k_cache.shape)} and v_cache "
            f"{tuple(v_cache.shape)}; the caches must be alike, and all three must have one head_dim."
        )
    if num_heads % num_kv_heads:
        raise WrongShape(f"{num_heads} query heads do not fall into groups for {num_kv_heads} KV heads.")
    if block_tables.shape[0] != num_requests or lengths.shape[0] != num_requests:
        raise WrongShape(
            f"There are {num_requests} requests in q, {block_tables.shape[0]} in block_tables and "
            f"{lengths.shape[0]} in lengths; the numbers must agree."
        )
    _check_types(*map(dtype_name, (q, k_cache, v_cache, block_tables, lengths)))
    return Sizes(num_requests, num_heads, num_kv_heads, head_dim, block_size)


def _check_types(q: str, k_cache: str, v_cache: str, block_tables: str, lengths: str) -> None:
    for name, dtype, known in (
        ("q", q, ("float32", "float16", "bfloat16")),
        ("k_cache", k_cache, tuple(ITEMSIZE)),
        ("v_cache", v_cache, (k_cache,)),
        ("block_tables", block_tables, ("int32",)),
        ("lengths", lengths, ("int32",)),
    ):
        if dtype not in known:
            raise WrongShape(f"{name} holds {dtype}; it must hold {' or '.join(known)}.")
    if k_cache != q and ITEMSIZE[k_cache] > 1:
        raise WrongShape(f"q holds {q} and the caches {k_cache}; give both one type.")
    oldest = _OLDEST.get(k_cache, (0, 0))
    if has_gpu() and capability() < oldest:
        major, minor = capability()
        raise WrongShape(
            f"{k_cache} needs a GPU of compute capability {oldest[0]}.{oldest[1]}; this one has "
            f"{major}.{minor}. Give the caches as float16."
        )
