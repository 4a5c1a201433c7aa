"""The two runs that the lesson walks through, as tables of states that the rules reached.

Example:
    >>> last = worked_example()[-1]
    >>> last.event, last.tables, last.free_list, last.wasted
    ('C +4', {'A': [0, 1, 5], 'C': [3, 4, 7]}, [2, 6], 6)

What this does not do: state any of it. Both run a scenario of `pagedkv.scenarios` on the paged layout.
"""

from dataclasses import dataclass

from pagedkv.operations import Append, Arrive, Finish, Operation
from pagedkv.scenarios import PREFIX_SHARING, WORKED_EXAMPLE, Scenario
from pagedkv.side_by_side import SideBySide


@dataclass(frozen=True)
class ExampleStep:
    """The paged layout after one event.

    `tables`, `lengths`, `ref_count` and `free_list` are those of `BlockAllocator`, copied; `wasted` counts
    slots that are allocated and hold no token.

    >>> worked_example()[0].free_list
    [0, 1, 2, 3, 4, 5, 6, 7]
    """

    step: int
    event: str
    lengths: dict[str, int]
    tables: dict[str, list[int]]
    ref_count: list[int]
    free_list: list[int]
    wasted: int


def worked_example() -> list[ExampleStep]:
    """Return the worked example, start and eight events: blocks of 4 slots, 8 blocks, requests A, B and C.

    >>> for s in worked_example()[:3]:
    ...     print(s.step, s.event, s.tables, s.free_list, s.wasted)
    0 start {} [0, 1, 2, 3, 4, 5, 6, 7] 0
    1 A arrives, 6 tokens {'A': [0, 1]} [2, 3, 4, 5, 6, 7] 2
    2 B arrives, 3 tokens {'A': [0, 1], 'B': [2]} [3, 4, 5, 6, 7] 3
    """
    return _steps(WORKED_EXAMPLE)


def prefix_sharing_example() -> list[ExampleStep]:
    """Return the run with a shared start and a copy-on-write: blocks of 4, 6 blocks, sequences S1 and S2.

    >>> for s in prefix_sharing_example()[1:]:
    ...     print(s.event, s.tables, s.ref_count[:3], s.free_list)
    S1 arrives, 6 tokens {'S1': [0, 1]} [1, 1, 0] [2, 3, 4, 5]
    S2 forks S1 {'S1': [0, 1], 'S2': [0, 1]} [2, 2, 0] [2, 3, 4, 5]
    S1 +1 {'S1': [0, 2], 'S2': [0, 1]} [2, 1, 1] [3, 4, 5]
    S2 +1 {'S1': [0, 2], 'S2': [0, 1]} [2, 1, 1] [3, 4, 5]
    """
    return _steps(PREFIX_SHARING)


def _steps(scenario: Scenario) -> list[ExampleStep]:
    model = SideBySide(scenario.settings)
    steps = [_state("start", model)]
    for operation in scenario.operations:
        model.apply(operation)
        steps.append(_state(_in_words(operation), model))
    return steps


def _state(event: str, model: SideBySide) -> ExampleStep:
    paged = model.snapshot()["paged"]
    return ExampleStep(
        step=model.num_steps,
        event=event,
        lengths={chat["chat"]: chat["tokens"] for chat in paged["chats"]},
        tables={chat["chat"]: chat["table"] for chat in paged["chats"]},
        ref_count=paged["ref_count"],
        free_list=paged["free_list"],
        wasted=paged["counters"]["empty"],
    )


def _in_words(operation: Operation) -> str:
    if isinstance(operation, Arrive):
        return f"{operation.chat} arrives, {operation.tokens} tokens"
    if isinstance(operation, Append):
        return f"{operation.chat} +{operation.tokens}"
    if isinstance(operation, Finish):
        return f"{operation.chat} finishes"
    return f"{operation.chat} forks {operation.parent}"
