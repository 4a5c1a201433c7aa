"""Reads what a reader types: whole numbers, and amounts of memory with their unit.

Example:
    >>> read_size("46.9 MiB")
    Size(value=Decimal('46.9'), unit='MiB')
    >>> read_size("49,152,000 bytes").matches(49_152_000)
    True

Units: B (or byte, bytes, or none for a whole number); kB, MB, GB, TB in steps of 1,000; KiB, MiB, GiB, TiB
in steps of 1,024. Upper and lower case do not matter, and KB is read as kB. Commas, spaces, `_` or
apostrophes may set thousands apart. A comma that is not before groups of three digits is a decimal comma.

An amount in a unit above the byte is right if it is the true one, rounded to the digits that were
written, and at least two of them say something.
"""

import re
from decimal import Decimal
from typing import NamedTuple

from pagedkv.errors import PagedKVError

UNITS = {
    "B": 1,
    "kB": 1000, "MB": 1000**2, "GB": 1000**3, "TB": 1000**4,
    "KiB": 1024, "MiB": 1024**2, "GiB": 1024**3, "TiB": 1024**4,
}  # fmt: skip
TWIN = {"kB": "KiB", "MB": "MiB", "GB": "GiB", "TB": "TiB"} | {
    "KiB": "kB", "MiB": "MB", "GiB": "GB", "TiB": "TB",
}  # fmt: skip
_SPELLED = {name.lower(): name for name in UNITS} | {"byte": "B", "bytes": "B", "": "B"}
_BITS = {"bit", "bits"} | {
    f"{prefix}{unit}" for prefix in "kmgt" for unit in ("bit", "bits", "ibit", "ibits")
}

_LONGEST = 40
_SIZE = re.compile(r"(?P<number>[0-9][0-9.,' _\u00a0\u2009\u202f]*)(?P<unit>[A-Za-z]*)\.?")
_GROUPED = re.compile(r"[0-9]{1,3}(?:([,' _])[0-9]{3})(?:\1[0-9]{3})*(?:\.[0-9]+)?")
_PLAIN = re.compile(r"[0-9]+(?:[.,][0-9]+)?")


class Unreadable(PagedKVError, ValueError):
    """What was typed is no answer of the kind that is asked for. The sentence says what would be.

    >>> read_count("many")
    Traceback (most recent call last):
    exercises.quantity.Unreadable: Write a whole number, such as 12.
    """


class Size(NamedTuple):
    """An amount of memory as it was written.

    >>> Size(Decimal("1.50"), "KiB").in_bytes
    Decimal('1536.00')
    """

    value: Decimal
    unit: str

    @property
    def in_bytes(self) -> Decimal:
        """The amount in bytes."""
        return self.value * UNITS[self.unit]

    def matches(self, num_bytes: int) -> bool:
        """Whether this is the amount, exact or rounded to the digits that were written.

        >>> Size(Decimal("46.9"), "MiB").matches(49_152_000), Size(Decimal("46"), "MiB").matches(49_152_000)
        (True, False)
        """
        if self.in_bytes == num_bytes:
            return True
        _, digits, exponent = self.value.as_tuple()
        if (
            self.unit == "B"
            or not isinstance(exponent, int)
            or len("".join(map(str, digits)).lstrip("0")) < 2
        ):
            return False
        half = Decimal(5).scaleb(exponent - 1)
        return abs(Decimal(num_bytes) / UNITS[self.unit] - self.value) <= half

    def in_twin(self) -> "Size | None":
        """Return the same number in the unit that this one is often confused with.

        >>> Size(Decimal(1), "GB").in_twin()
        Size(value=Decimal('1'), unit='GiB')
        """
        return self._replace(unit=TWIN[self.unit]) if self.unit in TWIN else None


def read_size(text: str) -> Size:
    """Return the amount that a text states.

    Raises:
        Unreadable: it states none, or in bits.

    >>> read_size("49 152 kB"), read_size("1,5 gib")
    (Size(value=Decimal('49152'), unit='kB'), Size(value=Decimal('1.5'), unit='GiB'))
    """
    found = _SIZE.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if found is None:
        raise Unreadable("Write a number and its unit, such as 1.5 KiB or 1,536 B.")
    unit = found["unit"].lower()
    if unit in _BITS:
        raise Unreadable("Write it in bytes: eight bits are one.")
    if unit not in _SPELLED:
        raise Unreadable(f"“{found['unit']}” is no unit here. Known: {', '.join(UNITS)}.")
    value = _number(found["number"])
    if value is None:
        raise Unreadable("Write a number and its unit, such as 1.5 KiB or 1,536 B.")
    if unit == "" and value != value.to_integral_value():
        raise Unreadable("Say the unit, too, such as KiB or MiB. A bare whole number counts as bytes.")
    return Size(value, _SPELLED[unit])


def read_count(text: str) -> int:
    """Return the whole number that a text states.

    Raises:
        Unreadable: it states none.

    >>> read_count(" 1,000 ")
    1000
    """
    value = _number(text.strip()) if len(text) <= _LONGEST else None
    if value is None or value != value.to_integral_value():
        raise Unreadable("Write a whole number, such as 12.")
    return int(value)


def _number(text: str) -> Decimal | None:
    text = re.sub(r"[\u00a0\u2009\u202f]", " ", text.strip())
    if _GROUPED.fullmatch(text):
        return Decimal(re.sub(r"[,' _]", "", text))
    return Decimal(text.replace(",", ".")) if _PLAIN.fullmatch(text) else None
