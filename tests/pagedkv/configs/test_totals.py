"""Totals grow with tokens, add up over layers, and the reverse questions turn them round."""

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pagedkv.configs.layers import FORMATS, Model, model_of
from pagedkv.configs.totals import Deployment

COUNTS = st.integers(1, 12)


@st.composite
def models(draw: st.DrawFn) -> Model:
    types = draw(
        st.lists(st.sampled_from(["full_attention", "sliding_attention", "mamba"]), min_size=1, max_size=9)
    )
    fields: dict[str, Any] = {
        "num_hidden_layers": len(types),
        "layer_types": types,
        "num_attention_heads": draw(COUNTS),
        "num_key_value_heads": draw(COUNTS),
        "head_dim": draw(st.integers(1, 70)),
        "sliding_window": draw(st.integers(1, 300)),
    }
    if draw(st.booleans()):
        fields |= {
            "kv_lora_rank": draw(COUNTS),
            "qk_rope_head_dim": draw(COUNTS),
            "index_head_dim": draw(COUNTS),
        }
    return model_of(fields)


@st.composite
def deployments(draw: st.DrawFn) -> Deployment:
    model = draw(models())
    pp = draw(st.integers(1, min(3, len(model.layers))))
    return Deployment(
        model, draw(st.sampled_from(list(FORMATS))), draw(st.integers(1, 5)), pp, draw(st.integers(1, 33))
    )


@given(deployments(), st.integers(0, 900), st.integers(0, 900))
def test_totals_grow_with_tokens_and_with_rounding(one: Deployment, first: int, second: int) -> None:
    shorter, longer = sorted((first, second))
    for way in (one.ideal, one.in_blocks, one.reserved):
        for rank in one.ranks:
            assert one.bytes_of(rank, shorter, way) <= one.bytes_of(rank, longer, way)
        assert one.bytes_per_chat(shorter, way) <= one.bytes_on_all(shorter, way)
    assert one.bytes_per_chat(longer) <= one.bytes_on_all(longer, one.in_blocks)


@given(deployments(), st.integers(0, 900))
def test_totals_add_up_over_layers(one: Deployment, length: int) -> None:
    """Reckoned layer by layer, as models of a single one."""
    apart = 0
    for layer in one.model.layers:
        alone = Deployment(replace(one.model, layers=(layer,)), one.cache_dtype, one.tp, 1, one.block_size)
        apart += alone.bytes_on_all(length, one.in_blocks)
    assert one.bytes_on_all(length, one.in_blocks) == apart


@given(deployments(), st.integers(-5, 10**6), st.booleans())
def test_the_longest_chat_fits_and_a_longer_one_does_not(one: Deployment, room: int, in_blocks: bool) -> None:
    way = one.in_blocks if in_blocks else one.ideal
    longest = one.max_tokens(room, in_blocks=in_blocks)
    if longest is None:
        assert all(group.window is not None for rank in one.ranks for group in rank)
        assert all(one.bytes_of(rank, 10**9, way) <= room for rank in one.ranks)
        return
    assert longest == 0 or all(one.bytes_of(rank, longest, way) <= room for rank in one.ranks)
    assert any(one.bytes_of(rank, longest + 1, way) > room for rank in one.ranks)


@given(deployments(), st.integers(1, 900))
def test_the_inverse_inverts(one: Deployment, length: int) -> None:
    room = one.bytes_per_chat(length)
    longest = one.max_tokens(room, in_blocks=False)
    assert longest is None or longest >= length
    assert longest is None or one.bytes_per_chat(longest) <= room


@given(deployments(), st.integers(0, 10**6), st.integers(1, 900))
def test_so_many_chats_fit_and_not_one_more(one: Deployment, room: int, length: int) -> None:
    most = one.max_chats(room, length)
    sizes = [one.bytes_of(rank, length, one.in_blocks) for rank in one.ranks]
    if most is None:
        assert not any(sizes)
        return
    assert all(most * size <= room for size in sizes)
    assert any((most + 1) * size > room for size in sizes)
