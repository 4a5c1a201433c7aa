"""The memory of an AI server, in Python to be read: reserved runs, paged blocks, attention through both.

Example:
    >>> from pagedkv import BlockAllocator
    >>> blocks = BlockAllocator(num_blocks=8, block_size=4)
    >>> blocks.add_request("A")
    >>> blocks.append("A")
    (0, 0, None)

Start with `pagedkv.blocks`, the rules; `pagedkv.manager` puts keys and values beside them, and
`pagedkv.attention` reads them. Names are imported when they are first asked for: the rules run without NumPy,
and `import pagedkv` does not import it.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pagedkv.attention import attention_contiguous, paged_attention, paged_weights
    from pagedkv.blocks import BlockAllocator
    from pagedkv.contiguous import ContiguousPool
    from pagedkv.decode import decode_both_ways, pairs_with_cache, pairs_without_cache
    from pagedkv.errors import (
        DuplicateRequest,
        InvalidOperation,
        InvalidSize,
        OutOfBlocks,
        PagedKVError,
        RefusedConfig,
        UnknownRequest,
        WrongShape,
    )
    from pagedkv.examples import prefix_sharing_example, worked_example
    from pagedkv.manager import BlockManager
    from pagedkv.sizes import LLAMA_3_8B, OPT_13B, ModelShape, kv_bytes_per_token

__version__ = "0.1.0"

_MODULE_OF = {
    "BlockAllocator": "blocks",
    "BlockManager": "manager",
    "ContiguousPool": "contiguous",
    "DuplicateRequest": "errors",
    "InvalidOperation": "errors",
    "InvalidSize": "errors",
    "LLAMA_3_8B": "sizes",
    "ModelShape": "sizes",
    "OPT_13B": "sizes",
    "OutOfBlocks": "errors",
    "PagedKVError": "errors",
    "RefusedConfig": "errors",
    "UnknownRequest": "errors",
    "WrongShape": "errors",
    "attention_contiguous": "attention",
    "decode_both_ways": "decode",
    "kv_bytes_per_token": "sizes",
    "paged_attention": "attention",
    "paged_weights": "attention",
    "pairs_with_cache": "decode",
    "pairs_without_cache": "decode",
    "prefix_sharing_example": "examples",
    "worked_example": "examples",
}

__all__ = [
    "LLAMA_3_8B",
    "OPT_13B",
    "BlockAllocator",
    "BlockManager",
    "ContiguousPool",
    "DuplicateRequest",
    "InvalidOperation",
    "InvalidSize",
    "ModelShape",
    "OutOfBlocks",
    "PagedKVError",
    "RefusedConfig",
    "UnknownRequest",
    "WrongShape",
    "attention_contiguous",
    "decode_both_ways",
    "kv_bytes_per_token",
    "paged_attention",
    "paged_weights",
    "pairs_with_cache",
    "pairs_without_cache",
    "prefix_sharing_example",
    "worked_example",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 (any public name)
    """Import the module that holds `name`, when it is first asked for."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'pagedkv' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"pagedkv.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
