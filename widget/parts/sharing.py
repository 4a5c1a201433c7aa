"""What a session can be taken along as, and how its counters went.

Example:
    >>> from widget.session import Session
    >>> session = Session()
    >>> frame = session.dispatch({"type": "open_panel", "panel": "chart", "open": True})
    >>> frame["regions"]["chart"].count("<title")  # one for each layout
    2
"""

from figures.chart import Amounts, chart
from figures.markup import Element, el
from widget.history import LAYOUTS, history
from widget.parts.pieces import button
from widget.state import State

_FILES = (
    ("svg", "Save SVG", "Save SVG, a picture of both pools"),
    ("png", "Save PNG", "Save PNG, a picture of both pools"),
    ("json", "Save operations", "Save operations as a JSON file"),
    ("csv", "Save counters", "Save counters of each step as a CSV file"),
)


def share_panel() -> Element:
    """Return the panel that copies, saves and opens.

    >>> share_panel().attributes["data-panel"]
    'share'
    """
    return el(
        "details",
        el("summary", "Copy, save, open"),
        el(
            "div",
            el("button", "Copy link", type="button", data_copy="link"),
            [button(text, {"type": "export", "what": what}, label) for what, text, label in _FILES],
            el("button", "Open operations", type="button", data_import=True),
            el("button", "Copy problem report", type="button", data_copy="report"),
            class_="kv-row",
        ),
        el(
            "p",
            # Its address is filled in by the script: it depends on where the app's files lie.
            el("a", "Replay these operations on a GPU", data_notebook=True, target="_blank", rel="noopener"),
            ", in a notebook that takes this very list.",
        ),
        el("p", data_shared=True, role="status"),
        el("textarea", data_to_copy=True, readonly=True, hidden=True, aria_label="Text to copy"),
        el(
            "input",
            data_import_file=True,
            type="file",
            accept=".json,application/json",
            hidden=True,
            aria_label="A file of operations",
        ),
        el(
            "p",
            "The link leads to this very step. Saved operations open here again; the file can be dropped on "
            "the widget, too. A problem report names the link, the build, the browser and the mode. Nothing "
            "is sent anywhere.",
            class_="kv-about",
        ),
        class_="kv-panel",
        data_panel="share",
        data_search_exclude=True,
    )


def charts(state: State) -> list[Element]:
    """Return the counters of both layouts over the steps; nothing while the panel is closed.

    >>> from widget.session import Session
    >>> charts(Session().state())
    []
    """
    if not state.is_open("chart"):
        return []
    moments = history(state.story)
    found = []
    for layout in LAYOUTS:
        points = [
            Amounts(moment[layout]["used"], moment[layout]["empty"], moment[layout]["free"])
            for moment in moments
        ]
        # One for each: a page that does not know its width yet has it folded, and the narrow one fits any.
        picture = chart(layout, points, state.story.step, state.views[0], is_file=False)
        found.append(el("div", picture, class_="kv-pair"))
    return found
