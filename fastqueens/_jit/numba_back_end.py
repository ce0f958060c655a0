"""Kernels run by numba itself, if the loader cannot run them or on request. Uses only documented parts of numba.

Numba also compiles for the loader, with other options. In both cases, it finds the functions and instructions that
kernels mention here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from importlib import import_module
from pathlib import Path
from typing import Any

import numba
from numba.extending import typeof_impl

from fastqueens._jit import functions, store
from fastqueens._jit.functions import Function
from fastqueens.errors import is_raised_in


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


#: The options of all functions that numba documents.
DOCUMENTED = {"nogil": True} | ({"boundscheck": True} if store.IS_CHECKED else {})


def _plain_options() -> dict[str, Any]:
    """Return documented options, and one more if numba has it, without which kernels take up to twice as long."""
    without_reference_counts = DOCUMENTED | {"_nrt": False}
    try:
        numba.njit(**without_reference_counts)(_plain_options)  # compiles nothing
    except KeyError:  # the option is unknown
        return DOCUMENTED
    return without_reference_counts


#: The packages whose errors mean that numba cannot store code, or load what it has stored.
_STORING = ("numba", "importlib", "os", "pathlib", "pickle", "shutil", "tempfile", "uuid")

_PLAIN = _plain_options()

_plain = Dispatchers(_PLAIN, _PLAIN)

_in_use: ContextVar[Dispatchers] = ContextVar("_in_use")


@typeof_impl.register(Function)
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


def python_function(function: Function, arguments: Sequence[Any]) -> Any:
    """Return numba's object for a kernel, compiled for arguments of these types, to be called from Python.

    Numba stores and loads the code. If a stored file is damaged, or nothing can be stored, the code is not stored.
    """
    kinds = tuple(map(numba.typeof, arguments))
    before, folder = numba.config.CACHE_DIR, _folder()
    try:
        numba.config.CACHE_DIR = str(folder)
        return _compiled(function, kinds, cache=folder is not None)
    except Exception as error:
        if not is_raised_in(error, *_STORING):
            raise
    finally:
        numba.config.CACHE_DIR = before
    return _compiled(function, kinds, cache=False)


def _compiled(function: Function, kinds: tuple[Any, ...], cache: bool) -> Any:
    dispatcher = _njit(function, cache=cache, **_PLAIN)
    dispatcher.compile(kinds)
    return dispatcher


def has_stored(function: Function) -> bool:
    """Return whether numba has stored code of a kernel in an earlier process."""
    folder = _folder()
    return folder is not None and any(folder.rglob(f"*.{function.__name__}-*.nbi"))


def _folder() -> Path | None:
    """Return where numba stores the code of these sources; it does not notice all edits (numba issue 1833)."""
    folder = store.folder()
    return folder and folder / f"numba-{store.stamp()}{'-checked' if store.IS_CHECKED else ''}"
