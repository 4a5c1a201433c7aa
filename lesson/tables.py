"""The tables of the lesson, in Markdown, from the runs of `pagedkv.examples` and `pagedkv.proof`.

Example:
    >>> print(TABLES["worked-example"]().splitlines()[3])
    | 1 | A arrives, 6 tokens | 6, -, - | A [0, 1] | 2 3 4 5 6 7 | 2 |
"""

from collections.abc import Callable, Iterable, Sequence

from pagedkv.examples import ExampleStep, prefix_sharing_example, worked_example
from pagedkv.proof import attention_proof


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table in Markdown, with bars inside the cells escaped.

    >>> print(markdown_table(["block", "slots"], [[0, "a|b"]]))
    | block | slots |
    | --- | --- |
    | 0 | a\\|b |
    """
    lines = [list(header), ["---"] * len(header), *(list(map(str, row)) for row in rows)]
    lines[2:] = [[cell.replace("|", "\\|") for cell in line] for line in lines[2:]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def worked_example_table() -> str:
    """Return the worked example, a row per event.

    >>> worked_example_table().splitlines()[-1]
    '| 8 | C +4 | 9, -, 9 | A [0, 1, 5], C [3, 4, 7] | 2 6 | 6 |'
    """
    steps = worked_example()
    chats = _chats(steps)
    return markdown_table(
        ["step", "event", f"tokens of {', '.join(chats)}", "block tables", "free list", "empty slots"],
        (
            (
                step.step,
                step.event,
                ", ".join(str(step.lengths.get(chat, "-")) for chat in chats),
                _tables(step),
                _list(step.free_list),
                step.wasted,
            )
            for step in steps
        ),
    )


def prefix_sharing_table() -> str:
    """Return the run with a shared start, a row per event; the first is the arrival.

    >>> prefix_sharing_table().splitlines()[3]
    '| S2 forks S1 | S1 [0, 1], S2 [0, 1] | 2, 2, 0 | 2 3 4 5 |'
    """
    steps = prefix_sharing_example()[1:]
    used = sorted({block for step in steps for table in step.tables.values() for block in table})
    return markdown_table(
        ["event", "block tables", f"reference counts of blocks {', '.join(map(str, used))}", "free list"],
        (
            (
                step.event,
                _tables(step),
                ", ".join(str(step.ref_count[block]) for block in used),
                _list(step.free_list),
            )
            for step in steps
        ),
    )


def attention_proof_table() -> str:
    """Return how far attention through the table is from attention over a flat array, a row per block size.

    >>> attention_proof_table().splitlines()[0]
    '| block size | largest difference |'
    """
    return markdown_table(
        ["block size", "largest difference"],
        (
            (run.block_size, f"{run.largest_difference:.0e}" if run.largest_difference else "0")
            for run in attention_proof()
        ),
    )


TABLES: dict[str, Callable[[], str]] = {
    "worked-example": worked_example_table,
    "prefix-sharing": prefix_sharing_table,
    "attention-proof": attention_proof_table,
}


def _chats(steps: Iterable[ExampleStep]) -> list[str]:
    return list(dict.fromkeys(chat for step in steps for chat in step.tables))


def _tables(step: ExampleStep) -> str:
    return ", ".join(f"{chat} {table}" for chat, table in step.tables.items()) or "none"


def _list(blocks: Sequence[int]) -> str:
    return " ".join(map(str, blocks)) or "empty"
