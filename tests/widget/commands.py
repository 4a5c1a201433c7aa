"""Commands as a restless reader gives them, some of them impossible."""

import random
from collections.abc import Iterator
from typing import Any

from pagedkv.scenarios import SCENARIOS

CHATS = "ABCDEFG"


def random_commands(seed: int, count: int) -> Iterator[dict[str, Any]]:
    """Yield commands, the same for the same seed."""
    rng = random.Random(seed)
    for number in range(count):
        chat = rng.choice(CHATS)
        operation = rng.choice(
            [
                {"op": "append", "chat": chat, "tokens": rng.randint(1, 6)},
                {"op": "append", "chat": chat, "tokens": 4},
                {"op": "arrive", "chat": chat, "tokens": rng.randint(1, 20)},
                {"op": "finish", "chat": chat},
                {"op": "fork", "parent": chat, "chat": rng.choice(CHATS)},
            ]
        )
        yield {"type": "operation", "operation": operation}
        if number % 5 == 4:
            yield rng.choice(
                [
                    {"type": "setting", "name": "reserve", "position": rng.randint(8, 32)},
                    {"type": "setting", "name": "block_size", "position": rng.randint(0, 4)},
                    {"type": "show", "view": rng.choice(["narrow", "wide", "broad"])},
                    {"type": "select", "chat": chat},
                    {"type": "step", "to": rng.randint(0, number + 3)},
                    {"type": "undo"},
                    {"type": "redo"},
                    {"type": "generate", "chat": chat},
                    {"type": "arrive", "tokens": rng.randint(1, 30)},
                    {"type": "look", "layout": "paged", "slot": rng.randint(0, 63)},
                    {"type": "look", "layout": "contiguous", "move": "down"},
                    {"type": "scenario", "name": rng.choice(sorted(SCENARIOS))},
                    {"type": "reset"},
                    {"type": "fork", "chat": chat},
                ]
            )
