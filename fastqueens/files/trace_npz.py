"""Traces in ``.npz``: int64 arrays ``restarts``, ``pairs`` and ``conflicting_queens``. Never unpickled.

The archive also holds ``n``, ``seed`` and ``start`` if they are known, and may hold the moves of the search.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.errors import InputError, NotEnoughMemoryError
from fastqueens.core.memory import check_memory
from fastqueens.core.trace import Moves
from fastqueens.files.trace_entries import Entries, as_int64

_HEADER = ("n", "seed", "start")


def read(file: IO[bytes], name: str) -> tuple[Entries, dict[str, Any]]:
    """Read a trace from an archive, and n, seed and start if it holds them."""
    found = unpacked(file, name, (*Entries._fields, *_HEADER))
    missing = [part for part in Entries._fields if part not in found]
    if missing:
        raise InputError(f"{name}: {missing[0]} is missing; the arrays {', '.join(Entries._fields)} are needed")
    header = {part: found[part].tolist() for part in _HEADER if part in found}
    return Entries(*(as_int64(found[part], f"{name}: {part}") for part in Entries._fields)), header


def write(file: IO[bytes], entries: Entries, header: dict[str, Any], moves: Moves | None) -> None:
    """Write the header, the trace, and the moves if there are any."""
    parts = {**header, **entries._asdict()}
    if moves is not None:
        parts |= {"first_boards": moves.first_boards, "moves": moves.steps}
    np.savez(file, **parts)


def unpacked(file: IO[bytes], name: str, parts: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Return those of the named arrays that an ``.npz`` file holds."""
    try:
        with np.load(file, allow_pickle=False) as content:
            # A small archive can hold large arrays. No more is unpacked than the sizes its members state.
            check_memory(sum(member.file_size for member in content.zip.infolist()), f"unpacking {name}")
            return {part: np.asarray(content[part]) for part in parts if part in content}
    except NotEnoughMemoryError:
        raise
    except Exception as error:  # a broken file can cause almost any exception in NumPy and zipfile
        needed = ", ".join(Entries._fields)
        raise InputError(f"{name}: it cannot be read as .npz ({error}); the arrays {needed} are needed") from error
