"""Instances as facts of answer set programming, in ``.lp`` and ``.asp``: ``block(i,j).`` and ``queen(i,j).``.

As in the blocked n-queens problem of the ASP competitions (CSPLib 080), i is a row and j a column, both from 1. The
size of the board is stated by the facts ``num(1). num(2). ... num(N).`` of the competition of 2009, by ``num(1..N).``,
``board(N).`` or ``size(N).``, or by ``#const n = N.``. Nothing is executed: other rules are errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from fastqueens.core.errors import InputError
from fastqueens.core.instance import Instance
from fastqueens.files.instance_parts import Parts, Request, agreed_n, check_pairs, line_at, made
from fastqueens.files.text import lines_of_numbers, pieces_of, shortened

#: A comment; its group is the end of one that begins with %*, or None if it has no end.
_COMMENT = re.compile(rb"%\*(?:.*?(\*%)|.*)|%[^\n]*", re.DOTALL)
#: What a comment becomes: blanks, so that all places in the text stay the same.
_BLANKED = bytes(byte if byte == ord("\n") else ord(" ") for byte in range(256))

# No quantifier gives anything back, so that the time is linear in the length of any text.
_NUMBER = rb"\s*+(-?\d{1,30}+)\s*+"
_SQUARE = rb"\s*+\(" + _NUMBER + rb"," + _NUMBER + rb"\)\s*+\."
#: All facts of one predicate that follow each other, or another fact.
_FACTS = re.compile(
    rb"\s*+(?:(block|queen)" + _SQUARE + rb"(?:\s*+\1" + _SQUARE + rb")*+"
    rb"|num\s*+\(" + _NUMBER + rb"(?:\.\." + _NUMBER + rb")?+\)\s*+\."
    rb"|(?:board|size|n)\s*+\(" + _NUMBER + rb"\)\s*+\."
    rb"|\#\s*+const\s++(?:n|size)\s*+=" + _NUMBER + rb"\.)"
)
_ANYTHING = re.compile(rb"\s*+(\S[^\n]*+)")
#: What squares become: numbers with blanks between them.
_NUMBERS_ONLY = bytes(byte if byte in b"-0123456789" else ord(" ") for byte in range(256))

_NEEDED = "block(i,j)., queen(i,j)., num(i)., size(n). or #const n = N. is needed"
_COUNTED_FROM_0 = "; here columns and rows count from 0"


class _Facts:
    """The facts of a file, as it counts them: rows first, from 1."""

    def __init__(self) -> None:
        self.squares = {predicate: [np.empty((0, 2), np.int64)] for predicate in (b"block", b"queen")}
        self.sizes: set[int] = set()
        self.numbered: set[tuple[int, int]] = set()


def read(data: bytes, name: str, request: Request) -> Instance:
    """Read an instance from facts."""
    if request.first is not None:
        raise InputError(f"{name}: only a list diags, as in CSPLib 079, has a first part; this file has facts")
    text = _without_comments(data.removeprefix(b"\xef\xbb\xbf"), name)
    facts = _parsed(text, name)
    n = agreed_n(_stated_n(facts, name), request, name, "size(8).")
    squares = {predicate: np.concatenate(runs) for predicate, runs in facts.squares.items()}
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


def _without_comments(text: bytes, name: str) -> bytes:
    """Put blanks in place of comments; raise :class:`InputError` for one without an end."""

    def blanks(found: re.Match[bytes]) -> bytes:
        if found[0].startswith(b"%*") and not found[1]:
            raise InputError(f"{name}: {_place(text, found.start())}: the comment that begins with %* has no end *%")
        return found[0].translate(_BLANKED)

    return _COMMENT.sub(blanks, text) if b"%" in text else text


def _parsed(text: bytes, name: str) -> _Facts:
    """Return all facts of a text without comments; raise :class:`InputError` for anything else."""
    facts = _Facts()
    position = 0
    while found := _FACTS.match(text, position):
        predicate, *_, low, high, size, constant = found.groups()
        if predicate:
            numbers = np.fromstring(found[0].translate(_NUMBERS_ONLY), np.int64, sep=" ")
            facts.squares[predicate].append(numbers.reshape(-1, 2))
        elif low:
            facts.numbered.add((int(low), int(high or low)))
        else:
            facts.sizes.add(int(size or constant))
        position = found.end()
    rest = _ANYTHING.match(text, position)
    if rest:
        shown = shortened(repr(rest[1][:200].strip().decode(errors="replace")))
        raise InputError(f"{name}: {_place(text, rest.start(1))} holds {shown}; {_NEEDED}")
    return facts


def _place(text: bytes, position: int) -> str:
    character = position - text.rfind(b"\n", 0, position)
    return f"line {line_at(text, position)}, character {character}"


def _stated_n(facts: _Facts, name: str) -> int | None:
    """Return the size of the board, or None if no fact states it."""
    sizes = facts.sizes
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
        stated = " and ".join(map(str, sorted(sizes)[:2]))
        raise InputError(f"{name}: the size of the board is stated as {stated}; one size is needed")
    return sizes.pop() if sizes else None


def _line_of(text: bytes, predicate: bytes, index: int) -> int:
    """Return the line of the fact of a predicate with this index."""
    found = re.finditer(predicate, text)
    return line_at(text, next(match.start() for at, match in enumerate(found) if at == index))
