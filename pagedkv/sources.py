"""Facts of others that the lesson quotes, each with its source. The one place where a figure is typed in.

Example:
    >>> CITED["vllm.block_size"].text, SOURCES[CITED["vllm.block_size"].source].url
    ('16 tokens', 'https://arxiv.org/abs/2309.06180')
"""

from typing import NamedTuple


class Source(NamedTuple):
    """Where a fact comes from."""

    title: str
    url: str


class Cited(NamedTuple):
    """A fact: its value, how it is written, the key of its source, and where in the source it stands."""

    value: float
    text: str
    source: str
    where: str


SOURCES = {
    "vllm-paper": Source(
        "Kwon et al. 2023, Efficient Memory Management for Large Language Model Serving with PagedAttention",
        "https://arxiv.org/abs/2309.06180",
    ),
    "llama-3-paper": Source(
        "Llama Team 2024, The Llama 3 Herd of Models", "https://arxiv.org/abs/2407.21783"
    ),
    "llama-3-config": Source(
        "config.json of Meta-Llama-3-8B, public mirror",
        "https://huggingface.co/NousResearch/Meta-Llama-3-8B/blob/main/config.json",
    ),
    "attention-paper": Source(
        "Vaswani et al. 2017, Attention Is All You Need", "https://arxiv.org/abs/1706.03762"
    ),
    "tensorrt-llm-docs": Source(
        "TensorRT-LLM documentation, attention and caches",
        "https://nvidia.github.io/TensorRT-LLM/advanced/gpt-attention.html",
    ),
}

CITED = {
    "earlier.token_share.lowest": Cited(20.4, "20.4 %", "vllm-paper", "Figure 2, Orca (Max)"),
    "earlier.token_share.highest": Cited(38.2, "38.2 %", "vllm-paper", "Figure 2, Orca (Oracle)"),
    "vllm.token_share": Cited(96.3, "96.3 %", "vllm-paper", "Figure 2"),
    "vllm.throughput.lowest": Cited(2, "2", "vllm-paper", "abstract"),
    "vllm.throughput.highest": Cited(4, "4", "vllm-paper", "abstract"),
    "vllm.block_size": Cited(16, "16 tokens", "vllm-paper", "section 7.2"),
    "opt_13b.rounded.per_token": Cited(800, "800 KB", "vllm-paper", "section 3"),
    "opt_13b.rounded.per_request": Cited(1.6, "1.6 GB", "vllm-paper", "section 3"),
    "opt_13b.rounded.tokens": Cited(2048, "2,048", "vllm-paper", "section 3"),
    "llama_3_8b.layers": Cited(32, "32", "llama-3-config", "num_hidden_layers"),
    "llama_3_8b.kv_heads": Cited(8, "8", "llama-3-config", "num_key_value_heads"),
    "llama_3_8b.query_heads": Cited(32, "32", "llama-3-config", "num_attention_heads"),
    "llama_3_8b.hidden_size": Cited(4096, "4,096", "llama-3-config", "hidden_size"),
    "llama_3_8b.context": Cited(8192, "8,192", "llama-3-config", "max_position_embeddings"),
    "llama_3_8b.weights": Cited(8, "8 billion", "llama-3-paper", "Table 3"),
    "tensorrt_llm.block_size.lowest": Cited(8, "8", "tensorrt-llm-docs", "paged KV cache"),
    "tensorrt_llm.block_size.highest": Cited(128, "128", "tensorrt-llm-docs", "paged KV cache"),
}
