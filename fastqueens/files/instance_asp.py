"""Instances as facts of answer set programming, in ``.lp`` and ``.asp``: ``block(i,j).`` and ``queen(i,j).``.

As in the blocked n-queens problem of the ASP competitions (CSPLib 080), i is a row and j a column, both from 1. The
size of the board is stated by the facts ``num(1). num(2). ... num(N).`` of the competition of 2009, by ``num(1..N).``,
``board(N).`` or ``size(N).``, or by ``#const n = N.``. Nothing is executed: other rules are errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.errors import InputError
from fastqueens.core.instance import Instance
from fastqueens.files import numbers
from fastqueens.files.instance_parts import Parts, Request, agreed_n, check_pairs, line_at, made
from fastqueens.files.numbers import lines_of_numbers, pieces_of, shortened, within_int64

_COMMENT = re.compile(rb"%\*.*?\*%|%[^\n]*", re.DOTALL)
_NUMBER = rb"\s*(-?\d{1,30})\s*"
_FACT = re.compile(
    rb"\s*(?:(block|queen)\s*\(" + _NUMBER + rb"," + _NUMBER + rb"\)\s*\."
    rb"|(num)\s*\(" + _NUMBER + rb"(?:\.\." + _NUMBER + rb")?\)\s*\."
    rb"|(?:board|size|n)\s*\(" + _NUMBER + rb"\)\s*\."
    rb"|#\s*const\s+(?:n|size)\s*=" + _NUMBER + rb"\.)"
)
_DIGITS_APART = re.compile(rb"[0-9]\s+[0-9]")
_ANYTHING = re.compile(rb"\s*(\S[^\n]*)")

_NEEDED = "block(i,j)., queen(i,j)., num(i)., size(n). or #const n = N. is needed"
_COUNTED_FROM_0 = "; here columns and rows count from 0"


class _Facts:
    """The facts of a file, as it counts them: rows first, from 1."""

    def __init__(self) -> None:
        self.squares: dict[bytes, list[NDArray[np.int64]]] = {b"block": [], b"queen": []}
        self.sizes: list[int] = []
        self.numbered: set[tuple[int, int]] = set()

    def of(self, predicate: bytes) -> NDArray[np.int64]:
        """Return all squares of a predicate, in the order of the file."""
        return np.concatenate([np.empty((0, 2), np.int64), *self.squares[predicate]])


def read(data: bytes, name: str, request: Request) -> Instance:
    """Read an instance from facts."""
    if request.first is not None:
        raise InputError(f"{name}: only a list diags, as in CSPLib 079, has a first part; this file has facts")
    text = data.removeprefix(b"\xef\xbb\xbf")
    if b"%" in text:
        text = _COMMENT.sub(lambda found: b"\n" * found[0].count(b"\n"), text)
    facts = _Facts()
    for first, last in _pieces(text):
        piece = text[first:last]
        if not any(_parse_fast(facts, predicate, piece) for predicate in facts.squares):
            _parse_strictly(facts, text, first, last, name)
    n = agreed_n(_stated_n(facts, name), request, name, "size(8).")
    squares = {predicate: facts.of(predicate) for predicate in facts.squares}
    for predicate, listed in squares.items():

        def place(index: int, predicate: bytes = predicate) -> str:
            return f"{name}: line {_line_of(text, predicate, index)}: {predicate.decode()}(i,j)"

        check_pairs(listed, n, place, ("rows", "columns"), first=1)
    parts = Parts(squares[b"queen"][:, ::-1] - 1, squares[b"block"][:, ::-1] - 1)
    return made(n, parts, name, hint=_COUNTED_FROM_0)


def content(instance: Instance) -> Iterator[bytes]:
    """Yield the lines of the file."""
    yield f"size({instance.n}).\n".encode()
    for predicate, squares in (("queen", instance.fixed.squares), ("block", instance.blocked)):
        for _, piece in pieces_of(squares[:, ::-1], 1):
            yield lines_of_numbers(f"{predicate}(%d,%d).\n", piece)


def _pieces(text: bytes) -> Iterator[tuple[int, int]]:
    """Cut a text behind facts, into pieces (first, last) of bounded size if facts have it."""
    first = 0
    while first < len(text):
        end = text.find(b").", first + numbers.BLOCK)
        last = len(text) if end < 0 else end + 2
        yield first, last
        first = last


def _parse_fast(facts: _Facts, predicate: bytes, piece: bytes) -> bool:
    """Add the squares of a piece that holds only facts of one predicate; return False for any other text."""
    shape = piece.translate(None, b"0123456789 \t\r\n")
    if shape != (predicate + b"(,).") * (len(shape) // (len(predicate) + 4)) or not shape:
        return False
    if _DIGITS_APART.search(piece):
        return False
    blanks = piece.translate(bytes(byte if 48 <= byte <= 57 else 32 for byte in range(256)))
    parsed = np.fromstring(blanks, np.int64, sep=" ")
    if 2 * piece.count(b"(") != len(parsed):  # a number is missing
        return False
    # The name of a predicate must be in one piece, too.
    if piece.count(predicate) != len(parsed) // 2:
        return False
    facts.squares[predicate].append(parsed.reshape(-1, 2))
    return True


def _parse_strictly(facts: _Facts, text: bytes, first: int, last: int, name: str) -> None:
    """Add the facts of a piece one by one; raise :class:`InputError` for anything else."""
    squares: dict[bytes, list[int]] = {predicate: [] for predicate in facts.squares}
    while found := _FACT.match(text, first, last):
        predicate, row, column, is_num, low, high, size, constant = found.groups()
        if predicate:
            squares[predicate] += within_int64(int(row)), within_int64(int(column))
        elif is_num:
            facts.numbered.add((int(low), int(high or low)))
        else:
            facts.sizes.append(int(size or constant))
        first = found.end()
    rest = _ANYTHING.match(text, first, last)
    if rest:
        shown = shortened(repr(rest[1].strip().decode(errors="replace")))
        raise InputError(f"{name}: line {line_at(text, rest.start(1))} holds {shown}; {_NEEDED}")
    for predicate, values in squares.items():
        facts.squares[predicate].append(np.array(values, np.int64).reshape(-1, 2))


def _stated_n(facts: _Facts, name: str) -> int | None:
    """Return the size of the board, or None if no fact states it."""
    sizes = set(facts.sizes)
    if facts.numbered:
        spans = sorted(facts.numbered)
        reached = 0
        for low, high in spans:
            if low > reached + 1 or low < 1:
                raise InputError(
                    f"{name}: num({low}) is stated without num({reached + 1}); num(1) to num(N) are needed"
                )
            reached = max(reached, high)
        sizes.add(reached)
    if len(sizes) > 1:
        stated = " and ".join(map(str, sorted(sizes)))
        raise InputError(f"{name}: the size of the board is stated as {stated}; one size is needed")
    return sizes.pop() if sizes else None


def _line_of(text: bytes, predicate: bytes, index: int) -> int:
    """Return the line of the fact of a predicate with this index."""
    found = re.finditer(predicate + rb"\s*\(", text)
    return line_at(text, next(match.start() for at, match in enumerate(found) if at == index))
