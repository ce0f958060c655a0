"""Read and write boards in ``.npy``, ``.txt``, ``.csv`` and ``.json``; ``board_formats`` has those that are text.

An ``.npy`` file holds a one-dimensional array of integers, ``queens[c]``, as NumPy saves it. It is never unpickled.

With ``rows_from=1`` the file counts rows from 1. Columns, and boards in memory, always count from 0. Whether a board is
a solution is not checked here.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import stat
import warnings
from collections.abc import Callable, Iterator
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.core import thresholds
from fastqueens.core.board import Queens, as_queens, check_n, row_dtype
from fastqueens.core.errors import InputError
from fastqueens.core.memory import address_space_needed, check_memory
from fastqueens.files import board_formats
from fastqueens.files.atomic import atomic_write, claim_space, reserve
from fastqueens.files.text import FileName, check_rows_from, checked_suffix, open_input, pieces_of, shortened


class _Format(NamedTuple):
    """``read(file, name)`` returns the rows in a file; ``content(queens, rows_from)`` yields the bytes of its file."""

    read: Callable[[IO[bytes], str], board_formats.Rows]
    content: Callable[[Queens, int], Iterator[bytes]]


_ARRAY_NEEDED = "a one-dimensional array of integers, as numpy.save writes it, is needed"


def _read_npy(file: IO[bytes], name: str) -> board_formats.Rows:
    """Map the array of an ``.npy`` file."""
    status = os.fstat(file.fileno())
    if not stat.S_ISREG(status.st_mode):
        raise InputError(f"{name}: an .npy file cannot be read from a pipe or a device; use a regular file")
    start = file.read(6)
    if not start:
        raise InputError(f"{name}: it is empty; {_ARRAY_NEEDED}")
    if start != b"\x93NUMPY":
        raise InputError(f"{name}: this is not an .npy file, it starts with {start!r}; {_ARRAY_NEEDED}")
    try:
        # An overflow is an error: the file is refused anyway. Odd headers make Python and NumPy warn.
        with np.errstate(over="raise"), warnings.catch_warnings(action="ignore"):
            rows = np.load(name, mmap_mode="r", allow_pickle=False)
    except Exception as error:  # a broken header can cause almost any exception in NumPy
        reason = shortened(str(error), 200)
        raise InputError(f"{name}: it cannot be read as .npy ({reason}); {_ARRAY_NEEDED}") from error
    if rows.ndim != 1:
        raise InputError(f"{name}: the array has shape {rows.shape}; {_ARRAY_NEEDED}")
    if rows.dtype.kind not in "iu":
        raise InputError(f"{name}: the array holds {rows.dtype}; {_ARRAY_NEEDED}")
    surplus = status.st_size - rows.offset - rows.nbytes
    if surplus and len(rows):
        raise InputError(f"{name}: {surplus} bytes follow the array; {_ARRAY_NEEDED}")
    return board_formats.Rows(rows, lambda c: f"{name}: column {c}")


def _in_memory(file: IO[bytes], rows: np.memmap[Any, Any], name: str) -> NDArray[Any]:
    """Read what is mapped: unlike copying, reading survives a file that is shortened meanwhile."""
    check_memory(rows.nbytes, f"reading {name}")
    file.seek(rows.offset)
    read = np.fromfile(file, rows.dtype, len(rows))
    if len(read) < len(rows):
        raise InputError(f"{name}: it was shortened while it was read; {_ARRAY_NEEDED}")
    return read


def _npy_content(queens: Queens, rows_from: int) -> Iterator[bytes]:
    """Yield the header and the array of the file."""
    yield _npy_header(queens.dtype, len(queens))
    for _, rows in pieces_of(queens, rows_from):
        yield rows.tobytes()


def _npy_header(dtype: np.dtype[Any], n: int) -> bytes:
    """Return what an ``.npy`` file begins with."""
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": dtype.str, "fortran_order": False, "shape": (n,)})
    return header.getvalue()


_FORMATS = {
    ".npy": _Format(_read_npy, _npy_content),
    ".txt": _Format(board_formats.read_text, board_formats.text_content),
    ".csv": _Format(board_formats.read_csv, board_formats.csv_content),
    ".json": _Format(board_formats.read_json, board_formats.json_content),
}

FORMATS = tuple(_FORMATS)

#: Windows renames no file that is still mapped.
_RENAMES_MAPPED_FILES = os.name != "nt"


def read_board(source: FileName, *, rows_from: int = 0, mapped: bool = True) -> Queens:
    r"""Read a board from a file; the suffix decides the format, and a file without one is text.

    Parameters
    ----------
    source : str or path
        The file, or "-" for text on standard input.
    rows_from : 0 or 1
        The number of the first row in the file.
    mapped : bool
        Whether the board may stay in an ``.npy`` file of 16 MiB or more. With False it is read into memory.

    Returns
    -------
    (n,) int32 array, uint32 from n = 2^31 on
        ``queens[c]`` from 0 to n - 1. An ``.npy`` file of 16 MiB or more that already has this form is mapped,
        read-only, and never copied, unless ``mapped`` is False. Nobody may change a mapped file in place: if it is
        shortened, for example by ``numpy.save``, the system ends this process when it next uses the board.
        :func:`write_board` replaces the file and keeps the board. Next to the result, reading takes up to 8 bytes per
        queen for text, 17 for ``.csv``, and 40 plus the size of the file for ``.json``.

    Raises
    ------
    InputError
        Naming the file, the place in it, the value found, and what would be valid.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "four.txt")
    ...     write_board(file, [1, 3, 0, 2])
    ...     file.read_text(), read_board(file)
    ('1\n3\n0\n2\n', array([1, 3, 0, 2], dtype=int32))

    """
    check_rows_from(rows_from)
    suffix = checked_suffix(source, FORMATS) if os.path.splitext(source)[1] else ".txt"
    with open_input(source) as (file, name):
        found = _FORMATS[suffix].read(file, name)
        if isinstance(found.rows, np.memmap):
            size = found.rows.offset + found.rows.nbytes
            if not mapped or size < thresholds.current.mapped_bytes:
                found = found._replace(rows=_in_memory(file, found.rows, name))
        return found.board(rows_from, name)


def parse_board(text: str, *, rows_from: int = 0, name: str = "--board") -> Queens:
    """Read a board from one line of text, with blanks or commas between the rows.

    >>> parse_board("2 4 1 3", rows_from=1)
    array([1, 3, 0, 2], dtype=int32)
    >>> parse_board("1, 3, x, 2")
    Traceback (most recent call last):
    ...
    fastqueens.InputError: --board: column 2 holds 'x'; a whole number is needed
    """
    check_rows_from(rows_from)
    return board_formats.rows_of_line(text, name).board(rows_from, name)


def write_board(path: FileName, queens: Any, *, rows_from: int = 0) -> None:
    """Write a board in the format of the suffix; if that fails, an earlier file of that name stays unchanged.

    Parameters
    ----------
    path : str or path
        The file. An earlier one is replaced when the new one is complete.
    queens : sequence or array of n integers
        ``queens[c]`` from 0 to n - 1.
    rows_from : 0 or 1
        The number of the first row in the file.

    Raises
    ------
    InputError
        If the suffix is unknown, the board is not valid, or the file cannot be written.

    """
    check_rows_from(rows_from)
    checked_suffix(path, FORMATS)
    write_checked_board(path, as_queens(queens), rows_from)


def write_checked_board(path: FileName, queens: Queens, rows_from: int = 0) -> None:
    """Write a board as :func:`write_board` does, without validating its rows again: the solver has just verified it."""
    suffix = checked_suffix(path, FORMATS)
    with atomic_write(path) as file:
        if suffix == ".npy":
            reserve(file.fileno(), queens.nbytes)
        for block in _FORMATS[suffix].content(queens, rows_from):
            file.write(block)


@contextlib.contextmanager
def board_in_file(path: FileName, n: int) -> Iterator[Queens | None]:
    """Let the ``with`` block fill a large board in its ``.npy`` file, so that it need not fit into memory.

    The disk space is claimed first. When the block ends, the file replaces its target and the array becomes read-only.
    If the block raises, the file vanishes.

    Parameters
    ----------
    path : str or path
        The file.
    n : int
        The length of the board.

    Yields
    ------
    (n,) int32 array, uint32 from n = 2^31 on; or None
        ``queens[c]`` from 0 to n - 1, for the caller to fill; its first content is arbitrary. None if the board has to
        be made in memory and written when it is complete, with :func:`write_checked_board`: it is small, or the file
        has another format, is a pipe or a device, or is on Windows.

    Raises
    ------
    InputError
        If the file cannot be written, or if the disk is too small for it.
    MemoryError
        If the address space of this process is too small for the file.

    """
    if n < thresholds.current.made_in_file or not _can_be_mapped(path):
        yield None
        return
    n = check_n(n)
    dtype = np.dtype(row_dtype(n))
    with atomic_write(path) as file:
        header = _npy_header(dtype, n)
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


def _can_be_mapped(path: FileName) -> bool:
    """Tell whether a board can be made in this file: an ``.npy``, but not a pipe or a device, nor on Windows."""
    is_npy = os.path.splitext(path)[1].lower() == ".npy"
    return _RENAMES_MAPPED_FILES and is_npy and (os.path.isfile(path) or not os.path.exists(path))


def write_board_text(stream: IO[bytes], queens: Any, *, rows_from: int = 0) -> None:
    """Write a board to an open binary stream, one row in each line, and flush it.

    Raises
    ------
    InputError
        If the board is not valid or the stream cannot be written. ``BrokenPipeError`` passes through.

    """
    check_rows_from(rows_from)
    try:
        stream.writelines(board_formats.text_content(as_queens(queens), rows_from))
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"{getattr(stream, 'name', 'output')}: {error.strerror or error}") from error
