"""The project's own environments: `.venv`, and a Node.js or uv beside it where a target needs one.

    $ python3 -m tools.environment            # .venv, as requirements.lock says
    $ python3 -m tools.environment kernels    # the same .venv, and what tools/kernels.lock says on top
    $ python3 -m tools.environment node       # prints the folder that holds node and npm
    $ python3 -m tools.environment lock       # writes the lock files anew

Each environment carries a stamp, the digest of what it was made from. A run that finds the right stamp
does nothing, so the second `make` of a day starts at once. The module runs before anything is installed: it
needs only the standard library, and Python 3.7 can still read it far enough to say that it is too old.

It does not choose versions. `requirements.in` does, and `lock` turns that into pins and digests.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
VENV = ROOT / ".venv"
KERNELS_LOCK = ROOT / "tools" / "kernels.lock"
NODE_VENV = ROOT / ".cache" / "node"
UV_VENV = ROOT / ".cache" / "uv"

OLDEST_PYTHON = (3, 11)
OLDEST_NODE = 20
STAMP = "made-from.txt"


class EnvironmentFailure(Exception):
    """What is missing on this machine, as a sentence for the person who typed `make`."""


def check_python() -> None:
    """Raise `EnvironmentFailure` when this Python is too old or cannot make a virtual environment."""
    here = "{} ({}.{}.{})".format(sys.executable, *sys.version_info[:3])
    wanted = "{}.{}".format(*OLDEST_PYTHON)
    if sys.version_info[:2] < OLDEST_PYTHON:
        raise EnvironmentFailure(
            f"pagedkv needs Python {wanted} or later, and {here} is older. "
            f"Install a newer one, or name one that is there: make test PYTHON=python{wanted}"
        )
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError as error:
        raise EnvironmentFailure(
            f"{here} cannot make a virtual environment: its module {error.name!r} is missing. "
            "On Debian or Ubuntu: apt-get install python3-venv"
        ) from error


def ensure(environment: Path, requirements: Path) -> Path:
    """Bring `environment` to what the lock file `requirements` says, and return its Python.

    Every package is checked against the digest in the lock. Nothing happens when the stamp is right.
    """
    python = environment / "bin" / "python"
    stamp = environment / STAMP
    version = "{}.{}".format(*sys.version_info[:2])
    wanted = f"python {version}\n{hashlib.sha256(requirements.read_bytes()).hexdigest()}\n"
    found = stamp.read_text(encoding="utf-8") if stamp.is_file() and python.exists() else ""
    if found == wanted:
        return python
    check_python()
    # Another minor version of Python means another folder of packages: then the environment starts anew.
    if not found.startswith(f"python {version}\n"):
        say(f"Making {shown(environment)} with Python {version}")
        create(environment)
    stamp.unlink(missing_ok=True)
    install(python, requirements)
    stamp.write_text(wanted, encoding="utf-8")
    return python


def add(environment: Path, base: Path, requirements: Path) -> None:
    """Bring the lock file `requirements` into an environment that holds `base`, whose versions it shares.

    It has a stamp of its own, which names both files: when `base` changes, it is installed again.
    """
    python = ensure(environment, base)
    stamp = environment / f"{STAMP}.{requirements.stem}"
    wanted = "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}\n" for file in (base, requirements))
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return
    stamp.unlink(missing_ok=True)
    install(python, requirements)
    stamp.write_text(wanted, encoding="utf-8")


def create(environment: Path) -> None:
    """Make an empty virtual environment, in place of any that is there."""
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(environment)], check=True)


def install(python: Path, requirements: Path) -> None:
    """Let pip install a lock file, with a line of progress now and then."""
    total = sum(1 for line in requirements.read_text(encoding="utf-8").splitlines() if "==" in line)
    say(f"Installing up to {total} packages from {shown(requirements)} (about a minute, once)")
    command = [str(python), "-m", "pip", "install", "--require-hashes", "--progress-bar", "off"]
    command += ["--disable-pip-version-check", "--requirement", str(requirements)]
    seen = 0
    lines = []
    # pip's own bar needs a terminal and its log needs a screen: count the packages it names instead.
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            if line.startswith("Collecting "):
                seen += 1
                if seen % 10 == 0:
                    say(f"  {seen} of {total}: {line.split()[1]}")
            elif line.startswith("Installing collected"):
                say("  unpacking")
    if process.returncode != 0:
        sys.stderr.write("".join(lines[-30:]))
        raise EnvironmentFailure(
            f"pip could not install {shown(requirements)}; its last lines are above. "
            "Check the connection to the package index and run the same command again."
        )


def node_folder() -> Path:
    """Return a folder with `node` and `npm`: on PATH if new enough, else a Python package brings them."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and Path(node).parent == Path(npm).parent:
        version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
        major = version.strip().lstrip("v").split(".")[0]
        if major.isdigit() and int(major) >= OLDEST_NODE:
            return Path(node).parent
    ensure(NODE_VENV, ROOT / "tools" / "node.lock")
    return NODE_VENV / "bin"


def lock() -> None:
    """Write `requirements.lock` and the lock files of the helper environments anew."""
    ensure(UV_VENV, ROOT / "tools" / "uv.lock")
    for source in ("requirements.in", "tools/kernels.in", "tools/node.in", "tools/uv.in"):
        target = str(Path(source).with_suffix(".lock"))
        say(f"Resolving {source}")
        command = [str(UV_VENV / "bin" / "uv"), "pip", "compile", source, "--output-file", target, "--quiet"]
        command += ["--universal", "--python-version", "{}.{}".format(*OLDEST_PYTHON)]
        command += ["--generate-hashes", "--no-emit-index-url", "--upgrade"]
        command += ["--custom-compile-command", "make lock"]
        if source == "tools/kernels.in":
            # It goes into the same environment, so what both name has one version.
            command += ["--constraint", str(LOCK.relative_to(ROOT))]
        subprocess.run(command, cwd=ROOT, check=True)


def shown(path: Path) -> str:
    """Return a path as a person in the project's folder would write it."""
    return os.path.relpath(path, Path.cwd())


def say(line: str) -> None:
    """Print a line of progress. On standard error, because `node` answers on standard output."""
    print(line, file=sys.stderr, flush=True)


def main(arguments: list[str]) -> int:
    """Run one of the verbs in the module's docstring."""
    try:
        if arguments == []:
            ensure(VENV, LOCK)
        elif arguments == ["kernels"]:
            add(VENV, LOCK, KERNELS_LOCK)
        elif arguments == ["node"]:
            print(node_folder())
        elif arguments == ["lock"]:
            lock()
        else:
            raise EnvironmentFailure(
                f"unknown arguments {arguments}: expected none, 'kernels', 'node' or 'lock'"
            )
    except EnvironmentFailure as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
