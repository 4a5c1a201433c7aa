"""How many bytes the keys and values of a token take, and how sizes are written.

Example:
    >>> kv_bytes_per_token(OPT_13B)
    819200
    >>> in_binary_units(2048 * kv_bytes_per_token(OPT_13B))
    '1.5625 GiB'

Units: KiB = 1,024 bytes, MiB = 1,024 KiB, GiB = 1,024 MiB. GB, a thousand million bytes, is never meant.

What this does not do: read a model's `config.json`, or know of windows, latent attention and linear layers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pagedkv.errors import whole_number

KIB, MIB, GIB = 1024, 1024**2, 1024**3


@dataclass(frozen=True)
class ModelShape:
    """The four numbers of a model that set the size of its KV cache, and its longest context.

    `n_kv_heads` counts key and value heads (`num_key_value_heads` in a config file), not query heads.

    >>> ModelShape("toy", n_layers=2, n_kv_heads=1, head_dim=8, bytes_per_elem=2).bytes_per_elem
    2
    """

    name: str
    n_layers: int
    n_kv_heads: int
    head_dim: int
    bytes_per_elem: int
    n_heads: int | None = None
    context: int | None = None


# Llama 3 paper, arXiv 2407.21783, Table 3, and the model's config.json; 16-bit cache.
LLAMA_3_8B = ModelShape("Llama 3 8B", 32, 8, 128, 2, n_heads=32, context=8192)
# Kwon et al. 2023, arXiv 2309.06180, section 3: 40 layers, 40 heads of 128, fp16.
OPT_13B = ModelShape("OPT-13B", 40, 40, 128, 2, n_heads=40, context=2048)
# An invented model, for the quiz.
QUIZ_MODEL = ModelShape("the quiz model", 24, 4, 64, 2)


def kv_bytes_per_token(cfg: object) -> int:
    """Return the bytes of one token's keys and values over all layers.

    2 (a key and a value) x layers x KV heads x head size x bytes per number.

    Args:
        cfg: anything with `n_layers, n_kv_heads, head_dim, bytes_per_elem`, as attributes or as a mapping.

    Raises:
        InvalidSize: one of the four is missing, or is not a whole number of at least 1.

    Source: Kwon et al. 2023, arXiv 2309.06180, section 3, which reckons OPT-13B so.

    >>> kv_bytes_per_token(OPT_13B)
    819200
    >>> kv_bytes_per_token({"n_layers": 24, "n_kv_heads": 4, "head_dim": 64, "bytes_per_elem": 2})
    24576
    """
    product = 2
    for name in ("n_layers", "n_kv_heads", "head_dim", "bytes_per_elem"):
        value: Any = cfg.get(name) if isinstance(cfg, Mapping) else getattr(cfg, name, None)
        product *= whole_number(value, name)
    return product


def in_binary_units(num_bytes: int) -> str:
    """Return a size in the largest unit that fits, with up to four decimals and no needless zeros.

    >>> in_binary_units(3 * 2**30), in_binary_units(1536), in_binary_units(12), in_binary_units(1677721600)
    ('3 GiB', '1.5 KiB', '12 B', '1.5625 GiB')
    """
    for name, unit in (("GiB", GIB), ("MiB", MIB), ("KiB", KIB)):
        if num_bytes >= unit:
            return f"{round(num_bytes / unit, 4):,.10g} {name}"
    return f"{num_bytes} B"
