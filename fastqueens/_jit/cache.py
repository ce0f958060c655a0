"""What happens when a kernel is called that no library has: it is compiled, linked, and stored in the user's cache."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import logging
import os
import shutil
import tempfile
import threading
import time
from pathlib import Path
from queue import SimpleQueue

from fastqueens._jit import library
from fastqueens._jit.functions import Function
from fastqueens._jit.types import Kinds
from fastqueens._run.progress import COMPILING, COMPILING_ALWAYS, say_compiling

#: Seconds for which kernels of other versions of the sources stay in the cache after the last of them was compiled.
_KEPT = 86_400

#: What users read if processes import numba, with the reason.
RUN_BY_NUMBA = "Numba runs the kernels, so every process starts about a second later: {}."

_log = logging.getLogger("fastqueens")


def compiled(kernel: Function, kinds: Kinds) -> library.Call:
    """Compile a kernel, and return what calls it: a library or, if there cannot be one, numba.

    Another thread compiles, because signal handlers run in the main thread: their exceptions would break numba. After
    such an exception, the thread goes on and stores the kernel.
    """
    outcome: SimpleQueue[tuple[library.Call | None, BaseException | None]] = SimpleQueue()

    def compile_there() -> None:
        try:
            outcome.put((_compiled(kernel, kinds), None))
        except BaseException as error:
            outcome.put((None, error))

    try:
        threading.Thread(target=compile_there, daemon=True).start()
    except RuntimeError:  # the system starts no further thread
        return _compiled(kernel, kinds)
    call, error = outcome.get()
    if call is None:
        assert error is not None
        raise error
    return call


def _compiled(kernel: Function, kinds: Kinds) -> library.Call:
    from fastqueens._jit import numba_back_end  # first: without numba, or if it is switched off, nothing can run

    numba_back_end.check_enabled()
    reason = None
    if not library.uses_numba():
        from fastqueens._jit import objects

        if objects.linker():
            _announce()
            try:
                return _in_library(kernel, kinds)
            except (objects.NotCompiledError, OSError) as error:
                reason = str(error)
        else:
            reason = "there is no C compiler"
    place = own_folder()
    folder = None if place is None else place / f"numba{'-checked' if library.IS_CHECKED else ''}"
    if not numba_back_end.has_stored(kernel, folder):
        _announce()
        if reason:
            _warn(RUN_BY_NUMBA.format(reason))
    function = numba_back_end.python_function(kernel, kinds, folder)
    make = kernel.result_class
    return (lambda _, arguments: make(*function(*arguments))) if make else lambda _, arguments: function(*arguments)


@functools.cache
def _warn(message: str) -> None:
    _log.warning(message)


@functools.cache
def _announce() -> None:
    """Report once that kernels are compiled, in the log or on stderr."""
    message = COMPILING if own_folder() else COMPILING_ALWAYS.format(library.cache_folder())
    if _log.isEnabledFor(logging.INFO) and _log.hasHandlers():
        _log.info(message)
    else:
        say_compiling(message)


def own_folder() -> Path | None:
    """Create the cache folder, and remove old ones; None if nothing can be stored there, or others can write to it."""
    folder = library.cache_folder()
    if not folder.exists():
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for other in folder.parent.glob("-".join(folder.name.split("-")[:2]) + "-*"):
                if other.stat().st_mtime < time.time() - _KEPT:
                    shutil.rmtree(other, ignore_errors=True)
    return folder if library.is_safe(folder) and os.access(folder, os.W_OK | os.X_OK) else None


def _in_library(kernel: Function, kinds: Kinds) -> library.Call:
    """Compile a kernel for this processor, store its library in the user's cache if possible, and load it."""
    from fastqueens._jit import objects

    with tempfile.TemporaryDirectory(prefix="fastqueens-") as folder:
        file, path = Path(folder, "kernel.o"), Path(folder, f"kernel{library.SUFFIX}")
        file.write_bytes(objects.object_file(kernel, kinds, objects.here()))
        objects.link([file], path)
        if _is_stored(kernel) and own_folder():
            try:
                path = _stored(path, library.path_in_cache(kernel, kinds))
            except OSError as error:  # on a full or read-only disk the next process compiles again
                _log.info("a compiled kernel was not stored: %s", error)
        call = library.function_of(ctypes.CDLL(str(path)), kernel, kinds)
    if call is None:
        raise objects.NotCompiledError("the library lacks its kernel")
    return call


def _is_stored(kernel: Function) -> bool:
    """Return whether the name of a cached library covers the source of a kernel: not in tests, nor after an edit."""
    is_of_package = kernel.py_func.__module__.startswith("fastqueens.") and library.sources()  # none in an archive
    return bool(is_of_package) and library.hash_of_sources() == library.stamp()


def _stored(file: Path, path: Path) -> Path:
    """Copy a library into the user's cache, atomically."""
    temporary = path.parent / f".{os.urandom(6).hex()}"
    try:
        shutil.copyfile(file, temporary)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    return path
