"""Bytes per token and how sizes are written, against the lesson's arithmetic."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from pagedkv import LLAMA_3_8B, OPT_13B, InvalidSize, ModelShape, kv_bytes_per_token
from pagedkv.sizes import QUIZ_MODEL, in_binary_units
from tests.pagedkv import facts

FIELDS = ("n_layers", "n_kv_heads", "head_dim", "bytes_per_elem")


@pytest.mark.parametrize(("shape", "size"), facts.SHAPES.items())
def test_bytes_per_token_of_a_shape_given_as_attributes(
    shape: tuple[int, int, int, int], size: facts.Size
) -> None:
    assert kv_bytes_per_token(SimpleNamespace(**dict(zip(FIELDS, shape, strict=True)))) == size.num_bytes


@pytest.mark.parametrize(("shape", "size"), facts.SHAPES.items())
def test_bytes_per_token_of_a_shape_given_as_a_mapping(
    shape: tuple[int, int, int, int], size: facts.Size
) -> None:
    assert kv_bytes_per_token(dict(zip(FIELDS, shape, strict=True))) == size.num_bytes


@pytest.mark.parametrize(
    ("model", "size"),
    [
        (LLAMA_3_8B, facts.LLAMA_3_8B_PER_TOKEN),
        (OPT_13B, facts.OPT_13B_PER_TOKEN),
        (QUIZ_MODEL, facts.QUIZ_MODEL_PER_TOKEN),
        (replace(LLAMA_3_8B, n_layers=33), facts.Size(135_168, "132 KiB")),
    ],
)
def test_bytes_per_token_of_the_models_of_the_lesson(model: ModelShape, size: facts.Size) -> None:
    assert kv_bytes_per_token(model) == size.num_bytes
    assert in_binary_units(kv_bytes_per_token(model)) == size.text


@pytest.mark.parametrize("n_heads", [1, 8, 32, 64])
def test_query_heads_do_not_count(n_heads: int) -> None:
    assert kv_bytes_per_token(replace(LLAMA_3_8B, n_heads=n_heads)) == 131_072


def test_the_models_are_those_of_their_papers() -> None:
    assert (LLAMA_3_8B.n_layers, LLAMA_3_8B.n_kv_heads, LLAMA_3_8B.n_heads) == (32, 8, 32)
    assert (LLAMA_3_8B.head_dim, LLAMA_3_8B.context) == (4_096 // 32, 8_192)
    assert (OPT_13B.n_layers, OPT_13B.n_kv_heads, OPT_13B.head_dim, OPT_13B.context) == (40, 40, 128, 2_048)


@pytest.mark.parametrize(("per_token_and_tokens", "size"), facts.REQUESTS.items())
def test_sizes_of_requests_are_written_in_binary_units(
    per_token_and_tokens: tuple[int, int], size: facts.Size
) -> None:
    per_token, tokens = per_token_and_tokens
    assert per_token * tokens == size.num_bytes
    assert in_binary_units(size.num_bytes) == size.text


@pytest.mark.parametrize(
    ("num_bytes", "text"),
    [
        (0, "0 B"),
        (1_023, "1023 B"),
        (facts.KIB, "1 KiB"),
        (facts.KIB - 1, "1023 B"),
        (1_536, "1.5 KiB"),
        (facts.MIB, "1 MiB"),
        (facts.GIB, "1 GiB"),
        (2_000 * facts.GIB, "2,000 GiB"),
    ],
)
def test_the_largest_unit_that_fits_is_used(num_bytes: int, text: str) -> None:
    assert in_binary_units(num_bytes) == text


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("wrong", [0, -1, 2.0, True, "8", None])
def test_a_shape_with_a_wrong_number_is_refused_by_its_name(field: str, wrong: object) -> None:
    shape: dict[str, object] = dict.fromkeys(FIELDS, 2)
    with pytest.raises(InvalidSize, match=field):
        kv_bytes_per_token(shape | {field: wrong})


@pytest.mark.parametrize("field", FIELDS)
def test_a_shape_that_lacks_a_number_is_refused_by_its_name(field: str) -> None:
    with pytest.raises(InvalidSize, match=field):
        kv_bytes_per_token({name: 2 for name in FIELDS if name != field})
