"""Types of arguments, as numba spells them: ``int64``, ``uint64[:]``, ``uint32[:, :]``, and named tuples of them.

The parameters of a kernel are annotated with them, and so are the fields of the named tuples that it takes. From these
annotations a kernel can be compiled before it is called for the first time. All arrays are in C order.

A :func:`bundle` is a named tuple of arrays that several calls get.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

#: What compiled code depends on, flat: for an array its dtype and its number of dimensions, for a number its type, for
#: a tuple its class, its length and the kinds of its items.
Kinds = tuple[Any, ...]

#: The attribute in which a bundle keeps its kinds and words, once a kernel has got it.
DESCRIBED = "_described"

_T = TypeVar("_T", bound=type)


class Type:
    """The type of a number, or of an array if it has dimensions; with several NumPy types, these are alternatives."""

    def __init__(self, *numbers: type[np.generic], ndim: int = 0) -> None:
        self.numbers, self.ndim = numbers, ndim

    def __getitem__(self, axes: Any) -> Type:
        """Return the type of an array with one dimension for each colon."""
        return Type(*self.numbers, ndim=len(axes) if isinstance(axes, tuple) else 1)


int16, int32, int64 = Type(np.int16), Type(np.int32), Type(np.int64)
uint8, uint16, uint32, uint64 = Type(np.uint8), Type(np.uint16), Type(np.uint32), Type(np.uint64)


def bundle(named_tuple: _T) -> _T:
    """Decorate a named tuple of arrays: a call needs a third of the time if its bundles were arguments before."""
    copied = {name: getattr(named_tuple, name) for name in ("__module__", "__qualname__", "__doc__", "__annotations__")}
    # Without the words in copies: arrays of another process have other addresses.
    own = {DESCRIBED: None, "__reduce__": lambda self: (type(self), tuple(self))}
    return type(named_tuple)(named_tuple.__name__, (named_tuple,), copied | own)
