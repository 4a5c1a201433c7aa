"""Well-known models: of each, the fields of its `config.json` that the size of its KV cache depends on.

Example:
    >>> from pagedkv.configs.layers import model_of
    >>> [layer.kind for layer in model_of(MODELS["gpt-oss 20B"]).layers[:2]]
    ['window', 'full']

Source: the `config.json` that the maker of each model publishes with it, under the name in `SOURCES`.
"""

from typing import Any

_FULL, _WINDOW, _LINEAR = "full_attention", "sliding_attention", "linear_attention"


def _plain(  # noqa: PLR0917 (a row of a table)
    model_type: str, layers: int, heads: int, kv_heads: int, hidden: int, context: int | None, **more: object
) -> dict[str, object]:
    return {
        "model_type": model_type,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        "hidden_size": hidden,
        "max_position_embeddings": context,
        **more,
    }


def _latent(
    model_type: str, layers: int, heads: int, hidden: int, context: int, **more: object
) -> dict[str, object]:
    latent = {"kv_lora_rank": 512, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128}
    return _plain(model_type, layers, heads, heads, hidden, context, **latent, **more)


MODELS: dict[str, dict[str, Any]] = {
    "Llama 3.1 8B": _plain("llama", 32, 32, 8, 4096, 131072),
    "Llama 3.1 70B": _plain("llama", 80, 64, 8, 8192, 131072),
    "Llama 2 7B": _plain("llama", 32, 32, 32, 4096, 4096),
    "Qwen2.5 7B": _plain("qwen2", 28, 28, 4, 3584, 32768, sliding_window=131072, use_sliding_window=False),
    "Qwen3 8B": _plain("qwen3", 36, 32, 8, 4096, 40960, head_dim=128, sliding_window=None),
    "Qwen3 30B-A3B": _plain("qwen3_moe", 48, 32, 4, 2048, 40960, head_dim=128, sliding_window=None),
    "Qwen3-VL 8B": {
        "model_type": "qwen3_vl",
        "text_config": _plain("qwen3_vl_text", 36, 32, 8, 4096, 262144, head_dim=128),
    },
    "Qwen3.5 27B": {
        "model_type": "qwen3_5",
        "text_config": _plain(
            *("qwen3_5_text", 64, 24, 4, 5120, 262144),
            head_dim=256,
            layer_types=([_LINEAR] * 3 + [_FULL]) * 16,
            mtp_num_hidden_layers=1,
        ),
    },
    "MiMo 7B": _plain(
        *("mimo", 36, 32, 8, 4096, 32768),
        head_dim=128,
        sliding_window=32768,
        use_sliding_window=False,
        num_nextn_predict_layers=1,
    ),
    "Mixtral 8x7B": _plain("mixtral", 32, 32, 8, 4096, 32768, sliding_window=None),
    "DeepSeek V3": _latent(
        "deepseek_v3",
        61,
        128,
        7168,
        163840,
        num_nextn_predict_layers=1,
        quantization_config={"quant_method": "fp8"},
    ),
    "DeepSeek V2 Lite": _latent("deepseek_v2", 27, 16, 2048, 163840),
    "Kimi K2.5": {
        "model_type": "kimi_k25",
        "text_config": _latent(
            "kimi_k2", 61, 64, 7168, 262144, quantization_config={"quant_method": "compressed-tensors"}
        ),
    },
    "gpt-oss 20B": _plain(
        *("gpt_oss", 24, 64, 8, 2880, 131072),
        head_dim=64,
        sliding_window=128,
        layer_types=[_WINDOW, _FULL] * 12,
        quantization_config={"quant_method": "mxfp4"},
    ),
    "Gemma 4 26B-A4B": {
        "model_type": "gemma4",
        "text_config": _plain(
            *("gemma4_text", 30, 16, 8, 2816, 262144),
            head_dim=256,
            global_head_dim=512,
            num_global_key_value_heads=2,
            num_kv_shared_layers=0,
            attention_k_eq_v=True,
            sliding_window=1024,
            layer_types=([_WINDOW] * 5 + [_FULL]) * 5,
        ),
    },
    "Nemotron 3 Nano 30B-A3B": _plain(
        *("nemotron_h", 52, 32, 2, 2688, 262144),
        head_dim=128,
        sliding_window=None,
        hybrid_override_pattern="MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME",
    ),
    "Nemotron-H 56B": _plain(
        *("nemotron_h", 118, 64, 8, 8192, 8192),
        attention_head_dim=128,
        sliding_window=None,
        hybrid_override_pattern="M-M-M-M*-" + "M-M-M-M-M*-" * 9 + "M-M-M-M-M-",
    ),
    "OPT-13B": {
        "num_hidden_layers": 40,
        "num_attention_heads": 40,
        "hidden_size": 5120,
        "max_position_embeddings": 2048,
    },
    "Gemma 3 27B": {
        "model_type": "gemma3",
        "text_config": _plain(
            "gemma3_text", 62, 32, 16, 5376, None, head_dim=128, sliding_window=1024, sliding_window_pattern=6
        ),
    },
    "Gemma 3n E4B": {
        "model_type": "gemma3n",
        "text_config": _plain(
            *("gemma3n_text", 35, 8, 2, 2048, None),
            head_dim=256,
            sliding_window=512,
            num_kv_shared_layers=15,
            layer_types=([_WINDOW] * 4 + [_FULL]) * 7,
        ),
    },
    "Jamba v0.1": _plain("jamba", 32, 32, 8, 4096, None, attn_layer_period=8, attn_layer_offset=4),
    "DeepSeek V4 Flash": _plain(
        *("deepseek_v4", 43, 64, 1, 4096, 1048576),
        head_dim=512,
        index_head_dim=128,
        qk_rope_head_dim=64,
        sliding_window=128,
        num_nextn_predict_layers=1,
        # One entry for each layer and for the extra one; what they mean for the cache is not reckoned here.
        compress_ratios=[0, 0, *([4, 128] * 20), 4, 0],
    ),
}

# Name here -> the repository on Hugging Face whose config.json it is.
SOURCES = {
    "Llama 3.1 8B": "meta-llama/Meta-Llama-3.1-8B",
    "Llama 3.1 70B": "meta-llama/Meta-Llama-3.1-70B",
    "Llama 2 7B": "meta-llama/Llama-2-7b-hf",
    "Qwen2.5 7B": "Qwen/Qwen2.5-7B-Instruct",
    "Qwen3 8B": "Qwen/Qwen3-8B",
    "Qwen3 30B-A3B": "Qwen/Qwen3-30B-A3B",
    "Qwen3-VL 8B": "Qwen/Qwen3-VL-8B-Instruct",
    "Qwen3.5 27B": "Qwen/Qwen3.5-27B",
    "MiMo 7B": "XiaomiMiMo/MiMo-7B-Base",
    "Mixtral 8x7B": "mistralai/Mixtral-8x7B-v0.1",
    "DeepSeek V3": "deepseek-ai/DeepSeek-V3",
    "DeepSeek V2 Lite": "deepseek-ai/DeepSeek-V2-Lite",
    "Kimi K2.5": "moonshotai/Kimi-K2.5",
    "gpt-oss 20B": "openai/gpt-oss-20b",
    "Gemma 4 26B-A4B": "google/gemma-4-26B-A4B",
    "Nemotron 3 Nano 30B-A3B": "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16",
    "Nemotron-H 56B": "nvidia/Nemotron-H-56B-Base-8K",
    "OPT-13B": "facebook/opt-13b",
    "Gemma 3 27B": "google/gemma-3-27b-it",
    "Gemma 3n E4B": "google/gemma-3n-E4B-it",
    "Jamba v0.1": "ai21labs/Jamba-v0.1",
    "DeepSeek V4 Flash": "deepseek-ai/DeepSeek-V4-Flash",
}
