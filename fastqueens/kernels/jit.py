"""The one decorator for compiled code, and the cache on disk behind it.

Two things of numba's own cache are mended here. It does not notice a change in an imported module (numba
issue 1833): here one stamp covers all kernel files, so any edit recompiles everything. And it raises at import
where no folder is writable (numba issue 5566): here the kernel is then compiled in each process anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
from pathlib import Path

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile, NullCache

log = logging.getLogger("fastqueens")


def kernel(function):
    """Compile an entry that drivers call; releases the GIL, and is kept on disk."""
    dispatcher = numba.njit(nogil=True, _nrt=False)(function)
    try:
        dispatcher._cache = _KernelCache(function)
    except (RuntimeError, OSError):
        dispatcher._cache = _NoCache(function)
    return dispatcher


def part(function):
    """Compile a piece that only kernels call: inlined into them, never cached on its own."""
    return numba.njit(forceinline=True, _nrt=False)(function)


def kept_code(value) -> tuple[Path | None, list[Path]] | None:
    """Say of a kernel where its compiled code is kept, and which files of it are there; of all else, None.

    The folder is None where nothing can be written.
    """
    cache = getattr(value, "_cache", None)
    if isinstance(cache, _NoCache):
        return None, []
    if not isinstance(cache, _KernelCache):
        return None
    folder = Path(cache._cache_path)
    try:
        files = cache._cache_file._load_index().values()
    except Exception:  # a damaged index: as if it were not there
        files = ()
    return folder, [folder / name for name in files]


def _stamp() -> str:
    """Hash the text of all kernel files: what compiled code on disk has to agree with."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


_STAMP = _stamp()


def _say_compiling(name: str) -> None:
    log.info("compiling %s", name)


class _KernelCache(FunctionCache):
    """Numba's cache with the stamp of all kernel files in place of the one of a single file."""

    def __init__(self, function):
        super().__init__(function)
        self._kernel_name = function.__name__
        self._cache_file = IndexDataCacheFile(
            cache_path=self._cache_path, filename_base=self._impl.filename_base, source_stamp=_STAMP
        )

    def load_overload(self, sig, target_context):
        try:
            found = super().load_overload(sig, target_context)
        except Exception:  # a damaged cache file of whatever kind: compile as if it were not there
            found = None
            self._forget()
        if found is None:
            _say_compiling(self._kernel_name)
        return found

    def _forget(self):
        """Empty the index, so that what is compiled now can be kept."""
        with contextlib.suppress(OSError):
            self.flush()

    def save_overload(self, sig, data):
        try:
            super().save_overload(sig, data)
        except OSError as error:  # a full or read-only disk costs the next start, not this run
            log.info("compiled code was not kept: %s", error)


class _NoCache(NullCache):
    """Where nothing can be written: each process compiles."""

    def __init__(self, function):
        self._kernel_name = function.__name__

    def load_overload(self, sig, target_context):
        _say_compiling(self._kernel_name)
