"""Functions to compile, and the instructions that they call."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


class Function:
    """A Python function to be compiled; one that ``is_inlined`` is compiled into the functions that call it."""

    is_inlined = False
    __name__: str

    def __init__(self, function: Callable[..., Any]) -> None:
        wrapper: Any = self
        functools.update_wrapper(wrapper, function)
        self.py_func = function
        #: The named tuple that it returns, or None if it returns one number or nothing.
        self.result_class = _tuple_or_none(function.__annotations__.get("return"))


def _tuple_or_none(annotation: Any) -> type | None:
    return annotation if isinstance(annotation, type) and issubclass(annotation, tuple) else None


class Instruction:
    """A processor instruction that kernels call."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __call__(self, *_arguments: Any) -> Any:
        """Raise TypeError: numba requires a callable object, but only compiled code can use an instruction."""
        raise TypeError(f"only kernels can use the instruction {self.__name__}")


#: The modules with the LLVM code of instructions. They import numba, so nothing imports them before it compiles.
instruction_modules = {"fastqueens._jit.instructions"}


def instruction(name: str, module: str = "fastqueens._jit.instructions") -> Instruction:
    """Return the instruction of a name, whose LLVM code is in a module."""
    instruction_modules.add(module)
    return named(name)


#: The instruction of a name: the same one where kernels mention it and where numba is told what it means.
named = functools.cache(Instruction)
