"""Instance files in JSON, and tables of fixed queens.

An instance is a JSON object with ``n``, with lists of constraints, all counted from 0, and with notes. A ``.json`` file
holds one such object, and a ``.jsonl`` file holds one per line. A table of fixed queens begins with the header
``column,row`` or ``row,column``.
"""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.memory import check_memory
from fastqueens._run.text import counted
from fastqueens.errors import InputError, NoSolutionError
from fastqueens.files.atomic import atomic_write
from fastqueens.files.board_forms import squares_below_header
from fastqueens.files.boards import table_of_squares
from fastqueens.files.drawings import drawn_boards, without_words
from fastqueens.files.headers import object_of
from fastqueens.files.numbers import check_range, pieces_of
from fastqueens.files.text import (
    UTF16,
    FileName,
    checked_name,
    checked_suffix,
    in_utf8,
    name_of_input,
    open_input,
    parse_json,
    printed,
    read_all,
    shortened,
)
from fastqueens.instance import Instance, check_instance, make_instance

INSTANCE_FORMATS = (".json", ".jsonl")

_NOTES = ("solution", "nodes", "name", "number", "version", "seed", "options")
_KEYS = ("n", "fixed", "blocked", "excluded_sums", "excluded_differences", *_NOTES)

_FORM = (
    'write a JSON object with n and with squares [column, row], for example {"n": 8, "fixed": [[0, 0], [4, 1]], '
    '"blocked": [[2, 3]]}'
)

_SQUARE = re.compile(r"\s*(-?\d{1,18})\s*,\s*(-?\d{1,18})\s*", re.ASCII)

#: The most memory per byte of text while it is parsed into lists of pairs: "[1,2]," becomes a list of two numbers.
_BYTES_PER_BYTE = 30

#: An object that ends with its line, and a second one.
_SEVERAL = re.compile(rb"\s*+\{[^\n]*\}[^\S\n]*+\n\s*+\{")


def read_instance(source: FileName) -> Instance:
    r"""Read an instance from a JSON file.

    Parameters
    ----------
    source : str or path
        The file, or "-" for standard input.

    Returns
    -------
    Instance

    Raises
    ------
    InputError
        If the file cannot be read, or does not hold exactly one valid instance. The message names the file, the line or
        key, the value found, and valid values.
    NoSolutionError
        If fixed queens attack each other, or one of them is on a blocked square or an excluded diagonal.

    See Also
    --------
    read_instances : Read all instances of a file.
    write_instance : Write an instance.
    make_instance : Make an instance from constraints.

    Notes
    -----
    Reading a million blocked squares takes about a second. docs/reference/files.md describes the format.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "ten.json")
    ...     _ = file.write_text('{"n": 10, "fixed": [[1, 3]], "excluded_sums": [2, 5]}')
    ...     read_instance(file).constraints
    '1 fixed queen and 2 excluded sum diagonals'

    """
    found = list(islice(read_instances(source), 2))
    if len(found) != 1:
        more = "read_instances() and `fastqueens batch` take several"
        held = f"several instances, one per line; {more}" if found else "no instance; it must hold one"
        raise InputError(f"{name_of_input(source)} holds {held}")
    return found[0]


def read_instances(source: FileName) -> Iterator[Instance]:
    r"""Yield the instances of a file, which holds one instance, or one per line.

    Parameters
    ----------
    source : str or path
        The file, or "-" for standard input. A ``.jsonl`` file holds an instance per line. Other files hold a single
        instance or one per line.

    Yields
    ------
    Instance

    Raises
    ------
    InputError
        If the file cannot be read, or an instance is invalid. The message names the file, the line or key, the value
        found, and valid values.
    NoSolutionError
        If fixed queens attack each other, or one of them is on a blocked square or an excluded diagonal.

    See Also
    --------
    read_instance : Read a single instance.
    solve_instances : Solve many instances.

    Notes
    -----
    The file is read before the first instance is yielded. Each instance is parsed when it is requested.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "two.jsonl")
    ...     _ = file.write_text('{"n": 8, "fixed": [[1, 3]]}\n{"n": 9}\n')
    ...     [instance.n for instance in read_instances(file)]
    [8, 9]
    """
    for place, _, content in _objects(source):
        try:
            instance = _instance_of(content)
        except (InputError, NoSolutionError) as error:
            raise type(error)(f"{place}: {error}") from None
        yield instance


class BatchEntry(NamedTuple):
    """An instance of a batch, or the error that states why it has no solution.

    ``place`` names the file and the line, and ``text`` is the content there. ``name`` is the name that the text states,
    or else the name of the file in a folder, or else None.
    """

    place: str
    text: bytes
    name: Any
    instance: Instance | NoSolutionError


def read_batch(source: FileName) -> list[BatchEntry]:
    """Return the instances of a file, or of all instance files in a folder, in the order of the file names."""
    name = checked_name(source)
    if os.path.isdir(name):
        files = [file for file in sorted(os.listdir(name)) if file.lower().endswith(INSTANCE_FORMATS)]
        entries = [_entry(*found, file) for file in files for found in _objects(os.path.join(name, file))]
    else:
        entries = [_entry(*found) for found in _objects(name)]
    if not entries:
        raise InputError(f'{name} holds no instance; write one per line, such as {{"n": 8}}')
    return entries


def write_instance(path: FileName, instance: Instance) -> None:
    r"""Write an instance to a JSON file.

    Parameters
    ----------
    path : str or path
        A name ending in .json or .jsonl. An earlier file is replaced when the new one is complete, and unchanged if
        writing fails.
    instance : Instance
        The instance.

    Raises
    ------
    InputError
        If the suffix is unknown or the file cannot be written.

    See Also
    --------
    read_instance : Read an instance.
    make_instance : Make an instance from constraints.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from fastqueens import make_instance
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "eight.json")
    ...     write_instance(file, make_instance(8, {1: 3}, excluded_sums=[2]))
    ...     file.read_text()
    '{"n": 8, "fixed": [[1, 3]], "excluded_sums": [2]}\n'

    """
    checked_suffix(path, INSTANCE_FORMATS)
    check_instance(instance)
    with atomic_write(path) as file:
        file.write(json_line(instance))


def parse_square(text: str, *, rows_from: int = 0) -> tuple[int, int]:
    """Return the column and the row of a square written as COLUMN,ROW."""
    found = _SQUARE.fullmatch(text)
    if not found:
        raise InputError(f"{text!r} is not a square; write COLUMN,ROW, for example 3,17")
    return int(found[1]), int(found[2]) - rows_from


def read_fixed_queens(
    source: FileName, n: int, *, rows_from: int = 0, tell: Callable[[str], object] | None = None
) -> NDArray[np.int64]:
    """Return the fixed queens in a table or a drawing, as a (k, 2) array of columns and rows from 0.

    They are in the order of the table. ``tell`` is called with notes about ignored text.
    """
    with open_input(source) as (file, name):
        data = in_utf8(read_all(file, name), name)
    lines = without_words(data, name)
    for note in lines.notes(n):
        if tell is not None:
            tell(note)
    found = squares_below_header(lines.content, io.BytesIO(), name)
    if found is None:
        boards = drawn_boards(lines.content, name)
        if boards is not None and boards.shape == (1, n, n):
            return np.argwhere(boards[0].T)
        held = f"begins with {printed(data.split(maxsplit=1)[0])}" if data.strip() else "is empty"
        if boards is not None:
            held = f"holds {counted(len(boards), 'board')} of {counted(boards.shape[1], 'row')}"
        raise InputError(
            f"{name} {held}; write the header column,row above the columns and rows, or draw a board of {n} rows"
        )
    *squares, place = found
    for numbers, what, first in ((squares[0], "columns", 0), (squares[1], "rows", rows_from)):
        check_range(numbers, first, n - 1 + first, place, what)
    return np.column_stack(squares).astype(np.int64) - (0, rows_from)


def write_fixed_queens(path: FileName, squares: NDArray[np.int64], *, rows_from: int = 0) -> None:
    """Write fixed queens, a (k, 2) array of columns and rows, in the form that :func:`read_fixed_queens` reads."""
    with atomic_write(path) as file:
        file.writelines(table_of_squares(piece for _, piece in pieces_of(squares + np.array([0, rows_from]))))


def json_line(instance: Instance, notes: Mapping[str, Any] | None = None) -> bytes:
    """Return the line of a ``.jsonl`` file for an instance with notes, for example a puzzle with its solution."""
    return json.dumps({**object_of(instance), **(notes or {})}).encode() + b"\n"


def _objects(source: FileName) -> Iterator[tuple[str, bytes, dict[str, Any]]]:
    """Yield the place, the text and the parsed object of each instance in a file; blank lines are skipped."""
    with open_input(source) as (file, name):
        data = in_utf8(read_all(file, name, _can_be_json, _BYTES_PER_BYTE), name)
    suffix = os.path.splitext(source)[1].lower()
    if suffix == ".jsonl" or _SEVERAL.match(data):
        for number, line in enumerate(data.split(b"\n"), 1):
            if line.strip():
                place = f"{name}: line {number}"
                yield place, line, _parsed(line, place)
    else:
        yield name, data, _parsed(data, name)


def _can_be_json(begun: bytes) -> bool:
    """Return whether a text can begin a JSON object; blanks at its beginning are skipped."""
    return begun[:2] in UTF16 or begun.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"", b"{")


def _parsed(data: bytes, place: str) -> dict[str, Any]:
    """Return the JSON object in a text; raise :class:`InputError` for any other text."""
    check_memory(_BYTES_PER_BYTE * len(data), f"parsing {place}")
    begin = data.lstrip()[:80]
    if not begin.startswith(b"{"):
        held = f"is not an instance (it begins with {printed(begin)})" if begin else "is empty"
        raise InputError(f"{place} {held}; {_FORM}")
    content: dict[str, Any] = parse_json(data, place)
    unknown = next((key for key in content if key not in _KEYS), None)
    if unknown is not None:
        raise InputError(f"{place}: unknown key {shortened(repr(unknown))}; the keys are {', '.join(_KEYS)}")
    return content


def _instance_of(content: dict[str, Any]) -> Instance:
    if "n" not in content:
        raise InputError('the size of the board is missing; add it, for example "n": 8')
    return make_instance(**{key: value for key, value in content.items() if key not in _NOTES})


def _entry(place: str, text: bytes, content: dict[str, Any], file: str | None = None) -> BatchEntry:
    instance: Instance | NoSolutionError
    try:
        instance = _instance_of(content)
    except NoSolutionError as error:
        instance = error
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    return BatchEntry(place, text, content.get("name") or file, instance)
