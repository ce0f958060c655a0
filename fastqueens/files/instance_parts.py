"""What the readers of instances share: the size of the board, lists of pairs, and the instance made of all parts."""

from __future__ import annotations

import json
import re
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.arguments import shown
from fastqueens.core.board import check_n
from fastqueens.core.errors import InputError, NoSolutionError
from fastqueens.core.instance import Instance, make_instance
from fastqueens.core.memory import check_memory
from fastqueens.files.text import Place, check_range, integers, shortened

#: Memory that a byte of text takes while it is parsed into lists of pairs, at most: "[1,2]," becomes a list of two.
_BYTES_PER_BYTE = 30


class Request(NamedTuple):
    """What the caller of a reader knows about the instance.

    n : int or None
        The size of the board, or None if the file has to state it.
    first : int or None
        How many diagonals of a list ``diags`` to exclude; None for all.
    rows_from : 0 or 1
        The number of the first row in formats that do not fix it.
    """

    n: int | None = None
    first: int | None = None
    rows_from: int = 0


class Parts(NamedTuple):
    """The constraints in a file, counted from 0: arrays as in :class:`fastqueens.Instance`, not yet validated."""

    fixed: NDArray[np.int64] = np.empty((0, 2), np.int64)
    blocked: NDArray[np.int64] = np.empty((0, 2), np.int64)
    excluded_sums: NDArray[np.int64] = np.empty(0, np.int64)
    excluded_differences: NDArray[np.int64] = np.empty(0, np.int64)


def agreed_n(stated: int | None, request: Request, name: str, how_to_state: str = "") -> int:
    """Return the size of the board; raise :class:`InputError` if nobody states it, or file and caller disagree.

    ``how_to_state`` says how a file of this format states 8, if it can.
    """
    if stated is None:
        if request.n is None:
            add = f"add it to the file, as in {how_to_state}, or " if how_to_state else ""
            raise InputError(f"{name}: the size of the board is missing; {add}give n")
        return request.n
    if request.n is not None and request.n != stated:
        stated_n = shown(stated)
        raise InputError(f"{name}: n is {stated_n} in the file, but {request.n:,} for the board; both must agree")
    try:
        return check_n(stated)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def check_parse_memory(data: bytes, name: str) -> None:
    """Raise :class:`NotEnoughMemoryError` if lists of all numbers in a text would not fit into memory."""
    check_memory(_BYTES_PER_BYTE * len(data), f"parsing {name}")


class ListIn(NamedTuple):
    """A list in the text of a file, for error messages.

    name : the file, or the file and the line of it that the text is
    key : the name of the list
    text : bytes
    start : where the list begins in the text; -1 if entries are not to be located
    """

    name: str
    key: str
    text: bytes = b""
    start: int = -1

    def __str__(self) -> str:
        return f"{self.name}: {self.key}"

    def entry(self, at: int) -> str:
        r"""Name an entry, with its line if that is known.

        >>> ListIn("q.json", "fixed", b'{"fixed": [[1, 3],\n [8, 9]]}', 10).entry(1)
        'q.json: line 2: fixed[1]'
        """
        line = f"line {line_of_entry(self.text, self.start, at)}: " if self.start >= 0 else ""
        return f"{self.name}: {line}{self.key}[{at}]"


_BLANKS = re.compile(r"[\s,]*")


def line_at(text: bytes, position: int) -> int:
    """Return the number of the line in which a position of a text is."""
    return text.count(b"\n", 0, position) + 1


def line_of_entry(text: bytes, start: int, at: int) -> int:
    """Return the line of an entry of a list of JSON that begins at ``start``; that of the list, if it is no JSON."""
    rest = text[start:].decode(errors="replace")
    decoder, position = json.JSONDecoder(), rest.index("[") + 1
    try:
        for _ in range(at):
            _, position = decoder.raw_decode(rest, _after_blanks(rest, position))
    except (ValueError, RecursionError):
        position = 0
    return line_at(text, start) + rest.count("\n", 0, _after_blanks(rest, position))


def _after_blanks(text: str, position: int) -> int:
    found = _BLANKS.match(text, position)
    return position if found is None else found.end()


def pairs(values: Any, place: ListIn, what: str) -> NDArray[np.int64]:
    """Return a list of pairs from parsed JSON as a (k, 2) array; ``what`` describes a pair, as in "[column, row]"."""
    if not isinstance(values, list):
        raise InputError(f"{place} holds {shortened(repr(values))}; a list of pairs {what} is needed")
    for at, value in enumerate(values) if set(map(type, values)) - {list} or set(map(len, values)) - {2} else ():
        if not isinstance(value, list) or len(value) != 2:
            raise InputError(f"{place.entry(at)} holds {shortened(repr(value))}; a pair {what} is needed")
    flat = list(chain.from_iterable(values))
    if set(map(type, flat)) - {int}:
        at = next(at for at, value in enumerate(flat) if type(value) is not int) // 2
        held = shortened(repr(values[at]))
        raise InputError(f"{place.entry(at)} holds {held}; a pair {what} of whole numbers is needed")
    return integers(flat, str(place)).reshape(-1, 2)


def check_pairs(squares: NDArray[np.int64], n: int, place: Place, names: tuple[str, str], first: int = 0) -> None:
    """Raise :class:`InputError` for the first pair that is off the board, with its place, value and range.

    ``names`` are the names of the two lines, and ``first`` is the number of the first line, as the file counts them.
    """
    for values, what in zip(squares.T, names, strict=True):
        check_range(values, first, n - 1 + first, place, what)


def made(n: int, parts: Parts, name: str, rows_from: int = 0, hint: str = "") -> Instance:
    """Return the instance; errors that concern several parts get the name of the file, and a hint if there is one."""
    fixed, blocked, sums, differences = (part if len(part) else None for part in parts)
    try:
        return make_instance(
            n, fixed, blocked=blocked, excluded_sums=sums, excluded_differences=differences, rows_from=rows_from
        )
    except (InputError, NoSolutionError) as error:
        raise type(error)(f"{name}: {error}{hint}") from None
