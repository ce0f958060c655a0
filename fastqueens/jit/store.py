"""Where compiled code is stored, and how: one file for each kernel and each kind of arguments.

A file begins with a hash of its key and of all that follows. The key is everything that the code depends on, so a file
that is damaged, truncated, or was made for something else counts as none.

The files are in the user's cache, in a folder for each place where the package is installed: nothing is added to the
package, which pip would leave there, and two checkouts do not replace each other's files.

Whoever can write such a file can run code as this user. So folders and files are made for this user only, and on POSIX
a folder or file is ignored if it belongs to somebody other than this user or root, or if group or others may write to
it. This is checked on what was opened, and files are opened relative to their open folder. So the folders above do not
matter: in a shared /tmp, say, others can only put a folder of their own in place of this one.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.util import source_hash
from pathlib import Path
from typing import Any

from fastqueens.jit.machine_code import processor

#: Whether kernels are compiled with bounds checks: several times slower, for tests.
IS_CHECKED = os.environ.get("FASTQUEENS_CHECKED", "0") not in ("", "0")

_SUFFIX = ".checked" if IS_CHECKED else ".kernel"
_DIGEST = 8

#: Compiled code has some kilobytes. A larger file holds something else.
_MOST_BYTES = 1 << 24

#: Whether files have owners, and can be opened relative to a folder.
_HAS_OWNERS = hasattr(os, "geteuid")

# A link is not followed, and opening a named pipe does not wait for a writer.
_HERE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


#: The compiled code of the whole package is stored together.
_FOLDER = Path(__file__).parent


class Entry:
    """The compiled code of a kernel for one kind of arguments."""

    def __init__(self, function: Callable[..., Any], signature: str) -> None:
        code = function.__code__
        parts = (*_build(), function.__qualname__, code.co_code.hex(), repr(code.co_consts), signature)
        self._key = "\n".join(parts).encode()
        self._function = function

    @property
    def _name(self) -> str:
        return f"{_name(self._function)}-{source_hash(self._key).hex()}{_SUFFIX}"

    def read(self) -> bytes | None:
        """Return what is stored in any of the folders; None if there is no such file, or a damaged one."""
        for folder in _folders(_source(self._function)):
            with contextlib.suppress(OSError):
                content = _content(folder / self._name)
                payload = content[_DIGEST:]
                if content[:_DIGEST] == self._digest(payload):
                    return payload
        return None

    def write(self, payload: bytes) -> None:
        """Store compiled code, atomically; remove that of earlier versions. Raises OSError if it cannot be stored."""
        folder = folder_of(self._function)
        if folder is None or _hash_of_kernels() != stamp():  # edited since this process has read them
            return
        _write(folder / self._name, self._digest(payload) + payload)
        for file in folder.glob(f"{_stem(self._function)}-*{_SUFFIX}"):
            if not file.name.startswith(f"{_name(self._function)}-"):
                with contextlib.suppress(OSError):
                    file.unlink()

    def _digest(self, payload: bytes) -> bytes:
        return source_hash(self._key + b"\0" + payload)


def folder_of(function: Callable[..., Any]) -> Path | None:
    """Return the folder for the compiled code of a function; None if no folder is writable."""
    return next(filter(_is_writeable, _folders(_source(function))), None)


def folder() -> Path | None:
    """Return the folder for the compiled code of the package; None if no folder is writable."""
    return next(filter(_is_writeable, _folders(sources()[0])), None)


def files_of(function: Callable[..., Any]) -> list[Path]:
    """List the files that hold compiled code of a function in this version."""
    folder = folder_of(function)
    files = [] if folder is None else sorted(folder.glob(f"{_name(function)}-*{_SUFFIX}"))
    return [file for file in files if _reason_against(file) is None]


def ignored(functions: Iterable[Callable[..., Any]]) -> dict[Path, str]:
    """Return the folders and files that may hold compiled code of these functions and are not used, and why."""
    found: dict[Path, str | None] = {}
    for function in functions:
        wanted, _ = _candidates(_source(function))
        for folder in dict.fromkeys([*wanted, *_folders(_source(function))]):
            if folder not in found:
                found[folder] = _reason_against(folder)
            if found[folder] is None:
                files = folder.glob(f"{_name(function)}-*{_SUFFIX}")
                found |= {file: _reason_against(file) for file in files}
    return {path: reason for path, reason in found.items() if reason}


def _name(function: Callable[..., Any]) -> str:
    return f"{_stem(function)}-{stamp()[:8]}"


def _stem(function: Callable[..., Any]) -> str:
    return f"{_source(function).stem}.{function.__name__}"


def _source(function: Callable[..., Any]) -> Path:
    return Path(function.__code__.co_filename)


@functools.cache
def _folders(source: Path) -> list[Path]:
    """Return the folders where compiled code may be, in the order in which numba tries them."""
    wanted, usual = _candidates(source)
    return [folder for folder in wanted if _is_writeable(folder)] or usual


def _candidates(source: Path) -> tuple[list[Path], list[Path]]:
    """Return the folder that the user wants, if any, and those to use without it."""
    if not source.exists():
        return [], []
    home = _FOLDER if source in sources() else source.parent
    own = f"{home.name}-{source_hash(os.fsencode(home)).hex()}"
    wanted = os.environ.get("NUMBA_CACHE_DIR")
    usual = _user_cache() / "fastqueens" / own
    # Without a home, the user's cache would be in the working directory, which may be anybody's.
    return [Path(wanted).absolute() / own] if wanted else [], [usual] if usual.is_absolute() else []


@functools.cache
def _is_writeable(folder: Path) -> bool:
    """Create a folder, and those above it, for this user only; tell whether compiled code can be stored in it."""
    with contextlib.suppress(OSError):
        for path in (*reversed(folder.parents), folder):
            if not path.exists():
                with contextlib.suppress(FileExistsError):
                    os.mkdir(path, 0o700)
        with _opened(folder):
            return os.access(folder, os.W_OK | os.X_OK)
    return False


@contextlib.contextmanager
def _opened(folder: Path) -> Iterator[int | None]:
    """Open a folder; None if files have no owners here. Raises OSError if somebody else may write to it."""
    if not _HAS_OWNERS:
        yield None
        return
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        _check_owner(os.fstat(opened))
        yield opened
    finally:
        os.close(opened)


def _place(path: Path, folder: int | None) -> str:
    """Return how to name a file in an open folder."""
    return str(path) if folder is None else path.name


def _content(path: Path) -> bytes:
    """Read a file of compiled code. Raises OSError if there is none, or if somebody else may have written it."""
    with _opened(path.parent) as folder:
        file = os.open(_place(path, folder), os.O_RDONLY | _HERE, dir_fd=folder)
    try:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode) or status.st_size > _MOST_BYTES:
            raise OSError(errno.EINVAL, "it is not a file of compiled code")
        if _HAS_OWNERS:
            _check_owner(status)
        with open(file, "rb", closefd=False) as stream:
            return stream.read()
    finally:
        os.close(file)


def _write(path: Path, content: bytes) -> None:
    """Write a file that only this user can read, completely or not at all."""
    temporary = path.with_name(f".{os.urandom(6).hex()}")
    with _opened(path.parent) as folder:
        begun, final = _place(temporary, folder), _place(path, folder)
        try:
            with open(os.open(begun, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _HERE, 0o600, dir_fd=folder), "wb") as file:
                file.write(content)
            os.replace(begun, final, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(begun, dir_fd=folder)
            raise


def _check_owner(status: os.stat_result) -> None:
    """Raise OSError if somebody other than this user or root may have written a file or folder."""
    if status.st_uid not in (0, os.geteuid()):
        raise PermissionError(errno.EPERM, "it belongs to another user")
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError(errno.EPERM, "other users may write to it")


def _reason_against(path: Path) -> str | None:
    """Say why a file or folder is not used; None if it is, or if there is none."""
    try:
        if path.is_dir() and not path.name.endswith(_SUFFIX):
            with _opened(path):
                return None
        _content(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        return error.strerror or str(error)
    return None


def _user_cache() -> Path:
    """Return the folder where programs of this user store what they can make again."""
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    if sys.platform == "darwin":
        return home / "Library" / "Caches"
    wanted = Path(os.environ.get("XDG_CACHE_HOME") or "")
    return wanted if wanted.is_absolute() else home / ".cache"  # its specification says to ignore a relative one


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
        str(sys.implementation.cache_tag),
        *(setting for setting in settings if not setting.startswith("NUMBA_CACHE_DIR=")),
        _settings_file(),
    )


def _settings_file() -> str:
    """Return the settings that numba reads from the working directory."""
    settings = Path(".numba_config.yaml")
    with contextlib.suppress(OSError):
        if settings.is_file():  # as numba asks: a named pipe would wait for a writer
            return settings.read_text(errors="replace")
    return ""


def numba_version() -> str:
    """Return the version of numba without importing it."""
    return _version("numba")


@functools.cache
def _version(package: str) -> str:
    """Return the version of an installed package; importlib.metadata takes 20 ms to import."""
    for folder in sys.path:
        for name in _installed(folder or "."):
            if name.startswith(f"{package}-"):
                return name.removesuffix(".dist-info").split("-")[1]
    import importlib.metadata

    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        raise ModuleNotFoundError(f"No module named {package!r}", name=package) from None


@functools.cache
def _installed(folder: str) -> list[str]:
    """List what is installed in a folder; there are hundreds of files, and two packages to find."""
    with contextlib.suppress(OSError):
        return [name for name in os.listdir(folder) if name.endswith(".dist-info")]
    return []


@functools.cache
def sources() -> tuple[Path, ...]:
    """List all files that compiled code depends on: those of this folder, and those whose names end in _kernel."""
    topics = (folder.path for folder in os.scandir(_FOLDER.parent) if folder.is_dir())
    kernels = [Path(folder, name) for folder in topics for name in os.listdir(folder) if name.endswith("_kernel.py")]
    own = [Path(_FOLDER, name) for name in os.listdir(_FOLDER) if name.endswith(".py")]
    return tuple(sorted(own + kernels))


def _hash_of_kernels() -> str:
    # The hash of importlib, by which Python knows its own compiled files, is there already; hashlib loads OpenSSL.
    return source_hash(b"\0".join(path.name.encode() + b"\0" + path.read_bytes() for path in sources())).hex()


@functools.cache
def stamp() -> str:
    """Return a hash of all :func:`sources`: an edit in any of them makes all compiled code invalid.

    Numba's own cache does not notice a change in an imported module (numba issue 1833).
    """
    return _hash_of_kernels()


# Now, before any kernel is imported.
stamp()
