"""What arrays and tables of numbers mean as boards; those with two meanings, or none, are refused.

``.npy`` and ``.npz`` files can be of any program; nothing in them is unpickled.
"""

from __future__ import annotations

import math
import os
import stat
import sys
import warnings
from collections.abc import Callable
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.memory import check_memory
from fastqueens._run.text import counted
from fastqueens.board import Queens, check_n, count_from_one, row_dtype
from fastqueens.errors import ROWS_FROM_1, InputError
from fastqueens.files.text import Place, check_range, pieces_of, shortened

#: What a board file can hold. It is the note of the error for other files.
FORMS = (
    "Boards are read from rows (1 3 0 2, in one line or one per line), squares below the header column,row, drawings "
    "(Q and .), square matrices of 0 and 1, JSON, .npy and .npz (docs/files.md)."
)

#: What rows in a text are read as.
ROWS = ("all rows in one line", "one row per line", "one board per line")

ARRAY_NEEDED = "an array of whole numbers is needed, of shape (n,) or (boards, n)"
_BOARDS_NEEDED = "the array boards is needed, of shape (boards, n)"

#: What programs call the boards in an archive; numpy.savez calls arrays without a name arr_0 and so on.
_NAMES = ("boards", "queens", "arr_0", "arr_1")

#: Larger boards and tables are not compared with what else they can mean.
_MOST_COMPARED = 1_000_000


def with_forms(message: str) -> InputError:
    """Return an error with a note that says what a board file can hold."""
    error = InputError(message)
    error.add_note(FORMS)
    return error


class SharedColumnError(InputError):
    """A drawing, a matrix or a list of squares has n queens, and two of them in one column: a wrong answer.

    ``squares`` is an (n, 2) array, column and row of each queen from 0, and ``pair`` the first two in one column.
    ``number`` and ``count`` say which of several boards it is, from 1.
    """

    def __init__(self, message: str, squares: NDArray[np.int64], pair: list[list[int]]) -> None:
        super().__init__(message)
        self.squares, self.pair = squares, pair
        self.number = self.count = 1


class Rows(NamedTuple):
    """The rows of a board, or of several as (boards, n), as their file counts them and not yet checked.

    ``place`` tells where a row is, by its index in the flat array, and ``kind`` what the content was read as.
    ``rows_from`` is the number of the first row, if the content says so.
    """

    rows: NDArray[Any]
    place: Place
    kind: str
    rows_from: int | None = None

    def boards(self, rows_from: int, name: str) -> Queens:
        """Return the checked rows, counted from 0 and in the dtype of a board; copied only if they are not yet so."""
        if self.rows.size == 0:
            raise InputError(f"{name}: it is empty; a board has at least 1 queen")
        first = rows_from if self.rows_from is None else self.rows_from
        n = check_n(self.rows.shape[-1])
        dtype, flat = row_dtype(n), self.rows.reshape(-1)
        try:
            check_range(flat, first, n - 1 + first, self.place, "rows")
        except InputError as error:
            raise InputError(f"{error}{ROWS_FROM_1}") if first == 0 and count_from_one(flat, n) else error from None
        if first == 0 and self.rows.dtype == dtype:
            return self.rows
        queens: Queens = np.empty(len(flat), dtype)
        for start, piece in pieces_of(flat):
            queens[start : start + len(piece)] = piece.astype(np.int64) - first
        return queens.reshape(self.rows.shape)


def of_table(table: NDArray[Any], place: Callable[[int], str], name: str) -> Rows:
    """Return what a (lines, width) table of whole numbers means; ``place`` tells where a line is."""
    lines, width = table.shape
    if width == 1:
        return Rows(checked_row(table[:, 0], name), lambda c: f"{name}: {place(c)}", ROWS[1])
    if lines == 1:
        return Rows(checked_row(table[0], name), lambda c: f"{name}: column {c}", ROWS[0])
    if width == 2:
        raise InputError(
            f"{name}: pairs of numbers can be squares or boards of 2 queens; write the header column,row or "
            "row,column above squares"
        )
    if _is_binary(table):
        if lines != width:
            raise InputError(f"{name}: it has only 0 and 1, in {lines} lines of {width}; a matrix is square")
        return of_matrix((table == 1)[None], name, "a matrix of 0 and 1")
    _check_edges(table, place, name)
    if table.size <= _MOST_COMPARED and not _are_permutations(table):
        if _are_permutations(table.T):
            raise InputError(f"{name}: each column is a permutation, and not each line; write one board per line")
        if lines == width:
            raise with_forms(
                f"{name}: a square table is a matrix of 0 and 1, or has a permutation in each line; this one is neither"
            )
    return Rows(table, lambda at: f"{name}: {place(at // width)}: column {at % width}", ROWS[2])


def of_matrix(has_queen: NDArray[np.bool_], name: str, kind: str) -> Rows:
    """Return the boards whose squares [board, row, column] are True where a queen is."""
    boards, n, _ = has_queen.shape
    queens = np.count_nonzero(has_queen, axis=1)
    for at in np.flatnonzero(np.any(queens != 1, axis=1))[:1]:
        label = f"{name}: board {at + 1}" if boards > 1 else name
        count = int(queens[at].sum())
        if count != n:
            raise InputError(f"{label}: {kind} has {counted(count, 'queen')} on {n} rows; {n} are needed")
        rows, columns = np.nonzero(has_queen[at])
        error = shared_column(label, columns, rows, kind)
        error.number, error.count = int(at) + 1, boards
        raise error
    rows = has_queen.argmax(axis=1)
    return Rows(rows[0] if boards == 1 else rows, lambda at: f"{name}: column {at % n}", kind, 0)


def of_squares(columns: NDArray[Any], rows: NDArray[Any], place: Place, name: str, rows_from: int) -> Rows:
    """Return the board of queens on these squares, in any order; columns may count from 1 if rows do."""
    n = len(columns)
    first = int(n > 0 and columns.min() == 1 and columns.max() == n)
    if first and rows_from == 0:
        hint = ROWS_FROM_1 if rows.min() > 0 else ""
        raise InputError(f"{name}: columns go from 1 to {n}, and they count from 0 as rows do{hint}")
    check_range(columns, first, n - 1 + first, place, f"columns in a file of {counted(n, 'queen')}")
    at = columns.astype(np.int64) - first
    if n and np.bincount(at, minlength=n).max() > 1:
        check_range(rows, rows_from, n - 1 + rows_from, place, "rows")
        raise shared_column(name, at, rows.astype(np.int64) - rows_from, "the list of squares")
    ordered = np.empty_like(rows)
    ordered[at] = rows
    return Rows(ordered, lambda c: place(int(np.argmax(at == c))), "squares of queens")


def shared_column(name: str, columns: NDArray[Any], rows: NDArray[Any], kind: str) -> SharedColumnError:
    """Return the error for n queens of which two are in one column."""
    squares = np.column_stack((columns, rows)).astype(np.int64)
    squares = squares[np.lexsort((rows, columns))]
    at = int(np.argmax(squares[1:, 0] == squares[:-1, 0]))
    pair = squares[at : at + 2].tolist()
    message = (
        f"{name}: {kind} has two queens in column {pair[0][0]}, in rows {pair[0][1]} and {pair[1][1]}; a board has one "
        "queen in each column"
    )
    return SharedColumnError(message, squares, pair)


def has_n_in_front(boards: NDArray[Any]) -> bool:
    """Return whether each of the boards begins with the number of its other rows, which may be n."""
    n = boards.shape[-1]
    return 2 < n <= _MOST_COMPARED and bool(np.all(boards[..., 0] == n - 1))


def counts(numbers: NDArray[Any]) -> bool:
    """Return whether numbers count from 0 or 1, up or down."""
    first, last = sorted((int(numbers[0]), int(numbers[-1])))
    return (
        first in (0, 1) and last - first == len(numbers) - 1 and bool(np.all(np.abs(np.diff(numbers.astype(int))) == 1))
    )


def checked_row(rows: NDArray[Any], name: str) -> NDArray[Any]:
    """Refuse rows that are a solution only without their first number, which then is n, and a matrix in one line."""
    if has_n_in_front(rows) and not _is_solution(rows) and _is_solution(rows[1:]):
        raise InputError(f"{name}: the first number, {rows[0]}, is the number of the others, so it may be n: remove it")
    side = math.isqrt(len(rows))
    if side > 2 and side**2 == len(rows) <= _MOST_COMPARED and _is_binary(rows) and rows.sum() == side:
        raise InputError(f"{name}: it can be a matrix of 0 and 1 in one line; write each row of the board on a line")
    return rows


def _is_binary(numbers: NDArray[Any]) -> bool:
    """Return whether all numbers are 0 or 1; the first ones tell it of most boards."""
    return all(int(part.min()) >= 0 and int(part.max()) <= 1 for part in (numbers[:1], numbers))


def _check_edges(table: NDArray[Any], place: Callable[[int], str], name: str) -> None:
    """Raise :class:`InputError` if an edge of the table counts its lines or columns, and need not be of a board."""
    columns = [which for at, which in ((0, "first"), (-1, "last")) if counts(table[:, at])]
    lines = [at for at in (0, len(table) - 1) if counts(table[at]) or (table.shape[1] > 3 and counts(table[at, 1:]))]
    if not (columns or lines):
        return
    is_permuted = _are_permutations(table)
    for at in lines:
        if not is_permuted or counts(table[at]):
            raise InputError(f"{name}: {place(at)} can number the columns; delete it, or the labels of the board")
    for which in columns:
        rest = table[:, 1:] if which == "first" else table[:, :-1]
        if not is_permuted and rest.max() - rest.min() < rest.shape[1]:
            raise InputError(f"{name}: the {which} column counts the lines; delete the labels at the edges of a board")


def _are_permutations(table: NDArray[Any]) -> bool:
    """Return whether each line has n successive numbers from 0 or from 1, in any order."""
    n = table.shape[1]
    return any(
        np.array_equal(np.sort(table, axis=1), np.tile(np.arange(first, first + n), (len(table), 1)))
        for first in (0, 1)
    )


def _is_solution(rows: NDArray[Any]) -> bool:
    """Return whether no two queens attack each other, by sorting each kind of line."""
    n, rows = len(rows), rows.astype(np.int64)
    columns = np.arange(n)
    is_on_board = n and rows.max() - rows.min() < n
    return bool(is_on_board) and all(len(np.unique(lines)) == n for lines in (rows, rows + columns, rows - columns))


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
        held = f"the arrays {' and '.join(parts)}" if parts else "no array of boards, as in traces, .xlsx and .ods"
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
