"""The command line: `python -m benchmarks [TOPIC ...]`."""

import argparse
import importlib
import os
import sys
from pathlib import Path

from benchmarks.runner import Row, line, write

TOPICS = ("weight", "boot", "press", "appends", "attention")
REPORT = Path(__file__).parents[1] / "build" / "bench.json"


def main(arguments: list[str] | None = None) -> int:
    """Run topics, print their tables, write the report, and return 0: a missed aim is printed, no error."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("topics", nargs="*", metavar="TOPIC", help=f"of {', '.join(TOPICS)}; all if none")
    chosen = parser.parse_args(arguments).topics or list(TOPICS)
    unknown = sorted(set(chosen) - set(TOPICS))
    if unknown:
        parser.error(f"there is no topic {unknown[0]!r}; there are {', '.join(TOPICS)}")
    # One thread each: on a shared machine, threads that wait for a processor would be all that is measured.
    # Read when NumPy is imported, which the topics do.
    for library in ("OPENBLAS", "OMP", "MKL"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
    measured: dict[str, list[Row]] = {}
    for topic in chosen:
        module = importlib.import_module(f"benchmarks.{topic}")
        print(f"\n{module.TITLE}")
        measured[topic] = []
        for row in module.rows():
            print(f"  {line(row)}", flush=True)
            measured[topic].append(row)
    write(REPORT, measured)
    print(f"\nWritten to {REPORT.relative_to(Path.cwd()) if REPORT.is_relative_to(Path.cwd()) else REPORT}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
