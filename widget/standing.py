"""How Python stands, in the widget and in the exercises: where it is told, and where it is asked for.

Example:
    >>> status_line("recorded").attributes["class"]
    'kv-status'

`status.js` fills these in and `standing.css` shows what applies.
"""

from figures.markup import Element, el


def status_line(mode: str) -> Element:
    """Return the line that says where answers come from, how much of Python has come, and what waits for it.

    >>> status_line("recorded picture").children[0].children[0]
    'recorded picture'
    """
    return el(
        "p",
        el("span", mode, data_mode=True, tabindex="-1"),
        " ",
        el("progress", max=1, value=0, aria_label="Loading Python"),
        el("span", data_waiting=True),
        class_="kv-status",
    )


def question(recorded: str, size: int) -> Element:
    """Return what a reader is asked before Python comes over a line that costs, by bytes or by patience.

    Args:
        recorded: what there is without Python, to end a sentence that has begun with "What you see".
        size: of what comes, in bytes.

    >>> question("was recorded", 12_300_000).children[0].children[0][-44:]
    'Python comes to your browser, 12.3 MB, once.'
    """
    sentence = (
        f"Your connection is metered or saves data. What you see {recorded}; for the rest Python comes to "
        f"your browser, {size / 1e6:.1f} MB, once."
    )
    return el(
        "div",
        el("p", sentence),
        el("button", "Load Python", type="button", data_want=True),
        el("span", data_waiting_too=True),
        class_="kv-ask",
    )


def problem() -> Element:
    """Return the place for why Python does not run, with the button that tries again.

    >>> problem().attributes["class"]
    'kv-problem'
    """
    return el(
        "div",
        el("p", data_problem=True, role="alert"),
        el("button", "Try again", type="button", data_retry=True),
        el("span", data_waiting_too=True),
        class_="kv-problem",
    )
