"""What the cache takes and what fits, as markup: a table, a picture, sentences, and the ways on.

Example:
    >>> from figures.markup import write
    >>> from exercises.sizing.choice import Choice
    >>> "65 chats of 8,192 tokens fit" in "".join(map(write, result(Choice(), None)))
    True
"""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from exercises.sizing.choice import Choice
from exercises.sizing.parts import Trouble, table
from exercises.sizing.settings import in_words
from exercises.view import link_to
from figures.markup import Child, Element, el
from figures.model import Share, bar
from figures.views import FIGURE_VIEWS
from figures.words import counted
from pagedkv.configs.fits import what_fits
from pagedkv.configs.quantities import size
from pagedkv.configs.report import report
from pagedkv.configs.totals import BATCHED_TOKENS, Deployment

_LONGEST_NAME = 40  # that the widget's line has room for


def result(choice: Choice, trouble: Trouble | None) -> Iterator[Element]:
    """Yield the parts of the figures. After a refusal the first of them says that they are from before."""
    deployment, wish = choice.deployment, choice.wish
    found = report(deployment, wish)
    tokens, chats = wish.tokens or 1, wish.chats or 1
    gpus = deployment.tp * deployment.pp
    yield el("h2", "What it takes, and what fits")
    yield from old_figures(choice, trouble)
    yield el("p", in_words(choice), key="settings", class_="kv-on-paper")
    yield _figures(found, tokens, chats, many=gpus > 1, block=deployment.block_size)
    share = Share(wish.memory or 0, -(-(wish.weights or 0) // gpus), found["bytes_in_blocks"], chats)
    headline, *more = said = what_fits(deployment, wish)
    yield el("div", [bar(share, view, says=headline) for view in FIGURE_VIEWS], class_="kv-pair")
    yield el("p", headline, key="fits", class_="kv-fits")
    yield el("ul", [el("li", one) for one in more], key="more", class_="kv-more")
    yield el(
        "p",
        "The picture, from the left: the weights, pale, if they are known; each chat in blocks, solid; what "
        "is free, dashed. The line is where the memory of one GPU ends.",
        key="picture",
        class_="kv-soft",
    )
    if notes := [note for note in found["notes"] if note not in {*choice.model.notes, *said}]:
        yield el("ul", [el("li", note) for note in notes], class_="kv-notes")
    yield el("div", _ways_on(choice), class_="kv-buttons")


def old_figures(choice: Choice, trouble: Trouble | None) -> Iterator[Element]:
    """Yield a sentence where figures do not belong to what was entered last, and say whose they are."""
    if trouble is None:
        return
    if trouble.form == "file":
        said = f"Not of your file, which was not taken: what stands here is still {shown_name(choice)}."
    else:
        said = (
            "Not up to date: these figures are from before. Mend the field that is marked, and they follow."
        )
    yield el("p", said, key="old", class_="kv-old")


def shown_name(choice: Choice) -> str:
    """Return what a model is called on the page.

    >>> shown_name(Choice())
    'Llama 3.1 8B'
    """
    return (
        choice.name if choice.config is None else f"Your model: {choice.model.model_type or 'no type given'}"
    )


def _figures(found: dict[str, Any], tokens: int, chats: int, *, many: bool, block: int) -> Element:
    keys = [("A token, in layers that keep every token", "full_bytes_per_token")]
    if not found["full_bytes_per_token_all_ranks"]:
        keys = []
    rows = [(label, found[key], found[f"{key}_all_ranks"]) for label, key in keys]
    here = {entry["window"]: entry["bytes_per_token"] for entry in found["window_layers"]}
    rows += [
        (
            f"A token, in layers with a window, up to {entry['window']:,} tokens",
            here.get(entry["window"], 0),
            entry["bytes_per_token"],
        )
        for entry in found["window_layers_all_ranks"]
    ]
    keys = []
    if found["indexer_bytes_per_token_all_ranks"]:
        keys.append(("A token, for the indexer's keys", "indexer_bytes_per_token"))
    keys.append((f"A chat of {counted(tokens, 'token')}, ideal", "bytes_ideal"))
    keys.append((f"The same, in blocks of {block:,}", "bytes_in_blocks"))
    if here:
        batch = f"each window with room for a batch of up to {BATCHED_TOKENS:,} tokens"
        keys.append((f"The same, as vLLM reserves it: {batch}", "bytes_engine_reserved"))
    keys.append((f"{counted(chats, 'such chat')}, in blocks", "bytes_in_blocks_all_chats"))
    rows += [(label, found[key], found[f"{key}_all_ranks"]) for label, key in keys]
    heads = ("what", "on one GPU, the one that keeps most", "on all GPUs") if many else ("what", "bytes")
    cells = [
        el("tr", el("th", label, scope="row"), [el("td", size(one)) for one in values[: 1 + many]])
        for label, *values in rows
    ]
    return table("What the KV cache takes", heads, cells)


def _ways_on(choice: Choice) -> list[Child]:
    found: list[Child] = []
    if choice.link is not None:
        found += link_to("this model and these settings", choice.link)
    else:
        found.append(el("span", "This file is too long for a link.", class_="kv-soft"))
    found.append(el("a", "See it in the pool of 64 slots", href=handed_over(choice)))
    found.append(el("button", "Save as JSON", type="button", data_command='{"type": "export"}'))
    return found


def handed_over(choice: Choice) -> str:
    """Return the address of the widget with the model's name, and the bytes of a token in all of its layers.

    >>> handed_over(Choice())
    'widget.html#v=1&of=Llama%203.1%208B%20in%20bf16&kv=131072'
    """
    name = choice.name if choice.config is None else choice.model.model_type or "your model"
    cache = choice.settings["cache"]
    tokens = Deployment(choice.model, cache).bytes_per_chat(1)
    return f"widget.html#v=1&of={quote(f'{name[:_LONGEST_NAME]} in {cache}')}&kv={tokens}"
