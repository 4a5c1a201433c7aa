"""The widget in a frame on a page of another origin: link, colours, height, and what it does when shut in."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Frame, Page, expect

from tests.browser.conftest import DIST
from tests.browser.driver import BOOT_TIMEOUT, Held, Watch, Widget
from tools.serve import serving

pytestmark = pytest.mark.browser

SHUT_IN = "allow-scripts"  # an origin of nobody's, in which no worker starts
OPEN = "allow-scripts allow-same-origin"

# Keeps every message that a frame sends.
_LISTEN = """<script>
  var heard = [];
  addEventListener("message", (event) => heard.push(event.data));
</script>"""

# Obeys like a learning platform that knows Canvas messages only.
_CANVAS = """<script>
  addEventListener("message", ({ data }) => {
    if (data.subject !== "lti.frameResize") return;
    document.querySelector("iframe").style.height = `${data.height}px`;
  });
</script>"""

# Obeys by the steps that an H5P host takes: greet, shrink, ask again, grow.
_H5P = """<script>
  addEventListener("message", ({ data, source }) => {
    if (data.context !== "h5p") return;
    const frame = document.querySelector("iframe");
    const answer = (action) => source.postMessage({ context: "h5p", action }, "*");
    if (data.action === "hello") answer("hello");
    if (data.action === "resize") frame.style.height = `${data.scrollHeight}px`;
    const fits = frame.clientHeight === data.scrollHeight && data.scrollHeight === data.clientHeight;
    if (data.action === "prepareResize" && !fits) {
      frame.style.height = `${data.clientHeight}px`;
      answer("resizePrepared");
    }
  });
</script>"""

Hosted = Callable[..., Page]


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """A folder, and its address on an origin that is not the site's."""
    folder = tmp_path_factory.mktemp("host")
    with serving(folder) as base:
        yield folder, base


def hosting(context: BrowserContext, elsewhere: tuple[Path, str]) -> Iterator[Hosted]:
    """Yield what opens a page of the other origin with the given body; see that nothing went wrong on it."""
    folder, base = elsewhere
    watches: list[Watch] = []

    def opened(body: str) -> Page:
        head = '<!doctype html><title>A page</title><link rel="icon" href="data:,">'
        (folder / "page.html").write_text(f"{head}{_LISTEN}{body}", encoding="utf-8")
        page = context.new_page()
        watches.append(Watch(page))
        page.goto(f"{base}page.html")
        return page

    yield opened
    troubles = [trouble for watch in watches for trouble in watch.troubles]
    # What the browser says where the page around a frame has forbidden scripts is no fault of the frame.
    assert [trouble for trouble in troubles if "Blocked script execution" not in trouble] == []


@pytest.fixture
def host(browser: Browser, elsewhere: tuple[Path, str], site: str) -> Iterator[Hosted]:
    """Opens a page of the other origin with the given body."""
    assert not site.startswith(elsewhere[1])
    context = browser.new_context(viewport={"width": 900, "height": 700})
    yield from hosting(context, elsewhere)
    context.close()


@pytest.fixture
def still_host(browser: Browser, elsewhere: tuple[Path, str]) -> Iterator[Hosted]:
    """The same, and Python stays on its way: what is asked here does not depend on it."""
    context = browser.new_context(viewport={"width": 900, "height": 700})
    held = Held(context, "**/runtime/**")
    yield from hosting(context, elsewhere)
    held.release()
    context.close()


def framed(site: str, link: str = "", sandbox: str | None = None) -> str:
    limits = "" if sandbox is None else f' sandbox="{sandbox}"'
    return f'<iframe src="{site}widget.html{link}" title="Widget" width="100%" height="300"{limits}></iframe>'


def inside(page: Page) -> Frame:
    frame = page.locator("iframe").first.element_handle().content_frame()
    assert frame is not None
    expect(frame.locator("kv-pool")).to_be_attached()
    return frame


def heights(page: Page) -> tuple[int, int, list[dict[str, object]]]:
    """Return the heights of the frame and of what is in it, and every message, once things are at rest."""
    frame = inside(page)
    expect(frame.locator("kv-pool[data-state]")).to_be_attached()
    heard, before = page.evaluate("heard"), None
    while heard != before:
        page.wait_for_timeout(400)
        before, heard = heard, page.evaluate("heard")
    content = frame.evaluate("Math.ceil(document.querySelector('main').getBoundingClientRect().height)")
    return page.evaluate("document.querySelector('iframe').clientHeight"), content, heard


def test_a_frame_with_no_origin_is_live_at_the_step_of_its_link_and_never_stands_still(
    host: Hosted, site: str
) -> None:
    page = host(framed(site, "?theme=dark#v=1&scenario=out-of-blocks&step=2", SHUT_IN))
    frame = inside(page)
    expect(frame.locator("kv-pool")).to_have_attribute("data-state", "live", timeout=BOOT_TIMEOUT)
    expect(frame.locator("[data-region=caption]")).to_contain_text("Step 2.")
    frame.get_by_role("button", name="+4 tokens, chat A").first.click()
    expect(frame.locator("[data-region=caption]")).to_contain_text("Step 3.")
    expect(frame.locator("[data-problem]")).to_have_text("")
    assert frame.evaluate("document.documentElement.dataset.theme") == "dark"
    assert frame.evaluate("origin") == "null"
    assert [worker.url.partition(",")[0] for worker in page.workers] == ["data:text/javascript"]


@pytest.mark.parametrize("sandbox", ["", "allow-popups"])
def test_a_frame_without_scripts_says_so_offers_no_dead_control_and_leads_out(
    host: Hosted, site: str, sandbox: str
) -> None:
    frame = inside(host(framed(site, "", sandbox)))
    expect(frame.get_by_text("here no script may run")).to_be_visible()
    expect(frame.get_by_role("link", name="Open the widget on its own page")).to_be_visible()
    expect(frame.locator("[data-region=paged] svg.kv-wide")).to_be_visible()
    assert frame.locator(":is(button, input, select)").filter(visible=True).count() == 0


def test_a_host_with_our_script_comes_to_rest_at_the_height_of_the_widget(host: Hosted, site: str) -> None:
    script = f'<script src="{site}embed.js" async></script>'
    page = host(framed(site, sandbox=SHUT_IN) + script)
    height, content, heard = heights(page)
    assert height == content > 500
    assert len([message for message in heard if message.get("source") == "kv-pool"]) <= 4
    assert {"source": "kv-pool", "v": 1, "type": "height", "height": height} in heard
    # It grows with what is in it, and shrinks again.
    inside(page).locator("[data-panel=embed] summary").click()
    taller, content, _ = heights(page)
    assert taller == content > height
    inside(page).locator("[data-panel=embed] summary").click()
    assert heights(page)[:2] == (height, height)


def test_a_script_that_comes_late_asks_for_the_height(still_host: Hosted, site: str) -> None:
    page = still_host(framed(site, sandbox=SHUT_IN))
    height, content, _ = heights(page)
    assert height == 300 < content
    page.add_script_tag(url=f"{site}embed.js")
    assert heights(page)[:2] == (content, content)


@pytest.mark.parametrize("obey", [_CANVAS, _H5P], ids=["canvas", "h5p"])
def test_a_learning_platform_comes_to_rest_too(still_host: Hosted, site: str, obey: str) -> None:
    page = still_host(obey + framed(site, sandbox=SHUT_IN))
    height, content, heard = heights(page)
    assert height == content > 500
    assert {"subject": "lti.frameResize", "height": height} in heard
    steps = [message["action"] for message in heard if message.get("context") == "h5p"]
    assert steps[:3] == (["hello", "prepareResize", "resize"] if obey == _H5P else ["hello"])
    # A narrower page makes the widget higher, once.
    page.set_viewport_size({"width": 420, "height": 700})
    narrow, content, all_heard = heights(page)
    assert narrow == content > height
    assert len(all_heard) <= len(heard) + 12


def test_our_script_is_small_and_obeys_only_the_widget_in_its_own_frame(
    still_host: Hosted, site: str
) -> None:
    assert (DIST / "embed.js").stat().st_size < 1000
    page = still_host(framed(site, sandbox=SHUT_IN) + '<iframe srcdoc="other" height="99"></iframe>')
    page.add_script_tag(url=f"{site}embed.js")
    height = heights(page)[0]
    page.evaluate(
        """() => {
          const [ours, other] = document.querySelectorAll("iframe");
          const say = (source, data, origin) =>
            dispatchEvent(new MessageEvent("message", { data, origin, source: source.contentWindow }));
          const message = { source: "kv-pool", v: 1, type: "height", height: 5 };
          say(ours, { ...message, v: 2 }, "null");
          say(ours, { ...message, height: "5px; x" }, "null");
          say(ours, message, "https://another.example");
          say(ours, null, "null");
        }"""
    )
    sizes = page.locator("iframe").evaluate_all("all => all.map((one) => one.clientHeight)")
    assert sizes == [height, 99]


def test_an_unknown_theme_is_told_and_changes_nothing(still_host: Hosted, site: str) -> None:
    frame = inside(still_host(framed(site, "#v=1&theme=<img%20src=x%20onerror=alert(1)>", SHUT_IN)))
    expect(frame.locator("[data-notice]")).to_have_text(
        "The link asks for the theme “<img src=x onerror=a”. There is: light, dark."
    )
    assert frame.evaluate("document.documentElement.dataset.theme ?? 'none'") == "none"
    assert frame.locator("[data-notice] *").count() == 0


def test_the_snippet_shows_the_same_step_on_the_page_where_it_is_pasted(host: Hosted, widget: Widget) -> None:
    page = widget.page
    widget.press("[data-command*='\"worked-example\"']")
    panel = page.locator("[data-panel=embed]")
    panel.locator("summary").click()
    panel.get_by_label("Colours").select_option("dark")
    widget.press("[data-region=time] button")  # one step back
    text = panel.get_by_label("The text to paste").input_value()
    title = widget.region("title").inner_text()
    try:
        shown = host(text)
        frame = inside(shown)
        expect(frame.locator("kv-pool[data-state=live]")).to_be_visible(timeout=BOOT_TIMEOUT)
        expect(frame.locator("[data-region=caption]")).to_have_text(
            widget.region("caption").inner_text().replace("\n\n", ""), use_inner_text=False
        )
        assert frame.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
        assert shown.locator("iframe").get_attribute("title") == title
        height, content, _ = heights(shown)
        assert height == content
        frame.get_by_role("button", name="One step on").click()
        expect(frame.locator("kv-pool")).to_be_visible()
        assert shown.evaluate("history.length") <= 2, "steps in a frame are not pages of the host"
    finally:
        panel.get_by_label("Colours").select_option("")
        panel.locator("summary").click()


def test_the_text_is_copied_or_where_that_is_forbidden_selected(widget: Widget) -> None:
    page = widget.page
    panel = page.locator("[data-panel=embed]")
    panel.locator("summary").click()
    field, told = panel.get_by_label("The text to paste"), panel.get_by_role("status")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    panel.get_by_role("button", name="Copy embed").click()
    expect(told).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == field.input_value()
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
    panel.get_by_role("button", name="Copy embed").click()
    expect(told).to_have_text("The text is selected. Copy it with your keyboard or menu.")
    expect(field).to_be_focused()
    selected = "(one) => one.value.slice(one.selectionStart, one.selectionEnd)"
    assert field.evaluate(selected) == field.input_value()
    page.evaluate("delete navigator.clipboard.writeText")
    panel.locator("summary").click()


def test_a_preview_is_made_only_when_asked_for(page: Page, site: str) -> None:
    page.route("**/runtime/**", lambda route: route.abort())
    page.goto(f"{site}widget.html?theme=light")
    panel = page.locator("[data-panel=embed]")
    preview = panel.locator("iframe")
    panel.locator("summary").click()
    panel.get_by_label("Colours").select_option("dark")
    expect(preview).to_have_count(0)
    panel.get_by_role("button", name="Show preview").click()
    assert preview.get_attribute("src") == f"{site}widget.html?theme=dark#v=1"
    inner = inside(page)
    assert inner.evaluate("document.documentElement.dataset.theme") == "dark"
    inner.wait_for_selector("kv-pool[data-state=failed]")  # what it says of that makes it higher
    content = inner.locator("main").evaluate("(main) => Math.ceil(main.getBoundingClientRect().height)")
    expect(preview).to_have_attribute("height", str(content))
    panel.get_by_role("button", name="Remove preview").click()
    expect(preview).to_have_count(0)


HOSTILE = (
    "#v=9",
    "#v=1&scenario=<script>alert(1)</script>",
    "#v=1&ops=A%3Cimg%20src=x%20onerror=alert(1)%3E",
    "#v=1&ops=" + "A+1," * 3000,
    "#v=1&reserve=1e9",
    "#%E0%A4%A",
    "#__proto__=1&constructor",
)


def test_a_hostile_link_gets_a_message_and_the_default_picture(host: Hosted, site: str) -> None:
    page = host(framed(site, HOSTILE[0], OPEN))
    frame = inside(page)
    expect(frame.locator("kv-pool[data-state=live]")).to_be_visible(timeout=BOOT_TIMEOUT)
    caption, pool = frame.locator("[data-region=caption]"), frame.locator("[data-region=paged] .kv-chip")
    for link in HOSTILE:
        frame.evaluate("(link) => { location.hash = link; }", link)
        expect(caption).to_contain_text("Nothing changed. The link cannot be opened.")
        assert pool.all_inner_texts() == [str(block) for block in range(5, 16)]
        assert frame.locator("[data-region=caption] :is(img, script)").count() == 0
        frame.evaluate("(link) => { location.hash = link; }", "#v=1&scenario=start&step=3")
        expect(caption).not_to_contain_text("Nothing changed.")
