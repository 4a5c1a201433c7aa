"""What the build makes of the widget: its first picture as markup, `widget.html`, and the files behind it.

Example:
    >>> fragment("../", App(digest="0123", bytes=13_000_000))[:50]
    '<link rel="stylesheet" href="../app/0123/style.css'

The first picture is drawn by the same session that answers in the browser, so the page is complete before any
Python has arrived. The app's files lie in a folder named by their digest: pages of one build never meet the
scripts of another in a reader's cache.
"""

import hashlib
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from figures.grid import Box
from figures.markup import Element, el, write
from figures.pool import rectangle, words_at
from figures.theme import page_css
from figures.views import VIEWS
from widget.parts.sharing import share_panel
from widget.runtime_trim import archive_of
from widget.scripts import BROWSER, as_served, needed
from widget.session import PANELS, Session
from widget.standing import problem, question, status_line
from widget.surroundings import embed_panel, header_buttons, help_dialog, late, notice, unscripted

ROOT = Path(__file__).resolve().parents[1]
# What the browser's Python gets: the model, the drawing and the session. The build's own modules stay here.
LIVE_FOLDERS = (
    *("pagedkv", "pagedkv/configs", "figures", "widget", "widget/parts"),
    *("exercises", "exercises/questions", "exercises/sizing"),
)
NOT_LIVE = {
    *("widget/first_presses.py", "widget/page.py", "widget/recording.py", "widget/surroundings.py"),
    *("widget/scripts.py", "widget/standing.py"),
    *("widget/runtime.py", "widget/runtime_sources.py", "widget/runtime_trim.py", "widget/runtime_code.py"),
    *("exercises/page.py", "exercises/recorded.py", "pagedkv/configs/command.py"),
}
SHARED = BROWSER / "standing.css"  # the style of what the widget and the exercises have in common
# Scripts that are published under a name that stays: for pages that frame the widget, and for the whole site.
AT_THE_ROOT = {"embed-host.js": "embed.js", "service-worker.js": "service-worker.js"}

# Steps per play, as shares of an unhurried one.
SPEEDS = ("0.5", "1", "2", "4")

_TITLE = "64 slots, three chats, two ways"


@dataclass(frozen=True)
class App:
    """The widget's files as built: the digest that names their folder, and what it takes to go live.

    `bytes` have to come before Python is live, and `package_bytes` more for NumPy.
    """

    digest: str
    bytes: int
    package_bytes: int = 0

    @property
    def folder(self) -> str:
        """The folder of the app's files, from the root of the site.

        >>> App("0123", 0).folder
        'app/0123/'
        """
        return f"app/{self.digest}/"


def archive() -> bytes:
    """Return the zip of Python sources that the browser unpacks, the same bytes for the same sources.

    >>> b"pagedkv/blocks.py" in archive()
    True
    """
    paths = (path for folder in LIVE_FOLDERS for path in sorted((ROOT / folder).glob("*.py")))
    files = {path.relative_to(ROOT).as_posix(): path for path in paths}
    return archive_of({name: path.read_bytes() for name, path in files.items() if name not in NOT_LIVE})


def stylesheet() -> str:
    """Return the style of the widget and of the pictures in it.

    >>> ".kv-widget" in stylesheet()
    True
    """
    # What is shared comes first, then the widget's own sheets, the phone's last of them: what is narrower
    # overrides what is general.
    sheets = sorted(BROWSER.glob("*.css"), key=lambda path: (not path.stem.startswith("widget"), path.stem))
    sheets.sort(key=lambda path: path != SHARED)
    return page_css() + "".join(as_served(path).decode() for path in sheets)


def write_app(dist: Path, runtime: Path, recordings: Mapping[str, bytes]) -> App:
    """Write the app's files into `dist`, and return what pages need to know of them.

    Args:
        dist: the root of the site.
        runtime: the folder in it that holds the browser's Python.
        recordings: view -> the file of what it shows after the first presses.
    """
    fetched = {f"runtime/{path.name}": path.read_bytes() for path in sorted(runtime.iterdir())}
    scripts = {path.name: as_served(path) for path in sorted(BROWSER.glob("*.js"))}
    for name, published in AT_THE_ROOT.items():
        (dist / published).write_bytes(scripts.pop(name))
    files = dict(scripts)
    for path in sorted((BROWSER / "exercises").glob("*.*s")):
        if not path.name.endswith(".d.ts"):
            files[f"exercises/{path.name}"] = as_served(path)
    files["exercises/exercises.css"] = as_served(SHARED) + files["exercises/exercises.css"]
    files["style.css"] = stylesheet().encode()
    files["app.zip"] = archive()
    files |= {f"recorded-{view}.bin": file for view, file in recordings.items()}
    fetched["app.zip"] = files["app.zip"]
    known = {
        name: {"size": len(body), "digest": hashlib.sha256(body).hexdigest()}
        for name, body in fetched.items()
    }
    files["built.js"] = (
        f"export const RUNTIME = {json.dumps(runtime.relative_to(dist).as_posix() + '/')};\n"
        f"export const FILES = {json.dumps(known, indent=2)};\n"
    ).encode()
    # What Python's thread loads, from the app's folder: the service worker keeps it for later.
    later = [
        f"../../{runtime.relative_to(dist).as_posix()}/{path.name}" for path in sorted(runtime.iterdir())
    ]
    own = ["worker.js", *needed("worker.js"), "app.zip"]
    later = [*own, *(name for name in later if not name.endswith(".whl"))]
    files["thread.json"] = json.dumps(later).encode()
    digest = hashlib.sha256(b"".join(name.encode() + body for name, body in files.items())).hexdigest()[:12]
    # Packages come later, or never.
    app = App(
        digest,
        bytes=sum(len(body) for name, body in fetched.items() if not name.endswith(".whl")),
        package_bytes=sum(len(body) for name, body in fetched.items() if name.endswith(".whl")),
    )
    folder = dist / app.folder
    for earlier in set(folder.parent.glob("*")) - {folder}:
        shutil.rmtree(earlier)
    folder.mkdir(parents=True, exist_ok=True)
    for name, body in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(body)
    return app


def fragment(base: str, app: App, link: str = "") -> str:
    """Return the widget to stand in a page, with its style and script, on one line that Markdown keeps whole.

    Args:
        base: the way from the page to the root of the site, such as "" or "../".
        app: what `write_app` returned.
        link: the session that it opens with, as `widget.link.written` writes it; the start if empty.

    >>> "\\n" in fragment("", App("0123", 1))
    False
    """
    return "".join(
        write(element)
        for element in (
            el("link", rel="stylesheet", href=f"{base}{app.folder}style.css"),
            *_scripts(f"{base}{app.folder}"),
        )
    ) + _kv_pool(app, link=link)


def widget_html(app: App) -> str:
    """Return `widget.html`, the widget alone on a page.

    >>> widget_html(App("0123", 1)).splitlines()[0]
    '<!doctype html>'
    """
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", f"{_TITLE}: the memory of an AI server"),
        el(
            "meta",
            name="description",
            content="Reserve a long stretch for each chat, or hand out small blocks: see what fits.",
        ),
        el("link", rel="icon", href="data:,"),
        el("link", rel="stylesheet", href=f"{app.folder}style.css"),
        *_scripts(app.folder),
    )
    title = write(el("h1", "The memory of an AI server", class_="kv-hidden"))
    body = f"<main>{title}{_kv_pool(app, has_address=True)}</main>"
    return f'<!doctype html>\n<html lang="en" class="kv-page">\n{write(head)}\n<body>{body}</body>\n</html>\n'


def recorded(link: str = "") -> dict[str, str]:
    """Return region name -> markup of the first picture, with every panel drawn: it may stay the only one.

    Raises:
        ValueError: the link leads nowhere.

    >>> "<table" in recorded()["table"]
    True
    """
    session = Session()
    if link and (problem := session.dispatch({"type": "open", "link": link})["problem"]) is not None:
        raise ValueError(problem)
    for panel in PANELS:
        session.dispatch({"type": "open_panel", "panel": panel, "open": True})
    return session.frame()["regions"]


def _kv_pool(app: App, *, has_address: bool = False, link: str = "") -> str:
    markup = recorded(link)
    # Regions are written as text that is already markup; a mark holds their place in the tree until then.
    shell = write(_shell(app, has_address=has_address, link=link))
    for name, text in markup.items():
        shell = shell.replace(_mark(name), text)
    return shell


def _mark(name: str) -> str:
    return f"[[region {name}]]"


def _region(tag: str, name: str, **attributes: str) -> Element:
    return el(tag, _mark(name), data_region=name, class_=f"kv-{name}", **attributes)


def _legend() -> Element:
    """Say what solid, pale, dashed and outlined mean."""

    def sample(*shapes: Element) -> Element:
        return el("svg", shapes, class_="kv-picture", viewBox="0 0 18 18", aria_hidden="true")

    box = Box(2, 2, 14, 14)
    used, letter = rectangle(box, "s0 used"), words_at("A", 9, 13, 11, "letter")
    meanings = (
        ("holds a token", sample(used, letter)),
        ("held, empty", sample(rectangle(box, "s0 kept"))),
        ("free", sample(rectangle(box, "free"))),
        ("changed last", sample(used, letter, rectangle(box, "fresh"))),
    )
    return el("p", [el("span", picture, " ", meaning) for meaning, picture in meanings], class_="kv-legend")


def _speed(speed: str) -> Element:
    return el("option", f"{speed} ×", value=speed, selected=speed == "1")


def _attention_panel(app: App) -> Element:
    """Return the panel that loads NumPy when it is opened, and tells how much that is."""
    return el(
        "details",
        el("summary", "Attention over these slots"),
        el("p", data_package=True, role="status", class_="kv-note"),
        el("progress", max=1, value=0, hidden=True, aria_label="Loading NumPy"),
        el("button", "Load NumPy again", type="button", data_load=True, hidden=True),
        _region("div", "attention"),
        class_="kv-panel",
        data_panel="attention",
        data_bytes=app.package_bytes,
    )


def _panel(name: str, summary: str) -> Element:
    """Return a panel whose region is drawn only while it is open."""
    return el(
        "details",
        el("summary", summary),
        el("p", "As the widget opened. Python draws it anew once it is there.", class_="kv-stale kv-note"),
        _region("div", name),
        class_="kv-panel",
        data_panel=name,
        data_on_demand=True,
        data_search_exclude=True,
    )


def _scripts(folder: str) -> tuple[Element, ...]:
    """Return what loads the widget: first what notes the presses that come before it."""
    return tuple(
        el("script", type="module", src=f"{folder}{name}", async_=name == "early.js")
        for name in ("early.js", "element.js")
    )


def _shell(app: App, *, has_address: bool, link: str) -> Element:
    return el(
        "kv-pool",
        el(
            "header",
            _region("h2", "title"),
            status_line("recorded picture"),
            el("div", header_buttons(), class_="kv-tools"),
            class_="kv-header",
        ),
        question("was recorded and answers some presses", app.bytes),
        problem(),
        _region("nav", "scenarios", aria_label="Scenarios"),
        _region("div", "about"),
        # The calculator's link says of which model; the element's script fills it in.
        el("p", data_model=True, class_="kv-model", hidden=True) if has_address else None,
        late(has_address=has_address),
        unscripted(has_address=has_address),
        notice(),
        _region("div", "settings"),
        _region("section", "contiguous", aria_label="Old way"),
        _region("section", "paged", aria_label="New way"),
        _region("div", "look"),
        _legend(),
        _region("div", "chats"),
        _region("div", "caption"),
        # What is heard is told apart from what is seen: once, when things have come to rest.
        el("p", data_said=True, role="status", class_="kv-hidden"),
        el(
            "div",
            el("button", "Play", type="button", data_play=True, class_="kv-main"),
            _region("div", "time", role="group", aria_label="Time"),
            el(
                "label",
                el("span", "Speed", class_="kv-label"),
                el("select", [_speed(speed) for speed in SPEEDS], data_speed=True),
                class_="kv-speed",
            ),
            class_="kv-timebar",
        ),
        _region("div", "bar"),
        _attention_panel(app),
        _panel("chart", "Counters over time"),
        _panel("table", "Everything drawn, as tables"),
        share_panel(),
        embed_panel(),
        help_dialog(),
        class_="kv-theme kv-widget",
        data_bytes=app.bytes,
        data_views=json.dumps({view.name: view.width for view in VIEWS.values()}),
        data_address=has_address,
        data_opens=link or None,
        data_state="loading",
    )
