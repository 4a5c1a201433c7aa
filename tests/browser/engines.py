"""Starts Firefox and WebKit where they are installed, and drives both by the commands of WebDriver.

Playwright, which drives Chromium in all other tests, drives builds of its own of other engines, while a
reader has them as their makers built them. Those understand WebDriver, the W3C's: Firefox hears it itself, on
the socket that it calls Marionette, and WebKitGTK has a program that hears it over HTTP. The commands are
the same.

What this does not do: download a browser. Where one is missing, an `EngineMissing` stands for it.
"""

import io
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.browser import BrowserMissing, cannot_start

PATIENCE = 90  # s; a loaded machine may take long, and a test is no stopwatch
LOOPBACK = "127.0.0.1"

# The folders of browsers lie in the project: a Firefox that came as a snap may not read what lies elsewhere.
FOLDERS = Path(__file__).resolve().parents[2] / "build" / "engines"

# command -> its name for Firefox, and its address below that of the session over HTTP
COMMANDS = {
    "start": ("WebDriver:NewSession", ""),
    "wait": ("WebDriver:SetTimeouts", "/timeouts"),
    "resize": ("WebDriver:SetWindowRect", "/window/rect"),
    "open": ("WebDriver:Navigate", "/url"),
    "reload": ("WebDriver:Refresh", "/refresh"),
    "enter": ("WebDriver:SwitchToFrame", "/frame"),
    "run": ("WebDriver:ExecuteScript", "/execute/sync"),
    "find": ("WebDriver:FindElement", "/element"),
    "click": ("WebDriver:ElementClick", "/element/{id}/click"),
    "act": ("WebDriver:PerformActions", "/actions"),
}

Ask = Callable[[str, dict[str, Any]], Any]
"""Sends a command with its arguments, and returns the value of the answer. Raises `Refused`."""


@dataclass(frozen=True)
class EngineMissing:
    """An engine that is not installed here, and what would install it."""

    why: str


class Refused(Exception):
    """A command that the browser did not carry out, in its own words."""


class Engine:
    """A browser with one page, by what a reader does.

    Args:
        name: as a reader knows it; its version is added.
        ask: carries a command there.
        capabilities: with what to start the session.
    """

    def __init__(self, name: str, ask: Ask, capabilities: dict[str, Any]) -> None:
        self.ask = ask
        session = ask("start", capabilities)
        self.name = f"{name} {session['capabilities']['browserVersion']}"
        ask("wait", {"script": PATIENCE * 1000, "pageLoad": PATIENCE * 1000})
        # High enough for all controls: a page that scrolls under a resting pointer looks like one that moves.
        ask("resize", {"width": 1100, "height": 1400})

    def open(self, address: str) -> None:
        self.ask("open", {"url": address})

    def reload(self) -> None:
        self.ask("reload", {})

    def run(self, script: str, *arguments: object) -> Any:
        """Run the body of a function on the page, and return its value, or what its promise becomes."""
        return self.ask("run", {"script": script, "args": list(arguments)})

    def click(self, selector: str) -> None:
        """Click the middle of the first such element, with all events that a hand makes."""
        found = self.ask("find", {"using": "css selector", "value": selector})
        [element] = found.values()
        self.ask("click", {"id": element})

    def press(self, key: str) -> None:
        """Press a key and let it go, wherever the focus is."""
        presses = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        self.ask("act", {"actions": [{"type": "key", "id": "keys", "actions": presses}]})

    @contextmanager
    def frame(self) -> Iterator[None]:
        """Within the `with` block, speak with the first frame of the page."""
        self.ask("enter", {"id": 0})
        try:
            yield
        finally:
            self.ask("enter", {"id": None})


@contextmanager
def firefox() -> Iterator[Engine | EngineMissing]:
    """Start Firefox without a window: what `$FIREFOX` names, which is an order, or what is on PATH."""
    named = os.environ.get("FIREFOX")
    found = [path for path in map(shutil.which, [named] if named else ["firefox", "firefox-esr"]) if path]
    programs = [path for path in found if not cannot_start(Path(path))]
    if named and not programs:
        raise BrowserMissing(f"FIREFOX names {named}, which does not start. Correct it or unset it.")
    if not programs:
        state = f"does not start ({found[0]})" if found else "is not here"
        yield EngineMissing(f"Firefox {state}; Debian's package is firefox-esr, and FIREFOX may name another")
        return
    with ExitStack() as stack:
        FOLDERS.mkdir(parents=True, exist_ok=True)
        folder = stack.enter_context(tempfile.TemporaryDirectory(dir=FOLDERS, ignore_cleanup_errors=True))
        port = free_port()
        (Path(folder) / "user.js").write_text(f'user_pref("marionette.port", {port});\n', encoding="utf-8")
        command = [programs[0], "--headless", "--marionette", "--no-remote", "--profile", folder]
        line = stack.enter_context(connected(port, stack.enter_context(running(command))))
        stream = stack.enter_context(line.makefile("rwb"))
        hear(stream)  # it greets
        yield Engine("Firefox", over_marionette(stream), {})


@contextmanager
def webkit() -> Iterator[Engine | EngineMissing]:
    """Start the small browser of WebKitGTK's own, on a screen that nobody sees."""
    driver, screen = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
    if driver is None or screen is None:
        yield EngineMissing("WebKitGTK is not here; Debian's packages are webkit2gtk-driver and xvfb")
        return
    with ExitStack() as stack:
        display = stack.enter_context(hidden_screen(screen))
        port = free_port()
        hidden = {**os.environ, "DISPLAY": display, "GDK_BACKEND": "x11"}  # and not on a desktop's Wayland
        process = running([driver, f"--port={port}"], env=hidden)
        connected(port, stack.enter_context(process)).close()
        ask = stack.enter_context(over_http(f"http://{LOOPBACK}:{port}/session"))
        yield Engine("WebKitGTK", ask, {"capabilities": {}})


def over_marionette(stream: io.BufferedRWPair) -> Ask:
    """Return what carries commands to Firefox: lists in JSON, each behind its length and a colon."""

    def ask(command: str, arguments: dict[str, Any]) -> Any:
        message = json.dumps([0, 0, COMMANDS[command][0], arguments]).encode()
        stream.write(b"%d:%b" % (len(message), message))
        stream.flush()
        _, _, error, result = hear(stream)
        if error is not None:
            raise Refused(error["message"])
        # What is a bare value in the standard comes in a dictionary of its own.
        return result["value"] if result.keys() == {"value"} else result

    return ask


def hear(stream: io.BufferedRWPair) -> Any:
    """Return the next message of Firefox's."""
    length = b""
    while (digit := stream.read(1)) != b":":
        if not digit:
            raise ConnectionError("Firefox has gone.")
        length += digit
    return json.loads(stream.read(int(length)))


@contextmanager
def over_http(address: str) -> Iterator[Ask]:
    """Give what carries commands to a driver; at the end its session ends, and the browser with it."""
    session = ""

    def ask(command: str, arguments: dict[str, Any]) -> Any:
        nonlocal session
        below = COMMANDS[command][1].format(**arguments)
        value = send("POST", f"{session or address}{below}", arguments)
        if command == "start":
            session = f"{address}/{value['sessionId']}"
        return value

    try:
        yield ask
    finally:
        if session:
            send("DELETE", session, {})


def send(method: str, address: str, arguments: dict[str, Any]) -> Any:
    """Send one request to a driver, and return the value of its answer."""
    content = json.dumps(arguments).encode() if method == "POST" else None
    request = urllib.request.Request(address, content, {"Content-Type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)["value"]
    except urllib.error.HTTPError as error:
        with error:
            raise Refused(json.load(error)["value"]["message"]) from error


@contextmanager
def hidden_screen(program: str) -> Iterator[str]:
    """Run Xvfb, and give the name of its screen, whose number it chooses and writes down."""
    reading, writing = os.pipe()
    command = [program, "-displayfd", str(writing), "-screen", "0", "1280x1500x24", "-nolisten", "tcp"]
    with os.fdopen(reading) as number, running(command, pass_fds=[writing]):
        os.close(writing)
        yield f":{number.readline().strip()}"


@contextmanager
def running(command: list[str], **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program inside the `with` block; what it says is dropped."""
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, **options)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


def connected(port: int, process: subprocess.Popen[bytes]) -> socket.socket:
    """Connect to a program that has just been started, as soon as it listens."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return socket.create_connection((LOOPBACK, port))
        except ConnectionRefusedError:
            if process.poll() is not None or time.monotonic() > end:
                raise
            time.sleep(0.05)
