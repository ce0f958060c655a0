"""Board files: reading by content, and writing ``.npy``, ``.txt``, ``.csv`` and ``.json``.

``board_tables`` reads arrays, and ``board_text`` everything else. A file is read if it has one meaning, and refused
otherwise. With ``rows_from=1`` the file counts rows from 1. Boards in memory always count from 0.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
from collections.abc import Callable, Iterator
from typing import IO, Any

import numpy as np

from fastqueens._run import thresholds
from fastqueens._run.text import counted
from fastqueens.board import Queens, as_queens, check_n, row_dtype
from fastqueens.errors import InputError
from fastqueens.files import board_tables, board_text
from fastqueens.files.atomic import atomic_write, claim_space
from fastqueens.files.text import FileName, check_rows_from, checked_suffix, name_of_input, open_input, pieces_of

#: The first bytes of pictures, which are mistaken for boards most often.
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"<svg", b"%PDF")


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


#: What yields the bytes of a file, from a board and the number of its first row.
_FORMATS: dict[str, Callable[[Queens, int], Iterator[bytes]]] = {
    ".npy": _npy_content,
    ".txt": board_text.text_content,
    ".csv": board_text.csv_content,
    ".json": board_text.json_content,
}

FORMATS = tuple(_FORMATS)

#: Windows renames no file that is still mapped.
_RENAMES_MAPPED_FILES = os.name != "nt"


def read_board(source: FileName, *, rows_from: int = 0, mapped: bool = True) -> Queens:
    r"""Read a board from a file of fastqueens or of another program; its content decides how.

    Parameters
    ----------
    source : str or path
        The file, or "-" for text on standard input. docs/files.md says what it may hold.
    rows_from : 0 or 1
        The number of the first row in the file. It does not matter if the content says so itself.
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
        Naming the file, the place in it, the value found, and what would be valid; also if there are several boards, or
        if the content can be read in two ways.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "four.txt")
    ...     write_board(file, [1, 3, 0, 2])
    ...     file.read_text(), read_board(file)
    ('1\n3\n0\n2\n', array([1, 3, 0, 2], dtype=int32))

    """
    queens, _ = read_any(source, rows_from, mapped=mapped)
    return queens if queens.ndim == 1 else only_board(queens, name_of_input(source))


def read_boards(source: FileName, *, rows_from: int = 0) -> Queens:
    r"""Read all boards of a file, which have one size: ``.npz``, ``.npy``, a board in each line, or any single board.

    Parameters
    ----------
    source : str or path
        The file, or "-" for text on standard input.
    rows_from : 0 or 1
        The number of the first row in the file. It does not matter if the content says so itself.

    Returns
    -------
    (count, n) int32 array, uint32 from n = 2^31 on
        ``boards[k, c]`` is the row of the queen in column c of board k, from 0 to n - 1. It may be mapped as that of
        :func:`read_board`.

    Raises
    ------
    InputError
        Naming the file, the place in it, the value found, and what would be valid.
    NotEnoughMemoryError
        If the boards do not fit into memory.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "solutions.txt")
    ...     _ = file.write_text("[1, 3, 0, 2]\n[2, 0, 3, 1]")
    ...     read_boards(file).tolist()
    [[1, 3, 0, 2], [2, 0, 3, 1]]

    """
    queens, _ = read_any(source, rows_from)
    return queens.reshape(-1, queens.shape[-1])


def read_any(source: FileName, rows_from: int, *, mapped: bool = True) -> tuple[Queens, str]:
    """Return the board of a file, or all as an array with two dimensions; and what the content was read as."""
    check_rows_from(rows_from)
    with open_input(source) as (file, name):
        found = _read(file, name, rows_from, os.path.splitext(source)[1].lower(), mapped)
        return found.boards(rows_from, name), found.kind


def _read(file: IO[bytes], name: str, rows_from: int, suffix: str, mapped: bool) -> board_tables.Rows:
    """Return the boards of an open file; its first bytes tell whether it is an array, an archive or a text."""
    if suffix == ".npy":
        board_tables.check_is_regular(file, name)  # before waiting for the first bytes
    start = file.peek(16)[:16] if isinstance(file, io.BufferedReader) else b""
    if start.startswith(_PICTURES):
        raise InputError(f"{name}: this is a picture, and a board is needed")
    if start.startswith(b"PK"):
        return board_tables.read_npz(file, name)
    if start.startswith(b"\x93NUMPY"):
        array = board_tables.map_npy(file, name)
        is_small = array.offset + array.nbytes < thresholds.current.mapped_bytes
        is_read = is_small or not mapped or not array.flags.c_contiguous
        return board_tables.of_array(board_tables.in_memory(file, array, name) if is_read else array, name)
    if suffix in (".npy", ".npz") and start:
        raise InputError(
            f"{name}: this is not an {suffix} file, it starts with {start[:6]!r}; {board_tables.ARRAY_NEEDED}"
        )
    return board_text.read_text(file, name, rows_from)


def only_board(boards: Queens, name: str) -> Queens:
    """Return the board of an array of boards; raise :class:`InputError` if there are several."""
    if len(boards) > 1:
        raise InputError(f"{name}: it holds {counted(len(boards), 'board')}; a single board is needed")
    board: Queens = boards[0]
    return board


def parse_board(text: str, *, rows_from: int = 0, name: str = "--board") -> Queens:
    """Read a board from a text, for example from an option."""
    boards, _ = parse_boards(text, rows_from, name)
    return boards if boards.ndim == 1 else only_board(boards, name)


def parse_boards(text: str, rows_from: int, name: str = "--board") -> tuple[Queens, str]:
    """Return the board in a text, or several; and what it was read as."""
    check_rows_from(rows_from)
    found = board_text.read_text(io.BytesIO(text.encode(errors="replace")), name, rows_from)
    return found.boards(rows_from, name), found.kind


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
        for block in _FORMATS[suffix](queens, rows_from):
            file.write(block)


@contextlib.contextmanager
def board_in_file(path: FileName, n: int) -> Iterator[Queens | None]:
    """Let the ``with`` block fill a large board in its ``.npy`` file, so that it need not fit into memory.

    The disk space is claimed first. When the block ends, the file replaces its target and the array becomes read-only.
    If the block raises, the file vanishes. The first content of the array is arbitrary. It is None if the board has to
    be made in memory and written with :func:`write_checked_board`: it is small, or the file has another format, is a
    pipe or a device, or is on Windows.
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
            need = n * dtype.itemsize / 1_000_000
            raise MemoryError(f"{os.fspath(path)}: mapping it needs {need:,.0f} MB of address space") from error
        queens = mapped.view(np.ndarray)
        yield queens
        mapped.flush()
        queens.flags.writeable = False


def _can_be_mapped(path: FileName) -> bool:
    """Tell whether a board can be made in this file: an ``.npy``, but not a pipe or a device, nor on Windows."""
    is_npy = os.path.splitext(path)[1].lower() == ".npy"
    return _RENAMES_MAPPED_FILES and is_npy and (os.path.isfile(path) or not os.path.exists(path))
