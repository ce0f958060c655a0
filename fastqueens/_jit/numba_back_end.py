"""Numba itself runs the kernels."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numba

from fastqueens._jit import store
from fastqueens._jit.machine_code import Function

_OPTIONS = {"_nrt": False} | ({"boundscheck": True} if store.IS_CHECKED else {})


def check_enabled() -> None:
    """Raise ImportError if compilation is switched off: then numba lacks functions that kernels need."""
    if numba.config.DISABLE_JIT:
        raise ImportError(
            "NUMBA_DISABLE_JIT is set, and nothing runs without compiled code; unset NUMBA_DISABLE_JIT",
            name="NUMBA_DISABLE_JIT",
        )


def python_function(function: Function, arguments: Sequence[Any]) -> Any:
    """Return numba's object for a kernel, compiled for arguments of these types, to be called from Python.

    Numba stores and loads the code. If a stored file is damaged, or nothing can be stored, the code is not stored.
    """
    kinds = tuple(numba.typeof(argument) for argument in arguments)
    before, folder = numba.config.CACHE_DIR, _folder_of_numba()
    if folder is not None:
        try:
            numba.config.CACHE_DIR = str(folder)
            with contextlib.suppress(Exception):
                dispatcher = numba.njit(nogil=True, cache=True, **_OPTIONS)(function.py_func)
                dispatcher.compile(kinds)
                return dispatcher
        finally:
            numba.config.CACHE_DIR = before
    dispatcher = numba.njit(nogil=True, **_OPTIONS)(function.py_func)
    dispatcher.compile(kinds)
    return dispatcher


def has_stored(function: Function) -> bool:
    """Return whether numba has stored code of a kernel in an earlier process."""
    folder = _folder_of_numba()
    return folder is not None and any(folder.rglob(f"*.{function.__name__}-*.nbi"))


def _folder_of_numba() -> Path | None:
    """Return where numba stores the code of these sources; it does not notice all edits (numba issue 1833)."""
    folder = store.folder()
    return folder and folder / f"numba-{store.stamp()}{'-checked' if store.IS_CHECKED else ''}"
