"""A question as markup: to be answered on a page, or printed on a sheet.

Example:
    >>> from exercises.bank import variant
    >>> write(asked(variant(3, 0), {}, is_shown=False))[:38]
    '<form data-key="form-3-0" class="kv-qu'

Every control has its label, and a verdict stands beside what it is about. Blocks that can be pressed are
buttons with a picture of their slots. What is drawn of a pool comes from `figures`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from exercises.link import written
from exercises.question import Part, Question, Verdict
from figures.grid import Grid
from figures.markup import Child, Element, el, write
from figures.pool import draw, seats_of
from figures.scene import Frame, Scene, contiguous_scene, paged_scene
from figures.views import FIGURE_VIEWS, View
from figures.words import described, listed
from pagedkv.snapshot import Snapshot

__all__ = ["asked", "block_picture", "link_to", "marked", "picture", "printed", "solved", "told", "write"]

_SLOT, _TALL = 19, 24  # units of a slot in the picture of a block, and of one with the letters of two owners


@dataclass(frozen=True)
class Answered:
    """What a reader answered to a part, and the verdict on it."""

    text: str
    verdict: Verdict


def asked(question: Question, answers: Mapping[str, Answered], *, is_shown: bool) -> Element:
    """Return a question to be answered: with what was answered, and with the right answers if `is_shown`.

    >>> from exercises.bank import variant
    >>> "Press the blocks" in write(asked(variant(4, 0), {}, is_shown=False))
    True
    """
    number, seed = question.number, question.seed
    heading = f"question-{number}-title"

    def press(label: str, class_: str | None = None, **command: object) -> Element:
        text = json.dumps({**command, "question": number, "seed": seed})
        return el("button", label, type="button", class_=class_, data_command=text)

    return el(
        "form",
        el("h2", f"{number}. {question.title}", id=heading),
        el("p", "The lesson's own variant." if seed == 0 else f"Variant {seed}.", class_="kv-variant"),
        told(question),
        [_asked_part(question, part, answers.get(part.name), is_shown=is_shown) for part in question.parts],
        el(
            "div",
            el("button", "Check", type="submit", class_="kv-main"),
            press("Show the answers", type="solve"),
            press("Another variant", type="variant"),
            *link_to("this variant", written({number: seed})),
            class_="kv-buttons",
        ),
        key=f"form-{number}-{seed}",
        class_="kv-question",
        aria_labelledby=heading,
        novalidate=True,
        data_command=json.dumps({"type": "answer", "question": number, "seed": seed}),
    )


def link_to(what: str, link: str) -> list[Element]:
    """Return a link that a press copies, and the place where the page says so.

    >>> write(link_to("this sheet", "v=1")[0])
    '<a href="#v=1" data-copy>Copy a link to this sheet</a>'
    """
    return [
        el("a", f"Copy a link to {what}", href=f"#{link}", data_copy=True),
        el("span", data_copied=True, role="status", class_="kv-copied"),
    ]


def told(question: Question) -> list[Element]:
    """Return what a question tells: its story, and the table or the pool that belongs to it.

    >>> from exercises.bank import variant
    >>> [element.tag for element in told(variant(3, 0))]
    ['p', 'table']
    """
    found = [el("p", question.story)]
    if question.table:
        rows = [el("tr", el("th", name, scope="row"), el("td", value)) for name, value in question.table]
        found.append(el("table", el("tbody", rows), class_="kv-config"))
    if question.snapshot is not None and question.drawn == "contiguous":
        pictures = [picture(question.snapshot, view) for view in FIGURE_VIEWS]
        found.append(el("div", pictures, class_="kv-pair"))
    return found


def picture(snapshot: Snapshot, view: View) -> Element:
    """Return the old way's pool, drawn for a width.

    >>> from pagedkv.scenarios import START
    >>> picture(START.run()[0].snapshot(), FIGURE_VIEWS[0]).tag
    'svg'
    """
    scene = contiguous_scene(snapshot["contiguous"])
    grid = view.grid(snapshot["contiguous"]["num_slots"], 1)
    return el(
        "svg",
        draw(scene, grid, seats_of(snapshot), view.font),
        key=view.name,
        class_=f"kv-picture kv-{view.name}",
        viewBox=f"-1 0 {grid.width + 2:.0f} {grid.height:.0f}",
        role="img",
        aria_label=described("contiguous", snapshot),
    )


def marked(verdict: Verdict | None) -> list[Child]:
    """Return a verdict for a reader: a sign, and the sentence.

    >>> marked(Verdict(True, None, "Right."))[1]
    'Right.'
    """
    if verdict is None:
        return []
    return [el("span", "✓ " if verdict.is_right else "✗ ", aria_hidden="true"), verdict.sentence]


def solved(part: Part) -> list[Child]:
    """Return the right answer and why.

    >>> from exercises.bank import variant
    >>> solved(variant(4, 0).parts[1])[1]
    '. 2 blocks less 2.'
    """
    return [el("strong", part.solution.rstrip(".")), f". {part.because}"]


def _asked_part(question: Question, part: Part, answered: Answered | None, *, is_shown: bool) -> Element:
    name = f"q{question.number}-{part.name}"
    text = answered.text if answered else ""
    verdict = answered.verdict if answered else None
    state = {None: "", True: " kv-right", False: " kv-wrong"}[verdict.is_right if verdict else None]
    below = [
        el(
            "p",
            marked(verdict),
            id=f"{name}-verdict",
            class_=f"kv-verdict{state}",
            data_verdict=part.name,
        ),
        el("p", solved(part), class_="kv-solution") if is_shown else None,
    ]
    if part.kind == "choice":
        return el(
            "fieldset",
            el("legend", part.prompt),
            [_option(name, part.name, key, label, text) for key, label in part.options],
            below,
            aria_describedby=f"{name}-verdict",
        )
    if part.kind == "blocks":
        return el(
            "fieldset",
            el("legend", part.prompt),
            _pressable(question, part, text),
            below,
            aria_describedby=f"{name}-verdict",
        )
    is_size = part.kind == "size"
    return el(
        "div",
        el("label", part.prompt, for_=name),
        el(
            "input",
            type="text",
            id=name,
            name=part.name,
            value=text,
            autocomplete="off",
            inputmode=None if is_size else "numeric",
            class_="kv-long" if is_size else "kv-short",
            aria_describedby=f"{name}-verdict" + (f" {name}-unit" if part.unit or is_size else ""),
        ),
        el("span", "a number and its unit", id=f"{name}-unit", class_="kv-unit") if is_size else None,
        el("span", f"{part.unit}s", id=f"{name}-unit", class_="kv-unit") if part.unit else None,
        below,
        class_="kv-part",
    )


def _option(name: str, group: str, key: str, label: str, chosen: str) -> Element:
    radio = el("input", type="radio", id=f"{name}-{key}", name=group, value=key, checked=key == chosen)
    return el("label", radio, el("span", label), key=key, class_="kv-option", for_=f"{name}-{key}")


def _pressable(question: Question, part: Part, text: str) -> list[Element]:
    pressed = text.split(",") if text else []
    buttons = []
    for block in part.among:
        place = pressed.index(str(block)) + 1 if str(block) in pressed else None
        name, drawn = block_picture(question, block)
        buttons.append(
            el(
                "button",
                name,
                el("span", f"{place}." if place else "", data_place=True, aria_hidden="true"),
                drawn,
                type="button",
                key=f"block-{block}",
                class_="kv-block",
                data_block=str(block),
                aria_pressed="true" if place else "false",
                aria_label=block_in_words(question, block),
            )
        )
    return [
        el("input", type="hidden", name=part.name, value=text, data_pressed=True),
        el("div", buttons, class_="kv-blocks"),
        el("p", "Pressed, in order: ", el("output", ", ".join(pressed) or "none"), class_="kv-pressed"),
    ]


def block_picture(question: Question, block: int) -> tuple[Element, Element]:
    """Return a block's number, and its slots drawn.

    >>> from exercises.bank import variant
    >>> [element.tag for element in block_picture(variant(4, 0), 2)]
    ['span', 'svg']
    """
    if question.snapshot is None:
        raise ValueError("The question has no pool.")
    paged = question.snapshot["paged"]
    size, scene = paged["block_size"], paged_scene(paged)
    start = block * size
    frame = scene.frames[block]
    part = Scene(scene.cells[start : start + size], [Frame(0, size, frame.owners, "", centred=True)])
    tall = _TALL if max(paged["ref_count"]) > 1 else 0
    grid = Grid(size, size, _SLOT, inset=1.75, slot_height=tall, label=1, below=1)
    drawn = [
        one for one in draw(part, grid, seats_of(question.snapshot), 11) if one.children or one.tag != "text"
    ]
    count = paged["ref_count"][block]
    refs = f" · refs {count}" if question.shows_counts and count else ""
    return (
        el("span", f"{block}{refs}", class_="kv-block-name"),
        el(
            "svg",
            drawn,
            class_="kv-picture",
            viewBox=f"0 0 {grid.width:.0f} {grid.height:.0f}",
            width=grid.width,
            height=grid.height,
            aria_hidden="true",
        ),
    )


def block_in_words(question: Question, block: int) -> str:
    """Return what a block is, for those who do not see it.

    >>> from exercises.bank import variant
    >>> block_in_words(variant(4, 0), 5), block_in_words(variant(4, 0), 2)
    ('Block 5, held by A, 1 of 4 slots filled', 'Block 2, free')
    """
    if question.snapshot is None:
        raise ValueError("The question has no pool.")
    paged = question.snapshot["paged"]
    size, scene = paged["block_size"], paged_scene(paged)
    owners = scene.frames[block].owners
    if not owners:
        return f"Block {block}, free"
    filled = sum(cell.filled for cell in scene.cells[block * size : (block + 1) * size])
    return f"Block {block}, held by {listed(owners)}, {filled} of {size} slots filled"


def printed(question: Question) -> list[Element]:
    """Return a question for paper: what it tells, and what it asks with room to answer.

    >>> from exercises.bank import variant
    >>> [element.tag for element in printed(variant(3, 0))]
    ['p', 'table', 'ol']
    """
    found = told(question)
    if question.snapshot is not None and question.drawn == "paged":
        among = range(question.snapshot["paged"]["num_blocks"])
        found.append(
            el(
                "div",
                [
                    el(
                        "div",
                        block_picture(question, block),
                        class_="kv-block",
                        role="img",
                        aria_label=block_in_words(question, block),
                    )
                    for block in among
                ],
                class_="kv-blocks",
            )
        )
    return [*found, el("ol", [_printed_part(part) for part in question.parts])]


def _printed_part(part: Part) -> Element:
    if part.kind == "choice":
        options = [el("li", label) for _, label in part.options]
        return el("li", el("p", part.prompt), el("ul", options, class_="kv-boxes"))
    blank = el("span", "", class_="kv-blank")
    prompt = part.prompt.replace("Press the block", "Name the block")
    return el("li", el("p", f"{prompt} ", blank, f" {part.unit}s" if part.unit else None))
