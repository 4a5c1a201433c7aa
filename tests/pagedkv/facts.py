"""The tables of the lesson, typed in by hand. Tests compare the package with these, never with itself."""

from typing import NamedTuple

KIB, MIB, GIB = 1_024, 1_048_576, 1_073_741_824


class Size(NamedTuple):
    """A size in bytes as the lesson writes it."""

    num_bytes: int
    text: str


LLAMA_3_8B_PER_TOKEN = Size(131_072, "128 KiB")
OPT_13B_PER_TOKEN = Size(819_200, "800 KiB")
QUIZ_MODEL_PER_TOKEN = Size(24_576, "24 KiB")

# (layers, KV heads, head size, bytes per number) -> bytes per token
SHAPES = {
    (32, 8, 128, 2): LLAMA_3_8B_PER_TOKEN,
    (33, 8, 128, 2): Size(135_168, "132 KiB"),  # one layer more: no number may be a constant
    (40, 40, 128, 2): OPT_13B_PER_TOKEN,
    (24, 4, 64, 2): QUIZ_MODEL_PER_TOKEN,
    (32, 8, 128, 1): Size(65_536, "64 KiB"),
    (1, 1, 1, 4): Size(8, "8 B"),
}

# (bytes per token, tokens) -> size
REQUESTS = {
    (131_072, 1_000): Size(131_072_000, "125 MiB"),
    (131_072, 8_192): Size(1_073_741_824, "1 GiB"),
    (131_072, 81_920): Size(10_737_418_240, "10 GiB"),
    (131_072, 131_072): Size(17_179_869_184, "16 GiB"),
    (819_200, 2_048): Size(1_677_721_600, "1.5625 GiB"),
    (819_200, 131_072): Size(107_374_182_400, "100 GiB"),
    (24_576, 2_000): Size(49_152_000, "46.875 MiB"),
}

# decode steps -> (pairs without a cache, pairs with one, how many times as many)
CACHE_PAIRS = {10: (55, 10, "5.5"), 100: (5_050, 100, "50.5"), 1_000: (500_500, 1_000, "500.5")}


class Row(NamedTuple):
    """One row of the worked example."""

    event: str
    lengths: dict[str, int]
    tables: dict[str, list[int]]
    free_list: list[int]
    wasted: int


WORKED_EXAMPLE = [
    Row("start", {}, {}, [0, 1, 2, 3, 4, 5, 6, 7], 0),
    Row("A arrives, 6 tokens", {"A": 6}, {"A": [0, 1]}, [2, 3, 4, 5, 6, 7], 2),
    Row("B arrives, 3 tokens", {"A": 6, "B": 3}, {"A": [0, 1], "B": [2]}, [3, 4, 5, 6, 7], 3),
    Row(
        "C arrives, 5 tokens",
        {"A": 6, "B": 3, "C": 5},
        {"A": [0, 1], "B": [2], "C": [3, 4]},
        [5, 6, 7],
        6,
    ),
    Row("A +2", {"A": 8, "B": 3, "C": 5}, {"A": [0, 1], "B": [2], "C": [3, 4]}, [5, 6, 7], 4),
    Row("A +1", {"A": 9, "B": 3, "C": 5}, {"A": [0, 1, 5], "B": [2], "C": [3, 4]}, [6, 7], 7),
    Row("B +2", {"A": 9, "B": 5, "C": 5}, {"A": [0, 1, 5], "B": [2, 6], "C": [3, 4]}, [7], 9),
    Row("B finishes", {"A": 9, "C": 5}, {"A": [0, 1, 5], "C": [3, 4]}, [7, 2, 6], 6),
    Row("C +4", {"A": 9, "C": 9}, {"A": [0, 1, 5], "C": [3, 4, 7]}, [2, 6], 6),
]


class PrefixRow(NamedTuple):
    """One row of the run with a shared start; `ref_count` is that of blocks 0, 1 and 2."""

    event: str
    tables: dict[str, list[int]]
    ref_count: list[int]
    free_list: list[int]


PREFIX_SHARING = [
    PrefixRow("S1 arrives, 6 tokens", {"S1": [0, 1]}, [1, 1, 0], [2, 3, 4, 5]),
    PrefixRow("S2 forks S1", {"S1": [0, 1], "S2": [0, 1]}, [2, 2, 0], [2, 3, 4, 5]),
    PrefixRow("S1 +1", {"S1": [0, 2], "S2": [0, 1]}, [2, 1, 1], [3, 4, 5]),
    PrefixRow("S2 +1", {"S1": [0, 2], "S2": [0, 1]}, [2, 1, 1], [3, 4, 5]),
]
