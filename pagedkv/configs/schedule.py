"""Which layers attend, and how far back: one entry per layer, read from whichever field a file has for it.

Example:
    >>> from pagedkv.configs.fields import Fields
    >>> fields = Fields({"num_hidden_layers": 4, "sliding_window": 128, "sliding_window_pattern": 2})
    >>> [turn.kind for turn in schedule(fields, 4)]
    ['window', 'full', 'window', 'full']

The fields are tried in the order of `_READERS`, and the first that is there decides. What is known of a list
is what its letters and words mean in the files that have it: another one is refused.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from pagedkv.configs.fields import MOST_LAYERS, MOST_TOKENS, Fields
from pagedkv.errors import shown

Kind = Literal["full", "window", "linear", "none"]
"""Keeps every token; the last ones; a constant; or nothing at all."""


@dataclass(frozen=True)
class Turn:
    """A layer's entry: its kind, its window, the fields that say so, and KV heads where they are its own."""

    kind: Kind
    fields: tuple[str, ...]
    window: int | None = None
    kv_heads: int | None = None


# Defaults of the models' own code, for files that leave the field out: every how-manieth layer is full.
PATTERN_BY_TYPE = {"gemma2": 2, "gemma3": 6, "gemma3_text": 6, "cohere2": 4}
_TYPES: dict[str, Kind] = {
    "full_attention": "full",
    "attention": "full",
    "sliding_attention": "window",
    "chunked_attention": "window",
    "linear_attention": "linear",
    "mamba": "linear",
    "mamba2": "linear",
}
_BLOCKS: dict[str, Kind] = {"attention": "full", "mamba": "linear", "mlp": "none", "moe": "none"}
_LETTERS: dict[str, Kind] = {"*": "full", "M": "linear", "-": "none", "E": "none"}
_PER_LAYER = ("layer_types", "layers_block_type", "hybrid_override_pattern", "hybrid_layer_pattern")
# Other ways to say which layers attend. They are not read, and leaving them out would count every layer.
_OTHER_LISTS = ("attn_type_list", "attn_layer_indices", "full_attn_idxs", "block_types", "_block_types")
# What a block of `block_configs` may be beside plain attention.
_OTHER_BLOCKS = ("window_length", "sparsify", "mamba", "llama4", "is_mamba")


def schedule(fields: Fields, num_layers: int) -> list[Turn]:
    """Return an entry for each layer.

    Raises:
        RefusedConfig: a list has another length or an entry that is not known, or a field that the entries
            need is missing.
    """
    if "compress_ratios" in fields:
        raise fields.refuse("compress_ratios", "merges tokens in the cache, which is not reckoned here.")
    for name in (*_PER_LAYER, "block_configs"):
        if name in fields:
            fields.per_layer(name, num_layers)
    for name, read in _READERS.items():
        if name in fields and fields.get(name) != []:
            return read(fields, num_layers)
    for name in _OTHER_LISTS:
        if name in fields:
            raise fields.refuse(name, "says which layers attend, in a form that is not read here.")
    if "attention_chunk_size" in fields:
        raise fields.refuse(
            "attention_chunk_size",
            "is there, and no list such as layer_types says for which layers.",
        )
    if "attn_layer_offset" in fields:
        raise fields.refuse("attn_layer_period", "is missing; attn_layer_offset belongs to it.")
    return _by_window(fields, num_layers)


def window_of(fields: Fields, name: str = "sliding_window") -> int | None:
    """Return the window in tokens, or None where it is switched off.

    >>> window_of(Fields({"sliding_window": 4096, "use_sliding_window": False})) is None
    True
    """
    if not fields.switch("use_sliding_window", default=True):
        return None
    return fields.count(name, at_most=MOST_TOKENS) if name in fields else None


def _window(fields: Fields, told_by: str, name: str = "sliding_window") -> Turn:
    """Return the entry of a layer with a window. One that is switched off leaves a full layer."""
    if not fields.switch("use_sliding_window", default=True):
        return Turn("full", (told_by, "use_sliding_window"))
    return Turn("window", (told_by, name), window=fields.count(name, at_most=MOST_TOKENS))


def _by_word(name: str, meaning: dict[str, Kind]) -> Callable[[Fields, int], list[Turn]]:
    def read(fields: Fields, num_layers: int) -> list[Turn]:
        turns = []
        for index, word in enumerate(fields.per_layer(name, num_layers)):
            kind = meaning.get(word) if isinstance(word, str) else None
            if kind is None:
                known = ", ".join(meaning)
                raise fields.refuse(
                    name, f"says {shown(word)} for layer {index}, which is not known here. Known: {known}."
                )
            if kind == "window":
                chunk = word == "chunked_attention"
                turns.append(_window(fields, name, "attention_chunk_size" if chunk else "sliding_window"))
            else:
                turns.append(Turn(kind, (name,)))
        return turns

    return read


def _by_number(name: str, window: str) -> Callable[[Fields, int], list[Turn]]:
    """Return a reader of a list of 0 (full) and 1 (window)."""

    def read(fields: Fields, num_layers: int) -> list[Turn]:
        numbers = [
            fields.whole(one, name, at_least=0, at_most=1) for one in fields.per_layer(name, num_layers)
        ]
        if name == "no_rope_layers" and window not in fields:
            return _by_window(fields, num_layers)  # it speaks of positions only
        return [_window(fields, name, window) if one else Turn("full", (name,)) for one in numbers]

    return read


def _every(name: str, other: Kind) -> Callable[[Fields, int], list[Turn]]:
    """Return a reader of an interval: the last layer of each is full."""

    def read(fields: Fields, num_layers: int) -> list[Turn]:
        interval = fields.count(name, at_most=MOST_LAYERS)
        if other == "window" and window_of(fields) is None:
            return _by_window(fields, num_layers)
        return [
            Turn("full", (name,))
            if (index + 1) % interval == 0
            else _window(fields, name)
            if other == "window"
            else Turn(other, (name,))
            for index in range(num_layers)
        ]

    return read


def _by_period(fields: Fields, num_layers: int) -> list[Turn]:
    period = fields.count("attn_layer_period", at_most=MOST_LAYERS)
    offset = fields.count("attn_layer_offset", at_least=0, at_most=period - 1)
    told_by = ("attn_layer_period", "attn_layer_offset")
    return [Turn("full" if index % period == offset else "linear", told_by) for index in range(num_layers)]


def _by_linear_config(fields: Fields, num_layers: int) -> list[Turn]:
    """Read `linear_attn_config`, which counts layers from 1."""
    inner = fields.inner("linear_attn_config")
    listed = inner.get("full_attn_layers")
    if not isinstance(listed, list):
        raise inner.refuse("full_attn_layers", f"is {shown(listed)}; it must list the layers that attend.")
    full = {inner.whole(one, "full_attn_layers", at_most=num_layers) for one in listed}
    return [
        Turn("full" if index + 1 in full else "linear", ("linear_attn_config.full_attn_layers",))
        for index in range(num_layers)
    ]


def _by_block(fields: Fields, num_layers: int) -> list[Turn]:
    turns = []
    for index, block in enumerate(fields.per_layer("block_configs", num_layers)):
        path = f"block_configs[{index}]"
        attention = Fields({path: block}, fields.path).inner(path).inner("attention")
        for name in _OTHER_BLOCKS:
            if attention.get(name) not in (None, False):
                raise attention.refuse(name, f"is {shown(attention.get(name))}, which is not reckoned here.")
        if attention.switch("no_op", default=False):
            turns.append(Turn("none", ("block_configs.attention.no_op",)))
        elif attention.switch("replace_with_linear", default=False):
            turns.append(Turn("none", ("block_configs.attention.replace_with_linear",)))
        elif "num_key_value_heads" in attention:
            heads = attention.count("num_key_value_heads")
            turns.append(Turn("full", ("block_configs.attention.num_key_value_heads",), kv_heads=heads))
        else:
            group, heads = attention.count("n_heads_in_group"), fields.count("num_attention_heads")
            if heads % group:
                raise attention.refuse(
                    "n_heads_in_group", f"is {group}, and num_attention_heads {heads} is no multiple of it."
                )
            told_by = ("block_configs.attention.n_heads_in_group", "num_attention_heads")
            turns.append(Turn("full", told_by, kv_heads=heads // group))
    return turns


def _by_window(fields: Fields, num_layers: int) -> list[Turn]:
    """Read a file without a list: all layers are alike, or the model's own code has a pattern."""
    window = window_of(fields)
    if window is None:
        return [Turn("full", ())] * num_layers
    kind = fields.get("model_type")
    interval = PATTERN_BY_TYPE.get(kind) if isinstance(kind, str) else None
    first = 0
    if fields.get("use_sliding_window") is True and "max_window_layers" in fields:
        first = fields.count("max_window_layers", at_least=0, at_most=MOST_LAYERS)
    return [
        Turn("full", ("max_window_layers",) if index < first else ("model_type",))
        if index < first or (interval and (index + 1) % interval == 0)
        else Turn("window", ("sliding_window",), window=window)
        for index in range(num_layers)
    ]


_READERS: dict[str, Callable[[Fields, int], list[Turn]]] = {
    "layer_types": _by_word("layer_types", _TYPES),
    "sliding_window_pattern": _every("sliding_window_pattern", "window"),
    "full_attention_interval": _every("full_attention_interval", "linear"),
    "attn_layer_period": _by_period,
    "hybrid_override_pattern": _by_word("hybrid_override_pattern", _LETTERS),
    "layers_block_type": _by_word("layers_block_type", _BLOCKS),
    "hybrid_layer_pattern": _by_number("hybrid_layer_pattern", "sliding_window"),
    "linear_attn_config": _by_linear_config,
    "block_configs": _by_block,
    "no_rope_layers": _by_number("no_rope_layers", "attention_chunk_size"),
}
