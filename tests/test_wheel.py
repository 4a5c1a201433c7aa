"""The wheel: what is in it, and that it works where nothing else of the project is."""

import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def run(*command: object, folder: Path) -> str:
    """Run a command in a folder that is not the checkout, and return what it printed."""
    done = subprocess.run(
        [str(word) for word in command], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("elsewhere")


@pytest.fixture(scope="module")
def wheel(elsewhere: Path) -> Path:
    # Without isolation, hatchling is the one that the lock has installed: nothing is downloaded.
    pip = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--quiet"]
    run(*pip, "--wheel-dir", elsewhere, ROOT, folder=elsewhere)
    (path,) = elsewhere.glob("pagedkv-*.whl")
    return path


@pytest.fixture(scope="module")
def python(elsewhere: Path, wheel: Path) -> Path:
    """A fresh environment with nothing in it but the wheel."""
    run(sys.executable, "-m", "venv", "--without-pip", elsewhere / "venv", folder=elsewhere)
    path = elsewhere / "venv" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", path, "install", "--no-deps", "--no-index", "--quiet"]
    run(*pip, wheel, folder=elsewhere)
    return path


def test_it_holds_the_typed_package_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {"pagedkv", "pagedkv-0.1.0.dist-info"}
    assert "pagedkv/py.typed" in names
    assert "pagedkv-0.1.0.dist-info/licenses/LICENSE" in names
    sources = {str(path.relative_to(ROOT)) for path in (ROOT / "pagedkv").rglob("*.py")}
    assert sources <= set(names)


def test_it_imports_without_numpy(python: Path, elsewhere: Path) -> None:
    code = "import sys, pagedkv; print(pagedkv.__file__, 'numpy' in sys.modules)"
    where, imported = run(python, "-c", code, folder=elsewhere).split()
    assert Path(where).is_relative_to(python.parent.parent)
    assert imported == "False"


def test_the_rules_run_where_numpy_is_not_installed(python: Path, elsewhere: Path) -> None:
    code = "import pagedkv; print(pagedkv.worked_example())"
    assert run(python, "-c", code, folder=elsewhere)


def test_it_prints_the_numbers_of_the_lesson(python: Path, elsewhere: Path) -> None:
    # NumPy is lent from this environment: a download would be slow, and another version another test.
    lent = (
        python.parent.parent
        / "lib"
        / f"python{sysconfig.get_python_version()}"
        / "site-packages"
        / "lent.pth"
    )
    lent.write_text(sysconfig.get_path("platlib") + "\n", encoding="utf-8")
    printed = run(python, "-m", "pagedkv", "numbers", folder=elsewhere)
    assert "131,072" in printed
    assert printed == run(sys.executable, "-m", "pagedkv", "numbers", folder=ROOT)
