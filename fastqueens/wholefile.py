"""Files, whole or not at all: the one way this package writes them, and the one wording of what goes wrong.

A file grows beside its target under a hidden name and is renamed onto the target when it is complete. A process that is
killed may leave the hidden file behind, never a broken target. This module does not know what the files hold.
"""

from __future__ import annotations

import contextlib
import difflib
import errno
import os
import secrets
import stat
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import IO, Any, Literal, TypeAlias, overload

from fastqueens.board import InputError

FileName: TypeAlias = str | os.PathLike[str]

_REASONS = {
    errno.EACCES: "no permission",
    errno.EPERM: "no permission",
    errno.EROFS: "the file system is read-only",
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file is larger than allowed",
    errno.ENOENT: "no such file",
    errno.ENOTDIR: "what stands before the last slash is no folder",
    errno.EISDIR: "this is a folder, a file is needed",
    errno.ENAMETOOLONG: "the name is too long",
    errno.ELOOP: "the link leads back to itself",
}

#: What ``posix_fallocate`` answers where a file system or a pipe cannot reserve: nothing is lost but the early warning.
_CANNOT_RESERVE = (errno.EOPNOTSUPP, errno.EINVAL, errno.ENODEV, errno.ESPIPE)

_unfinished: set[str] = set()
#: Re-entrant, since a signal handler may ask for the removal while its own thread holds the lock.
_lock = threading.RLock()


@overload
def whole_file(path: FileName, mode: Literal["wb"] = "wb") -> AbstractContextManager[IO[bytes]]: ...
@overload
def whole_file(path: FileName, mode: Literal["w"]) -> AbstractContextManager[IO[str]]: ...
def whole_file(path: FileName, mode: Literal["wb", "w"] = "wb") -> AbstractContextManager[IO[Any]]:
    """Open a file that takes its target's place when the ``with`` block ends, and vanishes when the block raises.

    The content is on disk before the renaming. Of a symbolic link the file it points to is replaced. What is neither
    file nor folder (a named pipe, /dev/null) is written to directly.

    Parameters
    ----------
    path : str or path
        The target.
    mode : "wb" or "w"
        Bytes (the file can be read back and mapped too), or text in UTF-8 with plain line ends.

    Raises
    ------
    InputError
        Where the target cannot be written: a folder, a missing folder, no permission, a full disk. An earlier file
        of that name is as it was. ``BrokenPipeError`` passes through.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     target = pathlib.Path(folder, "eight.txt")
    ...     with whole_file(target, "w") as file:
    ...         _ = file.write("8")
    ...         before = target.exists()
    ...     before, target.read_text()
    (False, '8')

    """
    target = _target(path)
    return _directly(path, mode) if target is None else _beside(target, path, mode)


def check_target(path: FileName) -> None:
    """Find out before the work starts whether :func:`whole_file` could write here.

    The hidden file is made and removed again, since permission bits say too little.

    Raises
    ------
    InputError
        Where the folder does not exist, is no folder or cannot be written to, or the target is a folder.

    """
    target = _target(path)
    if target is None:
        return
    hidden = _hidden_name(target)
    try:
        _create(hidden, "wb").close()
    except OSError as error:
        raise _not_written(path, target, error) from error
    finally:
        _remove(hidden)


def reserve(file_descriptor: int, n_bytes: int) -> bool:
    """Claim disk space for an open file, so that a full disk shows now and not in the middle of the writing.

    To be called inside :func:`whole_file`, which turns the ``OSError`` of a full disk into an :class:`InputError`.
    Gives False, and has done nothing, where the system or the file system has no such call.
    """
    if n_bytes < 1 or not hasattr(os, "posix_fallocate"):
        return False
    try:
        os.posix_fallocate(file_descriptor, 0, n_bytes)
    except OSError as error:
        if error.errno not in _CANNOT_RESERVE:
            raise
        return False
    return True


def remove_unfinished() -> None:
    """Remove the hidden files that any thread is still writing: for a process that is about to leave."""
    with _lock:
        hidden_files = list(_unfinished)
    for hidden in hidden_files:
        _remove(hidden)


@contextlib.contextmanager
def open_to_read(path: FileName) -> Iterator[IO[bytes]]:
    """Open a file for reading bytes; what goes wrong is an :class:`InputError` that names the file and the reason.

    >>> with open_to_read("no-such-board.txt") as file:
    ...     pass
    Traceback (most recent call last):
    ...
    fastqueens.board.InputError: no-such-board.txt: no such file
    """
    name = os.fspath(path)
    try:
        file = open(name, "rb")  # noqa: SIM115 (what goes wrong in the caller's block is another matter)
    except (OSError, ValueError) as error:
        raise InputError(f"{name}: {_reason(error)}") from error
    with file:
        try:
            yield file
        except OSError as error:
            raise InputError(f"{name}: {_reason(error)}") from error


@contextlib.contextmanager
def open_input(source: FileName) -> Iterator[tuple[IO[bytes], str]]:
    """Open a file as :func:`open_to_read` does, or standard input for "-"; gives also what messages call it."""
    if os.fspath(source) != "-":
        with open_to_read(source) as file:
            yield file, os.fspath(source)
    elif sys.stdin is None:
        raise InputError("standard input is closed")
    else:
        yield sys.stdin.buffer, "standard input"


def checked_suffix(path: FileName, known: Sequence[str]) -> str:
    """The suffix of a file name in lower case, or :class:`InputError` where it is none of the known ones.

    >>> checked_suffix("Board.NPY", (".npy", ".txt"))
    '.npy'
    >>> checked_suffix("board.nyp", (".npy", ".txt"))
    Traceback (most recent call last):
    ...
    fastqueens.board.InputError: board.nyp: no format has the suffix '.nyp', there are .npy and .txt; did you mean .npy?
    """
    name = os.fspath(path)
    suffix = os.path.splitext(name)[1].lower()
    if suffix in known:
        return suffix
    choice = f"{', '.join(known[:-1])} and {known[-1]}"
    if not suffix:
        raise InputError(f"{name}: the suffix of the name says the format, and there is none; there are {choice}")
    near = difflib.get_close_matches(suffix, known, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise InputError(f"{name}: no format has the suffix {suffix!r}, there are {choice}{hint}")


def _target(path: FileName) -> str | None:
    """The file to be replaced, links followed; None where the path is to be written to directly."""
    name = os.fspath(path)
    if not os.path.basename(name):
        raise InputError(f"{name}: this is a folder, a file is needed" if name else "the name of a file is empty")
    try:
        kind = os.stat(name).st_mode
    except FileNotFoundError:
        kind = stat.S_IFREG
    except (OSError, ValueError) as error:
        raise InputError(f"{name}: {_reason(error)}; nothing was written") from error
    if stat.S_ISDIR(kind):
        raise InputError(f"{name}: {_REASONS[errno.EISDIR]}; nothing was written")
    if not stat.S_ISREG(kind):
        return None
    target = os.path.realpath(name)
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise InputError(f"{name}: the folder {folder} does not exist; nothing was written")
    return target


@contextlib.contextmanager
def _beside(target: str, path: FileName, mode: Literal["wb", "w"]) -> Iterator[IO[Any]]:
    hidden = _hidden_name(target)
    try:
        with _create(hidden, mode) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(hidden, target)
    except OSError as error:
        if error.filename not in (None, hidden):
            raise  # of another file, which the block had to do with
        raise _not_written(path, target, error) from error
    finally:
        _remove(hidden)


@contextlib.contextmanager
def _directly(path: FileName, mode: Literal["wb", "w"]) -> Iterator[IO[Any]]:
    try:
        with open(path, mode) as file:
            yield file
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename not in (None, os.fspath(path)):
            raise
        raise InputError(f"{os.fspath(path)}: {_reason(error)}") from error


def _hidden_name(target: str) -> str:
    folder, name = os.path.split(target)
    # Cut, so that a name of the greatest length still leaves room for the rest.
    stem = os.fsdecode(os.fsencode(name)[:200])
    return os.path.join(folder, f".{stem}.{secrets.token_hex(6)}.part")


def _create(hidden: str, mode: Literal["wb", "w"]) -> IO[Any]:
    with _lock:
        _unfinished.add(hidden)
    if mode == "wb":
        return open(hidden, "x+b")
    return open(hidden, "x", encoding="utf-8", newline="\n")


def _remove(hidden: str) -> None:
    """Remove a hidden file where it still exists: after the renaming it does not."""
    with contextlib.suppress(OSError):
        os.unlink(hidden)
    with _lock:
        _unfinished.discard(hidden)


def _not_written(path: FileName, target: str, error: OSError) -> InputError:
    rest = "the earlier file is as it was" if os.path.exists(target) else "nothing was written"
    return InputError(f"{os.fspath(path)}: {_reason(error)}; {rest}")


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, OSError) and error.errno is not None:
        return _REASONS.get(error.errno) or error.strerror or str(error)
    return str(error)
