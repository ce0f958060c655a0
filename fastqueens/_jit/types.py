"""Types of arguments, as numba spells them: ``int64``, ``uint64[:]``, ``uint32[:, :]``, and named tuples of them.

The parameters of a kernel are annotated with them, and so are the fields of the named tuples that it takes. From these
annotations a kernel can be compiled before it is called for the first time. All arrays are in C order.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

#: What compiled code depends on, flat: for an array its dtype and its number of dimensions, for a number its type, for
#: a tuple its class, its length and the kinds of its items.
Kinds = tuple[Any, ...]


class Type:
    """The type of a number, or of an array if it has dimensions; with several NumPy types, these are alternatives."""

    def __init__(self, *numbers: type[np.generic], ndim: int = 0) -> None:
        self.numbers, self.ndim = numbers, ndim

    def __getitem__(self, axes: Any) -> Type:
        """Return the type of an array with one dimension for each colon."""
        return Type(*self.numbers, ndim=len(axes) if isinstance(axes, tuple) else 1)


int16, int32, int64 = Type(np.int16), Type(np.int32), Type(np.int64)
uint8, uint16, uint32, uint64 = Type(np.uint8), Type(np.uint16), Type(np.uint32), Type(np.uint64)


def declared(function: Callable[..., Any]) -> list[Kinds]:
    """Return the kinds that annotate the parameters of a kernel; several if a type has alternatives.

    All types with alternatives in the parameters of one kernel use the same alternative at a time.
    """
    annotations = list(inspect.get_annotations(function).values())
    choices = max((len(one.numbers) for one in _flat(annotations) if isinstance(one, Type)), default=0)
    return [tuple(_kinds(annotations, choice)) for choice in range(choices)]


def _flat(annotations: Iterable[Any]) -> Iterator[Any]:
    """Replace each named tuple by its class, its length, and its fields."""
    for one in annotations:
        if isinstance(one, Type):
            yield one
        else:
            fields = one.__annotations__.values()
            yield from (one, len(fields), *_flat(fields))


def _kinds(annotations: Iterable[Any], choice: int) -> Iterator[Any]:
    for one in _flat(annotations):
        if not isinstance(one, Type):
            yield one
            continue
        number = one.numbers[choice if len(one.numbers) > 1 else 0]
        yield from (np.dtype(number), one.ndim) if one.ndim else (number,)


def example(kinds: Kinds) -> tuple[Any, ...]:
    """Return arguments of these kinds: zeros, and arrays without items."""
    left = iter(kinds)
    return tuple(_value(kind, left) for kind in left)


def _value(kind: Any, left: Iterator[Any]) -> Any:
    if isinstance(kind, np.dtype):
        return np.empty((0,) * next(left), kind)
    if not issubclass(kind, tuple):
        return kind(0)
    items = [_value(next(left), left) for _ in range(next(left))]
    return tuple(items) if kind is tuple else kind._make(items)
