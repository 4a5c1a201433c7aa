"""What is refused, always with the field's name; thousands of broken files lead to nothing else."""

import copy
import json
import random
from typing import Any

import pytest

from pagedkv.configs.fields import MOST_CHARACTERS
from pagedkv.configs.fits import Wish
from pagedkv.configs.layers import model_of, read_config
from pagedkv.configs.models import MODELS
from pagedkv.configs.report import report
from pagedkv.configs.totals import Deployment
from pagedkv.errors import PagedKVError, RefusedConfig


def plain(**fields: object) -> dict[str, Any]:
    base = {"num_hidden_layers": 4, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8}
    return {name: value for name, value in {**base, **fields}.items() if value is not ...}


def block(**attention: object) -> list[dict[str, Any]]:
    return [{"attention": {"n_heads_in_group": 2, **attention}}] * 4


@pytest.mark.parametrize(
    "wrong", [0, -1, 2.5, 4.0, True, "4", [4], {}, 10**30, float("nan"), float("inf")], ids=repr
)
@pytest.mark.parametrize("field", ["num_hidden_layers", "num_key_value_heads", "head_dim", "sliding_window"])
def test_a_count_that_is_none(field: str, wrong: object) -> None:
    with pytest.raises(RefusedConfig, match=f"^{field} is .*whole number") as refusal:
        model_of(plain(**{field: wrong}))
    assert refusal.value.field == field


@pytest.mark.parametrize(
    ("field", "fields"),
    [
        ("num_hidden_layers", {"num_hidden_layers": ...}),
        ("num_attention_heads", {"num_attention_heads": ..., "num_key_value_heads": ...}),
        ("head_dim", {"head_dim": ...}),
        ("head_dim", {"head_dim": ..., "hidden_size": 33}),
        ("compress_ratios", {"compress_ratios": [4] * 4}),
        ("layer_types", {"layer_types": ["full_attention"] * 3}),
        ("layer_types", {"layer_types": ["full_attention"] * 3 + ["conv"]}),
        ("layer_types", {"layer_types": ["full_attention"] * 3 + [["full_attention"]]}),
        ("layer_types", {"layer_types": ["full_attention"] * 5}),
        ("layer_types", {"layer_types": 4}),
        ("sliding_window", {"layer_types": ["sliding_attention"] * 4}),
        ("attention_chunk_size", {"layer_types": ["chunked_attention"] * 4}),
        ("attention_chunk_size", {"attention_chunk_size": 8192}),
        ("attention_chunk_size", {"attention_chunk_size": 8192, "no_rope_layers": []}),
        ("no_rope_layers", {"attention_chunk_size": 8192, "no_rope_layers": [1, 0]}),
        ("no_rope_layers", {"no_rope_layers": [1, 0, 2, 1]}),
        ("sliding_window_pattern", {"sliding_window_pattern": "LLLG", "sliding_window": 8}),
        ("sliding_window_pattern", {"sliding_window_pattern": 0, "sliding_window": 8}),
        ("hybrid_override_pattern", {"hybrid_override_pattern": "M*M"}),
        ("hybrid_override_pattern", {"hybrid_override_pattern": "M*MX"}),
        ("layers_block_type", {"layers_block_type": ["hybrid"] * 4}),
        ("hybrid_layer_pattern", {"hybrid_layer_pattern": [0, 1, 2, 0], "sliding_window": 8}),
        ("hybrid_layer_pattern", {"hybrid_layer_pattern": [0, 1], "sliding_window": 8}),
        ("attn_layer_offset", {"attn_layer_period": 2}),
        ("attn_layer_period", {"attn_layer_offset": 1}),
        ("attn_layer_offset", {"attn_layer_period": 2, "attn_layer_offset": 2}),
        ("full_attn_layers", {"linear_attn_config": {}}),
        ("full_attn_layers", {"linear_attn_config": {"full_attn_layers": [0]}}),
        ("linear_attn_config", {"linear_attn_config": 1}),
        ("window_length", {"block_configs": block(window_length=128)}),
        ("block_configs", {"block_configs": block()[:2]}),
        ("n_heads_in_group", {"block_configs": block(n_heads_in_group=3)}),
        ("attention", {"block_configs": [{}] * 4}),
        ("num_kv_shared_layers", {"num_kv_shared_layers": 4}),
        ("num_kv_shared_layers", {"num_kv_shared_layers": -1}),
        ("qk_rope_head_dim", {"kv_lora_rank": 512}),
        ("index_head_dim", {"index_head_dim": 0}),
        ("use_sliding_window", {"sliding_window": 8, "use_sliding_window": "no"}),
        ("attn_layer_indices", {"attn_layer_indices": [1]}),
        ("text_config", {"text_config": [1]}),
    ],
)
def test_what_is_not_known_is_refused_by_its_field(field: str, fields: dict[str, Any]) -> None:
    with pytest.raises(RefusedConfig, match=field) as refusal:
        model_of(plain(**fields))
    assert refusal.value.field == field


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ("{'a': 1}", "no JSON"),
        ("[]", "a list"),
        ("null", "null"),
        ('"x"', "a text"),
        ("7", "a bare value"),
        ("[" * 100_000, "nested deeper"),
        ('{"a":' * 100_000, "nested deeper"),
        ('{"num_hidden_layers": ' + "9" * 5000 + "}", "thousands of digits"),
        ("x" * (MOST_CHARACTERS + 1), "characters"),
        ('{"text_config": ' * 9 + "{}" + "}" * 9, "missing|object"),
        ("\0", "no JSON"),
    ],
    ids=range(13),
)
def test_texts_that_are_no_configuration(text: str, sentence: str) -> None:
    with pytest.raises(RefusedConfig, match=sentence):
        read_config(text)


def test_a_model_that_keeps_nothing_is_refused() -> None:
    with pytest.raises(RefusedConfig, match="keeps anything"):
        model_of(plain(hybrid_override_pattern="EEEE"))


JUNK: list[Any] = [
    *(None, 0, -1, 1, 2, 3, 7, 10**6, 10**9, 10**40, 2.5, 1e300, float("nan"), float("-inf"), True, False),
    *("", "8", "full_attention", "*", "M" * 52, "\ud800", [], {}, [[]], [None] * 24, {"a": {"b": []}}),
]


def mutated(chance: random.Random) -> object:
    """Return a known configuration with one to four things about it broken."""
    config = copy.deepcopy(MODELS[chance.choice(list(MODELS))])
    names = sorted({name for one in MODELS.values() for name in one} | set(OTHERS))
    for _ in range(chance.randint(1, 4)):
        place: Any = config
        while isinstance(place.get("text_config"), dict) and chance.random() < 0.9:
            place = place["text_config"]
        name = chance.choice([*place, *names]) if place else chance.choice(names)
        way = chance.random()
        if way < 0.2:
            place.pop(name, None)
        elif way < 0.3 and isinstance(place.get(name), list | str) and place[name]:
            place[name] = place[name][: chance.randrange(len(place[name]))]
        elif way < 0.5 and isinstance(place.get(name), list) and place[name]:
            place[name][chance.randrange(len(place[name]))] = chance.choice(JUNK)
        elif way < 0.6 and isinstance(place.get(name), int):
            place[name] += chance.choice([-1, 1, 7, -place[name], 10**9])
        else:
            place[name] = copy.deepcopy(chance.choice(JUNK))
    return config


OTHERS = [
    *("attention_chunk_size", "no_rope_layers", "block_configs", "linear_attn_config", "layers_block_type"),
    *("hybrid_layer_pattern", "full_attention_interval", "index_head_dim", "llm_config", "compress_ratios"),
    *("attn_layer_period", "v_head_dim", "swa_head_dim", "multi_query", "max_window_layers"),
]


def tried(seed: int, count: int) -> tuple[int, int]:
    """Return how many of so many mutated configurations were answered, and how many refused."""
    chance = random.Random(seed)
    answered, sentences = 0, []
    for _ in range(count):
        text = json.dumps(mutated(chance))
        if chance.random() < 0.1:
            cut = chance.randrange(len(text))
            text = text[:cut] + chance.choice(["", "}", "]", '"', "\\", "1e999", "[["]) + text[cut + 1 :]
        try:
            found = report(Deployment(read_config(text), tp=2), Wish(tokens=1000, memory=2**34))
        except RefusedConfig as refusal:
            sentences.append(str(refusal))
            continue
        assert found["full_bytes_per_token"] >= 0
        assert 0 <= found["bytes_ideal"] <= found["bytes_in_blocks"]
        json.dumps(found, allow_nan=False)
        answered += 1
    assert [one for one in sentences if not one.endswith(".") or "\n" in one] == []
    return answered, len(sentences)


def test_mutated_configurations_are_answered_or_refused() -> None:
    answered, refused = tried(seed=1, count=600)
    assert min(answered, refused) > 100


@pytest.mark.long
def test_ten_thousand_mutated_configurations_are_answered_or_refused() -> None:
    answered, refused = tried(seed=2, count=10_000)
    assert answered + refused == 10_000
    assert min(answered, refused) > 1_000


def test_refusals_are_errors_of_this_package() -> None:
    assert issubclass(RefusedConfig, PagedKVError)
    assert issubclass(RefusedConfig, ValueError)


def test_brackets_in_quotes_nest_nothing() -> None:
    text = json.dumps({**plain(), "note": "[{" * 500 + '"\\'})
    assert len(read_config(text).layers) == 4
    with pytest.raises(RefusedConfig, match="no JSON"):
        read_config('"' + '\\"' * 1_000_000)
