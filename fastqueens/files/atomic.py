"""Write a file completely or not at all, and claim its disk space first.

The content goes into a hidden file in the target's folder. When it is complete, the hidden file gets the permissions of
the file it replaces and is renamed to the target. A killed process may leave the hidden file behind, but never a
broken target.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import IO, Any, Literal, overload

from fastqueens.core.errors import InputError
from fastqueens.files.text import IS_A_FOLDER, FileName, reason_of

#: A file system or a pipe that cannot reserve space answers with one of these.
_CANNOT_RESERVE = (errno.EOPNOTSUPP, errno.EINVAL, errno.ENODEV, errno.ESPIPE)

_BLOCK = 1 << 20

_unfinished: set[str] = set()
#: Re-entrant, since a signal handler may remove the files while its own thread holds the lock.
_lock = threading.RLock()


@overload
def atomic_write(path: FileName, mode: Literal["wb"] = "wb") -> AbstractContextManager[IO[bytes]]: ...
@overload
def atomic_write(path: FileName, mode: Literal["w"]) -> AbstractContextManager[IO[str]]: ...
def atomic_write(path: FileName, mode: Literal["wb", "w"] = "wb") -> AbstractContextManager[IO[Any]]:
    """Open a file that replaces its target when the ``with`` block ends, and vanishes if the block raises.

    The content is on disk before the file is renamed. Anything that is neither a file nor a folder (a named pipe,
    /dev/null) is written to directly.

    A symbolic link is followed, as a shell does for ``>``: the link stays, and the file it points to is replaced, or
    created if it does not exist. So pass only names that the user has chosen. In a folder to which others may write, a
    link is followed only if it belongs to this user or to the owner of the folder; somebody else may have put it there.
    A link that appears while the file is written is itself replaced, not what it points to. Of a file with several
    names (hard links), only this name gets the new content.

    A new file gets the permissions that the umask allows. A replaced file keeps its permission bits, and its owner and
    group if this process may set them. If the group cannot be kept, group and others get only what both were allowed
    before. Of a file with an access control list, only the owner keeps access. Until the content that replaces a file
    is complete, only its writer can read it.

    Parameters
    ----------
    path : str or path
        The target.
    mode : "wb" or "w"
        Bytes, in a file that can also be read and mapped, or text in UTF-8 with Unix line ends.

    Raises
    ------
    InputError
        If the target cannot be written: it is a folder or a link of somebody else, its folder is missing, there is no
        permission, the disk is full. An earlier file of that name stays unchanged. ``BrokenPipeError`` passes through.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     target = pathlib.Path(folder, "eight.txt")
    ...     with atomic_write(target, "w") as file:
    ...         _ = file.write("8")
    ...         before = target.exists()
    ...     before, target.read_text()
    (False, '8')

    """
    target = _target(path)
    return _written_directly(path, mode) if target is None else _replaced(target, path, mode)


def check_target(path: FileName) -> None:
    """Raise :class:`InputError` if :func:`atomic_write` cannot write here; call it before long work.

    It creates the hidden file and removes it again, since permission bits do not tell everything.
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
    """Reserve disk space for an open file, so that a full disk shows now and not in the middle of writing.

    Call it inside :func:`atomic_write`, which turns the ``OSError`` of a full disk into an
    :class:`InputError`. Return False, with nothing done, if the system or the file system cannot reserve.
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


def claim_space(file: IO[bytes], header: int, n_bytes: int) -> None:
    """Claim disk space for a file that will be mapped, with zeros if it cannot be reserved.

    Without it the process would be killed (SIGBUS) if the disk filled up later. ``header`` bytes are already written,
    ``n_bytes`` more will be mapped.
    """
    if reserve(file.fileno(), header + n_bytes):
        return
    for first in range(0, n_bytes, _BLOCK):
        file.write(bytes(min(_BLOCK, n_bytes - first)))
    file.flush()


def remove_unfinished() -> None:
    """Remove the hidden files that any thread is still writing, before the process exits."""
    with _lock:
        hidden_files = list(_unfinished)
    for hidden in hidden_files:
        _remove(hidden)


def _target(path: FileName) -> str | None:
    """Return the file to replace, with links followed, or None if the path must be written to directly."""
    name = os.fspath(path)
    if not os.path.basename(name):
        raise InputError(f"{name}: {IS_A_FOLDER}" if name else "the name of a file is empty")
    followed = follow_links(name)
    try:
        kind = os.stat(name).st_mode
    except FileNotFoundError:
        kind = stat.S_IFREG
    except (OSError, ValueError) as error:
        raise InputError(f"{name}: {reason_of(error)}; nothing was written") from error
    if stat.S_ISDIR(kind):
        raise InputError(f"{name}: {IS_A_FOLDER}; nothing was written")
    if not stat.S_ISREG(kind):
        return None
    folder = os.path.realpath(os.path.dirname(followed))
    if not os.path.isdir(folder):
        raise InputError(f"{name}: the folder {folder} does not exist; nothing was written")
    return os.path.join(folder, os.path.basename(followed))


@contextlib.contextmanager
def _replaced(target: str, path: FileName, mode: Literal["wb", "w"]) -> Iterator[IO[Any]]:
    hidden = _hidden_name(target)
    try:
        earlier = _status(target)
        with _create(hidden, mode, is_private=earlier is not None) as file:
            yield file
            file.flush()
            # Again, since the permissions may have changed during a long computation.
            earlier = _status(target) or earlier
            if earlier is not None:
                copy_access(file.fileno(), target, earlier)
            os.fsync(file.fileno())
        os.replace(hidden, target)
    except OSError as error:
        if error.filename not in (None, hidden):
            raise  # an error of another file, which the block used
        raise _not_written(path, target, error) from error
    finally:
        _remove(hidden)


@contextlib.contextmanager
def _written_directly(path: FileName, mode: Literal["wb", "w"]) -> Iterator[IO[Any]]:
    try:
        with open(path, mode, opener=_open_device) as file:
            yield file
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename not in (None, os.fspath(path)):
            raise
        raise InputError(f"{os.fspath(path)}: {reason_of(error)}") from error


def _open_device(path: str, flags: int) -> int:
    """Open something that is no regular file; whatever has taken its place meanwhile is neither emptied nor created."""
    file_descriptor = os.open(path, flags & ~(os.O_CREAT | os.O_TRUNC))
    if stat.S_ISREG(os.fstat(file_descriptor).st_mode):
        os.close(file_descriptor)
        raise OSError(errno.EEXIST, "a file has just taken its place", path)
    return file_descriptor


def _hidden_name(target: str) -> str:
    folder, name = os.path.split(target)
    # Cut, so that the rest fits after a name of the greatest length.
    stem = os.fsdecode(os.fsencode(name)[:200])
    return os.path.join(folder, f".{stem}.{os.urandom(6).hex()}.part")


def _create(hidden: str, mode: Literal["wb", "w"], *, is_private: bool = False) -> IO[Any]:
    """Create the hidden file; only the owner can read and write a private one."""
    with _lock:
        _unfinished.add(hidden)
    opener = _open_private if is_private else None
    try:
        # "x" follows no link: it fails if there is anything of this name.
        if mode == "wb":
            return open(hidden, "x+b", opener=opener)
        return open(hidden, "x", encoding="utf-8", newline="\n", opener=opener)
    except FileExistsError:
        with _lock:
            _unfinished.discard(hidden)  # somebody else's, so it must not be removed
        raise


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _status(path: str) -> os.stat_result | None:
    """Return the status of a file, or None if there is none; a link that has just appeared is none."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return None
    return status if stat.S_ISREG(status.st_mode) else None


def _remove(hidden: str) -> None:
    """Remove a hidden file of this process; after it was renamed it no longer exists."""
    with _lock:
        if hidden not in _unfinished:
            return
    with contextlib.suppress(OSError):
        os.unlink(hidden)
    with _lock:
        _unfinished.discard(hidden)


def _not_written(path: FileName, target: str, error: OSError) -> InputError:
    rest = "the earlier file is unchanged" if os.path.exists(target) else "nothing was written"
    return InputError(f"{os.fspath(path)}: {reason_of(error)}; {rest}")


#: Linux follows as many.
_MOST_LINKS = 40


def follow_links(name: str) -> str:
    """Return the file that a name leads to if it is a link, or the name itself.

    Links among the folders of the name are left to the system.

    Raises
    ------
    InputError
        If somebody else may have put the link there: it is in a folder to which group or others may write, and belongs
        neither to this user nor to the owner of the folder. Linux has the same rule for folders such as /tmp, but an
        administrator can switch it off.
    """
    for _ in range(_MOST_LINKS):
        try:
            link = os.lstat(name)
            if not stat.S_ISLNK(link.st_mode):
                break
            folder = os.stat(os.path.dirname(name) or ".")
            leads_to = os.readlink(name)
        except (OSError, ValueError):
            break  # there is no file yet, or opening it reports the error
        is_shared = folder.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        # On Windows, only administrators make links.
        if is_shared and hasattr(os, "geteuid") and link.st_uid not in (os.geteuid(), folder.st_uid):
            raise InputError(
                f"{name}: this is a link of another user to {leads_to}, in a folder to which others may write; use "
                "another name, or the name of the file itself; nothing was written"
            )
        name = os.path.join(os.path.dirname(name), leads_to)
    return name


def copy_access(file_descriptor: int, target: str, earlier: os.stat_result) -> None:
    """Copy owner, group and permission bits of a file to an open private file.

    The permission bits come last, so that at no time more users can read the file than could read the earlier one.
    """
    _copy_owner(file_descriptor, earlier)
    now = os.fstat(file_descriptor)
    mode = stat.S_IMODE(earlier.st_mode)
    if now.st_uid != earlier.st_uid:
        mode &= ~stat.S_ISUID
    if now.st_gid != earlier.st_gid:
        # Members of the earlier group now count as others, and some of the others are in the new group: both get only
        # what both had.
        common = (mode >> 3) & mode & 0o7
        mode = mode & 0o5700 | common << 3 | common
    if _has_access_list(target):
        # Its entries are not copied, and its mask replaces the group's bits: no one gets more than before.
        mode &= 0o5700
    if hasattr(os, "fchmod"):
        with contextlib.suppress(PermissionError):
            os.fchmod(file_descriptor, mode)


def _copy_owner(file_descriptor: int, earlier: os.stat_result) -> None:
    """Set owner and group, or only the group if this process may not change the owner."""
    if not hasattr(os, "fchown"):
        return
    for owner in (earlier.st_uid, -1):
        # Not only PermissionError: within a user namespace an owner from outside is an invalid argument.
        with contextlib.suppress(OSError):
            os.fchown(file_descriptor, owner, earlier.st_gid)
            return


def _has_access_list(file: str) -> bool:
    """Tell whether a file has an access control list, as Linux stores it."""
    try:
        return bool(os.getxattr(file, "system.posix_acl_access"))
    except (OSError, AttributeError):  # other systems have no such attributes
        return False
