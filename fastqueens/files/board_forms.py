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
from fastqueens.files.drawings import LEAST, BoardText, drawing_fault, drawn_boards, without_words
from fastqueens.files.headers import constraints_in
from fastqueens.files.numbers import (
    ARRAY_NEEDED,
    NotNumbersError,
    Place,
    check_range,
    pieces_of,
    read_table,
)

#: The note of an error about content in none of the forms.
FORMS = (
    "Accepted forms of boards are rows (1 3 0 2, in one line or one per line), squares below the header column,row "
    "or as a2 b4 c1 d3, drawings (Q and ., without labels), square matrices of 0 and 1, JSON, .npy and .npz; see "
    "docs/reference/files.md."
)

#: The forms of rows in a text.
ROWS = ("all rows in one line", "one row per line", "one board per line")

#: The size of the largest boards and tables that are tested for a second meaning.
_MOST_COMPARED = 1_000_000

#: The most bytes of a drawing, and of a text with words around the board.
MOST_DRAWN = 1 << 24

#: The most memory per byte of JSON while it is parsed: "257, " becomes a pointer and an integer of 28 bytes.
_BYTES_PER_BYTE = 8

_JSON = re.compile(rb'\s*(\[\s*)?\{\s*"')
_JSON_LINES = re.compile(rb"\s*\{[^\n]*\}[ \t\r]*+\n\s*+\{")

#: Blank lines and comments, and the beginning of the next line.
#: The comment with which samples begin.
_HEADER = re.compile(rb"# fastqueens (\{[^\n]*\})")

_FIRST_LINE = re.compile(rb"((?:[ \t\r]*+(?:#[^\n]*+)?\n)*+)([^\n\r#]{0,99}+)(\r?\n)?")

#: A square such as a4, with the letter of the column and the number of the row.
_SQUARE = re.compile(rb"\b[A-Za-z][1-9]\d?\b")

#: Words about the order of the numbers in pairs.
_ORDER = re.compile(r"row|col|\b[xy]\b", re.IGNORECASE)


class SharedColumnError(InputError):
    """The error for a drawing, a matrix or a list of squares with n queens of which two share a column.

    ``squares`` is an (n, 2) array with the column and the row of each queen, counted from 0. ``pair`` is the first pair
    in one column. The board is the one with this ``number``, counted from 1, among ``count`` boards. The content counts
    rows from ``rows_from``.
    """

    def __init__(
        self,
        name: str,
        columns: NDArray[Any],
        rows: NDArray[Any],
        kind: str,
        *,
        rows_from: int = 0,
        number: int = 1,
        count: int = 1,
    ) -> None:
        squares = np.column_stack((columns, rows)).astype(np.int64)
        self.squares = squares[np.lexsort((rows, columns))]
        at = int(np.argmax(self.squares[1:, 0] == self.squares[:-1, 0]))
        self.pair = self.squares[at : at + 2].tolist()
        self.number, self.count, self.rows_from = number, count, rows_from
        [column, row], [_, other] = self.pair
        super().__init__(
            f"{name}: {kind} has two queens in column {column}, in rows {row} and {other}; a board has one queen per "
            "column"
        )


class Rows(NamedTuple):
    """The unchecked rows of a board, or of several boards as a (boards, n) array, counted as in their file.

    ``place`` returns the place of a row from its index in the flat array, and ``kind`` names the form. ``rows_from`` is
    the number of the first row if the content states it. ``notes`` are sentences for the user. ``constraints`` are
    the constraints of the boards in words, if the content states them.
    """

    rows: NDArray[Any]
    place: Place
    kind: str
    rows_from: int | None = None
    notes: tuple[str, ...] = ()
    constraints: str = ""

    def first_row(self, rows_from: int | None, name: str) -> int:
        """Return the number of the first row: the stated one, ``rows_from``, or if it is None the only possible one."""
        return _first_row(self.rows, rows_from, name) if self.rows_from is None else self.rows_from

    def boards(self, first: int, name: str) -> Queens:
        """Return the checked rows, counted from 0 and in the dtype of a board; they are copied only if necessary."""
        if self.rows.size == 0:
            raise InputError(f"{name}: the board is empty; it must have at least 1 queen")
        n = check_n(self.rows.shape[-1])
        dtype, flat = row_dtype(n), self.rows.reshape(-1)
        try:
            check_range(flat, first, n - 1 + first, self.place, "rows")
        except InputError as error:
            if len(flat) == 1 and int(flat[0]) > 9:
                raise InputError(f"{error}; if each digit is a row, put blanks between them") from None
            raise InputError(f"{error}{ROWS_FROM_1}") if first == 0 and count_from_one(flat, n) else error from None
        if first == 0 and self.rows.dtype == dtype:
            return self.rows
        queens: Queens = np.empty(len(flat), dtype)
        for start, piece in pieces_of(flat):
            queens[start : start + len(piece)] = piece.astype(np.int64) - first
        return queens.reshape(self.rows.shape)


def read_text(stream: IO[bytes], name: str, rows_from: int | None) -> Rows:
    """Return the boards in a text; raise :class:`InputError` if there is none, or the text is ambiguous.

    Lines of words around the boards are ignored, with a note. If ``rows_from`` is None, the content decides.
    """
    begun = stream.read(MOST_DRAWN)
    if len(begun) == MOST_DRAWN:
        text.check_repetition(begun, stream, name)
    if begun[:2] in text.UTF16:
        begun, stream = text.in_utf8(begun + text.read_all(stream, name), name), io.BytesIO()
    begun = begun.removeprefix(b"\xef\xbb\xbf")
    if _JSON.match(begun):
        return _of_json(begun + text.read_all(stream, name, bytes_per_byte=_BYTES_PER_BYTE), name)
    header = _HEADER.match(begun)
    constraints = constraints_in(header[1].decode(errors="replace")) if header else ""
    if len(begun) == MOST_DRAWN:
        squares = squares_below_header(begun, stream, name)
        if squares is not None:
            return _of_squares(*squares, name, rows_from)
        table = read_table(stream, name, begun=begun)
        return _of_table(table.numbers, table.place, name)._replace(constraints=constraints)
    lines = without_words(begun, name)
    try:
        found = _of_lines(lines, rows_from)
    except NotNumbersError as error:
        boards = drawn_boards(lines.content, name)
        if boards is None:
            fault = drawing_fault(lines.content, name) or error
            fault.add_note(FORMS)
            raise fault from None
        found = _of_matrix(boards, name, "a drawing")
    return found._replace(notes=(*found.notes, *lines.notes(found.rows.shape[-1])), constraints=constraints)


def squares_below_header(begun: bytes, stream: IO[bytes], name: str) -> tuple[NDArray[Any], NDArray[Any], Place] | None:
    """Return the columns and rows below a header, and the place of each pair; None if the text has no such header.

    ``begun`` is the part of the text that was already read from the stream.
    """
    found = _FIRST_LINE.match(begun)
    assert found is not None  # it matches any text
    header = re.findall(rb"[^\s,;\"']+", re.sub(rb"\bcol\b", b"column", found[2].lower()))
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


def _of_lines(lines: BoardText, rows_from: int | None) -> Rows:
    """Return the boards in a text that is not a drawing; raise :class:`NotNumbersError` if it can be one."""
    data, name = lines.content, lines.name
    squares = squares_below_header(data, io.BytesIO(), name)
    if squares is not None:
        return _of_squares(*squares, name, rows_from)
    words = data.split()
    for at in [] if words else sorted(lines.ignored)[:1]:
        raise NotNumbersError(str(lines.error(at, "and no line is a row of a board")))
    named = [word for word in re.split(rb"[\s,;\[\](){}\"']+", data.lower()) if word] if _SQUARE.search(data) else []
    if named and all(map(_SQUARE.fullmatch, named)):
        return _of_named_squares([(word[:1].decode(), word[1:].decode()) for word in named], name)
    if len(words) > 1 and {*map(len, words)} == {len(words)} and not data.translate(None, b"01\r\n \t"):
        raise NotNumbersError(f"{name}: this is a drawing")
    table = read_table(io.BytesIO(data), name)
    numbers = table.numbers
    if numbers.shape[1] == 1 and len(numbers):
        found = _of_digits(words, numbers[:, 0], rows_from, lines)
        if found is None:
            _check_one_per_line(lines, numbers[:, 0], table.skipped)
            found = _of_table(numbers, table.place, name)
        return found
    if numbers.shape[1] == 2 and table.is_bracketed and _is_ordered(numbers, lines):
        columns, rows = numbers.T
        found = _of_squares(columns, rows, lambda at: f"{name}: {table.place(at)}", name, rows_from)
        return found._replace(notes=(f"Read the pairs in {name} as column, row.",))
    if len(numbers) == numbers.shape[1] > 2 and _is_binary(numbers):
        boards = drawn_boards(data, name)
        if boards is not None:
            return _of_matrix(boards, name, "a matrix of 0 and 1")
    return _of_table(numbers, table.place, name)


def _of_digits(words: list[bytes], rows: NDArray[Any], rows_from: int | None, lines: BoardText) -> Rows | None:
    """Return the boards in words of n digits, one board per line; None if the words are only rows of one board."""
    n = len(words[0])
    if not LEAST <= n <= 10 or {*map(len, words)} != {n} or not b"".join(words).isdigit():
        return None
    digits = np.frombuffer(b"".join(words), np.uint8).reshape(-1, n) - np.uint8(ord("0"))
    if digits.max() < 2:  # they can be rows of a matrix
        return None
    if lines.ignored or (rows.max() < len(rows) + (rows_from != 0) and digits.max() < n + (rows_from != 0)):
        raise InputError(
            f"{lines.name}: {words[0].decode()} can be a number or {n} rows; put blanks between digits that are rows"
        )
    if len(digits) == 1:
        return Rows(digits[0], lambda c: f"{lines.name}: column {c}", "digits without blanks")
    return Rows(digits, lambda at: f"{lines.name}: board {at // n + 1}, column {at % n}", "digits without blanks")


def _of_named_squares(squares: list[tuple[str, str]], name: str) -> Rows:
    """Return the board with queens on squares such as ("a", "1"). Rows are counted from 1."""
    n = len(squares)
    columns, rows = np.array([(ord(column) - ord("a"), int(row)) for column, row in squares], np.int64).T
    for at in np.flatnonzero((columns >= n) | (rows > n))[:1]:
        raise InputError(f"{name}: {''.join(squares[at])} is outside of the board of {counted(n, 'queen')}")
    return _of_squares(columns, rows, lambda at: f"{name}: {''.join(squares[at])}", name, 1)._replace(rows_from=1)


def _is_ordered(pairs: NDArray[Any], lines: BoardText) -> bool:
    """Return whether pairs can only be columns and rows: the columns are in order, or the order does not matter."""
    if any(map(_ORDER.search, lines.ignored.values())) or len(pairs) < 3:
        return False
    is_symmetric = {*map(tuple, pairs.tolist())} == {*map(tuple, pairs[:, ::-1].tolist())}
    return is_symmetric or (pairs[0, 0] in (0, 1) and bool(np.all(np.diff(pairs[:, 0].astype(np.int64)) == 1)))


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
            hint = f"; to complete it, use fastqueens solve {n} --queens-file FILE" if count < n else ""
            raise InputError(f"{label}: {kind} has {counted(count, 'queen')} in {n} rows; a board must have {n}{hint}")
        rows, columns = np.nonzero(has_queen[at])
        raise SharedColumnError(label, columns, rows, kind, number=int(at) + 1, count=boards)
    rows = has_queen.argmax(axis=1)
    return Rows(rows[0] if boards == 1 else rows, lambda at: f"{name}: column {at % n}", kind, 0)


def _of_squares(columns: NDArray[Any], rows: NDArray[Any], place: Place, name: str, rows_from: int | None) -> Rows:
    """Return the board with queens on these squares, in any order. Columns can start from 1 if rows do."""
    n = len(columns)
    first = int(n > 0 and columns.min() == 1 and columns.max() == n)
    if first and rows_from == 0:
        hint = ROWS_FROM_1 if rows.min() > 0 else ""
        raise InputError(f"{name}: columns go from 1 to {n}, but they must count from 0{hint}")
    check_range(columns, first, n - 1 + first, place, f"columns in a file of {counted(n, 'queen')}")
    rows_from = 1 if first else rows_from
    at = columns.astype(np.int64) - first
    if n and np.bincount(at, minlength=n).max() > 1:
        rows_from = _first_row(rows, rows_from, name)
        check_range(rows, rows_from, n - 1 + rows_from, place, "rows")
        kind = "the list of squares"
        raise SharedColumnError(name, at, rows.astype(np.int64) - rows_from, kind, rows_from=rows_from)
    ordered = np.empty_like(rows)
    ordered[at] = rows
    return Rows(ordered, lambda c: place(int(np.argmax(at == c))), "squares of queens", rows_from)


def _first_row(rows: NDArray[Any], rows_from: int | None, name: str) -> int:
    """Return ``rows_from`` or, if it is None, the number from which these rows must count."""
    if rows_from is not None or not rows.size:
        return rows_from or 0
    low, high, n = int(rows.min()), int(rows.max()), rows.shape[-1]
    if low > 0 and high < n:
        raise InputError(f"{name}: rows from {low} to {high} can count from 0 or from 1; use --rows-from 0 or 1")
    return int(low > 0 and high == n)


def _checked_row(rows: NDArray[Any], name: str) -> NDArray[Any]:
    """Return the rows, but refuse a solution that begins with n, and a matrix in one line."""
    if has_n_in_front(rows) and not _is_solution(rows) and _is_solution(rows[1:]):
        raise InputError(f"{name}: the first number, {rows[0]}, is the number of the others; if it is n, remove it")
    side = math.isqrt(len(rows))
    if side > 2 and side**2 == len(rows) <= _MOST_COMPARED and _is_binary(rows) and rows.sum() == side:
        raise InputError(f"{name}: this can be a matrix of 0 and 1 in one line; write each row on a line of its own")
    return rows


def _check_one_per_line(lines: BoardText, rows: NDArray[Any], skipped: NDArray[np.int64]) -> None:
    """Refuse a text with one row per line if a row can be missing, or if it can be a drawing with 1 for queens."""
    begun, name = lines.content, lines.name
    inside = skipped - np.arange(len(skipped))
    inside = skipped[(inside > 1) & (inside <= len(rows))]
    for at in [int(at) for at in inside if int(at) in lines.ignored][:1]:
        raise lines.error(at, "between rows; delete the line")
    if len(inside) and b"#" not in begun:
        raise InputError(f"{name}: line {inside[0]} is blank; blank lines are only allowed at the end")
    if np.all(rows == rows[0]):
        texts = begun.rstrip().splitlines()
        if len(texts) == len(rows) and len({len(line) - len(line.lstrip()) for line in texts}) > 1:
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
    if isinstance(value, dict) and not keys and "answer" in value:  # from fastqueens batch
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
