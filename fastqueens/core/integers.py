"""Arrays of whole numbers, made from what callers pass: lists, arrays of any integer dtype, and mixtures of them."""

from __future__ import annotations

import contextlib
import itertools
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.arguments import is_integer


def integer_array(values: Any, *, copy: bool = False) -> NDArray[Any] | None:
    """Return whole numbers as an array; None if an entry is masked, a bool, or anything else.

    NumPy decides by all entries of a list which dtype they get. It reads True as 1, and next to np.uint64 a negative
    or an int64 becomes a float. So each entry of a list is looked at. The dtype is that of integers, or object if
    there are numbers beyond 64 bits. Raises ValueError if entries have different lengths.

    >>> integer_array([1, np.uint64(3)]), integer_array([2**64]), integer_array([True, 3])
    (array([1, 3]), array([18446744073709551616], dtype=object), None)
    """
    array = np.array(values) if copy else np.asarray(values)
    if not are_integers(values):
        return None
    if array.dtype.kind not in "iu":
        array = np.array(values, object)
        with contextlib.suppress(OverflowError):
            array = array.astype(np.int64)
    return array


def are_integers(values: Any) -> bool:
    """Tell whether all that a list, an array or a nest of them holds are whole numbers; none is masked or a bool."""
    if not isinstance(values, list | tuple):
        return is_integer(values) or (not has_masked(values) and _has_integers(np.asarray(values)))
    kinds = set(map(type, values))
    if values and kinds <= {list, tuple}:
        return are_integers([*itertools.chain.from_iterable(values)])
    return all(issubclass(kind, int | np.integer) and kind is not bool for kind in kinds) or all(
        map(are_integers, values)
    )


def has_masked(values: Any) -> bool:
    """Tell whether this is a masked array with masked entries, whose values mean nothing."""
    masked_arrays = sys.modules.get("numpy.ma")  # it takes 10 ms to load, and nobody has such an array without it
    return masked_arrays is not None and bool(masked_arrays.is_masked(values))


def _has_integers(array: NDArray[Any]) -> bool:
    return array.dtype.kind in "iu" or not array.size or (array.dtype == object and all(map(is_integer, array.flat)))


def beyond_int64(array: NDArray[Any]) -> int | None:
    """Return a number that does not fit into int64, the largest or the smallest of an array; None if all fit."""
    if array.dtype.kind == "i" or not array.size:
        return None
    return next((end for end in (int(array.max()), int(array.min())) if not -(2**63) <= end < 2**63), None)


def first_odd(values: Any) -> tuple[int, Any] | None:
    """Return the index and the value of the first entry that is not made of whole numbers; None if there is none."""
    return next(((at, entry) for at, entry in enumerate(values) if not are_integers(entry)), None)
