"""Question 3: the memory that a model's keys and values take, from its configuration.

>>> [part.solution for part in make(0).parts]
['24,576 B, or 24 KiB', '49,152,000 B, or 46.875 MiB']
"""

from dataclasses import dataclass, replace

from exercises.question import Mistake, Question, size
from exercises.seeds import Draw
from pagedkv.sizes import QUIZ_MODEL, ModelShape, kv_bytes_per_token

NUMBER, TITLE = 3, "From a configuration to bytes"

BITS = 8  # in a byte


@dataclass(frozen=True)
class Setting:
    """A model, its query heads, and the tokens of a chat."""

    model: ModelShape
    query_heads: int
    tokens: int


def make(seed: int) -> Question:
    """Return the variant of a seed.

    >>> make(0).table[2]
    ('num_key_value_heads', '4')
    """
    # The lesson's question gives no query heads; four to a KV head is what models of its kind have.
    own = Setting(QUIZ_MODEL, 4 * QUIZ_MODEL.n_kv_heads, 2000)
    return _question(own if seed == 0 else _drawn(seed), seed)


def _drawn(seed: int) -> Setting:
    draw = Draw(f"question {NUMBER}", seed)
    kv_heads = draw.pick((2, 4, 6, 8))
    model = ModelShape(
        "the quiz model",
        n_layers=draw.pick((12, 16, 20, 24, 28, 32, 36, 40, 48)),
        n_kv_heads=kv_heads,
        head_dim=draw.pick((64, 80, 96, 128)),
        bytes_per_elem=draw.pick((2, 2, 2, 4)),
    )
    return Setting(model, kv_heads * draw.pick((3, 4, 5, 6, 7)), 100 * draw.between(11, 79))


def _question(setting: Setting, seed: int) -> Question:
    model, tokens = setting.model, setting.tokens
    per_token = kv_bytes_per_token(model)
    total = tokens * per_token
    by_mistake = {wrong: mistake for wrong, mistake in _mistakes(setting).items() if wrong != per_token}
    per_number = model.bytes_per_elem
    return Question(
        NUMBER,
        seed,
        TITLE,
        "A model's configuration says:",
        (
            size(
                "token",
                "How much memory do the keys and values of one token take?",
                per_token,
                f"2 (a key and a value) × {model.n_layers} layers × {model.n_kv_heads} KV heads × "
                f"{model.head_dim} numbers × {per_number} bytes = {per_token:,} bytes.",
                by_mistake,
            ),
            size(
                "chat",
                f"And a chat of {tokens:,} tokens?",
                total,
                f"{tokens:,} × {per_token:,} bytes = {total:,} bytes.",
                {tokens * wrong: mistake for wrong, mistake in by_mistake.items()}
                | {per_token: Mistake("one token for the whole chat", f"There are {tokens:,} of them.")},
            ),
        ),
        table=(
            ("num_hidden_layers", str(model.n_layers)),
            ("num_attention_heads", str(setting.query_heads)),
            ("num_key_value_heads", str(model.n_kv_heads)),
            ("head_dim", str(model.head_dim)),
            ("torch_dtype", f"float{BITS * per_number}"),
        ),
    )


def _mistakes(setting: Setting) -> dict[int, Mistake]:
    """Return bytes per token, reckoned wrongly -> what went wrong."""
    model = setting.model
    with_query_heads = replace(model, n_kv_heads=setting.query_heads)
    queries = Mistake(
        "query heads instead of KV heads",
        "num_attention_heads counts the heads that ask. Keys and values are kept for the "
        f"num_key_value_heads: {model.n_kv_heads}.",
    )
    both = Mistake(
        "a factor of two left out",
        "Each token leaves a key and a value, that is two, in every layer; and a number of "
        f"{BITS * model.bytes_per_elem} bits takes {model.bytes_per_elem} bytes.",
    )
    return {
        kv_bytes_per_token(replace(model, n_layers=1)): Mistake(
            "one layer only", f"Every one of the {model.n_layers} layers keeps its own keys and values."
        ),
        kv_bytes_per_token(replace(model, bytes_per_elem=1)): Mistake(
            "numbers for bytes",
            f"A number of {BITS * model.bytes_per_elem} bits takes {model.bytes_per_elem} bytes.",
        ),
        kv_bytes_per_token(model) // 2: both,
        kv_bytes_per_token(replace(model, bytes_per_elem=BITS * model.bytes_per_elem)): Mistake(
            "bits for bytes", f"Eight bits are a byte: a number takes {model.bytes_per_elem} bytes."
        ),
        kv_bytes_per_token(replace(model, n_kv_heads=1)): Mistake(
            "one head only", f"There are {model.n_kv_heads} KV heads, and each keeps its own."
        ),
        kv_bytes_per_token(replace(model, head_dim=1)): Mistake(
            "the head size forgotten", f"A key of one head has {model.head_dim} numbers."
        ),
        kv_bytes_per_token(with_query_heads) // 2: queries,
        kv_bytes_per_token(with_query_heads): queries,
    }
