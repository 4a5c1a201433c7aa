"""Operations and settings: their JSON form, and the refusal of everything else."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagedkv import InvalidOperation
from pagedkv.operations import (
    Append,
    Arrive,
    Finish,
    Fork,
    Operation,
    Settings,
    operation_from_json,
    operation_to_json,
)
from pagedkv.side_by_side import SideBySide

FORMS: list[tuple[Operation, dict[str, Any]]] = [
    (Arrive("A", 6), {"op": "arrive", "chat": "A", "tokens": 6}),
    (Arrive("R1", 5, reserve=12), {"op": "arrive", "chat": "R1", "tokens": 5, "reserve": 12}),
    (Append("A", 4096), {"op": "append", "chat": "A", "tokens": 4096}),
    (Finish("twelve chars"), {"op": "finish", "chat": "twelve chars"}),
    (Fork("A", "ä"), {"op": "fork", "parent": "A", "chat": "ä"}),
]

NO_COUNTS = [0, -1, 4097, 10**5000, 1.0, 1.5, float("inf"), True, "4", None, [4], {}]
NO_NAMES = ["", "thirteen char", "line\n", "\x00", "\ud800", 1, None, True, ["A"], {}]

JSON_LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-2, 5000)
    | st.floats()
    | st.text(max_size=14)
    | st.sampled_from(["arrive", "append", "finish", "fork", "A"])
)
FIELDS = st.sampled_from(["op", "chat", "parent", "tokens", "reserve", "x"]) | st.text(max_size=5)
JSON = st.recursive(
    JSON_LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=4),
    max_leaves=6,
)
# Nearly right, so that many are accepted. Mapped, a union counts as one alternative.
JUNK = JSON_LEAVES.map(lambda leaf: leaf)
NAMES = st.text("AB ä", min_size=1, max_size=12) | JUNK
COUNTS = st.integers(1, 4096) | JUNK
NEARLY_RIGHT = st.one_of(
    st.fixed_dictionaries(
        {"op": st.just("arrive"), "chat": NAMES, "tokens": COUNTS}, optional={"reserve": COUNTS}
    ),
    st.fixed_dictionaries({"op": st.just("append"), "chat": NAMES, "tokens": COUNTS}),
    st.fixed_dictionaries({"op": st.just("finish"), "chat": NAMES}, optional={"x": JUNK}),
    st.fixed_dictionaries({"op": st.just("fork"), "chat": NAMES}, optional={"parent": NAMES}),
)


@pytest.mark.parametrize(("operation", "form"), FORMS)
def test_an_operation_and_its_json_form_are_one_another(operation: Operation, form: dict[str, Any]) -> None:
    assert operation_to_json(operation) == form
    assert operation_from_json(json.loads(json.dumps(form))) == operation


def test_a_reserve_of_null_is_the_settings_reserve() -> None:
    form = {"op": "arrive", "chat": "A", "tokens": 6, "reserve": None}
    assert operation_from_json(form) == Arrive("A", 6)


@given(JSON)
def test_any_json_is_a_well_formed_operation_or_refused(value: object) -> None:
    try:
        operation = operation_from_json(value)
    except InvalidOperation:
        return
    assert isinstance(value, dict)
    assert operation_to_json(operation) == {key: part for key, part in value.items() if part is not None}


@given(NEARLY_RIGHT)
def test_any_object_that_looks_like_an_operation_is_one_or_is_refused(value: dict[str, object]) -> None:
    try:
        operation = operation_from_json(value)
    except InvalidOperation:
        return
    assert operation_to_json(operation) == {key: part for key, part in value.items() if part is not None}


def deeply_nested() -> object:
    value: object = 1
    for _ in range(100_000):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (None, "An operation is an object"),
        ([], "An operation is an object"),
        ("arrive", "An operation is an object"),
        ({}, "op is None"),
        ({"op": 1}, "op is 1"),
        ({"op": ["arrive"]}, "op is "),
        ({"op": "Arrive"}, "must be one of arrive, append, finish, fork"),
        ({"op": "arrive", "chat": "A"}, "arrive lacks the field 'tokens'"),
        ({"op": "append", "tokens": 4}, "append lacks the field 'chat'"),
        ({"op": "finish"}, "finish lacks the field 'chat'"),
        ({"op": "fork", "chat": "B"}, "fork lacks the field 'parent'"),
        ({"op": "finish", "chat": "A", "tokens": 1}, "finish has the unknown field 'tokens'"),
        ({"op": "append", "chat": "A", "tokens": 1, "reserve": 8}, "unknown field 'reserve'"),
        ({"op": "fork", "chat": "B", "parent": "A", "": 0}, "unknown field ''"),
    ],
)
def test_a_malformed_operation_is_told_what_is_wrong(value: object, says: str) -> None:
    with pytest.raises(InvalidOperation, match=says):
        operation_from_json(value)


def test_what_python_cannot_print_is_refused_all_the_same() -> None:
    for huge in (10**5000, deeply_nested()):
        append = {"op": "append", "chat": "A", "tokens": 1}
        for value in (huge, *({**append, field: huge} for field in append)):
            with pytest.raises(InvalidOperation, match="a very large"):
                operation_from_json(value)


@pytest.mark.parametrize("wrong", NO_COUNTS, ids=lambda value: type(value).__name__)
def test_a_wrong_number_is_refused_by_name(wrong: Any) -> None:  # noqa: ANN401
    with pytest.raises(InvalidOperation, match=r"^tokens is"):
        operation_from_json({"op": "arrive", "chat": "A", "tokens": wrong})
    with pytest.raises(InvalidOperation, match=r"^tokens is"):
        operation_from_json({"op": "append", "chat": "A", "tokens": wrong})
    if wrong is not None:
        with pytest.raises(InvalidOperation, match=r"^reserve is"):
            operation_from_json({"op": "arrive", "chat": "A", "tokens": 1, "reserve": wrong})
    for name in ("num_slots", "reserve", "block_size"):
        with pytest.raises(InvalidOperation, match=f"^{name} is"):
            Settings(**{name: wrong})


@pytest.mark.parametrize("wrong", NO_NAMES, ids=repr)
def test_a_wrong_name_is_refused_by_field(wrong: Any) -> None:  # noqa: ANN401
    with pytest.raises(InvalidOperation, match=r"^chat is"):
        operation_from_json({"op": "finish", "chat": wrong})
    with pytest.raises(InvalidOperation, match=r"^parent is"):
        operation_from_json({"op": "fork", "parent": wrong, "chat": "B"})


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        (Arrive, ("A", 0)),
        (Arrive, ("A", 1.5)),
        (Arrive, ("A", 6, 0)),
        (Append, ("A", -1)),
        (Append, ("", 1)),
        (Finish, (1,)),
        (Fork, ("A", None)),
    ],
)
def test_no_malformed_operation_can_be_made_in_python_either(kind: type, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(InvalidOperation):
        kind(*arguments)


def test_the_default_settings_are_those_of_the_start() -> None:
    settings = Settings()
    assert (settings.num_slots, settings.reserve, settings.block_size) == (64, 24, 4)


@pytest.mark.parametrize(
    ("num_slots", "block_size", "num_blocks"), [(64, 4, 16), (64, 16, 4), (20, 2, 10), (10, 4, 2), (8, 8, 1)]
)
def test_only_whole_blocks_count(num_slots: int, block_size: int, num_blocks: int) -> None:
    assert Settings(num_slots=num_slots, block_size=block_size).num_blocks == num_blocks


def test_a_block_larger_than_the_pool_is_refused() -> None:
    with pytest.raises(InvalidOperation, match="does not fit"):
        Settings(num_slots=7, block_size=8)


def test_numbers_of_numpy_become_plain_ones_that_json_can_hold() -> None:
    model = SideBySide(Settings(num_slots=np.int64(64), reserve=np.int32(24), block_size=np.int8(4)))  # type: ignore[arg-type]
    step = model.apply(Arrive("A", np.int64(6), reserve=np.uint8(8)))  # type: ignore[arg-type]
    assert json.loads(json.dumps([model.snapshot(), step])) == [model.snapshot(), step]
