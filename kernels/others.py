"""The kernels of vLLM and FlashInfer on the same decode step, where they are installed.

Example:
    >>> set(others()) <= {"vLLM", "FlashInfer"}
    True

Both change from version to version. They are called as their sources of 2025 and 2026 ask for, and whoever
calls this is prepared for an error.
"""

import importlib
import importlib.util
import inspect
import math
from collections.abc import Callable
from typing import Any

# Stretches per request in vLLM's split kernel, and up to how many requests it is used: its own choices.
VLLM_SEGMENTS, VLLM_REQUESTS = 16, 128
FLASHINFER_WORKSPACE = 128 << 20

Maker = Callable[..., Callable[[], Any]]


def others() -> dict[str, Maker]:
    """Return name -> what makes a run from a decode step and its lengths, for what is installed."""
    found: dict[str, tuple[str, Maker]] = {
        "vLLM": ("vllm", vllm_run),
        "FlashInfer": ("flashinfer", flashinfer_run),
    }
    return {name: make for name, (package, make) in found.items() if importlib.util.find_spec(package)}


def vllm_run(
    q: Any, k_cache: Any, v_cache: Any, block_tables: Any, seq_lens: Any, *, lengths: list[int]
) -> Callable[[], Any]:
    """Return a run of vLLM's Triton kernel, `unified_attention`."""
    torch = importlib.import_module("torch")
    try:
        module = importlib.import_module("vllm.v1.attention.ops.triton_unified_attention")
    except ModuleNotFoundError:  # before 2026
        module = importlib.import_module("vllm.attention.ops.triton_unified_attention")
    num_requests, num_heads, head_dim = q.shape
    num_kv_heads = k_cache.shape[2]
    out = torch.empty_like(q)
    is_small = k_cache.element_size() == 1
    one = torch.ones((num_requests, num_kv_heads), dtype=torch.float32, device=q.device)
    given = {
        "q": q,
        "k": k_cache,
        "v": v_cache,
        "out": out,
        "cu_seqlens_q": torch.arange(num_requests + 1, dtype=torch.int32, device=q.device),
        "max_seqlen_q": 1,
        "seqused_k": seq_lens,
        "max_seqlen_k": max(lengths),
        "softmax_scale": 1 / math.sqrt(head_dim),
        "causal": True,
        "window_size": (-1, -1),
        "block_table": block_tables,
        "softcap": 0.0,
        "q_descale": None,
        "k_descale": one if is_small else None,
        "v_descale": one if is_small else None,
    }
    if "seq_threshold_3D" in inspect.signature(module.unified_attention).parameters:
        room = (num_requests, num_heads, VLLM_SEGMENTS)
        wide = 1 << (head_dim - 1).bit_length()
        given |= {
            "seq_threshold_3D": VLLM_REQUESTS // num_kv_heads,
            "num_par_softmax_segments": VLLM_SEGMENTS,
            "softmax_segm_output": torch.empty((*room, wide), dtype=torch.float32, device=q.device),
            "softmax_segm_max": torch.empty(room, dtype=torch.float32, device=q.device),
            "softmax_segm_expsum": torch.empty(room, dtype=torch.float32, device=q.device),
        }

    def run() -> Any:
        module.unified_attention(**given)
        return out

    return run


def flashinfer_run(
    q: Any, k_cache: Any, v_cache: Any, block_tables: Any, seq_lens: Any, *, lengths: list[int]
) -> Callable[[], Any]:
    """Return a run of FlashInfer's paged decode. Its plan, one per step for all layers, is not timed."""
    torch = importlib.import_module("torch")
    flashinfer = importlib.import_module("flashinfer")
    block_size, num_kv_heads, head_dim = k_cache.shape[1:]
    blocks_of = [-(-length // block_size) for length in lengths]
    starts = [sum(blocks_of[:index]) for index in range(len(lengths) + 1)]
    rows = [block_tables[row, :count] for row, count in enumerate(blocks_of)]
    workspace = torch.empty(FLASHINFER_WORKSPACE, dtype=torch.uint8, device=q.device)
    wrapper = flashinfer.BatchDecodeWithPagedKVCacheWrapper(workspace, "NHD", use_tensor_cores=True)
    wrapper.plan(
        torch.tensor(starts, dtype=torch.int32),
        torch.cat(rows).to(torch.int32),
        (seq_lens - 1).remainder(block_size).to(torch.int32).cpu() + 1,
        q.shape[1],
        num_kv_heads,
        head_dim,
        block_size,
        q_data_type=q.dtype,
        kv_data_type=k_cache.dtype,
    )
    return lambda: wrapper.run(q, (k_cache, v_cache))
