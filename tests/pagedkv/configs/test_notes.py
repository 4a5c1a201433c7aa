"""What is not reckoned is told by the name of the field, once, and changes no figure."""

import json
from typing import Any

import pytest

from pagedkv.configs.fits import Wish
from pagedkv.configs.layers import model_of, read_config
from pagedkv.configs.models import MODELS
from pagedkv.configs.report import report
from pagedkv.configs.totals import Deployment
from pagedkv.errors import RefusedConfig

PLAIN = {"num_hidden_layers": 4, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8}
BARE = {name: value for name, value in PLAIN.items() if name != "num_key_value_heads"}


@pytest.mark.parametrize(
    ("fields", "beginning"),
    [
        ({"cross_attention_layers": [1, 3]}, "cross_attention_layers: "),
        ({"is_encoder_decoder": True}, "is_encoder_decoder: "),
        ({"use_cla": True, "cla_share_factor": 2}, "use_cla: "),
        ({"cla_share_factor": 2}, "cla_share_factor: "),
        ({"num_key_value_heads_per_layer": [2, 2, 1, 1]}, "num_key_value_heads_per_layer "),
        ({"attention_layers": ["global", "local"] * 2}, "attention_layers "),
        ({"window_size": 256}, "window_size "),
        ({"mamba_d_ssm": 1536}, "mamba_d_ssm: "),
        ({"model_type": "bert"}, "model_type bert: "),
        ({"quantization_config": {"quant_method": "fp8"}}, "quantization_config: "),
    ],
    ids=str,
)
def test_a_field_that_is_not_reckoned_is_told_and_changes_no_figure(
    fields: dict[str, Any], beginning: str
) -> None:
    model = model_of({**PLAIN, **fields})
    assert model.layers == model_of(PLAIN).layers
    assert [note for note in model.notes if note.startswith(beginning)] == list(model.notes)
    assert len(model.notes) == 1
    # What a link carries of the file tells the same.
    assert model_of(model.fields.reduced).notes == model.notes


@pytest.mark.parametrize(
    "fields",
    [
        *({"use_cla": False, "cla_share_factor": 2}, {"is_encoder_decoder": False}, {"unheard_of": 7}),
        *({"cross_attention_layers": None}, {"num_attention_groups": 2}, {"model_type": "llama"}),
        {"layer_types": ["mamba", "full_attention"] * 2, "mamba_d_state": 16},
    ],
    ids=str,
)
def test_what_changes_nothing_is_not_told(fields: dict[str, Any]) -> None:
    said = " ".join(model_of({**PLAIN, **fields}).notes)
    assert not any(name in said for name in fields)


def test_groups_are_told_where_no_kv_heads_are() -> None:
    assert "num_attention_groups" in model_of({**BARE, "num_attention_groups": 2}).notes[0]


def test_a_size_by_division_says_its_sum() -> None:
    found = model_of({**PLAIN, "head_dim": None, "hidden_size": 512})
    assert found.notes == (
        "Head size 128 = hidden_size / num_attention_heads, since head_dim is not in the file.",
    )
    assert model_of(PLAIN).notes == ()


def test_a_format_that_the_makers_chose_is_told_also_from_around_the_text_model() -> None:
    large = {"quant_method": "compressed-tensors", "kv_cache_scheme": {"num_bits": 8}, "ignore": ["x"] * 1000}
    model = model_of({"quantization_config": large, "text_config": PLAIN})
    assert [note.split(":")[0] for note in model.notes[1:]] == ["quantization_config", "kv_cache_scheme"]
    assert "ignore" not in json.dumps(model.fields.reduced)
    assert model_of(model.fields.reduced).notes == model.notes


def test_a_state_beside_attention_is_a_constant_that_is_not_counted() -> None:
    found = report(Deployment(model_of({**PLAIN, "mamba_d_ssm": 1536})), Wish())
    assert (found["constant_bytes"], found["full_bytes_per_token"]) == (None, 4 * 2 * 16 * 2)


@pytest.mark.parametrize("wrong", [0, -1, 2.5, "4096", True, None, [4096], 10**30])
def test_a_limit_that_is_no_count_is_passed_over(wrong: object) -> None:
    assert model_of({**PLAIN, "max_position_embeddings": wrong}).context is None


def test_the_limit_of_a_model() -> None:
    assert model_of(MODELS["Qwen3-VL 8B"]).context == 262_144
    assert model_of({"max_position_embeddings": 7, "text_config": PLAIN}).context == 7


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"n_layer": 12, "n_head": 12}, "This file says n_layer; the calculator reads num_hidden_layers."),
        ({"n_layers": 12}, "This file says n_layers; the calculator reads num_hidden_layers."),
        ({"num_layers": 12}, "This file says num_layers; the calculator reads num_hidden_layers."),
        (
            {"num_hidden_layers": 2, "n_heads": 12, "head_dim": 8},
            "This file says n_heads; the calculator reads",
        ),
        (
            {"num_hidden_layers": 2, "num_attention_heads": 2, "n_embd": 8},
            "This file says n_embd; the calculator",
        ),
        (
            {"num_hidden_layers": 2, "num_attention_heads": 2, "d_model": 8},
            "d_model; the calculator reads hidden",
        ),
    ],
)
def test_older_names_are_told_and_not_read(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RefusedConfig) as refusal:
        read_config(json.dumps(fields))
    assert sentence in str(refusal.value)
    assert "is missing" in str(refusal.value)
