"""Read and write boards in ``.npy``, ``.txt``, ``.csv`` and ``.json``.

With ``rows_from=1`` the file counts rows from 1. Columns, and boards in memory, always count from 0. Whether a board is
a solution is not checked here.
"""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Callable, Iterator
from typing import IO, Any, NamedTuple, cast

from fastqueens.core import thresholds
from fastqueens.core.board import Queens, as_queens
from fastqueens.core.errors import InputError
from fastqueens.files import board_csv, board_json, board_line, board_npy, board_text
from fastqueens.files.atomic import atomic_write, reserve
from fastqueens.files.text import FileName, checked_suffix, open_input


class _Format(NamedTuple):
    """``read(file, name, rows_from)`` returns a board; ``content(queens, rows_from)`` yields the bytes of its file."""

    read: Callable[[IO[bytes], str, int], Queens]
    content: Callable[[Queens, int], Iterator[bytes]]


_FORMATS = {
    ".npy": _Format(board_npy.read, board_npy.content),
    ".txt": _Format(board_text.read, board_text.content),
    ".csv": _Format(board_csv.read, board_csv.content),
    ".json": _Format(board_json.read, board_json.content),
}

FORMATS = tuple(_FORMATS)


def check_suffix(path: FileName) -> str:
    """Return the suffix in lower case, or raise :class:`InputError` if it is not one of the four formats."""
    return checked_suffix(path, FORMATS)


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
        queen for text, 17 for ``.csv``, and 6 plus the size of the file for ``.json`` in the layout of
        :func:`write_board`.

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
    _check_rows_from(rows_from)
    suffix = check_suffix(source) if os.path.splitext(source)[1] else ".txt"
    with open_input(source) as (file, name):
        if suffix == ".npy":
            return board_npy.read(file, name, rows_from, mapped=mapped)
        return _FORMATS[suffix].read(file, name, rows_from)


def parse_board(text: str, *, rows_from: int = 0, name: str = "--board") -> Queens:
    """Read a board from one line of text, with blanks or commas between the rows.

    >>> parse_board("2 4 1 3", rows_from=1)
    array([1, 3, 0, 2], dtype=int32)
    >>> parse_board("1, 3, x, 2")
    Traceback (most recent call last):
    ...
    fastqueens.InputError: --board: column 2 holds 'x'; a whole number is needed
    """
    _check_rows_from(rows_from)
    return board_line.parse(text, rows_from, name)


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
    _check_rows_from(rows_from)
    check_suffix(path)
    write_checked_board(path, as_queens(queens), rows_from)


def write_checked_board(path: FileName, queens: Queens, rows_from: int = 0) -> None:
    """Write a board as :func:`write_board` does, without validating its rows again: the solver has just verified it."""
    suffix = check_suffix(path)
    with atomic_write(path) as file:
        if suffix == ".npy":
            reserve(file.fileno(), queens.nbytes)
        for block in _FORMATS[suffix].content(queens, rows_from):
            file.write(block)


@contextlib.contextmanager
def board_in_file(path: FileName, n: int, rows_from: int = 0) -> Iterator[Queens | None]:
    """Let the ``with`` block fill a large board in its ``.npy`` file, so that it need not fit into memory.

    The disk space is claimed first. When the block ends, the file replaces its target and the array becomes read-only.
    If the block raises, the file vanishes.

    Parameters
    ----------
    path : str or path
        The file.
    n : int
        The length of the board.
    rows_from : 0 or 1
        The number of the first row in the file.

    Yields
    ------
    (n,) int32 array, uint32 from n = 2^31 on; or None
        ``queens[c]`` from 0 to n - 1, for the caller to fill; its first content is arbitrary. None if the board has to
        be made in memory and written when it is complete, with :func:`write_checked_board`: it is small, rows count
        from 1, or the file has another format, is a pipe or a device, or is on Windows.

    Raises
    ------
    InputError
        If the file cannot be written, or if the disk is too small for it.
    MemoryError
        If the address space of this process is too small for the file.

    """
    if rows_from == 0 and n >= thresholds.current.made_in_file and board_npy.can_be_mapped(path):
        with board_npy.mapped_board(path, n) as queens:
            yield queens
    else:
        yield None


def write_board_text(stream: IO[str] | IO[bytes], queens: Any, *, rows_from: int = 0) -> None:
    """Write a board to an open stream, one row in each line, and flush it.

    Raises
    ------
    InputError
        If the board is not valid or the stream cannot be written. ``BrokenPipeError`` passes through.

    """
    _check_rows_from(rows_from)
    blocks = board_text.content(as_queens(queens), rows_from)
    try:
        if isinstance(stream, io.TextIOBase):
            stream.writelines(block.decode("ascii") for block in blocks)
        else:
            cast("IO[bytes]", stream).writelines(blocks)
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"{getattr(stream, 'name', 'output')}: {error.strerror or error}") from error


def _check_rows_from(rows_from: int) -> None:
    if rows_from not in (0, 1):
        raise InputError(f"rows_from is {rows_from!r}; rows count from 0 or from 1")
