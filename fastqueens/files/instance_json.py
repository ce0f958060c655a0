"""Instances in ``.json``: an object with ``n`` and lists of constraints, all counted from 0.

``{"n": 8, "fixed": [[1, 3]], "blocked": [[0, 0]], "excluded_sums": [5], "excluded_differences": [-2]}``, squares as
[column, row]. ``solution``, ``nodes`` and ``undecided`` may follow, as in puzzles, and ``name``; they are no part of
the instance. In ``.jsonl`` there is one such object in each line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.errors import InputError
from fastqueens.core.instance import Instance
from fastqueens.files.instance_parts import (
    ListIn,
    Parts,
    Request,
    agreed_n,
    check_pairs,
    check_parse_memory,
    made,
    pairs,
)
from fastqueens.files.text import check_range, integers, json_list, lines_of_numbers, parse_json, pieces_of, shortened

_SQUARES = ("fixed", "blocked")
_DIAGONALS = ("excluded_sums", "excluded_differences")
_NOTES = ("solution", "nodes", "undecided", "name")
_KEYS = ("n", *_SQUARES, *_DIAGONALS, *_NOTES)

_NEEDED = 'an object is needed, as in {"n": 8, "fixed": [[1, 3]]}'


def read(data: bytes, name: str, request: Request) -> Instance:
    """Read an instance from JSON."""
    if not data.strip():
        raise InputError(f"{name}: it is empty; {_NEEDED}")
    check_parse_memory(data, name)
    return _instance(parse_json(data, name), name, request, data)


def read_lines(data: bytes, name: str, request: Request) -> Iterator[Instance]:
    """Yield the instance of each line; blank lines are skipped."""
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            check_parse_memory(line, name)
            yield _instance(parse_json(line, name, number), f"{name}: line {number}", request)


def content(instance: Instance) -> Iterator[bytes]:
    """Yield the parts of the file: one line."""
    yield from _opened(instance)
    yield b"}\n"


def line(instance: Instance, notes: dict[str, Any]) -> bytes:
    """Return the line of a ``.jsonl`` file for an instance with notes: a puzzle with its solution, for example."""
    return b"".join([*_opened(instance), *(f', "{key}": {json.dumps(notes[key])}'.encode() for key in notes), b"}\n"])


def _instance(content: Any, name: str, request: Request, text: bytes = b"") -> Instance:
    """Return the instance of an object; errors name the lines of entries if its text is given."""
    if not isinstance(content, dict):
        raise InputError(f"{name}: it holds {shortened(repr(content))}; {_NEEDED}")
    unknown = next((key for key in content if key not in _KEYS), None)
    if unknown is not None:
        raise InputError(f"{name}: the key {shortened(repr(unknown))} is unknown; the keys are {', '.join(_KEYS)}")
    if request.first is not None:
        raise InputError(f"{name}: only a list diags, as in CSPLib 079, has a first part; JSON states every diagonal")
    stated = content.get("n")
    if "n" in content and type(stated) is not int:
        raise InputError(f"{name}: n holds {shortened(repr(stated))}; a whole number is needed")
    n = agreed_n(stated, request, name, '"n": 8')
    squares = {key: _squares(content[key], n, _list_in(text, name, key)) for key in _SQUARES if key in content}
    limits = ((0, 2 * n - 2), (1 - n, n - 1))
    diagonals = {
        key: _diagonals(content[key], *ends, _list_in(text, name, key))
        for key, ends in zip(_DIAGONALS, limits, strict=True)
        if key in content
    }
    return made(n, Parts(**squares, **diagonals), name)


def _list_in(text: bytes, name: str, key: str) -> ListIn:
    found = re.search(rb'"%s"\s*:\s*(?=\[)' % key.encode(), text)
    return ListIn(name, key, text, found.end() if found else -1)


def _squares(values: Any, n: int, place: ListIn) -> NDArray[np.int64]:
    squares = pairs(values, place, "[column, row]")
    check_pairs(squares, n, place.entry, ("columns", "rows"))
    return squares


def _diagonals(values: Any, least: int, most: int, place: ListIn) -> NDArray[np.int64]:
    diagonals = integers(values, str(place), place.entry)
    check_range(diagonals, least, most, place.entry, "diagonals")
    return diagonals


def _opened(instance: Instance) -> Iterator[bytes]:
    """Yield the object without its closing brace: n and fixed always, the other lists unless they are empty."""
    yield f'{{"n": {instance.n}, "fixed": '.encode()
    yield from squares_list(instance.fixed.squares)
    if len(instance.blocked):
        yield b', "blocked": '
        yield from squares_list(instance.blocked)
    for key in _DIAGONALS:
        diagonals = getattr(instance, key)
        if len(diagonals):
            yield f', "{key}": '.encode()
            yield from json_list(piece for _, piece in pieces_of(diagonals))


def squares_list(squares: NDArray[np.int64]) -> Iterator[bytes]:
    """Write pairs of numbers as a list of lists.

    >>> b"".join(squares_list(np.array([[1, 3], [2, 0]])))
    b'[[1, 3], [2, 0]]'
    """
    yield b"["
    cut = 2  # nothing separates the first pair
    for _, piece in pieces_of(squares):
        yield lines_of_numbers(", [%d, %d]", piece)[cut:]
        cut = 0
    yield b"]"
