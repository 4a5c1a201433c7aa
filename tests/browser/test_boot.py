"""From an empty page to live Python: what is there first, what is said meanwhile, and what when it fails."""

from email.message import Message
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from tests.browser.conftest import DIST
from tests.browser.driver import BOOT_TIMEOUT, Held, Watch, until_live
from tools.serve import Answer, serving
from widget.session import Session

pytestmark = pytest.mark.browser

FIRST_PICTURE_BYTES = 300_000
LATE = "document.querySelector('.kv-late').getBoundingClientRect().height"


def assert_told_after_a_while(page: Page) -> None:
    """The line about scripts that do not come takes its room only once its time has passed."""
    assert page.evaluate(LATE) == 0
    page.locator(".kv-late").evaluate(
        "(one) => one.getAnimations().forEach((animation) => animation.finish())"
    )
    assert page.evaluate(LATE) > 10


def test_the_first_picture_needs_no_python_and_little_else(page: Page, site: str) -> None:
    held = Held(page, "**/runtime/**", "**/app.zip")
    responses: list[Response] = []
    page.on("response", lambda response: responses.append(response))  # noqa: PLW0108 (a bound built-in is refused)
    page.goto(f"{site}widget.html")
    expect(page.locator("[data-mode]")).to_contain_text("recorded · loading Python: 0.0 of 1")
    expect(page.get_by_role("progressbar", name="Loading Python")).to_be_visible()
    expect(page.get_by_role("button", name="+4 tokens, chat A").first).to_be_visible()
    drawn = page.locator("[data-region=paged] svg.kv-broad")
    expect(drawn).to_be_visible()
    expect(page.locator("[data-region=paged] svg.kv-narrow")).to_be_hidden()
    assert drawn.locator(".letter").all_text_contents() == [*"AAAAAA", *"BBB", *"CCCCC"]
    assert "C waits" in page.locator("[data-region=contiguous]").inner_text()
    assert {Path(response.url).name for response in responses} >= {"widget.html", "style.css", "element.js"}
    assert sum(len(response.body()) for response in responses) <= FIRST_PICTURE_BYTES
    held.release()


def test_the_first_picture_is_what_the_session_draws(page: Page) -> None:
    page.set_content((DIST / "widget.html").read_text(encoding="utf-8"))
    drawn = Session().frame()["regions"]
    # What is drawn when a panel is opened stands in the page from the start, for readers without JavaScript.
    assert [name for name, markup in drawn.items() if not markup] == ["chart", "table"]
    for name, markup in drawn.items():
        if not markup:
            continue
        expected = page.evaluate(
            "(text) => new DOMParser().parseFromString(text, 'text/html').body.innerHTML", markup
        )
        assert page.locator(f"[data-region={name}]").inner_html() == expected


def test_going_live_changes_nothing_that_a_reader_sees_and_asks_nothing_of_another_origin(
    page: Page, site: str
) -> None:
    watch = Watch(page)
    held = Held(page, "**/pyodide.asm.wasm")
    page.goto(f"{site}widget.html")
    # All but what is drawn when its panel is opened.
    regions = "[data-region]:not([data-region=chart], [data-region=table])"
    words = f"[...document.querySelectorAll('{regions}')].map((one) => one.innerText)"
    places = """[...document.querySelectorAll('kv-pool :is(button, h3, [data-pool] .kv-broad rect)')]
      .map((one) => one.getBoundingClientRect()).map((box) => [box.x, box.y, box.width, box.height])"""
    expect(page.locator("[data-region=paged] svg.kv-broad")).to_be_visible()
    before = page.evaluate(words), page.evaluate(places)
    held.release()
    expect(page.locator("[data-region=paged] svg")).to_have_count(2, timeout=BOOT_TIMEOUT)  # meter, one pool
    assert (page.evaluate(words), page.evaluate(places)) == before
    asked = [url for url in watch.requests if not url.startswith("data:")]
    assert [url for url in asked if not url.startswith(site)] == []
    assert {Path(url).name for url in asked} >= {"widget.html", "worker.js", "app.zip", "pyodide.asm.wasm"}


@pytest.mark.parametrize("missing", ["pyodide.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "app.zip"])
def test_a_missing_file_is_named_and_trying_again_does_what_was_pressed(
    page: Page, site: str, missing: str
) -> None:
    page.context.route(f"**/{missing}", lambda route: route.fulfill(status=404))
    page.goto(f"{site}widget.html")
    page.get_by_role("button", name="+4 tokens, chat A").first.click()
    problem = page.get_by_role("alert")
    expect(problem).to_contain_text("Python is not running.", timeout=BOOT_TIMEOUT)
    expect(problem).to_contain_text(missing)
    expect(problem).to_contain_text("the others are kept as long as this page is open")
    expect(page.locator("[data-region=paged] svg.kv-broad")).to_be_visible()
    if missing != "app.zip":
        return  # one full recovery is enough, and the others take the same way
    page.get_by_role("button", name="Try again").click()
    expect(problem).to_contain_text("Python is not running, after 2 tries.", timeout=BOOT_TIMEOUT)
    page.context.unroute(f"**/{missing}")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("kv-pool[data-state=live]")).to_be_visible(timeout=BOOT_TIMEOUT)
    expect(page.locator("[data-region=caption]")).to_contain_text("Step 4.")
    expect(problem).to_be_hidden()


@pytest.mark.parametrize(
    ("name", "body", "sentence"),
    [
        (
            "pyodide.asm.wasm",
            "<html>",
            "runtime/pyodide.asm.wasm could not be loaded: it has 6 bytes and should have",
        ),
        (
            "python_stdlib.zip",
            "PK",
            "runtime/python_stdlib.zip could not be loaded: it has 2 bytes and should have",
        ),
        ("pyodide-lock.json", "<html>", "runtime/pyodide-lock.json could not be loaded: it has 6 bytes"),
        ("app.zip", "<html>", "app.zip could not be loaded: it has 6 bytes and should have"),
        ("pyodide.asm.mjs", None, "runtime/pyodide.asm.mjs could not be loaded: status 404."),
        ("pyodide.mjs", "", "runtime/pyodide.mjs could not be loaded: it has 0 bytes and should have"),
    ],
)
def test_a_file_that_is_not_what_it_should_be_is_named(
    page: Page, site: str, name: str, body: str | None, sentence: str
) -> None:
    page.context.route(
        f"**/{name}", lambda route: route.fulfill(status=404) if body is None else route.fulfill(body=body)
    )
    page.goto(f"{site}widget.html")
    expect(page.get_by_role("alert")).to_contain_text(sentence, timeout=BOOT_TIMEOUT)


@pytest.mark.parametrize(
    "name",
    [
        *("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip"),
        "app.zip",
    ],
)
def test_a_file_with_one_byte_altered_is_refused_and_comes_anew(
    page: Page, tmp_path: Path, name: str
) -> None:
    """The browser may keep the altered file: only its digest tells, and only asking the server anew helps."""
    folder = "app" if name == "app.zip" else "runtime"
    whole = next((DIST / folder).glob(f"*/{name}"))
    content = bytearray(whole.read_bytes())
    content[-100] ^= 1  # near its end, or the browser would not read all of its WebAssembly
    altered = tmp_path / name
    altered.write_bytes(content)
    asked: list[str] = []
    is_altered = True

    def answer(file: Path, _request: Message) -> Answer:
        if file.name == name:
            asked.append(name)
        kept = {"Cache-Control": "max-age=600, immutable"}
        return Answer(altered if is_altered and file.name == name else file, kept)

    with serving(DIST, choose=answer) as site:
        page.goto(f"{site}widget.html")
        page.get_by_role("button", name="+4 tokens, chat A").first.click()
        problem = page.get_by_role("alert")
        shown = name if name == "app.zip" else f"runtime/{name}"
        sentence = f"{shown} could not be loaded: it is another file than the one that belongs here."
        expect(problem).to_contain_text(sentence, timeout=BOOT_TIMEOUT)
        is_altered = False
        page.get_by_role("button", name="Try again").click()
        until_live(page)
        expect(page.locator("[data-region=caption]")).to_contain_text("Step 4.")
    assert asked == [name] * 2


def test_webassembly_of_the_wrong_type_runs_all_the_same(page: Page) -> None:
    def answer(file: Path, _request: Message) -> Answer:
        return Answer(file, {"Content-Type": "text/plain"} if file.suffix == ".wasm" else {})

    with serving(DIST, choose=answer) as site:
        with page.expect_response("**/pyodide.asm.wasm") as response:
            page.goto(f"{site}widget.html")
        assert response.value.headers["content-type"] == "text/plain"
        until_live(page)


@pytest.mark.parametrize("script", ["element.js", "client.js"])
def test_a_script_that_does_not_come_is_told_at_once_where_a_reader_is(
    page: Page, site: str, script: str
) -> None:
    page.context.route(f"**/{script}", lambda route: route.fulfill(status=404))
    page.goto(f"{site}widget.html")
    page.wait_for_function(f"{LATE} > 10", timeout=6000)  # before it would show by itself
    page.evaluate("scrollTo(0, 400)")
    late = page.locator(".kv-late")
    expect(late).to_be_in_viewport()
    expect(late).to_contain_text("or reload the page;")


def test_where_no_script_comes_at_all_the_page_tells_of_it_after_a_while(page: Page, site: str) -> None:
    page.context.route("**/early.js", lambda route: route.fulfill(status=404))
    page.goto(f"{site}widget.html")
    assert_told_after_a_while(page)


def test_a_script_that_tells_of_a_model_and_does_not_come_is_missed_and_nothing_else(
    page: Page, site: str
) -> None:
    watch = Watch(page)
    page.context.route("**/model.js", lambda route: route.fulfill(status=404))
    with page.expect_response("**/model.js"):
        page.goto(f"{site}widget.html#v=1&of=Llama&kv=131072")
    until_live(page)
    expect(page.locator("[data-model]")).to_be_hidden()
    assert [trouble for trouble in watch.troubles if trouble.startswith("exception:")] == []


def test_an_exercise_whose_script_does_not_come_says_so(page: Page, site: str) -> None:
    page.context.route("**/exercises/element.js", lambda route: route.fulfill(status=404))
    page.goto(f"{site}quiz.html")
    assert_told_after_a_while(page)


def test_a_link_that_is_still_to_be_opened_stays_in_the_address(page: Page, site: str) -> None:
    held = Held(page, "**/runtime/**")
    link = f"{site}widget.html#v=1&ops=~A+1,B+1,A+9"
    page.goto(link)
    expect(page.locator("kv-pool[data-recorded]")).to_be_attached()
    expect(page.locator("[data-waiting]")).to_have_text("The link opens as soon as Python is there.")
    page.reload()
    expect(page.locator("kv-pool[data-recorded]")).to_be_attached()
    expect(page).to_have_url(link)
    held.release()
    expect(page.locator("kv-pool[data-state=live]")).to_be_visible(timeout=BOOT_TIMEOUT)
    expect(page.locator("[data-region=caption]")).to_contain_text("Step 6.")
    expect(page).to_have_url(link)


def test_a_script_of_python_s_that_does_not_load_is_named(page: Page, site: str) -> None:
    page.context.route("**/python.js", lambda route: route.fulfill(status=404))
    page.goto(f"{site}widget.html")
    expect(page.get_by_role("alert")).to_contain_text("python.js could not be loaded", timeout=BOOT_TIMEOUT)


def test_without_javascript_the_first_step_is_there(browser: Browser, site: str) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 700, "height": 900})
    page = context.new_page()
    page.goto(f"{site}widget.html")
    expect(page.locator("[data-region=paged] svg.kv-narrow")).to_be_visible()
    expect(page.get_by_text("here no script may run")).to_be_visible()
    for width in (700, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.locator(":is(button, input, select)").filter(visible=True).count() == 0
    context.close()
