"""The decorators for compiled code, and its cache on disk.

This module fixes two faults of numba's own cache. Numba does not notice a change in an imported module (numba issue
1833): here one stamp covers all kernel files, so any edit recompiles everything. And numba raises an error at import if
no folder is writable (numba issue 5566): here each process then compiles the kernels it needs.

If the environment variable ``FASTQUEENS_CHECKED`` is set (and is not "0"), every kernel is compiled with bounds checks:
an index outside its array raises IndexError instead of damaging memory. The cache holds both builds.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
from pathlib import Path

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile, NullCache

log = logging.getLogger("fastqueens")

#: Whether kernels are compiled with bounds checks: several times slower, for tests.
IS_CHECKED = os.environ.get("FASTQUEENS_CHECKED", "0") not in ("", "0")

_OPTIONS = {"_nrt": False} | ({"boundscheck": True} if IS_CHECKED else {})


def kernel(function):
    """Compile a function that drivers call: it releases the GIL and is cached on disk."""
    dispatcher = numba.njit(nogil=True, **_OPTIONS)(function)
    try:
        dispatcher._cache = _KernelCache(function)
    except (RuntimeError, OSError):
        dispatcher._cache = _NoCache(function)
    return dispatcher


def part(function):
    """Compile a function that only kernels call: it is inlined into them and never cached separately."""
    return numba.njit(forceinline=True, **_OPTIONS)(function)


def cached_code(value) -> tuple[Path | None, list[Path]] | None:
    """Return the folder and the files that hold a kernel's compiled code; None for anything but a kernel.

    The folder is None if no folder is writable.
    """
    cache = getattr(value, "_cache", None)
    if isinstance(cache, _NoCache):
        return None, []
    if not isinstance(cache, _KernelCache):
        return None
    folder = Path(cache._cache_path)
    try:
        files = cache._cache_file._load_index().values()
    except Exception:  # a damaged index counts as none
        files = ()
    return folder, [folder / name for name in files]


def _stamp() -> str:
    """Return a hash of all kernel files; compiled code on disk is valid only for the same stamp."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


_STAMP = _stamp()


def _log_compiling(name: str) -> None:
    log.info("compiling %s", name)


class _KernelCache(FunctionCache):
    """Numba's cache, with the stamp of all kernel files instead of that of a single file."""

    def __init__(self, function):
        super().__init__(function)
        self._kernel_name = function.__name__
        self._cache_file = IndexDataCacheFile(
            cache_path=self._cache_path,
            filename_base=self._impl.filename_base + (".checked" if IS_CHECKED else ""),
            source_stamp=_STAMP,
        )

    def load_overload(self, sig, target_context):
        # Not super().load_overload(): that refreshes all of numba's registries first (and so imports SciPy's linear
        # algebra), which a kernel that is only loaded does not need; it doubles the time of a short command.
        try:
            with self._guard_against_spurious_io_errors():
                found = self._load_overload(sig, target_context)
        except Exception:  # a damaged cache file: compile as if there were none
            found = None
            with contextlib.suppress(OSError):
                self.flush()  # otherwise the damaged index would not take the new code
        if found is None:
            _log_compiling(self._kernel_name)
        return found

    def save_overload(self, sig, data):
        try:
            super().save_overload(sig, data)
        except OSError as error:  # on a full or read-only disk the next process compiles again
            log.info("compiled code was not cached: %s", error)


class _NoCache(NullCache):
    """No cache, for a system without a writable folder: each process compiles."""

    def __init__(self, function):
        self._kernel_name = function.__name__

    def load_overload(self, sig, target_context):
        _log_compiling(self._kernel_name)
