"""Fetching the browser's Python, from sources made here: what is checked and kept, what a failure says."""

import hashlib
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from widget import runtime
from widget.runtime import RuntimeFile, RuntimeLock, RuntimeUnavailable, install
from widget.runtime_sources import NpmSource, PypiSource, Source, UrlSource

CONTENT = {"core.mjs": b"export const one = 1;\n", "package-1.0.whl": b"not really a wheel"}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep downloads away from the project's own cache."""
    monkeypatch.setenv("PAGEDKV_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "runtime"


def folder_source(folder: Path, content: Mapping[str, bytes]) -> UrlSource:
    folder.mkdir(exist_ok=True)
    for name, data in content.items():
        (folder / name).write_bytes(data)
    return {"kind": "url", "address": folder.as_uri() + "/"}


def lock_of(sources: Mapping[str, Source], content: Mapping[str, bytes] = CONTENT) -> RuntimeLock:
    files = tuple(
        RuntimeFile(
            name,
            hashlib.sha256(data).hexdigest(),
            len(data),
            "MIT",
            tuple(sources),
            {"name": "package", "version": "1.0"} if name.endswith(".whl") else {},
        )
        for name, data in content.items()
    )
    return RuntimeLock("1.2.3", {"python": "3.14.0"}, sources, files)


def fake_wheel(folder: Path) -> PypiSource:
    """Write a wheel that pip accepts and that carries the files in a folder of its own."""
    folder.mkdir()
    path = folder / "carrier-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in CONTENT.items():
            archive.writestr(f"carrier/files/{name}", data)
        archive.writestr(
            "carrier-1.0.dist-info/METADATA",
            "Metadata-Version: 2.1\nName: carrier\nVersion: 1.0\nRequires-Python: <3\n",
        )
        archive.writestr("carrier-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr("carrier-1.0.dist-info/RECORD", "")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return {"kind": "pypi", "requirement": "carrier==1.0", "sha256": digest, "folder": "carrier/files/"}


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_folder_holds_the_files_and_their_list(tmp_path: Path, cache: Path) -> None:
    lock = lock_of({"a": folder_source(tmp_path / "a", CONTENT)})
    written = install(tmp_path / "site", lock)
    assert written == [*CONTENT, "pyodide-lock.json"]
    got = contents(tmp_path / "site")
    listing = json.loads(got.pop("pyodide-lock.json"))
    assert got == CONTENT
    assert listing == {
        "info": {"python": "3.14.0"},
        "packages": {
            "package": {
                "name": "package",
                "version": "1.0",
                "file_name": "package-1.0.whl",
                "sha256": hashlib.sha256(CONTENT["package-1.0.whl"]).hexdigest(),
            }
        },
    }
    assert sorted(contents(cache)) == sorted(file.sha256 for file in lock.files)


def test_a_second_run_fetches_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = folder_source(tmp_path / "a", CONTENT)
    install(tmp_path / "site", lock_of({"a": source}))
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "site").iterdir()}
    capsys.readouterr()
    # Nothing is left to fetch from.
    gone: UrlSource = {"kind": "url", "address": (tmp_path / "gone").as_uri() + "/"}
    assert install(tmp_path / "site", lock_of({"a": gone})) == []
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "site").iterdir()} == before
    assert capsys.readouterr().out == ""


def test_a_changed_file_is_written_again_and_a_strange_one_removed(tmp_path: Path) -> None:
    lock = lock_of({"a": folder_source(tmp_path / "a", CONTENT)})
    install(tmp_path / "site", lock)
    (tmp_path / "site" / "core.mjs").write_text("changed", encoding="utf-8")
    (tmp_path / "site" / "package-0.9.whl").write_text("of an earlier version", encoding="utf-8")
    assert install(tmp_path / "site", lock) == ["core.mjs"]
    got = contents(tmp_path / "site")
    assert got.pop("pyodide-lock.json")
    assert got == CONTENT


def test_a_wrong_digest_is_refused_and_named(tmp_path: Path, cache: Path) -> None:
    wrong = {**CONTENT, "core.mjs": b"something else"}
    with pytest.raises(RuntimeUnavailable) as failure:
        install(tmp_path / "site", lock_of({"a": folder_source(tmp_path / "a", wrong)}))
    message = str(failure.value)
    expected, got = (hashlib.sha256(data["core.mjs"]).hexdigest() for data in (CONTENT, wrong))
    assert f"gave another core.mjs: expected sha256 {expected}, got {got}" in message
    assert (tmp_path / "a").as_uri() in message
    assert "package-1.0.whl" not in message, "it arrived as it should be"
    assert got not in contents(cache)
    assert not (tmp_path / "site").exists()


def test_a_damaged_cache_is_fetched_again(tmp_path: Path, cache: Path) -> None:
    lock = lock_of({"a": folder_source(tmp_path / "a", CONTENT)})
    install(tmp_path / "site", lock)
    (cache / lock.files[0].sha256).write_bytes(b"half of it")
    install(tmp_path / "other", lock)
    assert contents(tmp_path / "other")["core.mjs"] == CONTENT["core.mjs"]


def test_the_next_source_is_asked_for_what_the_first_lacks(tmp_path: Path) -> None:
    partly = folder_source(tmp_path / "a", {"core.mjs": CONTENT["core.mjs"]})
    wrong = folder_source(tmp_path / "b", {"package-1.0.whl": b"damaged"})
    right = folder_source(tmp_path / "c", CONTENT)
    (tmp_path / "c" / "core.mjs").unlink()  # must not be needed
    install(tmp_path / "site", lock_of({"a": partly, "b": wrong, "c": right}))
    assert contents(tmp_path / "site").items() >= CONTENT.items()


def test_the_wheel_of_a_python_package_is_opened_and_removed(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = fake_wheel(tmp_path / "index")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    lock = lock_of({"a": source})
    install(tmp_path / "site", lock)
    assert contents(tmp_path / "site").items() >= CONTENT.items()
    assert sorted(path.name for path in cache.iterdir()) == sorted(file.sha256 for file in lock.files)


def test_when_no_source_answers_the_message_names_all_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    monkeypatch.setenv("PATH", "/nowhere")
    closed: UrlSource = {"kind": "url", "address": "http://127.0.0.1:9/full/"}
    absent: PypiSource = {"kind": "pypi", "requirement": "carrier==1.0", "sha256": "0" * 64, "folder": ""}
    npm: NpmSource = {"kind": "npm", "package": "carrier@1.0", "folder": "package/"}
    with pytest.raises(RuntimeUnavailable) as failure:
        install(tmp_path / "site", lock_of({"a": closed, "b": absent, "c": npm}))
    message = str(failure.value)
    for word in (
        *CONTENT,
        "http://127.0.0.1:9/full/ did not answer",
        "the Python package carrier==1.0",
        "the npm package carrier@1.0 needs npm, which is not installed",
        str(tmp_path / "cache" / "runtime"),
    ):
        assert word in message


def test_the_projects_own_lock_is_complete() -> None:
    lock = runtime.read_lock()
    assert [file.name.split("-")[0] for file in lock.files] == [
        "pyodide.mjs",
        "pyodide.asm.mjs",
        "pyodide.asm.wasm",
        "python_stdlib.zip",
        "numpy",
    ]
    for file in lock.files:
        assert len(file.sha256) == 64
        assert file.size > 0
        assert file.licence
        assert len(file.sources) > 1, f"{file.name} can be had from one place only"
        assert set(file.sources) <= set(lock.sources)
