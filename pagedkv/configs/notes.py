"""What a reader should know beside the figures of a model: sentences that name the fields they are about.

Example:
    >>> from pagedkv.configs.layers import model_of
    >>> model_of({"num_hidden_layers": 2, "num_attention_heads": 2, "hidden_size": 128}).notes
    ('Head size 64 = hidden_size / num_attention_heads, since head_dim is not in the file.',)

Some fields change a cache in a way that is not reckoned here, and are no reason to refuse a file: those that
are known are told about. Fields that nobody has told us of are passed over.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from pagedkv.configs.fields import MOST_TOKENS, Fields
from pagedkv.configs.schedule import PATTERN_BY_TYPE

if TYPE_CHECKING:
    from pagedkv.configs.layers import Layer

# Models that read a text at once and write none, so that nothing is kept from token to token.
ENCODERS = {
    *(
        "bert",
        "roberta",
        "xlm-roberta",
        "camembert",
        "distilbert",
        "albert",
        "electra",
        "mpnet",
        "nomic_bert",
    ),
    *("deberta", "deberta-v2", "modernbert", "ernie", "vit", "clip", "siglip"),
}
_STATE_SPACE = ("mamba_d_ssm", "mamba_d_state", "mamba_n_heads", "ssm_state_size", "ssm_cfg")


def notes_on_model(fields: Fields, layers: Sequence["Layer"]) -> Iterator[str]:
    """Yield the sentences on a model: what was read, then what was not."""
    if fields.path:
        yield f"Read from {fields.path.rstrip('.')}, the part of the file for the model that writes text."
    yield from _on_heads(layers)
    if any(layer.kind == "linear" for layer in layers):
        yield (
            "Linear and Mamba layers keep a constant per chat, whatever its length. It is not counted here, "
            "so a little less fits."
        )
    elif names := state_space(fields, layers):
        yield (
            f"{names[0]}: state-space parts keep a constant per chat, which is not counted here, so a little "
            "less fits. Every layer is counted as one with attention, too."
        )
    if any(layer.kind == "shared" for layer in layers):
        yield "num_kv_shared_layers: the last layers read what earlier ones keep."
    yield from _on_windows(fields, layers)
    if any(layer.index_size for layer in layers):
        yield (
            "index_head_dim: the indexer keeps keys of its own, counted apart as 8-bit numbers with a 32-bit "
            "scale for each 128, whatever the format of the cache."
        )
    if fields.get("attention_k_eq_v"):
        yield "attention_k_eq_v: keys and values are equal, and servers still store both."
    for name in ("num_nextn_predict_layers", "mtp_num_hidden_layers"):
        if fields.get(name):
            yield f"{name}: the extra layers that predict further tokens are not counted."
    yield from _on_what_is_not_read(fields)
    yield from _on_formats(fields)


def state_space(fields: Fields, layers: Sequence["Layer"]) -> list[str]:
    """Return the fields that give every attention layer a state-space part of its own, as in Falcon-H1."""
    if any(layer.kind == "linear" for layer in layers):
        return []  # then layers of their own have it
    return [name for name in _STATE_SPACE if fields.get(name)]


def context_of(fields: Fields) -> int | None:
    """Return the most tokens that the model takes in one chat, if the file says so.

    >>> context_of(Fields({"max_position_embeddings": 4096})), context_of(Fields({}))
    (4096, None)
    """
    value = fields.anywhere("max_position_embeddings")
    is_count = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST_TOKENS
    return value if is_count else None


def _on_heads(layers: Sequence["Layer"]) -> Iterator[str]:
    for layer in layers:
        if layer.kv_heads and "hidden_size" in layer.fields:
            yield (
                f"Head size {layer.key_size:,} = hidden_size / num_attention_heads, since head_dim is not in "
                "the file."
            )
            return


def _on_windows(fields: Fields, layers: Sequence["Layer"]) -> Iterator[str]:
    if "sliding_window" not in fields:
        return
    kind = fields.get("model_type")
    if not fields.switch("use_sliding_window", default=True):
        yield "sliding_window is written and switched off by use_sliding_window, so it does not count."
    elif not any(layer.window for layer in layers):
        yield "sliding_window is written, and no layer of this file uses it."
    elif any("model_type" in layer.fields for layer in layers):
        every = PATTERN_BY_TYPE[kind]
        yield (
            f"The file does not say which layers have the window. The code of {kind} makes one of each "
            f"{every} full."
        )


def _on_what_is_not_read(fields: Fields) -> Iterator[str]:
    kind = fields.anywhere("model_type")
    if isinstance(kind, str) and kind in ENCODERS:
        yield (
            f"model_type {kind}: an encoder reads a text at once and keeps no cache. The figures are what "
            "its layers would keep if it wrote text."
        )
    if fields.anywhere("is_encoder_decoder") is True:
        yield (
            "is_encoder_decoder: the decoder also keeps keys and values of what the encoder has read. They "
            "are not counted."
        )
    if fields.get("cross_attention_layers"):
        yield (
            "cross_attention_layers: these layers keep an image, and not the text. They are counted here as "
            "if they kept every token."
        )
    share = fields.get("cla_share_factor")
    if fields.get("use_cla") is True or (fields.get("use_cla") is None and share not in (None, 0, 1)):
        name = "cla_share_factor" if fields.get("use_cla") is None else "use_cla"
        yield (
            f"{name}: neighbouring layers share keys and values. They are counted here for each layer, "
            "which is too much."
        )
    if fields.get("num_attention_groups") and fields.get("num_key_value_heads") is None:
        yield (
            "num_attention_groups is not read. If it is the number of KV heads, write it as "
            "num_key_value_heads, and the figures follow."
        )
    if fields.get("num_key_value_heads_per_layer"):
        yield (
            "num_key_value_heads_per_layer is not read: every layer is counted with the same number of KV "
            "heads."
        )
    for name in ("attention_layers", "attention_types", "window_size"):
        if fields.get(name):
            yield (
                f"{name} is not read. If it gives some layers a window, they are counted here as if they "
                "kept every token."
            )


def _on_formats(fields: Fields) -> Iterator[str]:
    said = fields.anywhere("quantization_config")
    if not isinstance(said, Mapping):
        return
    method, scheme = said.get("quant_method"), said.get("kv_cache_scheme")
    kept = {"quant_method": method if isinstance(method, str) else None}
    fields.shorten("quantization_config", kept | {"kv_cache_scheme": {}} if scheme is not None else kept)
    yield (
        "quantization_config: the weights in these files take fewer than 2 bytes a parameter. The size of "
        "the files says how many."
    )
    if scheme is not None:
        yield "kv_cache_scheme: the file asks for a cache of fewer bits. Set the format of the cache to fp8."
