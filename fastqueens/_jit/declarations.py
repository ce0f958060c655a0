"""The types that kernels declare for their arguments. From them, kernels are compiled before they are called."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from fastqueens._jit.decorators import Kernel, ready
from fastqueens._jit.types import Kinds, Type


def prepare(kernel: Kernel) -> None:
    """Load or compile a kernel for all arguments that it declares."""
    for kinds in declared(kernel.py_func):
        kernel.prepare(kinds)


def is_ready(kernel: Kernel) -> bool:
    """Return whether libraries have a kernel for all arguments that it declares."""
    return all(ready(kernel, kinds) for kinds in declared(kernel.py_func))


def declared(function: Callable[..., Any]) -> list[Kinds]:
    """Return the kinds that annotate the parameters of a kernel; several if a type has alternatives.

    All types with alternatives in the parameters of one kernel use the same alternative at a time.
    """
    annotations = [one for name, one in inspect.get_annotations(function).items() if name != "return"]
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
