"""What is on a page becomes equal to new markup, and only what differs is touched. No Python boots here."""

import json
from collections.abc import Iterator
from random import Random

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import DIST

pytestmark = pytest.mark.browser

PAIRS = 400
EMPTY = "<!doctype html>"
# Puts markup into the page as a parser would, patches it, and says what happened meanwhile.
PATCHED = """
async ([script, before, after]) => {
  const { patch } = await import(script);
  const target = document.createElement("main");
  target.innerHTML = before;
  document.body.replaceChildren(target);
  const keyed = new Map([...target.children].map((each) => [each.dataset.key, each]));
  document.querySelector("[data-focus]")?.focus();
  const focused = document.activeElement;
  const seen = new MutationObserver(() => {});
  seen.observe(target, { subtree: true, childList: true, attributes: true, characterData: true });
  patch(target, after);
  const touched = seen.takeRecords().map(({ type, target }) => `${type} of ${target.nodeName.toLowerCase()}`);
  const stayed = [...target.children].filter(({ dataset }) => dataset.key)
    .filter((each) => keyed.get(each.dataset.key) === each);
  const wanted = new DOMParser().parseFromString(after, "text/html").body;
  return {
    markup: target.innerHTML,
    isAlike: target.childNodes.length === wanted.childNodes.length &&
      [...target.childNodes].every((child, at) => child.isEqualNode(wanted.childNodes[at])),
    stayed: stayed.map((each) => each.dataset.key),
    touched,
    hasFocus: focused !== document.body && document.activeElement === focused,
  };
}
"""


@pytest.fixture(scope="module")
def blank(browser: Browser, site: str) -> Iterator[tuple[Page, str]]:
    """A page with nothing on it, and the address of the script."""
    page = browser.new_page()
    page.route(
        f"{site}blank.html", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html")
    )
    page.goto(f"{site}blank.html")
    (script,) = DIST.glob("app/*/patch.js")
    yield page, f"{site}{script.relative_to(DIST).as_posix()}"
    page.close()


def markup(random: Random, depth: int = 3) -> str:
    """Children of an element, some with keys, no two with the same, and text between them."""
    keys = random.sample("abcdefgh", 8)
    parts: list[str] = []
    for _ in range(random.randrange(6)):
        if random.random() < 0.3 and parts[-1:] != ["text"]:
            parts.append("text")
            continue
        tag = random.choice(["div", "span", "svg"])
        key = f' data-key="{keys.pop()}"' if random.random() < 0.6 else ""
        look = f' class="{random.choice("xyz")}"' if random.random() < 0.5 else ""
        name = f' title="{random.randrange(3)}"' if random.random() < 0.3 else ""
        inner = markup(random, depth - 1) if depth > 1 and tag != "svg" else ""
        parts.append(f"<{tag}{key}{look}{name}>{inner}</{tag}>")
    return "".join(part if part != "text" else f"word {random.randrange(3)}" for part in parts)


def test_any_markup_becomes_any_other(blank: tuple[Page, str]) -> None:
    page, script = blank
    random = Random(20)
    for _ in range(PAIRS):
        before, after = markup(random), markup(random)
        found = page.evaluate(PATCHED, [script, before, after])
        assert found["isAlike"], json.dumps(
            {"before": before, "after": after, "found": found["markup"]}, indent=1
        )


def test_what_is_alike_is_not_touched(blank: tuple[Page, str]) -> None:
    page, script = blank
    random = Random(21)
    for _ in range(20):
        same = markup(random)
        assert page.evaluate(PATCHED, [script, same, same])["touched"] == []


LIST = '<ol><li data-key="1">one</li><li data-key="2">two</li></ol>'


@pytest.mark.parametrize(
    ("after", "touched"),
    [
        (LIST.replace("two", "three"), ["characterData of #text"]),
        (LIST.replace('"1"', '"1" class="x"'), ["attributes of li"]),
        (LIST.replace("<li data", '<li data-key="0">none</li><li data', 1), ["childList of ol"]),
        (LIST.replace('<li data-key="1">one</li>', ""), ["childList of ol"]),
        (LIST.replace("</ol>", '<li data-key="3">three</li></ol>'), ["childList of ol"]),
        ("", ["childList of main"]),
    ],
    ids=["a word", "an attribute", "one before", "one less", "one after", "all gone"],
)
def test_a_change_touches_nothing_but_itself(blank: tuple[Page, str], after: str, touched: list[str]) -> None:
    page, script = blank
    assert page.evaluate(PATCHED, [script, LIST, after])["touched"] == touched


BUTTONS = [
    '<button data-key="{0}"{1}>{0}</button>'.format(key, " data-focus" * (key == "b")) for key in "abc"
]


@pytest.mark.parametrize(
    ("kept", "has_focus"), [("abc", True), ("bc", True), ("bca", False), ("xbc", True), ("axc", False)]
)
def test_an_element_stays_by_its_key_and_the_focus_unless_it_is_moved(
    blank: tuple[Page, str], kept: str, has_focus: bool
) -> None:
    page, script = blank
    by_key = dict(zip("abc", BUTTONS, strict=True))
    after = "".join(by_key.get(key, f'<button data-key="{key}">{key}</button>') for key in kept)
    found = page.evaluate(PATCHED, [script, "".join(BUTTONS), after])
    assert found["stayed"] == [key for key in kept if key in "abc"]
    assert found["hasFocus"] is has_focus


def test_a_script_in_markup_never_runs(blank: tuple[Page, str]) -> None:
    page, script = blank
    page.evaluate(PATCHED, [script, "", "<script>window.hasRun = true</script><p>after it</p>"])
    assert page.evaluate("document.querySelector('main p').textContent") == "after it"
    assert page.evaluate("window.hasRun") is None
