"""Names for array types, and the one check that an argument has the right shape. Needs NumPy.

Example:
    >>> vector([1, 2, 3], 3, "the key").dtype
    dtype('float64')
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pagedkv.errors import WrongShape, shown

Floats: TypeAlias = NDArray[np.float64]


def floats(value: ArrayLike, name: str) -> Floats:
    """Return `value` as an array of 64-bit floats, or raise `WrongShape` if it is not real numbers.

    >>> floats("ten", "q")
    Traceback (most recent call last):
    pagedkv.errors.WrongShape: q must be an array of real numbers, not 'ten'.
    """
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "fiub":
            raise TypeError
        return array.astype(np.float64, copy=False)
    except (TypeError, ValueError):
        raise WrongShape(f"{name} must be an array of real numbers, not {shown(value)}.") from None


def vector(value: ArrayLike, size: int, name: str) -> Floats:
    """Return `value` as a vector of `size` floats; a plain number stands for a vector of one.

    >>> vector([1.0, 2.0], 3, "the key")
    Traceback (most recent call last):
    pagedkv.errors.WrongShape: the key has shape (2,); it must have shape (3,).
    >>> vector(5, 1, "the key")
    array([5.])
    """
    array = floats(value, name)
    if array.ndim == 0 and size == 1:
        return array.reshape(1)
    if array.shape != (size,):
        raise WrongShape(f"{name} has shape {array.shape}; it must have shape ({size},).")
    return array
