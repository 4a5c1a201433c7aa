"""Every check of `make lint`, in one list: `python -m tools.lint`, or with `--fix` what can rewrite.

All of them run even when one has failed, and the last line names those that did. The Python checks come from
`.venv`; the JavaScript checks need Node.js, which `tools.environment` finds or installs, and the packages of
`package-lock.json`, which are installed again only when that file has changed.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from tools.environment import ROOT, EnvironmentFailure, node_folder, say

BIN = Path(sys.executable).parent
NODE_MODULES = ROOT / "node_modules"
TYPED = (
    *("pagedkv", "figures", "widget", "exercises", "lesson", "kernels"),
    *("tools", "benchmarks", "tests", "build.py"),
)


def checks(fix: bool) -> list[tuple[str, list[str]]]:
    """Return each check as a name and a command, in the order in which they run."""
    biome, tsc = (str(NODE_MODULES / ".bin" / name) for name in ("biome", "tsc"))
    # It colours what goes into a file as well.
    plain = [] if sys.stdout.isatty() else ["--colors=off"]
    if fix:
        return [
            ("ruff check", [str(BIN / "ruff"), "check", "--fix", "."]),
            ("ruff format", [str(BIN / "ruff"), "format", "."]),
            ("biome", [biome, "check", "--write", *plain]),
        ]
    return [
        ("ruff check", [str(BIN / "ruff"), "check", "."]),
        ("ruff format", [str(BIN / "ruff"), "format", "--check", "."]),
        ("mypy", [str(BIN / "mypy"), *(name for name in TYPED if (ROOT / name).exists())]),
        ("lint-imports", [str(BIN / "lint-imports")]),
        ("biome", [biome, "ci", "--error-on-warnings", *plain]),
        ("tsc, the page", [tsc, "--project", "tsconfig.json"]),
        ("tsc, the worker", [tsc, "--project", "tsconfig.worker.json"]),
    ]


def install_node_packages(node: Path) -> None:
    """Install `package-lock.json` into `node_modules`, unless it is what is already there."""
    lock = ROOT / "package-lock.json"
    stamp = NODE_MODULES / "made-from.txt"
    wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return
    say("Installing the JavaScript checkers from package-lock.json (once)")
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"]
    done = subprocess.run(command, cwd=ROOT, env=with_node(node), check=False)
    if done.returncode != 0:
        raise EnvironmentFailure(
            "npm could not install package-lock.json; its message is above. "
            "Check the connection to the package index and run the same command again."
        )
    stamp.write_text(wanted, encoding="utf-8")


def with_node(node: Path) -> dict[str, str]:
    """Return the environment with `node` first on PATH, for the checkers that are started through it."""
    return {**os.environ, "PATH": f"{node}{os.pathsep}{os.environ['PATH']}"}


def main(arguments: list[str]) -> int:
    """Run the checks, and return 1 if any of them failed."""
    try:
        node = node_folder()
        install_node_packages(node)
    except EnvironmentFailure as failure:
        print(failure, file=sys.stderr)
        return 1
    failed = []
    for name, command in checks(fix="--fix" in arguments):
        say(f"== {name}")
        if subprocess.run(command, cwd=ROOT, env=with_node(node), check=False).returncode != 0:
            failed.append(name)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
