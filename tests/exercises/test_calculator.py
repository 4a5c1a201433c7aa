"""The calculator's desk: known models, links there and back, files of one's own, mistakes that differ."""

import html
import json
import re
from typing import Any

import pytest

from exercises.calculator import Calculator
from exercises.sizing.choice import LONGEST_LINK, Choice, opened, weights_of
from exercises.sizing.view import REFUSED, regions
from figures.markup import Element
from figures.model import KINDS, Share, bar, in_words
from figures.views import FIGURE_VIEWS, View
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


def test_what_stands_beside_a_changed_field_may_be_of_the_model_before() -> None:
    # As when both presses waited for Python: the form still says what the first model's weights take.
    calculator = Calculator()
    form = dict(calculator.choice.settings)
    calculator.dispatch({"type": "pick", "fields": {"model": "Qwen2.5 7B"}})
    assert set_(calculator, "tokens", **{**form, "tokens": "100000"})["problem"] is None
    assert calculator.choice.settings == {**form, "tokens": "100000", "weights": weights_of("Qwen2.5 7B")}
    assert form["weights"] != weights_of("Qwen2.5 7B")


def test_a_field_that_was_refused_stays_as_it_was_typed_while_others_change() -> None:
    calculator = Calculator()
    assert set_(calculator, "chats", chats="x")["problem"] is not None
    refused = set_(calculator, "tokens", chats="x", tokens="100")
    assert refused["problem"] is not None
    assert calculator.trouble is not None
    assert calculator.trouble.typed == {"chats": "x", "tokens": "100"}
    assert set_(calculator, "chats", chats="3", tokens="100")["problem"] is None
    assert (calculator.choice.settings["chats"], calculator.choice.settings["tokens"]) == ("3", "100")


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
def test_a_wrong_setting_changes_nothing_and_is_said_at_its_field(fields: dict[str, str]) -> None:
    calculator = Calculator()
    before, choice = calculator.regions(), calculator.choice
    frame = set_(calculator, **fields)
    assert frame["problem"]
    assert calculator.choice == choice
    if fields == {"x": "1"}:  # no field of the page
        assert frame["regions"] == before
        return
    (name,) = fields
    settings = frame["regions"]["settings"]
    assert settings.count('aria-invalid="true"') == 1
    assert re.search(rf'aria-invalid="true" aria-describedby="[^"]*sizing-{name}-problem"', settings)
    said = re.findall(rf'<p data-key="problem" id="sizing-{name}-problem"[^>]*>([^<]*)</p>', settings)
    assert [html.unescape(one) for one in said] == [frame["problem"]]
    assert name == "cache" or f'name="{name}" value="{fields[name]}"' in settings
    for part in ("result", "mistakes"):
        assert "Not up to date" in frame["regions"][part]
        assert frame["regions"][part].replace(OLD, "") == before[part]
    right = set_(calculator, **{name: calculator.choice.settings[name]})
    assert (right["problem"], right["regions"]) == (None, before)


OLD = (
    '<p data-key="old" class="kv-old">Not up to date: these figures are from before. Mend the field that is '
    "marked, and they follow.</p>"
)


@pytest.mark.parametrize(
    "text", ["{", '{"n_layer": 12}', '{"num_hidden_layers": 2, "compress_ratios": [1, 1]}']
)
def test_a_file_that_is_refused_is_said_at_the_form_and_whose_figures_these_are(text: str) -> None:
    calculator = Calculator()
    before = calculator.regions()
    found = calculator.dispatch({"type": "read", "text": text})
    regions = found["regions"]
    assert found["problem"]
    assert 'aria-invalid="true" aria-describedby="sizing-text-problem"' in regions["choose"]
    assert "The file is not taken." in regions["choose"]
    for part in ("layers", "result", "mistakes"):
        assert "what stands here is still Llama 3.1 8B." in regions[part]
    assert "Not up to date" not in regions["settings"]
    # The next thing that is taken ends it.
    assert set_(calculator, tokens="8192")["regions"] == before
    calculator.dispatch({"type": "read", "text": text})
    taken = calculator.dispatch({"type": "read", "text": json.dumps(MODELS["Llama 2 7B"])})
    assert "not taken" not in "".join(taken["regions"].values())


def test_counts_may_have_commas_between_thousands() -> None:
    calculator = Calculator()
    frame = set_(calculator, tokens="32,768", chats="1,000")
    assert frame["problem"] is None
    assert frame["link"] == "v=1&model=llama-3-1-8b&tokens=32768&chats=1000"


def test_weights_are_labelled_for_what_they_are() -> None:
    calculator = Calculator()
    assert "An estimate: 2 bytes for each of the parameters" in calculator.regions()["settings"]
    assert "An estimate" not in set_(calculator, weights="17 GB")["regions"]["settings"]
    # Of a model whose files have fewer than 2 bytes for each, or whose name states none, nothing is claimed.
    for name in ("gpt-oss 20B", "Mixtral 8x7B", "DeepSeek V3", "Gemma 3n E4B"):
        regions = calculator.dispatch({"type": "pick", "fields": {"model": name}})["regions"]
        assert "Not given. Add up the sizes of the model's safetensors files" in regions["settings"]
        assert "beside the weights" not in regions["result"]
        assert "Without the weights: at most" in regions["result"]
    assert "Without the weights" not in set_(calculator, weights="0")["regions"]["result"]


def test_all_that_is_said_of_a_file_is_on_the_page() -> None:
    calculator = Calculator()
    config = {**MODELS["Llama 2 7B"], "mamba_d_ssm": 8, "quantization_config": {"quant_method": "x"}}
    frame = calculator.dispatch({"type": "read", "text": json.dumps(config)})
    assert "mamba_d_ssm: " in frame["regions"]["layers"]
    assert "quantization_config: " in frame["regions"]["layers"]
    assert opened(frame["link"] or "").model.notes == calculator.choice.model.notes


def test_windows_alone_have_a_row_and_none_of_nothing() -> None:
    calculator = Calculator()
    config = {**MODELS["Llama 2 7B"], "sliding_window": 4096}
    result = calculator.dispatch({"type": "read", "text": json.dumps(config)})["regions"]["result"]
    assert "up to 4,096 tokens</th><td>524,288 B = 512 KiB</td>" in result
    assert "<td>0 B</td>" not in result
    assert "As vLLM reserves it: " in result
    assert "a batch of up to 8,192 tokens" in result


def test_what_is_printed_says_for_what_the_figures_are() -> None:
    calculator = Calculator()
    result = set_(calculator, tp="2", cache="fp8", weights="", chats="1", block="1024")["regions"]["result"]
    assert (
        "For chats of 8,192 tokens, 1 at once; 80 GiB of memory in each GPU, weights not given; the cache in "
        "fp8, in blocks of 1,024; TP 2, PP 1." in result
    )
    assert ">1 such chat, in blocks<" in result
    assert "in blocks of 1,024<" in result


def test_a_division_that_servers_refuse_stands_with_the_headline() -> None:
    result = set_(Calculator(), tp="3")["regions"]["result"]
    fits, rounded = result.index('class="kv-fits"'), result.index("rounded down to 2 heads of 8")
    assert fits < rounded < result.index("Not counted: ")
    assert result.count("rounded down to 2 heads of 8") == 1


EXTREMES = [
    (memory, weights, chat, chats)
    for memory in (1, 80, 80 * 2**30, 2**60)
    for weights in (0, 1, 16 * 10**9, 2**60)
    for chat in (0, 1, 2**30, 10**12 * 131_072)
    for chats in (1, 48, 49, 384, 100_000, 1_000_000)
]


@pytest.mark.parametrize("view", FIGURE_VIEWS, ids=lambda view: view.name)
def test_no_bar_has_a_part_without_a_size_or_beyond_its_picture(view: View) -> None:
    for extreme in EXTREMES:
        for part in bar(Share(*extreme), view, says="x").children:
            assert isinstance(part, Element)
            if part.tag == "rect":
                left, width = (float(str(part.attributes[name])) for name in ("x", "width"))
                assert width > 0
                assert left >= 0
                assert left + width <= view.width + 1, extreme


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
