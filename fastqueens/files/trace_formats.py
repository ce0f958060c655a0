"""The formats of traces, and what is checked for all of them.

- ``.csv``: ``attempt,step,pairs,conflicting_queens``, one line for each entry. Attempts count from 1. Steps count from
  0 and continue across restarts: the first entry of a later attempt repeats the number of the step before it, since it
  shows a new board and is not a step.
- ``.json``: an object with the lists ``restarts``, ``pairs`` and ``conflicting_queens``.
- ``.npz``: int64 arrays of these names. Never unpickled. May also hold the moves of the search.

The last two also hold ``n``, ``seed`` and ``start`` if they are known.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Sequence
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import MAX_N
from fastqueens.core.errors import InputError, NotEnoughMemoryError
from fastqueens.core.memory import check_memory
from fastqueens.core.trace import Moves, Trace
from fastqueens.files.text import (
    check_range,
    integers,
    json_list,
    lines_of_numbers,
    number_lines,
    parse_json,
    pieces_of,
    read_all,
    shortened,
)

_MOST_PAIRS = MAX_N * (MAX_N - 1) // 2

_CSV_HEADER = "attempt,step,pairs,conflicting_queens"

_HEADER = ("n", "seed", "start")

#: How many times the size of an archive its arrays may be, unless they are smaller than so many bytes.
_MOST_COMPRESSION = 100
_MOST_UNPACKED = 50_000_000


class Entries(NamedTuple):
    """A trace with its restarts, as three int64 arrays. Their names are those in files."""

    restarts: NDArray[np.int64]
    pairs: NDArray[np.int64]
    conflicting_queens: NDArray[np.int64]


_NEEDED = f"the arrays {', '.join(Entries._fields)} are needed"


def checked_trace(trace: Trace, restarts: Sequence[int] = (), name: str = "trace") -> tuple[Trace, tuple[int, ...]]:
    """Return a trace as two int64 arrays, and its restarts; raise :class:`InputError` if they are not valid.

    ``name`` is the name of the trace in error messages.

    >>> checked_trace(Trace(np.array([2, 0]), np.array([4, 0])), [2])
    Traceback (most recent call last):
    ...
    fastqueens.InputError: trace: restarts[0] holds 2; restarts go from 1 to 1
    """
    parts = zip(Entries._fields, (restarts, *trace), strict=True)
    entries = Entries(*(as_int64(values, f"{name}: {part}") for part, values in parts))
    check_entries(entries, name)
    return Trace(entries.pairs, entries.conflicting_queens), tuple(entries.restarts.tolist())


def check_entries(entries: Entries, name: str) -> None:
    """Raise :class:`InputError` if the three arrays do not make a trace."""
    restarts, pairs, queens = entries
    if any(array.ndim != 1 for array in entries):
        raise InputError(f"{name}: restarts, pairs and conflicting_queens must be one-dimensional")
    if len(pairs) == 0:
        raise InputError(f"{name}: it is empty; a trace has at least 1 entry")
    if len(pairs) != len(queens):
        raise InputError(f"{name}: {len(pairs)} entries of pairs, but {len(queens)} of conflicting_queens")
    check_range(pairs, 0, _MOST_PAIRS, lambda index: f"{name}: pairs[{index}]", "pairs")
    check_range(queens, 0, MAX_N, lambda index: f"{name}: conflicting_queens[{index}]", "conflicting queens")
    check_range(restarts, 1, len(pairs) - 1, lambda index: f"{name}: restarts[{index}]", "restarts")
    if (np.diff(restarts) < 1).any():
        at = int(np.argmax(np.diff(restarts) < 1)) + 1
        raise InputError(
            f"{name}: restarts[{at}] holds {restarts[at]} after {restarts[at - 1]}; restarts must increase"
        )


def attempts_and_steps(entries: NDArray[Any], restarts: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the attempt and the step of each entry; the first entry of a later attempt is not a step.

    >>> [numbers.tolist() for numbers in attempts_and_steps(np.arange(4), np.array([2]))]
    [[1, 1, 2, 2], [0, 1, 1, 2]]
    """
    earlier = np.searchsorted(restarts, entries, side="right")
    return earlier + 1, entries - earlier


def as_int64(values: Any, place: str) -> NDArray[np.int64]:
    """Return integers as an int64 array; raise :class:`InputError` if they are not integers."""
    array = np.asarray(values)
    if not array.size:  # any dtype: NumPy makes floats of an empty list
        return np.zeros(array.shape, np.int64)
    if array.dtype.kind not in "iu":
        raise InputError(f"{place} holds {array.dtype}; integers are needed")
    return array.astype(np.int64, copy=False)


def read_csv(file: IO[bytes], name: str) -> tuple[Entries, dict[str, Any]]:
    """Read a trace from lines of text; they hold nothing else about the run."""
    blocks = [(1, np.empty((0, 4), np.int64)), *number_lines(file, name, _CSV_HEADER)]
    attempts, steps, pairs, queens = np.concatenate([block for _, block in blocks]).T
    restarts = np.flatnonzero(attempts[1:] != attempts[:-1]) + 1
    right_attempts, right_steps = attempts_and_steps(np.arange(len(pairs)), restarts)
    wrong = (attempts != right_attempts) | (steps != right_steps)
    if wrong.any():
        at = int(np.argmax(wrong))
        raise InputError(
            f"{name}: line {blocks[1][0] + at} holds attempt {attempts[at]}, step {steps[at]}; "
            f"attempt {right_attempts[at]}, step {right_steps[at]} is needed"
        )
    return Entries(restarts, pairs.copy(), queens.copy()), {}


def write_csv(file: IO[bytes], entries: Entries, _header: dict[str, Any], _moves: Moves | None) -> None:
    """Write the names of the columns and a line for each entry, and nothing else: a plain table for any program."""
    restarts, pairs, queens = entries
    file.write(f"{_CSV_HEADER}\n".encode())
    for first, piece in pieces_of(pairs):
        last = first + len(piece)
        attempts, steps = attempts_and_steps(np.arange(first, last), restarts)
        file.write(lines_of_numbers("%d,%d,%d,%d\n", np.column_stack((attempts, steps, piece, queens[first:last]))))


def read_json(file: IO[bytes], name: str) -> tuple[Entries, dict[str, Any]]:
    """Read a trace from JSON, and everything else in its object."""
    content = parse_json(read_all(file, name), name)
    if not isinstance(content, dict) or not set(Entries._fields) <= content.keys():
        raise InputError(f"{name}: an object with the lists {', '.join(Entries._fields)} is needed")
    return Entries(*(integers(content[part], f"{name}: {part}") for part in Entries._fields)), content


def write_json(file: IO[bytes], entries: Entries, header: dict[str, Any], _moves: Moves | None) -> None:
    """Write the object on one line."""
    opening = "{" + "".join(f'"{name}": {json.dumps(value)}, ' for name, value in header.items())
    for name, values in entries._asdict().items():
        file.write(f'{opening}"{name}": '.encode())
        file.writelines(json_list(piece for _, piece in pieces_of(values)))
        opening = ", "
    file.write(b"}\n")


def read_npz(file: IO[bytes], name: str) -> tuple[Entries, dict[str, Any]]:
    """Read a trace from an archive, and n, seed and start if it holds them."""
    found = unpacked(file, name, (*Entries._fields, *_HEADER))
    missing = [part for part in Entries._fields if part not in found]
    if missing:
        raise InputError(f"{name}: {missing[0]} is missing; {_NEEDED}")
    header = {part: found[part].tolist() for part in _HEADER if part in found}
    return Entries(*(as_int64(found[part], f"{name}: {part}") for part in Entries._fields)), header


def write_npz(file: IO[bytes], entries: Entries, header: dict[str, Any], moves: Moves | None) -> None:
    """Write the header, the trace, and the moves if there are any."""
    parts = {**header, **entries._asdict()}
    if moves is not None:
        parts |= {"first_boards": moves.first_boards, "moves": moves.steps}
    np.savez(file, **parts)


def unpacked(file: IO[bytes], name: str, parts: Sequence[str], needed: str = _NEEDED) -> dict[str, NDArray[Any]]:
    """Return those of the named arrays that an ``.npz`` file holds; an error message ends with ``needed``."""
    try:
        # Odd headers make Python and NumPy warn.
        with warnings.catch_warnings(action="ignore"), np.load(file, allow_pickle=False) as content:
            # A small archive can hold large arrays. No more is unpacked than the sizes its members state.
            unpacked_size = sum(member.file_size for member in content.zip.infolist())
            check_memory(unpacked_size, f"unpacking {name}")
            _check_compression(unpacked_size, file.seek(0, os.SEEK_END), name)
            return {part: np.asarray(content[part]) for part in parts if part in content}
    except (InputError, NotEnoughMemoryError):
        raise
    except Exception as error:  # a broken file can cause almost any exception in NumPy and zipfile
        raise InputError(f"{name}: it cannot be read as .npz ({shortened(str(error), 200)}); {needed}") from error


def _check_compression(unpacked_size: int, size: int, name: str) -> None:
    """Raise :class:`InputError` for an archive that is much larger when unpacked: it would take seconds a megabyte."""
    if unpacked_size > max(_MOST_UNPACKED, _MOST_COMPRESSION * size):
        raise InputError(
            f"{name}: it unpacks to {unpacked_size:,} bytes, more than {_MOST_COMPRESSION} times its size; "
            "write it without compression, as numpy.savez does"
        )
