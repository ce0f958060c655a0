"""What the numbers in a file mean as boards: rows of queens, their squares, or a matrix; one board or several."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import Queens, check_n, count_from_one, row_dtype
from fastqueens.core.errors import ROWS_FROM_1, InputError, counted
from fastqueens.files.text import Place, check_range, pieces_of, shortened

#: Names of fields, in lower case. A field of _NUMBER numbers the lines.
_ROW = {"row", "rows", "r", "y", "i", "rank"}
_COLUMNS = {"column", "columns", "col", "cols"}
_COLUMN = _COLUMNS | {"c", "x", "j", "file"}
_NUMBER = {"", "index", "(index)", "queen", "unnamed: 0"}

#: Words that are numbers.
_NO_NAMES = {"inf", "infinity", "nan"}

#: The name of a column of a board, such as q0.
_OF_A_COLUMN = re.compile(r"([a-z_. \[(]{0,9})(\d{1,9})[\])]?", re.ASCII)

_HEADER_NEEDED = "write a pair in each line, below the header column,row or row,column"


class Rows(NamedTuple):
    """The rows of boards as their file counts them, not yet checked.

    rows : (n,) integers, one for each column; of several boards (boards, n)
    place : tells where a row is, by its index in the flat array
    kind : what the content was taken for
    rows_from : the number of the first row, if the content says so
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


def fields_of(names: Sequence[str]) -> tuple[int, int] | None:
    """Return which fields hold the column and the row of a queen, or None if their names do not tell.

    >>> fields_of(["Row", "Column"]), fields_of(["x", "y"]), fields_of(["", "x"]), fields_of(["a", "b"])
    ((1, 0), (0, 1), (0, 1), None)
    """
    plain = _plain(names)
    rows = [at for at, name in enumerate(plain) if name in _ROW]
    columns = [at for at, name in enumerate(plain) if name in _COLUMN]
    if len(rows) == len(columns) == 1:
        return columns[0], rows[0]
    if len(plain) == 2 and plain[0] in _NUMBER and plain[1]:
        return (1, 0) if columns and plain[1] != "x" else (0, 1)  # R calls every vector x
    return None


def is_header(names: Sequence[str]) -> bool:
    """Tell whether a line holds names of fields; otherwise, a number in it may be misspelled.

    >>> is_header(["q0", "q1"]), is_header(["rows"]), is_header(["1", "O2"]), is_header(["O"]), is_header(["inf"])
    (True, True, False, False, False)
    """
    plain = _plain(names)
    is_numbered = len(plain) > 1 and plain[0] in _NUMBER
    plain = plain[is_numbered:]
    if is_numbered and all(map(str.isdecimal, plain)):
        return True
    letters = 2 if len(plain) == 1 else 1
    return all(
        name in _ROW | _COLUMN or (name not in _NO_NAMES and re.match(rf"[^\W\d_]{{{letters}}}", name))
        for name in plain
    )


def _plain(names: Sequence[str]) -> list[str]:
    return [name.strip(" \t\r\"'").lower() for name in names]


def check_width(width: int, first: int, place: str, other: str) -> None:
    """Raise :class:`InputError` if two boards have different numbers of rows."""
    if width != first:
        raise InputError(f"{place} has {counted(width, 'row')}, and {other} has {first}; boards of one size are needed")


def of_squares(columns: NDArray[Any], rows: NDArray[Any], place: Place, name: str, rows_from: int) -> Rows:
    """Return the board of queens on these squares, in any order; columns may count from 1."""
    n = len(columns)
    first = int(n > 0 and columns.min() == 1 and columns.max() == n)
    if first and rows_from == 0 and rows.min() > 0:
        raise InputError(f"{name}: columns and rows count from 1{ROWS_FROM_1}")
    check_range(columns, first, n - 1 + first, place, f"columns in a file of {counted(n, 'queen')}")
    ordered = _in_column_order(rows, columns, first, place)
    return Rows(ordered, lambda c: place(int(np.argmax(columns == c + first))), "squares of queens")


def _in_column_order(rows: NDArray[Any], columns: NDArray[Any], first: int, place: Place) -> NDArray[Any]:
    """Sort the rows by column; raise :class:`InputError` if a column, known to be on the board, comes twice."""
    at = columns - columns.dtype.type(1) if first else columns
    seen = np.zeros(len(columns), np.bool_)
    seen[at] = True
    if not seen.all():
        lines = np.arange(len(columns))
        first_line = np.empty_like(lines)
        first_line[at[::-1]] = lines[::-1]  # the last assignment counts
        index = int(np.argmax(first_line[at] != lines))
        missing = np.argmin(seen) + first
        raise InputError(f"{place(index)} holds column {columns[index]} again; column {missing} is missing")
    ordered = np.empty_like(rows)
    ordered[at] = rows
    return ordered


def of_matrix(has_queen: NDArray[np.bool_], name: str, kind: str) -> Rows:
    """Return the board, or boards, whose squares are True where a queen is: [row, column] or [board, row, column]."""
    queens = np.count_nonzero(has_queen, axis=-2).reshape(-1)
    n = has_queen.shape[-1]
    wrong = np.flatnonzero(queens != 1)
    if len(wrong):
        found = counted(int(queens[wrong[0]]), "queen")
        raise InputError(f"{name}: {kind} has {found} in column {wrong[0] % n}; a board has 1 in each column")
    return Rows(has_queen.argmax(axis=-2), lambda at: f"{name}: column {at % n}", kind, 0)


def of_table(
    table: NDArray[Any], place: Place, name: str, rows_from: int, *, is_csv: bool, is_square: bool = False
) -> Rows:
    """Return what a table of whole numbers means.

    Parameters
    ----------
    table : (lines, fields) integers
        A board in each line, the only board in one line or one column, a matrix, or a square in each line.
    place : callable
        Tells where a line is.
    name : str
        The name of the file in error messages.
    rows_from : 0 or 1
        The number of the first row.
    is_csv : bool
        Whether commas or the like separate the fields. Then pairs are column,row, and otherwise either.
    is_square : bool
        Whether a single line of two fields is a square.
    """
    lines, n = table.shape
    if n == 1:
        return Rows(table[:, 0], place, "one row in each line")
    if n == 2 and is_csv and (lines > 1 or is_square):
        return of_squares(table[:, 0], table[:, 1], place, name, rows_from)
    if lines == 1:
        return Rows(table[0], lambda c: f"{name}: column {c}", "all rows in one line")
    matrix = _matrix(table, name)
    if matrix is not None:
        return matrix
    boards = Rows(table, lambda at: f"{place(at // n)}: column {at % n}", "a board in each line")
    if n > 2:
        return boards
    one, other = table.T
    meanings: list[tuple[str, Callable[[], Rows]]] = [
        ("column,row", lambda: of_squares(one, other, place, name, rows_from)),
        ("row,column", lambda: of_squares(other, one, place, name, rows_from)),
        ("boards of 2 queens", lambda: boards),
    ]
    return _only_meaning(meanings, name, rows_from)


def check_columns_have_no_numbers(table: NDArray[Any], place: Place, rows_from: int, *, is_csv: bool) -> None:
    """Raise :class:`InputError` if a line can be the numbers of the columns: the first, or either of two."""
    lines, n = table.shape
    for at in range(2 if lines == 2 else is_csv and lines > 2):
        if n > 2 and np.array_equal(table[at], np.arange(rows_from, rows_from + n)):
            raise InputError(
                f"{place(at)} can be a board, or number the columns; delete it, or write it as [0, 1, ...]"
            )


def _matrix(table: NDArray[Any], name: str) -> Rows | None:
    """Return the board if a table is a matrix of 0 and 1; raise :class:`InputError` if it is one, but not square."""
    lines, n = table.shape
    if n < 3 or int(table.min()) != 0 or int(table.max()) != 1:
        return None
    if n > 3 and lines != n:
        raise InputError(f"{name}: it has only 0 and 1, in {lines} lines of {n}; a matrix has as many lines as columns")
    return of_matrix(table == 1, name, "a matrix of 0 and 1") if lines == n else None


def _only_meaning(meanings: list[tuple[str, Callable[[], Rows]]], name: str, rows_from: int) -> Rows:
    """Return what pairs mean if all meanings that are possible are the same boards."""
    possible: dict[str, Queens] = {}
    reason = None
    for meaning, read in meanings:
        try:
            queens = read().boards(rows_from, name)
        except InputError as error:
            reason = reason or error
        else:
            if not any(np.array_equal(queens, other) for other in possible.values()):
                possible[meaning] = queens
    if len(possible) > 1:
        raise InputError(f"{name}: the pairs can be {' and '.join(possible)}, which differ; {_HEADER_NEEDED}")
    if reason is not None and not possible:
        raise reason
    ((meaning, queens),) = possible.items()
    return Rows(queens, lambda at: f"{name}: column {at}", f"pairs {meaning}", 0)


def of_named_fields(names: Sequence[str], table: NDArray[Any], place: Place, name: str, rows_from: int) -> Rows:
    """Return what a table below a header means."""
    found = fields_of(names)
    if found is not None:
        column, row = found
        return of_squares(table[:, column], table[:, row], place, name, rows_from)
    plain = _plain(names)
    if len(names) == 1 and plain[0] in _COLUMNS:  # of the queen in each row
        rows = np.arange(rows_from, rows_from + len(table))
        return of_squares(table[:, 0], rows, place, name, rows_from)
    if len(names) == 1:
        return Rows(table[:, 0], place, "one row in each line")
    if len(names) > 2 and plain[0] in _NUMBER:
        plain, table = plain[1:], table[:, 1:]
    n = len(plain)
    matrix = _matrix(table, name)
    if matrix is not None:
        return matrix
    numbered = [found.groups() for found in map(_OF_A_COLUMN.fullmatch, plain) if found]
    columns = np.array([int(number) for _, number in numbered])
    order = np.argsort(columns)
    is_known = len(names) > 2 and len(numbered) == n and len({begin for begin, _ in numbered}) == 1
    if not is_known or columns[order[0]] > 1 or np.any(np.diff(columns[order]) != 1):
        raise InputError(f"{name}: the header is {shortened(','.join(names))!r}; column,row or row,column is needed")
    return Rows(table[:, order], lambda at: f"{place(at // n)}: column {at % n}", "a board in each line")
