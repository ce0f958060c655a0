"""Instances whose constraints are lists of numbers: our own JSON, and the parameter files of CSPLib.

``.json`` is an object with ``n`` and lists of constraints, all counted from 0: ``{"n": 8, "fixed": [[1, 3]], "blocked":
[[0, 0]], "excluded_sums": [5], "excluded_differences": [-2]}``, squares as [column, row]. ``solution``, ``nodes`` and
``undecided`` may follow, as in puzzles, and ``name``; they are no part of the instance. In ``.jsonl`` there is one such
object in each line.

Parameter files have lines ``NAME = VALUE`` or, in Essence', ``letting NAME be VALUE``:

==============  ======================================================================================================
``n``           the size of the board
``diags``       CSPLib 079: [d, 1] excludes the sum diagonal d, [d, 0] the difference diagonal d - (n - 1); any first
                part of the list makes an instance.
``init``        CSPLib 079: fixed queens, as [column, row] from 0
``blocks``      CSPLib 080: blocked squares, as [row, column] from 1
``sumdiags``    excluded sum diagonals, from 0 to 2 n - 2
``diffdiags``   excluded difference diagonals, from -(n - 1) to n - 1
==============  ======================================================================================================

``numdiags``, ``numsum`` and ``numdiff`` count diagonals. Comments begin with ``$``. Nothing is executed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.arguments import shown
from fastqueens.core.board import check_n
from fastqueens.core.errors import InputError, NoSolutionError, counted
from fastqueens.core.instance import Instance, make_instance
from fastqueens.core.memory import check_memory
from fastqueens.files.text import Place, check_range, integers, json_list, parse_json, pieces_of, shortened

#: Memory that a byte of text takes while it is parsed into lists of pairs, at most: "[1,2]," becomes a list of two.
_BYTES_PER_BYTE = 30

_DIAGONALS = ("excluded_sums", "excluded_differences")
_LISTS = ("fixed", "blocked", *_DIAGONALS)
_KEYS = ("n", *_LISTS, "solution", "nodes", "undecided", "name")

_OBJECT_NEEDED = 'an object is needed, as in {"n": 8, "fixed": [[1, 3]]}'

#: The lists of diagonals in a parameter file, and the name under which it may state the length of each.
_COUNTS = {"diags": "numdiags", "sumdiags": "numsum", "diffdiags": "numdiff"}
_NAMES = ("n", "init", "blocks", *_COUNTS, *_COUNTS.values())

_COMMENT = re.compile(rb"\$[^\n]*")
_LANGUAGE = re.compile(rb"\s*language\s+essence'?\s+[\d.]+", re.IGNORECASE)
#: A class of characters comes first, since the search for one is fast in long lists. Names are short, so that a long
#: word that is none takes no long time either.
_ASSIGNMENT = re.compile(rb"([A-Za-z_]\w{0,30}+)(?:(?<=\bletting)\s++([A-Za-z_]\w{0,30}+))??\s*+(?:=|\bbe\b)", re.ASCII)
_INDEX_DOMAIN = re.compile(rb";\s*int\s*\([^()\[\]]*\)\s*(?=\])")

_ASSIGNMENT_NEEDED = "NAME = VALUE is needed, as in n = 8 or letting init = [[1, 3]]"

#: Ends the message about two constraints of a file that counts otherwise.
COUNTED_FROM_0 = "; here columns and rows count from 0"


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

    def size(self, stated: int | None, name: str, how_to_state: str = "") -> int:
        """Return the size of the board; raise :class:`InputError` if it is not stated, or file and caller disagree.

        ``how_to_state`` says how a file of this format states 8, if it can.
        """
        if stated is None:
            if self.n is None:
                add = f"add it to the file, as in {how_to_state}, or " if how_to_state else ""
                raise InputError(f"{name}: the size of the board is missing; {add}give n")
            return self.n
        if self.n is not None and self.n != stated:
            stated_n = shown(stated)
            raise InputError(f"{name}: n is {stated_n} in the file, but {self.n:,} for the board; both must agree")
        try:
            return check_n(stated)
        except InputError as error:
            raise InputError(f"{name}: {error}") from None


def made(n: int, name: str, *, rows_from: int = 0, hint: str = "", **parts: NDArray[np.int64]) -> Instance:
    """Return the instance; errors that concern several parts get the name of the file, and a hint if there is one."""
    try:
        return make_instance(n, rows_from=rows_from, **{part: listed for part, listed in parts.items() if len(listed)})
    except (InputError, NoSolutionError) as error:
        raise type(error)(f"{name}: {error}{hint}") from None


def check_squares(squares: NDArray[np.int64], n: int, place: Place, names: tuple[str, str], first: int = 0) -> None:
    """Raise :class:`InputError` for the first square that is off the board, with its place, value and range.

    ``names`` are the names of the two lines, and ``first`` is the number of the first line, as the file counts them.
    """
    last = n - 1 + first
    if len(squares) and (squares.min() < first or squares.max() > last):
        for values, what in zip(squares.T, names, strict=True):
            check_range(values, first, last, place, what)


class ListIn(NamedTuple):
    """A list in a file, from parsed JSON.

    name : the file, or the file and the line of it that the text is
    key : the name of the list
    values : whatever stands there
    text : bytes
    start : where the list begins in the text; -1 if entries are not to be located
    """

    name: str
    key: str
    values: Any
    text: bytes = b""
    start: int = -1

    def __str__(self) -> str:
        return f"{self.name}: {self.key}"

    def entry(self, at: int) -> str:
        r"""Name an entry, with its line if that is known.

        >>> ListIn("q.json", "fixed", [[1, 3], [8, 9]], b'{"fixed": [[1, 3],\n [8, 9]]}', 10).entry(1)
        'q.json: line 2: fixed[1]'
        """
        line = f"line {_line_of_entry(self.text, self.start, at)}: " if self.start >= 0 else ""
        return f"{self.name}: {line}{self.key}[{at}]"

    def numbers(self, low: int, high: int) -> NDArray[np.int64]:
        """Return a list of diagonals."""
        numbers = integers(self.values, str(self), self.entry)
        check_range(numbers, low, high, self.entry, "diagonals")
        return numbers

    def squares(self, n: int, names: tuple[str, str] = ("columns", "rows"), first: int = 0) -> NDArray[np.int64]:
        """Return a list of squares as a (k, 2) array, both lines as the file counts them."""
        squares = self.pairs(f"[{names[0][:-1]}, {names[1][:-1]}]")
        check_squares(squares, n, self.entry, names, first)
        return squares

    def pairs(self, what: str) -> NDArray[np.int64]:
        """Return a list of pairs as a (k, 2) array; ``what`` describes a pair, as in "[column, row]"."""
        if not isinstance(self.values, list):
            raise InputError(f"{self} holds {shortened(repr(self.values))}; a list of pairs {what} is needed")
        for at, value in enumerate(self.values):
            if not (isinstance(value, list) and list(map(type, value)) == [int, int]):
                held = shortened(repr(value))
                raise InputError(f"{self.entry(at)} holds {held}; a pair {what} of whole numbers is needed")
        return integers(list(chain.from_iterable(self.values)), str(self)).reshape(-1, 2)


def line_at(text: bytes, position: int) -> int:
    """Return the number of the line in which a position of a text is."""
    return text.count(b"\n", 0, position) + 1


_BLANKS = re.compile(r"[\s,]*")


def _line_of_entry(text: bytes, start: int, at: int) -> int:
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


# JSON


def read_json(data: bytes, name: str, request: Request) -> Iterator[Instance]:
    """Yield the instance of a JSON file."""
    if not data.strip():
        raise InputError(f"{name}: it is empty; {_OBJECT_NEEDED}")
    check_memory(_BYTES_PER_BYTE * len(data), f"parsing {name}")
    yield instance_of(parse_json(data, name), name, request, data)


def read_json_lines(data: bytes, name: str, request: Request) -> Iterator[Instance]:
    """Yield the instance of each line; blank lines are skipped."""
    for place, _, content in json_lines(data, name):
        yield instance_of(content, place, request)


def json_lines(data: bytes, name: str) -> Iterator[tuple[str, bytes, Any]]:
    """Yield the place, the text and the content of each line that is not blank."""
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            check_memory(_BYTES_PER_BYTE * len(line), f"parsing {name}")
            yield f"{name}: line {number}", line, parse_json(line, name, number)


def json_content(instance: Instance) -> Iterator[bytes]:
    """Yield the parts of the file: one line."""
    yield from _opened(instance)
    yield b"}\n"


def json_line(instance: Instance, notes: dict[str, Any]) -> bytes:
    """Return the line of a ``.jsonl`` file for an instance with notes: a puzzle with its solution, for example."""
    return b"".join([*_opened(instance), *(f', "{key}": {json.dumps(notes[key])}'.encode() for key in notes), b"}\n"])


def instance_of(content: Any, name: str, request: Request, text: bytes = b"") -> Instance:
    """Return the instance of an object; errors name the lines of entries if its text is given."""
    if not isinstance(content, dict):
        raise InputError(f"{name}: it holds {shortened(repr(content))}; {_OBJECT_NEEDED}")
    unknown = next((key for key in content if key not in _KEYS), None)
    if unknown is not None:
        raise InputError(f"{name}: the key {shortened(repr(unknown))} is unknown; the keys are {', '.join(_KEYS)}")
    n = request.size(_whole(content, "n", name), name, '"n": 8')
    ends = {"excluded_sums": (0, 2 * n - 2), "excluded_differences": (1 - n, n - 1)}
    parts: dict[str, Any] = {}
    for key in _LISTS:
        if content.get(key, []) != []:
            found = re.search(rb'"%s"\s*:\s*(?=\[)' % key.encode(), text) if text else None
            listed = ListIn(name, key, content[key], text, found.end() if found else -1)
            parts[key] = listed.numbers(*ends[key]) if key in ends else listed.squares(n)
    return made(n, name, **parts)


def _whole(values: dict[str, Any], key: str, name: str) -> int | None:
    """Return the number that a name stands for, or None if the file does not state it."""
    value = values.get(key)
    if key in values and type(value) is not int:
        raise InputError(f"{name}: {key} holds {shortened(repr(value))}; a whole number is needed")
    return value


def _opened(instance: Instance) -> Iterator[bytes]:
    """Yield the object without its closing brace: n and fixed always, the other lists unless they are empty."""
    yield f'{{"n": {instance.n}, "fixed": '.encode()
    yield from _squares_list(instance.fixed.squares)
    if len(instance.blocked):
        yield b', "blocked": '
        yield from _squares_list(instance.blocked)
    for key in _DIAGONALS:
        diagonals = getattr(instance, key)
        if len(diagonals):
            yield f', "{key}": '.encode()
            yield from json_list(piece for _, piece in pieces_of(diagonals))


def _squares_list(squares: NDArray[np.int64]) -> Iterator[bytes]:
    """Write pairs of numbers as a list of lists.

    >>> b"".join(_squares_list(np.array([[1, 3], [2, 0]])))
    b'[[1, 3], [2, 0]]'
    """
    yield from json_list((piece for _, piece in pieces_of(squares)), "[%d, %d]")


# Parameter files


def read_parameters(data: bytes, name: str, request: Request) -> Iterator[Instance]:
    """Yield the instance of a parameter file."""
    check_memory(_BYTES_PER_BYTE * len(data), f"parsing {name}")
    stated = _assignments(data.removeprefix(b"\xef\xbb\xbf"), name)
    values = {key: listed.values for key, listed in stated.items()}
    n = request.size(_whole(values, "n", name), name, "n = 8")
    for key, count in _COUNTS.items():
        _check_count(values, key, count, name)
    init, blocks, diags, sums, differences = (
        stated.get(key, ListIn(name, key, [])) for key in ("init", "blocks", *_COUNTS)
    )
    if request.first is not None and "diags" not in stated:
        raise no_first_part(name)
    fixed, blocked = init.squares(n), blocks.squares(n, ("rows", "columns"), 1)
    first_sums, first_differences = _first_part(diags, n, request.first)
    yield made(
        n,
        name,
        hint=COUNTED_FROM_0 if len(blocked) else "",
        fixed=fixed,
        blocked=blocked[:, ::-1] - 1,
        excluded_sums=np.concatenate([first_sums, sums.numbers(0, 2 * n - 2)]),
        excluded_differences=np.concatenate([first_differences, differences.numbers(1 - n, n - 1)]),
    )


def no_first_part(name: str) -> InputError:
    """Return the error for a caller who wants the first part of a list that is not there."""
    return InputError(f"{name}: only a list diags, as in CSPLib 079, has a first part; this file has none")


def parameters_content(instance: Instance) -> Iterator[bytes]:
    """Yield the lines of the file, in Essence', as CSPLib's models read them."""
    yield f"letting n = {instance.n}\n".encode()
    for name, squares in (("init", instance.fixed.squares), ("blocks", instance.blocked[:, ::-1] + 1)):
        if len(squares):
            yield f"letting {name} = ".encode()
            yield from _squares_list(squares)
            yield b"\n"
    sums, differences = instance.excluded_sums, instance.excluded_differences
    for name, numbers in (("sumdiags", sums), ("diffdiags", differences)) if len(sums) or len(differences) else ():
        yield f"letting {_COUNTS[name]} = {len(numbers)}\nletting {name} = ".encode()
        yield from json_list(piece for _, piece in pieces_of(numbers))
        yield b"\n"


def _assignments(data: bytes, name: str) -> dict[str, ListIn]:
    """Return what a file assigns to each name, and where each list is."""
    text = _COMMENT.sub(b"", data)
    language = _LANGUAGE.match(text)
    begin = language.end() if language else 0
    found = list(_ASSIGNMENT.finditer(text, begin))
    _check_blank(text, begin, found[0].start() if found else len(text), name)
    stated: dict[str, ListIn] = {}
    for at, match in enumerate(found):
        key = (match[2] or match[1]).decode()
        place = f"{name}: line {line_at(text, match.start())}"
        if key not in _NAMES:
            raise InputError(f"{place}: the name {shortened(repr(key))} is unknown; known are {', '.join(_NAMES)}")
        if key in stated:
            raise InputError(f"{place} states {key} again; once is enough")
        end = found[at + 1].start() if at + 1 < len(found) else len(text)
        value = _value(text, match.end(), end, f"{name}: {key}")
        stated[key] = ListIn(name, key, value, text, match.end())
    return stated


def _check_blank(text: bytes, first: int, last: int, name: str) -> None:
    """Raise :class:`InputError` for text outside of assignments."""
    other = re.compile(rb"\S[^\n]*").search(text, first, last)
    if other:
        held = shortened(repr(other[0].strip().decode(errors="replace")))
        raise InputError(f"{name}: line {line_at(text, other.start())} holds {held}; {_ASSIGNMENT_NEEDED}")


def _value(text: bytes, first: int, last: int, place: str) -> Any:
    """Return a number, or a list that may have index domains as in ``[1, 2; int(1..2)]``."""
    value = _INDEX_DOMAIN.sub(b"", text[first:last])
    try:
        return json.loads(value)
    except json.JSONDecodeError as error:
        at = line_at(text, first) + error.lineno - 1
        held = shortened(repr(value.decode(errors="replace").strip()))
        raise InputError(f"{place} holds {held}; a number or a list is needed (line {at}: {error.msg})") from None
    except (UnicodeDecodeError, ValueError) as error:
        raise InputError(f"{place}: it cannot be read ({error}); a number or a list is needed") from None
    except RecursionError:
        raise InputError(f"{place}: the brackets are nested too deeply; a list of pairs is needed") from None


def _check_count(values: dict[str, Any], key: str, count: str, name: str) -> None:
    """Raise :class:`InputError` if the file states another length of a list."""
    stated, listed = _whole(values, count, name), values.get(key, [])
    if stated is not None and isinstance(listed, list) and stated != len(listed):
        raise InputError(f"{name}: {count} is {stated}, but {key} holds {counted(len(listed), 'diagonal')}")


def _first_part(diags: ListIn, n: int, first: int | None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return sum and difference diagonals of the first part of the list ``diags``."""
    pairs = diags.pairs("[diagonal, kind]")
    if first is not None and not 0 <= first <= len(pairs):
        raise InputError(
            f"{diags.name}: first is {first}; diags holds {counted(len(pairs), 'diagonal')}, so it goes "
            f"from 0 to {len(pairs)}"
        )
    check_range(pairs[:, 0], 0, 2 * n - 2, diags.entry, "diagonals")
    check_range(pairs[:, 1], 0, 1, diags.entry, "kinds (0 for a difference diagonal, 1 for a sum diagonal)")
    numbers, kinds = pairs[:first].T
    return numbers[kinds == 1], numbers[kinds == 0] - (n - 1)
