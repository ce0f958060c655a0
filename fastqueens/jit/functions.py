"""What numba compiles: plain objects, so that a process that only loads machine code does not import numba."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


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
