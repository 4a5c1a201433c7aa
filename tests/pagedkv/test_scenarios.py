"""The states behind the figures and the widget's start, in both layouts, against the lesson."""

from dataclasses import replace

from pagedkv.operations import Arrive, Settings
from pagedkv.scenarios import SCENARIOS
from pagedkv.side_by_side import replay
from tests.pagedkv import facts
from tests.pagedkv.sessions import counters, kinds, new_way, old_way, runs, tables

POOLS = {
    "start": Settings(num_slots=64, reserve=24, block_size=4),
    "reserve-vs-blocks": Settings(num_slots=20, reserve=8, block_size=2),
    "holes": Settings(num_slots=32, reserve=12, block_size=4),
    "worked-example": Settings(num_slots=32, reserve=12, block_size=4),
    "block-table": Settings(num_slots=32, reserve=12, block_size=4),
    "free-list": Settings(num_slots=32, reserve=12, block_size=4),
    "prefix-sharing": Settings(num_slots=24, reserve=8, block_size=4),
}


def test_the_scenarios_state_the_pool_of_the_lesson() -> None:
    assert {name: SCENARIOS[name].settings for name in POOLS} == POOLS
    assert all(name == scenario.name for name, scenario in SCENARIOS.items())


def test_figures_3_and_4_are_the_worked_example_after_steps_5_and_7() -> None:
    for name, step in (("block-table", 5), ("free-list", 7)):
        assert SCENARIOS[name].opens_at == step
        assert SCENARIOS[name].operations == SCENARIOS["worked-example"].operations


def test_every_other_scenario_opens_at_its_end() -> None:
    for name in SCENARIOS.keys() - {"block-table", "free-list"}:
        assert SCENARIOS[name].opens_at == len(SCENARIOS[name].operations)


def test_start_shuts_c_out_in_the_old_way_only() -> None:
    assert SCENARIOS["start"].operations == (Arrive("A", 6), Arrive("B", 3), Arrive("C", 5))
    model, _ = SCENARIOS["start"].run()
    assert runs(model) == {"A": (0, 24, 6), "B": (24, 24, 3), "C": (None, 24, 0)}
    assert counters(model, "contiguous") == (9, 39, 16, 16, 1)
    assert tables(model) == {"A": [0, 1], "B": [2], "C": [3, 4]}
    assert counters(model, "paged") == (14, 6, 44, 44, 0)


def test_figure_1_old_way_holds_two_chats_and_the_third_waits() -> None:
    model, _ = SCENARIOS["reserve-vs-blocks"].run()
    assert runs(model) == {"1": (0, 8, 3), "2": (8, 8, 5), "3": (None, 8, 0)}
    assert (old_way(model, "3")["state"], old_way(model, "3")["wanted"]) == ("waiting", 4)
    assert counters(model, "contiguous") == (8, 8, 4, 4, 1)


def test_figure_1_new_way_holds_all_three_and_wastes_two_slots() -> None:
    model, _ = SCENARIOS["reserve-vs-blocks"].run()
    assert tables(model) == {"1": [0, 3], "2": [1, 4, 6], "3": [2, 5]}
    assert {chat: new_way(model, chat)["tokens"] for chat in "123"} == {"1": 3, "2": 5, "3": 4}
    assert counters(model, "paged") == (12, 2, 6, 6, 0)
    assert model.snapshot()["paged"]["free_list"] == [7, 8, 9]


def test_figure_2_a_wastes_fourteen_slots() -> None:
    model, _ = SCENARIOS["holes"].run(3)
    assert runs(model) == {"R1": (0, 12, 5), "R2": (12, 8, 3), "R3": (20, 8, 6)}
    assert counters(model, "contiguous") == (14, 14, 4, 4, 0)


def test_figure_2_b_has_two_holes_and_room_for_twelve_but_not_in_a_row() -> None:
    model, _ = SCENARIOS["holes"].run(4)
    assert model.snapshot()["contiguous"]["holes"] == [[12, 8], [28, 4]]
    assert counters(model, "contiguous") == (11, 9, 12, 8, 0)
    model, steps = SCENARIOS["holes"].run()
    (refused,) = steps[4]["contiguous"]
    assert (refused["kind"], refused["chat"], refused["reason"]) == ("queued", "R4", "no_hole")
    assert old_way(model, "R4")["size"] == 12
    assert counters(model, "contiguous") == (11, 9, 12, 8, 1)


def test_figure_2_new_way_takes_the_newcomer_at_once() -> None:
    model, _ = SCENARIOS["holes"].run()
    assert tables(model) == {"R1": [0, 1], "R3": [3, 4], "R4": [5]}
    assert model.snapshot()["paged"]["free_list"] == [6, 7, 2]


def test_worked_example_lets_c_wait_in_the_old_way_until_b_finishes() -> None:
    states = [
        old_way(SCENARIOS["worked-example"].run(step)[0], "C")["state"]
        for step in range(3, len(facts.WORKED_EXAMPLE))
    ]
    assert states == ["waiting"] * 4 + ["running"] * 2
    model, steps = SCENARIOS["worked-example"].run(7)
    assert kinds(steps[-1]["contiguous"]) == [("finished", "B"), ("admitted", "C")]
    assert runs(model) == {"A": (0, 12, 9), "C": (12, 12, 5)}
    model, _ = SCENARIOS["worked-example"].run()
    assert runs(model) == {"A": (0, 12, 9), "C": (12, 12, 9)}


def test_figure_3_finds_token_eight_in_logical_block_two_and_physical_block_five() -> None:
    model, _ = SCENARIOS["worked-example"].run(5)
    cells = list(model.paged.blocks.slots("A"))
    assert (len(cells), model.paged.blocks.tables["A"][2]) == (9, 5)
    assert cells[8] == (5, 0)
    assert cells[7] == (1, 3)


def test_figure_4_gives_back_blocks_two_and_six() -> None:
    before, _ = SCENARIOS["worked-example"].run(6)
    after, steps = SCENARIOS["worked-example"].run(7)
    assert before.snapshot()["paged"]["free_list"] == [7]
    assert after.snapshot()["paged"]["free_list"] == [7, 2, 6]
    (finished,) = steps[-1]["paged"]
    assert (finished["kind"], finished["chat"], finished["blocks"]) == ("finished", "B", [2, 6])


def test_figure_5_copies_everything_in_the_old_way_and_one_block_in_the_new() -> None:
    model, steps = SCENARIOS["prefix-sharing"].run()
    assert runs(model) == {"S1": (0, 8, 7), "S2": (8, 8, 7)}
    assert counters(model, "contiguous") == (14, 2, 8, 8, 0)
    assert tables(model) == {"S1": [0, 2], "S2": [0, 1]}
    assert counters(model, "paged") == (10, 2, 12, 12, 0)
    assert [event["copies"] for step in steps for event in step["paged"]] == [[], [], [[1, 2]], []]


def test_quiz_d_takes_the_blocks_that_b_gave_back() -> None:
    model, _ = SCENARIOS["worked-example"].run()
    model.apply(Arrive("D", 5))
    blocks = model.paged.blocks
    assert (blocks.tables["D"], list(blocks.free_list)) == ([2, 6], [])
    assert len(blocks.tables["D"]) * 4 - blocks.lengths["D"] == 3
    assert list(blocks.slots("D"))[4] == (6, 0)


def test_a_prefix_of_a_scenario_is_the_state_at_that_step() -> None:
    scenario = SCENARIOS["worked-example"]
    model, _ = scenario.run(0)
    for step, operation in enumerate(scenario.operations):
        assert scenario.run(step)[0].snapshot() == model.snapshot()
        model.apply(operation)


def test_out_of_blocks_writes_two_of_four_tokens_and_lets_the_newcomer_wait() -> None:
    model, steps = SCENARIOS["out-of-blocks"].run()
    (wrote,) = steps[4]["paged"]
    assert (wrote["chat"], wrote["asked"], wrote["tokens"]) == ("B", 4, 2)
    assert wrote["reason"] == "out_of_blocks"
    assert tables(model) == {
        "A": [0, 1, 2, 3, 4, 15],
        "B": [5, 6, 7, 8, 9],
        "C": [10, 11, 12, 13, 14],
        "D": [],
    }
    assert counters(model, "paged") == (24 + 20 + 17, 3, 0, 0, 1)
    assert counters(model, "contiguous") == (24 + 22, 2, 16, 16, 2)


def test_blocks_of_sixteen_shut_out_the_chat_that_blocks_of_one_let_in() -> None:
    scenario = SCENARIOS["block-sizes"]
    model, _ = scenario.run()
    assert counters(model, "paged") == counters(model, "contiguous") == (31, 33, 0, 0, 1)
    model, _ = replay(replace(scenario.settings, block_size=1), scenario.operations)
    assert counters(model, "paged") == (34, 0, 30, 30, 0)
    assert counters(model, "contiguous") == (31, 33, 0, 0, 1)
