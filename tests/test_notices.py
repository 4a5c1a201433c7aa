"""The notices say what the built site contains, and the licences are those of the packages it came from."""

import importlib.metadata
import importlib.util
import json
import re
import zipfile
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tools.notices import publish
from widget.runtime import cache_folder, fetch_missing, read_lock

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
NOTICES = (ROOT / "THIRD_PARTY_NOTICES.md").read_text(encoding="utf-8")
TEXTS = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "licenses").iterdir()}


@pytest.fixture(scope="module")
def site() -> Path:
    assert (DIST / "index.html").is_file(), "There is no built site to compare with. Run `make build` first."
    return DIST


def material() -> Path:
    """Return the folder of the installed theme."""
    spec = importlib.util.find_spec("material")
    assert spec is not None
    (folder,) = spec.submodule_search_locations or []
    return Path(folder)


def packages_inside(map_file: Path) -> set[str]:
    """Return the npm packages that went into a minified file, by its source map."""
    sources = json.loads(map_file.read_text(encoding="utf-8"))["sources"]
    return {
        match[1] for source in sources if (match := re.search(r"node_modules/((?:@[^/]+/)?[^/]+)", source))
    }


def test_every_text_is_mentioned_and_every_mention_has_a_text() -> None:
    assert set(re.findall(r"\(licenses/([^)]+\.txt)\)", NOTICES)) == set(TEXTS)


def test_the_runtime_is_listed_with_its_versions() -> None:
    lock = read_lock()
    for file in lock.files:
        assert f"`runtime/*/{file.name}`" in NOTICES
        if file.package:
            assert f"| {file.package['version']} | {file.licence} |" in NOTICES
    assert f"| {lock.pyodide} | MPL-2.0 |" in NOTICES


def test_the_theme_is_listed_with_what_is_inside_it() -> None:
    assert f"| {importlib.metadata.version('mkdocs-material')} | MIT |" in NOTICES
    maps = list((material() / "templates" / "assets").rglob("*.map"))
    assert len(maps) >= 4
    for map_file in maps:
        for package in packages_inside(map_file):
            assert re.search(rf"\b{package}\b", NOTICES, re.IGNORECASE), f"{package} is in {map_file.name}"
            assert re.search(rf"\b{package}\b", TEXTS["theme-libraries.txt"], re.IGNORECASE), package


def normal(text: str) -> str:
    """Return the words of a text, so that line breaks do not count."""
    return " ".join(text.split())


def test_the_texts_are_those_of_the_packages() -> None:
    (theme_licence,) = (
        file
        for file in importlib.metadata.files("mkdocs-material") or []
        if file.name == "LICENSE" and "dist-info" in str(file)
    )
    assert normal(theme_licence.read_text()) == normal(TEXTS["mkdocs-material.txt"])
    icons = material() / "templates" / ".icons"
    for text in ("material/LICENSE", "fontawesome/LICENSE.txt"):
        assert normal((icons / text).read_text(encoding="utf-8")) in normal(TEXTS["icons.txt"])


def test_numpys_licences_are_complete() -> None:
    fetch_missing(read_lock(), cache_folder())
    (file,) = (file for file in read_lock().files if file.package.get("name") == "numpy")
    with zipfile.ZipFile(cache_folder() / file.sha256) as wheel:
        texts = [name for name in wheel.namelist() if ".dist-info/licenses/" in name]
        assert len(texts) > 10
        for name in texts:
            assert normal(wheel.read(name).decode()) in normal(TEXTS["numpy.txt"]), name


def test_the_site_carries_them(site: Path) -> None:
    published = {path.name: path.read_text(encoding="utf-8") for path in (site / "licenses").iterdir()}
    assert published.items() >= TEXTS.items()
    assert published["THIRD_PARTY_NOTICES.txt"] == NOTICES
    assert {"LICENSE.txt", "LICENSE-CONTENT.txt"} <= set(published)


def test_every_place_exists_and_every_file_of_others_has_a_place(site: Path) -> None:
    rows = [line.split("|")[4] for line in NOTICES.splitlines() if line.startswith("| ")][1:]
    patterns = {pattern for row in rows for pattern in re.findall(r"`([^`]+)`", row)}
    files = [path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()]
    for pattern in patterns:
        assert any(fnmatch(file, pattern) or file.startswith(pattern) for file in files), (
            f"nothing at {pattern}"
        )
    runtime = {file for file in files if file.startswith("runtime/") and "pyodide-lock" not in file}
    assert {file for file in runtime if not any(fnmatch(file, pattern) for pattern in patterns)} == set()
    assert [file for file in files if file.startswith("assets/javascripts/lunr/")] == []


def test_publishing_twice_leaves_the_same(tmp_path: Path) -> None:
    (tmp_path / "licenses").mkdir()
    (tmp_path / "licenses" / "of-last-year.txt").touch()
    for _ in range(2):
        publish(tmp_path)
        assert set(TEXTS) < {path.name for path in (tmp_path / "licenses").iterdir()}
        assert not (tmp_path / "licenses" / "of-last-year.txt").exists()
