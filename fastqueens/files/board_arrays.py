"""Boards in ``.npy`` and ``.npz`` files of any program; nothing is unpickled."""

from __future__ import annotations

import os
import stat
import sys
import warnings
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.errors import InputError
from fastqueens.core.memory import check_memory
from fastqueens.files.board_tables import Rows, checked_row, of_matrix, of_table
from fastqueens.files.text import shortened

ARRAY_NEEDED = "an array of whole numbers is needed, of shape (n,) or (boards, n)"
_BOARDS_NEEDED = "the array boards is needed, of shape (boards, n)"

#: What programs call the boards in an archive; numpy.savez calls arrays without a name arr_0 and so on.
_NAMES = ("boards", "queens", "arr_0", "arr_1")


def check_is_regular(file: IO[bytes], name: str) -> None:
    """Raise :class:`InputError` if an ``.npy`` file cannot be mapped."""
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode) or file is getattr(sys.stdin, "buffer", None):
        raise InputError(f"{name}: an .npy file cannot be read from a pipe or a device; use a regular file")


def map_npy(file: IO[bytes], name: str) -> np.memmap[Any, Any]:
    """Map the array of an ``.npy`` file."""
    check_is_regular(file, name)
    try:
        # An overflow is an error: the file is refused anyway. Odd headers make Python and NumPy warn.
        with np.errstate(over="raise"), warnings.catch_warnings(action="ignore"):
            rows: np.memmap[Any, Any] = np.load(name, mmap_mode="r", allow_pickle=False)
    except Exception as error:  # a broken header can cause almost any exception in NumPy
        reason = shortened(str(error), 200)
        raise InputError(f"{name}: it cannot be read as .npy ({reason}); {ARRAY_NEEDED}") from error
    surplus = os.fstat(file.fileno()).st_size - rows.offset - rows.nbytes
    if surplus and rows.size:
        raise InputError(f"{name}: {surplus} bytes follow the array; {ARRAY_NEEDED}")
    return rows


def in_memory(file: IO[bytes], rows: np.memmap[Any, Any], name: str) -> NDArray[Any]:
    """Read what is mapped: unlike copying, reading survives a file that is shortened meanwhile."""
    is_transposed = not rows.flags.c_contiguous
    check_memory(rows.nbytes * (1 + is_transposed), f"reading {name}")
    file.seek(rows.offset)
    read = np.fromfile(file, rows.dtype, rows.size)
    if len(read) < rows.size:
        raise InputError(f"{name}: it was shortened while it was read; {ARRAY_NEEDED}")
    return np.ascontiguousarray(read.reshape(rows.shape, order="F" if is_transposed else "C"))


def of_array(rows: NDArray[Any], name: str, label: str = "array") -> Rows:
    """Return what an array means: rows, several boards, or a square matrix of True and False or of 0 and 1."""
    if rows.ndim not in (1, 2):
        raise InputError(f"{name}: the array has shape {rows.shape}; {ARRAY_NEEDED}")
    if rows.dtype.kind not in "biuf":
        raise InputError(f"{name}: the array holds {rows.dtype}; {ARRAY_NEEDED}")
    if not rows.size:
        raise InputError(f"{name}: it is empty, of shape {rows.shape}; {ARRAY_NEEDED}")
    if rows.dtype.kind == "b":
        if rows.ndim == 1 or rows.shape[0] != rows.shape[1]:
            raise InputError(f"{name}: an array of True and False must be square, and it has shape {rows.shape}")
        return of_matrix(rows[None], name, "a matrix of True and False")
    table = _whole(rows, name)
    if rows.ndim == 1:
        return Rows(checked_row(table, name), lambda c: f"{name}: column {c}", "an array of rows")
    n = rows.shape[-1]
    if label not in _NAMES[:2]:  # nothing says that each line is a board
        found = of_table(table, lambda at: f"{label}[{at}]", name)
        if found.rows is not table:
            return found
    return Rows(table, lambda at: f"{name}: {label}[{at // n}, {at % n}]", "an array of boards")


def read_npz(file: IO[bytes], name: str) -> Rows:
    """Read the boards of an archive, which may say how it counts rows."""
    from fastqueens.files.traces import unpacked  # here, since few boards are in archives

    found = unpacked(file, name, (*_NAMES, "rows_from"), _BOARDS_NEEDED)
    parts = [part for part in _NAMES if part in found]
    if len(parts) != 1:
        held = f"the arrays {' and '.join(parts)}" if parts else "no array of boards, as is usual for .xlsx and .ods"
        raise InputError(f"{name}: it is an archive with {held}; {_BOARDS_NEEDED}")
    (part,) = parts
    first = int(np.array_equal(found["rows_from"], 1)) if "rows_from" in found else None
    return of_array(found[part], name, part)._replace(rows_from=first)


def _whole(rows: NDArray[Any], name: str) -> NDArray[Any]:
    """Return an array of integers; it is copied if it holds floating-point numbers."""
    if rows.dtype.kind != "f":
        return rows
    check_memory(9 * rows.size, f"the integers of {name}")
    with np.errstate(invalid="ignore"):  # that a number fits into no integer
        integers = rows.astype(np.int64)
    odd = np.flatnonzero(integers != rows)
    if len(odd):
        raise InputError(f"{name}: it holds {rows.flat[odd[0]]}; {ARRAY_NEEDED}")
    return integers
