"""Each mutant of the kernels makes its named test fail by an assertion; unmutated, all those tests pass."""

import importlib.util
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from tests.kernels.running import MISSING
from tests.mutants import mutants
from tests.mutants.mutants import Mutant
from tests.mutants.test_mutants import FAILED_BY_ASSERTION, Outcome, copy_packages, mutate, run_tests

if importlib.util.find_spec("triton") is None:
    pytest.skip(MISSING, allow_module_level=True)

mutant = partial(mutants.mutant, package="kernels")

MUTANTS = (
    mutant(
        "an-offset-in-32-bits",
        "fast.py",
        "blocks = tl.load(entries, mask=is_token, other=0).to(tl.int64)",
        "blocks = tl.load(entries, mask=is_token, other=0)",
        "test_overflow.py::test_offsets_of_the_fast_kernel_are_64_bits_wide",
    ),
    mutant(
        "an-offset-in-32-bits-in-the-plain-kernel",
        "plain.py",
        "block = tl.load(tables_ptr + request * tables_stride + logical).to(tl.int64)",
        "block = tl.load(tables_ptr + request * tables_stride + logical)",
        "test_overflow.py::test_offsets_of_the_plain_kernel_are_64_bits_wide",
    ),
    mutant(
        "a-request-number-in-32-bits",
        "fast.py",
        "request = tl.program_id(2).to(tl.int64)",
        "request = tl.program_id(2)",
        "test_loads.py::test_every_offset_is_64_bits_wide",
    ),
    mutant(
        "a-load-without-other",
        "fast.py",
        "v = tl.load(v_at[:, None] + dims[None, :], mask=mask, other=0.0)",
        "v = tl.load(v_at[:, None] + dims[None, :], mask=mask)",
        "test_loads.py::test_every_load_is_masked_and_says_what_else",
    ),
    mutant(
        "the-last-tile-unmasked",
        "fast.py",
        "is_token = positions < stop\n",
        "is_token = positions < stop + 1\n",
        "test_kernels.py::test_the_last_tile_stops_at_the_length",
    ),
    mutant(
        "the-scores-of-the-last-tile-unmasked",
        "fast.py",
        '        scores = tl.where(is_token[None, :], scores, float("-inf"))\n',
        "",
        "test_kernels.py::test_the_last_tile_stops_at_the_length",
    ),
    mutant(
        "the-last-block-unmasked-in-the-plain-kernel",
        "plain.py",
        "is_token = (offsets < BLOCK_SIZE) & (logical * BLOCK_SIZE + offsets < length)",
        "is_token = offsets < BLOCK_SIZE",
        "test_kernels.py::test_the_last_block_of_the_plain_kernel_stops_at_the_length",
    ),
    mutant(
        "stretches-merged-without-their-log-sum-exp",
        "fast.py",
        "        p = tl.exp2(lse - m_new)\n",
        "        p = tl.where(is_used, 1.0, 0.0)\n",
        "test_kernels.py::test_stretches_are_merged_by_their_sums",
    ),
    mutant(
        "stretches-merged-without-their-largest-score",
        "fast.py",
        "tl.store(lse_ptr + row, m + tl.log2(l), mask=is_member)",
        "tl.store(lse_ptr + row, tl.log2(l), mask=is_member)",
        "test_kernels.py::test_stretches_are_merged_by_their_sums",
    ),
    mutant(
        "the-sums-so-far-are-not-scaled-down",
        "fast.py",
        "v.to(DOT_TYPE), acc * alpha[:, None],",
        "v.to(DOT_TYPE), acc,",
        "test_kernels.py::test_stretches_are_merged_by_their_sums",
    ),
    mutant(
        "a-group-reads-the-next-groups-keys",
        "reference.py",
        "heads = slice(kv_head * group, (kv_head + 1) * group)",
        "heads = slice(kv_head, kv_head + group)",
        "test_reference.py::test_it_is_the_formula",
    ),
)


def run_mutant(folder: Path, each: Mutant | None) -> Outcome:
    """Run the test of a mutant on the mutated copy; without a mutant, all the tests on a plain copy."""
    copy_packages(folder, ("kernels",))
    if each is None:
        return run_tests(folder, sorted({one.node for one in MUTANTS}))
    mutate(folder, each)
    return run_tests(folder, [each.node])


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[Mutant | None, Future[Outcome]]]:
    with ThreadPoolExecutor(max_workers=2) as pool:
        # Folders are made here, one after the other: two threads could be given the same one.
        yield {
            each: pool.submit(run_mutant, tmp_path_factory.mktemp("kernels"), each)
            for each in (None, *MUTANTS)
        }
        pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize("each", MUTANTS, ids=lambda each: each.name)
def test_the_named_test_notices_the_mutant(
    each: Mutant, outcomes: dict[Mutant | None, Future[Outcome]]
) -> None:
    outcome = outcomes[each].result()
    assert outcome.code == 1, outcome.printed
    assert FAILED_BY_ASSERTION.search(outcome.printed), outcome.printed


def test_unmutated_the_named_tests_pass(outcomes: dict[Mutant | None, Future[Outcome]]) -> None:
    outcome = outcomes[None].result()
    assert outcome.code == 0, outcome.printed
    assert "skipped" not in outcome.printed, outcome.printed
