"""Files of a session: what is in them, that they open again, and what hostile ones get."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagedkv.errors import PagedKVError
from pagedkv.operations import Append, Arrive, Finish, Fork, Operation, Settings
from pagedkv.scenarios import SCENARIOS
from pagedkv.side_by_side import replay
from widget.export import LONGEST_DOCUMENT, counters_csv, document, read_document
from widget.link import read, written
from widget.session import Session
from widget.story import MOST_OPERATIONS, Story

SVG = "{http://www.w3.org/2000/svg}"


@st.composite
def stories(draw: st.DrawFn) -> Story:
    """Any session that a link or a document could carry."""
    size = draw(st.integers(1, 40))
    chosen = Settings(
        num_slots=draw(st.integers(size, 80)), reserve=draw(st.integers(1, 40)), block_size=size
    )
    names = st.text(min_size=1, max_size=12).filter(str.isprintable)
    there: list[str] = []
    operations: list[Operation] = []
    for _ in range(draw(st.integers(0, 8))):
        kind = draw(st.sampled_from(["arrive", "append", "finish", "fork"])) if there else "arrive"
        tokens = draw(st.integers(1, 60))
        if kind == "arrive":
            there.append(draw(names.filter(lambda name: name not in there)))
            operations.append(Arrive(there[-1], tokens, draw(st.none() | st.integers(1, 99))))
        elif kind == "append":
            operations.append(Append(draw(st.sampled_from(there)), tokens))
        elif kind == "finish":
            operations.append(Finish(there.pop(draw(st.integers(0, len(there) - 1)))))
        else:
            parent, child = draw(st.sampled_from(there)), draw(names.filter(lambda name: name not in there))
            operations.append(Fork(parent, child))
            if chosen_has(chosen, operations, child):
                there.append(child)
    story = Story("start", chosen, tuple(operations), 0)
    return story.at(draw(st.integers(0, len(operations))))


def chosen_has(chosen: Settings, operations: list[Operation], chat: str) -> bool:
    return chat in replay(chosen, operations)[0].seat_of_chat


def opened(story: Story) -> Session:
    session = Session()
    assert session.dispatch({"type": "import", "text": document(story)})["problem"] is None
    return session


@given(stories())
def test_each_row_of_the_counters_is_the_snapshot_of_its_step(story: Story) -> None:
    rows = list(csv.DictReader(io.StringIO(counters_csv(story), newline="")))
    assert len(rows) == 2 * (len(story.operations) + 1)
    for index, row in enumerate(rows):
        step, layout = divmod(index, 2)
        name = ("contiguous", "paged")[layout]
        assert (row.pop("step"), row.pop("layout")) == (str(step), name)
        snapshot = replay(story.settings, story.operations[:step])[0].snapshot()
        counters = snapshot["contiguous" if name == "contiguous" else "paged"]["counters"]
        assert row == {key: str(value) for key, value in counters.items()}


def test_the_counters_of_the_worked_example() -> None:
    lines = counters_csv(Story.of("worked-example")).split("\r\n")
    assert lines[0] == "step,layout,used,empty,free,largest_hole,waiting"
    assert lines[1:3] == ["0,contiguous,0,0,32,32,0", "0,paged,0,0,32,32,0"]
    assert lines[13:15] == ["6,contiguous,14,10,8,8,1", "6,paged,19,9,4,4,0"]
    assert lines[17:] == ["8,contiguous,18,6,8,8,0", "8,paged,18,6,8,8,0", ""]


@given(stories())
def test_a_document_leads_back_to_the_same_session(story: Story) -> None:
    back = read_document(document(story))
    assert (back.settings, back.operations, back.step) == (story.settings, story.operations, story.step)
    # And from there its link does, whatever the size of its pool.
    assert read(written(back)) == back
    assert (
        opened(story).frame()["snapshot"]
        == replay(story.settings, story.operations[: story.step])[0].snapshot()
    )


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_that_was_saved_opens_as_that_scenario(name: str) -> None:
    assert read_document(document(Story.of(name))) == Story.of(name)


def test_the_longest_session_fits_a_document() -> None:
    longest = "\U0001f600" * 12
    forks = [Fork(longest, f"{longest[:8]}{number:04}") for number in range(MOST_OPERATIONS - 1)]
    story = Story("start", Settings(), (Arrive(longest, 4096, 4096), *forks), 0)
    assert len(document(story)) < LONGEST_DOCUMENT


def test_a_document_says_what_it_is_documented_to_say() -> None:
    story = Story("start", Settings(32, 12, 4), (Arrive("A", 6, 8), Fork("A", "B"), Finish("A")), 2)
    assert json.loads(document(story)) == {
        "v": 1,
        "settings": {"num_slots": 32, "reserve": 12, "block_size": 4},
        "operations": [
            {"op": "arrive", "chat": "A", "tokens": 6, "reserve": 8},
            {"op": "fork", "parent": "A", "chat": "B"},
            {"op": "finish", "chat": "A"},
        ],
        "step": 2,
    }


GOOD: dict[str, Any] = {
    "v": 1,
    "settings": {"num_slots": 32, "reserve": 12, "block_size": 4},
    "operations": [{"op": "arrive", "chat": "A", "tokens": 6}],
    "step": 1,
}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"v": 2}, "The document is of version 2; this page reads version 1."),
        ({"v": True}, "The document is of version True; this page reads version 1."),
        ({"v": 1.0}, "The document is of version 1.0; this page reads version 1."),
        ({"step": 2}, "step is 2; it must be a whole number from 0 to 1."),
        ({"step": -1}, "step is -1; it must be a whole number from 0 to 1."),
        ({"step": True}, "step is True; it must be a whole number from 0 to 1."),
        ({"note": "x"}, "The document has the unknown field 'note'. Leave it out."),
        ({"settings": []}, "settings is []; it must be an object."),
        ({"settings": {"num_slots": 32}}, "settings lacks the field 'reserve'. Add it."),
        ({"settings": {**GOOD["settings"], "x": 1}}, "settings has the unknown field 'x'. Leave it out."),
        ({"settings": {**GOOD["settings"], "block_size": 64}}, "A block of 64 slots does not fit"),
        ({"settings": {**GOOD["settings"], "num_slots": 10**6}}, "num_slots is 1000000; the most is 4096."),
        (
            {"settings": {**GOOD["settings"], "num_slots": 257}},
            "The pool has 257 slots; the page draws 256 at",
        ),
        ({"operations": "A:6"}, "operations is 'A:6'; it must be a list."),
        ({"operations": [{"op": "dance"}]}, "op is 'dance'; it must be one of"),
        ({"operations": [{"op": "finish", "chat": "Z"}]}, "There is no chat 'Z'."),
        ({"operations": [{"op": "finish", "chat": "\ud800"}]}, "chat is '\\ud800'; it must be a name"),
        ({"operations": GOOD["operations"] * 501}, "The document has 501 operations; the most is 500."),
    ],
)
def test_a_document_of_another_form_is_refused_with_a_sentence(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PagedKVError) as refusal:
        read_document(json.dumps(GOOD | change))
    assert str(refusal.value).startswith(sentence)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The document is not JSON. Choose a file that this page saved."),
        ("[" * 100_000, "The document is not JSON."),
        ('{"v": ' + "9" * 5_000 + "}", "The document is not JSON."),
        ("\x00\x01PNG", "The document is not JSON."),
        ("[]", "A document is an object with the field 'v', not []."),
        ("NaN", "A document is an object with the field 'v', not nan."),
        ("{}", "The document is of version None; this page reads version 1."),
        ('{"v": 1}', "The document lacks the field 'settings'. Add it."),
        ('{"v": 1, "v": 1}', "The document has the field 'v' twice. Leave one out."),
        (" " * 200_001, "The document has 200001 characters; the most is 200000."),
    ],
)
def test_what_is_no_document_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(PagedKVError) as refusal:
        read_document(text)
    assert str(refusal.value).startswith(sentence)


def test_a_mark_at_the_start_of_a_file_does_no_harm() -> None:
    assert read_document("\ufeff" + json.dumps(GOOD)).step == 1


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "v": st.just(1) | ANY_JSON,
            "settings": ANY_JSON
            | st.fixed_dictionaries(
                dict.fromkeys(("num_slots", "reserve", "block_size"), ANY_JSON | st.integers(1, 64))
            ),
            "operations": ANY_JSON | st.lists(st.just(GOOD["operations"][0]) | ANY_JSON, max_size=3),
            "step": st.integers(-1, 3) | ANY_JSON,
        },
    )
    | ANY_JSON
)
def test_no_json_does_anything_but_open_or_be_refused(value: object) -> None:
    session = Session()
    problem = session.dispatch({"type": "import", "text": json.dumps(value)})["problem"]
    assert problem is None or (problem.startswith("The file cannot be opened. ") and problem.endswith("."))


@given(stories(), st.data())
def test_no_damage_to_a_document_does_anything_but_open_or_be_refused(
    story: Story, data: st.DataObject
) -> None:
    text = document(story)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 12)))
    session = Session()
    before = session.frame()["snapshot"]
    changed = text[:start] + data.draw(st.text(max_size=6)) + text[end:]
    frame = session.dispatch({"type": "import", "text": changed})
    if frame["problem"] is not None:
        assert frame["problem"].startswith("The file cannot be opened. ")
        assert frame["snapshot"] == before


def rooted(session: Session) -> tuple[str, ET.Element]:
    file = session.dispatch({"type": "export", "what": "svg"})["file"]
    assert file is not None
    return file["text"], ET.fromstring(file["text"])


@given(stories())
@settings(max_examples=40)
def test_the_picture_is_well_formed_stands_alone_and_lies_inside_itself(story: Story) -> None:
    text, root = rooted(opened(story))
    assert "var(" not in text
    assert re.findall(r"(?:href|src)=|url\(|@import|<script", text) == []
    left, top, width, height = map(float, (root.get("viewBox") or "").split())
    assert (root.get("width"), root.get("height")) == (f"{width:.0f}", f"{height:.0f}")
    for rect in root.iter(f"{SVG}rect"):
        x, y, w, h = (float(rect.get(name, "nan")) for name in ("x", "y", "width", "height"))
        assert left <= x <= x + w <= left + width + 0.01
        assert top <= y <= y + h <= top + height + 0.01
    for words in root.iter(f"{SVG}text"):
        assert float(words.get("font-size", "0")) >= 10
        assert top <= float(words.get("y", "nan")) <= top + height
    keys = [key for one in root.iter() if (key := one.get("data-key"))]
    assert len(keys) == len(set(keys))


def test_the_picture_shows_both_pools_and_says_what_they_hold() -> None:
    session = Session("worked-example")
    session.dispatch({"type": "step", "to": 5})
    _, root = rooted(session)
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert title.text == "32 slots, two ways, step 5"
    assert description is not None
    assert description.text == (
        "Old way. 32 slots in one stretch. A reserves slots 0 to 11 and holds 9 tokens. B reserves slots 12 "
        "to 23 and holds 3 tokens. Free: slots 24 to 31. C waits for 12 slots in a row. New way. 32 slots in "
        "8 blocks of 4. A holds 9 tokens in blocks 0, 1 and 5. B holds 3 tokens in block 2. C holds 5 tokens "
        "in blocks 3 and 4. Free list: 6 and 7."
    )
    keys: dict[str, list[str]] = {"letter": [], "fresh": []}
    for one in root.iter():
        for kind, found in keys.items():
            if f"-{kind}-" in (one.get("data-key") or ""):
                found.append(one.get("data-key") or "")
    old = [f"contiguous-letter-{slot}" for slot in (*range(9), *range(12, 15))]
    new = [f"paged-letter-{slot}" for slot in (*range(11), *range(12, 17), 20)]
    assert keys["letter"] == old + new
    assert keys["fresh"] == ["contiguous-fresh-8", "paged-fresh-20"]
    said = [words.text for words in root.iter(f"{SVG}text")]
    for line in (
        "12 of 32 slots hold a token, 12 are held and empty, 8 are free.",
        "C waits.",
        "17 of 32 slots hold a token, 7 are held and empty, 8 are free.",
        "A in blocks 0, 1 and 5",
        "Free list: 6 and 7",
    ):
        assert line in said


@pytest.mark.parametrize(
    ("what", "media_type", "start"),
    [
        ("svg", "image/svg+xml", "<svg "),
        ("png", "image/png", "<svg "),
        ("json", "application/json", "{"),
        ("csv", "text/csv", "step,layout,"),
    ],
)
def test_a_file_comes_in_the_frame_that_answers_and_in_no_other(
    what: str, media_type: str, start: str
) -> None:
    session = Session()
    before = session.frame()
    frame = session.dispatch({"type": "export", "what": what})
    file = frame["file"]
    assert file is not None
    assert (file["name"], file["type"]) == (f"pagedkv-start-step-3.{what}", media_type)
    assert file["text"].startswith(start)
    assert {**frame, "file": None} == before
    assert session.dispatch({"type": "select", "chat": "B"})["file"] is None


@pytest.mark.parametrize("what", [None, 5, "exe", ["svg"]])
def test_what_cannot_be_saved_is_refused(what: object) -> None:
    frame = Session().dispatch({"type": "export", "what": what})
    assert frame["file"] is None
    assert frame["problem"] is not None
    assert frame["problem"].endswith("There is: svg, png, json, csv.")


def test_opening_a_file_can_be_undone_and_a_refused_one_changes_nothing() -> None:
    session = Session()
    before = session.frame()["snapshot"]
    session.dispatch({"type": "import", "text": json.dumps(GOOD)})
    assert session.frame()["snapshot"]["settings"] == GOOD["settings"]
    assert session.dispatch({"type": "undo"})["snapshot"] == before
    for text in (None, 5, "", "{}"):
        frame = session.dispatch({"type": "import", "text": text})
        assert frame["problem"] is not None
        assert frame["snapshot"] == before


def rows(markup: str) -> list[list[str]]:
    return [
        re.findall(r"<t[hd][^>]*>([^<]*)</t[hd]>", row)
        for row in re.findall(r"<tr>(.*?)</tr>", markup, re.DOTALL)
    ]


def test_the_tables_say_all_that_is_drawn() -> None:
    session = Session("worked-example")
    session.dispatch({"type": "step", "to": 5})
    markup = session.dispatch({"type": "open_panel", "panel": "table", "open": True})["regions"]["table"]
    found = rows(markup)
    assert found[0] == ["Slot", "State", "Chat", "Token"]
    assert found[1] == ["0", "holds a token", "A", "0"]
    assert found[9:11] == [["8", "holds a token", "A", "8"], ["9", "held, empty", "A", ""]]
    assert found[13] == ["12", "holds a token", "B", "0"]
    assert found[32] == ["31", "free", "", ""]
    assert found[33:] == [
        ["Block", "Slots", "State", "References", "Held by", "Tokens", "Empty slots"],
        ["0", "0 to 3", "held", "1", "A as its block 0", "0 to 3", "none"],
        ["1", "4 to 7", "held", "1", "A as its block 1", "4 to 7", "none"],
        ["2", "8 to 11", "held", "1", "B as its block 0", "0 to 2", "11"],
        ["3", "12 to 15", "held", "1", "C as its block 0", "0 to 3", "none"],
        ["4", "16 to 19", "held", "1", "C as its block 1", "4", "17 to 19"],
        ["5", "20 to 23", "held", "1", "A as its block 2", "8", "21 to 23"],
        ["6", "24 to 27", "free, number 1 in line", "0", "", "", ""],
        ["7", "28 to 31", "free, number 2 in line", "0", "", "", ""],
    ]
    assert "<p>Queue of the old way: C with 5 tokens, for 12 slots in a row.</p>" in markup
    assert "<p>Queue of the new way: empty.</p>" in markup
    assert markup.count('scope="col"') == 4 + 7
    assert markup.count('scope="row"') == 32 + 8
    assert re.findall(r"<caption>([^<]*)", markup) == [
        "Old way, slot by slot",
        "New way, block by block, 4 slots each",
    ]


def test_a_shared_block_names_all_who_hold_it() -> None:
    session = Session("prefix-sharing")
    session.dispatch({"type": "step", "to": 2})
    markup = session.dispatch({"type": "open_panel", "panel": "table", "open": True})["regions"]["table"]
    shared = ["1", "4 to 7", "held", "2", "S1 as its block 1 and S2 as its block 1", "4 and 5", "6 and 7"]
    assert shared in rows(markup)


def test_what_takes_long_is_drawn_only_while_its_panel_is_open() -> None:
    session = Session()
    for panel in ("chart", "table"):
        assert session.frame()["regions"][panel] == ""
        assert session.dispatch({"type": "open_panel", "panel": panel, "open": True})["regions"][panel] != ""
        assert session.dispatch({"type": "undo"})["regions"][panel] != ""
        assert session.dispatch({"type": "open_panel", "panel": panel, "open": False})["regions"][panel] == ""
    frame = session.dispatch({"type": "open_panel", "panel": "cellar", "open": True})
    assert frame["problem"] == "There is no panel 'cellar'. There is: chart, table."
