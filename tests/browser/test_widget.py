"""The live widget, pressed as a reader presses it. Expected values are the lesson's, as literals."""

import pytest
from playwright.sync_api import expect

from tests.browser.driver import Widget

pytestmark = pytest.mark.browser


def test_it_starts_with_three_chats_of_which_the_old_way_keeps_one_waiting(widget: Widget) -> None:
    assert widget.counts("contiguous") == "9 of 64 slots hold a token 39 reserved, empty 16 free C waits"
    assert widget.counts("paged") == "14 of 64 slots hold a token 6 held, empty 44 free"
    assert [widget.table(chat) for chat in "ABC"] == [[0, 1], [2], [3, 4]]
    assert widget.free_list() == list(range(5, 16))
    assert widget.letters("contiguous") == {
        **dict.fromkeys(range(6), "A"),
        **dict.fromkeys(range(24, 27), "B"),
    }
    assert widget.letters("paged") == {
        **dict.fromkeys(range(6), "A"),
        **dict.fromkeys(range(8, 11), "B"),
        **dict.fromkeys(range(12, 17), "C"),
    }


def test_at_16_slots_per_chat_all_three_fit_the_old_way(widget: Widget) -> None:
    widget.slide("reserve", 16)
    assert widget.counts("contiguous") == "14 of 64 slots hold a token 34 reserved, empty 16 free"
    assert widget.letters("contiguous")[32] == "C"
    assert widget.caption() == (
        "The same 3 steps, replayed. Old way. Each chat reserves 16 slots. All 3 chats are in. "
        "Held and empty: 34 slots."
    )
    assert widget.region("settings").locator(".kv-value").first.inner_text() == "16"


def test_at_32_slots_per_chat_c_is_shut_out_of_the_old_way(widget: Widget) -> None:
    widget.slide("reserve", 32)
    assert widget.counts("contiguous") == "9 of 64 slots hold a token 55 reserved, empty 0 free C waits"
    frame = widget.grow("A")
    assert widget.table("A") == [0, 1, 5]
    assert [event["kind"] for event in frame["contiguous"]] == ["wrote"]


@pytest.mark.parametrize(
    ("position", "size", "tables"),
    [
        (0, 1, [[0, 1, 2, 3, 4, 5], [6, 7, 8], [9, 10, 11, 12, 13]]),
        (1, 2, [[0, 1, 2], [3, 4], [5, 6, 7]]),
        (3, 8, [[0], [1], [2]]),
        (4, 16, [[0], [1], [2]]),
    ],
)
def test_the_block_size_slider_replays_the_same_chats(
    widget: Widget, position: int, size: int, tables: list[list[int]]
) -> None:
    frame = widget.slide("block_size", position)
    assert frame["snapshot"]["settings"]["block_size"] == size
    assert [widget.table(chat) for chat in "ABC"] == tables
    slider = widget.page.get_by_role("slider", name="Block size, new way")
    expect(slider).to_have_attribute("aria-valuetext", f"{size} slot{'s' if size > 1 else ''}")


def test_four_tokens_take_one_block_and_say_why(widget: Widget) -> None:
    widget.grow("A")
    assert widget.table("A") == [0, 1, 5]
    assert widget.caption() == (
        "Step 4. Old way. A writes 4 tokens into slots 6 to 9, in its reservation. "
        "New way. A writes tokens 6 to 9. Its last block fills up, so block 5 leaves the free list."
    )
    fresh = widget.region("paged").locator(".fresh")
    assert fresh.count() == 4
    assert widget.page.locator("[data-key='chat-A'] .kv-fresh").all_inner_texts() == ["5"]


def test_a_full_pool_refuses_says_so_and_changes_nothing(widget: Widget) -> None:
    frame = [widget.grow("A") for _ in range(13)][-1]
    # 64 slots: B has one block, C two, so A can have thirteen, and holds 6 + 11 x 4 + 2.
    assert frame["paged"][0]["tokens"] == 0
    assert frame["paged"][0]["reason"] == "out_of_blocks"
    assert "No block is free. A keeps its 52 tokens; nothing changed." in widget.caption()
    before = frame["snapshot"]["paged"]
    after = widget.grow("A")["snapshot"]["paged"]
    assert after == before
    assert widget.counts("paged") == "60 of 64 slots hold a token 4 held, empty 0 free"
    assert widget.region("paged").get_by_text("Free list: empty").is_visible()


def test_the_last_press_before_the_pool_is_full_writes_what_fits(widget: Widget) -> None:
    frames = [widget.grow("A") for _ in range(12)]
    assert [frame["paged"][0]["tokens"] for frame in frames] == [4] * 11 + [2]
    assert "No block is free for the other 2 tokens; nothing else changed." in widget.caption()


def test_a_reservation_that_is_full_cuts_the_reply_off(widget: Widget) -> None:
    widget.slide("reserve", 8)
    widget.grow("A")
    assert "Its reservation of 8 is full: 2 tokens not written, the reply is cut off." in widget.caption()
    assert "cut off in the old way at 8 tokens" in widget.page.locator("[data-key=chat-A]").inner_text()


def test_freed_blocks_are_used_again_and_the_waiting_chat_is_admitted(widget: Widget) -> None:
    for _ in range(13):
        widget.grow("A")
    frame = widget.finish("B")
    assert [event["kind"] for event in frame["contiguous"]] == ["finished", "admitted"]
    assert "B finishes. Its whole reservation, slots 24 to 47, is free again." in widget.caption()
    assert "C no longer waits: it reserves slots 24 to 47" in widget.caption()
    assert "B finishes. Block 2 goes back to the free list." in widget.caption()
    assert widget.free_list() == [2]
    assert widget.counts("contiguous").endswith("16 free")
    widget.grow("A")
    assert widget.table("A") == [0, 1, *range(5, 16), 2]
    assert widget.letters("paged")[8] == "A"


def test_freed_blocks_go_behind_those_that_were_free(widget: Widget) -> None:
    widget.finish("B")
    assert widget.free_list() == [*range(5, 16), 2]
    widget.finish("A")
    assert widget.free_list() == [*range(5, 16), 2, 0, 1]


def test_when_all_have_finished_it_says_how_to_go_on(widget: Widget) -> None:
    for chat in "ABC":
        widget.finish(chat)
    words = "No chat is left, and every slot is free. Start one, or reset."
    expect(widget.region("chats")).to_contain_text(words)
    assert widget.counts("paged") == "0 of 64 slots hold a token 0 held, empty 64 free"
    assert widget.region("bar").locator("button").count() == 0


def test_reset_brings_the_first_step_and_the_first_settings_back(widget: Widget) -> None:
    regions = "() => [...document.querySelectorAll('[data-region]')].map((one) => one.innerHTML)"
    first = widget.page.evaluate(regions)
    widget.slide("reserve", 10)
    widget.slide("block_size", 0)
    widget.grow("C")
    widget.finish("A")
    assert widget.page.evaluate(regions) != first
    widget.press("[data-home]")
    # All but the time bar, where the reset can be undone.
    differing = [
        (one, other) for one, other in zip(widget.page.evaluate(regions), first, strict=True) if one != other
    ]
    assert [("Undo" in one, "Undo" in other) for one, other in differing] in ([], [(True, True)])
    values = widget.page.locator("[data-setting]").evaluate_all("all => all.map(one => one.value)")
    assert values == ["24", "2"]


def test_a_fast_presser_sees_the_state_of_the_last_press(widget: Widget) -> None:
    widget.page.evaluate(
        """() => {
          const grow = document.querySelector("[data-key=chat-A] .kv-main");
          for (let press = 0; press < 5; press++) grow.click();
        }"""
    )
    expect(widget.region("caption")).to_contain_text("Step 8.")
    assert widget.table("A") == [0, 1, 5, 6, 7, 8, 9]


def test_a_slider_that_is_dragged_across_ends_where_the_hand_left_it(widget: Widget) -> None:
    widget.page.evaluate(
        """() => {
          const slider = document.querySelector("[data-setting=reserve]");
          for (let value = 24; value >= 8; value--) {
            slider.value = String(value);
            slider.dispatchEvent(new Event("input", { bubbles: true }));
          }
        }"""
    )
    expect(widget.region("settings").locator(".kv-value").first).to_have_text("8")
    expect(widget.region("caption")).to_contain_text("Each chat reserves 8 slots.")
    assert widget.page.locator("[data-setting=reserve]").input_value() == "8"
