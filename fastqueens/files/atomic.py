"""Atomic writing of files, and reservation of disk space.

The content goes into a hidden file in the folder of the target. When the content is complete and on disk, the hidden
file is renamed to the target. A killed process can leave the hidden file behind, but never a broken target. If renaming
fails, the hidden file is kept, because its content can be the result of long work.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import IO, Any, Literal

from fastqueens.errors import InputError
from fastqueens.files.text import IS_A_FOLDER, FileName, checked_name, reason_of

#: The errors of a file system or a pipe that cannot reserve space.
_CANNOT_RESERVE = (errno.EOPNOTSUPP, errno.EINVAL, errno.ENODEV, errno.ESPIPE)

_BLOCK = 1 << 20

#: The names and descriptors of output streams. If a stream leads to a regular file, opening its name would overwrite
#: the file.
_STREAMS = {"/dev/stdout": 1, "/dev/stderr": 2}

#: The hidden files that any thread is writing, and their descriptors as soon as they exist.
_unfinished: dict[str, int | None] = {}

#: Windows cannot remove a file that is open.
_REMOVES_OPEN_FILES = os.name != "nt"


def atomic_write(path: FileName, mode: Literal["wb", "w"] = "wb") -> AbstractContextManager[IO[Any]]:
    """Open a file that replaces its target when the ``with`` block ends, and vanishes if the block raises.

    With the mode "wb", the file takes bytes, and can also be read and mapped. With the mode "w", it takes text, which
    is written in UTF-8 with Unix line ends.

    Symbolic links are followed, and devices and pipes are written directly. A new file gets the permissions that the
    umask allows. A replaced file keeps its permission bits, and until then only the owner can read the hidden file.
    Raises :class:`InputError` if the target cannot be written; if only renaming failed, it names the hidden file, which
    is then kept. ``BrokenPipeError`` passes through.
    """
    target = _target(path)
    return _written_directly(path, mode) if target is None else _replaced(target, path, mode)


def check_target(path: FileName) -> None:
    """Raise :class:`InputError` if :func:`atomic_write` cannot write here; call this before long work.

    The check creates the hidden file and removes it again, since permission bits alone are not conclusive. It does not
    notice that a file is mounted or immutable, or that only its owner can replace it, as in /tmp.
    """
    target = _target(path)
    if target is not None:
        with _hidden_file(target, path, "wb"):
            pass


def claim_space(file: IO[bytes], header: int, n_bytes: int) -> None:
    """Reserve disk space for ``n_bytes`` that will be mapped after a written header; if necessary, by writing zeros.

    Without the reservation, the process would be killed (SIGBUS) if the disk became full later.
    """
    try:
        os.posix_fallocate(file.fileno(), 0, header + n_bytes)
    except (AttributeError, OSError) as error:  # the function does not exist on macOS and Windows
        if isinstance(error, OSError) and error.errno not in _CANNOT_RESERVE:
            raise
        for first in range(0, n_bytes, _BLOCK):
            file.write(bytes(min(_BLOCK, n_bytes - first)))
        file.flush()


def remove_unfinished() -> None:
    """Remove the hidden files that any thread is still writing; called before the process exits."""
    for hidden, descriptor in _unfinished.copy().items():
        if descriptor is not None and not _REMOVES_OPEN_FILES:
            with contextlib.suppress(OSError):
                os.close(descriptor)  # not its file object, which the interrupted code can be using
        _remove(hidden)


def _target(path: FileName) -> str | None:
    """Return the file to replace, with links resolved, or None if the path must be written directly."""
    name = checked_name(path)
    if not os.path.basename(name):
        raise InputError(f"{name}: {IS_A_FOLDER}" if name else "the file name is empty; write a name such as board.npy")
    try:
        kind = stat.S_IFMT(os.stat(name).st_mode)
    except FileNotFoundError:
        kind = stat.S_IFREG
    except (OSError, ValueError) as error:
        raise InputError(f"{name}: {reason_of(error)}; nothing was written") from error
    if kind == stat.S_IFDIR:
        raise InputError(f"{name}: {IS_A_FOLDER}; nothing was written")
    if kind != stat.S_IFREG or name in _STREAMS:
        return None
    target = os.path.realpath(name)
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise InputError(f"{name}: the folder {folder} does not exist; create it first (nothing was written)")
    return target


@contextlib.contextmanager
def _replaced(target: str, path: FileName, mode: Literal["wb", "w"]) -> Iterator[IO[Any]]:
    with _hidden_file(target, path, mode) as file:
        yield file
        file.flush()
        # Fails if there is no earlier file, or the system has no permission bits.
        with contextlib.suppress(OSError, AttributeError):
            os.fchmod(file.fileno(), os.stat(target).st_mode & 0o777)
        os.fsync(file.fileno())
        file.close()
        _rename(file.name, target, path)


def _rename(hidden: str, target: str, path: FileName) -> None:
    """Rename a complete file to its target; if that fails, keep the file, and name it in the error."""
    try:
        os.replace(hidden, target)
    except OSError as error:
        if not os.path.exists(hidden):
            raise
        _unfinished.pop(hidden, None)
        beside = os.path.join(os.path.dirname(os.fspath(path)), os.path.basename(hidden))
        kept = beside if os.path.exists(beside) else hidden  # the path can be a link to another folder
        raise InputError(f"{os.fspath(path)}: {reason_of(error)}; the complete result is kept in {kept}") from error


@contextlib.contextmanager
def _hidden_file(target: str, path: FileName, mode: Literal["wb", "w"]) -> Iterator[IO[Any]]:
    """Open a hidden file next to the target, and remove it afterwards unless it was renamed or is kept."""
    folder, name = os.path.split(target)
    stem = os.fsdecode(os.fsencode(name)[:200])  # leaves room for the rest after a name of maximum length
    hidden = os.path.join(folder, f".{stem}.{os.urandom(6).hex()}.part")
    permissions = 0o600 if os.path.exists(target) else 0o666  # the earlier file can be private
    _unfinished[hidden] = None

    def create(name: str, flags: int) -> int:
        _unfinished[hidden] = descriptor = os.open(name, flags | os.O_EXCL, permissions)
        return descriptor

    try:
        with _open(hidden, mode, create) as file:
            yield file
    except OSError as error:
        if error.filename not in (None, hidden):
            raise  # an error in another file that the block uses
        rest = "the earlier file is unchanged" if os.path.exists(target) else "nothing was written"
        raise InputError(f"{os.fspath(path)}: {reason_of(error)}; {rest}") from error
    finally:
        _remove(hidden)


def _remove(hidden: str) -> None:
    """Remove a hidden file, unless it was renamed or is kept."""
    if hidden in _unfinished:
        with contextlib.suppress(OSError):
            os.unlink(hidden)
        _unfinished.pop(hidden, None)


@contextlib.contextmanager
def _written_directly(path: FileName, mode: Literal["wb", "w"]) -> Iterator[IO[Any]]:
    name = os.fspath(path)
    try:
        with _open(os.dup(_STREAMS[name]) if name in _STREAMS else name, mode) as file:
            yield file
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename not in (None, name):
            raise
        raise InputError(f"{name}: {reason_of(error)}") from error


def _open(file: str | int, mode: str, opener: Callable[[str, int], int] | None = None) -> IO[Any]:
    if mode == "w":
        return open(file, "w", encoding="utf-8", newline="\n", opener=opener)
    return open(file, "w+b" if opener else "wb", opener=opener)
