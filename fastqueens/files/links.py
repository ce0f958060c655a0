"""Which symbolic links are followed when a file is written."""

from __future__ import annotations

import os
import stat

from fastqueens.core.errors import InputError

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
            break  # there is no file yet, or whoever opens it reports the error
        is_shared = folder.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        # On Windows nobody but administrators makes links.
        if is_shared and hasattr(os, "geteuid") and link.st_uid not in (os.geteuid(), folder.st_uid):
            raise InputError(
                f"{name}: this is a link of another user to {leads_to}, in a folder to which others may write; use "
                "another name, or the name of the file itself; nothing was written"
            )
        name = os.path.join(os.path.dirname(name), leads_to)
    return name
