"""A number as the lesson quotes it: its value, how it is written, and how it came about.

Example:
    >>> count(130800, "the example, run")
    Number(value=130800, text='130,800', origin='the example, run')
"""

from typing import NamedTuple

from pagedkv.sizes import in_binary_units


class Number(NamedTuple):
    """A number of the lesson. `value` is a text where the lesson quotes a list or a name."""

    value: float | str
    text: str
    origin: str


def count(value: int, origin: str) -> Number:
    """Return a whole number, with thousands set apart.

    >>> count(8192, "the example").text
    '8,192'
    """
    return Number(value, f"{value:,}", origin)


def size(num_bytes: int, origin: str) -> Number:
    """Return a number of bytes, written in the largest unit that fits.

    >>> size(2**30, "8192 tokens").text
    '1 GiB'
    """
    return Number(num_bytes, in_binary_units(num_bytes), origin)


def decimal(value: float, digits: int, origin: str, unit: str = "") -> Number:
    """Return a number rounded to a fixed number of decimals.

    >>> decimal(7.625, 1, "paged / contiguous").text
    '7.6'
    """
    return Number(value, f"{value:,.{digits}f}{unit}", origin)
