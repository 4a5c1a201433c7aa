"""How fast the kernels are on the GPU at hand, and how that compares with what its memory can do.

Example:
    >>> needed_bytes(Workload(num_requests=64, length=8192, block_size=16, dtype="bfloat16"))  # about 2.1 GB
    2148663296

A decode step has to read every key and value once. So the question is at what share of the card's bandwidth
it does: of what a plain copy of a large buffer reaches on the same card, minutes before. (No program reaches
what the data sheet says.) What the kernels read and write beside that, such as the outputs of stretches
before they are merged, is their own affair and does not count as moved.

The protocol: a buffer larger than the L2 cache is written before each run, so that no run finds the last
one's data; CUDA events take the time, and the median counts; requests fill the chip; block tables are those
of an allocator whose blocks lie about in the pool; keys and values are random, since a card copies zeros
faster. All that is compared runs in turn, forwards and then backwards. Needs PyTorch and a GPU, except for
what is reckoned.
"""

import importlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from kernels.batch import tables_of
from kernels.cases import scattered
from kernels.device import ITEMSIZE, capability, has_gpu
from kernels.fast import paged_decode
from kernels.others import others
from kernels.plain import plain_paged_decode

FLUSHED = (
    1 << 30
)  # bytes written before each run: larger than any L2, and long enough for Python to get ahead
COPIED = 1 << 30
RUNS, SECONDS_PER_RUN = 20, 0.4  # per contestant and direction, whichever is reached first
SECONDS = 240  # after which no workload is started: the whole is to end within five minutes

Run = Callable[[], Any]


@dataclass(frozen=True)
class Workload:
    """A decode step: requests of one length, or of lengths up to it. The heads are those of Llama 3 8B."""

    num_requests: int
    length: int
    block_size: int
    dtype: str
    is_mixed: bool = False
    num_heads: int = 32
    num_kv_heads: int = 8
    head_dim: int = 128

    @property
    def lengths(self) -> list[int]:
        """Tokens per request; those of a mixed batch are spread evenly, from a sixteenth of the longest on.

        >>> Workload(4, 1600, 16, "float16", is_mixed=True).lengths
        [100, 600, 1100, 1600]
        """
        if not self.is_mixed:
            return [self.length] * self.num_requests
        return [int(each) for each in np.linspace(self.length // 16, self.length, self.num_requests)]

    def __str__(self) -> str:
        """Return the workload as a row of the table begins.

        >>> str(Workload(64, 8192, 16, "bfloat16"))
        '  64 x    8192   block  16  bfloat16     '
        """
        mixed = "<=" if self.is_mixed else "x "
        return f"{self.num_requests:4} {mixed}{self.length:7}   block {self.block_size:3}  {self.dtype:13}"


@dataclass(frozen=True)
class Row:
    """What was measured of a workload: name of the contestant -> milliseconds, and why others are missing."""

    workload: Workload
    milliseconds: dict[str, float]
    missing: dict[str, str]

    def share(self, name: str, copied_per_second: float) -> float:
        """Return which share of a copy's bandwidth a contestant reached.

        >>> workload = Workload(64, 8192, 16, "bfloat16")
        >>> Row(workload, {"fast": 1.0}, {}).share("fast", 2 * 1000 * needed_bytes(workload))
        0.5
        """
        return needed_bytes(self.workload) / (self.milliseconds[name] / 1000) / copied_per_second


def needed_bytes(workload: Workload) -> int:
    """Return the bytes that any kernel has to move: keys, values, queries, outputs and table entries."""
    numbers_per_token = 2 * workload.num_kv_heads * workload.head_dim
    cache = sum(workload.lengths) * numbers_per_token * ITEMSIZE[workload.dtype]
    queries_and_outputs = 2 * workload.num_requests * workload.num_heads * workload.head_dim * 2
    entries = sum(-(-length // workload.block_size) for length in workload.lengths)
    return cache + queries_and_outputs + 4 * entries


def workloads(card: tuple[int, int]) -> list[Workload]:
    """Return what is measured on a card of that capability: batches and lengths, block sizes, types.

    >>> {workload.dtype for workload in workloads((7, 5))}
    {'float16'}
    >>> sorted({workload.dtype for workload in workloads((9, 0))})
    ['bfloat16', 'float8_e4m3fn']
    """
    dtype = "bfloat16" if card >= (8, 0) else "float16"
    shapes = ((1, 8192), (1, 131072), (8, 4096), (16, 16384), (64, 2048), (64, 8192), (256, 1024))
    found = [Workload(requests, length, 16, dtype) for requests, length in shapes]
    found += [Workload(64, 8192, 16, dtype, is_mixed=True)]
    found += [Workload(32, 4096, block_size, dtype) for block_size in (1, 8, 16, 32, 64, 128)]
    if card >= (8, 9):
        found += [Workload(64, 8192, block_size, "float8_e4m3fn") for block_size in (16, 64)]
    return found


def copied_per_second() -> float:
    """Return the bytes per second that a plain copy moves, counting those read and those written."""
    torch = importlib.import_module("torch")
    source = torch.randint(0, 256, (COPIED,), dtype=torch.uint8, device="cuda")
    target = torch.empty_like(source)
    return 2 * COPIED / (milliseconds([lambda: target.copy_(source)])[0] / 1000)


def measured(*, with_others: bool = True, seconds: float = SECONDS) -> Iterator[Row]:
    """Yield a row per workload, until the time is up.

    Raises:
        RuntimeError: there is no GPU.
    """
    if not has_gpu():
        raise RuntimeError("There is no GPU here, so there is nothing to measure.")
    started = time.monotonic()
    for workload in workloads(capability()):
        if time.monotonic() - started > seconds:
            return
        if needed_bytes(workload) < 0.25 * importlib.import_module("torch").cuda.mem_get_info()[1]:
            yield _row(workload, with_others=with_others)


def milliseconds(runs: Sequence[Run]) -> list[float]:
    """Return the median time of each run; they take turns, forwards and then backwards."""
    torch = importlib.import_module("torch")
    flushed = torch.empty(FLUSHED, dtype=torch.uint8, device="cuda")
    for run in runs:  # compiles what is not compiled yet
        run()
    torch.cuda.synchronize()
    times: list[list[float]] = [[] for _ in runs]
    for order in (range(len(runs)), reversed(range(len(runs)))):
        for index in order:
            times[index] += _timed(torch, runs[index], flushed)
    return [median(each) for each in times]


def table(rows: Sequence[Row], copied: float) -> str:
    """Return the table: for each workload what has to be moved, then each contestant's time and share.

    The first contestant is what the others are compared with: how many times its time they take.

    >>> row = Row(Workload(64, 8192, 16, "bfloat16"), {"fast": 1.0, "plain": 4.0}, {})
    >>> print(table([row], 4e12).splitlines()[-1])
      64 x    8192   block  16  bfloat16         2148.7   1.000 ms  54 %   4.000 ms  13 %   4.00x
    """
    first, *others = dict.fromkeys(name for row in rows for name in row.milliseconds)
    head = f"{'requests x length, blocks, cache':41}{'MB moved':>10}{first:>17}"
    lines = [
        f"A copy moves {copied / 1e9:,.0f} GB/s; shares are of that, and 2x is twice as long as {first}.",
        head + "".join(f"{name:>25}" for name in others),
    ]
    for row in rows:
        line = f"{row.workload!s:41}{needed_bytes(row.workload) / 1e6:10.1f}{_cell(row, first, copied)}"
        for name in others:
            if name in row.milliseconds:
                ratio = row.milliseconds[name] / row.milliseconds[first]
                line += f"{_cell(row, name, copied)}{ratio:7.2f}x"
            else:
                line += f"{'-':>25}"
        lines.append(line)
    return "\n".join(lines)


def _cell(row: Row, name: str, copied: float) -> str:
    return f"{row.milliseconds[name]:8.3f} ms {100 * row.share(name, copied):3.0f} %"


def step_of(workload: Workload) -> tuple[Any, ...]:
    """Return (q, k_cache, v_cache, block_tables, lengths) of a workload, on the GPU."""
    torch = importlib.import_module("torch")
    torch.manual_seed(0)
    blocks = scattered(workload.lengths, workload.block_size)
    # Other kernels may look at what fills up a table, and do nothing with it: it has to be a block.
    block_tables, lengths = (torch.from_numpy(each).cuda() for each in tables_of(blocks, padding=0))
    cache_dtype = getattr(torch, workload.dtype)
    query_dtype = torch.bfloat16 if ITEMSIZE[workload.dtype] == 1 else cache_dtype
    shape = (blocks.num_blocks, workload.block_size, workload.num_kv_heads, workload.head_dim)
    k_cache, v_cache = (
        torch.randn(shape, dtype=query_dtype, device="cuda").to(cache_dtype) for _ in range(2)
    )
    queries = (workload.num_requests, workload.num_heads, workload.head_dim)
    q = torch.randn(queries, dtype=query_dtype, device="cuda")
    return q, k_cache, v_cache, block_tables, lengths


def _row(workload: Workload, *, with_others: bool) -> Row:
    arguments = step_of(workload)
    runs: dict[str, Run] = {
        "fast": lambda: paged_decode(*arguments),
        "plain": lambda: plain_paged_decode(*arguments),
    }
    missing: dict[str, str] = {}
    expected = runs["fast"]().float()
    for name, make in others().items() if with_others else ():
        # Packages of others change: one that does not work is named with its own words, and left out.
        try:
            run = make(*arguments, lengths=workload.lengths)
            # Over thousands of random values an output is small: what differs is measured by the largest.
            if (run().float() - expected).abs().max() > 0.05 * expected.abs().max():
                missing[name] = "its output differs from ours"
                continue
        except Exception as error:  # noqa: BLE001
            missing[name] = f"{type(error).__name__}: {error}".splitlines()[0][:120]
            continue
        runs[name] = run
    return Row(workload, dict(zip(runs, milliseconds(list(runs.values())), strict=True)), missing)


def _timed(torch: Any, run: Run, flushed: Any) -> list[float]:
    events: list[tuple[Any, Any]] = []
    stop = time.monotonic() + SECONDS_PER_RUN
    while len(events) < RUNS and (len(events) < 3 or time.monotonic() < stop):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        flushed.zero_()
        start.record()
        run()
        end.record()
        events.append((start, end))
        if len(events) % 5 == 0:
            torch.cuda.synchronize()
    torch.cuda.synchronize()
    return [float(start.elapsed_time(end)) for start, end in events]
