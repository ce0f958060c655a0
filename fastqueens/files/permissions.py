"""Copy the permissions of a file to the file that will replace it, and never allow more."""

from __future__ import annotations

import contextlib
import os
import stat

#: The extended attribute in which Linux stores the access control list of a file.
_ACCESS_LIST = "system.posix_acl_access"


def copy_access(file_descriptor: int, target: str, earlier: os.stat_result) -> None:
    """Copy owner, group, access control list and permission bits of a file to an open private file.

    The permission bits come last, so that at no time more users can read the file than could read the earlier one.
    """
    _copy_owner(file_descriptor, earlier)
    now = os.fstat(file_descriptor)
    mode = stat.S_IMODE(earlier.st_mode)
    access_list = _access_list(target)
    if now.st_uid != earlier.st_uid:
        mode &= ~stat.S_ISUID
    if now.st_gid != earlier.st_gid:
        # Members of the earlier group now count as others, and some of the others are in the new group: both get only
        # what both had. An access control list has separate entries for them, and its mask replaces the group's bits.
        common = 0 if access_list else (mode >> 3) & mode & 0o7
        mode = mode & 0o5700 | common << 3 | common
        access_list = None
    if not _set_access_list(file_descriptor, access_list):
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


def _access_list(file: str | int) -> bytes | None:
    """Return the access control list of a file, or None if it has none."""
    if not hasattr(os, "getxattr"):
        return None
    try:
        return os.getxattr(file, _ACCESS_LIST)
    except OSError:
        return None


def _set_access_list(file_descriptor: int, access_list: bytes | None) -> bool:
    """Set an access control list; None removes the list that a new file inherits from its folder.

    Return False on failure.
    """
    try:
        if access_list is not None:
            os.setxattr(file_descriptor, _ACCESS_LIST, access_list)
        elif _access_list(file_descriptor) is not None:
            os.removexattr(file_descriptor, _ACCESS_LIST)
    except OSError:
        return False
    return True
