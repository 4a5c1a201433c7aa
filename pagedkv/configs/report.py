"""All that is known of a model on so many GPUs, as plain JSON. Keys stay; new ones may come.

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
    >>> found = report(Deployment(llama), Wish(tokens=8192, memory=80 * 2**30, weights=16 * 10**9))
    >>> found["full_bytes_per_token"], found["bytes_ideal"], found["max_tokens"], found["max_chats"]
    (131072, 1073741824, 533280, 65)

Sizes are bytes. Those without `_all_ranks` are of one GPU, the one that has the most to keep.

| key | what it is |
|---|---|
| `model_type` | as the file says, or null |
| `full_bytes_per_token` | of a token, in the layers that keep every token |
| `window_layers` | for each distinct window: `window`, and `bytes_per_token` over its layers |
| `constant_bytes` | of a chat, whatever its length: 0, or null where layers keep some that is not counted |
| `indexer_bytes_per_token` | of a token, for the keys of a sparse-attention indexer |
| `padded_bytes_per_token` | for which vLLM counts a token where kinds of layers share one pool, or null |
| `notes` | sentences |
| `bytes_ideal`, `bytes_in_blocks` | with `tokens`: of one chat, with indexer; the second in whole blocks |
| `bytes_engine_reserved` | with `tokens`: the same with what vLLM reserves for windows |
| `bytes_ideal_all_chats`, `bytes_in_blocks_all_chats` | with `chats`: the product |
| `max_tokens`, `max_tokens_ideal` | with `memory`: of one chat, in whole blocks and ideal; null without end |
| `max_chats`, `max_chats_ideal` | with `memory` and `tokens`: of that length |
| `max_chats_engine_reserved` | with both: the same with what vLLM reserves for windows |
| `weights_known` | with `memory`: whether the weights were given; if not, all of the memory counts as room |
| `model_max_tokens` | of a chat, as the file limits it (`max_position_embeddings`), or null |
"""

from collections.abc import Callable
from typing import Any

from pagedkv.configs.fits import Wish, notes_on
from pagedkv.configs.layers import Layer
from pagedkv.configs.totals import Deployment, Tokens


def report(deployment: Deployment, wish: Wish) -> dict[str, Any]:
    """Return the report, as the module's docstring describes it."""
    model = deployment.model
    largest = deployment.stages[deployment.largest(wish.tokens)]
    constant = None if model.has_constants else 0
    found: dict[str, Any] = {"model_type": model.model_type}
    found |= _both(deployment, "full_bytes_per_token", largest, deployment.full_bytes)
    found["window_layers"] = _windows(deployment, largest, 1)
    found["window_layers_all_ranks"] = _windows(deployment, model.layers, deployment.tp)
    found["constant_bytes"] = found["constant_bytes_all_ranks"] = constant
    found |= _both(deployment, "indexer_bytes_per_token", largest, deployment.indexer_bytes)
    found["padded_bytes_per_token"] = deployment.padded_bytes_per_token()
    found["model_max_tokens"] = model.context
    found["notes"] = [*model.notes, *notes_on(deployment, wish)]
    if wish.tokens is not None:
        found |= _chat(deployment, wish.tokens, wish.chats)
    if wish.memory is not None:
        room = wish.room(deployment.tp * deployment.pp)
        found["weights_known"] = wish.weights is not None
        found["max_tokens"] = deployment.max_tokens(room)
        found["max_tokens_ideal"] = deployment.max_tokens(room, in_blocks=False)
        if wish.tokens is not None:
            found["max_chats"] = deployment.max_chats(room, wish.tokens)
            found["max_chats_ideal"] = deployment.max_chats(room, wish.tokens, deployment.ideal)
            found["max_chats_engine_reserved"] = deployment.max_chats(room, wish.tokens, deployment.reserved)
    return found


def _both(
    deployment: Deployment, name: str, largest: tuple[Layer, ...], size: Callable[[tuple[Layer, ...]], int]
) -> dict[str, int]:
    return {name: size(largest), f"{name}_all_ranks": deployment.tp * size(deployment.model.layers)}


def _windows(deployment: Deployment, layers: tuple[Layer, ...], times: int) -> list[dict[str, int | None]]:
    return [
        {"bytes_per_token": times * group.bytes_per_token, "window": group.window}
        for group in deployment.window_bytes(layers)
    ]


def _chat(deployment: Deployment, tokens: int, chats: int | None) -> dict[str, int]:
    ways: dict[str, Tokens] = {
        "bytes_ideal": deployment.ideal,
        "bytes_in_blocks": deployment.in_blocks,
        "bytes_engine_reserved": deployment.reserved,
    }
    found = {}
    for name, way in ways.items():
        found[name] = deployment.bytes_per_chat(tokens, way)
        found[f"{name}_all_ranks"] = deployment.bytes_on_all(tokens, way)
        if chats is not None and name != "bytes_engine_reserved":
            found[f"{name}_all_chats"] = chats * found[name]
            found[f"{name}_all_chats_all_ranks"] = chats * found[f"{name}_all_ranks"]
    return found
