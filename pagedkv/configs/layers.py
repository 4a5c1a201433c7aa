"""What each layer of a model keeps: per token, up to which window, or as a constant, and by which fields.

Example:
    >>> model = read_config(
    ...     '{"num_hidden_layers": 2, "num_attention_heads": 8, "num_key_value_heads": 2, '
    ...     '"head_dim": 64, "sliding_window": 128, "sliding_window_pattern": 2}'
    ... )
    >>> [(layer.kind, layer.window, layer.bytes_per_token()) for layer in model.layers]
    [('window', 128, 512), ('full', None, 512)]

Numbers are counted first and turned into bytes by a format of the cache, so one list answers for all of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pagedkv.configs.fields import MOST, MOST_LAYERS, Fields, fields_of, model_type, parse
from pagedkv.configs.notes import context_of, notes_on_model, state_space
from pagedkv.configs.schedule import Turn, schedule
from pagedkv.errors import RefusedConfig

Kind = Literal["full", "window", "latent", "linear", "shared", "none"]
"""Keeps every token; the last ones; one latent vector per token; a constant; what another keeps; nothing."""

# Format -> bytes of so many numbers. Those of llama.cpp keep 32 numbers and a 16-bit scale together.
FORMATS = {"bf16": (2, 1), "fp16": (2, 1), "fp8": (1, 1), "q8_0": (34, 32), "q4_0": (18, 32)}
# A sparse-attention indexer keeps 8-bit keys, and a 32-bit scale for each 128 numbers of them.
_INDEX_GROUP, _INDEX_SCALE = 128, 4


@dataclass(frozen=True)
class Layer:
    """What a layer keeps.

    Sizes are in numbers: `key_size` and `value_size` of each of `kv_heads`, or `latent` for all heads.
    `window` is the most tokens that count, None for all. `fields` are those of the file that say so.
    """

    index: int
    kind: Kind
    fields: tuple[str, ...]
    window: int | None = None
    kv_heads: int = 0
    key_size: int = 0
    value_size: int = 0
    latent: int = 0
    index_size: int = 0

    @property
    def keeps_tokens(self) -> bool:
        """Whether a token adds to what it keeps, at least up to its window."""
        return self.kv_heads > 0 or self.latent > 0

    def bytes_per_token(self, cache_dtype: str = "bf16", tp: int = 1) -> int:
        """Return the bytes of a token on one of `tp` ranks: heads are divided, a latent vector is not.

        >>> Layer(0, "full", (), kv_heads=8, key_size=128, value_size=128).bytes_per_token("bf16", tp=16)
        512
        >>> Layer(0, "latent", (), latent=576).bytes_per_token("bf16", tp=8)
        1152
        """
        size, group = FORMATS[cache_dtype]
        heads = max(1, self.kv_heads // tp) if self.kv_heads else 0
        rows = (heads * self.key_size, heads * self.value_size, self.latent)
        return sum(-(-row // group) * size for row in rows)

    @property
    def indexer_bytes_per_token(self) -> int:
        """The bytes that an indexer adds for a token: 8-bit keys and their scales, on every rank."""
        return self.index_size + -(-self.index_size // _INDEX_GROUP) * _INDEX_SCALE


@dataclass(frozen=True)
class Model:
    """A model as far as its cache goes: its layers, and what is to be said beside them."""

    model_type: str | None
    layers: tuple[Layer, ...]
    notes: tuple[str, ...]
    fields: Fields

    @property
    def has_constants(self) -> bool:
        """Whether layers keep something whose size is not counted here."""
        return any(layer.kind == "linear" for layer in self.layers) or bool(
            state_space(self.fields, self.layers)
        )

    @property
    def context(self) -> int | None:
        """The most tokens that the model takes in a chat, as max_position_embeddings says, or None."""
        return context_of(self.fields)

    @property
    def query_heads(self) -> int | None:
        """The heads that ask, which tensor parallelism divides as well, where the file says them."""
        heads = self.fields.config.get("num_attention_heads")
        return heads if isinstance(heads, int) and not isinstance(heads, bool) and heads > 0 else None


def read_config(text: str) -> Model:
    """Return the model that the text of a `config.json` describes.

    Raises:
        RefusedConfig: it is no such text, or what its cache holds is not known from it; the sentence names
            the field.

    >>> read_config('{"num_hidden_layers": 2, "compress_ratios": [4, 4]}')
    Traceback (most recent call last):
    pagedkv.errors.RefusedConfig: compress_ratios merges tokens in the cache, which is not reckoned here.
    """
    return model_of(parse(text))


def model_of(config: object) -> Model:
    """Return the model of a configuration that has been read already.

    >>> model_of({"num_hidden_layers": 1, "num_attention_heads": 2, "head_dim": 8}).layers[0].kv_heads
    2
    """
    fields = fields_of(config)
    num_layers = fields.count("num_hidden_layers", at_most=MOST_LAYERS)
    turns = schedule(fields, num_layers)
    shared = 0
    if "num_kv_shared_layers" in fields:
        shared = fields.count("num_kv_shared_layers", at_least=0, at_most=num_layers - 1)
    layers = tuple(
        _shared(index, turn) if index >= num_layers - shared else _layer(fields, index, turn)
        for index, turn in enumerate(turns)
    )
    if not any(layer.keeps_tokens or layer.kind == "linear" for layer in layers):
        raise RefusedConfig("No layer of this model keeps anything, so there is no cache to reckon.")
    outer = config if isinstance(config, Mapping) else {}
    return Model(model_type(outer, fields.config), layers, tuple(notes_on_model(fields, layers)), fields)


def _shared(index: int, turn: Turn) -> Layer:
    if turn.kind in {"linear", "none"}:
        return Layer(index, turn.kind, turn.fields)
    return Layer(index, "shared", ("num_kv_shared_layers",))


def _layer(fields: Fields, index: int, turn: Turn) -> Layer:
    if turn.kind in {"linear", "none"}:
        return Layer(index, turn.kind, turn.fields)
    if "kv_lora_rank" in fields:
        return _latent_layer(fields, index, turn)
    prefix = "swa_" if turn.kind == "window" and "hybrid_layer_pattern" in turn.fields else ""
    heads, heads_by = _kv_heads(fields, turn, prefix)
    key, key_by = _key_size(fields, turn, prefix)
    value, value_by = _value_size(fields, key, prefix)
    told_by = tuple(dict.fromkeys((*turn.fields, *heads_by, *key_by, *value_by)))
    return Layer(index, turn.kind, told_by, turn.window, heads, key, value, index_size=_index(fields))


def _value_size(fields: Fields, key_size: int, prefix: str) -> tuple[int, tuple[str, ...]]:
    for name in (f"{prefix}v_head_dim", "v_head_dim"):
        if name in fields:
            return fields.count(name), (name,)
    return key_size, ()


def _latent_layer(fields: Fields, index: int, turn: Turn) -> Layer:
    """One vector for all heads, and the part of the keys that carries the position: kept once, not twice."""
    latent = fields.count("kv_lora_rank") + fields.count("qk_rope_head_dim")
    told_by = (*turn.fields, "kv_lora_rank", "qk_rope_head_dim")
    kind: Kind = "window" if turn.kind == "window" else "latent"
    return Layer(index, kind, told_by, turn.window, latent=latent, index_size=_index(fields))


def _index(fields: Fields) -> int:
    return fields.count("index_head_dim") if "index_head_dim" in fields else 0


def _kv_heads(fields: Fields, turn: Turn, prefix: str) -> tuple[int, tuple[str, ...]]:
    if turn.kv_heads is not None:
        return turn.kv_heads, ()
    names = [f"{prefix}num_key_value_heads", "num_key_value_heads"]
    if turn.kind == "full":
        names.insert(0, "num_global_key_value_heads")
    for name in names:
        if name in fields:
            return fields.count(name), (name,)
    if fields.switch("multi_query", default=False):  # Falcon's way to say that there is one
        if fields.switch("new_decoder_architecture", default=False):
            return fields.count("num_kv_heads"), ("num_kv_heads",)
        return 1, ("multi_query",)
    return fields.count("num_attention_heads"), ("num_attention_heads",)


def _key_size(fields: Fields, turn: Turn, prefix: str) -> tuple[int, tuple[str, ...]]:
    names = [f"{prefix}head_dim", "head_dim", "attention_head_dim"]
    if turn.kind == "full":
        names.insert(0, "global_head_dim")
    for name in names:
        if name in fields:
            return fields.count(name), (name,)
    if "hidden_size" not in fields:
        older = fields.older("hidden_size")
        raise fields.refuse(
            "head_dim", f"is missing, and so is hidden_size, from which it would follow.{older}"
        )
    hidden = fields.count("hidden_size", at_most=10 * MOST)
    heads = fields.count("num_attention_heads")
    if hidden % heads:
        raise fields.refuse(
            "head_dim", f"is missing, and hidden_size {hidden} is no multiple of num_attention_heads {heads}."
        )
    return hidden // heads, ("hidden_size", "num_attention_heads")
