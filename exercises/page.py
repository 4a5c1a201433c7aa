"""What the build makes of the exercises: each with its first picture, to stand in a page of the lesson.

Example:
    >>> from widget.page import App
    >>> fragment("quiz", "../", App(digest="0123", bytes=13_000_000))[:61]
    '<link rel="stylesheet" href="../app/0123/exercises/exercises.'

The first picture is drawn by the same Python that answers in the browser, so a page is complete before any
Python has arrived, and can be read without JavaScript.
"""

import json
from collections.abc import Callable

from exercises.bank import QUESTIONS, variant
from exercises.calculator import Calculator
from exercises.desk import Desk
from exercises.portfolio import Portfolio
from exercises.quiz import Quiz
from exercises.recorded import recorded
from exercises.sheet import Sheet
from exercises.view import solved
from figures.markup import Element, el, write
from widget.page import App
from widget.standing import problem, question, status_line

DESKS: dict[str, Callable[[], Desk]] = {
    "quiz": Quiz,
    "sheet": Sheet,
    "portfolio": Portfolio,
    "calculator": Calculator,
}


def fragment(name: str, base: str, app: App) -> str:
    """Return an exercise to stand in a page, with its style and script, on one line for Markdown.

    Args:
        name: quiz, sheet, portfolio or calculator.
        base: the way from the page to the root of the site, such as "" or "../".
        app: what `widget.page.write_app` returned.

    >>> from widget.page import App
    >>> "\\n" in fragment("sheet", "", App("0123", 1))
    False
    """
    folder = f"{base}{app.folder}exercises/"
    head = (
        el("link", rel="stylesheet", href=f"{folder}exercises.css"),
        *([el("link", rel="stylesheet", href=f"{folder}calculator.css")] if name == "calculator" else []),
        el("script", type="module", src=f"{folder}element.js"),
    )
    # Regions are written as text that is already markup; a mark holds their place in the tree until then.
    regions = DESKS[name]().regions()
    shell = write(_shell(name, regions, app))
    for region, markup in regions.items():
        shell = shell.replace(_mark(region), markup)
    return "".join(map(write, head)) + shell + (_answers_as_data() if name == "quiz" else "")


def _mark(region: str) -> str:
    return f"[[region {region}]]"


def _shell(name: str, regions: dict[str, str], app: App) -> Element:
    return el(
        "kv-exercise",
        status_line("recorded"),
        question(_RECORDED[name], app.bytes),
        problem(),
        el("p", data_notice=True, role="status", class_="kv-notice"),
        el(
            "p",
            "The page's script has not come, so nothing here answers. Wait for it on a slow line, or reload "
            "the page.",
            class_="kv-late",
        ),
        el("noscript", el("p", _WITHOUT_JAVASCRIPT[name]), _solutions() if name == "quiz" else None),
        [el("section", _mark(region), id=region, data_region=region) for region in regions],
        # What is heard is told apart from what is seen: once, when things have come to rest.
        el("p", data_said=True, role="status", class_="kv-hidden"),
        class_=f"kv-theme kv-exercise kv-{name}",
        data_app=name,
        data_bytes=app.bytes,
        data_state="loading",
    )


_RECORDED = {
    "quiz": "was recorded and judges answers to these variants",
    "sheet": "was recorded",
    "portfolio": "was recorded",
    "calculator": "was recorded",
}
_WITHOUT_JAVASCRIPT = {
    "quiz": "Without JavaScript nothing checks an answer. The right ones are folded away here.",
    "sheet": "Without JavaScript this is the one sheet that there is.",
    "portfolio": "Without JavaScript the chart shows the workload that is stated here.",
    "calculator": "Without JavaScript the page shows the one model that is stated here.",
}


def _solutions() -> Element:
    """Return the right answers of the lesson's own variants, for readers without JavaScript."""
    items = [
        el("li", f"{number}. {part.prompt} ", solved(part))
        for number in QUESTIONS
        for part in variant(number, 0).parts
    ]
    return el("details", el("summary", "The right answers"), el("ul", items))


def _answers_as_data() -> str:
    # No script: a theme that puts pages in place by itself would run it, whatever its type.
    return write(el("template", json.dumps(recorded(), separators=(",", ":")), data_recorded=True))
