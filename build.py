"""Builds the site. Each verb is one line of work; how it is done stands in the folders.

python build.py all        the complete static site, in dist/; quick when nothing has changed
python build.py figures    only the figures
python build.py serve      serve dist/ on this machine
python build.py check      is dist/ what these sources make? exit code 1 if not
"""

import argparse
import sys
from pathlib import Path

from exercises.page import fragment as exercise
from figures.gallery import FIGURES
from figures.views import FIGURE_VIEWS
from lesson import notebook
from lesson import site as lesson_site
from tools import changes, notices, serve
from widget import page, recording, runtime
from widget.first_presses import first_presses

ROOT = Path(__file__).resolve().parent
DIST, SCRATCH = ROOT / "dist", ROOT / "build"

# Everything that a build reads. What is not here cannot change the site.
SOURCES = (
    *("pagedkv", "figures", "widget", "exercises", "site", "lesson", "kernels", "notebook"),
    *("tools", "build.py", "mkdocs.yml"),
    *("pyproject.toml", "requirements.lock"),
    *("licenses", "LICENSE", "LICENSE-CONTENT", "THIRD_PARTY_NOTICES.md"),
)


def build_all() -> None:
    """Make dist/ from the sources, unless it is what they make already."""
    stamp, digest = SCRATCH / "built", digest_of_sources()
    if changes.is_current(stamp, digest) and (DIST / "widget.html").exists():
        report("dist/ is up to date")
        return
    stamp.unlink(missing_ok=True)
    DIST.mkdir(exist_ok=True)
    report("runtime: the browser's Python")
    python = runtime.install_under(DIST / "runtime", report=report)
    report("figures")
    build_figures()
    report("widget")
    report("recording the first presses")
    app = page.write_app(DIST, python, record())
    (DIST / "widget.html").write_text(page.widget_html(app), encoding="utf-8")
    notebook.run(report)
    report("lesson")
    lesson_site.build(
        DIST,
        SCRATCH,
        widget=lambda base, link: page.fragment(base, app, link),
        exercise=lambda name, base: exercise(name, base, app),
        report=report,
    )
    notices.publish(DIST)
    changes.mark(stamp, digest)
    report("dist/ is complete")


def record() -> dict[str, bytes]:
    """Return view -> the recording of the first presses, after a comparison with a fresh run."""
    recordings = recording.record(first_presses())
    files = {view: one.packed() for view, one in recordings.items()}
    read = {view: recording.read(file) for view, file in files.items()}
    recording.verify(read, first_presses())
    return files


def digest_of_sources() -> str:
    """Return the digest of all that a build depends on: the sources, and whether the notebook can be run."""
    return f"{changes.digest_of(ROOT, SOURCES)} {'with' if notebook.can_run() else 'without'} outputs"


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
    is_current = changes.is_current(SCRATCH / "built", digest_of_sources())
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
