"""What to read on, in two lists, as links. A number that cites a source links to the source's entry here.

Example:
    >>> READING["gentle"][0].title
    'vLLM launch post'
"""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from figures.markup import Element, el, write
from lesson.errors import Missing
from pagedkv.sources import SOURCES


class Entry(NamedTuple):
    """Something to read: its key, title and address, and what it is good for."""

    key: str
    title: str
    url: str
    why: str


def _cited(key: str, why: str) -> Entry:
    """Return the entry of a source that numbers cite, so that its title and address stand in one place."""
    return Entry(key, *SOURCES[key], why)


READING: dict[str, tuple[Entry, ...]] = {
    "gentle": (
        Entry(
            "vllm-post",
            "vLLM launch post",
            "https://blog.vllm.ai/2023/06/20/vllm.html",
            "The idea in its authors' words, with moving pictures.",
        ),
        Entry(
            "hugging-face-cache",
            "Hugging Face, how caching works",
            "https://huggingface.co/docs/transformers/cache_explanation",
            "What the notes are, and why a model keeps them.",
        ),
        Entry(
            "vllm-prefix-caching",
            "vLLM, automatic prefix caching",
            "https://docs.vllm.ai/en/latest/features/automatic_prefix_caching.html",
            "When chats with an equal start share their notes.",
        ),
        Entry(
            "vllm-tuning",
            "vLLM, optimization and tuning",
            "https://docs.vllm.ai/en/latest/configuration/optimization.html",
            "What happens when the memory is full, and which settings help.",
        ),
        Entry(
            "ostep-paging",
            "Operating Systems: Three Easy Pieces, Paging: Introduction",
            "https://pages.cs.wisc.edu/~remzi/OSTEP/vm-paging.pdf",
            "The older idea that this one follows.",
        ),
        Entry(
            "numpy-quickstart",
            "NumPy quickstart",
            "https://numpy.org/doc/stable/user/quickstart.html",
            "Enough NumPy to read the lesson's code.",
        ),
    ),
    "deep": (
        _cited("vllm-paper", "The paper behind this lesson."),
        Entry(
            "vllm-kernel",
            "vLLM, kernel walk-through (historical)",
            "https://docs.vllm.ai/en/latest/design/paged_attention.html",
            "How a GPU reads block by block.",
        ),
        Entry(
            "vllm-prefix-design",
            "vLLM, prefix caching design",
            "https://docs.vllm.ai/en/latest/design/prefix_caching.html",
            "How equal blocks are found by a hash.",
        ),
        Entry(
            "sglang-paper",
            "Zheng et al. 2023, SGLang: Efficient Execution of Structured Language Model Programs",
            "https://arxiv.org/abs/2312.07104",
            "Shared starts, kept in a radix tree.",
        ),
        Entry(
            "sglang-arguments",
            "SGLang, server arguments",
            "https://docs.sglang.ai/advanced_features/server_arguments.html",
            "Its block size is --page-size.",
        ),
        _cited("tensorrt-llm-docs", "Unbroken and paged notes, side by side in one server."),
        _cited("llama-3-paper", "The model of the examples."),
        Entry(
            "llama-3-page",
            "Meta-Llama-3-8B, model page (wants a login)",
            "https://huggingface.co/meta-llama/Meta-Llama-3-8B",
            "Where its files come from.",
        ),
        _cited("llama-3-config", "The sizes in the examples, readable without a login."),
        _cited("attention-paper", "Section 3.2: the attention that reads the notes."),
    ),
}


def anchor(key: str) -> str:
    """Return the id of a source's entry on a page.

    >>> anchor("vllm-paper")
    'source-vllm-paper'
    """
    return f"source-{key}"


def reading_list(name: str) -> tuple[str, list[str]]:
    """Return a list as HTML, and the keys of its entries.

    Raises:
        Missing: there is no list of that name.

    >>> html, keys = reading_list("gentle")
    >>> html[:70]
    '<ul class="lesson-reading"><li id="source-vllm-post"><a href="https://'
    """
    if name not in READING:
        raise Missing("reading list", name, READING)
    entries = READING[name]
    return write(_listed(entries)), [entry.key for entry in entries]


def entry_of(key: str) -> Entry:
    """Return the entry of a source, from whichever list it stands in.

    Raises:
        Missing: no list holds it.

    >>> entry_of("vllm-tuning").title
    'vLLM, optimization and tuning'
    """
    for entry in (entry for entries in READING.values() for entry in entries):
        if entry.key == key:
            return entry
    raise Missing("entry of a reading list", key, [e.key for every in READING.values() for e in every])


def sources_list(keys: Collection[str]) -> str:
    """Return the entries of some sources as a list, in the order of the reading lists.

    Raises:
        Missing: no reading list holds a source.

    >>> sources_list({"vllm-paper"})[:61]
    '<ul class="lesson-reading"><li id="source-vllm-paper"><a href'
    """
    found = {entry_of(key) for key in keys}
    entries = [entry for entries in READING.values() for entry in entries if entry in found]
    return write(_listed(entries))


def _listed(entries: Iterable[Entry]) -> Element:
    return el(
        "ul",
        [
            el("li", el("a", entry.title, href=entry.url), f". {entry.why}", id=anchor(entry.key))
            for entry in entries
        ],
        class_="lesson-reading",
    )
