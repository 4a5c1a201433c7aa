"""What a session leaves the page as: a picture, its operations, its counters; and its operations back again.

Example:
    >>> from widget.session import Session
    >>> session = Session()
    >>> saved = exported("json", session.state())
    >>> saved["name"], saved["type"]
    ('pagedkv-start-step-3.json', 'application/json')
    >>> read_document(saved["text"]) == session.story
    True

A document of operations is JSON, version 1, with exactly these fields:

    v            1
    settings     {"num_slots": N, "reserve": N, "block_size": N}
    operations   a list in the form of `pagedkv.operations`
    step         how many of them are carried out: 0 to all

The counters are comma-separated values (RFC 4180) with a header: a row per step and layout, from before the
first step on. Steps that are still to come are in both.
"""

import json
from dataclasses import asdict, fields, replace
from functools import partial
from typing import Any

from figures.markup import write
from figures.pool import seats_of
from figures.scene import contiguous_scene, paged_scene
from figures.sheet import Sheet, framed
from figures.theme import THEMES
from figures.views import WIDE
from figures.words import WAY, LayoutName, counted, described, numbered, ranged, waits
from pagedkv.errors import InvalidOperation, PagedKVError, shown
from pagedkv.operations import Settings, operation_from_json, operation_to_json
from pagedkv.scenarios import SCENARIOS
from pagedkv.side_by_side import replay
from widget.history import LAYOUTS, history
from widget.link import written
from widget.parts.captions import caption
from widget.parts.pools import TALL, marks_of
from widget.protocol import File
from widget.state import State
from widget.story import MOST_OPERATIONS, Story

VERSION = 1
LONGEST_DOCUMENT = 200_000  # characters; a session of as many operations as there can be is shorter

COUNTERS = ("used", "empty", "free", "largest_hole", "waiting")

_FIELDS = ("v", "settings", "operations", "step")


def exported(what: object, state: State, theme: object = None) -> File:
    """Return a session as a file.

    Args:
        what: the kind of file.
        state: of the session.
        theme: the colours of a PNG, which cannot follow who looks at it: light or dark.

    Raises:
        PagedKVError: there is no such kind of file, or no such theme.

    >>> from widget.session import Session
    >>> exported("csv", Session().state())["name"]
    'pagedkv-start-step-3.csv'
    >>> exported("pdf", Session().state())
    Traceback (most recent call last):
    pagedkv.errors.PagedKVError: Nothing is saved as 'pdf'. There is: svg, png, json, csv.
    """
    if theme is not None and (not isinstance(theme, str) or theme not in THEMES):
        raise PagedKVError(f"There is no theme {shown(theme)}. There is: {', '.join(THEMES)}.")
    # The page draws the PNG: its text is that of an SVG.
    kinds = {
        "svg": ("image/svg+xml", partial(picture, state)),
        "png": ("image/png", partial(picture, state, theme)),
        "json": ("application/json", partial(document, state.story)),
        "csv": ("text/csv", partial(counters_csv, state.story)),
    }
    if not isinstance(what, str) or what not in kinds:
        raise PagedKVError(f"Nothing is saved as {shown(what)}. There is: {', '.join(kinds)}.")
    media_type, make = kinds[what]
    name = f"pagedkv-{state.story.scenario}-step-{state.story.step}.{what}"
    return {"name": name, "type": media_type, "text": make()}


def picture(state: State, theme: str | None = None) -> str:
    """Return both pools as an SVG file that stands alone; counts, tables, free list and caption are words.

    Its colours are those of a theme, or follow who looks at it.

    >>> from widget.session import Session
    >>> picture(Session().state())[:37]
    '<svg xmlns="http://www.w3.org/2000/sv'
    """
    snapshot = state.snapshot
    seats, block_size = seats_of(snapshot), snapshot["settings"]["block_size"]
    paged = snapshot["paged"]
    title = f"{counted(snapshot['settings']['num_slots'], 'slot')}, two ways, step {snapshot['step']}"
    sheet = Sheet(WIDE)
    sheet.words(title, "strong")

    def pool(layout: LayoutName) -> None:
        scene = contiguous_scene(snapshot["contiguous"]) if layout == "contiguous" else paged_scene(paged)
        counters = snapshot[layout]["counters"]
        is_shared = layout == "paged" and max(paged["ref_count"]) > 1
        sheet.words(
            f"{counters['used']} of {counted(snapshot[layout]['num_slots'], 'slot')} hold a token, "
            f"{counters['empty']} are held and empty, {counters['free']} are free."
        )
        sheet.pool(
            scene,
            seats,
            block_size=block_size,
            fresh=marks_of(layout, state).fresh,
            slot_height=TALL if is_shared else 0,
            prefix=f"{layout}-",
        )
        if waiting := waits(snapshot[layout]):
            sheet.words(f"{waiting}.", "warn")

    sheet.gap(6)
    sheet.words(f"{WAY['contiguous']}: one long stretch per chat", "strong")
    pool("contiguous")
    sheet.gap(10)
    sheet.words(f"{WAY['paged']}: blocks of {block_size}, handed out on demand", "strong")
    pool("paged")
    for chat in paged["chats"]:
        if chat["table"]:
            sheet.words(f"{chat['chat']} in {numbered('block', chat['table'])}")
    sheet.words(f"Free list: {ranged(paged['free_list']) if paged['free_list'] else 'empty'}")
    sheet.legend()
    sheet.gap(6)
    sheet.words(caption(state))
    if any(marks_of(layout, state).fresh for layout in LAYOUTS):
        sheet.words("Outlined in ink: what that step wrote.", "soft")
    description = " ".join(described(layout, snapshot) for layout in LAYOUTS)
    whole = framed(sheet, name="pools", title=title, description=description, is_file=True, theme=theme)
    return write(whole) + "\n"


def document(story: Story) -> str:
    """Return a story as a document of operations.

    >>> json.loads(document(Story.of("start").at(1)))["operations"][0]
    {'op': 'arrive', 'chat': 'A', 'tokens': 6}
    """
    content = {
        "v": VERSION,
        "settings": asdict(story.settings),
        "operations": [operation_to_json(operation) for operation in story.operations],
        "step": story.step,
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def read_document(text: str) -> Story:
    """Return the story of a document of operations.

    A document says nothing of a scenario; the story gets the one that it is nearest to.

    Raises:
        InvalidOperation: the document is not of this form; the sentence says which part.
        PagedKVError: its operations cannot be carried out, one after the other.

    >>> read_document(document(Story.of("holes"))) == Story.of("holes")
    True
    >>> read_document('{"v": 2}')
    Traceback (most recent call last):
    pagedkv.errors.InvalidOperation: The document is of version 2; this page reads version 1.
    """
    content = _parsed(text)
    _check_version(content)
    _check_fields(content, _FIELDS, "The document")
    settings = _settings(content["settings"])
    listed = content["operations"]
    if not isinstance(listed, list):
        raise InvalidOperation(f"operations is {shown(listed)}; it must be a list.")
    if len(listed) > MOST_OPERATIONS:
        raise InvalidOperation(f"The document has {len(listed)} operations; the most is {MOST_OPERATIONS}.")
    operations = tuple(operation_from_json(entry) for entry in listed)
    step = content["step"]
    if type(step) is not int or not 0 <= step <= len(operations):
        raise InvalidOperation(
            f"step is {shown(step)}; it must be a whole number from 0 to {len(operations)}."
        )
    stories = (
        replace(Story.of(name).under(**asdict(settings)), operations=operations, step=step)
        for name in SCENARIOS
    )
    nearest = min(stories, key=lambda story: len(written(story)))
    replay(settings, operations)
    return nearest


def counters_csv(story: Story) -> str:
    """Return the counters of both layouts at each step.

    >>> counters_csv(Story.of("start")).splitlines()[:3]
    ['step,layout,used,empty,free,largest_hole,waiting',
     '0,contiguous,0,0,64,64,0',
     '0,paged,0,0,64,64,0']
    """
    lines: list[tuple[str, ...]] = [("step", "layout", *COUNTERS)]
    for step, moment in enumerate(history(story)):
        for layout in LAYOUTS:
            values: dict[str, Any] = dict(moment[layout])
            lines.append((str(step), layout, *(str(values[name]) for name in COUNTERS)))
    return "".join(f"{','.join(line)}\r\n" for line in lines)


def _parsed(text: str) -> dict[str, Any]:
    if len(text) > LONGEST_DOCUMENT:
        raise InvalidOperation(f"The document has {len(text)} characters; the most is {LONGEST_DOCUMENT}.")
    try:
        content = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_object)
    except InvalidOperation:
        raise
    except (ValueError, RecursionError):  # no JSON, or numbers or nesting beyond what Python reads
        raise InvalidOperation("The document is not JSON. Choose a file that this page saved.") from None
    if not isinstance(content, dict):
        raise InvalidOperation(f"A document is an object with the field 'v', not {shown(content)}.")
    return content


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise InvalidOperation(f"The document has the field {shown(name)} twice. Leave one out.")
        found[name] = value
    return found


def _check_version(content: dict[str, Any]) -> None:
    version = content.get("v")
    if type(version) is not int or version != VERSION:
        raise InvalidOperation(f"The document is of version {shown(version)}; this page reads version 1.")


def _check_fields(content: dict[str, Any], expected: tuple[str, ...], noun: str) -> None:
    for name in expected:
        if name not in content:
            raise InvalidOperation(f"{noun} lacks the field {name!r}. Add it.")
    for name in content:
        if name not in expected:
            raise InvalidOperation(f"{noun} has the unknown field {shown(name)}. Leave it out.")


def _settings(value: object) -> Settings:
    if not isinstance(value, dict):
        raise InvalidOperation(f"settings is {shown(value)}; it must be an object.")
    _check_fields(value, tuple(field.name for field in fields(Settings)), "settings")
    return Settings(**value)
