"""The plot of a measurement: share of a copy's bandwidth over batch and length, and over block size.

Example:
    >>> from kernels.measure import Row, Workload
    >>> rows = [Row(Workload(8, 4096, 16, "float16"), {"fast": 0.5, "plain": 2.0}, {})]
    >>> [series for series, points in shares(rows, 1e12).items()]
    ['fast', 'plain']

Needs matplotlib, when it draws.
"""

import importlib
from collections.abc import Sequence
from typing import Any

from kernels.measure import Row

# Told apart without colour, too.
MARKERS = "osD^vP"


def shares(rows: Sequence[Row], copied: float) -> dict[str, list[tuple[str, float]]]:
    """Return name of a contestant -> (words for the workload, share in percent), in the order of the rows.

    >>> from kernels.measure import Workload
    >>> row = Row(Workload(8, 4096, 16, "float16"), {"fast": 1.0}, {})
    >>> shares([row], 1e12)
    {'fast': [('8 x 4096', 13.43...)]}
    """
    found: dict[str, list[tuple[str, float]]] = {}
    for row in rows:
        workload = row.workload
        words = f"{workload.num_requests} {'up to' if workload.is_mixed else 'x'} {workload.length}"
        for name in row.milliseconds:
            found.setdefault(name, []).append((words, 100 * row.share(name, copied)))
    return found


def plot(rows: Sequence[Row], copied: float) -> Any:
    """Return a figure: batches and lengths at blocks of 16, and beside it block sizes at one batch."""
    pyplot = importlib.import_module("matplotlib.pyplot")
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4), sharey=True, layout="constrained")
    dtype = rows[0].workload.dtype
    plain_rows = [row for row in rows if row.workload.dtype == dtype]
    counts = [(row.workload.num_requests, row.workload.length, row.workload.is_mixed) for row in plain_rows]
    swept = next((each for each in counts if counts.count(each) > 1), None)
    by_batch = [row for row, each in zip(plain_rows, counts, strict=True) if each != swept]
    by_block = [row for row, each in zip(plain_rows, counts, strict=True) if each == swept]
    for (name, points), marker in zip(shares(by_batch, copied).items(), MARKERS, strict=False):
        left.plot(*zip(*points, strict=True), marker=marker, label=name)
    for name, marker in zip(shares(by_block, copied), MARKERS, strict=False):
        chosen = [row for row in by_block if name in row.milliseconds]
        sizes = [str(row.workload.block_size) for row in chosen]
        right.plot(sizes, [100 * row.share(name, copied) for row in chosen], marker=marker, label=name)
    left.set(title="Requests and their length, blocks of 16", ylabel="% of a copy's bandwidth", ylim=(0, 105))
    if swept is not None:
        right.set(title=f"Block size, {swept[0]} requests of {swept[1]} tokens", xlabel="slots per block")
    left.tick_params(axis="x", rotation=30)
    for axes in (left, right):
        axes.grid(alpha=0.3)
        if axes.lines:
            axes.legend()
    return figure
