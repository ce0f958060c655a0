"""Claim disk space before a file is filled, so that a full disk shows early."""

from __future__ import annotations

import errno
import os
from typing import IO

#: A file system or a pipe that cannot reserve space answers with one of these.
_CANNOT_RESERVE = (errno.EOPNOTSUPP, errno.EINVAL, errno.ENODEV, errno.ESPIPE)

_BLOCK = 1 << 20


def reserve(file_descriptor: int, n_bytes: int) -> bool:
    """Reserve disk space for an open file, so that a full disk shows now and not in the middle of writing.

    Call it inside :func:`~fastqueens.files.atomic.atomic_write`, which turns the ``OSError`` of a full disk into an
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
