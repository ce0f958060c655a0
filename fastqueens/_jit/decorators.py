"""Decorators for compiled code: kernels, which drivers call, and the functions inlined into them.

Kernels come with the package in a shared library (:mod:`.library`). A kernel that no library has is compiled when it is
first called with arguments of these types, and stored as a library. In both cases, processes do not import numba, so a
command starts in a quarter of the time. Numba itself runs the kernels, with the same results, if there is no C compiler
to link them, with bounds checks, or with ``FASTQUEENS_BACK_END=numba``.
"""

import os
import threading
from collections.abc import Callable
from typing import Any

from fastqueens._jit import functions, library
from fastqueens._jit.functions import Function
from fastqueens._jit.library import Call, describe
from fastqueens._jit.types import Kinds
from fastqueens._run import clock

_preparing = threading.RLock()


def _after_fork() -> None:
    """Renew the lock in a forked process: a thread of the parent can hold it."""
    global _preparing
    _preparing = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class Kernel(Function):
    """A function that drivers call. It releases the GIL."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        #: What runs the kernel, by the kinds of its arguments.
        self.calls: dict[Kinds, Call] = {}

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel: arrays are changed in place; returns None, an integer, or a tuple of them."""
        listed: list[Any] = []
        words: list[Any] = []
        describe(arguments, listed, words)
        kinds = tuple(listed)
        call = self.calls.get(kinds) or self.prepare(kinds)
        return call(words, arguments)

    def prepare(self, kinds: Kinds) -> Call:
        """Load or compile the kernel for arguments of these kinds."""
        with clock.current().standing_still(), _preparing:
            if kinds not in self.calls:
                call = ready(self, kinds)
                if call is None:
                    from fastqueens._jit import cache  # few processes compile

                    call = cache.compiled(self, kinds)
                self.calls[kinds] = call
            return self.calls[kinds]


class Inlined(Kernel):
    """A function that is inlined into kernels. Tests can call it alone."""

    is_inlined = True


kernel, inlined, instruction = Kernel, Inlined, functions.instruction


def ready(kernel: Function, kinds: Kinds) -> Call | None:
    """Return what calls a kernel of a library, or None."""
    if library.uses_numba():
        return None
    _, of_package = library.of_package()
    found = library.function_of(of_package, kernel, kinds) if of_package is not None else None
    return found or library.cached(kernel, kinds)
