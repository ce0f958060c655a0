"""Instances in lines of text: facts of answer set programming, and fixed queens as a table ``column,row``.

As in the blocked n-queens problem of the ASP competitions (CSPLib 080), i is a row and j a column of the facts
``block(i,j).`` and ``queen(i,j).`` in ``.lp`` and ``.asp``, both from 1. The size of the board is stated by the facts
``num(1). num(2). ... num(N).`` of the competition of 2009, by ``num(1..N).``, ``board(N).`` or ``size(N).``, or by
``#const n = N.``. Nothing is executed: other rules are errors.

The table, in ``.csv``, may come with or without its header, and with the lines in any order.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import IO

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.errors import InputError
from fastqueens.core.instance import Instance
from fastqueens.files.atomic import atomic_write
from fastqueens.files.board_text import SQUARES, fields_of, table
from fastqueens.files.instance_lists import COUNTED_FROM_0, Request, check_squares, line_at, made
from fastqueens.files.text import (
    MOST_IN_LINE,
    FileName,
    check_range,
    lines_of_numbers,
    number_lines,
    open_input,
    pieces_of,
    shortened,
)

_SQUARE = re.compile(r"\s*(-?\d{1,18})\s*,\s*(-?\d{1,18})\s*", re.ASCII)

#: A comment; its group is the end of one that begins with %*, or None if it has no end.
_COMMENT = re.compile(rb"%\*(?:.*?(\*%)|.*)|%[^\n]*", re.DOTALL)
#: What a comment becomes: blanks, so that all places in the text stay the same.
_BLANKED = bytes(byte if byte == ord("\n") else ord(" ") for byte in range(256))

# No quantifier gives anything back, so that the time is linear in the length of any text.
_NUMBER = rb"\s*+(-?\d{1,30}+)\s*+"
_PAIR = rb"\s*+\(" + _NUMBER + rb"," + _NUMBER + rb"\)\s*+\."
#: All facts of one predicate that follow each other, or another fact.
_FACTS = re.compile(
    rb"\s*+(?:(block|queen)" + _PAIR + rb"(?:\s*+\1" + _PAIR + rb")*+"
    rb"|num\s*+\(" + _NUMBER + rb"(?:\.\." + _NUMBER + rb")?+\)\s*+\."
    rb"|(?:board|size|n)\s*+\(" + _NUMBER + rb"\)\s*+\."
    rb"|\#\s*+const\s++(?:n|size)\s*+=" + _NUMBER + rb"\.)"
)
_ANYTHING = re.compile(rb"\s*+(\S[^\n]*+)")
#: What squares become: numbers with blanks between them.
_NUMBERS_ONLY = bytes(byte if byte in b"-0123456789" else ord(" ") for byte in range(256))

_NEEDED = "block(i,j)., queen(i,j)., num(i)., size(n). or #const n = N. is needed"


def read_fixed_queens(source: FileName, n: int, *, rows_from: int = 0) -> NDArray[np.int64]:
    """Read fixed queens from ``column,row`` lines, with or without that header, in any order; or below ``row,column``.

    Parameters
    ----------
    source : str or path
        The file, or "-" for standard input.
    n : int
        Side of the board.
    rows_from : 0 or 1
        The number of the first row in the file.

    Returns
    -------
    (k, 2) int64 array
        Columns and rows from 0, in the order of the file.

    Raises
    ------
    InputError
        Naming the file, the line, the value found, and what would be valid.
    """
    with open_input(source) as (file, name):
        return _squares_in_lines(file, name, n, rows_from)


def _squares_in_lines(file: IO[bytes], name: str, n: int, rows_from: int) -> NDArray[np.int64]:
    blocks = [np.empty((0, 2), np.int64)]
    begun = file.readline(MOST_IN_LINE + 1)
    fields = fields_of(begun.removeprefix(b"\xef\xbb\xbf"))
    header = SQUARES if fields in (None, (0, 1)) else "row,column"
    for line, numbers in number_lines(file, name, header, begun):
        squares = numbers[:, fields or (0, 1)]

        def place(index: int, line: int = line) -> str:
            return f"{name}: line {line + index}"

        check_range(squares[:, 0], 0, n - 1, place, "columns")
        check_range(squares[:, 1], rows_from, n - 1 + rows_from, place, "rows")
        blocks.append(squares - (0, rows_from))
    return np.concatenate(blocks)


def parse_square(text: str, *, rows_from: int = 0) -> tuple[int, int]:
    """Read a square written as COLUMN,ROW.

    >>> parse_square("3,17"), parse_square("3,17", rows_from=1)
    ((3, 17), (3, 16))
    """
    found = _SQUARE.fullmatch(text)
    if not found:
        raise InputError(f"{text!r} is not a square; write COLUMN,ROW, for example 3,17")
    return int(found[1]), int(found[2]) - rows_from


def write_fixed_queens(path: FileName, squares: NDArray[np.int64], *, rows_from: int = 0) -> None:
    """Write fixed queens, a (k, 2) array of columns and rows, as :func:`read_fixed_queens` reads them."""
    with atomic_write(path) as file:
        file.writelines(table(piece for _, piece in pieces_of(squares + np.array([0, rows_from]))))


def read_squares(data: bytes, name: str, request: Request) -> Iterator[Instance]:
    """Yield the instance of a table of fixed queens."""
    n = request.size(None, name)
    squares = _squares_in_lines(io.BytesIO(data), name, n, request.rows_from)
    yield made(n, name, rows_from=request.rows_from, fixed=squares)


def squares_content(instance: Instance) -> Iterator[bytes]:
    """Return the header and the lines of the file."""
    return table(piece for _, piece in pieces_of(instance.fixed.squares))


def read_facts(data: bytes, name: str, request: Request) -> Iterator[Instance]:
    """Yield the instance that facts describe."""
    text = _without_comments(data.removeprefix(b"\xef\xbb\xbf"), name)
    squares_of, sizes = _parsed(text, name)
    if len(sizes) > 1:
        stated = " and ".join(map(str, sorted(sizes)[:2]))
        raise InputError(f"{name}: the size of the board is stated as {stated}; one size is needed")
    n = request.size(next(iter(sizes), None), name, "size(8).")
    for predicate, squares in squares_of.items():

        def place(index: int, predicate: bytes = predicate) -> str:
            return f"{name}: line {_line_of(text, predicate, index)}: {predicate.decode()}(i,j)"

        check_squares(squares, n, place, ("rows", "columns"), first=1)
    fixed, blocked = (squares_of[predicate][:, ::-1] - 1 for predicate in (b"queen", b"block"))
    yield made(n, name, hint=COUNTED_FROM_0, fixed=fixed, blocked=blocked)


def facts_content(instance: Instance) -> Iterator[bytes]:
    """Yield the lines of the file."""
    yield f"size({instance.n}).\n".encode()
    for predicate, squares in (("queen", instance.fixed.squares), ("block", instance.blocked)):
        for _, piece in pieces_of(squares[:, ::-1], 1):
            yield lines_of_numbers(f"{predicate}(%d,%d).\n", piece)


def _without_comments(text: bytes, name: str) -> bytes:
    """Put blanks in place of comments; raise :class:`InputError` for one without an end."""

    def blanks(found: re.Match[bytes]) -> bytes:
        if found[0].startswith(b"%*") and not found[1]:
            raise InputError(f"{name}: {_place(text, found.start())}: the comment that begins with %* has no end *%")
        return found[0].translate(_BLANKED)

    return _COMMENT.sub(blanks, text) if b"%" in text else text


def _parsed(text: bytes, name: str) -> tuple[dict[bytes, NDArray[np.int64]], set[int]]:
    """Return all facts of a text without comments: squares as it counts them, rows first and from 1, and sizes of n.

    Raises :class:`InputError` for anything else.
    """
    runs = {predicate: [np.empty((0, 2), np.int64)] for predicate in (b"block", b"queen")}
    sizes, numbered = set(), set()
    position = 0
    while found := _FACTS.match(text, position):
        predicate, *_, low, high, size, constant = found.groups()
        if predicate:
            numbers = np.fromstring(found[0].translate(_NUMBERS_ONLY), np.int64, sep=" ")
            runs[predicate].append(numbers.reshape(-1, 2))
        elif low:
            numbered.add((int(low), int(high or low)))
        else:
            sizes.add(int(size or constant))
        position = found.end()
    rest = _ANYTHING.match(text, position)
    if rest:
        held = shortened(repr(rest[1][:200].strip().decode(errors="replace")))
        raise InputError(f"{name}: {_place(text, rest.start(1))} holds {held}; {_NEEDED}")
    if numbered:
        sizes.add(_end_of(numbered, name))
    return {predicate: np.concatenate(listed) for predicate, listed in runs.items()}, sizes


def _end_of(numbered: set[tuple[int, int]], name: str) -> int:
    """Return N if the numbers from 1 to N are stated, each span with its ends."""
    reached = 0
    for low, high in sorted(numbered):
        if low > reached + 1 or low < 1:
            raise InputError(f"{name}: num({low}) is stated without num({reached + 1}); num(1) to num(N) are needed")
        reached = max(reached, high)
    return reached


def _place(text: bytes, position: int) -> str:
    character = position - text.rfind(b"\n", 0, position)
    return f"line {line_at(text, position)}, character {character}"


def _line_of(text: bytes, predicate: bytes, index: int) -> int:
    """Return the line of the fact of a predicate with this index."""
    found = re.finditer(predicate, text)
    return line_at(text, next(match.start() for at, match in enumerate(found) if at == index))
