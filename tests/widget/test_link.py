"""Links: every form that was ever published, the way there and back, and what hostile ones get."""

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagedkv.errors import PagedKVError
from pagedkv.operations import Append, Arrive, Finish, Fork, Operation
from pagedkv.scenarios import SCENARIOS
from widget.link import read, written
from widget.story import Story

START = (Arrive("A", 6), Arrive("B", 3), Arrive("C", 5))

EXAMPLE = SCENARIOS["worked-example"].operations
FORKED = (Arrive("A", 6, 12), Fork("A", "D"), Append("D", 1))

# Links that are out in the world, as scenario, (reserve, block), operations, step.
# A line here is never changed and never removed.
Meaning = tuple[str, tuple[int, int], tuple[Operation, ...], int]
PUBLISHED: dict[str, Meaning] = {
    "": ("start", (24, 4), START, 3),
    "#v=1": ("start", (24, 4), START, 3),
    "#v=1&scenario=worked-example&step=5": ("worked-example", (12, 4), EXAMPLE, 5),
    "?scenario=holes": ("holes", (12, 4), SCENARIOS["holes"].operations, 5),
    "#v=1&reserve=16&block=8": ("start", (16, 8), START, 3),
    "#v=1&ops=~A+4,B!": ("start", (24, 4), (*START, Append("A", 4), Finish("B")), 5),
    "#v=1&ops=A:6@12,A*D,D+1&step=2": ("start", (24, 4), FORKED, 2),
    "#v=1&ops=&step=0": ("start", (24, 4), (), 0),
    "#v=1&ops=caf%C3%A9:3": ("start", (24, 4), (Arrive("café", 3),), 1),
    "#v=1&slots=96&block=32&step=1": ("start", (24, 32), START, 1),
    "#v=1&theme=dark&step=1": ("start", (24, 4), START, 1),
}


@pytest.mark.parametrize(("link", "meaning"), PUBLISHED.items())
def test_a_published_link_means_what_it_meant(link: str, meaning: Meaning) -> None:
    story = read(link)
    settings = (story.settings.reserve, story.settings.block_size)
    assert (story.scenario, settings, story.operations, story.step) == meaning


@pytest.mark.parametrize("name", SCENARIOS)
def test_each_scenario_has_a_short_link_of_its_own(name: str) -> None:
    link = written(Story.of(name))
    assert link == ("v=1" if name == "start" else f"v=1&scenario={name}")
    assert read(link) == Story.of(name)


NAMES = st.text(min_size=1, max_size=12).filter(str.isprintable)


@given(st.data())
def test_a_link_leads_back_to_the_same_story(data: st.DataObject) -> None:
    story = Story.of(data.draw(st.sampled_from(sorted(SCENARIOS))))
    story = story.under(reserve=data.draw(st.integers(1, 40)))
    there: set[str] = set()
    operations: list[Operation] = []
    if data.draw(st.booleans()):
        operations = list(story.operations)
        for operation in operations:
            if isinstance(operation, Finish):
                there.discard(operation.chat)
            else:
                there.add(operation.chat)
    for _ in range(data.draw(st.integers(0, 6))):
        name = data.draw(NAMES.filter(lambda text: text not in there))
        kind = data.draw(st.sampled_from(["arrive", "append", "finish", "fork"])) if there else "arrive"
        chosen = data.draw(st.sampled_from(sorted(there))) if there else ""
        tokens = data.draw(st.integers(1, 300))
        if kind == "arrive":
            operations.append(Arrive(name, tokens, data.draw(st.none() | st.integers(1, 99))))
            there.add(name)
        elif kind == "append":
            operations.append(Append(chosen, tokens))
        elif kind == "finish":
            operations.append(Finish(chosen))
            there.discard(chosen)
        else:
            operations.append(Fork(chosen, name))
            there.add(name)
    story = Story(story.scenario, story.settings, tuple(operations), 0).at(data.draw(st.integers(0, 20)))
    link = written(story)
    assert read(f"#{link}") == story
    assert set(link) <= set(string.ascii_letters + string.digits + "-_.~%:+!*@,=&"), "nothing a mail breaks"


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ("#v=2", "The link is of version '2'; this page reads version 1."),
        ("#v=1&scenario=nothing", "There is no scenario 'nothing'."),
        ("#v=1&reserve=0", "reserve is '0'; it must be a whole number from 1 to 99999."),
        ("#v=1&reserve=-4", "reserve is '-4'"),
        ("#v=1&reserve=٣", "reserve is '٣'"),
        ("#v=1&block=65", "A block of 65 slots does not fit a pool of 64."),
        ("#v=1&block=99999", "block_size is 99999; the most is 4096."),
        ("#v=1&slots=257", "The pool has 257 slots; the page draws 256 at most."),
        ("#v=1&slots=3", "A block of 4 slots does not fit a pool of 3."),
        ("#v=1&step=x", "step is 'x'"),
        (
            "#v=1&ops=A",
            "The link has the operation 'A'; write A:6, A+4, A! or A*D, with 4096 tokens",
        ),
        ("#v=1&ops=A+4", "There is no chat 'A'."),
        ("#v=1&ops=A:6,A:6", "There is a chat 'A' already."),
        ("#v=1&ops=A:0", "tokens is 0"),
        ("#v=1&ops=%00:3", "chat is '\\x00'"),
        ("#v=1&ops=A:6,,B:3", "The link has the operation ''"),
        ("#<script>alert(1)</script>", "The link says '<script>alert(1)</script>', which is not known."),
        ("#v=1&evil=1", "The link says 'evil=1', which is not known."),
        ("#" + "v=1&" * 4000, "The link has 16001 characters; the most is 8000."),
        ("#v=1&ops=" + "A:1," * 600 + "A:1", "The link has 601 operations; the most is 500."),
    ],
)
def test_a_malformed_link_gets_a_sentence(link: str, sentence: str) -> None:
    with pytest.raises(PagedKVError) as refusal:
        read(link)
    assert str(refusal.value).startswith(sentence)


def mutated(rng: random.Random) -> str:
    """Return a published link with a few characters changed, doubled, moved or lost."""
    more = ["", "&ops=~A+4,B!,A*D,D+1", "&step=2", "&scenario=start"]
    link = list(rng.choice(list(PUBLISHED)) + rng.choice(more))
    for _ in range(rng.randint(1, 6)):
        place = rng.randint(0, len(link))
        match rng.randint(0, 3):
            case 0:
                link[place:place] = rng.choice(
                    [*"&=#?~,:+!*@%<>\"'\x00é0123456789ABC", "%zz", "&ops=", "&v=1"]
                )
            case 1:
                del link[place : place + rng.randint(1, 4)]
            case 2:
                link[place:place] = link[: rng.randint(0, 12)]
            case _:
                rng.shuffle(link)
    return "".join(link)


def check_mutants(count: int, seed: int) -> int:
    rng = random.Random(seed)
    readable = 0
    for _ in range(count):
        link = mutated(rng)
        try:
            story = read(link)
        except PagedKVError:
            continue
        assert read(written(story)) == story
        readable += 1
    return readable


def test_mutated_links_raise_nothing_but_refusals() -> None:
    assert check_mutants(1_000, seed=0) > 20, "some of them still mean something"


@pytest.mark.long
def test_ten_thousand_mutated_links_raise_nothing_but_refusals() -> None:
    assert check_mutants(10_000, seed=1) > 200
