"""Boards as text: rows, squares below the header ``column,row``, drawings, matrices and JSON.

Rows and squares are read in blocks, so that a large board needs little more memory than its array. A drawing has a line
for each row and a mark for each square.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.memory import check_memory
from fastqueens._run.text import counted
from fastqueens.board import Queens
from fastqueens.errors import InputError
from fastqueens.files import text
from fastqueens.files.board_tables import Rows, checked_row, of_matrix, of_squares, of_table, with_forms
from fastqueens.files.numbers import COMMENT, NotNumbersError, read_table
from fastqueens.files.text import pieces_of

#: The header of lines with a square each.
SQUARES = "column,row"

#: Bytes of a drawing, at most, and of its memory for each byte: each square becomes a character of a list.
MOST_DRAWN = 1 << 24
_BYTES_PER_MARK = 20

#: Memory that a byte of JSON takes while it is parsed, at most: "257, " becomes a pointer and an integer of 28 bytes.
_BYTES_PER_BYTE = 8

_JSON = re.compile(rb'\s*(\[\s*)?\{\s*"')
_JSON_LINES = re.compile(rb"\s*\{[^\n]*\}[ \t\r]*+\n\s*+\{")

#: Blank lines and comments, and the beginning of the line behind them.
_FIRST_LINE = re.compile(rb"((?:[ \t\r]*+(?:#[^\n]*+)?\n)*+)([^\n\r#]{0,99}+)(\r?\n)?")

#: A line of numbers: what is wrong further on is not another form.
_NUMBERS = re.compile(rb"[\[(\s]*(?:[-+]?\d[\d.]*(?![\w.])[ \t,;]*)+\n")

#: Characters that tell what a text seems to be.
_LOOKED_AT = 2000

#: What a text may be that is not read, and what to do.
_HINTS = tuple(
    (re.compile(pattern, re.ASCII | re.MULTILINE), hint)
    for pattern, hint in (
        (r"\A\s*\[?\s*\{\s*\d+\s*:", "a dict of Python: write only its values, in the order of the columns"),
        (r"[\d|,]\s*(?:\.\.\.|…)", "an abridged print: write all rows, for example with numpy.savetxt"),
        (r"\?|\bnull\b|\bNone\b", "an incomplete board: state its queens as an instance, see fastqueens solve --help"),
        (r"//", "text with comments of another language: comments begin with #"),
        (r"\w[\]\w]*[ \t]*(?:=|<-)", "names and values: write only the values, in the order of the columns"),
        (
            r"\A[^\d\n]*[^\W\d][^\d\n]*\n[\s\"',;]*\d",
            "a table with a header: delete it, or name the columns column and row",
        ),
        (r"[^\W\d_]{2}", "numbers or a drawing with words around: delete the words"),
        (
            r"^[ \t]*\d+[ \t,;]+[^\d\s,;][^\d\n]*\d*[ \t]*$|^[ \t]*[^\d\s][^\d\n]*[ \t,;]\d+[ \t]*$",
            "a drawing with labels: delete the labels",
        ),
    )
)

_QUEENS, _EMPTY = "Q♛♕*X1", "._-0 "

_BARS = str.maketrans(dict.fromkeys("│┃║", "|"))

#: Of several boards in one drawing. Smaller ones have no solution, and queens with blanks around look like them.
_LEAST_OF_SEVERAL = 4

#: Lines between rows: rules, with corners where bars meet.
_RULE = re.compile(r"(?=.*[-+=_\u2500-\u257f])[-+=_|\s\u2500-\u257f]*")

#: A string of several marks is a row, as in the solutions of LeetCode.
_STRING = re.compile(r"""(["'])([^"'\n,]{2,})\1""")
_EMPTY_FIELD = re.compile(r"^\s*[,;]|[,;]\s*[,;]")
_BRACKETS = re.compile(r"[\[({][^\[\](){}]*[\])}]")
#: Two marks without a separator: words between commas are rows, as Java prints a list of strings.
_WORD = re.compile(r"[^\s,][^\s,]")
_WORDS = re.compile(r"\b(true|false)\b", re.IGNORECASE)


def read_text(stream: IO[bytes], name: str, rows_from: int) -> Rows:
    """Return the boards in a text; raise :class:`InputError` if it holds none, or can be read in two ways."""
    begun = stream.read(MOST_DRAWN)
    if begun[:2] in text.UTF16:
        begun, stream = text.in_utf8(begun + text.read_all(stream, name), name), io.BytesIO()
    begun = begun.removeprefix(b"\xef\xbb\xbf")
    if _JSON.match(begun):
        return read_json(begun + text.read_all(stream, name), name)
    squares = squares_below_header(begun, stream, name)
    if squares is not None:
        return of_squares(*squares, name, rows_from)
    is_small = len(begun) < MOST_DRAWN
    if is_small and _is_drawn_in_digits(begun):
        return _drawing(begun, name, None)
    try:
        table = read_table(stream, name, begun=begun)
    except NotNumbersError as error:
        if not is_small:
            raise
        return _drawing(begun, name, error)
    if table.numbers.shape[1] == 1 and len(table.numbers):
        _check_one_per_line(begun, table.numbers[:, 0], table.skipped, name)
    return of_table(table.numbers, table.place, name)


def squares_below_header(
    begun: bytes, stream: IO[bytes], name: str
) -> tuple[NDArray[Any], NDArray[Any], text.Place] | None:
    """Return the columns and rows below a header, and where each pair is; None if the text has no such header.

    ``begun`` was read from the stream before.
    """
    found = _FIRST_LINE.match(begun)
    assert found is not None  # it matches any text
    header = fields_of(found[2])
    if header is None:
        return None
    rest = begun[found.end() + (not found[3]) :]
    table = read_table(stream, name, begun=rest, skipped=found[1].count(b"\n") + 1)
    width = table.numbers.shape[1]
    if width != 2 and len(table.numbers):
        raise InputError(f"{name}: {table.place(0)} holds {counted(width, 'number')}; a column and a row are needed")
    columns, rows = table.numbers.reshape(-1, 2).T[list(header)]
    return columns, rows, lambda at: f"{name}: {table.place(at)}"


def read_json(data: bytes, name: str) -> Rows:
    """Read boards from JSON, or from an object in each line, such as the answers of ``fastqueens solve``."""
    check_memory(_BYTES_PER_BYTE * len(data), f"parsing {name}")
    if _JSON_LINES.match(data):
        lines = [(at, line) for at, line in enumerate(data.split(b"\n"), 1) if line.strip()]
        return _of_values([(f"{name}: line {at}", text.parse_json(line, name, at)) for at, line in lines])
    value = text.parse_json(data, name)
    if isinstance(value, list):
        return _of_values([(f"{name}: board {at}", one) for at, one in enumerate(value, 1)])
    return _of_object(value, name)


def text_content(queens: Queens, rows_from: int) -> Iterator[bytes]:
    """Yield the lines of a ``.txt`` file."""
    for _, rows in pieces_of(queens, rows_from):
        yield text.lines_of_numbers("%d\n", rows)


def csv_content(queens: Queens, rows_from: int) -> Iterator[bytes]:
    """Yield the header and the lines of a ``.csv`` file."""
    pieces = pieces_of(queens, rows_from)
    yield from table(np.column_stack((np.arange(first, first + len(rows)), rows)) for first, rows in pieces)


def table(pieces: Iterable[NDArray[Any]]) -> Iterator[bytes]:
    """Yield the header and a line for each square of these (k, 2) arrays."""
    yield f"{SQUARES}\n".encode()
    for piece in pieces:
        yield text.lines_of_numbers("%d,%d\n", piece)


def json_content(queens: Queens, rows_from: int) -> Iterator[bytes]:
    """Yield the parts of a ``.json`` file."""
    yield f'{{"n": {len(queens)}, "queens": '.encode()
    yield from text.json_list(rows for _, rows in pieces_of(queens, rows_from))
    yield b"}\n"


def fields_of(line: bytes) -> tuple[int, int] | None:
    """Return which fields below a header hold the column and the row; None if the line is not such a header."""
    words = re.findall(rb"[^\s,;\"']+", line.lower())
    return (words.index(b"column"), words.index(b"row")) if sorted(words) == [b"column", b"row"] else None


def _is_drawn_in_digits(data: bytes) -> bool:
    """Return whether a text has as many lines as each line has digits, all 0 or 1: a drawing without separators."""
    lines = [] if data.translate(None, b"01\r\n \t") else data.split()
    return len(lines) > 1 and set(map(len, lines)) == {len(lines)}


def _drawing(data: bytes, name: str, error: NotNumbersError | None) -> Rows:
    """Return the board that a text draws; otherwise raise an error that says what the text seems to be."""
    check_memory(_BYTES_PER_MARK * len(data), f"reading {name}")
    content = data.decode(errors="replace")
    found = _of_drawing(content, name)
    if found is not None:
        return found
    if "\0" in content:
        raise with_forms(f"{name}: it is not a text")
    if error is not None and _NUMBERS.match(data):
        raise error
    hint = next((hint for pattern, hint in _HINTS if pattern.search(content[:_LOOKED_AT])), None)
    reason = f"{name}: it seems to be {hint}" if hint else str(error or f"{name}: it is not a board")
    raise with_forms(reason)


def _of_drawing(content: str, name: str) -> Rows | None:
    """Return the board, or boards, that a text draws; None if it draws none. True and False are 1 and 0."""
    text = COMMENT.sub("", content).translate(_BARS)
    text = _WORDS.sub(lambda word: "1" if word[0].lower() == "true" else "0", text)
    lines = [line for line in _drawn_lines(text) if line.strip()]
    boards = _drawn_boards(lines)
    if boards is None:
        boards = _drawn_boards([line for line in lines if not _RULE.fullmatch(line)])
    return None if boards is None else of_matrix(boards, name, "a drawing")


def _drawn_lines(text: str) -> list[str]:
    """Return the rows: strings, or what brackets enclose, or lines."""
    strings = [found[2] for found in _STRING.finditer(text)]
    rest = _STRING.sub("", text)
    if strings:
        return strings if not rest.strip("[](){}, \t\r\n") else []
    text = re.sub("[\"']", "", text)
    groups = [group[1:-1] for group in _BRACKETS.findall(text)]
    if groups and _BRACKETS.sub("", text).strip("[](){}, \t\r\n"):
        return []
    if groups:
        return [row for group in groups for row in (group.split(",") if _WORD.search(group) else [group])]
    return text.splitlines()


def _drawn_boards(lines: list[str]) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]] | None:
    """Return the squares [board, row, column] with queens; None if the lines draw no square boards."""
    has_edges = all(line.strip()[:1] == line.strip()[-1:] == "|" for line in lines)
    rows = [_marks_of(line, has_edges=has_edges) for line in lines]
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


def _marks_of(line: str, *, has_edges: bool) -> list[str]:
    """Return the marks of a row; with bars at the edges, these are not between squares."""
    if "|" in line:
        cells = line.strip()[1:-1] if has_edges else line
        return [cell.strip() or " " for cell in cells.split("|")]
    words = [] if _EMPTY_FIELD.search(line) else re.split(r"[\s,;]+", line.strip(" \t\r,;"))
    return list(words[0]) if len(words) == 1 else words


def _check_one_per_line(begun: bytes, rows: NDArray[Any], skipped: NDArray[np.int64], name: str) -> None:
    """Refuse one row per line if a row may be missing, if it may be a drawing, or if each row may be a digit."""
    if rows.min() >= 1000 and len(rows) ** 2 < rows.max() < 10**18:
        raise InputError(f"{name}: line 1 holds {rows[0]}; if each digit is a row, write blanks between them")
    inside = skipped - np.arange(len(skipped))
    inside = skipped[(inside > 1) & (inside <= len(rows))]
    if len(inside) and b"#" not in begun:
        raise InputError(f"{name}: line {inside[0]} is blank; blank lines are allowed only at the end")
    if np.all(rows == rows[0]):
        lines = begun.rstrip().splitlines()
        if len(lines) == len(rows) and len({len(line) - len(line.lstrip()) for line in lines}) > 1:
            raise InputError(
                f"{name}: it can be a drawing with blanks, or one row per line; draw empty squares as ., or delete the "
                "blanks before the numbers"
            )


def _of_object(value: Any, name: str) -> Rows:
    """Return the board, or boards, in an object, which can also state n."""
    keys = [key for key in ("queens", "boards") if key in value] if isinstance(value, dict) else []
    if isinstance(value, dict) and not keys and "answer" in value:  # of fastqueens solve --instances
        raise InputError(f"{name} holds no board; its answer is {text.shortened(repr(value['answer']))}")
    if len(keys) != 1:
        raise InputError(f'{name}: a list of rows is needed, or an object with either "queens" or "boards"')
    (key,) = keys
    listed = value[key]
    if not isinstance(listed, list):
        raise InputError(f"{name}: {key} holds {text.shortened(repr(listed))}; a list is needed")
    boards = (
        {f"{name}: {key}": listed} if key == "queens" else {f"{name}: boards[{at}]": b for at, b in enumerate(listed)}
    )
    found = _of_boards([text.integers(board, place) for place, board in boards.items()], [*boards])
    n = found.rows.shape[-1]
    if type(value.get("n", n)) is not int or value.get("n", n) != n:
        raise InputError(f"{name}: n is {text.shortened(repr(value['n']))}, but {key} holds {counted(n, 'row')}")
    return found


def _of_values(values: list[tuple[str, Any]]) -> Rows:
    """Return the boards of several objects, each a single board at a place."""
    found = [_of_object(value, place) for place, value in values]
    for (place, _), rows in zip(values, found, strict=True):
        if rows.rows.ndim > 1:
            raise InputError(f"{place} holds several boards; a single board is needed")
    return _of_boards([rows.rows for rows in found], [f"{place}: queens" for place, _ in values])


def _of_boards(boards: list[NDArray[Any]], places: list[str]) -> Rows:
    """Return the boards at some places, which have one size."""
    n = len(boards[0]) if boards else 0
    for board, place in zip(boards, places, strict=True):
        if len(board) != n:
            raise InputError(
                f"{place} has {counted(len(board), 'row')}, and the first board has {n}; one size is needed"
            )
    rows = checked_row(boards[0], places[0]) if len(boards) == 1 else np.array(boards)
    if len(boards) > 1 and len(boards) == n and 0 <= rows.min() <= rows.max() <= 1:
        raise InputError(f"{places[0]} can be the first line of a matrix; write a matrix as [[0, 1, ...], ...]")
    return Rows(rows, lambda at: f"{places[at // n]}[{at % n}]", "JSON")
