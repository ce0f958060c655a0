"""Boards in ``.npy``: a one-dimensional array of integers, ``queens[c]``, as NumPy saves it. Never unpickled."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import stat
import warnings
from collections.abc import Iterator
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.core import thresholds
from fastqueens.core.board import Queens, check_n, row_dtype
from fastqueens.core.errors import InputError
from fastqueens.core.memory import address_space_needed, check_memory
from fastqueens.files.atomic import atomic_write, claim_space
from fastqueens.files.board_rows import board_of
from fastqueens.files.text import FileName, pieces_of, shortened

#: Windows renames no file that is still mapped.
_RENAMES_MAPPED_FILES = os.name != "nt"

_NEEDED = "a one-dimensional array of integers, as numpy.save writes it, is needed"


def read(file: IO[bytes], name: str, rows_from: int, *, mapped: bool = True) -> Queens:
    """Read a board from an ``.npy`` file, or map a large one if it may be mapped."""
    status = os.fstat(file.fileno())
    if not stat.S_ISREG(status.st_mode):
        raise InputError(f"{name}: an .npy file cannot be read from a pipe or a device; use a regular file")
    start = file.read(6)
    if not start:
        raise InputError(f"{name}: it is empty; {_NEEDED}")
    if start != b"\x93NUMPY":
        raise InputError(f"{name}: this is not an .npy file, it starts with {start!r}; {_NEEDED}")
    try:
        # An overflow is an error: the file is refused anyway. Odd headers make Python and NumPy warn.
        with np.errstate(over="raise"), warnings.catch_warnings(action="ignore"):
            rows = np.load(name, mmap_mode="r", allow_pickle=False)
    except Exception as error:  # a broken header can cause almost any exception in NumPy
        raise InputError(f"{name}: it cannot be read as .npy ({shortened(str(error), 200)}); {_NEEDED}") from error
    if rows.ndim != 1:
        raise InputError(f"{name}: the array has shape {rows.shape}; {_NEEDED}")
    if rows.dtype.kind not in "iu":
        raise InputError(f"{name}: the array holds {rows.dtype}; {_NEEDED}")
    surplus = status.st_size - rows.offset - rows.nbytes
    if surplus and len(rows):
        raise InputError(f"{name}: {surplus} bytes follow the array; {_NEEDED}")
    if not mapped or status.st_size < thresholds.current.mapped_bytes:
        rows = _in_memory(file, rows, name)
    return board_of(rows, rows_from, name, lambda c: f"{name}: column {c}")


def _in_memory(file: IO[bytes], rows: np.memmap[Any, Any], name: str) -> NDArray[Any]:
    """Read what is mapped: unlike copying, reading survives a file that is shortened meanwhile."""
    check_memory(rows.nbytes, f"reading {name}")
    file.seek(rows.offset)
    read = np.fromfile(file, rows.dtype, len(rows))
    if len(read) < len(rows):
        raise InputError(f"{name}: it was shortened while it was read; {_NEEDED}")
    return read


def content(queens: Queens, rows_from: int) -> Iterator[bytes]:
    """Yield the header and the array of the file."""
    yield _header(queens.dtype, len(queens))
    for _, rows in pieces_of(queens, rows_from):
        yield rows.tobytes()


def can_be_mapped(path: FileName) -> bool:
    """Tell whether :func:`mapped_board` can make this file: an ``.npy``, but not a pipe or a device, nor on Windows."""
    is_npy = os.path.splitext(path)[1].lower() == ".npy"
    return _RENAMES_MAPPED_FILES and is_npy and (os.path.isfile(path) or not os.path.exists(path))


@contextlib.contextmanager
def mapped_board(path: FileName, n: int) -> Iterator[Queens]:
    """Make an ``.npy`` file whose board the ``with`` block fills on disk, not in memory.

    The disk space is claimed first. When the block ends, the file replaces its target and the array becomes read-only.
    If the block raises, the file vanishes.

    Parameters
    ----------
    path : str or path
        The file; see :func:`can_be_mapped`.
    n : int
        The length of the board.

    Yields
    ------
    (n,) int32 array, uint32 from n = 2^31 on
        ``queens[c]`` from 0 to n - 1, for the caller to fill; its first content is arbitrary.

    Raises
    ------
    InputError
        If the file is not an ``.npy`` file or cannot be written, or if the disk is too small for it.
    MemoryError
        If the address space of this process is too small for the file.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "four.npy")
    ...     with mapped_board(file, 4) as queens:
    ...         queens[:] = [1, 3, 0, 2]
    ...         before = file.exists()
    ...     before, np.load(file)
    (False, array([1, 3, 0, 2], dtype=int32))

    """
    n = check_n(n)
    dtype = np.dtype(row_dtype(n))
    if not can_be_mapped(path):
        raise InputError(
            f"{os.fspath(path)}: only an .npy file can be mapped, not a pipe or a device, and not on Windows"
        )
    with atomic_write(path) as file:
        header = _header(dtype, n)
        file.write(header)
        file.flush()
        claim_space(file, len(header), n * dtype.itemsize)
        try:
            mapped = np.memmap(file, dtype, "r+", len(header), (n,))
        except OSError as error:
            if error.errno != errno.ENOMEM:
                raise
            raise MemoryError(f"{os.fspath(path)}: {address_space_needed(n * dtype.itemsize)}") from error
        queens = mapped.view(np.ndarray)
        yield queens
        mapped.flush()
        queens.flags.writeable = False


def _header(dtype: np.dtype[Any], n: int) -> bytes:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": dtype.str, "fortran_order": False, "shape": (n,)})
    return header.getvalue()
