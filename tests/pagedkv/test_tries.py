"""What the lesson tells a reader to try is run; where it comes out otherwise, the build stops."""

import pytest

from pagedkv.tries import ClaimBroken, tries


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"fits": 24}, "With 24 slots reserved per chat, C waits, and the page says that all chats fit."),
        ({"shut_out": 16}, "With 16 slots reserved per chat, nobody waits, and the page says that C waits."),
        ({"more_tokens": 2}, "With 2 more tokens A takes 0 blocks, and the page says one."),
    ],
)
def test_what_the_reader_is_told_to_try_is_tried(change: dict[str, int], sentence: str) -> None:
    with pytest.raises(ClaimBroken) as stopped:
        list(tries(**change))
    assert str(stopped.value) == sentence
