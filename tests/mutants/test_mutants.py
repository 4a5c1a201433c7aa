"""Each mutant of the rules makes its named test fail by an assertion; unmutated, all those tests pass.

The tests run in processes of their own, on a copy of the package in a temporary folder, two at a time.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.mutants.mutants import MUTANTS, Mutant

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
PACKAGES = ("pagedkv", "exercises")
# A line of pytest's summary for a test whose expectation was not met, and not one that could not run.
FAILED_BY_ASSERTION = re.compile(r"^FAILED .* - (AssertionError|assert |Failed: DID NOT RAISE)", re.MULTILINE)


class Outcome(NamedTuple):
    """How pytest ended."""

    code: int
    printed: str


def copy_packages(folder: Path, packages: tuple[str, ...] = PACKAGES) -> Path:
    """Copy the packages that are mutated into a folder, and return it."""
    for name in packages:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def mutate(folder: Path, mutant: Mutant) -> None:
    file = folder / mutant.package / mutant.file
    text = file.read_text(encoding="utf-8")
    for old, new in mutant.changes:
        found = text.count(old)
        assert found == 1, f"{mutant.name}: the text is {found} times in {mutant.file}:\n{old}"
        text = text.replace(old, new)
    compile(text, mutant.file, "exec")
    file.write_text(text, encoding="utf-8")


def run_tests(folder: Path, nodes: list[str]) -> Outcome:
    """Run nodes of `tests` against the packages in `folder`, which comes first on the path."""
    command = [
        *(sys.executable, "-m", "pytest", "--quiet", "--exitfirst", "--tb=short", "-rf"),
        *("-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT), "-o", "pythonpath="),
        *("-p", "no:cacheprovider", "-p", "_hypothesis_pytestplugin", "--hypothesis-profile=mutants"),
        *(str(TESTS / node) for node in nodes),
    ]
    environment = {
        **os.environ,
        "COLUMNS": "200",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(ROOT),
    }
    # Where CI is set, pytest explains every byte of two pools that differ, which takes it minutes.
    for name in ("PYTEST_ADDOPTS", "CI", "BUILD_NUMBER"):
        environment.pop(name, None)
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    return Outcome(done.returncode, done.stdout + done.stderr)


def run_mutant(folder: Path, mutant: Mutant) -> Outcome:
    mutate(copy_packages(folder), mutant)
    return run_tests(folder, [mutant.node])


def run_unmutated(folder: Path) -> Outcome:
    copy_packages(folder)
    return run_tests(folder, sorted({mutant.node for mutant in MUTANTS}))


@pytest.fixture(scope="module")
def outcomes(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[Mutant | None, Future[Outcome]]]:
    """Start the mutants that this run asks for, and the control, which is None; hand out their outcomes."""
    calls = (getattr(item, "callspec", None) for item in request.session.items)
    chosen = {call.params["mutant"] for call in calls if call is not None and "mutant" in call.params}
    with ThreadPoolExecutor(max_workers=2) as pool:
        futures: dict[Mutant | None, Future[Outcome]] = {
            None: pool.submit(run_unmutated, tmp_path_factory.mktemp("unmutated"))
        }
        for mutant in MUTANTS:
            if mutant in chosen:
                futures[mutant] = pool.submit(run_mutant, tmp_path_factory.mktemp("mutant"), mutant)
        yield futures
        pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_the_named_test_notices_the_mutant(
    mutant: Mutant, outcomes: dict[Mutant | None, Future[Outcome]]
) -> None:
    outcome = outcomes[mutant].result()
    assert outcome.code == 1, outcome.printed
    assert FAILED_BY_ASSERTION.search(outcome.printed), outcome.printed


def test_unmutated_the_named_tests_pass(outcomes: dict[Mutant | None, Future[Outcome]]) -> None:
    outcome = outcomes[None].result()
    assert outcome.code == 0, outcome.printed


def test_the_copy_is_what_is_tested(tmp_path: Path) -> None:
    """Without this a path that led to the project's own package would let every control pass."""
    package = copy_packages(tmp_path) / "pagedkv"
    (package / "sizes.py").write_text("kv_bytes_per_token = LLAMA_3_8B = OPT_13B = ModelShape = None\n")
    outcome = run_tests(tmp_path, ["pagedkv/test_sizes.py"])
    assert "cannot import name 'QUIZ_MODEL' from 'pagedkv.sizes'" in outcome.printed
    assert outcome.code != 0
    assert not FAILED_BY_ASSERTION.search(outcome.printed), "what cannot be imported is not noticed by a test"


def test_names_of_mutants_are_unique() -> None:
    names = [mutant.name for mutant in MUTANTS]
    assert len(set(names)) == len(names) >= 10
