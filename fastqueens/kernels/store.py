"""Where compiled code is stored, and how: one file for each kernel and each kind of arguments.

A file begins with a hash of its key and of all that follows. The key is everything that the code depends on, so a file
that is damaged, truncated, or was made for something else counts as none.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastqueens.kernels.machine_code import processor

#: Whether kernels are compiled with bounds checks: several times slower, for tests.
IS_CHECKED = os.environ.get("FASTQUEENS_CHECKED", "0") not in ("", "0")

_SUFFIX = ".checked" if IS_CHECKED else ".kernel"
_DIGEST = 32


class Entry:
    """The compiled code of a kernel for one kind of arguments."""

    def __init__(self, function: Callable[..., Any], signature: str) -> None:
        code = function.__code__
        parts = (*_build(), function.__qualname__, code.co_code.hex(), repr(code.co_consts), signature)
        self._key = "\n".join(parts).encode()
        self._function = function

    @property
    def _name(self) -> str:
        return f"{_name(self._function)}-{hashlib.sha256(self._key).hexdigest()[:16]}{_SUFFIX}"

    def read(self) -> bytes | None:
        """Return what is stored in any of the folders; None if there is no such file, or a damaged one."""
        for folder in _folders(_source(self._function)):
            with contextlib.suppress(OSError):
                content = (folder / self._name).read_bytes()
                payload = content[_DIGEST:]
                if content[:_DIGEST] == self._digest(payload):
                    return payload
        return None

    def write(self, payload: bytes) -> None:
        """Store compiled code, atomically; remove that of earlier versions. Raises OSError if it cannot be stored."""
        folder = folder_of(self._function)
        if folder is None or _hash_of_kernels() != stamp():  # edited since this process has read them
            return
        temporary = folder / f".{os.urandom(6).hex()}"
        try:
            temporary.write_bytes(self._digest(payload) + payload)
            os.replace(temporary, folder / self._name)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
        kept = set(files_of(self._function))
        for earlier in folder.glob(f"{_stem(self._function)}-*{_SUFFIX}"):
            if earlier not in kept:
                with contextlib.suppress(OSError):
                    earlier.unlink()

    def _digest(self, payload: bytes) -> bytes:
        return hashlib.sha256(self._key + b"\0" + payload).digest()


def folder_of(function: Callable[..., Any]) -> Path | None:
    """Return the folder for the compiled code of a function; None if no folder is writable."""
    return next(filter(_is_writeable, _folders(_source(function))), None)


def files_of(function: Callable[..., Any]) -> list[Path]:
    """List the files that hold compiled code of a function in this version."""
    folder = folder_of(function)
    return [] if folder is None else sorted(folder.glob(f"{_name(function)}-*{_SUFFIX}"))


def _name(function: Callable[..., Any]) -> str:
    return f"{_stem(function)}-{stamp()[:8]}"


def _stem(function: Callable[..., Any]) -> str:
    return f"{_source(function).stem}.{function.__name__}"


def _source(function: Callable[..., Any]) -> Path:
    return Path(function.__code__.co_filename)


@functools.cache
def _folders(source: Path) -> list[Path]:
    """Return the folders where compiled code may be, in the order in which numba tries them."""
    if not source.exists():
        return []
    own = f"{source.parent.name}_{hashlib.sha256(str(source.parent).encode()).hexdigest()[:16]}"
    if (wanted := os.environ.get("NUMBA_CACHE_DIR")) and _is_writeable(Path(wanted) / own):
        return [Path(wanted) / own]
    folders = [source.parent / "__pycache__", _user_cache() / "fastqueens" / own]
    # Without a home, the user's cache would be in the working directory, which may be anybody's.
    return [folder for folder in folders if folder.is_absolute()]


@functools.cache
def _is_writeable(folder: Path) -> bool:
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        return os.access(folder, os.W_OK | os.X_OK)
    return False


def _user_cache() -> Path:
    """Return the folder where programs of this user store what they can make again."""
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    if sys.platform == "darwin":
        return home / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")


@functools.cache
def _build() -> tuple[str, ...]:
    """Return everything but the kernel itself that compiled code depends on."""
    settings = (f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith("NUMBA_"))
    return (
        stamp(),
        f"checked={IS_CHECKED}",
        f"numba {numba_version()}",
        processor(),
        f"llvmlite {_version('llvmlite')}",
        sys.platform,
        sys.implementation.cache_tag,
        *(setting for setting in settings if not setting.startswith("NUMBA_CACHE_DIR=")),
        _settings_file(),
    )


def _settings_file() -> str:
    """Return the settings that numba reads from the working directory."""
    with contextlib.suppress(OSError):
        return Path(".numba_config.yaml").read_text(errors="replace")
    return ""


def numba_version() -> str:
    """Return the version of numba without importing it."""
    return _version("numba")


@functools.cache
def _version(package: str) -> str:
    """Return the version of an installed package; importlib.metadata takes 20 ms to import."""
    for folder in sys.path:
        with contextlib.suppress(OSError):
            for name in os.listdir(folder or "."):
                if name.startswith(f"{package}-") and name.endswith(".dist-info"):
                    return name.removesuffix(".dist-info").split("-")[1]
    import importlib.metadata

    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        raise ModuleNotFoundError(f"No module named {package!r}", name=package) from None


def _hash_of_kernels() -> str:
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


@functools.cache
def stamp() -> str:
    """Return a hash of all files of this folder: an edit in any of them makes all compiled code invalid.

    Numba's own cache does not notice a change in an imported module (numba issue 1833).
    """
    return _hash_of_kernels()


# Now, before any kernel is imported.
stamp()
