"""The figures of the lesson, by number.

>>> [(number, figure.name) for number, figure in FIGURES.items()][:2]
[(1, 'reserve-vs-blocks'), (2, 'contiguous')]
"""

from figures import block_table, contiguous, free_list, prefix_sharing, reserve_vs_blocks
from figures.sheet import Figure

FIGURES: dict[int, Figure] = {
    figure.number: figure
    for figure in (
        module.figure() for module in (reserve_vs_blocks, contiguous, block_table, free_list, prefix_sharing)
    )
}
