"""Every refusal of this package, by name.

Example:
    >>> from pagedkv import BlockAllocator, OutOfBlocks
    >>> blocks = BlockAllocator(num_blocks=1, block_size=1)
    >>> blocks.add_request("A")
    >>> blocks.append("A")
    (0, 0, None)
    >>> try:
    ...     blocks.append("A")
    ... except OutOfBlocks as refusal:
    ...     print(refusal)
    No block is free: all 1 are owned. Free a request, or make the pool larger.

An operation that raises one of these has changed nothing. `ContiguousPool` is the one exception to
raising: it answers "no run is long enough" with `None`, because that answer is its everyday business.
"""


class PagedKVError(Exception):
    """What all refusals have in common, to catch them with one name.

    >>> from pagedkv import BlockAllocator
    >>> try:
    ...     BlockAllocator(num_blocks=0, block_size=4)
    ... except PagedKVError as refusal:
    ...     print(type(refusal).__name__)
    InvalidSize
    """


class InvalidSize(PagedKVError, ValueError):
    """A count that is not a whole number, or is too small to mean anything.

    >>> whole_number(2.5, "block_size")
    Traceback (most recent call last):
    pagedkv.errors.InvalidSize: block_size is 2.5; it must be a whole number of at least 1.
    """


class InvalidOperation(PagedKVError, ValueError):
    """An operation or a setting that is not in the form that `pagedkv.operations` describes.

    >>> from pagedkv.operations import operation_from_json
    >>> operation_from_json({"op": "dance"})
    Traceback (most recent call last):
    pagedkv.errors.InvalidOperation: op is 'dance'; it must be one of arrive, append, finish, fork.
    """


class RefusedConfig(PagedKVError, ValueError):
    """A model's configuration whose cache is not reckoned: the sentence names the field, and so does `field`.

    >>> from pagedkv.configs import read_config
    >>> read_config("[]")
    Traceback (most recent call last):
    pagedkv.errors.RefusedConfig: The file is a list; a config.json holds one object with fields.
    """

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


class DuplicateRequest(PagedKVError, ValueError):
    """A request id that is in use already.

    >>> from pagedkv import ContiguousPool
    >>> pool = ContiguousPool(num_slots=8)
    >>> pool.reserve("A", 4)
    0
    >>> pool.reserve("A", 4)
    Traceback (most recent call last):
    pagedkv.errors.DuplicateRequest: Request 'A' has a reservation. Free it first, or use another id.
    """


class UnknownRequest(PagedKVError, KeyError):
    """A request id that nobody has added, or that has been freed.

    >>> from pagedkv import BlockAllocator
    >>> BlockAllocator(num_blocks=1, block_size=4).free("A")
    Traceback (most recent call last):
    pagedkv.errors.UnknownRequest: There is no request 'A'. Add it first. Known: none.
    """

    def __str__(self) -> str:
        """The sentence itself; `KeyError` would print it in quotes."""
        return str(self.args[0]) if self.args else ""


class WrongShape(PagedKVError, ValueError):
    """Keys, values or queries whose shape does not fit the pool, or that are not numbers.

    >>> from pagedkv import attention_contiguous
    >>> attention_contiguous([1.0], [[1.0, 2.0]], [[1.0, 2.0]])
    Traceback (most recent call last):
    pagedkv.errors.WrongShape: the query has shape (1,); it must have shape (2,).
    """


class OutOfBlocks(PagedKVError, RuntimeError):
    """No block is left on the free list.

    >>> from pagedkv import BlockAllocator
    >>> blocks = BlockAllocator(num_blocks=1, block_size=1)
    >>> blocks.add_request("A")
    >>> blocks.append("A")
    (0, 0, None)
    >>> blocks.append("A")
    Traceback (most recent call last):
    pagedkv.errors.OutOfBlocks: No block is free: all 1 are owned. Free a request, or make the pool larger.
    """


def whole_number(value: object, name: str, at_least: int = 1) -> int:
    """Return `value` if it is a whole number of at least `at_least`, else raise `InvalidSize`.

    >>> whole_number(4, "block_size")
    4
    >>> whole_number(0, "block_size")
    Traceback (most recent call last):
    pagedkv.errors.InvalidSize: block_size is 0; it must be a whole number of at least 1.
    """
    index = getattr(type(value), "__index__", None)  # takes NumPy's integers without importing NumPy
    try:
        number = None if index is None or isinstance(value, bool) else int(index(value))
    except TypeError:  # an array of several numbers has __index__ too
        number = None
    if number is None or number < at_least:
        raise InvalidSize(f"{name} is {shown(value)}; it must be a whole number of at least {at_least}.")
    return number


def shown(value: object) -> str:
    """Return a value as Python writes it, cut at 60 characters, for a sentence that refuses it.

    >>> shown("ten"), shown(10**5000)
    ("'ten'", 'a very large int')
    """
    try:
        return f"{value!r:.60}"
    except (ValueError, RecursionError):  # thousands of digits, or lists in lists in lists
        return f"a very large {type(value).__name__}"
