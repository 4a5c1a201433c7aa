"""Which browser is taken, with programs made here in place of the real ones."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tools import browser
from tools.browser import BrowserMissing, chromium

Make = Callable[..., Path]

prepare_driver = browser.prepare_driver  # the fixture below puts another in its place


@pytest.fixture(autouse=True)
def no_browser_but_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Only programs made by the test are on PATH, and nothing is downloaded or installed."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(browser, "prepare_driver", lambda: None)
    for find in ("playwrights_own", "playwrights_download", "debians_package"):
        monkeypatch.setattr(browser, find, lambda: None)
    chromium.cache_clear()
    yield
    chromium.cache_clear()


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Make a program that prints a complaint and ends with a code."""

    def program(name: str, code: int = 0) -> Path:
        path = tmp_path / "bin" / name
        path.write_text(f"#!/bin/sh\necho 'a library is missing' >&2\nexit {code}\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    return program


def test_the_environment_comes_first(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    make("chromium")
    mine = make("mine")
    monkeypatch.setenv("CHROMIUM", str(mine))
    assert chromium() == mine


def test_a_wrong_environment_is_an_error_and_no_hint(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    make("chromium")
    monkeypatch.setenv("CHROMIUM", "/no/such/program")
    with pytest.raises(BrowserMissing, match="CHROMIUM names /no/such/program, and there is no such program"):
        chromium()
    monkeypatch.setenv("CHROMIUM", str(make("broken", 3)))
    with pytest.raises(BrowserMissing, match="does not start: a library is missing"):
        chromium()


def test_path_is_searched_in_order(make: Make) -> None:
    make("google-chrome")
    first = make("chromium-browser")
    assert chromium() == first


def test_a_placeholder_on_path_is_passed_over(make: Make) -> None:
    make("chromium", 1)
    real = make("google-chrome-stable")
    assert chromium() == real


def test_playwrights_own_comes_before_a_download(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = make("of-playwright")
    monkeypatch.setattr(browser, "playwrights_own", lambda: own)
    monkeypatch.setattr(browser, "playwrights_download", lambda: pytest.fail("downloaded"))
    assert chromium() == own


def test_debians_package_is_the_last_resort(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = make("of-debian")
    monkeypatch.setattr(browser, "debians_package", lambda: installed)
    assert chromium() == installed


def test_with_none_at_all_the_message_says_what_to_do(make: Make) -> None:
    broken = make("chromium", 1)
    with pytest.raises(BrowserMissing) as missing:
        chromium()
    assert "Install the package chromium, or set CHROMIUM" in str(missing.value)
    assert f"{broken} is there and does not start: a library is missing." in str(missing.value)


def test_a_driver_that_does_not_start_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    installed: list[str] = []
    monkeypatch.setattr(
        browser, "cannot_start", lambda _: "" if installed else "libatomic.so.1: no such file"
    )
    monkeypatch.setattr(browser, "install_from_debian", lambda *names: False)
    with pytest.raises(BrowserMissing, match=r"does not start: libatomic\.so\.1.*apt-get install libatomic1"):
        prepare_driver()

    def install(*names: str) -> bool:
        installed.extend(names)
        return True

    monkeypatch.setattr(browser, "install_from_debian", install)
    prepare_driver()
    assert installed == ["libatomic1"]
