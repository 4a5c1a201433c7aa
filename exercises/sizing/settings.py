"""The form of a chat and of the GPUs, with what is wrong said at its field.

Example:
    >>> from figures.markup import write
    >>> from exercises.sizing.choice import Choice
    >>> write(settings(Choice(), None)).count('type="range"')
    2
"""

from exercises.sizing.choice import FIELDS, Choice, weights_of
from exercises.sizing.parts import Trouble, marks, wrong
from figures.markup import Child, Element, el
from pagedkv.configs.fits import HOW_TO_FIND
from pagedkv.configs.layers import FORMATS

# What sliders go through: 1, 2, 3, 4, 6, 8, 12 and so on.
_STEPS = [step for power in range(21) for step in (2**power, 3 * 2**power // 2) if step != 1 or power == 0]
SLIDERS = {"tokens": [step for step in _STEPS if step >= 64], "chats": sorted({*_STEPS[:18]})}


def settings(choice: Choice, trouble: Trouble | None) -> Element:
    """Return the form. After a refusal its fields hold what was typed, so that it can be mended there."""
    here = trouble if trouble is not None and trouble.form == "settings" else None
    return el(
        "form",
        el("h2", "A chat, and the GPUs"),
        el("div", [_field(choice, name, here) for name in FIELDS], class_="kv-fields"),
        el("p", "GB is 10^9 bytes, as weights are sold; GiB is 2^30, as GPUs count.", class_="kv-soft"),
        el("p", _formats(), class_="kv-soft"),
        novalidate=True,
        data_command='{"type": "set"}',
        data_live=True,
        class_="kv-choices",
    )


def in_words(choice: Choice) -> str:
    """Return the settings as a sentence, for paper and for pages without a form.

    >>> in_words(Choice())[:85]
    'For chats of 8,192 tokens, 10 at once; 80 GiB of memory in each GPU, weights of 16 GB'
    """
    own, wish = choice.settings, choice.wish
    weights = f"weights of {own['weights']}" if own["weights"] else "weights not given"
    if _is_estimate(choice):
        weights += " (an estimate, 2 bytes for each parameter)"
    return (
        f"For chats of {wish.tokens:,} tokens, {wish.chats:,} at once; {own['gpu']} of memory in each GPU, "
        f"{weights}; the cache in {own['cache']}, in blocks of {choice.deployment.block_size:,}; "
        f"TP {own['tp']}, PP {own['pp']}."
    )


def _field(choice: Choice, name: str, trouble: Trouble | None) -> Element:
    label = FIELDS[name][0]
    hint = _on_weights(choice) if name == "weights" else ""
    hint_id = f"sizing-{name}-hint"
    attributes = marks(name, trouble, hint_id if hint else "")
    typed = trouble.typed.get(name) if trouble is not None else None
    value = choice.settings[name] if typed is None else typed
    control: Child
    if name == "cache":
        options = [el("option", one, value=one, selected=one == choice.settings[name]) for one in FORMATS]
        control = el("select", options, id="sizing-cache", name=name, autocomplete="off", **attributes)
    else:
        control = el(
            "input",
            type="text",
            autocomplete="off",
            id=f"sizing-{name}",
            name=name,
            value=value,
            **attributes,
        )
    return el(
        "div",
        el("label", el("span", label), control, key=name, for_=f"sizing-{name}", class_="kv-field"),
        _slider(choice, name) if name in SLIDERS else None,
        el("p", hint, id=hint_id, key="hint", class_="kv-soft") if hint else None,
        wrong(name, trouble),
        key=f"{name}-both",
        class_="kv-both",
    )


def _on_weights(choice: Choice) -> str:
    """Say what the field holds, where the reader has not typed it, or how to find what is missing."""
    if not choice.settings["weights"]:
        return f"Not given. {HOW_TO_FIND}"
    return (
        "An estimate: 2 bytes for each of the parameters in the model's name." if _is_estimate(choice) else ""
    )


def _is_estimate(choice: Choice) -> bool:
    value = choice.settings["weights"]
    return choice.config is None and value != "" and value == weights_of(choice.name)


def _formats() -> str:
    """Say what the formats of the cache are: bytes of a number, or of 32 with their scale."""
    plain = [
        f"{name}, {size} {'byte' if size == 1 else 'bytes'}"
        for name, (size, group) in FORMATS.items()
        if group == 1
    ]
    packed = [f"{name}, {size} bytes" for name, (size, group) in FORMATS.items() if group > 1]
    groups = {group for _, group in FORMATS.values() if group > 1}
    return (
        f"Formats of the cache, by what a number takes: {'; '.join(plain)}. Those of llama.cpp keep "
        f"{min(groups)} numbers and their scale together: {'; '.join(packed)}."
    )


def _slider(choice: Choice, name: str) -> Element:
    steps, value = SLIDERS[name], getattr(choice.wish, name)
    place = min(range(len(steps)), key=lambda index: abs(steps[index] - value))
    return el(
        "input",
        type="range",
        min=0,
        max=len(steps) - 1,
        value=str(place),
        name=f"{name}-at",
        aria_label=f"{FIELDS[name][0]}, as a slider",
        aria_valuetext=f"{value:,}",
    )
