"""Decorators for compiled code: kernels, which drivers call, and the functions inlined into them.

A kernel is compiled when it is first called with arguments of these types. Its machine code is stored on disk. Later
processes load it without importing numba, so a command starts in a quarter of the time. Numba itself runs the kernels,
with the same results, if the loader fails its test, or with ``FASTQUEENS_BACK_END=numba``.
"""

from __future__ import annotations

import functools
import logging
import os
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from fastqueens._jit import machine_code, store
from fastqueens._jit.clock import clock
from fastqueens._jit.machine_code import Call, Function, Instruction, Kinds, describe
from fastqueens._run.progress import say_compiling

BackEnd = Callable[[Function, Kinds, tuple[Any, ...]], Call]

#: Sizes of what every object begins with, and of an array object; the entry functions read the first 48 bytes of one.
_HEAD_BYTES, _ARRAY_BYTES = object.__basicsize__, np.ndarray.__basicsize__

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
        call = self.calls.get(kinds) or self._prepare(kinds, arguments)
        return call(words, arguments)

    def _prepare(self, kinds: Kinds, arguments: tuple[Any, ...]) -> Call:
        """Compile or load the kernel for arguments of these kinds."""
        with _preparing:
            if kinds not in self.calls:
                with clock.standing_still():
                    self.calls[kinds] = back_end()(self, kinds, arguments)
            return self.calls[kinds]


class Inlined(Function):
    """A function that is inlined into kernels."""

    is_inlined = True

    def __call__(self, *arguments: Any) -> Any:
        """Call the function alone, for tests and at a prompt."""
        return self._alone(*arguments)

    @functools.cached_property
    def _alone(self) -> Kernel:
        return Kernel(self.py_func)


kernel, inlined, instruction = Kernel, Inlined, Instruction


@functools.cache
def back_end() -> BackEnd:
    """Return the back end of this process."""
    return loader if reason_for_numba() is None else with_numba


@functools.cache
def reason_for_numba() -> str | None:
    """Say why numba runs the kernels; None if the loader does."""
    wanted = os.environ.get("FASTQUEENS_BACK_END") or "loader"
    if wanted == "numba":
        return "FASTQUEENS_BACK_END is numba"
    if wanted != "loader":
        raise ValueError(f"FASTQUEENS_BACK_END is {wanted!r}: it is loader or numba")
    if sys.platform == "win32":
        return "the loader was not tested on Windows"
    if not _has_known_layout():
        return "the loader needs a usual CPython, with its global lock, on a 64-bit little-endian machine"
    try:
        failure = None if _passes_its_test() else "a wrong result"
    except Exception as error:
        failure = f"{type(error).__name__}: {error}"
    return failure and f"the loader failed its test: {failure}"


def _has_known_layout() -> bool:
    """Return whether objects begin with a reference count and a class only, as the entry functions expect.

    Builds without a global lock have more there, and so do builds with Py_TRACE_REFS up to Python 3.12.
    """
    is_64_bit = sys.maxsize == 2**63 - 1 and sys.byteorder == "little"
    is_usual = sys.implementation.name == "cpython" and "t" not in getattr(sys, "abiflags", "")
    return is_64_bit and is_usual and _HEAD_BYTES == 16 and _ARRAY_BYTES >= 48


def _passes_its_test() -> bool:
    sums = np.zeros(2, np.uint64)
    arguments = np.arange(6, dtype=np.int32).reshape(2, 3), (sums, np.uint64(2**63)), -2
    kinds: list[Any] = []
    words: list[Any] = []
    describe(arguments, kinds, words)
    answer = loader(Kernel(sum_up), tuple(kinds), arguments)(words, arguments)
    return answer == (-30, True) and sums.tolist() == [2**63 + 3, 2**63 + 12]


def sum_up(rows, sums_and_start, factor):
    """Add up each row of a 2-d array, to test the loader; return a multiple of all, and whether it is negative."""
    sums, start = sums_and_start
    total = 0
    for i in range(rows.shape[0]):
        sums[i] = start
        for j in range(rows.shape[1]):
            sums[i] += np.uint64(rows[i, j])
            total += factor * rows[i, j]
    return total, total < 0


def loader(kernel: Function, kinds: Kinds, arguments: tuple[Any, ...]) -> Call:
    """Load the machine code of a kernel; compile it first if it is not on disk."""
    entry = store.StoredKernel(kernel.py_func, repr(kinds))
    stored = entry.read()
    if stored is None:
        from fastqueens._jit import compiler

        compiler.check_enabled()
        _announce(kernel)
        stored = machine_code.packed(compiler.compiled_kernel(kernel, arguments))
        try:
            entry.write(stored)
        except OSError as error:  # on a full or read-only disk the next process compiles again
            logging.getLogger("fastqueens").info("compiled code was not cached: %s", error)
    return machine_code.loaded(machine_code.unpacked(stored), machine_code.format_of(kinds))


def with_numba(kernel: Function, kinds: Kinds, arguments: tuple[Any, ...]) -> Call:
    """Let numba's own dispatcher run a kernel."""
    from fastqueens._jit import compiler

    compiler.check_enabled()
    if not compiler.has_stored(kernel):
        _announce(kernel)
    function = compiler.python_function(kernel, arguments)
    return lambda words, arguments: function(*arguments)


def _announce(kernel: Function) -> None:
    """Say that a kernel is compiled, in the log if somebody reads it."""
    log = logging.getLogger("fastqueens")
    if log.isEnabledFor(logging.INFO) and log.hasHandlers():
        log.info("compiling %s", kernel.__name__)
    else:
        say_compiling(store.folder() is not None)


def describe_compiled_code() -> dict[str, Any]:
    """Return what runs the kernels, and how much of their compiled code is on disk.

    "back_end" is what runs the kernels, "reason" why numba does (None if the loader does), "cache" the folder (None if
    it is not writable, or if numba stores its own code), "kernels" how many exist, and "compiled" the bytes of each one
    that is stored.
    """
    reason = reason_for_numba()
    folder = store.folder() if reason is None else None
    return {
        "back_end": "numba" if reason else "loader",
        "reason": reason,
        "cache": None if folder is None else str(folder),
        "kernels": store.number_of_kernels(),
        "compiled": {} if reason else store.sizes(),
    }
