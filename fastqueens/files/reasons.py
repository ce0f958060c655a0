"""Why a file cannot be read or written, in words."""

from __future__ import annotations

import errno

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


def reason_of(error: OSError | ValueError) -> str:
    """Return the reason that the system gave for an error, in words of this package if it has some.

    >>> reason_of(OSError(errno.ENOSPC, "No space left on device"))
    'the disk is full'
    """
    if isinstance(error, OSError) and error.errno is not None:
        return _REASONS.get(error.errno) or error.strerror or str(error)
    return str(error)
