"""The accepted forms of boards in texts, tables and arrays.

The forms are rows, squares below the header ``column,row``, drawings, square matrices and JSON. Ambiguous content is
refused. Rows and squares are read in blocks, so that a large board needs little more memory than its array.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.memory import check_memory
from fastqueens._run.text import counted
from fastqueens.board import Queens, check_n, count_from_one, row_dtype
from fastqueens.errors import ROWS_FROM_1, InputError
from fastqueens.files import text
from fastqueens.files.numbers import (
    ARRAY_NEEDED,
    COMMENT,
    NotNumbersError,
    Place,
    check_range,
    pieces_of,
    read_table,
)

#: The note of an error about content in none of the forms.
FORMS = (
    "Accepted forms of boards are rows (1 3 0 2, in one line or one per line), squares below the header column,row, "
    "drawings (Q and ., without labels), square matrices of 0 and 1, JSON, .npy and .npz; see docs/reference/files.md."
)

#: The forms of rows in a text.
ROWS = ("all rows in one line", "one row per line", "one board per line")

#: The size of the largest boards and tables that are tested for a second meaning.
_MOST_COMPARED = 1_000_000

#: The most bytes of a drawing, and the most memory per byte, since each word becomes a list of characters.
MOST_DRAWN = 1 << 24
_BYTES_PER_MARK = 50

#: The most memory per byte of JSON while it is parsed: "257, " becomes a pointer and an integer of 28 bytes.
_BYTES_PER_BYTE = 8

_JSON = re.compile(rb'\s*(\[\s*)?\{\s*"')
_JSON_LINES = re.compile(rb"\s*\{[^\n]*\}[ \t\r]*+\n\s*+\{")

#: Blank lines and comments, and the beginning of the next line.
_FIRST_LINE = re.compile(rb"((?:[ \t\r]*+(?:#[^\n]*+)?\n)*+)([^\n\r#]{0,99}+)(\r?\n)?")

_QUEENS, _EMPTY = "Q♛♕*X1", "._-0 "

#: In a drawing, a closing bracket ends a line, and quotation marks are ignored.
_PLAIN = str.maketrans("│┃║])}", "|||\n\n\n", "\"'[({")

#: The least n of several boards in one drawing. Smaller boards have no solution, and single queens between blanks look
#: like them.
_LEAST_OF_SEVERAL = 4

#: A rule between rows, with corners where bars meet.
_RULE = re.compile(r"(?=.*[-+=_\u2500-\u257f])[-+=_|\s\u2500-\u257f]*")

#: A separator at the beginning or the end of a line.
_OUTER = re.compile(r"^\s*[,;]|[,;]\s*$")

_WORDS = re.compile(rb"\b(true|false)\b", re.IGNORECASE)


class SharedColumnError(InputError):
    """The error for a drawing, a matrix or a list of squares with n queens of which two share a column.

    ``squares`` is an (n, 2) array with the column and the row of each queen, counted from 0. ``pair`` is the first pair
    in one column. The board is the one with this ``number``, counted from 1, among ``count`` boards.
    """

    def __init__(
        self, name: str, columns: NDArray[Any], rows: NDArray[Any], kind: str, number: int = 1, count: int = 1
    ) -> None:
        squares = np.column_stack((columns, rows)).astype(np.int64)
        self.squares = squares[np.lexsort((rows, columns))]
        at = int(np.argmax(self.squares[1:, 0] == self.squares[:-1, 0]))
        self.pair = self.squares[at : at + 2].tolist()
        self.number, self.count = number, count
        [column, row], [_, other] = self.pair
        super().__init__(
            f"{name}: {kind} has two queens in column {column}, in rows {row} and {other}; a board has one queen per "
            "column"
        )


class Rows(NamedTuple):
    """The unchecked rows of a board, or of several boards as a (boards, n) array, counted as in their file.

    ``place`` returns the place of a row from its index in the flat array, and ``kind`` names the form. ``rows_from`` is
    the number of the first row if the content states it.
    """

    rows: NDArray[Any]
    place: Place
    kind: str
    rows_from: int | None = None

    def boards(self, rows_from: int, name: str) -> Queens:
        """Return the checked rows, counted from 0 and in the dtype of a board; they are copied only if necessary."""
        if self.rows.size == 0:
            raise InputError(f"{name}: the board is empty; it must have at least 1 queen")
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


def read_text(stream: IO[bytes], name: str, rows_from: int) -> Rows:
    """Return the boards in a text; raise :class:`InputError` if there is none, or the text is ambiguous."""
    begun = stream.read(MOST_DRAWN)
    if len(begun) == MOST_DRAWN:
        text.check_repetition(begun, stream, name)
    if begun[:2] in text.UTF16:
        begun, stream = text.in_utf8(begun + text.read_all(stream, name), name), io.BytesIO()
    begun = begun.removeprefix(b"\xef\xbb\xbf")
    if _JSON.match(begun):
        return _of_json(begun + text.read_all(stream, name), name)
    squares = squares_below_header(begun, stream, name)
    if squares is not None:
        return _of_squares(*squares, name, rows_from)
    is_small = len(begun) < MOST_DRAWN
    found = _drawing(begun, name) if is_small and _is_drawn_in_digits(begun) else None
    if found is not None:
        return found
    try:
        table = read_table(stream, name, begun=begun)
    except NotNumbersError as error:
        found = _drawing(begun, name) if is_small else None
        if found is not None:
            return found
        error.add_note(FORMS)
        raise
    if table.numbers.shape[1] == 1 and len(table.numbers):
        _check_one_per_line(begun, table.numbers[:, 0], table.skipped, name)
    return _of_table(table.numbers, table.place, name)


def squares_below_header(begun: bytes, stream: IO[bytes], name: str) -> tuple[NDArray[Any], NDArray[Any], Place] | None:
    """Return the columns and rows below a header, and the place of each pair; None if the text has no such header.

    ``begun`` is the part of the text that was already read from the stream.
    """
    found = _FIRST_LINE.match(begun)
    assert found is not None  # it matches any text
    header = re.findall(rb"[^\s,;\"']+", found[2].lower())
    if sorted(header) != [b"column", b"row"]:
        return None
    rest = begun[found.end() + (not found[3]) :]
    table = read_table(stream, name, begun=rest, skipped=found[1].count(b"\n") + 1)
    width = table.numbers.shape[1]
    if width != 2 and len(table.numbers):
        raise InputError(f"{name}: {table.place(0)} holds {counted(width, 'number')}; write a column and a row")
    columns, rows = table.numbers.reshape(-1, 2).T[:: 1 if header[0] == b"column" else -1]
    return columns, rows, lambda at: f"{name}: {table.place(at)}"


def of_array(rows: NDArray[Any], name: str, label: str = "array", *, are_boards: bool = False) -> Rows:
    """Return the board or boards in an array of rows, or in a square matrix of True and False or of 0 and 1.

    Messages call the array ``label``. With ``are_boards``, each line of the array is a board.
    """
    if rows.ndim not in (1, 2):
        raise InputError(f"{name}: the array has shape {rows.shape}; {ARRAY_NEEDED}")
    if rows.dtype.kind not in "biuf":
        raise InputError(f"{name}: the array holds {rows.dtype}; {ARRAY_NEEDED}")
    if not rows.size:
        raise InputError(f"{name}: the array is empty, with shape {rows.shape}; {ARRAY_NEEDED}")
    if rows.dtype.kind == "b":
        if rows.ndim == 1 or rows.shape[0] != rows.shape[1]:
            raise InputError(f"{name}: an array of True and False must be square, not of shape {rows.shape}")
        return _of_matrix(rows[None], name, "a matrix of True and False")
    table = _whole(rows, name)
    if rows.ndim == 1:
        return Rows(_checked_row(table, name), lambda c: f"{name}: column {c}", "an array of rows")
    n = rows.shape[-1]
    if not are_boards:
        found = _of_table(table, lambda at: f"{label}[{at}]", name)
        if found.rows is not table:
            return found
    return Rows(table, lambda at: f"{name}: {label}[{at // n}, {at % n}]", "an array of boards")


def has_n_in_front(boards: NDArray[Any]) -> bool:
    """Return whether each board begins with the number of its other rows, which is then probably n."""
    n = boards.shape[-1]
    return 2 < n <= _MOST_COMPARED and bool(np.all(boards[..., 0] == n - 1))


def _whole(rows: NDArray[Any], name: str) -> NDArray[Any]:
    """Return an array of whole numbers as integers; an array of floating-point numbers is copied."""
    if rows.dtype.kind != "f":
        return rows
    check_memory(9 * rows.size, f"the integers of {name}")
    with np.errstate(invalid="ignore"):  # a number can be too large for any integer
        integers = rows.astype(np.int64)
    odd = np.flatnonzero(integers != rows)
    if len(odd):
        raise InputError(f"{name}: the array holds {rows.flat[odd[0]]}; {ARRAY_NEEDED}")
    return integers


def _of_table(table: NDArray[Any], place: Callable[[int], str], name: str) -> Rows:
    """Return the board or boards in a (lines, width) table of whole numbers; ``place`` names the place of a line."""
    lines, width = table.shape
    if width == 1:
        return Rows(_checked_row(table[:, 0], name), lambda c: f"{name}: {place(c)}", ROWS[1])
    if lines == 1:
        return Rows(_checked_row(table[0], name), lambda c: f"{name}: column {c}", ROWS[0])
    if width == 2:
        raise InputError(
            f"{name}: pairs of numbers can be squares or boards of 2 queens; write the header column,row above squares"
        )
    if _is_binary(table):
        if lines != width:
            raise InputError(f"{name}: a matrix of 0 and 1 must be square; this one has {lines} lines of {width}")
        return _of_matrix((table == 1)[None], name, "a matrix of 0 and 1")
    _check_edges(table, place, name)
    if table.size <= _MOST_COMPARED and not _are_permutations(table):
        if _are_permutations(table.T):
            raise InputError(f"{name}: each column of the table is a permutation; write one board per line instead")
        if lines == width:
            error = InputError(f"{name}: this square table is neither a matrix of 0 and 1 nor a list of permutations")
            error.add_note(FORMS)
            raise error
    return Rows(table, lambda at: f"{name}: {place(at // width)}: column {at % width}", ROWS[2])


def _of_matrix(has_queen: NDArray[np.bool_], name: str, kind: str) -> Rows:
    """Return the boards in an array [board, row, column] that is True where a queen stands."""
    boards, n, _ = has_queen.shape
    queens = np.count_nonzero(has_queen, axis=1)
    for at in np.flatnonzero(np.any(queens != 1, axis=1))[:1]:
        label = f"{name}: board {at + 1}" if boards > 1 else name
        count = int(queens[at].sum())
        if count != n:
            raise InputError(f"{label}: {kind} has {counted(count, 'queen')} in {n} rows; it must have {n}")
        rows, columns = np.nonzero(has_queen[at])
        raise SharedColumnError(label, columns, rows, kind, int(at) + 1, boards)
    rows = has_queen.argmax(axis=1)
    return Rows(rows[0] if boards == 1 else rows, lambda at: f"{name}: column {at % n}", kind, 0)


def _of_squares(columns: NDArray[Any], rows: NDArray[Any], place: Place, name: str, rows_from: int) -> Rows:
    """Return the board with queens on these squares, in any order. Columns can start from 1 if rows do."""
    n = len(columns)
    first = int(n > 0 and columns.min() == 1 and columns.max() == n)
    if first and rows_from == 0:
        hint = ROWS_FROM_1 if rows.min() > 0 else ""
        raise InputError(f"{name}: columns go from 1 to {n}, but they must count from 0{hint}")
    check_range(columns, first, n - 1 + first, place, f"columns in a file of {counted(n, 'queen')}")
    at = columns.astype(np.int64) - first
    if n and np.bincount(at, minlength=n).max() > 1:
        check_range(rows, rows_from, n - 1 + rows_from, place, "rows")
        raise SharedColumnError(name, at, rows.astype(np.int64) - rows_from, "the list of squares")
    ordered = np.empty_like(rows)
    ordered[at] = rows
    return Rows(ordered, lambda c: place(int(np.argmax(at == c))), "squares of queens")


def _checked_row(rows: NDArray[Any], name: str) -> NDArray[Any]:
    """Return the rows, but refuse a solution that begins with n, and a matrix in one line."""
    if has_n_in_front(rows) and not _is_solution(rows) and _is_solution(rows[1:]):
        raise InputError(f"{name}: the first number, {rows[0]}, is the number of the others; if it is n, remove it")
    side = math.isqrt(len(rows))
    if side > 2 and side**2 == len(rows) <= _MOST_COMPARED and _is_binary(rows) and rows.sum() == side:
        raise InputError(f"{name}: this can be a matrix of 0 and 1 in one line; write each row on a line of its own")
    return rows


def _check_one_per_line(begun: bytes, rows: NDArray[Any], skipped: NDArray[np.int64], name: str) -> None:
    """Refuse a text with one row per line if a row can be missing, or if it can be a drawing with 1 for queens."""
    inside = skipped - np.arange(len(skipped))
    inside = skipped[(inside > 1) & (inside <= len(rows))]
    if len(inside) and b"#" not in begun:
        raise InputError(f"{name}: line {inside[0]} is blank; blank lines are only allowed at the end")
    if np.all(rows == rows[0]):
        lines = begun.rstrip().splitlines()
        if len(lines) == len(rows) and len({len(line) - len(line.lstrip()) for line in lines}) > 1:
            raise InputError(
                f"{name}: this can be a drawing with blanks or one row per line; draw empty squares as . or delete the "
                "blanks before the numbers"
            )


def _check_edges(table: NDArray[Any], place: Callable[[int], str], name: str) -> None:
    """Raise :class:`InputError` if an edge of the table numbers its lines or columns and can be a label."""
    columns = [which for at, which in ((0, "first"), (-1, "last")) if _counts(table[:, at])]
    lines = [at for at in (0, len(table) - 1) if _counts(table[at]) or (table.shape[1] > 3 and _counts(table[at, 1:]))]
    is_permuted = bool(columns or lines) and _are_permutations(table)
    for at in lines:
        if not is_permuted or _counts(table[at]):
            raise InputError(f"{name}: {place(at)} seems to number the columns; delete the labels at the edges")
    for which in columns:
        rest = table[:, 1:] if which == "first" else table[:, :-1]
        if not is_permuted and rest.max() - rest.min() < rest.shape[1]:
            raise InputError(f"{name}: the {which} column seems to number the lines; delete the labels at the edges")


def _counts(numbers: NDArray[Any]) -> bool:
    """Return whether numbers are 0, 1, 2 and so on, or 1, 2, 3 and so on, in ascending or descending order."""
    steps = np.diff(numbers.astype(np.int64))
    return int(numbers.min()) in (0, 1) and bool(np.all(steps == 1) or np.all(steps == -1))


def _is_binary(numbers: NDArray[Any]) -> bool:
    """Return whether all numbers are 0 or 1. The first line suffices to exclude most boards."""
    return all(int(part.min()) >= 0 and int(part.max()) <= 1 for part in (numbers[:1], numbers))


def _are_permutations(table: NDArray[Any]) -> bool:
    """Return whether all lines are permutations of 0 to n - 1, or all of 1 to n."""
    ordered = np.sort(table, axis=1)
    first = ordered[:, 0]
    return bool(np.all(np.diff(ordered, axis=1) == 1) and first.min() == first.max() in (0, 1))


def _is_solution(rows: NDArray[Any]) -> bool:
    """Return whether no two queens attack each other; the test sorts each kind of line."""
    n, rows = len(rows), rows.astype(np.int64)
    columns = np.arange(n)
    is_on_board = n and rows.max() - rows.min() < n
    return bool(is_on_board) and all(len(np.unique(lines)) == n for lines in (rows, rows + columns, rows - columns))


def _is_drawn_in_digits(data: bytes) -> bool:
    """Return whether a text is a square of digits 0 and 1 without separators."""
    lines = [] if data.translate(None, b"01\r\n \t") else data.split()
    return len(lines) > 1 and set(map(len, lines)) == {len(lines)}


def _drawing(data: bytes, name: str) -> Rows | None:
    """Return the board or boards in a drawing, or None if the text is not a drawing. True and False mean 1 and 0."""
    check_memory(_BYTES_PER_MARK * len(data), f"reading {name}")
    data = _WORDS.sub(lambda word: b"1" if word[0].lower() == b"true" else b"0", COMMENT.sub(b"", data))
    content = data.decode(errors="replace").translate(_PLAIN)
    lines = [line for line in content.splitlines() if line.strip(" \t,;")]
    boards = _drawn_boards(lines)
    if boards is None:
        boards = _drawn_boards([line for line in lines if not _RULE.fullmatch(line)])
    return None if boards is None else _of_matrix(boards, name, "a drawing")


def _drawn_boards(lines: list[str]) -> NDArray[np.bool_] | None:
    """Return an array [board, row, column] of the queens in a drawing, or None if the lines are not square boards."""
    has_edges = all(line.strip()[:1] == line.strip()[-1:] == "|" for line in lines)
    rows = [row for line in lines for row in _drawn_rows(line, has_edges=has_edges)]
    n = len(rows[0]) if rows else 0
    marks = set().union(*rows)
    queens, empty = marks.intersection(_QUEENS), marks.intersection(_EMPTY)
    is_drawing = n > 0 and all(len(row) == n for row in rows) and len(rows) % n == 0 and marks == queens | empty
    if not is_drawing or len(queens) != 1 or len(empty) > 1 or (n == 1 and marks == {"1"}):
        return None
    if n < _LEAST_OF_SEVERAL and len(rows) > n:
        return None
    (queen,) = queens
    return np.array([[mark == queen for mark in row] for row in rows]).reshape(-1, n, n)


def _drawn_rows(line: str, *, has_edges: bool) -> list[list[str]]:
    """Return the marks of the rows in a line of text: one row, or a row for each word.

    With ``has_edges``, the first and the last bar are edges of the board, and not between squares.
    """
    if "|" in line:
        cells = line.strip()[1:-1] if has_edges else line
        return [[cell.strip() or " " for cell in cells.split("|")]]
    words = re.split(r"\s*[,;\s]\s*", _OUTER.sub("", line).strip())
    return [words] if max(map(len, words)) < 2 else [list(word) for word in words]


def _of_json(data: bytes, name: str) -> Rows:
    """Return the boards in a JSON object or in several, such as the answers of ``fastqueens solve``, one per line."""
    check_memory(_BYTES_PER_BYTE * len(data), f"parsing {name}")
    if _JSON_LINES.match(data):
        lines = [(f"{name}: line {at}", line) for at, line in enumerate(data.split(b"\n"), 1) if line.strip()]
        objects = [(place, text.parse_json(line, place)) for place, line in lines]
    else:
        value = text.parse_json(data, name)
        objects = [(name, value)]
        if isinstance(value, list):
            objects = [(f"{name}: board {at}", one) for at, one in enumerate(value, 1)]
    boards = [board for place, value in objects for board in _boards_of(value, place)]
    places, rows = [place for place, _ in boards], [rows for _, rows in boards]
    n = len(rows[0]) if rows else 0
    for place, board in boards:
        if len(board) != n:
            raise InputError(
                f"{place} has {counted(len(board), 'row')}, but the first board has {n}; all boards must have one size"
            )
    found = _checked_row(rows[0], places[0]) if len(rows) == 1 else np.array(rows)
    if len(rows) > 1 and len(rows) == n and 0 <= found.min() <= found.max() <= 1:
        raise InputError(f"{places[0]} can be the first row of a matrix; write a matrix as [[0, 1, ...], ...]")
    return Rows(found, lambda at: f"{places[at // n]}[{at % n}]", "JSON")


def _boards_of(value: Any, place: str) -> list[tuple[str, NDArray[np.int64]]]:
    """Return the boards of a JSON object, which can also state n, with the place of each."""
    keys = [key for key in ("queens", "boards") if key in value] if isinstance(value, dict) else []
    if isinstance(value, dict) and not keys and "answer" in value:  # from fastqueens solve --instances
        raise InputError(f"{place} holds no board; its answer is {text.shortened(repr(value['answer']))}")
    if len(keys) != 1:
        raise InputError(f'{place}: write a list of rows, or an object with either "queens" or "boards"')
    listed = value[keys[0]]
    if not isinstance(listed, list):
        raise InputError(f"{place}: {keys[0]} must be a list, not {text.shortened(repr(listed))}")
    boards = {f"{place}: queens": listed}
    if keys == ["boards"]:
        boards = {f"{place}: boards[{at}]": board for at, board in enumerate(listed)}
    found = [(place_of_board, text.integers(board, place_of_board)) for place_of_board, board in boards.items()]
    n = value.get("n")
    if "n" in value and (type(n) is not int or any(len(rows) != n for _, rows in found)):
        held = counted(len(found[0][1]), "row") if found else "no board"
        raise InputError(f"{place}: n is {text.shortened(repr(n))}, but {keys[0]} holds {held}")
    return found
