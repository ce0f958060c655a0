"""Headers of results: the version, n, constraints, seed and options that repeat a run, for JSON, CSV and NumPy files.

An option has its value, never "default", and "unlimited" if it sets no limit. Options that cannot change the numbers,
such as threads, are not stated.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from fastqueens import __version__
from fastqueens._run.arguments import NO_LIMIT
from fastqueens._run.text import counted, listed
from fastqueens.board import Queens
from fastqueens.instance import Instance

UNLIMITED = "unlimited"

#: Boards and instances with more numbers than this are replaced by their digest.
_MOST_EMBEDDED = 1000

_LISTS = ("blocked", "excluded_sums", "excluded_differences")


def header_of(
    board: Instance | int | list[int],
    seed: int | None = None,
    options: Mapping[str, Any] | None = None,
    **others: Any,
) -> dict[str, Any]:
    """Return what repeats a run, in JSON types: the version, n, the constraints if there are any, seed and options.

    ``board`` is an instance, n, or several n. ``others`` come between the seed and the options.
    """
    header: dict[str, Any] = {"version": __version__, "n": board.n if isinstance(board, Instance) else board}
    if isinstance(board, Instance) and not board.is_free:
        header["instance"] = _embedded(board)
    if seed is not None:
        header["seed"] = seed
    return {**header, **others, **({} if options is None else {"options": in_files(options)})}


def in_files(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with the word for no limit."""
    return {name: UNLIMITED if value is None or value == NO_LIMIT else value for name, value in options.items()}


def board_in_files(queens: Queens) -> list[int] | str:
    """Return the rows of a board that the user gave, or the digest of a large one."""
    if len(queens) <= _MOST_EMBEDDED:
        rows: list[int] = queens.tolist()
        return rows
    return f"sha256:{hashlib.sha256(np.ascontiguousarray(queens).data).hexdigest()}"


def object_of(instance: Instance) -> dict[str, Any]:
    """Return the JSON object of an instance."""
    lists = {key: getattr(instance, key).tolist() for key in _LISTS}
    stated = {"n": instance.n, "fixed": instance.fixed.squares.tolist()}
    return stated | {key: listed for key, listed in lists.items() if listed}


def _embedded(instance: Instance) -> dict[str, Any] | str:
    if sum(instance.counts.values()) <= _MOST_EMBEDDED:
        return object_of(instance)
    return f"sha256:{hashlib.sha256(json.dumps(object_of(instance)).encode()).hexdigest()}"


_NOUNS = {
    "fixed": "fixed queen",
    "blocked": "blocked square",
    "excluded_sums": "excluded sum diagonal",
    "excluded_differences": "excluded difference diagonal",
}


def constraints_in(text: str) -> str:
    """Return the constraints in words that the JSON of a header, or of its instance, states; empty if there are none.

    >>> constraints_in('{"n": 8, "fixed": [[1, 3]]}'), constraints_in('{"seed": 1}')
    ('1 fixed queen', '')
    """
    try:
        header = json.loads(text)
    except ValueError:
        return "constraints"  # the digest of a large instance
    instance = header.get("instance", header) if isinstance(header, dict) else {}
    if isinstance(instance, str):
        return "constraints"
    lists = {key: instance[key] for key in _NOUNS if isinstance(instance, dict) and isinstance(instance.get(key), list)}
    return listed([counted(len(squares), _NOUNS[key]) for key, squares in lists.items() if squares])


def columns_of(header: Mapping[str, Any]) -> dict[str, Any]:
    """Return a header as columns of a table, with one column per option. Lists of numbers are written as 1..4,8."""
    flat = {**header, **header["options"]}
    del flat["options"]
    return {name: spans(value) if isinstance(value, list) else value for name, value in flat.items()}


def arrays_of(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return figures and headers as arrays for a NumPy file, with objects as JSON text and without missing values."""
    texts = {name: json.dumps(value) if isinstance(value, dict) else value for name, value in figures.items()}
    return {name: np.asarray(value) for name, value in texts.items() if value is not None}


def comment_of(figures: Mapping[str, Any]) -> bytes:
    """Return the header that figures begin with as a line of a text file, a comment for fastqueens and NumPy."""
    names = ("version", "n", "instance", "seed", "options", "rows_from")
    return f"# fastqueens {json.dumps({name: figures[name] for name in names if name in figures})}\n".encode()


def spans(numbers: Iterable[int]) -> str:
    """Return numbers in the form that the command line reads.

    >>> spans([1, 2, 3, 8]), spans([5])
    ('1..3,8', '5')
    """
    pieces: list[list[int]] = []
    for number in numbers:
        if pieces and number == pieces[-1][1] + 1:
            pieces[-1][1] = number
        else:
            pieces.append([number, number])
    return ",".join(str(first) if first == last else f"{first}..{last}" for first, last in pieces)
