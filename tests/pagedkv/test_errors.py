"""The one check behind every size, and what the refusals have in common."""

import numpy as np
import pytest

from pagedkv import (
    BlockAllocator,
    BlockManager,
    ContiguousPool,
    DuplicateRequest,
    InvalidOperation,
    InvalidSize,
    OutOfBlocks,
    PagedKVError,
    UnknownRequest,
    WrongShape,
)
from pagedkv.errors import shown, whole_number
from pagedkv.operations import Arrive, Finish, Settings
from pagedkv.side_by_side import SideBySide

NO_COUNTS = [
    0,
    -1,
    -(10**5000),
    1.0,
    2.5,
    float("nan"),
    float("inf"),
    True,
    False,
    None,
    "4",
    [4],
    np.float64(4),
    np.True_,
    np.array([1, 2]),
    np.array(2.5),
]


@pytest.mark.parametrize("wrong", NO_COUNTS, ids=lambda value: type(value).__name__)
def test_a_size_that_is_no_count_is_refused_by_name(wrong: int) -> None:
    with pytest.raises(InvalidSize, match=r"^num_blocks is .*whole number of at least 1"):
        BlockAllocator(wrong, 4)
    with pytest.raises(InvalidSize, match=r"^block_size is"):
        BlockAllocator(4, wrong)
    with pytest.raises(InvalidSize, match=r"^head_dim is"):
        BlockManager(4, 4, wrong)
    with pytest.raises(InvalidSize, match=r"^num_slots is"):
        ContiguousPool(wrong)
    with pytest.raises(InvalidSize, match=r"^size is"):
        ContiguousPool(8).reserve("A", wrong)


@pytest.mark.parametrize("right", [3, np.int64(3), np.uint8(3), np.array(3)], ids=repr)
def test_whole_numbers_of_any_kind_become_plain_ones(right: int) -> None:
    number = whole_number(right, "n")
    assert (type(number), number) == (int, 3)


def test_the_least_number_is_allowed_and_the_one_below_is_not() -> None:
    assert whole_number(0, "n", at_least=0) == 0
    with pytest.raises(InvalidSize, match="n is -1; it must be a whole number of at least 0"):
        whole_number(-1, "n", at_least=0)


@pytest.mark.parametrize(
    ("refusal", "builtin"),
    [
        (InvalidSize, ValueError),
        (InvalidOperation, ValueError),
        (DuplicateRequest, ValueError),
        (UnknownRequest, KeyError),
        (WrongShape, ValueError),
        (OutOfBlocks, RuntimeError),
    ],
)
def test_refusals_can_be_caught_together_and_as_what_they_are(
    refusal: type[Exception], builtin: type[Exception]
) -> None:
    assert issubclass(refusal, PagedKVError)
    assert issubclass(refusal, builtin)


def test_an_unknown_request_is_told_in_a_plain_sentence_that_names_the_known() -> None:
    blocks, pool, model = BlockAllocator(4, 4), ContiguousPool(4), SideBySide(Settings())
    for refused, sentence in (
        (lambda: blocks.append("Z"), "There is no request 'Z'. Add it first. Known: "),
        (lambda: pool.append("Z"), "There is no reservation of 'Z'. Reserve first. Known: "),
        (lambda: model.apply(Finish("Z")), "There is no chat 'Z'. Chats that are there: "),
    ):
        with pytest.raises(UnknownRequest) as caught:
            refused()
        assert str(caught.value) == sentence + "none."
    for rid in "AB":
        blocks.add_request(rid)
        pool.reserve(rid, 2)
        model.apply(Arrive(rid, 1))
    for refuse in (lambda: blocks.append("Z"), lambda: pool.append("Z"), lambda: model.apply(Finish("Z"))):
        with pytest.raises(UnknownRequest) as caught:
            refuse()
        assert str(caught.value).endswith(": 'A', 'B'.")


def test_a_value_is_shown_in_sixty_characters() -> None:
    assert shown("x" * 1000) == "'" + "x" * 59
