"""What is compiled, and for what arguments: what a compiled type depends on, and the words that a kernel receives.

Functions are plain objects, so that a process that only loads machine code does not import numba. Each array is one
word, the address of its array object, and each number is one word. Tuples are flattened.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

#: Flags of an array that its compiled type depends on (numpy/ndarraytypes.h).
IN_C_ORDER, IN_FORTRAN_ORDER, WRITEABLE = 0x1, 0x2, 0x400
FLAGS = IN_C_ORDER | IN_FORTRAN_ORDER | WRITEABLE

_NUMBERS = frozenset((int, bool, *(np.dtype(letter).type for letter in "bBhHiIlLqQ")))


class Function:
    """A Python function to be compiled."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function


class PartFunction(Function):
    """A function that is inlined into the functions that call it."""


class KernelFunction(Function):
    """A function with machine code of its own."""


class Instruction:
    """A processor instruction that kernels and parts call; :mod:`.instructions` says what it compiles to."""

    def __init__(self, name: str) -> None:
        self.__name__ = name


def outline(values: Iterable[Any], kinds: list[Any], words: list[Any]) -> None:
    """Append the words of all values and, for each, a part of its kind that is quick to read: dtype or class."""
    for value in values:
        kind = type(value)
        if kind in _NUMBERS:
            kinds.append(kind)
            words.append(value)
        elif isinstance(value, np.ndarray):
            kinds.append(value.dtype)
            words.append(id(value))
        elif isinstance(value, tuple):
            kinds += (kind, len(value))
            outline(value, kinds, words)
        else:
            raise TypeError(f"kernels take arrays, integers and tuples of them, not {value!r}")


def describe(values: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return the kind of each value: dtype, dimensions and flags of an array, the class of a number.

    The kind of a tuple is its class and its length; those of its items follow.
    """
    kinds: list[tuple[Any, ...]] = []
    for value in values:
        if isinstance(value, np.ndarray):
            kinds.append((value.dtype, value.ndim, value.flags.num & FLAGS))
        elif isinstance(value, tuple):
            kinds += [(type(value), len(value)), *describe(value)]
        else:
            if not -(2**63) <= value < 2**64 or (type(value) is int and value >= 2**63):
                raise OverflowError(f"kernels take integers of 64 bits, not {value}")
            kinds.append((type(value),))
    return kinds


def spelled(kinds: Iterable[tuple[Any, ...]]) -> str:
    """Return the kinds as text, the same in every process."""
    return " ".join(map(_spell, kinds))


def format_of(kinds: Iterable[tuple[Any, ...]]) -> str:
    """Return the format in which the module ``struct`` packs the words: one letter for each array and number."""
    words = (kind for kind in kinds if len(kind) != 2)
    return "".join("Q" if len(kind) == 1 and issubclass(kind[0], np.unsignedinteger) else "q" for kind in words)


def _spell(kind: tuple[Any, ...]) -> str:
    match kind:
        case np.dtype() as dtype, dimensions, flags:
            order = "C" if flags & IN_C_ORDER else "F" if flags & IN_FORTRAN_ORDER else "A"
            return f"{dtype.str}:{dimensions}{order}{flags & WRITEABLE:x}"
        case class_, length:
            return f"{class_.__module__}.{class_.__qualname__}({length})"
        case (class_,):
            return "int64" if class_ is int else class_.__name__
    raise TypeError(kind)
