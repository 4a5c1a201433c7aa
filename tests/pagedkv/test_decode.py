"""Key/value pairs computed with a cache and without, and the equal outputs of both ways."""

import numpy as np
import pytest

from pagedkv import InvalidSize, decode_both_ways, pairs_with_cache, pairs_without_cache
from tests.pagedkv import facts


@pytest.mark.parametrize(("steps", "row"), facts.CACHE_PAIRS.items())
def test_the_formulas_give_the_table_of_the_lesson(steps: int, row: tuple[int, int, str]) -> None:
    without, kept, ratio = row
    assert (pairs_without_cache(steps), pairs_with_cache(steps)) == (without, kept)
    assert f"{pairs_without_cache(steps) / pairs_with_cache(steps):.1f}" == ratio


@pytest.mark.parametrize(("steps", "row"), facts.CACHE_PAIRS.items())
def test_a_run_counts_the_pairs_of_the_table(steps: int, row: tuple[int, int, str]) -> None:
    run = decode_both_ways(steps)
    assert (run.pairs_without, run.pairs_with) == row[:2]


@pytest.mark.parametrize("steps", range(12))
def test_without_a_cache_each_step_computes_all_pairs_so_far(steps: int) -> None:
    assert pairs_without_cache(steps) == sum(range(steps + 1))
    assert pairs_with_cache(steps) == steps


@pytest.mark.parametrize("seed", range(3))
def test_both_ways_decode_the_same_outputs(seed: int) -> None:
    run = decode_both_ways(40, model_dim=6, head_dim=5, seed=seed)
    assert run.outputs_with.shape == run.outputs_without.shape == (40, 5)
    np.testing.assert_allclose(run.outputs_with, run.outputs_without, rtol=0, atol=1e-12)
    assert run.largest_difference == np.abs(run.outputs_with - run.outputs_without).max()


def test_the_outputs_depend_on_what_is_decoded() -> None:
    first, second = decode_both_ways(5, seed=0), decode_both_ways(5, seed=1)
    assert not np.allclose(first.outputs_with, second.outputs_with)
    assert len({tuple(row) for row in first.outputs_with.tolist()}) == 5


@pytest.mark.parametrize("wrong", [-1, 1.0, True, "ten", None])
def test_the_formulas_refuse_what_is_no_count(wrong: object) -> None:
    for formula in (pairs_without_cache, pairs_with_cache):
        with pytest.raises(InvalidSize, match="n is"):
            formula(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [0, -1, 1.0, True])
def test_a_run_refuses_sizes_that_are_no_counts(wrong: int) -> None:
    with pytest.raises(InvalidSize, match="n is"):
        decode_both_ways(wrong)
    with pytest.raises(InvalidSize, match="model_dim is"):
        decode_both_ways(2, model_dim=wrong)
    with pytest.raises(InvalidSize, match="head_dim is"):
        decode_both_ways(2, head_dim=wrong)
