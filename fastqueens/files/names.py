"""What the name of a file says: its format, by the suffix."""

from __future__ import annotations

import difflib
import os
from collections.abc import Sequence
from typing import TypeAlias

from fastqueens.core.errors import InputError

FileName: TypeAlias = str | os.PathLike[str]


def checked_suffix(path: FileName, known: Sequence[str]) -> str:
    """Return the suffix of a file name in lower case, or raise :class:`InputError` if it is none of the known ones.

    >>> checked_suffix("Board.NPY", (".npy", ".txt"))
    '.npy'
    >>> checked_suffix("board.nyp", (".npy", ".txt"))
    Traceback (most recent call last):
    ...
    fastqueens.InputError: board.nyp: unknown suffix '.nyp'; use .npy or .txt (did you mean .npy?)
    """
    name = os.fspath(path)
    suffix = os.path.splitext(name)[1].lower()
    if suffix in known:
        return suffix
    choice = f"{', '.join(known[:-1])} or {known[-1]}" if len(known) > 1 else known[0]
    if not suffix:
        raise InputError(f"{name}: the name has no suffix, which decides the format; use {choice}")
    near = difflib.get_close_matches(suffix, known, n=1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    raise InputError(f"{name}: unknown suffix {suffix!r}; use {choice}{hint}")
