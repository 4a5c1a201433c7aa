"""The browser's Python gives what this Python gives, to the letter; and only Python knows the rules."""

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from figures.gallery import FIGURES
from figures.views import FIGURE_VIEWS
from pagedkv.proof import attention_proof
from tests.browser.conftest import DIST
from tests.browser.driver import Widget, until_live
from tests.widget.commands import random_commands
from widget.page import archive
from widget.session import Session

pytestmark = pytest.mark.browser

# A page of its own, since this Python imports NumPy and the widget's does not.
_BOOT = """
async () => {
  const element = document.querySelector("script[src$='element.js']").src;
  const { RUNTIME } = await import(new URL("built.js", element));
  const folder = new URL(`../../${RUNTIME}`, element).href;
  const { loadPyodide } = await import(`${folder}pyodide.mjs`);
  const python = await loadPyodide({ indexURL: folder });
  const archive = await (await fetch(new URL("app.zip", element))).arrayBuffer();
  python.unpackArchive(archive, "zip", { extractDir: "/app" });
  python.runPython("import sys; sys.path.insert(0, '/app')");
  window.run = (code) => python.runPython(code);
  window.load = (name) => python.loadPackage(name);
}
"""


@pytest.fixture(scope="module")
def python(browser: Browser, site: str) -> Iterator[Page]:
    """A page with the browser's Python at hand as `run(code)`."""
    page = browser.new_page()
    page.goto(f"{site}widget.html")
    page.evaluate(_BOOT)
    yield page
    page.close()


@pytest.mark.parametrize("seed", range(3))
def test_the_same_commands_give_the_same_frames_to_the_letter(python: Page, seed: int) -> None:
    commands = [json.dumps(command) for command in random_commands(seed, 80)]
    here = Session()
    expected = [here.dispatch_json(command) for command in commands]
    there = python.evaluate(
        """(commands) => {
          const dispatch = run("from widget.session import Session; Session().dispatch_json");
          return commands.map((command) => dispatch(command));
        }""",
        commands,
    )
    frames = [json.loads(frame) for frame in expected]
    assert sum(frame["problem"] is None for frame in frames) > len(frames) / 2, "most commands do something"
    assert any(frame["problem"] for frame in frames), "and some are refused"
    assert there == expected


def test_the_figures_are_the_same_to_the_letter(python: Page) -> None:
    there = python.evaluate(
        """() => JSON.parse(run(`
import json
from figures.gallery import FIGURES
from figures.views import FIGURE_VIEWS
json.dumps([figure.svg(view, is_file=True) for figure in FIGURES.values() for view in FIGURE_VIEWS])`))"""
    )
    assert there == [figure.svg(view, is_file=True) for figure in FIGURES.values() for view in FIGURE_VIEWS]


def test_attention_is_the_same_to_twelve_digits(python: Page) -> None:
    python.evaluate("() => load('numpy')")
    there = python.evaluate(
        """() => JSON.parse(run(`
import json
from pagedkv.proof import attention_proof
json.dumps([[list(map(list, pair)) for pair in run.outputs.values()] for run in attention_proof()])`))"""
    )
    here = [[list(map(list, pair)) for pair in run.outputs.values()] for run in attention_proof()]
    flat_here, flat_there = (
        [number for run in runs for pair in run for output in pair for number in output]
        for runs in (here, there)
    )
    assert len(flat_here) == 3 * 2 * 2 * 4
    assert max(abs(one - other) for one, other in zip(flat_here, flat_there, strict=True)) <= 1e-12
    assert max(abs(number) for number in flat_here) > 0.1, "the outputs are not all zero"


_READINGS = """
import json
from pagedkv.contents import Contents
from pagedkv.scenarios import SCENARIOS

def numbers():
    for scenario in SCENARIOS.values():
        contents = Contents(scenario.settings)
        for operation in scenario.operations:
            contents.apply(operation)
            for chat in contents.seat_of_chat:
                found = contents.attend(chat)
                for reading in (found.contiguous, found.paged):
                    if reading is not None:
                        yield [*reading.slots, *reading.weights, *reading.output]
                if found.paged is not None:
                    yield [*found.paged.flat, *found.paged.careless]

readings = list(numbers())
"""


def test_attention_over_the_slots_of_every_scenario_is_the_same_to_twelve_digits(python: Page) -> None:
    python.evaluate("() => load('numpy')")
    there = python.evaluate("(code) => JSON.parse(run(code))", f"{_READINGS}\njson.dumps(readings)")
    here: dict[str, Any] = {}
    exec(_READINGS, here)  # the very same lines in both Pythons
    assert [len(one) for one in there] == [len(one) for one in here["readings"]]
    pairs = [
        pair
        for one, other in zip(here["readings"], there, strict=True)
        for pair in zip(one, other, strict=True)
    ]
    assert len(pairs) > 1_000
    assert max(abs(one - other) for one, other in pairs) <= 1e-12


def test_another_free_list_rule_changes_the_page_without_any_javascript(page: Page, site: str) -> None:
    """Load a `pagedkv` that takes blocks from the back of the free list, under the very same scripts."""
    original = io.BytesIO(archive())
    changed = io.BytesIO()
    with zipfile.ZipFile(original) as source, zipfile.ZipFile(changed, "w") as target:
        for name in source.namelist():
            text = source.read(name).decode()
            if name == "pagedkv/blocks.py":
                assert text.count("self.free_list.popleft()") == 1
                text = text.replace("self.free_list.popleft()", "self.free_list.pop()")
            target.writestr(name, text)
    page.context.route("**/app.zip", lambda route: route.fulfill(body=changed.getvalue()))
    built = next(DIST.glob("app/*/built.js")).read_text(encoding="utf-8")
    known = {"size": len(changed.getvalue()), "digest": hashlib.sha256(changed.getvalue()).hexdigest()}
    built, count = re.subn(r'"app.zip": \{[^}]*\}', f'"app.zip": {json.dumps(known)}', built)
    assert count == 1
    page.context.route("**/built.js", lambda route: route.fulfill(body=built, content_type="text/javascript"))
    page.goto(f"{site}widget.html")
    until_live(page)
    widget = Widget(page)
    expect(page.locator("[data-region=paged] svg.kv-picture")).to_have_count(1)

    assert widget.letters("paged") == {
        **dict.fromkeys([60, 61, 62, 63, 56, 57], "A"),
        **dict.fromkeys([52, 53, 54], "B"),
        **dict.fromkeys([48, 49, 50, 51, 44], "C"),
    }
    assert [widget.table(chat) for chat in "ABC"] == [[15, 14], [13], [12, 11]]
    assert widget.free_list() == list(range(11))
    widget.grow("A")
    assert widget.table("A") == [15, 14, 10]
    assert "Its last block fills up, so block 10 leaves the free list." in widget.caption()
    widget.finish("B")
    widget.grow("C")
    assert widget.table("C") == [12, 11, 13]
    assert "block 13 leaves the free list" in widget.caption()
