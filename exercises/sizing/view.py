"""The calculator as markup: the model to choose, its layers, and common mistakes, with the parts beside them.

Example:
    >>> from exercises.sizing.choice import Choice
    >>> sorted(regions(Choice(), 0))
    ['choose', 'layers', 'mistakes', 'result', 'settings']
"""

import json
from collections.abc import Iterator

from exercises.sizing.choice import OWN, Choice
from exercises.sizing.parts import Trouble, explained, marks, table, wrong
from exercises.sizing.result import old_figures, result, shown_name
from exercises.sizing.settings import settings
from figures.markup import Element, el, write
from figures.model import KINDS, sample, strip
from figures.views import FIGURE_VIEWS
from figures.words import counted
from pagedkv.configs.layers import FORMATS, Layer
from pagedkv.configs.mistakes import in_times, mistakes, wrong_bytes
from pagedkv.configs.models import MODELS, SOURCES
from pagedkv.configs.quantities import in_units, size
from pagedkv.configs.report import report

REFUSED = ("DeepSeek V4 Flash",)


def regions(choice: Choice, taken: int, trouble: Trouble | None = None) -> dict[str, str]:
    """Return region name -> markup.

    Args:
        choice: what the reader chose.
        taken: how many files were taken so far: the field to paste into is empty after each.
        trouble: what was refused last, if nothing has been taken since.
    """
    return {
        "choose": "".join(map(write, _choose(choice, taken, trouble))),
        "layers": "".join(map(write, _layers(choice, trouble))),
        "settings": write(settings(choice, trouble)),
        "result": "".join(map(write, result(choice, trouble))),
        "mistakes": "".join(map(write, _mistakes(choice, trouble))),
    }


def _choose(choice: Choice, taken: int, trouble: Trouble | None) -> Iterator[Element]:
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
                **marks("text", trouble),
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
        key="own",
        # What was pasted stays in sight, to be mended.
        open=trouble is not None and trouble.form == "file",
        class_="kv-own",
    )
    # Outside of what may be folded away: a file may be dropped while it is.
    yield from wrong("text", trouble)


def _layers(choice: Choice, trouble: Trouble | None) -> Iterator[Element]:
    model = choice.model
    kinds = [layer.kind for layer in model.layers]
    yield el("h2", shown_name(choice))
    if trouble is not None and trouble.form == "file":
        yield from old_figures(choice, trouble)
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
                explained(
                    f"{counted(len(layers), 'layer')}, {until}",
                    "from " + ", ".join(("num_hidden_layers", *one.fields)),
                ),
                el("td", f"{len(layers)} × {numbers} × {each}"),
                el("td", size(whole)),
            )
        )
    return table(
        "Layers × KV heads × (key + value) × bytes of a number",
        ("layers", "product", "a token, each kept once"),
        rows,
    )


def _mistakes(choice: Choice, trouble: Trouble | None) -> Iterator[Element]:
    tokens = choice.wish.tokens or 1
    right = choice.deployment.bytes_per_chat(tokens)
    rows = []
    for one in mistakes(choice.model):
        wrong_size = wrong_bytes(one, choice.deployment, tokens)
        if wrong_size != right and right:
            rows.append(
                el(
                    "tr",
                    explained(one.name, one.says),
                    el("td", in_units(wrong_size)),
                    el("td", in_times(wrong_size, right)),
                )
            )
    yield el("h2", "Common mistakes, and what they would give")
    yield from old_figures(choice, trouble)
    yield el(
        "p", f"Right for a chat of {counted(tokens, 'token')} on one GPU: {in_units(right)}.", key="right"
    )
    yield table("Wrong figures for the same chat", ("mistake", "wrong figure", "off by"), rows)


def as_file(choice: Choice) -> str:
    """Return all figures as JSON text.

    >>> json.loads(as_file(Choice()))["full_bytes_per_token"]
    131072
    """
    return json.dumps(report(choice.deployment, choice.wish), indent=2) + "\n"
