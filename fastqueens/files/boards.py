"""Board files: readers that recognize the content, and writers of ``.npy``, ``.txt``, ``.csv`` and ``.json``.

``board_forms`` interprets the content. With ``rows_from=1``, a file counts rows from 1. Boards in memory always count
rows from 0.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
import warnings
from collections.abc import Iterable, Iterator
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.arguments import check_integer
from fastqueens._run.memory import check_memory
from fastqueens._run.text import counted
from fastqueens.board import Queens, as_queens, check_n, row_dtype
from fastqueens.errors import InputError, is_raised_in
from fastqueens.files.atomic import atomic_write, claim_space
from fastqueens.files.headers import constraints_in
from fastqueens.files.numbers import ARRAY_NEEDED, READING_ARRAYS, lines_of_numbers, pieces_of, unpacked
from fastqueens.files.text import (
    NO_PIPE,
    FileName,
    checked_suffix,
    is_regular,
    name_of_input,
    open_input,
    shortened,
)

if TYPE_CHECKING:
    from fastqueens.files.board_forms import Rows

#: Boards of at least this n are created directly in their ``.npy`` file.
MADE_IN_FILE: Final = 1 << 22

#: ``.npy`` files of at least this many bytes are mapped into memory instead of read.
MAPPED_BYTES: Final = 1 << 24

#: The first bytes of pictures, the files that are most often mistaken for boards.
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"<svg", b"%PDF")

#: The names of boards in an archive. numpy.savez calls unnamed arrays arr_0, arr_1 and so on.
_NAMES = ("boards", "queens", "arr_0", "arr_1")

_BOARDS_NEEDED = "it must hold one array, named boards, of shape (boards, n)"


FORMATS = (".npy", ".txt", ".csv", ".json")

#: Windows can neither rename nor replace a file that is mapped.
_REPLACES_MAPPED_FILES = os.name != "nt"


def read_board(source: FileName, *, rows_from: SupportsIndex = 0, mapped: bool = True) -> Queens:
    r"""Read a board from a file of fastqueens or of another program. The content determines the format.

    Parameters
    ----------
    source : str or path
        The file, or "-" for text on standard input. See docs/reference/files.md for the accepted forms.
    rows_from : int
        The number of the first row in the file, 0 (the default) or 1, unless the content states it.
    mapped : bool
        Map an ``.npy`` file of 16 MiB or more instead of reading it into memory. Default: True. Windows never maps,
        because it cannot replace a mapped file.

    Returns
    -------
    (n,) int32 array, uint32 from n = 2^31 on
        The row of the queen in each column, from 0.

    Raises
    ------
    InputError
        If the file cannot be read, or holds no board, several boards or ambiguous content. The message names the file,
        the place in it, the value found, and valid values.
    NotEnoughMemoryError
        If the board does not fit into memory.

    Warns
    -----
    UserWarning
        If lines of words are ignored, or pairs are read as column and row.

    See Also
    --------
    write_board : Write a board.
    read_boards : Read several boards from one file.

    Notes
    -----
    An ``.npy`` file of 16 MiB or more that has the dtype of the result is mapped read-only, and not copied. Do not
    change a mapped file in place: if it becomes shorter, for example through ``numpy.save``, the system ends this
    process at its next access to the board. Writing with :func:`write_board` is safe, because it replaces the file.

    In addition to the result, reading takes up to 8 bytes per queen for text, 17 for ``.csv``, and 40 plus the size of
    the file for ``.json``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "four.txt")
    ...     write_board(file, [1, 3, 0, 2])
    ...     file.read_text(), read_board(file)
    ('1\n3\n0\n2\n', array([1, 3, 0, 2], dtype=int32))

    """
    found = read_any(source, check_integer(rows_from, "rows_from", 0, 1), mapped=mapped)
    found.warn()
    return _only_board(found.queens, name_of_input(source))


def read_boards(source: FileName, *, rows_from: SupportsIndex = 0) -> Queens:
    r"""Read all boards of a file. They must have the same size.

    Parameters
    ----------
    source : str or path
        The file, or "-" for text on standard input: an ``.npz`` or ``.npy`` array, one board per line, or any file with
        a single board.
    rows_from : int
        The number of the first row in the file, 0 (the default) or 1, unless the content states it.

    Returns
    -------
    (count, n) int32 array, uint32 from n = 2^31 on
        ``boards[k, c]`` is the row of the queen in column c of board k, from 0. The array can be mapped from the file,
        as in :func:`read_board`.

    Raises
    ------
    InputError
        If the file cannot be read, or holds no boards or ambiguous content. The message names the file, the place in
        it, the value found, and valid values.
    NotEnoughMemoryError
        If the boards do not fit into memory.

    Warns
    -----
    UserWarning
        If lines of words are ignored, or pairs are read as column and row.

    See Also
    --------
    read_board : Read a single board.
    sample : Draw random solutions, which the command line can write to a file.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "solutions.txt")
    ...     _ = file.write_text("[1, 3, 0, 2]\n[2, 0, 3, 1]")
    ...     read_boards(file).tolist()
    [[1, 3, 0, 2], [2, 0, 3, 1]]

    """
    found = read_any(source, check_integer(rows_from, "rows_from", 0, 1))
    found.warn()
    return found.queens.reshape(-1, found.queens.shape[-1])


class Reading(NamedTuple):
    """A board, or several boards as a two-dimensional array, with the form of the content and notes for the user.

    The content numbers rows from ``rows_from``, and can state constraints of the boards, here in words.
    """

    queens: Queens
    kind: str
    rows_from: int
    notes: tuple[str, ...]
    constraints: str

    def warn(self) -> None:
        """Issue a warning with each note for the caller of the public function that calls this method."""
        for note in self.notes:
            warnings.warn(note, stacklevel=3)


def read_any(source: FileName, rows_from: int | None, *, mapped: bool = True) -> Reading:
    """Read the boards of a file. If ``rows_from`` is None, the content must show from which number rows count."""
    with open_input(source) as (file, name):
        return _reading(_read(file, name, rows_from, os.path.splitext(source)[1].lower(), mapped), rows_from, name)


def _reading(found: Rows, rows_from: int | None, name: str) -> Reading:
    first = found.first_row(rows_from, name)
    return Reading(found.boards(first, name), found.kind, first, found.notes, found.constraints)


def _read(file: IO[bytes], name: str, rows_from: int | None, suffix: str, mapped: bool) -> Rows:
    """Return the boards of an open file. Its first bytes determine whether it is an array, an archive or a text."""
    from fastqueens.files import board_forms  # imported late, since most commands only write boards

    start = file.peek(16)[:16] if isinstance(file, io.BufferedReader) else b""
    if start.startswith(_PICTURES):
        raise InputError(f"{name} is a picture, not a board; name the file with its numbers")
    if start.startswith(b"PK"):
        found = unpacked(file, name, (*_NAMES, "rows_from", "instance"), _BOARDS_NEEDED)
        parts = [part for part in _NAMES if part in found]
        if len(parts) != 1:
            held = f"the arrays {' and '.join(parts)}" if parts else "no array of boards"
            raise InputError(f"{name}: the archive holds {held}; {_BOARDS_NEEDED}")
        [part] = parts
        rows = board_forms.of_array(found[part], name, part, are_boards=part in _NAMES[:2])
        if "instance" in found:
            rows = rows._replace(constraints=constraints_in(str(found["instance"])))
        if "rows_from" in found:
            return rows._replace(rows_from=int(np.array_equal(found["rows_from"], 1)))
        return rows
    if start.startswith(b"\x93NUMPY"):
        array = _map_npy(file, name)
        is_large = array.offset + array.nbytes >= MAPPED_BYTES
        stays_mapped = mapped and is_large and _REPLACES_MAPPED_FILES and array.flags.c_contiguous
        return board_forms.of_array(array if stays_mapped else _in_memory(file, array, name), name)
    if suffix == ".py":
        raise InputError(f"{name} is a program, not a board; pass its output: python {name} | fastqueens verify -")
    if suffix in (".npy", ".npz") and start:
        raise InputError(f"{name} is not an {suffix} file (it begins with {start[:6]!r}); {ARRAY_NEEDED}")
    return board_forms.read_text(file, name, rows_from)


def _map_npy(file: IO[bytes], name: str) -> np.memmap[Any, Any]:
    """Map the array of an ``.npy`` file."""
    if not is_regular(file) or file is getattr(sys.stdin, "buffer", None):
        raise InputError(f"{name}: {NO_PIPE}")
    try:
        # Overflows are errors, since the file is refused in any case. Unusual headers cause warnings.
        with np.errstate(over="raise"), warnings.catch_warnings(action="ignore"):
            rows: np.memmap[Any, Any] = np.load(name, mmap_mode="r", allow_pickle=False)
    except Exception as error:  # a broken header can cause almost any exception in NumPy
        if not is_raised_in(error, *READING_ARRAYS):
            raise
        raise InputError(f"{name} cannot be read as .npy ({shortened(str(error), 200)}); {ARRAY_NEEDED}") from error
    surplus = os.fstat(file.fileno()).st_size - rows.offset - rows.nbytes
    if surplus and rows.size:
        raise InputError(f"{name}: {counted(surplus, 'byte')} after the array; {ARRAY_NEEDED}")
    return rows


def _in_memory(file: IO[bytes], rows: np.memmap[Any, Any], name: str) -> NDArray[Any]:
    """Read a mapped array into memory. Unlike copying, reading is safe if the file becomes shorter meanwhile."""
    is_transposed = not rows.flags.c_contiguous
    check_memory(rows.nbytes * (1 + is_transposed), f"reading {name}")
    file.seek(rows.offset)
    read = np.fromfile(file, rows.dtype, rows.size)
    if len(read) < rows.size:
        raise InputError(f"{name} became shorter while it was read; {ARRAY_NEEDED}")
    return np.ascontiguousarray(read.reshape(rows.shape, order="F" if is_transposed else "C"))


def _only_board(boards: Queens, name: str) -> Queens:
    """Return the only board; raise :class:`InputError` if there are several."""
    if boards.ndim > 1 and len(boards) > 1:
        raise InputError(f"{name} holds {counted(len(boards), 'board')}; it must hold one (read_boards reads several)")
    return boards.reshape(-1)


def parse_boards(text: str, rows_from: int | None) -> Reading:
    """Return the board or boards in the text of ``--board``, as :func:`read_any` does."""
    from fastqueens.files.board_forms import read_text

    content = io.BytesIO(text.encode(errors="replace"))
    return _reading(read_text(content, "--board", rows_from), rows_from, "--board")


def write_board(path: FileName, queens: Any, *, rows_from: SupportsIndex = 0) -> None:
    r"""Write a board to a file. The suffix determines the format.

    Parameters
    ----------
    path : str or path
        A name ending in .npy, .txt, .csv or .json. An earlier file is replaced when the new one is complete, and
        unchanged if writing fails.
    queens : sequence or array of n integers
        The row of the queen in each column, from 0.
    rows_from : int
        The number of the first row in the file, 0 (the default) or 1.

    Raises
    ------
    InputError
        If the suffix is unknown, ``queens`` is not a board, or the file cannot be written.

    See Also
    --------
    read_board : Read a board.
    picture : Draw a board.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "four.csv")
    ...     write_board(file, [1, 3, 0, 2])
    ...     file.read_text()
    'column,row\n0,1\n1,3\n2,0\n3,2\n'
    """
    rows_from = check_integer(rows_from, "rows_from", 0, 1)
    checked_suffix(path, FORMATS)
    write_checked_board(path, as_queens(queens), rows_from)


def write_checked_board(path: FileName, queens: Queens, rows_from: int = 0) -> None:
    """Write a board as :func:`write_board` does, but without checking its rows, which the solver has just verified."""
    suffix = checked_suffix(path, FORMATS)
    with atomic_write(path) as file:
        file.writelines(content_of(queens, rows_from, suffix))


def content_of(queens: Queens, rows_from: int, suffix: str) -> Iterator[bytes]:
    """Yield the parts of the content of a board file with this suffix."""
    pieces = pieces_of(queens, rows_from)
    if suffix == ".npy":
        yield _npy_header(queens.dtype, len(queens))
        yield from (rows.tobytes() for _, rows in pieces)
    elif suffix == ".txt":
        yield from (lines_of_numbers("%d\n", rows) for _, rows in pieces)
    elif suffix == ".csv":
        yield from table_of_squares(
            np.column_stack((np.arange(first, first + len(rows)), rows)) for first, rows in pieces
        )
    else:
        yield f'{{"n": {len(queens)}, "queens": ['.encode()
        yield from (lines_of_numbers(", %d", rows)[0 if first else 2 :] for first, rows in pieces)
        yield b"]}\n"


def table_of_squares(pieces: Iterable[NDArray[Any]]) -> Iterator[bytes]:
    """Yield the header ``column,row``, and then the lines of each (k, 2) array of squares."""
    yield b"column,row\n"
    for piece in pieces:
        yield lines_of_numbers("%d,%d\n", piece)


@contextlib.contextmanager
def board_in_file(path: FileName, n: int) -> Iterator[Queens | None]:
    """Open the ``.npy`` file of a large board, and yield an array that the ``with`` block fills.

    The board then need not fit into memory. The array is not initialised, and becomes read-only when the file replaces
    its target. It is None if the board must be made in memory, because it is small, or because the file has another
    format, is a pipe or a device, or is on Windows.
    """
    if n < MADE_IN_FILE or not _can_be_mapped(path):
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
            raise MemoryError(f"mapping {os.fspath(path)} needs {need:,.0f} MB of address space") from error
        queens = mapped.view(np.ndarray)
        yield queens
        mapped.flush()
        queens.flags.writeable = False


def _can_be_mapped(path: FileName) -> bool:
    """Return whether a board can be made in this file: a regular ``.npy`` file on a system other than Windows."""
    is_npy = os.path.splitext(path)[1].lower() == ".npy"
    return _REPLACES_MAPPED_FILES and is_npy and (os.path.isfile(path) or not os.path.exists(path))


def _npy_header(dtype: np.dtype[Any], n: int) -> bytes:
    """Return the header of an ``.npy`` file."""
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": dtype.str, "fortran_order": False, "shape": (n,)})
    return header.getvalue()
