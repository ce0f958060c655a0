"""Kernels that numba itself runs: without a C compiler, with bounds checks, or on request.

Numba also compiles kernels for libraries, with other options. In both cases, it finds the functions and instructions
that kernels mention here.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from importlib import import_module
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.extending import typeof_impl

from fastqueens._jit import functions, library
from fastqueens._jit.functions import Function
from fastqueens._jit.types import Kinds

# At the level DEBUG, numba writes thousands of messages.
if logging.getLogger("numba").level == logging.NOTSET:
    logging.getLogger("numba").setLevel(logging.WARNING)


class Dispatchers:
    """Numba's objects for functions, compiled with some options. They are kept, since compiled code refers to them."""

    def __init__(self, kernel: Mapping[str, Any], inlined: Mapping[str, Any]) -> None:
        self._options = {False: kernel, True: inlined}
        self._made: dict[Function, Any] = {}

    def of(self, function: Function) -> Any:
        """Return numba's object for a function, to be called from other compiled code."""
        if function not in self._made:
            self._made[function] = _njit(function, **self._options[function.is_inlined])
        return self._made[function]

    @contextlib.contextmanager
    def in_use(self) -> Iterator[None]:
        """Compile functions that kernels call with these options: in the ``with`` block, and in this thread only."""
        token = _in_use.set(self)
        try:
            yield
        finally:
            _in_use.reset(token)


def _njit(function: Function, **options: Any) -> Any:
    for module in sorted(functions.instruction_modules):  # each tells numba what its instructions mean
        import_module(module)
    return numba.njit(**options)(function.py_func)


#: Options that numba documents, and one that it does not: without reference counts, kernels take half the time.
_OPTIONS = {"nogil": True} | ({"boundscheck": True} if library.IS_CHECKED else {})
try:
    numba.njit(_nrt=False)(_njit)  # compiles nothing
    _OPTIONS["_nrt"] = False
except KeyError:  # this version has no such option
    pass

_plain = Dispatchers(_OPTIONS, _OPTIONS)

_in_use: ContextVar[Dispatchers] = ContextVar("_in_use")


@typeof_impl.register(Function)  # type: ignore[untyped-decorator]
def _type_of(function: Function, _context: Any) -> Any:
    """Tell numba the types of our objects that functions mention."""
    return numba.typeof(_in_use.get(_plain).of(function))


def check_enabled() -> None:
    """Raise ImportError if compilation is switched off, because numba then lacks functions that kernels need."""
    if numba.config.DISABLE_JIT:
        raise ImportError(
            "NUMBA_DISABLE_JIT is set, and nothing runs without compiled code; unset NUMBA_DISABLE_JIT",
            name="NUMBA_DISABLE_JIT",
        )


def python_function(function: Function, kinds: Kinds, folder: Path | None) -> Any:
    """Return numba's object for a kernel, compiled for arguments of these kinds, to be called from Python.

    Numba stores the code in a folder, and loads it from there, unless it is None. It does not notice all edits (issue
    1833), so each version of the sources needs a folder of its own.
    """
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        dispatcher = _njit(function, cache=folder is not None, **_OPTIONS)
        dispatcher.compile(tuple(map(numba.typeof, example(kinds))))
    finally:
        numba.config.CACHE_DIR = before
    return dispatcher


def has_stored(function: Function, folder: Path | None) -> bool:
    """Return whether numba has stored code of a kernel in an earlier process."""
    return folder is not None and any(folder.rglob(f"*.{function.__name__}-*.nbi"))


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
