"""The environments of `make`: made once, again when the lock has changed, and clear when they cannot be."""

import sys
from pathlib import Path

import pytest

from tools import environment
from tools.environment import EnvironmentFailure, add, check_python, ensure


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record what would have been created and installed, in place of doing it."""
    done: list[str] = []

    def create(folder: Path) -> None:
        done.append("create")
        (folder / "bin").mkdir(parents=True, exist_ok=True)
        (folder / "bin" / "python").touch()

    def install(_python: Path, requirements: Path) -> None:
        done.append(f"install {requirements.read_text(encoding='utf-8')}")
        if requirements.read_text(encoding="utf-8") == "broken":
            raise EnvironmentFailure("pip could not install")

    monkeypatch.setattr(environment, "create", create)
    monkeypatch.setattr(environment, "install", install)
    return done


def test_it_is_made_once_and_follows_the_lock(tmp_path: Path, steps: list[str]) -> None:
    lock = tmp_path / "some.lock"
    lock.write_text("one", encoding="utf-8")
    python = ensure(tmp_path / "venv", lock)
    assert python == tmp_path / "venv" / "bin" / "python"
    assert steps == ["create", "install one"]

    ensure(tmp_path / "venv", lock)
    assert steps == ["create", "install one"], "the second run does nothing"

    lock.write_text("two", encoding="utf-8")
    ensure(tmp_path / "venv", lock)
    assert steps[2:] == ["install two"]

    python.unlink()
    ensure(tmp_path / "venv", lock)
    assert steps[3:] == ["create", "install two"], "its Python is gone, as after an upgrade of the system"


def test_a_failed_run_does_not_pass_for_a_finished_one(tmp_path: Path, steps: list[str]) -> None:
    lock = tmp_path / "some.lock"
    lock.write_text("one", encoding="utf-8")
    ensure(tmp_path / "venv", lock)
    lock.write_text("broken", encoding="utf-8")
    with pytest.raises(EnvironmentFailure):
        ensure(tmp_path / "venv", lock)
    # Even back at the earlier lock: the broken run may have replaced half of the packages.
    lock.write_text("one", encoding="utf-8")
    ensure(tmp_path / "venv", lock)
    assert steps[-1] == "install one"


def test_an_extra_comes_on_top_once_and_follows_both_locks(tmp_path: Path, steps: list[str]) -> None:
    base, extra = tmp_path / "base.lock", tmp_path / "kernels.lock"
    base.write_text("one", encoding="utf-8")
    extra.write_text("triton", encoding="utf-8")
    add(tmp_path / "venv", base, extra)
    assert steps == ["create", "install one", "install triton"]

    add(tmp_path / "venv", base, extra)
    ensure(tmp_path / "venv", base)
    assert steps[3:] == [], "the second run does nothing, and the base leaves the extra alone"

    base.write_text("two", encoding="utf-8")
    add(tmp_path / "venv", base, extra)
    assert steps[3:] == ["install two", "install triton"], "the base may have replaced what both need"


def test_a_python_that_is_too_old_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    with pytest.raises(EnvironmentFailure, match=r"needs Python 3\.11 or later, and .* \(3\.9\.2\) is older"):
        check_python()


def test_a_python_without_venv_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    with pytest.raises(EnvironmentFailure, match=r"'ensurepip' is missing.*apt-get install python3-venv"):
        check_python()


def test_the_lock_files_hold_digests_and_no_addresses() -> None:
    for lock in (environment.LOCK, *(environment.ROOT / "tools").glob("*.lock")):
        text = lock.read_text(encoding="utf-8")
        assert "://" not in text, lock
        assert text.count("==") <= text.count("--hash=sha256:"), lock
