"""Counts and sizes as people write them: "8192", "80 GiB", "16GB". GB and GiB are told apart.

Example:
    >>> read_bytes("80 GiB", "memory"), read_bytes("1.5gb", "weights")
    (85899345920, 1500000000)
"""

import re

from pagedkv.errors import InvalidOperation, shown

UNITS = {"B": 1} | {
    f"{letter}{end}": base**power
    for power, letter in enumerate("KMGT", start=1)
    for end, base in (("iB", 1024), ("B", 1000))
}
MOST_BYTES = 2**60


def read_count(text: str, name: str, at_most: int) -> int:
    """Return the whole number of at least 1 that a text states.

    Raises:
        InvalidOperation: it states none, or one out of bounds.

    >>> read_count("8192", "--tokens", 10**12)
    8192
    >>> read_count("-1", "--tokens", 10**12)
    Traceback (most recent call last):
    pagedkv.errors.InvalidOperation: --tokens is '-1'; it must be a whole number from 1 to 1,000,000,000,000.
    """
    digits = text.strip()
    if not re.fullmatch(r"[0-9]{1,15}", digits) or not 1 <= int(digits) <= at_most:
        raise InvalidOperation(f"{name} is {shown(text)}; it must be a whole number from 1 to {at_most:,}.")
    return int(digits)


def read_bytes(text: str, name: str) -> int:
    """Return the bytes of a size: a number and its unit, or bytes.

    Raises:
        InvalidOperation: it is no size, or its unit is one that people understand in two ways.

    >>> read_bytes("80G", "--memory")
    Traceback (most recent call last):
    pagedkv.errors.InvalidOperation: --memory is '80G'; write a number and a unit, such as 80GiB or 80GB.
    """
    units = {unit.lower(): size for unit, size in UNITS.items()}
    found = re.fullmatch(r"([0-9]{1,18})(?:\.([0-9]{1,9}))? ?([a-z]*)", text.strip().lower())
    unit = units.get(found[3] or "b") if found else None
    if found is None or unit is None:
        raise InvalidOperation(f"{name} is {shown(text)}; write a number and a unit, such as 80GiB or 80GB.")
    decimals = found[2] or ""
    size: int = int(found[1] + decimals) * unit // int("1" + "0" * len(decimals))
    if not 1 <= size <= MOST_BYTES:
        raise InvalidOperation(f"{name} is {shown(text)}; it must be from 1 byte to {MOST_BYTES:,} bytes.")
    return size
