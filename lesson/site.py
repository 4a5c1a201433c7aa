"""From `site/` to a finished static site that any host can serve, from any path.

    build(output=Path("dist"), scratch=Path("build"), widget=lambda base, link: fragment(base, app, link))

Pages are rendered (`lesson.pages`), MkDocs builds them strictly, and what it made is copied to `output`.
Two addresses may stand in the `urls` of `pyproject.toml`. With `Repository` each page links to its source, to
be edited. With `Documentation`, where the site is served, pages state their full address, cards are found by
whoever reads a shared link, and there is a map of the site.

What this does not do: the widget's own files, the figures' files and the licences, which stand beside it.
"""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from datetime import UTC, datetime, time
from pathlib import Path
from typing import Any

from lesson import notebook
from lesson.cards import FOLDER, card_name, card_png
from lesson.errors import LessonError
from lesson.excerpts import ROOT
from lesson.exercises import Exercise
from lesson.facts import Facts
from lesson.helpers import Widget
from lesson.pages import Page, render
from lesson.style import figures_css
from lesson.tracks import nav_of

SOURCE = ROOT / "site"
SITE_NAME = "Paged KV cache"
_LIST = "site-files.json"
# The search speaks one language; a map is small enough as it is, and its compressed copy holds the time.
_LEFT_OUT = ("sitemap.xml.gz", "assets/javascripts/lunr")


def build(
    output: Path,
    scratch: Path,
    *,
    widget: Widget,
    exercise: Exercise | None = None,
    source: Path = SOURCE,
    facts: Facts | None = None,
    project: Path = ROOT / "pyproject.toml",
    report: Callable[[str], None] = lambda line: None,
) -> None:
    """Build the site into `output`, with everything in between in `scratch`.

    Files in `output` that are not the site's stay; those that an earlier build put there and this one does
    not make are removed.

    Args:
        output: the folder of the finished site.
        scratch: a folder for the rendered pages and for what MkDocs makes.
        widget, exercise, source, facts: as for `lesson.pages.render`.
        project: the file that may state the address of the repository, and that of the site.
        report: told of each page how long and how hard it is to read.

    Raises:
        LessonError: a page asks for something that is not there, or MkDocs finds a fault.
    """
    docs, html = scratch / "docs", scratch / "html"
    pages = render(source, docs, facts=facts, widget=widget, exercise=exercise)
    notebook.publish(docs / "notebook")
    for page in pages:
        if "grade" in page.meta:
            report(f"  {page.path}: {page.meta['minutes']} min, grade {page.meta['grade']}")
    (docs / FOLDER).mkdir(parents=True, exist_ok=True)
    for page in pages:
        title = "Reference" if page.path.startswith("reference/") else page.meta["title"]
        (docs / card_name(page.path)).write_bytes(card_png(title, SITE_NAME, page.story))
    (docs / "assets" / "figures.css").write_text(figures_css(), encoding="utf-8")
    urls = _urls(project)
    _run_mkdocs(_config(scratch, docs, html, urls, nav_of(source)), pages)
    # A map of a site without an address would be empty.
    left_out = _LEFT_OUT if "Documentation" in urls else (*_LEFT_OUT, "sitemap.xml")
    _publish(html, output, scratch / _LIST, left_out)


def _urls(project: Path) -> dict[str, str]:
    stated = tomllib.loads(project.read_text(encoding="utf-8"))["project"].get("urls", {})
    return {str(name): str(address) for name, address in stated.items()}


def _config(scratch: Path, docs: Path, html: Path, urls: dict[str, str], nav: list[Any] | None) -> Path:
    """Write what this build adds to `mkdocs.yml`. JSON is YAML, too."""
    added: dict[str, Any] = {
        "INHERIT": str(ROOT / "mkdocs.yml"),
        "site_name": SITE_NAME,
        "docs_dir": str(docs.resolve()),
        "site_dir": str(html.resolve()),
        "theme": {"custom_dir": str(ROOT / "site" / "overrides")},
    }
    if nav is not None:
        added["nav"] = nav
    if "Repository" in urls:
        added |= {"repo_url": urls["Repository"], "edit_uri": "edit/main/site/"}
    if "Documentation" in urls:
        added |= {"site_url": urls["Documentation"].rstrip("/") + "/"}
    config = scratch / "mkdocs.yml"
    config.write_text(json.dumps(added, indent=1), encoding="utf-8")
    return config


def _run_mkdocs(config: Path, pages: list[Page]) -> None:
    # The site's date is that of its newest page, so that the same sources give the same files.
    newest = max(page.meta["date"] for page in pages if "date" in page.meta)
    epoch = int(datetime.combine(newest, time(), UTC).timestamp())
    # Not --quiet: that silences warnings before --strict has counted them.
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", str(config)],
        env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise LessonError(f"MkDocs could not build the site:\n{(done.stdout + done.stderr).strip()}")


def _publish(html: Path, output: Path, list_file: Path, left_out: tuple[str, ...]) -> None:
    """Copy the site to `output`; leave what did not change, and remove what an earlier build had more."""
    found = (path.relative_to(html).as_posix() for path in html.rglob("*") if path.is_file())
    made = {name for name in found if not name.startswith(left_out)}
    earlier = set(json.loads(list_file.read_text(encoding="utf-8"))) if list_file.is_file() else set()
    for name in earlier - made:
        (output / name).unlink(missing_ok=True)
    for name in made:
        there = output / name
        if not there.is_file() or there.read_bytes() != (html / name).read_bytes():
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(html / name, there)
    list_file.write_text(json.dumps(sorted(made), indent=0), encoding="utf-8")
