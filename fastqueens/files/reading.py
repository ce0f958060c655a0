"""Open files and standard input for reading; every failure is an :class:`InputError` that names the file."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from typing import IO

from fastqueens.core.errors import InputError
from fastqueens.core.memory import check_memory
from fastqueens.files.names import FileName

_BLOCK = 1 << 24

IS_A_FOLDER = "this is a folder, not a file"

_REASONS = {
    errno.EACCES: "no permission",
    errno.EPERM: "no permission",
    errno.EROFS: "the file system is read-only",
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is exceeded",
    errno.EFBIG: "the file is larger than allowed",
    errno.ENOENT: "no such file",
    errno.ENOTDIR: "a part of the path is not a folder",
    errno.EISDIR: IS_A_FOLDER,
    errno.ENAMETOOLONG: "the name is too long",
    errno.ELOOP: "the link leads back to itself",
}


@contextlib.contextmanager
def open_to_read(path: FileName) -> Iterator[IO[bytes]]:
    """Open a file for reading bytes; raise :class:`InputError` with its name and the reason if that fails.

    >>> with open_to_read("no-such-board.txt") as file:
    ...     pass
    Traceback (most recent call last):
    ...
    fastqueens.InputError: no-such-board.txt: no such file
    """
    name = os.fspath(path)
    try:
        file = open(name, "rb")  # noqa: SIM115 (a ValueError of the caller's block must not be caught here)
    except (OSError, ValueError) as error:
        raise InputError(f"{name}: {reason_of(error)}") from error
    with file:
        try:
            yield file
        except OSError as error:
            raise InputError(f"{name}: {reason_of(error)}") from error


@contextlib.contextmanager
def open_input(source: FileName) -> Iterator[tuple[IO[bytes], str]]:
    """Open a file as :func:`open_to_read` does, or standard input for "-"; yield it with its name for messages."""
    if os.fspath(source) != "-":
        with open_to_read(source) as file:
            yield file, os.fspath(source)
    elif sys.stdin is None:
        raise InputError("standard input is closed")
    else:
        yield sys.stdin.buffer, "standard input"


def read_all(stream: IO[bytes], name: str) -> bytes:
    """Read a stream to its end; raise :class:`NotEnoughMemoryError` if it does not fit into memory."""
    blocks: list[bytes] = []
    size = 0
    while block := stream.read(_BLOCK):
        blocks.append(block)
        size += len(block)
        # Not only at the end: the stream may have none.
        check_memory(size, f"reading the {size:,} bytes so far in {name}")
    return b"".join(blocks)


def reason_of(error: OSError | ValueError) -> str:
    """Return the reason that the system gave for an error, in words of this package if it has some.

    >>> reason_of(OSError(errno.ENOSPC, "No space left on device"))
    'the disk is full'
    """
    if isinstance(error, OSError) and error.errno is not None:
        return _REASONS.get(error.errno) or error.strerror or str(error)
    return str(error)
