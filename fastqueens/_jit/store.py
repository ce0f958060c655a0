"""Folder with compiled code: one file for each kernel and each kind of arguments.

The name of a file has a hash of its key, which is everything that the code depends on. The file begins with a digest of
the key and of the code, so a damaged file counts as missing.

The folder is in the user's cache. It is created for this user only, because whoever can write a file there can run
code as this user. Each place where the package is installed has a folder of its own, so two checkouts do not replace
each other's files, and nothing is added to the package, which pip would leave there.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import zlib
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fastqueens._jit.machine_code import processor

#: Whether kernels are compiled with bounds checks: several times slower, for tests.
IS_CHECKED = os.environ.get("FASTQUEENS_CHECKED", "0") not in ("", "0")

_SUFFIX = ".checked" if IS_CHECKED else ".kernel"
_DIGEST = 4

_HERE = Path(__file__).parent


class StoredKernel:
    """The compiled code of a kernel for one kind of arguments; ``name`` is what both are called."""

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        # The key does not cover the source of kernels outside the package, in tests, and of a package in an archive.
        is_of_package = str(function.__module__).startswith("fastqueens.") and bool(sources())
        self._is_stored = is_of_package and not function.__code__.co_filename.startswith("<")
        self._key = "\n".join((*_build(), name)).encode()
        self._start = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"

    def read(self) -> bytes | None:
        """Return the stored code; None if the file is missing or damaged."""
        if not self._is_stored:
            return None
        with contextlib.suppress(OSError):
            return content_of(self._path.read_bytes(), self._key)
        return None

    def write(self, content: bytes) -> None:
        """Store compiled code, atomically, and remove the code of earlier versions. Raises OSError if it cannot."""
        if not self._is_stored or _hash_of_sources() != stamp():  # edited since this process has read them
            return
        path = self._path
        _create(path.parent)
        temporary = path.with_name(f".{os.urandom(6).hex()}")
        try:
            temporary.write_bytes(with_digest(content, self._key))
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            for file in path.parent.glob(f"{self._start}-*{_SUFFIX}"):
                if stamp() not in file.name:
                    file.unlink(missing_ok=True)

    @property
    def _path(self) -> Path:
        return _place() / f"{self._start}-{stamp()}-{_hash(self._key).hex()}{_SUFFIX}"


def with_digest(content: bytes, key: bytes) -> bytes:
    """Return the bytes of a file: a digest of the key and of the content, and the content."""
    return _hash(key + b"\0" + content) + content


def content_of(file: bytes, key: bytes) -> bytes | None:
    """Return the content that :func:`with_digest` put into a file; None if it is damaged or has another key."""
    content = file[_DIGEST:]
    return content if with_digest(content, key) == file else None


def folder() -> Path | None:
    """Return the folder for compiled code, created if necessary; None if it cannot be written."""
    path = _place()
    with contextlib.suppress(OSError):
        _create(path)
        return path if os.access(path, os.W_OK | os.X_OK) else None
    return None


def _create(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=0o700, exist_ok=True)


@functools.cache
def _place() -> Path:
    """Return the folder for the compiled code of this installation of the package."""
    cache = Path(os.environ.get("NUMBA_CACHE_DIR") or _user_cache() / "fastqueens").absolute()
    return cache / f"jit-{_hash(os.fsencode(_HERE)).hex()}"


def _user_cache() -> Path:
    """Return the cache folder of this user."""
    home = Path(os.path.expanduser("~"))
    if not home.is_absolute():  # without a home; the working directory can be anybody's
        home = Path(os.devnull)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    if sys.platform == "darwin":
        return home / "Library" / "Caches"
    wanted = Path(os.environ.get("XDG_CACHE_HOME") or "")
    return wanted if wanted.is_absolute() else home / ".cache"  # its specification says to ignore a relative one


def settings() -> list[str]:
    """Return the settings of numba that compiled code depends on."""
    names = sorted(name for name in os.environ if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR")
    return [f"{name}={os.environ[name]}" for name in names]


@functools.cache
def _build() -> tuple[str, ...]:
    """Return everything but the kernel itself that compiled code depends on."""
    cache_tag = str(sys.implementation.cache_tag)
    return (stamp(), f"checked={IS_CHECKED}", _numba(), processor(), sys.platform, cache_tag, *settings())


def _numba() -> str:
    """Return facts that change with every version of numba, without importing it."""
    found = find_spec("numba")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("No module named 'numba'", name="numba")
    status = os.stat(found.origin)
    return f"{found.origin} {status.st_size} {status.st_mtime_ns}"


@functools.cache
def sources() -> tuple[Path, ...]:
    """List all files that compiled code depends on: the files of this folder and of ``kernels``."""
    return tuple(sorted([*_HERE.glob("*.py"), *_HERE.parent.glob("kernels/[a-z]*.py")]))


def _hash(content: bytes) -> bytes:
    """Return a checksum, which detects accidents; hashlib would load OpenSSL, which takes 3 ms."""
    return zlib.crc32(content).to_bytes(_DIGEST, "big")


def _hash_of_sources() -> str:
    return _hash(b"\0".join(path.name.encode() + b"\0" + path.read_bytes() for path in sources())).hex()


@functools.cache
def stamp() -> str:
    """Return a hash of all :func:`sources`: an edit in any of them makes all compiled code invalid."""
    return _hash_of_sources()


# Now, before any kernel is imported.
stamp()
