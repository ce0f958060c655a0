"""The decorators for compiled code: kernels, which drivers call, and the parts that they consist of.

A kernel is compiled when it is first called with arguments of these types. Its machine code is stored on disk. Later
processes load it without importing numba, which takes longer than most commands compute.
"""

from __future__ import annotations

import functools
import os
import threading
from typing import Any

from fastqueens.jit import back_end, clock
from fastqueens.jit.signature import Instruction, KernelFunction, PartFunction, describe, outline

_preparing = threading.RLock()


def _after_fork() -> None:
    """Renew the lock in a forked process: a thread that exists in the parent only may hold it."""
    global _preparing
    _preparing = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class Kernel(KernelFunction):
    """A function that drivers call. It releases the GIL."""

    @functools.cached_property
    def calls(self) -> dict[tuple[Any, ...], back_end.Call]:
        """What runs the kernel, by the kinds of its arguments."""
        return {}

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel: arrays are changed in place; returns None, an integer, or a tuple of them."""
        kinds: list[Any] = []
        words: list[Any] = []
        outline(arguments, kinds, words)
        call = self.calls.get(tuple(kinds))
        if call is not None:
            result = call(words, arguments)
            if result is not back_end.MISFIT:
                return result
        result = self._prepare(tuple(kinds), arguments)(words, arguments)
        if result is back_end.MISFIT:
            raise RuntimeError(f"{self.__name__}: the compiled code does not fit its own arguments")
        return result

    def _prepare(self, outlined: tuple[Any, ...], arguments: tuple[Any, ...]) -> back_end.Call:
        """Find what runs the kernel for arguments of these kinds; the next call tries it first."""
        kinds = describe(arguments)
        with _preparing:
            call = self.calls.get(tuple(kinds))
            if call is None:
                with clock.standing_still():
                    call = self.calls[tuple(kinds)] = back_end.chosen()(self, kinds, arguments)
            self.calls[outlined] = call
        return call


class Part(PartFunction):
    """A function that only kernels call: it is inlined into them."""

    def __call__(self, *arguments: Any) -> Any:
        """Call the function alone, for tests and at a prompt."""
        return self._alone(*arguments)

    @functools.cached_property
    def _alone(self) -> Kernel:
        return Kernel(self.py_func)


kernel, part, instruction = Kernel, Part, Instruction
