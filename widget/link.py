"""A whole session as a short link, and back.

Example:
    >>> story = Story.of("start").act(Append("A", 4))[0].under(reserve=16)
    >>> written(story)
    'v=1&reserve=16&ops=~A+4'
    >>> read("#v=1&reserve=16&ops=~A+4") == story
    True

Form, version 1: `name=value` pairs joined by `&`. All may be missing.

    v         1
    scenario  the name of a scenario; `start` if missing
    slots     slots in the pool; the scenario's if missing
    reserve   slots per chat in the old way; the scenario's if missing
    block     slots per block in the new way; the scenario's if missing
    ops       operations joined by `,`; the scenario's if missing; after a `~`, more on top of those
    step      how many operations are carried out; all of `ops`, or where the scenario opens, if missing

An operation is `A:6` (A arrives with 6 tokens), `A:6@12` (and reserves 12), `A+4`, `A!` (A finishes) or `A*D`
(D starts as a copy of A). Characters of a name other than letters, digits, `-`, `_` and `.` are
percent-encoded. `theme` and what else an embedding page may say is not of the session, and is left alone.

Links that were published keep working: a new form gets a new `v`; the old ones stay, with their tests.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import quote, unquote

from pagedkv.errors import InvalidOperation
from pagedkv.operations import (
    MOST_TOKENS,
    Append,
    Arrive,
    Finish,
    Fork,
    Operation,
    operation_from_json,
    operation_to_json,
)
from pagedkv.scenarios import SCENARIOS, START
from pagedkv.side_by_side import replay
from widget.story import MOST_OPERATIONS, Story

LONGEST_LINK = 8_000
_NOT_OF_THE_SESSION = {"theme", "controls", "autoload", "of", "kv"}
_OF_THE_SESSION = ("v", "scenario", "slots", "reserve", "block", "ops", "step")
_SETTINGS = {"slots": "num_slots", "reserve": "reserve", "block": "block_size"}

_OPERATION = re.compile(
    r"(?P<name>[^:+!*@,~]+)"
    r"(?::(?P<prompt>\d{1,5})(?:@(?P<reserve>\d{1,5}))?|\+(?P<more>\d{1,5})|(?P<end>!)|\*(?P<child>[^:+!*@,~]+))"
)


def written(story: Story) -> str:
    """Return the shortest link for a story, without the `#`.

    >>> written(Story.of("start"))
    'v=1'
    >>> written(Story.of("free-list").at(6))
    'v=1&scenario=free-list&step=6'
    """
    scenario = SCENARIOS[story.scenario]
    own = scenario.operations
    pairs = ["v=1"]
    if story.scenario != START.name:
        pairs.append(f"scenario={story.scenario}")
    for name, setting in _SETTINGS.items():
        value = getattr(story.settings, setting)
        if value != getattr(scenario.settings, setting):
            pairs.append(f"{name}={value}")
    opens_at = scenario.opens_at
    if story.operations != own:
        is_more = own and story.operations[: len(own)] == own
        shown = story.operations[len(own) :] if is_more else story.operations
        pairs.append("ops=" + ("~" if is_more else "") + ",".join(map(_operation_written, shown)))
        opens_at = len(story.operations)
    if story.step != opens_at:
        pairs.append(f"step={story.step}")
    return "&".join(pairs)


def read(link: str) -> Story:
    """Return the story of a link, which may begin with `#` or `?`.

    Raises:
        InvalidOperation: the link is not of this form; the sentence says which part.
        PagedKVError: its operations cannot be carried out, one after the other.

    >>> read("#v=1&scenario=worked-example&step=5").step
    5
    >>> read("#v=2")
    Traceback (most recent call last):
    pagedkv.errors.InvalidOperation: The link is of version '2'; this page reads version 1.
    """
    if len(link) > LONGEST_LINK:
        raise InvalidOperation(f"The link has {len(link)} characters; the most is {LONGEST_LINK}.")
    said = dict(_pairs(link.lstrip("#?")))
    if said.get("v", "1") != "1":
        raise InvalidOperation(f"The link is of version {said['v']!r:.20}; this page reads version 1.")
    name = said.get("scenario", START.name)
    if name not in SCENARIOS:
        raise InvalidOperation(f"There is no scenario {name!r:.40}. There is: {', '.join(SCENARIOS)}.")
    story = Story.of(name)
    # All at once: which blocks fit depends on the pool.
    changed = {setting: _number(said[name], name) for name, setting in _SETTINGS.items() if name in said}
    story = story.under(**changed)
    if "ops" in said:
        operations = tuple(_operations(said["ops"], story))
        story = replace(story, operations=operations, step=len(operations))
    if "step" in said:
        story = story.at(_number(said["step"], "step", at_least=0))
    replay(story.settings, story.operations)
    return story


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for pair in filter(None, text.split("&")):
        name, separator, value = pair.partition("=")
        if name in _NOT_OF_THE_SESSION:
            continue
        if not separator or name not in _OF_THE_SESSION:
            raise InvalidOperation(
                f"The link says {pair!r:.40}, which is not known. Known: {', '.join(_OF_THE_SESSION)}."
            )
        yield name, value


def _number(text: str, name: str, at_least: int = 1) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", text) or int(text) < at_least:
        limits = f"from {at_least} to 99999"
        raise InvalidOperation(f"{name} is {text!r:.20}; it must be a whole number {limits}.")
    return int(text)


def _operations(text: str, story: Story) -> Iterator[Operation]:
    if text.startswith("~"):
        yield from story.operations
        text = text[1:]
    items = text.split(",") if text else []
    if len(items) > MOST_OPERATIONS:
        raise InvalidOperation(f"The link has {len(items)} operations; the most is {MOST_OPERATIONS}.")
    for item in items:
        yield _operation_read(item)


def _operation_written(operation: Operation) -> str:
    name = _name_written(operation.parent if isinstance(operation, Fork) else operation.chat)
    if isinstance(operation, Arrive):
        reserve = "" if operation.reserve is None else f"@{operation.reserve}"
        return f"{name}:{operation.tokens}{reserve}"
    if isinstance(operation, Append):
        return f"{name}+{operation.tokens}"
    if isinstance(operation, Finish):
        return f"{name}!"
    return f"{name}*{_name_written(operation.chat)}"


def _operation_read(text: str) -> Operation:
    found = _OPERATION.fullmatch(text)
    if found is None:
        forms = f"A:6, A+4, A! or A*D, with {MOST_TOKENS} tokens at most"
        raise InvalidOperation(f"The link has the operation {text!r:.40}; write {forms}.")
    name = unquote(found["name"])
    operation: Operation
    if found["prompt"]:
        reserve = int(found["reserve"]) if found["reserve"] else None
        operation = Arrive(name, int(found["prompt"]), reserve)
    elif found["more"]:
        operation = Append(name, int(found["more"]))
    elif found["end"]:
        operation = Finish(name)
    else:
        operation = Fork(name, unquote(found["child"]))
    # The one place that knows which names and numbers an operation may have.
    return operation_from_json(operation_to_json(operation))


def _name_written(name: str) -> str:
    return quote(name, safe="").replace("~", "%7E")
