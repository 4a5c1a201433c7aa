"""Drives the widget as a reader would, and watches what the page does meanwhile."""

from typing import Any, cast

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, Route, expect

BOOT_TIMEOUT = 90_000  # ms; a loaded machine may take long, and a test is no stopwatch
LIVE = "kv-pool[data-state=live]"
GROW = "+4 tokens, chat A"

# Resolves with the next frame once the press has been answered and drawn.
_PRESS = """
async ([selector, act]) => {
  const pool = document.querySelector("kv-pool");
  const answered = new Promise((resolve) =>
    pool.addEventListener("kv-frame", (event) => resolve(event.detail), { once: true }));
  const target = pool.querySelector(selector);
  if (act.type === "slide") {
    target.value = String(act.position);
    target.dispatchEvent(new Event("input", { bubbles: true }));
  } else {
    target.click();
  }
  const frame = await answered;
  await new Promise((resolve) => setTimeout(resolve));
  return frame;
}
"""
_KEPT = """async () => {
  const cache = await caches.open("pagedkv-python");
  return (await cache.keys()).map(({ url }) => url.includes("app/earlier") ? "earlier" : "of this build");
}"""


class Watch:
    """Collects what must not happen on a page: console errors, exceptions, failed requests."""

    def __init__(self, page: Page) -> None:
        self.troubles: list[str] = []
        self.requests: list[str] = []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.troubles.append(f"exception: {error}"))
        page.on("requestfailed", lambda request: self.troubles.append(f"failed: {request.url}"))
        # Of the context, so that what workers ask for is seen too.
        page.context.on("request", lambda request: self.requests.append(request.url))

    def _console(self, message: ConsoleMessage) -> None:
        # Said where a test has asked for no service worker.
        if "registration blocked by Playwright" in message.text:
            return
        if message.type in ("error", "warning"):
            self.troubles.append(f"{message.type}: {message.text}")


class Held:
    """Requests that are kept waiting until they are released."""

    def __init__(self, page: Page | BrowserContext, *patterns: str) -> None:
        self.routes: list[Route] = []
        self.is_open = False
        context = page.context if isinstance(page, Page) else page
        for pattern in patterns:
            context.route(pattern, self._hold)

    def _hold(self, route: Route) -> None:
        if self.is_open:
            route.continue_()
        else:
            self.routes.append(route)

    def release(self) -> None:
        self.is_open = True
        for route in self.routes:
            route.continue_()


def until_live(page: Page) -> None:
    """Wait until Python has drawn all that the page opened with: what was recorded looks just the same."""
    page.wait_for_function("document.querySelector('kv-pool')?.isIdle", timeout=BOOT_TIMEOUT)


def visit(page: Page, address: str) -> None:
    """Open a page, and wait until its Python is there."""
    page.goto(address)
    expect(page.locator(LIVE)).to_be_visible(timeout=BOOT_TIMEOUT)


def before_python(page: Page, address: str) -> Held:
    """Open a page, hold Python back, and wait until what was recorded answers."""
    held = Held(page, "**/runtime/**")
    page.goto(address)
    expect(page.locator("kv-pool[data-recorded]")).to_be_attached()
    return held


def press(page: Page, *names: str) -> None:
    """Press buttons of the first widget on a page by their names."""
    for name in names:
        page.get_by_role("button", name=name).first.click()


def caption(page: Page, words: str) -> None:
    """Wait until the caption of the first widget on a page has these words."""
    expect(page.locator("[data-region=caption]").first).to_contain_text(words)


def wait_until(page: Page, asked: str, answer: object = True) -> None:
    """Wait for the answer of an asynchronous function, whose promise Playwright takes for an answer."""
    for _ in range(200):
        if page.evaluate(asked) == answer:
            return
        page.wait_for_timeout(200)
    pytest.fail(f"{asked} gives {page.evaluate(asked)}")


def until_kept(page: Page) -> None:
    """Wait until the memory of this build's Python, and of no other, is kept for the next visit."""
    wait_until(page, _KEPT, ["of this build"])


class Widget:
    """The widget on a page, by what a reader sees and presses."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pool = page.locator("kv-pool")

    def reset(self) -> dict[str, Any]:
        """Go back to the first scenario, as it opens."""
        return self.press("[data-command*='\"start\"']")

    def press(self, selector: str) -> dict[str, Any]:
        """Press a button by its selector, and return the frame that answered."""
        frame = self.page.evaluate(_PRESS, [selector, {"type": "press"}])
        return cast("dict[str, Any]", frame)

    def slide(self, name: str, position: int) -> dict[str, Any]:
        """Move a slider, and return the frame that answered."""
        act = {"type": "slide", "position": position}
        frame = self.page.evaluate(_PRESS, [f"[data-setting={name}]", act])
        return cast("dict[str, Any]", frame)

    def slide_to(self, step: int) -> dict[str, Any]:
        """Go to a step with the time slider, and return the frame that answered."""
        act = {"type": "slide", "position": step}
        return cast("dict[str, Any]", self.page.evaluate(_PRESS, ["[data-region=time] input", act]))

    def grow(self, chat: str) -> dict[str, Any]:
        return self.press(f"[data-key='chat-{chat}'] .kv-main")

    def finish(self, chat: str) -> dict[str, Any]:
        return self.press(f"[data-key='chat-{chat}'] [data-command*='\"finish\"']")

    def region(self, name: str) -> Locator:
        return self.page.locator(f"[data-region={name}]")

    def caption(self) -> str:
        return " ".join(self.region("caption").inner_text().split())

    def counts(self, layout: str) -> str:
        return " ".join(self.region(layout).locator(".kv-counts").inner_text().split())

    def table(self, chat: str) -> list[int]:
        chips = self.page.locator(f"[data-key='chat-{chat}'] .kv-chip").all_inner_texts()
        return [int(chip) for chip in chips]

    def free_list(self) -> list[int]:
        chips = self.region("paged").locator(".kv-chips .kv-chip").all_inner_texts()
        return [int(chip) for chip in chips]

    def letters(self, layout: str) -> dict[int, str]:
        """Return slot -> the letter drawn in it."""
        found = self.page.evaluate(
            """(layout) => Object.fromEntries(
              [...document.querySelectorAll(`[data-region=${layout}] svg:last-child .letter`)]
                .map((text) => [text.dataset.key.replace("letter-", ""), text.textContent]))""",
            layout,
        )
        return {int(slot): letter for slot, letter in found.items()}
