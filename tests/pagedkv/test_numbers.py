"""Every number that the lesson quotes: under its name, with the text that a page prints."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pagedkv import LLAMA_3_8B
from pagedkv.numbers import numbers
from pagedkv.quote import Number
from pagedkv.sources import CITED, SOURCES, Cited
from tests.pagedkv import facts

ROOT = Path(__file__).parents[2]

CITED_TEXTS = {
    "earlier.token_share.lowest": "20.4 %",
    "earlier.token_share.highest": "38.2 %",
    "vllm.token_share": "96.3 %",
    "vllm.throughput.lowest": "2",
    "vllm.throughput.highest": "4",
    "vllm.block_size": "16 tokens",
    "opt_13b.rounded.per_token": "800 KB",
    "opt_13b.rounded.per_request": "1.6 GB",
    "opt_13b.rounded.tokens": "2,048",
    "llama_3_8b.layers": "32",
    "llama_3_8b.kv_heads": "8",
    "llama_3_8b.query_heads": "32",
    "llama_3_8b.hidden_size": "4,096",
    "llama_3_8b.context": "8,192",
    "llama_3_8b.weights": "8 billion",
    "tensorrt_llm.block_size.lowest": "8",
    "tensorrt_llm.block_size.highest": "128",
}

SIZE_TEXTS = {
    "llama_3_8b.bytes_per_token": "131,072",
    "llama_3_8b.per_token": "128 KiB",
    "llama_3_8b.for_1000": "125 MiB",
    "llama_3_8b.for_context": "1 GiB",
    "llama_3_8b.for_ten_contexts": "10 GiB",
    "llama_3_8b.for_long_context": "16 GiB",
    "llama_3_8b.weights_gb": "16 GB",
    "long_context.tokens": "131,072",
    "opt_13b.bytes_per_token": "819,200",
    "opt_13b.per_token": "800 KiB",
    "opt_13b.for_context": "1.5625 GiB",
    "opt_13b.for_long_context": "100 GiB",
    "quiz_model.bytes_per_token": "24,576",
    "quiz_model.per_token": "24 KiB",
    "quiz_model.bytes_for_2000": "49,152,000",
    "quiz_model.for_2000": "46.9 MiB",
}

CACHE_TEXTS = {
    f"cache.{steps}.{name}": text
    for steps, (without, kept, ratio) in facts.CACHE_PAIRS.items()
    for name, text in (("without", f"{without:,}"), ("with", f"{kept:,}"), ("ratio", ratio))
}

STATE_TEXTS = {
    "start.num_slots": "64",
    "start.reserve": "24",
    "start.block_size": "4",
    "start.prompt_a": "6",
    "start.prompt_b": "3",
    "start.prompt_c": "5",
    "start.contiguous.used": "9",
    "start.contiguous.empty": "39",
    "start.contiguous.free": "16",
    "start.contiguous.largest_hole": "16",
    "start.paged.used": "14",
    "start.paged.empty": "6",
    "start.paged.free": "44",
    "start.paged.largest_hole": "44",
    "figure_1.num_slots": "20",
    "figure_1.reserve": "8",
    "figure_1.block_size": "2",
    "figure_1.old_way.wasted": "8",
    "figure_1.old_way.free": "4",
    "figure_1.new_way.wasted": "2",
    "figure_1.chat_1.tokens": "3",
    "figure_1.chat_2.tokens": "5",
    "figure_1.chat_3.tokens": "4",
    "figure_2.num_slots": "32",
    "figure_2.running.empty": "14",
    "figure_2.after.free": "12",
    "figure_2.after.first_hole": "8",
    "figure_2.after.second_hole": "4",
    "figure_2.refused": "12",
    "figure_3.tokens": "9",
    "figure_3.position": "8",
    "figure_3.logical_block": "2",
    "figure_3.physical_block": "5",
    "figure_3.slot": "0",
    "quiz.d.tokens": "5",
    "quiz.d.table": "2 6",
    "quiz.d.free_list_length": "0",
    "quiz.d.empty": "3",
    "quiz.d.last.position": "4",
    "quiz.d.last.block": "6",
    "quiz.d.last.slot": "0",
}

CAPACITY_TEXTS = {
    "capacity.pool": "16 GiB",
    "capacity.num_slots": "131,072",
    "capacity.reserve": "8,192",
    "capacity.block_size": "16",
    "capacity.workload.requests": "500",
    "capacity.workload.lowest": "100",
    "capacity.workload.highest": "2,000",
    "capacity.contiguous.requests": "16",
    "capacity.contiguous.used_share": "12.9 %",
    "capacity.paged.requests": "122",
    "capacity.times_as_many": "7.6",
    "capacity.paged.allocated": "130,800",
    "capacity.paged.wasted": "913",
    "capacity.paged.wasted_share": "0.7 %",
}

PROOF_TEXTS = {
    "proof.length_a": "13",
    "proof.length_b": "7",
    "proof.head_dim": "4",
    "random.seeds": "5",
    "random.operations_per_seed": "400",
    "random.checks": "2,000",
}


def joined(values: list[int]) -> str:
    return " ".join(map(str, values))


def table_texts() -> dict[str, str]:
    """Return the rows of both examples as pages print them."""
    texts = {"worked.block_size": "4", "worked.num_blocks": "8"}
    for step, row in enumerate(facts.WORKED_EXAMPLE):
        texts[f"worked.{step}.event"] = row.event
        texts[f"worked.{step}.free_list"] = joined(row.free_list)
        texts[f"worked.{step}.wasted"] = str(row.wasted)
        texts[f"worked.{step}.tokens"] = ", ".join(f"{rid} {n}" for rid, n in row.lengths.items()) or "none"
        tables = " ".join(f"{rid}{table}" for rid, table in row.tables.items())
        texts[f"worked.{step}.tables"] = tables or "none"
    for step, prefix_row in enumerate(facts.PREFIX_SHARING, start=1):
        texts[f"prefix.{step}.event"] = prefix_row.event
        texts[f"prefix.{step}.free_list"] = joined(prefix_row.free_list)
        texts[f"prefix.{step}.ref_count"] = joined([*prefix_row.ref_count, 0, 0, 0])
        tables = " ".join(f"{rid}{table}" for rid, table in prefix_row.tables.items())
        texts[f"prefix.{step}.tables"] = tables
    return texts


TEXTS = {
    **CITED_TEXTS,
    **SIZE_TEXTS,
    **CACHE_TEXTS,
    **STATE_TEXTS,
    **CAPACITY_TEXTS,
    **PROOF_TEXTS,
    **table_texts(),
}


@pytest.fixture(scope="module")
def found() -> dict[str, Number]:
    return numbers()


@pytest.mark.parametrize(("name", "text"), TEXTS.items())
def test_the_number_is_there_and_written_as_on_the_page(
    name: str, text: str, found: dict[str, Number]
) -> None:
    assert found[name].text == text


@pytest.mark.parametrize(("name", "text"), TEXTS.items())
def test_value_and_text_say_the_same(name: str, text: str, found: dict[str, Number]) -> None:
    value = found[name].value
    if isinstance(value, str) or name in {"llama_3_8b.weights_gb", "vllm.block_size"}:
        return
    figure, _, unit = text.partition(" ")
    scale = {"KiB": facts.KIB, "MiB": facts.MIB, "GiB": facts.GIB}.get(unit, 1)
    assert value / scale == pytest.approx(float(figure.replace(",", "")), abs=0.051)


def test_a_name_that_is_not_there_is_an_error_and_no_number(found: dict[str, Number]) -> None:
    with pytest.raises(KeyError):
        found["llama_3_8b.per_tokens"]


def test_a_name_given_twice_stops_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CITED, "worked.block_size", Cited(4, "4", "vllm-paper", "nowhere"))
    with pytest.raises(AssertionError, match=r"worked\.block_size is given twice"):
        numbers()


def test_every_number_says_how_it_came_about(found: dict[str, Number]) -> None:
    for name, number in found.items():
        assert number.text, name
        assert number.origin.startswith("cited: ") == (name in CITED), name
        assert len(number.origin) > 5, name


def test_no_size_is_written_in_units_of_a_thousand_unless_it_is_cited(found: dict[str, Number]) -> None:
    decimal = {name for name, number in found.items() if number.text.endswith(("KB", "MB", "GB"))}
    assert decimal == {
        "opt_13b.rounded.per_token",
        "opt_13b.rounded.per_request",
        "llama_3_8b.weights_gb",  # 8 billion weights, 2 bytes each
    }


def test_proofs_report_differences_below_the_bound(found: dict[str, Number]) -> None:
    differences = [number.value for name, number in found.items() if name.endswith("largest_difference")]
    assert len(differences) == 3 + 3
    assert all(isinstance(value, float) and 0 <= value < 1e-12 for value in differences)


def test_one_layer_more_changes_every_size_of_that_model() -> None:
    """No size may be typed in."""
    more = numbers(replace(LLAMA_3_8B, n_layers=33))
    expected = {
        "llama_3_8b.bytes_per_token": 135_168,
        "llama_3_8b.bytes_for_1000": 135_168_000,
        "llama_3_8b.for_context": 1_107_296_256,
        "llama_3_8b.for_ten_contexts": 11_072_962_560,
        "llama_3_8b.for_long_context": 17_716_740_096,
        "capacity.num_slots": 127_100,
        "capacity.contiguous.requests": 15,
    }
    assert {name: more[name].value for name in expected} == expected
    assert more["llama_3_8b.per_token"].text == "132 KiB"
    assert more["llama_3_8b.for_long_context"].text == "16.5 GiB"
    assert more["opt_13b.per_token"].text == "800 KiB"


def test_every_cited_fact_names_a_source_with_an_address() -> None:
    for name, fact in CITED.items():
        assert SOURCES[fact.source].url.startswith("https://"), name
        assert fact.where, name


def printed_by(*arguments: str) -> str:
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_both_commands_print_every_number_with_its_name(found: dict[str, Number]) -> None:
    printed = printed_by("pagedkv", "numbers")
    assert printed_by("pagedkv.numbers") == printed
    lines = [line.split(maxsplit=1) for line in printed.splitlines()]
    assert [name for name, _ in lines] == list(found)
    for name, rest in lines:
        assert rest.startswith(found[name].text), name
        assert rest.endswith(f"({found[name].origin})"), name


@pytest.mark.parametrize("arguments", [(), ("nonsense",)])
def test_the_command_line_says_what_it_can_do(arguments: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "pagedkv", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "numbers" in done.stderr
