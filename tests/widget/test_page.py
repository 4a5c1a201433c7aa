"""What the build makes of the widget: complete, deterministic, relative, and knowing no rule."""

import io
import json
import re
import zipfile
from pathlib import Path

import pytest

from widget.page import AT_THE_ROOT, App, archive, fragment, recorded, stylesheet, widget_html, write_app
from widget.scripts import BROWSER, FIRST, as_served

APP = App("0123456789ab", 13_000_000)


def test_the_page_holds_every_region_as_the_session_draws_it() -> None:
    page = widget_html(APP)
    for name, markup in recorded().items():
        assert f'data-region="{name}"' in page
        assert markup in page
    assert "[[region" not in page


def test_addresses_are_relative_to_the_page() -> None:
    for base in ("", "../", "../../"):
        addresses = re.findall(r'(?:href|src)="([^"]*)"', fragment(base, APP))
        wanted = ("style.css", "early.js", "element.js")
        assert addresses == [f"{base}app/0123456789ab/{name}" for name in wanted]
    assert re.findall(r'(?:href|src)="(?:/|https?:)', widget_html(APP)) == []


def test_a_page_can_open_the_widget_at_a_session_of_its_own() -> None:
    link = "v=1&scenario=worked-example&step=5"
    markup = fragment("", APP, link)
    assert f'data-opens="{link.replace("&", "&amp;")}"' in markup
    assert recorded(link)["paged"] in markup
    assert "data-opens" not in fragment("", APP)
    with pytest.raises(ValueError, match="There is no scenario 'none'"):
        fragment("", APP, "v=1&scenario=none")


def test_the_archive_is_the_same_for_the_same_sources_and_holds_what_a_session_needs() -> None:
    first = archive()
    assert first == archive()
    names = zipfile.ZipFile(io.BytesIO(first)).namelist()
    assert {"pagedkv/blocks.py", "figures/pool.py", "widget/session.py", "widget/view.py"} <= set(names)
    assert not any(name.startswith(("widget/page", "widget/runtime", "lesson", "tools")) for name in names)


def test_a_change_of_any_file_changes_the_folder(tmp_path: Path) -> None:
    runtime = tmp_path / "runtime" / "0123"
    runtime.mkdir(parents=True)
    (runtime / "pyodide.mjs").write_bytes(b"/" * 100)
    (runtime / "numpy-1.whl").write_bytes(b"n" * 30)
    recordings = {"wide": b"recorded"}
    app = write_app(tmp_path, runtime, recordings)
    assert write_app(tmp_path, runtime, recordings) == app
    written = {path.name for path in (tmp_path / app.folder).iterdir() if path.is_file()}
    scripts = {path.name for path in BROWSER.glob("*.js")} - set(AT_THE_ROOT)
    assert written == scripts | {"style.css", "app.zip", "built.js", "thread.json", "recorded-wide.bin"}
    assert app.bytes == 100 + (tmp_path / app.folder / "app.zip").stat().st_size
    assert app.package_bytes == 30
    later = json.loads((tmp_path / app.folder / "thread.json").read_text(encoding="utf-8"))
    assert [name for name in later if not (tmp_path / app.folder / name).is_file()] == []
    assert set(later) >= {"../../runtime/0123/pyodide.mjs", "app.zip", *modules_of("worker.js")}
    assert not any(name.endswith(".whl") for name in later)
    (runtime / "numpy-1.whl").write_bytes(b"n" * 31)
    assert write_app(tmp_path, runtime, recordings).digest != app.digest


def test_scripts_are_served_without_their_comments_and_with_all_their_code() -> None:
    paths = sorted(BROWSER.rglob("*.js"))
    for path in paths:
        code, is_within = [], False
        for line in path.read_text(encoding="utf-8").splitlines():
            words = line.strip()
            is_whole = words.startswith("/**") and words.endswith("*/")
            is_within = is_within or (words.startswith("/**") and "*/" not in words)
            if not (is_within or is_whole or words.startswith("//")):
                code.append(re.sub(r"/\*\* @type \{.*?\} \*/ ?", "", line))
            is_within = is_within and not words.endswith("*/")
        served = as_served(path).decode().splitlines()
        if path.name in FIRST and path.parent == BROWSER:
            named = re.findall(r'import "\./([^"]+)";', served.pop(0))
            near = set(
                re.findall(r'^import .* from "\./([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE)
            )
            assert {path.name, *named} | near == modules_of(path.name)
            assert named
        assert served == code, path.name
    assert sum(len(as_served(path)) for path in paths) < 0.8 * sum(path.stat().st_size for path in paths)
    for sheet in BROWSER.rglob("*.css"):
        rules, is_within = [], False
        for line in sheet.read_text(encoding="utf-8").splitlines():
            is_within = is_within or line.strip().startswith("/*")
            if not is_within:
                rules.append(line)
            is_within = is_within and "*/" not in line
        assert words_of(as_served(sheet).decode()) == words_of("\n".join(rules)), sheet.name


def words_of(sheet: str) -> list[str]:
    """Return what stands in a style sheet, however it is laid out."""
    return re.sub(r"\s*([{};,])\s*", r"\1", sheet).split()


def modules_of(script: str) -> set[str]:
    """Return a script and all that it imports, however far away."""
    text = (BROWSER / script).read_text(encoding="utf-8") if (BROWSER / script).is_file() else ""
    inner = re.findall(r'^import .* from "\./([^"]+)"', text, re.MULTILINE)
    return {script}.union(*map(modules_of, inner))


def test_the_scripts_know_no_colour_no_place_and_no_rule() -> None:
    words = re.compile(r"free.?list|ref.?count|block.?table|block_size|copy-on-write|#[0-9a-f]{6}|viewBox")
    scripts = sorted(BROWSER.rglob("*.js"))
    assert len(scripts) >= 4
    for path in scripts:
        text = path.read_text(encoding="utf-8")
        code = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
        assert words.findall(code) == [], path.name
        assert "innerHTML" not in code
        assert "eval(" not in code


def test_the_style_asks_no_one() -> None:
    assert re.findall(r"url\(|@import|@font-face", stylesheet()) == []
