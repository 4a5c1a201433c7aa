"""An invented workload that a reader states, and how many of its requests fit a pool at once.

Example:
    >>> fitting = admitted(Workload())
    >>> fitting.run.requests, [(size, fit.requests) for size, fit in fitting.blocks.items()][:2]
    (256, [(1, 495), (2, 489)])

Lengths are whole numbers from `lowest` to `highest`, all equally likely, drawn from the seed
(`exercises.seeds`). Requests are admitted in order, each at its final length, until the first that does not
fit. That is about memory and says nothing about speed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from exercises.seeds import Draw
from figures.admitted import Column
from figures.words import counted
from pagedkv.capacity import Admitted, admitted_contiguous, admitted_paged

BLOCK_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)


@dataclass(frozen=True)
class Workload:
    """What a reader states: lengths in tokens, the pool and the old way's runs in slots, and how many come.

    >>> Workload().reserve
    64
    """

    lowest: int = 4
    highest: int = 64
    slots: int = 16_384
    reserve: int = 64
    count: int = 1000
    seed: int = 0

    @property
    def lengths(self) -> list[int]:
        """The requests' final lengths, in order of their arrival.

        >>> Workload(lowest=3, highest=3, count=2).lengths
        [3, 3]
        """
        draw = Draw("workload", self.seed)
        return [draw.between(self.lowest, self.highest) for _ in range(self.count)]


@dataclass(frozen=True)
class Fitting:
    """What fits: the old way with a run for each, and the new way by block size. `offered` came in all."""

    run: Admitted
    blocks: dict[int, Admitted]
    offered: int

    @property
    def columns(self) -> list[Column]:
        """The columns of the chart.

        >>> admitted(Workload(count=1)).columns[0]
        Column(label='run', requests=1, is_run=True)
        """
        return [
            Column("run", self.run.requests, is_run=True),
            *(Column(str(size), fit.requests) for size, fit in self.blocks.items()),
        ]


def fitting(lengths: Sequence[int], slots: int, reserve: int) -> Fitting:
    """Run the rules of both ways over some lengths.

    >>> fitting([5, 9, 3], slots=256, reserve=100).run.requests
    2
    """
    return Fitting(
        run=admitted_contiguous(lengths, slots, reserve),
        blocks={size: admitted_paged(lengths, slots, size) for size in BLOCK_SIZES if size <= slots},
        offered=len(lengths),
    )


def admitted(workload: Workload) -> Fitting:
    """Run the rules of both ways over a workload.

    >>> admitted(Workload(count=3)).offered
    3
    """
    return fitting(workload.lengths, workload.slots, workload.reserve)


def why_level(lengths: Sequence[int], slots: int, found: Fitting) -> str:
    """Return why the smallest blocks admit no more than larger ones do, where that is so; else nothing.

    >>> why_level([10, 10, 30], 32, fitting([10, 10, 30], 32, 16))[:77]
    'Sizes 1 to 16 all admit 2 requests. Request 3 has 30 tokens. With blocks of 1'
    """
    smallest, *larger = found.blocks
    first = found.blocks[smallest]
    level = [smallest]
    for size in larger:
        if found.blocks[size].requests != first.requests:
            break
        level.append(size)
    if len(level) < 2 or first.requests == len(lengths):
        return ""
    last, needs = found.blocks[level[-1]], lengths[first.requests]
    return (
        f"Sizes {level[0]} to {level[-1]} all admit {counted(first.requests, 'request')}. "
        f"Request {first.requests + 1} has {needs:,} tokens. With blocks of {level[0]} nothing is empty, and "
        f"{slots - first.tokens:,} are left: too few. Blocks of {level[-1]} leave {last.wasted:,} slots "
        "empty. They come out of those that are left over anyway, so nobody is turned away."
    )
