"""The answers to the questions, reckoned in other ways than the code: by arithmetic on what a question says.

Nothing here imports a rule of `pagedkv` or a question. What a reader is told, text and picture, goes in; the
answers come out.
"""

import re
from typing import Any

from exercises.question import Question

Answers = dict[str, Any]


def numbers_in(text: str) -> list[int]:
    return [int(word.replace(",", "")) for word in re.findall(r"\d[\d,]*\d|\d", text)]


def full_pool(question: Question) -> Answers:
    assert question.snapshot is not None
    slots, need = numbers_in(question.story)
    owner = [""] * slots
    used = 0
    for chat in question.snapshot["contiguous"]["chats"]:
        if chat["start"] is None:
            continue
        for slot in range(chat["start"], chat["start"] + chat["size"]):
            assert owner[slot] == ""
            owner[slot] = chat["chat"]
        used += chat["tokens"]
    free = owner.count("")
    row = max(map(len, re.findall(" +", "".join(name[:1] or " " for name in owner))), default=0)
    assert row < need
    (size,) = numbers_in(question.parts[2].prompt)
    return {
        "why": "holes" if free >= need else "reserved",
        "empty": slots - free - used,
        "bound": size - 1,
    }


def long_start(question: Question) -> Answers:
    chats, tokens, size = numbers_in(question.story)
    held = -(-tokens // size)
    is_full = tokens % size == 0
    return {
        "before": held,
        "write": "new-block" if is_full else "copy-last",
        "after": held + 1,
        "refs": chats if is_full else chats - 1,
    }


def model_bytes(question: Question) -> Answers:
    config = dict(question.table)
    bits = int(config["torch_dtype"].removeprefix("float"))
    per_token = (
        bits
        * 2
        * int(config["num_hidden_layers"])
        * int(config["num_key_value_heads"])
        * int(config["head_dim"])
        // 8
    )
    (tokens,) = numbers_in(question.parts[1].prompt)
    return {"token": per_token, "chat": tokens * per_token}


def arrival(question: Question) -> Answers:
    assert question.snapshot is not None
    size = question.snapshot["paged"]["block_size"]
    tokens, *free = numbers_in(question.story)
    taken = free[: (tokens + size - 1) // size]
    (position,) = numbers_in(question.parts[3].prompt)
    entry, slot = divmod(position, size)
    return {
        "table": tuple(taken),
        "free": len(free) - len(taken),
        "empty": len(taken) * size - tokens,
        "block": taken[entry],
        "slot": slot,
    }


def copied_block(question: Question) -> Answers:
    assert question.snapshot is not None
    tokens = numbers_in(re.sub(r"S\d", "", question.story))[0]
    writers = re.findall(r"(S\d)(?: writes| does)", question.story)
    counts = question.snapshot["paged"]["ref_count"]
    start = next(chat["table"] for chat in question.snapshot["paged"]["chats"] if chat["chat"] == writers[0])
    size = question.snapshot["paged"]["block_size"]
    assert all(counts[block] == len(writers) for block in start)
    return {"copied": (start[tokens // size],), "why": "full", "copies": len(writers) - 1}


BY_NUMBER = {1: full_pool, 2: long_start, 3: model_bytes, 4: arrival, 5: copied_block}
