"""The command line: `python -m pagedkv numbers` prints every number that the lesson quotes, by name."""

import argparse
import sys


def main(arguments: list[str] | None = None) -> int:
    """Run one command, and return the exit code.

    >>> main(["numbers"])  # doctest: +ELLIPSIS
    earlier.token_share.lowest ...
    0
    """
    parser = argparse.ArgumentParser(prog="python -m pagedkv", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("numbers", help="print every number that the lesson quotes, by name")
    parser.parse_args(arguments)
    # NumPy is needed from here on, and not for --help.
    from pagedkv.numbers import lines  # noqa: PLC0415

    sys.stdout.write("\n".join(lines()) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
