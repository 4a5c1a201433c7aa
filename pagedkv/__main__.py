"""The command line: `numbers` prints every number that the lesson quotes, `size` reckons a model's cache."""

import sys

from pagedkv.configs.command import Parser, arguments_of, size


def main(arguments: list[str] | None = None) -> int:
    """Run one command, and return the exit code.

    >>> main(["numbers"])  # doctest: +ELLIPSIS
    earlier.token_share.lowest ...
    0
    """
    parser = Parser(prog="python -m pagedkv", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="numbers or size")
    commands.add_parser("numbers", help="print every number that the lesson quotes, by name")
    arguments_of(commands.add_parser("size", help="how large a model's KV cache is, from its config.json"))
    chosen = parser.parse_args(arguments)
    if chosen.command == "size":
        return size(chosen)
    # NumPy is needed from here on, and not for the rest.
    from pagedkv.numbers import lines  # noqa: PLC0415

    sys.stdout.write("\n".join(lines()) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
