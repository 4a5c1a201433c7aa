"""All numbers that a page may show: those of `pagedkv.numbers`.

Example:
    >>> facts = gather()
    >>> facts["capacity.paged.requests"].text, facts["try.shut_out.reserve"].text
    ('122', '32')
"""

from lesson.errors import LessonError
from pagedkv.capacity import CapacityExample
from pagedkv.numbers import numbers
from pagedkv.quote import Number
from pagedkv.sizes import LLAMA_3_8B, ModelShape
from pagedkv.tries import ClaimBroken

Facts = dict[str, Number]


def gather(model: ModelShape = LLAMA_3_8B, capacity: CapacityExample | None = None) -> Facts:
    """Return name -> number, for a model and a capacity example as `pagedkv.numbers.numbers` takes them.

    Raises:
        LessonError: the widget does not do what the page says that it does.
    """
    try:
        return numbers(model, capacity)
    except ClaimBroken as error:
        raise LessonError(str(error)) from None
