"""Finds a Chromium for the tests and the benchmarks, or installs one.

    $ python -m tools.browser
    /usr/bin/chromium

In this order: what `$CHROMIUM` names; a Chromium or Chrome on PATH; Playwright's own, downloaded now if it is
not there yet; Debian's package, when this is root on Debian. A candidate counts only if it starts: some
distributions put a placeholder on PATH, and a downloaded browser may miss a library.

`$CHROMIUM` is an order, not a hint: when it names nothing that starts, that is an error.
"""

import functools
import os
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

LAUNCH_ARGS = [
    "--disable-background-networking",  # a closed network refuses them, many at each start
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--font-render-hinting=none",  # the same line breaks on every machine that has the same fonts
    "--force-color-profile=srgb",
    "--no-first-run",
    *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),  # root cannot have it
]
"""Arguments for every start of the browser, for Playwright's `launch(args=...)`."""


ASK_PLAYWRIGHT = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
"""


class BrowserMissing(Exception):
    """What to install or to set, as a sentence for the person who typed `make`."""


@functools.cache
def chromium() -> Path:
    """Return a Chromium that starts, and install one if there is none. Raises `BrowserMissing`."""
    prepare_driver()
    if named := os.environ.get("CHROMIUM"):
        path = shutil.which(named)
        if path is None:
            raise BrowserMissing(
                f"CHROMIUM names {named}, and there is no such program. Correct it or unset it."
            )
        if trouble := cannot_start(Path(path)):
            raise BrowserMissing(f"CHROMIUM names {named}, which does not start: {trouble}")
        return Path(path)
    tried = []
    for find in (on_path, playwrights_own, playwrights_download, debians_package):
        path_found = find()
        if path_found is None:
            continue
        trouble = cannot_start(path_found)
        if not trouble:
            return path_found
        tried.append(f" {path_found} is there and does not start: {trouble}.")
    raise BrowserMissing(
        "The tests need Chromium, and none was found or could be downloaded."
        + "".join(tried)
        + " Install the package chromium, or set CHROMIUM to the path of a Chromium or Chrome."
    )


def prepare_driver() -> None:
    """See to it that Playwright's driver starts: a Node.js that needs a library which a bare Debian lacks."""
    node = Path(str(distribution("playwright").locate_file("playwright"))) / "driver" / "node"
    if not (trouble := cannot_start(node)):
        return
    if "libatomic" in trouble and install_from_debian("libatomic1") and not cannot_start(node):
        return
    raise BrowserMissing(
        f"Playwright, which drives the browser in the tests, does not start: {trouble}. "
        "Install what it names; on Debian or Ubuntu: apt-get install libatomic1"
    )


def cannot_start(path: Path) -> str:
    """Return why the program at `path` does not start, or an empty text when it does."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return ""
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    return lines[-1].strip() if lines else f"it ended with code {done.returncode}"


def on_path() -> Path | None:
    """Return the first browser on PATH that starts, or else the first that is there."""
    found = [Path(path) for path in map(shutil.which, NAMES) if path]
    return next((path for path in found if not cannot_start(path)), next(iter(found), None))


def playwrights_own() -> Path | None:
    """Return the browser that Playwright has downloaded before, if it has."""
    # In a process of its own, because a test may be in the middle of a Playwright session here.
    done = subprocess.run([sys.executable, "-c", ASK_PLAYWRIGHT], capture_output=True, text=True, check=True)
    path = Path(done.stdout.strip())
    return path if path.is_file() else None


def playwrights_download() -> Path | None:
    """Let Playwright download its browser, and return it; None when the download fails."""
    say("No Chromium on PATH: trying Playwright's own (about 170 MB, once)")
    # A network that does not let it out should cost seconds.
    environment = {**os.environ, "PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": "5000"}
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    reasons = []
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "% of" in line:
                say(f"  {line.strip()}")
            elif line.startswith("Error:"):
                reasons.append(line.removeprefix("Error:").strip())
    if process.returncode != 0:
        say(f"  not to be had ({reasons[0] if reasons else 'no reason given'})")
        return None
    return playwrights_own()


def debians_package() -> Path | None:
    """Install Debian's package when this is root on Debian, and return its browser."""
    if not install_from_debian("chromium", "fonts-liberation"):
        return None
    path = shutil.which("chromium")
    return Path(path) if path else None


def install_from_debian(*packages: str) -> bool:
    """Install packages with apt-get when this is root on Debian, and return whether that has worked."""
    if os.geteuid() != 0 or not Path("/etc/debian_version").is_file() or shutil.which("apt-get") is None:
        return False
    say(f"Installing Debian's {' and '.join(packages)} (once)")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *packages]
    for command in (["apt-get", "update", "-q"], install):
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        # An index that cannot be refreshed may still be good enough to install from.
        if done.returncode != 0 and command is install:
            say("".join(f"  {line}\n" for line in done.stderr.splitlines()[-5:]).rstrip())
            return False
    return True


def say(line: str) -> None:
    """Print a line of progress on standard error: standard output is for the path."""
    print(line, file=sys.stderr, flush=True)


def main() -> int:
    """Print the path of the browser, or a sentence on what to do."""
    try:
        print(chromium())
    except BrowserMissing as missing:
        print(missing, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
