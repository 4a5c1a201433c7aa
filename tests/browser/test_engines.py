"""What every reader needs, in Firefox and WebKit as they are installed: it starts, answers, and starts again.

All else is tested in Chromium. `make test` says at its end which engines were there.
"""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.engines import Engine, EngineMissing, firefox, webkit
from tools.browser import BrowserMissing
from tools.serve import serving
from widget.session import Session

pytestmark = pytest.mark.browser

# Keys, as WebDriver writes them.
TAB, ENTER, PAGE_UP, PAGE_DOWN, RIGHT = "\ue004", "\ue007", "\ue00e", "\ue00f", "\ue014"

GROW = "[data-key='chat-A'] .kv-main"

# Live, and done with what the page opened with: commands are answered in order, and this one is the last.
_TURNED = """
const pool = document.querySelector("kv-pool");
return new Promise((resolve) => {
  const { dataset } = pool;
  const problem = pool.querySelector("[data-problem]");
  const tell = () => resolve([dataset.state, dataset.start, problem.textContent]);
  const look = () => {
    if (dataset.state === "failed") tell();
    if (dataset.state !== "live") return;
    watch.disconnect();
    pool.addEventListener("kv-frame", ({ detail }) => detail.looked && tell());
    const home = new KeyboardEvent("keydown", { key: "Home", bubbles: true });
    pool.querySelector("[data-pool=paged]").dispatchEvent(home);
  };
  const watch = new MutationObserver(look);
  watch.observe(pool, { attributes: true });
  look();
});
"""
_KEPT = """
return new Promise((resolve) => {
  const look = async () => {
    const cache = await caches.open("pagedkv-python");
    if ((await cache.keys()).length > 0) resolve(true);
    else setTimeout(look, 100);
  };
  look();
});
"""
_LISTEN = """
const pool = document.querySelector("kv-pool");
window.answered = new Promise((resolve) => {
  pool.addEventListener("kv-frame", ({ detail }) => resolve(JSON.stringify(detail)), { once: true });
});
"""
# Whether a region shows the markup, as the engine itself reads it. The page lights up what is pointed at.
_SHOWS = """
const [name, markup] = arguments;
const drawn = document.querySelector(`[data-region="${name}"]`).cloneNode(true);
for (const one of drawn.querySelectorAll(".kv-linked")) one.classList.remove("kv-linked");
const wanted = new DOMParser().parseFromString(markup, "text/html").body.childNodes;
const isSame = (one, i) => one.isEqualNode(drawn.childNodes[i]);
return drawn.childNodes.length === wanted.length && [...wanted].every(isSame);
"""
_COMMAND = "return JSON.parse(document.querySelector(arguments[0]).dataset.command)"
_WIDEST_THAT_FITS = """
const pool = document.querySelector("kv-pool");
const room = pool.querySelector(".kv-pair").clientWidth;
return Object.entries(JSON.parse(pool.dataset.views)).findLast(([, width]) => width <= room)[0];
"""


class Visit:
    """A reader at the widget, and beside it the same session in this Python."""

    def __init__(self, engine: Engine, enter: Callable[[], None]) -> None:
        self.engine = engine
        started = time.monotonic()
        enter()
        self.turned = engine.run(_TURNED)
        self.seconds = time.monotonic() - started
        self.session = Session()
        self.session.dispatch({"type": "show", "view": engine.run(_WIDEST_THAT_FITS)})
        if link := engine.run("return location.hash"):
            self.session.dispatch({"type": "open", "link": link})
        self.session.dispatch({"type": "look", "layout": "paged", "move": "first"})

    def press(self, selector: str) -> dict[str, Any]:
        """Press a button, and return the frame that answered, which is this Python's."""
        command = self.engine.run(_COMMAND, selector)
        return self.same(self.answer(lambda: self.engine.click(selector)), command)

    def answer(self, act: Callable[[], None]) -> dict[str, Any]:
        """Return the frame that answers what `act` does."""
        self.engine.run(_LISTEN)
        act()
        frame: dict[str, Any] = json.loads(self.engine.run("return window.answered"))
        return frame

    def same(self, frame: dict[str, Any], command: dict[str, Any]) -> dict[str, Any]:
        """Check a frame, and what the page shows, against this Python's answer to the command."""
        expected = json.loads(self.session.dispatch_json(json.dumps(command)))
        assert [key for key in expected if frame[key] != expected[key]] == []
        assert frame["problem"] is None
        shown = ("contiguous", "paged", "chats", "caption", "look", "time")
        assert [name for name in shown if not self.engine.run(_SHOWS, name, frame["regions"][name])] == []
        return frame

    def text(self, selector: str) -> str:
        words: str = self.engine.run("return document.querySelector(arguments[0]).textContent", selector)
        return " ".join(words.split())

    def focus(self, selector: str) -> None:
        self.engine.run("document.querySelector(arguments[0]).focus()", selector)


@pytest.fixture(scope="module", params=[firefox, webkit], ids=["firefox", "webkit"])
def started(request: pytest.FixtureRequest) -> Iterator[Engine | EngineMissing]:
    """One engine after the other, for all tests of this file; or why it is not here."""
    with request.param() as engine:
        yield engine


@pytest.fixture
def engine(
    started: Engine | EngineMissing,
    request: pytest.FixtureRequest,
    record_property: Callable[[str, object], None],
) -> Engine:
    """An engine that is here. The last lines of all tests name it, or what is missing."""
    if isinstance(started, EngineMissing):
        record_property("engine", started.why)
        request.node.add_marker("skip")  # pytest counts those with the mark in one line
        pytest.skip(started.why)
    record_property("engine", started.name)
    return started


@pytest.fixture(scope="module")
def first_visit(started: Engine | EngineMissing, site: str) -> Visit | None:
    if isinstance(started, EngineMissing):
        return None
    return Visit(started, lambda: started.open(f"{site}widget.html"))


@pytest.fixture
def visit(engine: Engine, first_visit: Visit | None) -> Visit:
    """The widget at its first scenario, as it opens."""
    assert first_visit is not None
    assert first_visit.turned == ["live", "new", ""]
    assert first_visit.engine is engine
    first_visit.press("[data-command*='\"start\"']")
    return first_visit


def test_it_goes_live(visit: Visit, record_property: Callable[[str, object], None]) -> None:
    assert visit.text("[data-mode]").startswith("live · Python 3.")
    record_property("seconds", f"live after {visit.seconds:.1f} s")


def test_a_press_gives_the_picture_and_the_words_that_this_python_gives(visit: Visit) -> None:
    before = visit.text("[data-region=paged] .kv-picture")
    visit.press(GROW)
    assert visit.text("[data-region=caption]").startswith("Step 4.")
    assert visit.text("[data-region=paged] .kv-picture") != before


def test_a_slider_moves_under_the_pointer_and_with_the_keys(visit: Visit) -> None:
    slider = "[data-setting=reserve]"

    def moved(act: Callable[[], None]) -> int:
        frame = visit.answer(act)
        position = int(visit.engine.run("return document.querySelector(arguments[0]).value", slider))
        visit.same(frame, {"type": "setting", "name": "reserve", "position": position})
        return position

    # A click on the middle of its track takes it there.
    middle = moved(lambda: visit.engine.click(slider))
    assert middle in range(18, 23)
    visit.focus(slider)
    assert moved(lambda: visit.engine.press(RIGHT)) == middle + 1
    assert visit.engine.run("return document.activeElement.matches(arguments[0])", slider)


def test_keys_walk_over_the_slots_step_back_and_on_and_press(visit: Visit) -> None:
    press = visit.engine.press
    visit.focus("[data-pool=paged]")
    looked = visit.same(
        visit.answer(lambda: press(RIGHT)), {"type": "look", "layout": "paged", "move": "right"}
    )
    assert looked["looked"]
    back = visit.same(visit.answer(lambda: press(PAGE_UP)), {"type": "step", "by": -1})
    on = visit.same(visit.answer(lambda: press(PAGE_DOWN)), {"type": "step", "by": 1})
    assert [frame["snapshot"]["step"] for frame in (looked, back, on)] == [3, 2, 3]
    # From a chat's first button to its second with Tab, which is pressed with Enter and keeps the focus.
    visit.focus(GROW)
    press(TAB)
    focused = "return document.activeElement.dataset.command"
    command = json.loads(visit.engine.run(focused))
    assert command == {"type": "operation", "operation": {"op": "append", "chat": "A", "tokens": 1}}
    visit.same(visit.answer(lambda: press(ENTER)), command)
    assert json.loads(visit.engine.run(focused)) == command


def test_the_next_visit_starts_from_what_was_kept_where_the_last_one_ended(
    visit: Visit, record_property: Callable[[str, object], None]
) -> None:
    visit.press(GROW)
    assert visit.engine.run(_KEPT)
    again = Visit(visit.engine, visit.engine.reload)
    assert again.turned == ["live", "kept", ""]
    record_property("seconds", f"on the next visit after {again.seconds:.1f} s")
    again.press(GROW)
    assert again.text("[data-region=caption]").startswith("Step 5.")


def test_in_a_frame_of_nobody_s_origin_it_is_live_too(engine: Engine, site: str, tmp_path: Path) -> None:
    frame = (
        f'<iframe src="{site}widget.html" title="Widget" sandbox="allow-scripts" width="900" height="1200">'
    )
    (tmp_path / "page.html").write_text(f"<!doctype html><title>A page</title>{frame}</iframe>", "utf-8")
    with serving(tmp_path) as base:
        engine.open(f"{base}page.html")
        with engine.frame():
            assert engine.run("return origin") == "null"
            visit = Visit(engine, lambda: None)
            assert visit.turned == ["live", "new", ""]
            visit.press(GROW)
            assert visit.text("[data-region=caption]").startswith("Step 4.")


def test_what_is_missing_is_named_with_what_would_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FIREFOX", raising=False)
    monkeypatch.setenv("PATH", "")
    for start, package in ((firefox, "firefox-esr"), (webkit, "webkit2gtk-driver")):
        with start() as missing:
            assert isinstance(missing, EngineMissing)
            assert package in missing.why
    # What is named is an order, and nothing else is taken for it.
    monkeypatch.setenv("FIREFOX", "/no/such/firefox")
    with pytest.raises(BrowserMissing, match="FIREFOX names /no/such/firefox"), firefox():
        pass


def test_links_within_a_text_are_underlined(engine: Engine, site: str) -> None:
    engine.open(f"{site}sizes.html")
    bare = """
    const links = [...document.querySelectorAll(".md-content__inner :is(p, li) a, .lesson-zoom")];
    const isBare = (one) => !getComputedStyle(one).textDecorationLine.includes("underline");
    return [links.length, links.filter(isBare).map((one) => one.textContent)];
    """
    count, found = engine.run(bare)
    assert count > 10
    assert found == []
