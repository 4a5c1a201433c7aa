"""What to read on, in two lists, as links. A number that cites a source links to the source's entry here.

Example:
    >>> READING["gentle"][0].title
    'vLLM launch post'
"""

from typing import NamedTuple

from figures.markup import el, write
from lesson.errors import LessonError, Missing
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
    html = el(
        "ul",
        [
            el("li", el("a", entry.title, href=entry.url), f". {entry.why}", id=anchor(entry.key))
            for entry in entries
        ],
        class_="lesson-reading",
    )
    return write(html), [entry.key for entry in entries]


def check_listed(cited: set[str], listed: set[str]) -> None:
    """Raise if a page cites a source that none of its reading lists holds: its link would lead nowhere.

    >>> check_listed({"vllm-paper"}, set())
    Traceback (most recent call last):
    lesson.errors.LessonError: The page cites 'vllm-paper', and no reading list on it holds that.
    """
    if missing := cited - listed:
        names = ", ".join(map(repr, sorted(missing)))
        raise LessonError(f"The page cites {names}, and no reading list on it holds that.")
