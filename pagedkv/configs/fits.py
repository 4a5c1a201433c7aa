"""What fits in the memory of GPUs beside the weights, in sentences for a page and for a command line.

Example:
    >>> from pagedkv.configs.layers import model_of
    >>> model = model_of({"num_hidden_layers": 32, "num_attention_heads": 8, "head_dim": 128})
    >>> wish = Wish(tokens=8192, chats=100, memory=80 * 2**30, weights=16 * 10**9)
    >>> what_fits(Deployment(model), wish)[0]
    '65 chats of 8,192 tokens fit beside the weights, in 65.0988 GiB of each GPU.'

The first sentence says how many chats fit. Whatever would make it wrong follows at once: weights that nobody
has given, GPUs among which a server would not divide the heads, a length that the model does not take, and
what a server needs for itself.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from pagedkv.configs.quantities import in_units
from pagedkv.configs.totals import BATCHED_TOKENS, MOST_RANKS, Deployment

HOW_TO_FIND = (
    "Add up the sizes of the model's safetensors files, or take its parameters times the bytes of each: 2 "
    "for bf16, 1 for fp8."
)
NOT_COUNTED = (
    "Not counted: what a server needs for its own work. vLLM, for one, uses a part of each GPU only "
    "(gpu_memory_utilization): state that part as the memory to see what is left."
)


@dataclass(frozen=True)
class Wish:
    """What is asked of a deployment: a chat's tokens, how many chats, bytes of a GPU and of the weights.

    The weights are those of the whole model, and each GPU holds an equal part; None means that nobody said.
    """

    tokens: int | None = None
    chats: int | None = None
    memory: int | None = None
    weights: int | None = None

    def room(self, ranks: int) -> int:
        """Return the bytes of a GPU that are left beside its part of the weights as far as known, or below 0.

        >>> Wish(memory=100, weights=90).room(2)
        55
        """
        return (self.memory or 0) - -(-(self.weights or 0) // ranks)


def what_fits(deployment: Deployment, wish: Wish) -> list[str]:
    """Return what fits, in sentences; nothing where no memory is given.

    >>> from pagedkv.configs.layers import model_of
    >>> model = model_of({"num_hidden_layers": 1, "num_attention_heads": 1, "head_dim": 64})
    >>> what_fits(Deployment(model), Wish(tokens=64, memory=2**14))[0]
    'Without the weights: at most 1 chat of 64 tokens fits in 16 KiB of each GPU.'
    """
    if wish.memory is None:
        return []
    gpus = deployment.tp * deployment.pp
    room = wish.room(gpus)
    if room <= 0:
        filled = (
            "The weights alone fill" if gpus == 1 else f"Its part of the weights (1 of {gpus:,}) alone fills"
        )
        return [f"{filled} the GPU: nothing is left for a cache.", *_divided(wish, gpus)]
    return [
        *_chats(deployment, wish, room),
        *refused_by_servers(deployment),
        *([f"Enter the size of the weights. {HOW_TO_FIND}"] if wish.weights is None else []),
        NOT_COUNTED,
        _longest(deployment, wish, room),
    ]


def refused_by_servers(deployment: Deployment) -> list[str]:
    """Return why a server would not divide this model so, in sentences.

    >>> from pagedkv.configs.layers import model_of
    >>> model = model_of({"num_hidden_layers": 2, "num_attention_heads": 8, "head_dim": 64})
    >>> refused_by_servers(Deployment(model, tp=3))[0][:81]
    'TP 3 does not divide the 8 KV heads. The figures are rounded down to 2 heads of 8'
    >>> refused_by_servers(Deployment(model, tp=8))
    []
    """
    tp, said = deployment.tp, []
    for count in _kv_heads(deployment):
        if tp > count and tp % count:
            said.append(
                f"TP {tp} is no multiple of the {counted_heads(count)}. The figures take 1 head on each GPU; "
                "servers refuse this."
            )
        elif tp < count and count % tp:
            said.append(
                f"TP {tp} does not divide the {count} KV heads. The figures are rounded down to "
                f"{count // tp} {_plural('head', count // tp)} of {count} on each GPU; servers refuse this."
            )
    asking = deployment.model.query_heads
    if asking is not None and asking % tp:
        said.append(
            f"TP {tp} does not divide the {asking} query heads (num_attention_heads); servers refuse this."
        )
    return said


def notes_on(deployment: Deployment, wish: Wish) -> list[str]:
    """Return what is to be said of the ranks and of the memory, in sentences.

    >>> from pagedkv.configs.layers import model_of
    >>> model = model_of(
    ...     {"num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 64}
    ... )
    >>> notes_on(Deployment(model, tp=4), Wish())
    ['TP 4 is more than the 2 KV heads, so each GPU keeps 1 head, and 2 GPUs keep the same one.']
    """
    notes, tp = [], deployment.tp
    layers = [layer for layer in deployment.model.layers if layer.keeps_tokens]
    if tp > 1 and any(layer.latent for layer in layers):
        notes.append(
            "All heads read one latent vector, so each GPU keeps all of it: a higher TP does not make this "
            "cache smaller."
        )
    notes += [
        f"TP {tp} is more than the {counted_heads(count)}, so each GPU keeps 1 head, and {tp // count} GPUs "
        "keep the same one."
        for count in _kv_heads(deployment)
        if tp > count and tp % count == 0
    ]
    notes += refused_by_servers(deployment)
    if wish.memory is not None:
        if wish.room(tp * deployment.pp) < 0:
            notes.append("The weights alone are larger than the memory.")
        if all(layer.window is not None for layer in layers):
            notes.append("No layer keeps every token, so a chat may grow without end in the same memory.")
    context = deployment.model.context
    if context is not None and wish.tokens is not None and wish.tokens > context:
        notes.append(_beyond(wish.tokens, context))
    return notes


def counted_heads(count: int) -> str:
    """Return a number of KV heads with its noun.

    >>> counted_heads(1), counted_heads(8)
    ('1 KV head', '8 KV heads')
    """
    return f"{count:,} KV {_plural('head', count)}"


def _kv_heads(deployment: Deployment) -> list[int]:
    return sorted({layer.kv_heads for layer in deployment.model.layers if layer.kv_heads})


def _chats(deployment: Deployment, wish: Wish, room: int) -> Iterator[str]:
    if wish.tokens is None:
        return
    tokens = f"{wish.tokens:,} {_plural('token', wish.tokens)}"
    most = deployment.max_chats(room, wish.tokens)
    known = wish.weights is not None
    where = f"{' beside the weights,' if wish.weights else ''} in {in_units(room)} of each GPU"
    most_reserved = deployment.max_chats(room, wish.tokens, deployment.reserved)
    if most == 0:
        without = "" if known else "Even without the weights: "
        yield f"{without}{'not' if without else 'Not'} even 1 chat of {tokens} fits{where}."
    else:
        number = "any number of chats" if most is None else f"{most:,} {_plural('chat', most)}"
        fit = "fits" if most == 1 else "fit"
        said = f"{number} of {tokens} {fit}{where}"
        if not known and most is not None:
            said = f"Without the weights: at most {said}"
        elif not known:
            said = f"Without the weights: {said}"
        if most_reserved != most:
            said += ", counted in blocks"
        yield f"{said[:1].upper()}{said[1:]}."
    if most_reserved != most and most_reserved is not None:
        yield (
            f"As vLLM reserves it: {most_reserved:,}, since each window also has room for a batch of up to "
            f"{BATCHED_TOKENS:,} tokens that come in at once."
        )
    if most and wish.chats is not None and wish.chats > most:
        wait = wish.chats - most
        yield f"Of the {wish.chats:,} wished for, {wait:,} {'has' if wait == 1 else 'have'} to wait."
    context = deployment.model.context
    if context is not None and wish.tokens > context:
        yield _beyond(wish.tokens, context)


def _beyond(tokens: int, context: int) -> str:
    return (
        f"The model itself stops at {context:,} tokens (max_position_embeddings), and a chat of {tokens:,} "
        "is beyond that."
    )


def _longest(deployment: Deployment, wish: Wish, room: int) -> str:
    longest, context = deployment.max_tokens(room), deployment.model.context
    alone = "A single chat" if wish.weights is not None else "Without the weights, a single chat"
    limit = "" if context is None else f"; the model itself stops at {context:,} (max_position_embeddings)"
    if longest is None:
        return f"{alone} may grow without end in this memory{limit}."
    if longest == 0:
        return f"{alone} does not fit, however short."
    if context is not None and longest <= context:
        limit = f", of the {context:,} that the model takes (max_position_embeddings)"
    windows = any(layer.window is not None for layer in deployment.model.layers)
    return f"{alone} has memory for {longest:,} tokens{', counted in blocks' if windows else ''}{limit}."


def _divided(wish: Wish, gpus: int) -> Iterator[str]:
    """Say among how many GPUs the weights have to be divided for some room to be left."""
    memory, weights = wish.memory or 0, wish.weights or 0
    least = -(-weights // (memory - 1)) if memory > 1 else 0
    if gpus < least <= MOST_RANKS:
        yield f"Divide them over at least {least:,} GPUs of {in_units(memory)} (TP times PP)."


def _plural(noun: str, count: int) -> str:
    return noun if count == 1 else f"{noun}s"
