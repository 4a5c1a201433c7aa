"""The calculator's desk: known models, links there and back, files of one's own, mistakes that differ."""

import json
import re
from typing import Any

import pytest

from exercises.calculator import Calculator
from exercises.sizing.choice import LONGEST_LINK, Choice, opened
from exercises.sizing.view import REFUSED, regions
from figures.model import KINDS, Share, in_words
from pagedkv.configs.layers import model_of
from pagedkv.configs.mistakes import mistakes, wrong_bytes
from pagedkv.configs.models import MODELS
from pagedkv.configs.totals import Deployment

NAMES = [name for name in MODELS if name not in REFUSED]


def set_(calculator: Calculator, changed: str = "", **fields: str) -> dict[str, Any]:
    fields = {name.replace("_at", "-at"): value for name, value in fields.items()}
    return dict(calculator.dispatch({"type": "set", "fields": fields, "changed": changed}))


@pytest.mark.parametrize("name", NAMES)
def test_every_known_model_is_drawn_and_its_link_opens_it(name: str) -> None:
    calculator = Calculator()
    frame = calculator.dispatch({"type": "pick", "fields": {"model": name}})
    assert frame["problem"] is None
    model = model_of(MODELS[name])
    layers = frame["regions"]["layers"]
    assert layers.count('data-key="layer-') // 2 >= len(model.layers)
    assert frame["link"] is not None
    assert opened(frame["link"]) == calculator.choice
    for layer in model.layers:
        assert layer.kind in KINDS
        for field in layer.fields:
            assert field in layers or not layer.keeps_tokens


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_the_same_model_and_so_is_its_link(name: str) -> None:
    calculator = Calculator()
    noise = {"vocab_size": 1, "junk": {"a": [1, 2]}}
    frame = calculator.dispatch({"type": "read", "text": json.dumps({**MODELS[name], **noise})})
    assert frame["problem"] is None
    assert calculator.choice.model.layers == model_of(MODELS[name]).layers
    assert "vocab_size" not in json.dumps(calculator.choice.config)
    assert len(frame["link"] or "") < LONGEST_LINK
    again = opened(frame["link"] or "")
    assert again.model.layers == calculator.choice.model.layers
    assert again.model.notes == calculator.choice.model.notes


def test_a_slider_moves_its_field_and_only_a_rest_changes_the_link() -> None:
    calculator = Calculator()
    command = {"type": "set", "fields": {"tokens-at": "0", "tokens": "8192"}, "changed": "tokens-at"}
    assert calculator.dispatch({**command, "moving": True})["link"] is None
    assert calculator.choice.settings["tokens"] == "64"
    assert calculator.dispatch(command)["link"] == "v=1&model=llama-3-1-8b&tokens=64"
    assert set_(calculator, "tokens", tokens="100", tokens_at="9")["problem"] is None
    assert calculator.choice.settings["tokens"] == "100"


@pytest.mark.parametrize(
    "fields",
    [
        *({"tokens": ""}, {"tokens": "0"}, {"chats": "1e3"}, {"gpu": "80"}, {"gpu": "80G"}),
        *(
            {"weights": "-1GB"},
            {"cache": "int3"},
            {"tp": "0"},
            {"pp": "33"},
            {"block": "9999999"},
            {"x": "1"},
        ),
    ],
    ids=str,
)
def test_a_wrong_setting_changes_nothing(fields: dict[str, str]) -> None:
    calculator = Calculator()
    before = calculator.regions()
    frame = set_(calculator, **fields)
    if fields == {"gpu": "80"}:  # 80 bytes: a size, in which nothing fits
        assert "nothing is left" in frame["regions"]["result"]
        return
    assert frame["problem"]
    assert frame["regions"] == before


@pytest.mark.parametrize(
    "link", ["v=1&config=AAAA", "v=1&config=%", "v=1&config=", "v=1&tokens=x", "v=2", "v=1&model=<b>"]
)
def test_links_that_lead_nowhere(link: str) -> None:
    frame = Calculator().dispatch({"type": "open", "link": link})
    assert (frame["problem"] or "").startswith("The link cannot be opened. ")


def test_what_waits_and_what_does_not_fit_is_said() -> None:
    calculator = Calculator()
    assert "65 chats of 8,192 tokens fit" in calculator.regions()["result"]
    assert "35 have to wait" in set_(calculator, chats="100")["regions"]["result"]
    assert "weights alone" in set_(calculator, gpu="8 GiB")["regions"]["result"]


def test_ranks_are_shown_apart() -> None:
    found = set_(Calculator(), tp="4")["regions"]["result"]
    assert "on one GPU, the one that keeps most" in found
    assert "32,768 B = 32 KiB" in found
    assert "131,072 B = 128 KiB" in found


@pytest.mark.parametrize("name", NAMES)
def test_every_mistake_gives_another_figure(name: str) -> None:
    right = Deployment(model_of(MODELS[name]))
    wrong = {one.name: wrong_bytes(one, right, 100_000) for one in mistakes(right.model)}
    assert wrong
    assert right.bytes_per_chat(100_000) not in wrong.values()


def test_known_mistakes_have_their_known_size() -> None:
    right = Deployment(model_of(MODELS["DeepSeek V3"]))
    wrong = {one.name: wrong_bytes(one, right, 1) for one in mistakes(right.model)}
    assert wrong["the latent vector twice"] == 2 * 70_272
    # 128 heads with keys of 192 and values of 128, over 61 layers.
    assert wrong["keys and values of every head"] == 61 * 128 * (192 + 128) * 2
    gemma = Deployment(model_of(MODELS["Gemma 3 27B"]))
    overlooked = next(one for one in mistakes(gemma.model) if one.name == "windows overlooked")
    assert wrong_bytes(overlooked, gemma, 131_072) == 131_072 * (81_920 + 425_984)


def test_a_text_from_a_file_is_never_markup() -> None:
    config = {**MODELS["Llama 2 7B"], "model_type": "<img src=x>"}
    calculator = Calculator()
    calculator.dispatch({"type": "read", "text": json.dumps(config)})
    assert "<img" not in "".join(calculator.regions().values())


def test_the_picture_says_what_it_shows() -> None:
    assert in_words(["linear", "linear", "full"]) == "3 layers, from the first to the last: 2 linear, full."
    assert Share(100, 20, 10, 3).total == 50
    aria = re.findall(r'aria-label="([^"]*)"', regions(Choice(), 0)["result"])
    assert any("fit beside the weights" in one for one in aria)
