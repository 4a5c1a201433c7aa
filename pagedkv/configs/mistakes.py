"""The common mistakes in reckoning a KV cache, each as the model that someone who makes it has in mind.

Example:
    >>> from pagedkv.configs.layers import model_of
    >>> llama = model_of(
    ...     {
    ...         "num_hidden_layers": 32,
    ...         "num_attention_heads": 32,
    ...         "num_key_value_heads": 8,
    ...         "hidden_size": 4096,
    ...     }
    ... )
    >>> [(one.name, Deployment(one.model).bytes_per_token()) for one in mistakes(llama)]
    [('query heads for KV heads', 524288), ('keys without values', 65536)]

Only mistakes that make a difference to the model at hand are there: the figure that each gives is reckoned
by the same sums as the right one.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from pagedkv.configs.fields import Fields
from pagedkv.configs.layers import Layer, Model
from pagedkv.configs.totals import Deployment


@dataclass(frozen=True)
class Mistake:
    """A mistake: its name, what it overlooks in a sentence, and the model as it takes it to be."""

    name: str
    says: str
    model: Model


def mistakes(model: Model) -> Iterator[Mistake]:
    """Yield the mistakes that can be made about a model."""
    for name, says, change in _CHANGES:
        changed = change(model)
        if changed is not None and changed != model.layers:
            yield Mistake(name, says(model.fields), replace(model, layers=changed))


Layers = tuple[Layer, ...]


def _each(
    applies: Callable[[Layer], bool], change: Callable[[Layer, Fields], Layer | None]
) -> Callable[[Model], Layers | None]:
    def changed(model: Model) -> Layers | None:
        found = []
        for layer in model.layers:
            other = change(layer, model.fields) if applies(layer) else layer
            if other is None:
                return None
            found.append(other)
        return tuple(found)

    return changed


def _number(fields: Fields, name: str) -> int | None:
    value = fields.config.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _query_heads(layer: Layer, fields: Fields) -> Layer | None:
    heads = _number(fields, "num_attention_heads")
    return replace(layer, kv_heads=heads) if heads else None


def _divided_head(layer: Layer, fields: Fields) -> Layer | None:
    heads, hidden = _number(fields, "num_attention_heads"), _number(fields, "hidden_size")
    if not heads or not hidden or hidden % heads:
        return None
    return replace(layer, key_size=hidden // heads, value_size=hidden // heads)


def _plain_attention(layer: Layer, fields: Fields) -> Layer | None:
    """Keys and values of every head, as if there were no latent vector."""
    heads, value = _number(fields, "num_attention_heads"), _number(fields, "v_head_dim")
    nope, rope = _number(fields, "qk_nope_head_dim"), _number(fields, "qk_rope_head_dim")
    if not (heads and value and nope and rope):
        return None
    return replace(layer, kind="full", latent=0, kv_heads=heads, key_size=nope + rope, value_size=value)


def _as_full(model: Model) -> Layers | None:
    """Layers that keep a constant or nothing, as if they kept what the first that keeps tokens does."""
    first = next((layer for layer in model.layers if layer.keeps_tokens), None)
    if first is None:
        return None
    return tuple(
        replace(first, index=layer.index) if not layer.keeps_tokens else layer for layer in model.layers
    )


_CHANGES: tuple[tuple[str, Callable[[Fields], str], Callable[[Model], Layers | None]], ...] = (
    (
        "query heads for KV heads",
        lambda fields: (
            f"{fields.config.get('num_attention_heads')} heads ask (num_attention_heads). Several of them "
            "share a key and a value, and only those are kept."
        ),
        _each(lambda layer: layer.kv_heads > 0, _query_heads),
    ),
    (
        "a head's size by division",
        lambda _: "hidden_size over num_attention_heads is no head of this model: head_dim says its size.",
        _each(lambda layer: layer.kv_heads > 0, _divided_head),
    ),
    (
        "the latent vector twice",
        lambda _: "Keys and values are both made anew from one vector, so it is kept once.",
        _each(lambda layer: layer.latent > 0, lambda layer, _: replace(layer, latent=2 * layer.latent)),
    ),
    (
        "keys and values of every head",
        lambda _: "Latent attention keeps one vector for all heads in place of their keys and values.",
        _each(lambda layer: layer.latent > 0, _plain_attention),
    ),
    (
        "windows overlooked",
        lambda _: "A layer with a window keeps the last tokens only, and lets go of earlier ones.",
        _each(lambda layer: layer.window is not None, lambda layer, _: replace(layer, window=None)),
    ),
    (
        "every layer counted",
        lambda _: "Some layers keep no keys and values for each token, or read those of another layer.",
        _as_full,
    ),
    (
        "keys without values",
        lambda _: "Each token leaves a key and a value.",
        _each(lambda layer: layer.kv_heads > 0, lambda layer, _: replace(layer, value_size=0)),
    ),
)


def wrong_bytes(mistake: Mistake, right: Deployment, tokens: int) -> int:
    """Return what a chat would take on one GPU by a mistake, on the same GPUs as the right figure.

    >>> from pagedkv.configs.layers import model_of
    >>> model = model_of({"num_hidden_layers": 1, "num_attention_heads": 2, "head_dim": 8})
    >>> wrong_bytes(next(mistakes(model)), Deployment(model), 100)
    3200
    """
    other = Deployment(mistake.model, right.cache_dtype, right.tp, right.pp, right.block_size)
    return other.bytes_per_chat(tokens)


def in_times(wrong: int, right: int) -> str:
    """Return how far a figure is off.

    >>> in_times(400, 100), in_times(50, 100), in_times(682, 100), in_times(101, 100)
    ('4 times as much', '0.5 of it', '6.8 times as much', '1.01 times as much')
    """
    ratio = wrong / right
    digits = 1 if ratio >= 2 else 2
    number = f"{ratio:,.{digits}f}".rstrip("0").rstrip(".")
    return f"{number} times as much" if ratio > 1 else f"{number} of it"
