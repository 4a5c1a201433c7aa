"""What the measurement reckons, without a GPU: bytes, shares, the table, the plot; and that it says so."""

from typing import Any

import pytest

from benchmarks.gpu import main
from kernels.device import has_gpu
from tests.kernels.running import needing_triton

measure = needing_triton("kernels.measure")
plots = needing_triton("kernels.plot")
checks = needing_triton("kernels.checks")
mpl = needing_triton("matplotlib")


def test_the_bytes_are_those_of_keys_values_queries_outputs_and_tables() -> None:
    workload = measure.Workload(2, 17, 16, "float16", num_heads=4, num_kv_heads=2, head_dim=64)
    keys_and_values = 2 * 17 * 2 * 2 * 64 * 2
    queries_and_outputs = 2 * 2 * 4 * 64 * 2
    entries = 2 * 2 * 4
    assert measure.needed_bytes(workload) == keys_and_values + queries_and_outputs + entries


def test_an_8_bit_cache_moves_half_as_much() -> None:
    wide, small = (measure.Workload(64, 8192, 16, dtype) for dtype in ("bfloat16", "float8_e4m3fn"))
    assert 0.5 < measure.needed_bytes(small) / measure.needed_bytes(wide) < 0.51


@pytest.mark.parametrize("card", [(7, 5), (8, 0), (8, 9), (9, 0)])
def test_what_is_measured_covers_batches_lengths_and_block_sizes(card: tuple[int, int]) -> None:
    found = measure.workloads(card)
    assert {workload.block_size for workload in found} >= {1, 8, 16, 32, 64, 128}
    assert {workload.num_requests for workload in found} >= {1, 64, 256}
    assert len({workload.length for workload in found}) >= 5
    assert any(workload.is_mixed for workload in found)
    assert {workload.dtype for workload in found} <= set(checks.cache_types())


def invented_rows() -> list[Any]:
    return [
        measure.Row(workload, {"fast": 1.0 + number, "plain": 5.0 + number}, {})
        for number, workload in enumerate(measure.workloads((9, 0)))
    ]


def test_the_table_has_a_line_per_workload_and_a_dash_for_what_is_missing() -> None:
    rows = invented_rows()
    rows[1].milliseconds["vLLM"] = rows[1].milliseconds["fast"]
    lines = measure.table(rows, 4e12).splitlines()
    assert len(lines) == 2 + len(rows)
    assert "4,000 GB/s" in lines[0]
    assert [name in lines[1] for name in ("fast", "plain", "vLLM")] == [True] * 3
    assert lines[2].endswith(" -")
    assert lines[3].endswith(" %   1.00x")
    assert len({len(line) for line in lines[1:]}) == 1


def test_the_plot_shows_both_kernels_over_batch_and_over_block_size() -> None:
    mpl.use("agg")
    figure = plots.plot(invented_rows(), 4e12)
    left, right = figure.axes
    assert [line.get_label() for line in left.lines] == [line.get_label() for line in right.lines]
    assert [text.get_text() for text in right.get_xticklabels()] == ["1", "8", "16", "32", "64", "128"]
    of_one_type = [row for row in measure.workloads((9, 0)) if row.dtype == "bfloat16"]
    assert len(left.lines[0].get_xdata()) == len(of_one_type) - 6


@pytest.mark.skipif(has_gpu(), reason="there is a GPU, and it would be measured")
def test_without_a_gpu_nothing_is_measured_and_it_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 1
    assert capsys.readouterr().out.startswith("Benchmark skipped: no GPU.")
    with pytest.raises(RuntimeError, match="nothing to measure"):
        next(measure.measured())


def test_the_quick_check_finds_both_kernels_right() -> None:
    found = list(checks.check_all(quick=True))
    assert {one.kernel for one in found} == {"plain", "fast", "fast, split"}
    assert [one for one in found if not one.is_right] == []
