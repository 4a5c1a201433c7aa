"""The first kernel: one program per request and query head, a block at a time. To be read beside `reference`.

Example:
    >>> from kernels.cases import make_case
    >>> case = make_case(
    ...     lengths=[6, 3], num_heads=2, num_kv_heads=1, head_dim=16, block_size=4, dtype="float32"
    ... )
    >>> out = plain_paged_decode(case.q, case.k_cache, case.v_cache, case.block_tables, case.lengths)
    >>> bool(case.error_of(out) < 1e-5)
    True

A program is what NumPy's innermost loop was: it has a number along each axis of a grid, computes where its
data lies, loads it, and writes its own piece of the output. They run at once, as many as fit the GPU.

What this does not do: be quick. The heads of a group read the same keys and values, each for itself; a long
context is the work of one program while others are idle; and no matrix unit is used. `fast` mends all three.
"""

import math
from typing import Any

import triton
import triton.language as tl

from kernels.device import dtype_name, empty
from kernels.reference import LOG2_E
from kernels.shapes import check


# Arguments that belong together stand in one line.
# fmt: off
@triton.jit
def plain_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, out_ptr,
    scale_log2, v_scale,
    q_stride_request, q_stride_head,
    k_stride_block, k_stride_slot, k_stride_head,
    v_stride_block, v_stride_slot, v_stride_head,
    tables_stride,
    out_stride_request, out_stride_head,
    GROUP: tl.constexpr,
    HEAD_DIM: tl.constexpr, HEAD_DIM_PAD: tl.constexpr,
    BLOCK_SIZE: tl.constexpr, BLOCK_SIZE_PAD: tl.constexpr,
):
    """Write the output of one query head of one request."""
    # Which program is this? An offset is a product with a stride, and a cache is larger than 2**31 numbers:
    # whatever is multiplied is made 64 bits wide first.
    request = tl.program_id(0).to(tl.int64)
    head = tl.program_id(1).to(tl.int64)
    kv_head = head // GROUP
    length = tl.load(lengths_ptr + request)

    # Lengths of ranges must be powers of two, so they are rounded up, and the lanes that are too many are
    # switched off: a masked load does not touch memory, and gives `other` instead.
    dims = tl.arange(0, HEAD_DIM_PAD)
    is_dim = dims < HEAD_DIM
    offsets = tl.arange(0, BLOCK_SIZE_PAD)
    q_at = q_ptr + request * q_stride_request + head * q_stride_head + dims
    q = tl.load(q_at, mask=is_dim, other=0.0).to(tl.float32)

    m = tl.full([], float("-inf"), tl.float32)
    l = tl.full([], 0.0, tl.float32)
    acc = tl.zeros([HEAD_DIM_PAD], tl.float32)
    for logical in range(0, tl.cdiv(length, BLOCK_SIZE)):
        # The table leads from the logical block to the physical one: the same step as table[logical].
        block = tl.load(tables_ptr + request * tables_stride + logical).to(tl.int64)
        # Past the length lie slots that nobody wrote, or that somebody else did. They are not read, since a
        # weight of 0 would not help: 0 times NaN is NaN.
        is_token = (offsets < BLOCK_SIZE) & (logical * BLOCK_SIZE + offsets < length)
        mask = is_token[:, None] & is_dim[None, :]
        k_at = k_ptr + block * k_stride_block + offsets * k_stride_slot + kv_head * k_stride_head
        v_at = v_ptr + block * v_stride_block + offsets * v_stride_slot + kv_head * v_stride_head
        k = tl.load(k_at[:, None] + dims[None, :], mask=mask, other=0.0).to(tl.float32)
        v = tl.load(v_at[:, None] + dims[None, :], mask=mask, other=0.0).to(tl.float32)
        scores = tl.sum(q[None, :] * k, axis=1) * scale_log2
        scores = tl.where(is_token, scores, float("-inf"))
        m_new = tl.maximum(m, tl.max(scores, axis=0))
        alpha = tl.exp2(m - m_new)
        p = tl.exp2(scores - m_new)
        l = l * alpha + tl.sum(p, axis=0)
        acc = acc * alpha + tl.sum(p[:, None] * v, axis=0)
        m = m_new

    # A request without a token has summed up nothing: its output is 0, and not 0 / 0.
    out = acc * v_scale / tl.where(length > 0, l, 1.0)
    out_at = out_ptr + request * out_stride_request + head * out_stride_head + dims
    tl.store(out_at, out.to(out_ptr.dtype.element_ty), mask=is_dim)
# fmt: on


def plain_paged_decode(
    q: Any,
    k_cache: Any,
    v_cache: Any,
    block_tables: Any,
    lengths: Any,
    *,
    k_scale: float = 1.0,
    v_scale: float = 1.0,
) -> Any:
    """Return the attention of one token per request, by `plain_kernel`.

    Arguments are those of `fast.paged_decode`.

    Raises:
        WrongShape: the shapes or types do not fit each other.
    """
    sizes = check(q, k_cache, v_cache, block_tables, lengths)
    out = empty(q.shape, dtype_name(q), like=q)
    plain_kernel[(sizes.num_requests, sizes.num_heads)](
        q,
        k_cache,
        v_cache,
        block_tables,
        lengths,
        out,
        k_scale * LOG2_E / math.sqrt(sizes.head_dim),
        v_scale,
        *sizes.strides(q, k_cache, v_cache, block_tables, out),
        GROUP=sizes.group,
        HEAD_DIM=sizes.head_dim,
        HEAD_DIM_PAD=triton.next_power_of_2(sizes.head_dim),
        BLOCK_SIZE=sizes.block_size,
        BLOCK_SIZE_PAD=triton.next_power_of_2(sizes.block_size),
    )
    return out
