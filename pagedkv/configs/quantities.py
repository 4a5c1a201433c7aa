"""Counts and sizes as people write them: 8192, 80 GiB, 16GB. GB and GiB are told apart.

Example:
    >>> read_bytes("80 GiB", "memory"), read_bytes("1.5gb", "weights")
    (85899345920, 1500000000)
"""

import re

from pagedkv.errors import InvalidOperation, shown
from pagedkv.sizes import GIB, in_binary_units

UNITS = {"B": 1} | {
    f"{letter}{end}": base**power
    for power, letter in enumerate("KMGT", start=1)
    for end, base in (("iB", 1024), ("B", 1000))
}
MOST_BYTES = 2**60
_LARGE = (("EiB", GIB**2), ("PiB", GIB * 2**20), ("TiB", GIB * 2**10))


def in_units(num_bytes: int) -> str:
    """Return a size in the unit that reads best; from 10,000 GiB on that is a larger one.

    >>> in_units(70272), in_units(2000 * 2**30), in_units(2**60)
    ('68.625 KiB', '2,000 GiB', '1 EiB')
    """
    if num_bytes >= 10_000 * GIB:
        for name, unit in _LARGE:
            if num_bytes >= unit:
                return f"{round(num_bytes / unit, 1):,.12g} {name}"
    return in_binary_units(num_bytes)


def size(num_bytes: int) -> str:
    """Return bytes as they are, and in a larger unit where one fits.

    >>> size(70272), size(12)
    ('70,272 B = 68.625 KiB', '12 B')
    """
    return f"{num_bytes:,} B" if num_bytes < 1024 else f"{num_bytes:,} B = {in_units(num_bytes)}"


def read_count(text: str, name: str, at_most: int) -> int:
    """Return the whole number of at least 1 that a text states.

    Raises:
        InvalidOperation: it states none, or one out of bounds.

    >>> read_count("8192", "--tokens", 10**12), read_count("8,192", "--tokens", 10**12)
    (8192, 8192)
    >>> read_count("-1", "--tokens", 10**12)
    Traceback (most recent call last):
    pagedkv.errors.InvalidOperation: --tokens is '-1'; it must be a whole number from 1 to 1,000,000,000,000.
    """
    digits = ungrouped(text)
    if not re.fullmatch(r"[0-9]{1,15}", digits) or not 1 <= int(digits) <= at_most:
        raise InvalidOperation(f"{name} is {shown(text)}; it must be a whole number from 1 to {at_most:,}.")
    return int(digits)


def ungrouped(text: str) -> str:
    """Return a text without the commas between thousands; one with other commas stays as it is.

    >>> ungrouped(" 8,192 "), ungrouped("8,19"), ungrouped("1,5")
    ('8192', '8,19', '1,5')
    """
    text = text.strip()
    return text.replace(",", "") if re.fullmatch(r"[0-9]{1,3}(,[0-9]{3})+", text) else text


def read_bytes(text: str, name: str, *, may_be_none: bool = False) -> int:
    """Return the bytes of a size: a number and its unit.

    Args:
        text: the size.
        name: of what, for the sentence that refuses it.
        may_be_none: whether 0 is a size as well; it needs no unit.

    Raises:
        InvalidOperation: it is no size, it has no unit, or one that people understand in two ways.

    >>> read_bytes("80G", "--memory")
    Traceback (most recent call last):
    pagedkv.errors.InvalidOperation: --memory is '80G'; write a number and a unit, such as 80GiB or 80GB.
    """
    if may_be_none and re.fullmatch(r"0+(\.0+)? ?([kmgt]?i?b)?", text.strip().lower()):
        return 0
    units = {unit.lower(): size for unit, size in UNITS.items()}
    found = re.fullmatch(r"([0-9]{1,18})(?:\.([0-9]{1,9}))? ?([a-z]*)", text.strip().lower())
    unit = units.get(found[3]) if found else None
    if found is None or unit is None:
        raise InvalidOperation(f"{name} is {shown(text)}; write a number and a unit, such as 80GiB or 80GB.")
    decimals = found[2] or ""
    size: int = int(found[1] + decimals) * unit // int("1" + "0" * len(decimals))
    if not 1 <= size <= MOST_BYTES:
        raise InvalidOperation(f"{name} is {shown(text)}; it must be from 1 byte to {MOST_BYTES:,} bytes.")
    return size
