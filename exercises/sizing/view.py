"""The calculator as markup: the model to choose, its layers, the settings, the figures, and common mistakes.

Example:
    >>> from exercises.sizing.choice import Choice
    >>> sorted(regions(Choice(), 0))
    ['choose', 'layers', 'mistakes', 'result', 'settings']
"""

import json
from collections.abc import Iterator
from urllib.parse import quote

from exercises.sizing.choice import FIELDS, OWN, Choice
from exercises.view import link_to
from figures.markup import Child, Element, el, write
from figures.model import KINDS, Share, bar, sample, strip
from figures.views import FIGURE_VIEWS
from figures.words import counted
from pagedkv.configs.layers import FORMATS, Layer
from pagedkv.configs.mistakes import in_times, mistakes, wrong_bytes
from pagedkv.configs.models import MODELS, SOURCES
from pagedkv.configs.report import report
from pagedkv.configs.totals import Deployment
from pagedkv.sizes import in_binary_units

# What sliders go through: 1, 2, 3, 4, 6, 8, 12 and so on.
_STEPS = [step for power in range(21) for step in (2**power, 3 * 2**power // 2) if step != 1 or power == 0]
SLIDERS = {"tokens": [step for step in _STEPS if step >= 64], "chats": sorted({*_STEPS[:18]})}
REFUSED = ("DeepSeek V4 Flash",)


def regions(choice: Choice, taken: int) -> dict[str, str]:
    """Return region name -> markup.

    Args:
        choice: what the reader chose.
        taken: how many files were taken so far: the field to paste into is empty after each.
    """
    return {
        "choose": "".join(map(write, _choose(choice, taken))),
        "layers": "".join(map(write, _layers(choice))),
        "settings": write(_settings(choice)),
        "result": "".join(map(write, _result(choice))),
        "mistakes": "".join(map(write, _mistakes(choice))),
    }


def size(num_bytes: int) -> str:
    """Return bytes as they are, and in a larger unit where one fits.

    >>> size(131072), size(12)
    ('131,072 B = 128 KiB', '12 B')
    """
    binary = in_binary_units(num_bytes)
    return f"{num_bytes:,} B" if num_bytes < 1024 else f"{num_bytes:,} B = {binary}"


def _choose(choice: Choice, taken: int) -> Iterator[Element]:
    names = [name for name in MODELS if name not in REFUSED]
    options = [el("option", name, value=name, selected=name == choice.name) for name in names]
    own = el("option", OWN, value="", selected=True, disabled=True) if choice.config is not None else None
    yield el(
        "form",
        el(
            "label",
            el("span", "A well-known model"),
            el("select", own, options, name="model", id="sizing-model", autocomplete="off"),
            for_="sizing-model",
            class_="kv-field",
        ),
        data_command='{"type": "pick"}',
        data_live=True,
        class_="kv-choices",
    )
    yield el(
        "details",
        el("summary", "Or a config.json of yours: paste, drop or choose it"),
        el(
            "form",
            el("label", "The text of the file", for_="sizing-text"),
            el(
                "textarea",
                id="sizing-text",
                name="text",
                rows=6,
                spellcheck="false",
                autocomplete="off",
                placeholder='{"num_hidden_layers": 32, ...}',
            ),
            el(
                "div",
                el("button", "Read it", type="submit", class_="kv-main"),
                el(
                    "label",
                    "Choose a file",
                    el("input", type="file", accept=".json,application/json", data_file=True),
                    class_="kv-file",
                ),
                class_="kv-buttons",
            ),
            el(
                "p",
                "You can also drop the file anywhere on this calculator. It stays in this browser.",
                class_="kv-soft",
            ),
            key=f"own-{taken}",
            data_command='{"type": "read"}',
        ),
        class_="kv-own",
    )


def _layers(choice: Choice) -> Iterator[Element]:
    model = choice.model
    kinds = [layer.kind for layer in model.layers]
    yield el(
        "h2", choice.name if choice.config is None else f"Your model: {model.model_type or 'no type given'}"
    )
    yield el("div", [strip(kinds, view, name="layer") for view in FIGURE_VIEWS], class_="kv-pair")
    yield el("ul", [_legend(kind, kinds.count(kind)) for kind in KINDS if kind in kinds], class_="kv-kinds")
    yield el("h3", "The formula, with the fields of the file")
    yield formula(choice)
    if choice.config is None:
        source = f"Field values: the config.json of {SOURCES[choice.name]} on Hugging Face."
        yield el("p", source, class_="kv-soft")
    if model.notes:
        yield el("ul", [el("li", note) for note in model.notes], class_="kv-notes")


def _legend(kind: str, count: int) -> Element:
    return el(
        "li", sample(kind), el("span", f"{counted(count, 'layer')}, {kind}: {KINDS[kind][2]}"), key=kind
    )


def formula(choice: Choice) -> Element:
    """Return a row for each sort of layer: how many, the product, the fields, and the bytes.

    >>> "32 × 8 × (128 + 128) × 2 B" in write(formula(Choice()))
    True
    """
    groups: dict[tuple[object, ...], list[Layer]] = {}
    for layer in choice.model.layers:
        if layer.keeps_tokens:
            alike = (layer.kind, layer.window, layer.kv_heads, layer.key_size, layer.value_size, layer.latent)
            groups.setdefault(alike, []).append(layer)
    dtype = choice.settings["cache"]
    wide, group = FORMATS[dtype]
    each = f"{wide} B" if group == 1 else f"{wide}/{group} B"
    rows = []
    for layers in groups.values():
        one = layers[0]
        numbers = f"{one.latent}" if one.latent else f"{one.kv_heads} × ({one.key_size} + {one.value_size})"
        whole = sum(layer.bytes_per_token(dtype) for layer in layers)
        until = "every token" if one.window is None else f"each of the last {one.window:,} tokens"
        rows.append(
            el(
                "tr",
                _explained(
                    f"{counted(len(layers), 'layer')}, {until}",
                    "from " + ", ".join(("num_hidden_layers", *one.fields)),
                ),
                el("td", f"{len(layers)} × {numbers} × {each}"),
                el("td", size(whole)),
            )
        )
    return _table(
        "Layers × KV heads × (key + value) × bytes of a number",
        ("layers", "product", "a token, on all GPUs together"),
        rows,
    )


def _explained(name: str, why: str) -> Element:
    """Return the head of a row, with a line on it below: a column for that would not fit a phone."""
    return el("th", name, " ", el("small", why), scope="row")


def _table(caption: str, heads: tuple[str, ...], rows: list[Element]) -> Element:
    return el(
        "div",
        el(
            "table",
            el("caption", caption),
            el("thead", el("tr", [el("th", head, scope="col") for head in heads])),
            el("tbody", rows),
            class_="kv-numbers",
        ),
        class_="kv-scroll",
        tabindex="0",
        role="region",
        aria_label=caption,
    )


def _settings(choice: Choice) -> Element:
    fields = [_slider(choice, name) for name in SLIDERS]
    for name, (label, _) in FIELDS.items():
        if name not in SLIDERS:
            fields.append(_cache(choice) if name == "cache" else _text(name, label, choice.settings[name]))
    return el(
        "form",
        el("h2", "A chat, and the GPUs"),
        el("div", fields, class_="kv-fields"),
        el("p", "GB is 10^9 bytes, as weights are sold; GiB is 2^30, as GPUs count.", class_="kv-soft"),
        novalidate=True,
        data_command='{"type": "set"}',
        data_live=True,
        class_="kv-choices",
    )


def _text(name: str, label: str, value: str) -> Element:
    return el(
        "label",
        el("span", label),
        el("input", type="text", autocomplete="off", id=f"sizing-{name}", name=name, value=value),
        key=name,
        for_=f"sizing-{name}",
        class_="kv-field",
    )


def _cache(choice: Choice) -> Element:
    options = [el("option", one, value=one, selected=one == choice.settings["cache"]) for one in FORMATS]
    return el(
        "label",
        el("span", FIELDS["cache"][0]),
        el("select", options, id="sizing-cache", name="cache", autocomplete="off"),
        key="cache",
        for_="sizing-cache",
        class_="kv-field",
    )


def _slider(choice: Choice, name: str) -> Element:
    steps, value = SLIDERS[name], int(choice.settings[name])
    place = min(range(len(steps)), key=lambda index: abs(steps[index] - value))
    return el(
        "div",
        _text(name, FIELDS[name][0], choice.settings[name]),
        el(
            "input",
            type="range",
            min=0,
            max=len(steps) - 1,
            value=str(place),
            name=f"{name}-at",
            aria_label=f"{FIELDS[name][0]}, as a slider",
            aria_valuetext=f"{value:,}",
        ),
        key=f"{name}-both",
        class_="kv-both",
    )


def _result(choice: Choice) -> Iterator[Element]:
    deployment, wish = choice.deployment, choice.wish
    found = report(deployment, wish)
    tokens, chats = wish.tokens or 1, wish.chats or 1
    many = deployment.tp * deployment.pp > 1
    yield el("h2", "What it takes, and what fits")
    yield _figures(found, tokens, chats, many=many, block=deployment.block_size)
    share = Share(
        wish.memory or 0, -(-wish.weights // (deployment.tp * deployment.pp)), found["bytes_in_blocks"], chats
    )
    says = _fits(share, found["max_chats"], found["max_tokens"], tokens)
    yield el("div", [bar(share, view, says=says) for view in FIGURE_VIEWS], class_="kv-pair")
    yield el("p", says, class_="kv-fits")
    yield el(
        "p",
        "From the left: the weights, pale; each chat, solid; what is free, dashed. The line is where the "
        "memory of one GPU ends. Servers also keep a few GiB for their own work, which is not drawn.",
        class_="kv-soft",
    )
    if notes := [note for note in found["notes"] if note not in choice.model.notes]:
        yield el("ul", [el("li", note) for note in notes], class_="kv-notes")
    yield el("div", _ways_on(choice), class_="kv-buttons")


def _figures(found: dict[str, object], tokens: int, chats: int, *, many: bool, block: int) -> Element:
    windows = found["window_layers"]
    rows: list[tuple[str, str]] = [("A token, in layers that keep every token", "full_bytes_per_token")]
    if found["indexer_bytes_per_token"]:
        rows.append(("A token, for the indexer's keys", "indexer_bytes_per_token"))
    rows.append((f"A chat of {tokens:,} tokens, ideal", "bytes_ideal"))
    rows.append((f"The same, in blocks of {block}", "bytes_in_blocks"))
    if windows:
        rows.append(("The same, as vLLM reserves it: windows hold a batch as well", "bytes_engine_reserved"))
    rows.append((f"{chats:,} such chats, in blocks", "bytes_in_blocks_all_chats"))
    heads = ("what", "on one GPU, the one that keeps most", "on all GPUs") if many else ("what", "bytes")
    cells = []
    for label, key in rows:
        values = [found[key], found[f"{key}_all_ranks"]] if many else [found[key]]
        cells.append(
            el("tr", el("th", label, scope="row"), [el("td", size(int(str(one)))) for one in values])
        )
    return _table("What the KV cache takes", heads, cells)


def _fits(share: Share, most: int | None, longest: int | None, tokens: int) -> str:
    room = share.memory - share.weights
    if room <= 0:
        return "The weights alone fill the GPU: nothing is left for a cache."
    number = "Any number of chats" if most is None else counted(most, "chat")
    fit = "fits" if most == 1 else "fit"
    single = "without end" if longest is None else f"up to {longest:,} tokens"
    more = ""
    if most is not None and share.chats > most:
        more = f" Of the {share.chats:,} wished for, {share.chats - most:,} have to wait."
    return (
        f"{number} of {tokens:,} tokens {fit} beside the weights, in {in_binary_units(room)} of each GPU."
        f"{more} A single chat may grow {single}."
    )


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
    'widget.html#v=1&of=Llama%203.1%208B&kv=131072'
    """
    name = choice.name if choice.config is None else choice.model.model_type or "your model"
    tokens = Deployment(choice.model, choice.settings["cache"]).bytes_per_chat(1)
    return f"widget.html#v=1&of={quote(name)}&kv={tokens}"


def _mistakes(choice: Choice) -> Iterator[Element]:
    tokens = choice.wish.tokens or 1
    right = choice.deployment.bytes_per_chat(tokens)
    rows = []
    for one in mistakes(choice.model):
        wrong = wrong_bytes(one, choice.deployment, tokens)
        if wrong != right and right:
            rows.append(
                el(
                    "tr",
                    _explained(one.name, one.says),
                    el("td", in_binary_units(wrong)),
                    el("td", in_times(wrong, right)),
                )
            )
    yield el("h2", "Common mistakes, and what they would give")
    yield el("p", f"Right for a chat of {tokens:,} tokens on one GPU: {in_binary_units(right)}.")
    yield _table("Wrong figures for the same chat", ("mistake", "wrong figure", "off by"), rows)


def as_file(choice: Choice) -> str:
    """Return all figures as JSON text.

    >>> json.loads(as_file(Choice()))["full_bytes_per_token"]
    131072
    """
    return json.dumps(report(choice.deployment, choice.wish), indent=2) + "\n"
