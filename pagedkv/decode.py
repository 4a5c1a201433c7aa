"""Why a server keeps keys and values at all: one attention head that decodes with a cache, and without one.

Example:
    >>> run = decode_both_ways(10)
    >>> run.pairs_without, run.pairs_with, run.largest_difference < 1e-12
    (55, 10, True)

Counted are key/value pairs computed; the other work of a layer is left out. NumPy is imported when a run
starts, so that the two formulas can be asked without it.
"""

import math
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pagedkv.errors import whole_number

if TYPE_CHECKING:
    from pagedkv.arrays import Floats


def pairs_without_cache(n: int) -> int:
    """Return the key/value pairs that n decode steps compute when nothing is kept: 1 + 2 + ... + n.

    >>> pairs_without_cache(1000)
    500500
    """
    n = whole_number(n, "n", at_least=0)
    return n * (n + 1) // 2


def pairs_with_cache(n: int) -> int:
    """Return the key/value pairs that n decode steps compute when each is kept: n.

    >>> pairs_with_cache(1000)
    1000
    """
    return whole_number(n, "n", at_least=0)


@dataclass(frozen=True)
class DecodeRun:
    """What `decode_both_ways` saw: outputs, each (n, head_dim), and pairs counted as they were computed."""

    outputs_without: "Floats"
    outputs_with: "Floats"
    pairs_without: int
    pairs_with: int
    largest_difference: float


def decode_both_ways(n: int, *, model_dim: int = 8, head_dim: int = 4, seed: int = 0) -> DecodeRun:
    """Decode n tokens with one attention head, once keeping keys and values and once recomputing them.

    Args:
        n: tokens to decode, at least 1.
        model_dim: size of a token's input vector.
        head_dim: size of a key, a value and a query.
        seed: for the random inputs and weights.

    Raises:
        InvalidSize: a size is not a whole number of at least 1.

    >>> decode_both_ways(3).outputs_with.shape
    (3, 4)
    """
    import numpy as np  # noqa: PLC0415

    from pagedkv.attention import attention_contiguous  # noqa: PLC0415

    n, model_dim, head_dim = (
        whole_number(value, name)
        for value, name in ((n, "n"), (model_dim, "model_dim"), (head_dim, "head_dim"))
    )
    rng = random.Random(seed)

    def gaussian(rows: int, columns: int) -> "Floats":
        return np.array([[rng.gauss() for _ in range(columns)] for _ in range(rows)])

    tokens = gaussian(n, model_dim)
    to_query, to_key, to_value = (gaussian(model_dim, head_dim) / math.sqrt(model_dim) for _ in range(3))
    outputs_without, outputs_with = np.empty((n, head_dim)), np.empty((n, head_dim))
    pairs_without = pairs_with = 0
    kept_keys, kept_values = np.empty((n, head_dim)), np.empty((n, head_dim))

    for step in range(n):
        query = tokens[step] @ to_query

        # Nothing kept: the keys and values of every token so far, again.
        keys, values = tokens[: step + 1] @ to_key, tokens[: step + 1] @ to_value
        pairs_without += len(keys)
        outputs_without[step] = attention_contiguous(query, keys, values)

        # Kept: those of the newest token only.
        newest = tokens[step : step + 1]
        kept_keys[step : step + 1], kept_values[step : step + 1] = newest @ to_key, newest @ to_value
        pairs_with += len(newest)
        outputs_with[step] = attention_contiguous(query, kept_keys[: step + 1], kept_values[: step + 1])

    difference = float(np.abs(outputs_without - outputs_with).max())
    return DecodeRun(outputs_without, outputs_with, pairs_without, pairs_with, difference)
