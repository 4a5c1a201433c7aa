"""Right values: of 22 models, of what servers report, and of each rule by which layers are told apart."""

from typing import Any

import pytest

from pagedkv.configs.layers import Model, model_of, read_config
from pagedkv.configs.models import MODELS, SOURCES
from pagedkv.configs.totals import Deployment
from pagedkv.errors import RefusedConfig
from pagedkv.sizes import OPT_13B, kv_bytes_per_token

GIB = 2**30

# Name -> bytes of a token in full layers, and window -> bytes of a token over its layers.
RIGHT: dict[str, tuple[int, dict[int, int]]] = {
    "Llama 3.1 8B": (131_072, {}),
    "Llama 3.1 70B": (327_680, {}),
    "Llama 2 7B": (524_288, {}),
    "Qwen2.5 7B": (57_344, {}),
    "MiMo 7B": (147_456, {}),
    "Qwen3 8B": (147_456, {}),
    "Qwen3 30B-A3B": (98_304, {}),
    "Qwen3-VL 8B": (147_456, {}),
    "Mixtral 8x7B": (131_072, {}),
    "DeepSeek V3": (70_272, {}),
    "DeepSeek V2 Lite": (31_104, {}),
    "Kimi K2.5": (70_272, {}),
    "gpt-oss 20B": (24_576, {128: 24_576}),
    "Gemma 4 26B-A4B": (20_480, {1024: 204_800}),
    "Qwen3.5 27B": (65_536, {}),
    "Nemotron 3 Nano 30B-A3B": (6_144, {}),
    "Nemotron-H 56B": (40_960, {}),
    "OPT-13B": (819_200, {}),
    "Gemma 3 27B": (81_920, {1024: 425_984}),
    "Gemma 3n E4B": (8_192, {512: 32_768}),
    "Jamba v0.1": (16_384, {}),
}
REFUSED = {"DeepSeek V4 Flash": "compress_ratios"}
WITH_CONSTANT = {"Qwen3.5 27B", "Nemotron 3 Nano 30B-A3B", "Nemotron-H 56B", "Jamba v0.1"}


def known(name: str) -> Model:
    return model_of(MODELS[name])


def plain(**fields: object) -> dict[str, Any]:
    """Four layers of 2 KV heads of 8: 64 bytes a token in each."""
    base = {"num_hidden_layers": 4, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8}
    return {name: value for name, value in {**base, **fields}.items() if value is not ...}


def kinds(**fields: object) -> str:
    """The layers as letters: f(ull), w(indow), l(inear or latent), s(hared), n(one)."""
    return "".join(layer.kind[0] for layer in model_of(plain(**fields)).layers)


def test_every_known_model_has_its_right_value_and_its_source() -> None:
    assert set(RIGHT) | set(REFUSED) == set(MODELS) == set(SOURCES)


@pytest.mark.parametrize("name", RIGHT)
def test_bytes_per_token(name: str) -> None:
    deployment, model = Deployment(known(name)), known(name)
    full, windows = RIGHT[name]
    assert deployment.bytes_per_token() == full
    assert {one.window: one.bytes_per_token for one in deployment.window_bytes(model.layers)} == windows
    assert model.has_constants == (name in WITH_CONSTANT)


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("tokens", [1, 100, 513, 5_000, 131_072])
def test_a_chat_is_full_layers_and_windows_up_to_their_end(name: str, tokens: int) -> None:
    full, windows = RIGHT[name]
    expected = full * tokens + sum(each * min(tokens, window) for window, each in windows.items())
    assert Deployment(known(name)).bytes_per_chat(tokens) == expected


@pytest.mark.parametrize(("name", "field"), REFUSED.items())
def test_what_cannot_be_reckoned_is_refused_by_its_field(name: str, field: str) -> None:
    with pytest.raises(RefusedConfig, match=f"^{field} ") as refusal:
        known(name)
    assert refusal.value.field == field


def test_round_figures_that_are_quoted_elsewhere() -> None:
    assert Deployment(known("Qwen3.5 27B")).bytes_per_chat(262_144) == 16 * GIB
    assert round(Deployment(known("Gemma 3 27B")).bytes_per_chat(131_072) / GIB, 2) == 10.41
    assert Deployment(known("OPT-13B")).bytes_per_token() == kv_bytes_per_token(OPT_13B)


# "Available KV cache memory" in GiB over "GPU KV cache size" in tokens, of one GPU.
@pytest.mark.parametrize(
    ("name", "tp", "gib", "tokens"),
    [
        ("Llama 3.1 8B", 1, 3.81, 31_232),
        ("Qwen3 8B", 1, 18.69, 136_080),
        ("Llama 3.1 70B", 4, 106.17, 1_391_552),
        ("DeepSeek V3", 8, 41.60, 635_648),
    ],
)
def test_what_servers_report(name: str, tp: int, gib: float, tokens: int) -> None:
    rule = Deployment(known(name), tp=tp).bytes_per_token()
    # The report rounds its memory to two decimals, and its tokens to whole blocks.
    lowest, highest = (gib - 0.005) * GIB / (tokens + 16), (gib + 0.005) * GIB / tokens
    assert lowest <= rule <= highest


def test_what_a_server_reports_where_layers_share_a_pool() -> None:
    gemma = Deployment(known("Gemma 3 27B"))
    padded = gemma.padded_bytes_per_token()
    naive = gemma.bytes_per_token() + sum(
        one.bytes_per_token for one in gemma.window_bytes(gemma.model.layers)
    )
    assert (padded, naive) == (573_440, 507_904)
    assert padded == pytest.approx(109.86 * GIB / 205_696, rel=1e-4)


def test_heads_and_their_size() -> None:
    assert model_of(plain(num_key_value_heads=...)).layers[0].kv_heads == 4
    assert model_of(plain(num_key_value_heads=None)).layers[0].kv_heads == 4
    assert model_of(plain(head_dim=..., hidden_size=64)).layers[0].key_size == 16
    assert model_of(plain(head_dim=..., attention_head_dim=32, hidden_size=64)).layers[0].key_size == 32
    assert model_of(plain(v_head_dim=24)).layers[0].bytes_per_token() == 2 * (8 + 24) * 2
    assert model_of(plain(num_key_value_heads=..., multi_query=True)).layers[0].kv_heads == 1


@pytest.mark.parametrize("name", ["text_config", "llm_config", "language_config"])
def test_the_nested_text_model_is_the_one(name: str) -> None:
    model = model_of({"model_type": "sees", "num_hidden_layers": 99, name: plain(model_type="reads")})
    assert (len(model.layers), model.model_type) == (4, "sees")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"layer_types": ["full_attention", "sliding_attention"] * 2, "sliding_window": 9}, "fwfw"),
        ({"layer_types": ["linear_attention", "full_attention", "mamba", "attention"]}, "lflf"),
        ({"layer_types": ["chunked_attention"] * 3 + ["full_attention"], "attention_chunk_size": 9}, "wwwf"),
        ({"sliding_window_pattern": 2, "sliding_window": 9}, "wfwf"),
        ({"full_attention_interval": 4}, "lllf"),
        ({"attn_layer_period": 2, "attn_layer_offset": 1}, "lflf"),
        ({"hybrid_override_pattern": "M-*E"}, "lnfn"),
        ({"layers_block_type": ["mamba", "attention", "mamba", "mamba"]}, "lfll"),
        ({"hybrid_layer_pattern": [0, 1, 1, 0], "sliding_window": 9}, "fwwf"),
        ({"linear_attn_config": {"full_attn_layers": [1, 4]}}, "fllf"),
        ({"no_rope_layers": [1, 1, 1, 0], "attention_chunk_size": 9}, "wwwf"),
        ({"no_rope_layers": [1, 1, 1, 0]}, "ffff"),
        ({"sliding_window": 9}, "wwww"),
        ({"sliding_window": None}, "ffff"),
        ({"sliding_window": 9, "use_sliding_window": False}, "ffff"),
        ({"sliding_window": 9, "use_sliding_window": False, "sliding_window_pattern": 2}, "ffff"),
        ({"sliding_window": 9, "use_sliding_window": True, "max_window_layers": 3}, "fffw"),
        ({"sliding_window": 9, "model_type": "gemma2"}, "wfwf"),
        ({"sliding_window": 9, "sliding_window_pattern": 2, "num_kv_shared_layers": 1}, "wfws"),
        ({"attention_chunk_size": None, "unheard_of": 7}, "ffff"),
        ({"kv_lora_rank": 16, "qk_rope_head_dim": 4}, "llll"),
    ],
)
def test_which_layers_keep_what(fields: dict[str, Any], expected: str) -> None:
    assert kinds(**fields) == expected


def test_sizes_of_their_own_for_window_layers() -> None:
    layers = model_of(
        plain(
            hybrid_layer_pattern=[0, 1, 1, 1],
            sliding_window=128,
            v_head_dim=4,
            swa_num_key_value_heads=4,
            swa_head_dim=16,
            swa_v_head_dim=12,
        )
    ).layers
    assert [(one.kv_heads, one.key_size, one.value_size) for one in layers[:2]] == [(2, 8, 4), (4, 16, 12)]


def test_blocks_with_attention_of_their_own() -> None:
    blocks = [
        {"attention": {"n_heads_in_group": 4, "no_op": False, "window_length": None}},
        {"attention": {"n_heads_in_group": 2}},
        {"attention": {"n_heads_in_group": None, "no_op": True}},
        {"attention": {"replace_with_linear": True}},
    ]
    layers = model_of(plain(block_configs=blocks, num_key_value_heads=None)).layers
    assert [one.kv_heads for one in layers] == [1, 2, 0, 0]
    assert Deployment(model_of(plain(block_configs=blocks))).bytes_per_token() == 3 * 2 * 8 * 2


def test_an_indexer_is_counted_apart() -> None:
    fields = {"kv_lora_rank": 512, "qk_rope_head_dim": 64, "index_head_dim": 128}
    deployment = Deployment(model_of(plain(**fields)))
    assert deployment.bytes_per_token() == 4 * 576 * 2
    assert deployment.indexer_bytes(deployment.model.layers) == 4 * (128 + 4)
    assert deployment.bytes_per_chat(10) == 10 * 4 * (576 * 2 + 132)
    assert any("index_head_dim" in note for note in deployment.model.notes)


@pytest.mark.parametrize(("dtype", "numbers"), [("bf16", 128), ("fp8", 64), ("q8_0", 68), ("q4_0", 36)])
def test_formats_of_the_cache(dtype: str, numbers: int) -> None:
    model = model_of(plain(num_hidden_layers=1, head_dim=16))
    assert Deployment(model, dtype).bytes_per_token() == numbers


def test_ranks_divide_heads_and_layers() -> None:
    llama = known("Llama 3.1 8B")
    assert [Deployment(llama, tp=tp).bytes_per_token() for tp in (2, 8, 16)] == [65_536, 16_384, 16_384]
    assert Deployment(known("DeepSeek V3"), tp=8).bytes_per_token() == 70_272
    stages = Deployment(model_of(plain(num_hidden_layers=10)), pp=4).stages
    assert [len(stage) for stage in stages] == [2, 3, 3, 2]
    assert Deployment(model_of(plain(num_hidden_layers=10)), pp=4).bytes_per_token() == 3 * 64
    assert Deployment(model_of(plain(num_hidden_layers=10)), tp=2, pp=4).bytes_on_all(1) == 10 * 64


def test_blocks_and_what_an_engine_reserves() -> None:
    model = model_of(plain(num_hidden_layers=2, sliding_window_pattern=2, sliding_window=100))
    one = Deployment(model)
    assert one.bytes_per_chat(90, one.in_blocks) == 2 * 96 * 64
    assert one.bytes_per_chat(1000, one.in_blocks) == (1008 + 112) * 64
    # cdiv(min(99 + 8192, 1000), 16) + 1 blocks for the window.
    assert one.bytes_per_chat(1000, one.reserved) == (1008 + 1008 + 16) * 64


def test_bare_words_that_are_no_json_are_read() -> None:
    text = (
        '{"num_hidden_layers": 1, "num_attention_heads": 1, "head_dim": 8, "x": [Infinity, NaN, -Infinity]}'
    )
    assert len(read_config(text).layers) == 1
