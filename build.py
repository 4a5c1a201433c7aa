"""Builds the site. Each verb is one line of work; how it is done stands in the folders.

python build.py all        the complete static site, in dist/; quick when nothing has changed
python build.py figures    only the figures
python build.py serve      serve dist/ on this machine
python build.py check      is dist/ what these sources make? exit code 1 if not
"""

import argparse
import sys
from pathlib import Path

from figures.gallery import FIGURES
from figures.views import FIGURE_VIEWS
from lesson import site as lesson_site
from tools import changes, notices, serve
from widget import page, runtime

ROOT = Path(__file__).resolve().parent
DIST, SCRATCH = ROOT / "dist", ROOT / "build"

# Everything that a build reads. What is not here cannot change the site.
SOURCES = (
    *("pagedkv", "figures", "widget", "site", "lesson", "tools", "build.py", "mkdocs.yml"),
    *("pyproject.toml", "requirements.lock"),
    *("licenses", "LICENSE", "LICENSE-CONTENT", "THIRD_PARTY_NOTICES.md"),
)

# What the widget fetches before it is live; NumPy's wheel comes later, or never.
BOOT_FILES = (
    *("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"),
    "pyodide-lock.json",
)


def build_all() -> None:
    """Make dist/ from the sources, unless it is what they make already."""
    stamp, digest = SCRATCH / "built", changes.digest_of(ROOT, SOURCES)
    if changes.is_current(stamp, digest) and (DIST / "widget.html").exists():
        report("dist/ is up to date")
        return
    stamp.unlink(missing_ok=True)
    DIST.mkdir(exist_ok=True)
    report("runtime: the browser's Python")
    runtime.install(DIST / "runtime", report=report)
    report("figures")
    build_figures()
    report("widget")
    app = page.write_app(DIST, {name: (DIST / "runtime" / name).stat().st_size for name in BOOT_FILES})
    (DIST / "widget.html").write_text(page.widget_html(app), encoding="utf-8")
    report("lesson")
    lesson_site.build(DIST, SCRATCH, widget=lambda base, link: page.fragment(base, app, link), report=report)
    notices.publish(DIST)
    changes.mark(stamp, digest)
    report("dist/ is complete")


def build_figures() -> None:
    """Write every figure as SVG files: one that fits a phone under its name, and a wide one beside it."""
    folder = DIST / "figs"
    folder.mkdir(parents=True, exist_ok=True)
    for figure in FIGURES.values():
        for view in FIGURE_VIEWS:
            suffix = "" if view.name == "narrow" else f".{view.name}"
            path = folder / f"{figure.name}{suffix}.svg"
            path.write_text(figure.svg(view, is_file=True) + "\n", encoding="utf-8")


def check() -> int:
    """Say whether dist/ is what the sources make."""
    is_current = changes.is_current(SCRATCH / "built", changes.digest_of(ROOT, SOURCES))
    report("dist/ is up to date" if is_current else "dist/ is not what the sources make; run: make build")
    return 0 if is_current else 1


def report(line: str) -> None:
    """Print a line of progress at once, so that a long step shows what it is at."""
    sys.stdout.write(f"build: {line}\n")
    sys.stdout.flush()


def main(arguments: list[str] | None = None) -> int:
    """Carry out one verb, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("verb", choices=("all", "figures", "serve", "check"))
    parser.add_argument("--port", type=int, default=8000)
    chosen = parser.parse_args(arguments)
    if chosen.verb == "all":
        build_all()
    elif chosen.verb == "figures":
        build_figures()
    elif chosen.verb == "serve":
        serve.serve_until_stopped(DIST, chosen.port)
    else:
        return check()
    return 0


if __name__ == "__main__":
    sys.exit(main())
