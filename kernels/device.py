"""Where arrays live: on a GPU they are PyTorch's, without one they are NumPy's in a thin wrapper.

Example:
    >>> there = on_device([[1.0, 2.0]], "float32", gpu=False)
    >>> there.shape, there.stride(0), there.dtype
    ((1, 2), 2, 'float32')
    >>> to_numpy(there)
    array([[1., 2.]])

Triton's interpreter asks a tensor for little more than its address and strides, so PyTorch, which is larger
than all the rest together, is only needed where there is a GPU.
"""

import importlib
import importlib.util
import math
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

# What a cache may hold, by the names that NumPy (with ml_dtypes) and PyTorch share. Bytes per number.
ITEMSIZE = {"float32": 4, "float16": 2, "bfloat16": 2, "float8_e4m3fn": 1}


@cache
def has_gpu() -> bool:
    """Return whether PyTorch is installed and sees a GPU of NVIDIA's."""
    if importlib.util.find_spec("torch") is None:
        return False
    torch = importlib.import_module("torch")
    # AMD's build of PyTorch answers for its GPUs under the same name.
    return bool(torch.version.cuda is not None and torch.cuda.is_available())


@cache
def capability() -> tuple[int, int]:
    """Return the compute capability of the GPU, such as (9, 0); (0, 0) without one."""
    if not has_gpu():
        return (0, 0)
    major, minor = importlib.import_module("torch").cuda.get_device_capability()
    return int(major), int(minor)


@cache
def num_processors() -> int:
    """Return how many streaming multiprocessors the GPU has; 1 without one."""
    if not has_gpu():
        return 1
    return int(importlib.import_module("torch").cuda.get_device_properties(0).multi_processor_count)


class HostTensor:
    """A NumPy array with the methods of a tensor that Triton's interpreter calls.

    >>> HostTensor(np.zeros((2, 3), np.float16)).element_size()
    2
    """

    def __init__(self, array: "NDArray[Any]") -> None:
        self.array = array

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the axes."""
        return self.array.shape

    @property
    def dtype(self) -> str:
        """The name of the type of a number."""
        return str(self.array.dtype)

    def size(self) -> int:
        """Return how many numbers there are."""
        return self.array.size

    def stride(self, axis: int = 0) -> int:
        """Return how many numbers lie between neighbours along an axis."""
        return self.array.strides[axis] // self.array.itemsize

    def element_size(self) -> int:
        """Return the bytes of a number."""
        return self.array.itemsize

    def data_ptr(self) -> int:
        """Return the address of the first number."""
        return self.array.ctypes.data

    # The interpreter copies a tensor to the host and its storage back; this one is there already.
    def untyped_storage(self) -> "HostTensor":
        """Return what holds the numbers: the same object."""
        return self

    def cpu(self) -> "HostTensor":
        """Return the numbers on the host: the same object."""
        return self

    def copy_(self, _other: object) -> None:
        """Do nothing: the interpreter wrote in place."""

    def new_empty(self, *_shape: object, **_how: object) -> "HostTensor":
        """Return a tensor for `set_` to fill."""
        return HostTensor(self.array)

    def set_(self, *_storage: object) -> "HostTensor":
        """Return the tensor that lies in the storage: the same object."""
        return self

    def storage_offset(self) -> int:
        """Return where in its storage the tensor begins."""
        return 0


def on_device(values: "ArrayLike", dtype: str, *, gpu: bool | None = None) -> Any:
    """Return numbers rounded to `dtype`, where the kernels read them: on the GPU if there is one.

    >>> on_device([1.0, 3.14159], "float16", gpu=False).array
    array([1.   , 3.14], dtype=float16)
    """
    if has_gpu() if gpu is None else gpu:
        torch = importlib.import_module("torch")
        return torch.from_numpy(np.ascontiguousarray(values)).to("cuda", getattr(torch, dtype))
    return HostTensor(np.ascontiguousarray(np.asarray(values).astype(_numpy_dtype(dtype))))


def to_numpy(tensor: Any) -> "NDArray[Any]":
    """Return a tensor's numbers: whole ones as they are, others as float64, exactly.

    >>> to_numpy(on_device([0.1], "float16", gpu=False))
    array([0.09997559])
    """
    array = tensor.array if isinstance(tensor, HostTensor) else _from_torch(tensor)
    return array if array.dtype.kind in "iu" else array.astype(np.float64)


def empty(shape: Sequence[int], dtype: str, like: Any) -> Any:
    """Return a tensor that nobody has written, beside `like`. Without a GPU it is full of NaN, which shows.

    >>> empty((2,), "float32", on_device([1], "float32", gpu=False)).array
    array([nan, nan], dtype=float32)
    """
    if isinstance(like, HostTensor):
        return HostTensor(np.full(shape, math.nan, _numpy_dtype(dtype)))
    torch = importlib.import_module("torch")
    return torch.empty(tuple(shape), dtype=getattr(torch, dtype), device=like.device)


def dtype_name(tensor: Any) -> str:
    """Return the name of a tensor's type, such as 'float16', whoever made the tensor.

    >>> dtype_name(on_device([1], "int32", gpu=False))
    'int32'
    """
    return str(tensor.dtype).removeprefix("torch.")


def _from_torch(tensor: Any) -> "NDArray[Any]":
    host = tensor.detach().cpu()
    found: NDArray[Any] = (host.double() if host.dtype.is_floating_point else host).numpy()
    return found


def _numpy_dtype(name: str) -> "np.dtype[Any]":
    try:
        return np.dtype(name)
    except TypeError:
        # bfloat16 and the small floats are NumPy's once this package is imported.
        small: np.dtype[Any] = np.dtype(getattr(importlib.import_module("ml_dtypes"), name))
        return small
