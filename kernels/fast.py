"""The fast kernel: the heads of a group together, long contexts split over programs, partial outputs merged.

Example:
    >>> from kernels.cases import make_case
    >>> case = make_case(
    ...     lengths=[70, 3], num_heads=4, num_kv_heads=1, head_dim=16, block_size=4, dtype="float32"
    ... )
    >>> args = case.q, case.k_cache, case.v_cache, case.block_tables, case.lengths
    >>> out = paged_decode(*args, split_size=32)
    >>> bool(case.error_of(out) < 1e-5)
    True

A decode step does a few operations per byte of the cache, so its speed is that of the memory: what counts is
that each byte is read once, and that enough reads are under way at any time. What differs from `plain`:

1. One program serves all query heads of a group, so that their keys and values are read once and not once per
   head. The scores become a product of two matrices, which a GPU has units for.
2. A tile of positions may cover several blocks, or a part of one: each position looks up its own block. So
   the tile suits the memory and the block size suits the allocator.
3. A context is cut into stretches of `split_size` positions, each the work of a program, so that one long
   request keeps the whole GPU busy. Each leaves an output and a log-sum-exp, and a second kernel merges them.
4. While a tile is worked on, the next ones are on their way: Triton does that for a loop (`num_stages`).

Source: grouped heads as one matrix product and the split, as in FlashInfer (arXiv 2501.01005) and in vLLM's
Triton kernel; all of the code is ours.
"""

import math
from typing import Any, NamedTuple

import triton
import triton.language as tl

from kernels.device import ITEMSIZE, capability, dtype_name, empty, num_processors
from kernels.reference import LOG2_E
from kernels.shapes import Sizes, check


# Arguments that belong together stand in one line.
# fmt: off
@triton.jit
def fast_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, out_ptr, part_ptr, lse_ptr,
    scale_log2, v_scale,
    split_size, num_splits,
    q_stride_request, q_stride_head,
    k_stride_block, k_stride_slot, k_stride_head,
    v_stride_block, v_stride_slot, v_stride_head,
    tables_stride,
    out_stride_request, out_stride_head,
    GROUP: tl.constexpr, GROUP_PAD: tl.constexpr,
    HEAD_DIM: tl.constexpr, HEAD_DIM_PAD: tl.constexpr,
    BLOCK_SIZE: tl.constexpr, TILE: tl.constexpr,
    IS_SPLIT: tl.constexpr, DOT_TYPE: tl.constexpr,
):
    """Attend over one stretch of one request, for the query heads of one group."""
    # KV heads are neighbours in memory, so they are neighbours in the grid as well, and run at the same time.
    kv_head = tl.program_id(0).to(tl.int64)
    split = tl.program_id(1)
    request = tl.program_id(2).to(tl.int64)
    length = tl.load(lengths_ptr + request)
    start = split * split_size
    stop = tl.minimum(start + split_size, length)
    # The grid is as large as the longest request needs. A shorter one leaves its last programs without work,
    # and `merge_kernel` does not ask for theirs.
    if IS_SPLIT and start >= length:
        return

    members = tl.arange(0, GROUP_PAD)
    is_member = members < GROUP
    heads = kv_head * GROUP + members
    dims = tl.arange(0, HEAD_DIM_PAD)
    is_dim = dims < HEAD_DIM
    is_out = is_member[:, None] & is_dim[None, :]
    q_at = q_ptr + request * q_stride_request + heads[:, None] * q_stride_head + dims[None, :]
    q = tl.load(q_at, mask=is_out, other=0.0).to(DOT_TYPE)

    m = tl.full([GROUP_PAD], float("-inf"), tl.float32)
    l = tl.zeros([GROUP_PAD], tl.float32)
    acc = tl.zeros([GROUP_PAD, HEAD_DIM_PAD], tl.float32)
    for first in range(start, stop, TILE):
        positions = first + tl.arange(0, TILE)
        is_token = positions < stop
        # One look-up per position. Neighbours mostly ask for the same entry, and one read answers them all.
        # Ids are 32 bits wide, offsets into the cache are not: widen first, multiply second.
        entries = tables_ptr + request * tables_stride + positions // BLOCK_SIZE
        blocks = tl.load(entries, mask=is_token, other=0).to(tl.int64)
        offsets = positions % BLOCK_SIZE
        k_at = k_ptr + blocks * k_stride_block + offsets * k_stride_slot + kv_head * k_stride_head
        v_at = v_ptr + blocks * v_stride_block + offsets * v_stride_slot + kv_head * v_stride_head
        mask = is_token[:, None] & is_dim[None, :]
        k = tl.load(k_at[:, None] + dims[None, :], mask=mask, other=0.0)
        v = tl.load(v_at[:, None] + dims[None, :], mask=mask, other=0.0)
        scores = tl.dot(q, k.to(DOT_TYPE).T, input_precision="ieee") * scale_log2
        scores = tl.where(is_token[None, :], scores, float("-inf"))
        m_new = tl.maximum(m, tl.max(scores, axis=1))
        alpha = tl.exp2(m - m_new)
        p = tl.exp2(scores - m_new[:, None])
        l = l * alpha + tl.sum(p, axis=1)
        acc = tl.dot(p.to(DOT_TYPE), v.to(DOT_TYPE), acc * alpha[:, None], input_precision="ieee")
        m = m_new

    # Without a token nothing was summed up: the output is 0, and not 0 / 0.
    out = acc * v_scale / tl.where(stop > start, l, 1.0)[:, None]
    if IS_SPLIT:
        row = (request * num_splits + split) * tl.num_programs(0) * GROUP + heads
        tl.store(part_ptr + row[:, None] * HEAD_DIM + dims[None, :], out, mask=is_out)
        tl.store(lse_ptr + row, m + tl.log2(l), mask=is_member)
    else:
        out_at = out_ptr + request * out_stride_request + heads[:, None] * out_stride_head + dims[None, :]
        tl.store(out_at, out.to(out_ptr.dtype.element_ty), mask=is_out)
# fmt: on


# Arguments that belong together stand in one line.
# fmt: off
@triton.jit
def merge_kernel(
    part_ptr, lse_ptr, lengths_ptr, out_ptr,
    split_size, num_splits,
    out_stride_request, out_stride_head,
    HEAD_DIM: tl.constexpr, HEAD_DIM_PAD: tl.constexpr,
    AT_A_TIME: tl.constexpr,
):
    """Write the output of one head of one request from those of its stretches, each weighed by its sum."""
    request = tl.program_id(0).to(tl.int64)
    head = tl.program_id(1).to(tl.int64)
    num_heads = tl.num_programs(1)
    length = tl.load(lengths_ptr + request)
    used_splits = tl.cdiv(length, split_size)
    dims = tl.arange(0, HEAD_DIM_PAD)
    is_dim = dims < HEAD_DIM
    m = tl.full([], float("-inf"), tl.float32)
    l = tl.full([], 0.0, tl.float32)
    acc = tl.zeros([HEAD_DIM_PAD], tl.float32)
    # The same walk once more, over stretches in place of positions: the score of each is its log-sum-exp, and
    # its value is its output.
    for first in range(0, used_splits, AT_A_TIME):
        splits = first + tl.arange(0, AT_A_TIME)
        is_used = splits < used_splits
        row = (request * num_splits + splits) * num_heads + head
        lse = tl.load(lse_ptr + row, mask=is_used, other=float("-inf"))
        part_at = part_ptr + row[:, None] * HEAD_DIM + dims[None, :]
        part = tl.load(part_at, mask=is_used[:, None] & is_dim[None, :], other=0.0)
        m_new = tl.maximum(m, tl.max(lse, axis=0))
        alpha = tl.exp2(m - m_new)
        p = tl.exp2(lse - m_new)
        l = l * alpha + tl.sum(p, axis=0)
        acc = acc * alpha + tl.sum(p[:, None] * part, axis=0)
        m = m_new
    out = acc / tl.where(length > 0, l, 1.0)
    out_at = out_ptr + request * out_stride_request + head * out_stride_head + dims
    tl.store(out_at, out.to(out_ptr.dtype.element_ty), mask=is_dim)
# fmt: on


# Positions that a stretch has at least: below this, starting a program costs as much as its reads.
SMALLEST_SPLIT = 256
# Stretches per multiprocessor: so many that the last ones to finish are a small part of all.
SPLITS_PER_PROCESSOR = 16


class Launch(NamedTuple):
    """How to compile the kernel: positions per tile, warps per program, and stages of the loop's pipeline."""

    tile: int
    num_warps: int
    num_stages: int


# One long request has hundreds of stretches and few heads. Each step of the merge waits for its reads, so it
# reads many stretches at a time.
MERGE = Launch(tile=64, num_warps=8, num_stages=1)


def launch_for(sizes: Sizes, cache_dtype: str, card: tuple[int, int]) -> Launch:
    """Return how to compile for a GPU of compute capability `card`.

    What limits the tile is the memory beside the processor, where tiles that are on their way wait: 64 KiB on
    7.5, 100 on 8.6 and 8.9, 164 and more on 8.0 and 9.0. With five stages two tiles of keys and values wait
    while one is worked on, and several programs still fit.

    >>> launch_for(Sizes(1, 32, 8, 128, 16), "float16", (9, 0))
    Launch(tile=64, num_warps=4, num_stages=5)
    >>> launch_for(Sizes(1, 32, 8, 128, 16), "float16", (7, 5))
    Launch(tile=32, num_warps=4, num_stages=1)
    """
    head_dim_pad, group_pad = padded(sizes.head_dim), triton.next_power_of_2(sizes.group)
    num_warps = 8 if group_pad * head_dim_pad > 4096 else 4
    if (0, 0) < card < (8, 0):
        # No copies that run on their own, and no matrix unit that Triton uses: small tiles, one at a time.
        tile = min(32, 4096 // head_dim_pad, max(16, 512 // group_pad))
        return Launch(tile, 8 if group_pad * head_dim_pad > 1024 else 4, 1)
    is_roomy = card in ((0, 0), (8, 0), (9, 0), (10, 0), (10, 3))  # the first is the interpreter
    numbers = 8192 if is_roomy or ITEMSIZE[cache_dtype] == 1 else 4096
    return Launch(max(16, min(64, numbers // head_dim_pad)), num_warps, 5)


def split_size_for(sizes: Sizes, longest: int, processors: int) -> int:
    """Return the positions per stretch, a multiple of 64, for requests of up to `longest` tokens.

    >>> split_size_for(Sizes(64, 32, 8, 128, 16), longest=8192, processors=132)
    1984
    >>> split_size_for(Sizes(1, 32, 8, 128, 16), longest=8192, processors=132)
    256
    """
    work = sizes.num_requests * sizes.num_kv_heads * longest
    return max(SMALLEST_SPLIT, work // (processors * SPLITS_PER_PROCESSOR) // 64 * 64)


def paged_decode(
    q: Any,
    k_cache: Any,
    v_cache: Any,
    block_tables: Any,
    lengths: Any,
    *,
    k_scale: float = 1.0,
    v_scale: float = 1.0,
    split_size: int | None = None,
    launch: Launch | None = None,
) -> Any:
    """Return the attention of one token per request over its context: the shape and type of `q`.

    Args:
        q: shape (requests, heads, head_dim), float16 or bfloat16 (or float32, for a look in the interpreter).
        k_cache, v_cache: shape (num_blocks, block_size, kv_heads, head_dim), of the type of `q`, or
            float8_e4m3fn.
        block_tables: int32, shape (requests, blocks of the longest), as `batch.tables_of` makes it. What
            stands behind a request's last block is not read.
        lengths: int32, shape (requests,). A request of length 0 gets an output of 0.
        k_scale, v_scale: what the numbers of the caches are multiplied with; 1 unless they are 8 bits wide.
        split_size, launch: positions per stretch, and how to compile; chosen for the GPU if left out.

    Raises:
        WrongShape: the shapes or types do not fit each other, or the GPU has no such numbers.

    Source: the arguments are those of the paged attention of vLLM and FlashInfer, without what only other
    kinds of models need.
    """
    sizes = check(q, k_cache, v_cache, block_tables, lengths)
    cache_dtype = dtype_name(k_cache)
    head_dim_pad = padded(sizes.head_dim)
    # The longest that the tables have room for: the lengths themselves are on the GPU, and asking would wait.
    longest = block_tables.shape[1] * sizes.block_size
    if split_size is None:
        split_size = split_size_for(sizes, longest, num_processors())
    num_splits = max(1, -(-longest // split_size))
    out = empty(q.shape, dtype_name(q), like=q)
    # Without a split there are no parts; the kernel is handed something to point at, and does not.
    parts = (
        out
        if num_splits == 1
        else empty((sizes.num_requests, num_splits, sizes.num_heads, sizes.head_dim), "float32", like=q)
    )
    lse = (
        out
        if num_splits == 1
        else empty((sizes.num_requests, num_splits, sizes.num_heads), "float32", like=q)
    )
    launch = launch or launch_for(sizes, cache_dtype, capability())
    fast_kernel[(sizes.num_kv_heads, num_splits, sizes.num_requests)](
        q,
        k_cache,
        v_cache,
        block_tables,
        lengths,
        out,
        parts,
        lse,
        k_scale * LOG2_E / math.sqrt(sizes.head_dim),
        v_scale,
        split_size,
        num_splits,
        *sizes.strides(q, k_cache, v_cache, block_tables, out),
        GROUP=sizes.group,
        GROUP_PAD=triton.next_power_of_2(sizes.group),
        HEAD_DIM=sizes.head_dim,
        HEAD_DIM_PAD=head_dim_pad,
        BLOCK_SIZE=sizes.block_size,
        TILE=launch.tile,
        IS_SPLIT=num_splits > 1,
        DOT_TYPE=dot_type(cache_dtype),
        num_warps=launch.num_warps,
        num_stages=launch.num_stages,
    )
    if num_splits > 1:
        merge_kernel[(sizes.num_requests, sizes.num_heads)](
            parts,
            lse,
            lengths,
            out,
            split_size,
            num_splits,
            out.stride(0),
            out.stride(1),
            HEAD_DIM=sizes.head_dim,
            HEAD_DIM_PAD=head_dim_pad,
            AT_A_TIME=MERGE.tile,
            num_warps=MERGE.num_warps,
            num_stages=MERGE.num_stages,
        )
    return out


def dot_type(cache_dtype: str) -> Any:
    """Return the type in which matrices are multiplied; their sums are float32 in any case."""
    if cache_dtype == "bfloat16" and triton.knobs.runtime.interpret:
        # The interpreter multiplies matrices of bfloat16 as if they held whole numbers.
        return tl.float32
    # Every 8-bit float is a float16, and turning it into one is a single instruction.
    kinds = {
        "float32": tl.float32,
        "float16": tl.float16,
        "bfloat16": tl.bfloat16,
        "float8_e4m3fn": tl.float16,
    }
    return kinds[cache_dtype]


def padded(head_dim: int) -> int:
    """Return the length of a range that covers `head_dim`; a matrix unit takes 16 numbers at least."""
    return max(16, int(triton.next_power_of_2(head_dim)))
