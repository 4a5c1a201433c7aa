"""What must not stand in a tracked file, and how large one may be."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LARGEST = 500_000
# Made, and tracked all the same: only the browser's Python can compile its library, and a build has none.
LARGER = {"widget/runtime.code.xz": 700_000}

# Each with a character class, so that this file does not contain what it looks for.
HOSTS = re.compile(r"pypi[.]org|pythonhosted[.]org|npmjs[.](?:org|com)|yarnpkg[.]com|deb[.]debian[.]org")
MACHINE_PATHS = re.compile(r"(?<![\w./-])/(?:work|root|tmp|home/\w+)/\w")
UNFINISHED = re.compile(r"\b(?:TOD[O]|FIXM[E]|XX[X])\b|not [i]mplemented")

# The words of others, and digests.
NOT_OURS = ("licenses/", "package-lock.json", "requirements.lock", "tools/node.lock", "tools/uv.lock")


def tracked() -> list[str]:
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return [name for name in names.split("\0") if name and (ROOT / name).is_file()]


def lines(ours: bool) -> Iterator[tuple[str, str]]:
    """Yield each line of each tracked text file, with its place."""
    for name in tracked():
        content = (ROOT / name).read_bytes()
        if b"\0" in content or (ours and name.startswith(NOT_OURS)):
            continue
        for number, line in enumerate(content.decode("utf-8").splitlines(), start=1):
            yield f"{name}:{number}", line


def test_no_file_names_the_host_of_a_package_index() -> None:
    found = [place for place, line in lines(ours=False) if HOSTS.search(line)]
    assert found == []


def test_no_file_names_a_path_of_one_machine() -> None:
    found = [f"{place}: {line.strip()}" for place, line in lines(ours=True) if MACHINE_PATHS.search(line)]
    assert found == []


def test_nothing_is_unfinished_by_its_own_words() -> None:
    found = [f"{place}: {line.strip()}" for place, line in lines(ours=True) if UNFINISHED.search(line)]
    assert found == []


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        (HOSTS, "https://pypi{}.org/simple"),
        (MACHINE_PATHS, "open('/ro{}ot/x')"),
        (MACHINE_PATHS, "see /ho{}me/ada/x"),
        (UNFINISHED, "# TO{}DO: later"),
        (UNFINISHED, "not {}implemented yet"),
    ],
)
def test_the_patterns_find_what_they_look_for(pattern: re.Pattern[str], line: str) -> None:
    assert pattern.search(line.format(""))


def test_no_tracked_file_is_large() -> None:
    sizes = {name: (ROOT / name).stat().st_size for name in tracked()}
    assert {name: size for name, size in sizes.items() if size > LARGER.get(name, LARGEST)} == {}
