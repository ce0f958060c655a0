"""Decorators for compiled code: kernels, which drivers call, and the functions inlined into them.

The machine code of kernels comes with the package (:mod:`.prebuilt`). If it does not, a kernel is compiled when it is
first called with arguments of these types, and stored on disk. In both cases, processes load the code without importing
numba, so a command starts in a quarter of the time. Numba itself runs the kernels, with the same results, if it cannot
compile them for the loader, if the loader fails its test, or with ``FASTQUEENS_BACK_END=numba``.
"""

import contextlib
import functools
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from fastqueens._jit import functions, machine_code, prebuilt, store
from fastqueens._jit.functions import Function
from fastqueens._jit.machine_code import Call, describe
from fastqueens._jit.types import Kinds, declared, example, int32, int64, uint64
from fastqueens._run import clock
from fastqueens._run.progress import say_compiling
from fastqueens.errors import is_raised_in

BackEnd = Callable[[Function, Kinds], Call]

#: Sizes of what every object begins with, and of an array object; the entry functions read the first 72 bytes of one.
_HEAD_BYTES, _ARRAY_BYTES = object.__basicsize__, np.ndarray.__basicsize__

#: The packages whose errors mean that a kernel cannot be compiled or loaded.
_COMPILING = ("fastqueens", "numba", "llvmlite", "ctypes", "contextlib", "functools", "inspect", "importlib")

_log = logging.getLogger("fastqueens")

_preparing = threading.RLock()


def _after_fork() -> None:
    """Renew the lock in a forked process: a thread of the parent can hold it."""
    global _preparing
    _preparing = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


@contextlib.contextmanager
def _quiet_numba() -> Iterator[None]:
    """Omit numba's messages, thousands at the level DEBUG, unless its logger has a level."""
    log = logging.getLogger("numba")
    if log.level != logging.NOTSET:
        yield
        return
    log.setLevel(logging.WARNING)
    try:
        yield
    finally:
        log.setLevel(logging.NOTSET)


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
        call = self.calls.get(kinds) or self._prepare(kinds)
        return call(words, arguments)

    def _prepare(self, kinds: Kinds) -> Call:
        """Compile or load the kernel for arguments of these kinds."""
        with clock.current().standing_still(), _preparing:
            if kinds not in self.calls:
                with _quiet_numba():
                    self.calls[kinds] = back_end()(self, kinds)
            return self.calls[kinds]

    def prepare(self) -> None:
        """Compile or load the kernel for all arguments that it declares."""
        for kinds in declared(self.py_func):
            self._prepare(kinds)


class Inlined(Kernel):
    """A function that is inlined into kernels. Tests can call it alone."""

    is_inlined = True


kernel, inlined, instruction = Kernel, Inlined, functions.instruction


@functools.cache
def back_end() -> BackEnd:
    """Return the back end of this process."""
    return loader if reason_for_numba() is None else with_numba


@functools.cache
def reason_for_numba() -> str | None:
    """Return why numba runs the kernels, or None if the loader does."""
    wanted = os.environ.get("FASTQUEENS_BACK_END") or "loader"
    if wanted == "numba":
        return "FASTQUEENS_BACK_END is numba"
    if wanted != "loader":
        raise ValueError(f"the environment variable FASTQUEENS_BACK_END must be loader or numba, not {wanted!r}")
    if sys.platform == "win32":
        return "the loader was not tested on Windows"
    if not _has_known_layout():
        return "the loader needs a usual CPython, with its global lock, on a 64-bit little-endian machine"
    try:
        if _passes_its_test():
            return None
        failure = "the loader failed its test: a wrong result"
    except Exception as error:
        if not is_raised_in(error, *_COMPILING):
            raise
        failure = f"the loader failed its test: {type(error).__name__}: {error}"
        if isinstance(error, ImportError):  # without numba nothing runs, which is said when a kernel is called
            return failure
    _log.warning("numba runs the kernels, and starts slowly: %s", failure)
    return failure


def _has_known_layout() -> bool:
    """Return whether objects begin with only a reference count and a class, as the entry functions expect.

    Builds without a global lock have more fields there, and so do builds with Py_TRACE_REFS up to Python 3.12.
    """
    is_64_bit = sys.maxsize == 2**63 - 1 and sys.byteorder == "little"
    is_usual = sys.implementation.name == "cpython" and "t" not in getattr(sys, "abiflags", "")
    return is_64_bit and is_usual and _HEAD_BYTES == 16 and _ARRAY_BYTES >= 72


def _passes_its_test() -> bool:
    sums = np.zeros(2, np.uint64)
    arguments = np.arange(6, dtype=np.int32).reshape(2, 3), _SumsAndStart(sums, np.uint64(2**63)), -2
    kinds: list[Any] = []
    words: list[Any] = []
    describe(arguments, kinds, words)
    answer = _loaded(_self_test, tuple(kinds))(words, arguments)
    return answer == (-30, True) and sums.tolist() == [2**63 + 3, 2**63 + 12]


class _SumsAndStart(NamedTuple):
    sums: uint64[:]
    start: uint64


def sum_up(rows: int32[:, :], sums_and_start: _SumsAndStart, factor: int64):
    """Add up each row of a 2-d array, to test the loader; return a multiple of the sum, and whether it is negative."""
    sums, start = sums_and_start
    total = 0
    for i in range(rows.shape[0]):
        sums[i] = start
        for j in range(rows.shape[1]):
            sums[i] += np.uint64(rows[i, j])
            total += factor * rows[i, j]
    return total, total < 0


_self_test = Kernel(sum_up)


def loader(kernel: Function, kinds: Kinds) -> Call:
    """Load the machine code of a kernel; let numba run it if this version of numba cannot compile it for the loader."""
    try:
        return _loaded(kernel, kinds)
    except _NotCompiledError as error:
        _log.warning("numba runs a kernel, and starts slowly: %s", error)
        return with_numba(kernel, kinds)


class _NotCompiledError(Exception):
    """A kernel cannot be compiled for the loader."""


def _loaded(kernel: Function, kinds: Kinds) -> Call:
    """Load the machine code of a kernel; compile it first if it neither comes with the package nor is stored."""
    name = _name(kernel, kinds)
    code = prebuilt.codes()[1].get(name)
    if code is None:
        stored = store.StoredKernel(kernel.py_func, name)
        code = stored.read()
        if code is None:
            code = _compiled(kernel, kinds)
            try:
                stored.write(code)
            except OSError as error:  # on a full or read-only disk the next process compiles again
                _log.info("compiled code was not cached: %s", error)
    return machine_code.loaded(code, machine_code.format_of(kinds))


def _name(kernel: Function, kinds: Kinds) -> str:
    return f"{kernel.py_func.__module__}.{kernel.py_func.__qualname__} {kinds!r}"


def _compiled(kernel: Function, kinds: Kinds) -> bytes:
    from fastqueens._jit import numba_back_end  # first: without numba, or if it is switched off, nothing can run

    numba_back_end.check_enabled()
    _announce(kernel)
    try:
        from fastqueens._jit import compiler

        return machine_code.packed(compiler.compiled_kernel(kernel, kinds))
    except Exception as error:
        if isinstance(error, MemoryError) or not is_raised_in(error, *_COMPILING):
            raise
        message = f"this version of numba does not compile {kernel.__name__} for the loader"
        raise _NotCompiledError(f"{message} ({type(error).__name__}: {error})") from error


def compiled_ahead(kernels: Iterable[Kernel]) -> dict[str, bytes]:
    """Compile all kernels for the arguments that they declare, and return their code by name, for :mod:`.prebuilt`."""
    pairs = ((kernel, kinds) for kernel in (_self_test, *kernels) for kinds in declared(kernel.py_func))
    return {_name(kernel, kinds): _compiled(kernel, kinds) for kernel, kinds in pairs}


def with_numba(kernel: Function, kinds: Kinds) -> Call:
    """Let numba's own dispatcher run a kernel."""
    from fastqueens._jit import numba_back_end

    numba_back_end.check_enabled()
    if not numba_back_end.has_stored(kernel):
        _announce(kernel)
    function = numba_back_end.python_function(kernel, example(kinds))
    return lambda words, arguments: function(*arguments)


def _announce(kernel: Function) -> None:
    """Report that a kernel is compiled, in the log or on stderr."""
    if _log.isEnabledFor(logging.INFO) and _log.hasHandlers():
        _log.info("compiling %s", kernel.__name__)
    else:
        say_compiling(store.folder() is not None)


def describe_compiled_code() -> dict[str, str | None]:
    """Return the back end that runs the kernels, the level of prebuilt code, and the cache folder.

    "back_end" is "prebuilt", "loader" or "numba". "level" is the level of the prebuilt code, "reason" the reason why
    numba runs the kernels, and "cache" the folder for compiled code. Entries that do not apply are None.
    """
    reason = reason_for_numba()
    level = None if reason else prebuilt.codes()[0]
    folder = None if reason else store.folder()
    return {
        "back_end": "numba" if reason else "prebuilt" if level else "loader",
        "level": level,
        "reason": reason,
        "cache": None if folder is None else str(folder),
    }
