"""Trace files in ``.csv`` and ``.npz``. The ``.npz`` files can also hold the moves of a search.

- A ``.csv`` file has the header ``attempt,step,pairs,conflicting_queens`` and a line per entry. The first entry of a
  later attempt repeats the number of the step before it, since it shows a new board and is not a step.
- An ``.npz`` file has the int64 arrays ``restarts``, ``pairs`` and ``conflicting_queens``. It also has the header of
  the run if it is known, and it can have ``first_boards`` (attempts, n) and ``moves`` (steps, 3).
"""

from __future__ import annotations

import os
import reprlib
from collections.abc import Mapping, Sequence
from typing import IO, Any, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.arguments import LARGEST_SEED, check_kind, shown
from fastqueens._run.text import counted
from fastqueens.board import MAX_N, Moves, Trace, beyond_int64, check_n, has_masked, integer_array, row_dtype
from fastqueens.errors import InputError
from fastqueens.files.atomic import atomic_write
from fastqueens.files.headers import arrays_of
from fastqueens.files.numbers import Place, check_range, lines_of_numbers, pieces_of, read_table, unpacked
from fastqueens.files.text import FileName, checked_name, checked_suffix, open_input, printed

TRACE_FORMATS = (".csv", ".npz")

_MOST_PAIRS = MAX_N * (MAX_N - 1) // 2

_CSV_HEADER = "attempt,step,pairs,conflicting_queens"


class _Entries(NamedTuple):
    """A trace with its restarts, as three int64 arrays with the names that files use."""

    restarts: NDArray[np.int64]
    pairs: NDArray[np.int64]
    conflicting_queens: NDArray[np.int64]


_NEEDED = f"a trace must hold the arrays {', '.join(_Entries._fields)}"


class Header(NamedTuple):
    """The n, seed, start and algorithm of the run in a trace file; None for values that the file does not state."""

    n: int | None = None
    seed: int | None = None
    start: str | None = None
    algorithm: str | None = None


def check_keeps_moves(path: FileName) -> None:
    """Raise :class:`InputError` if a trace file of this name cannot hold moves."""
    if checked_suffix(path, TRACE_FORMATS) != ".npz":
        raise InputError(f"{os.fspath(path)} cannot hold the moves of a search; use an .npz file")


def write_trace(
    path: FileName,
    trace: Trace,
    restarts: Sequence[SupportsIndex] = (),
    header: Mapping[str, Any] | None = None,
    moves: Moves | None = None,
) -> None:
    """Write the trace of a search to a file. The suffix determines the format.

    Parameters
    ----------
    path : str or path
        A name ending in .csv or .npz. An earlier file is replaced when the new one is complete, and unchanged if
        writing fails.
    trace : Trace
        The attacking pairs and the conflicting queens, as two integer arrays of the same length, at least 1.
    restarts : sequence of int
        The index of the first entry of each attempt after the first, in increasing order. By default, there are none.
    header : mapping of str, optional
        What repeats the run, for ``.npz`` files: ``header`` of a :class:`Result` or :class:`Climb`.
    moves : Moves, optional
        The moves of the search, ``moves`` of a :class:`Result`. They require an ``.npz`` file.

    Raises
    ------
    InputError
        If the suffix is unknown or cannot hold moves, the arrays are not a trace, or the file cannot be written.

    See Also
    --------
    read_trace : Read a trace.
    solve : Its result has a trace, restarts and moves.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "trace.csv")
    ...     write_trace(file, Trace(np.array([2, 1, 3, 0]), np.array([4, 2, 5, 0])), restarts=[2])
    ...     print(file.read_text())
    attempt,step,pairs,conflicting_queens
    1,0,2,4
    1,1,1,2
    2,1,3,5
    2,2,0,0
    <BLANKLINE>

    """
    suffix = checked_suffix(path, TRACE_FORMATS)
    if moves is not None:
        check_keeps_moves(path)
    check_kind(isinstance(trace, tuple), trace, "trace", "the trace of a result")
    entries = _checked_entries("trace", restarts, *trace)
    with atomic_write(path) as file:
        if suffix == ".csv":
            _write_csv(file, entries)
        else:
            parts = {**arrays_of(header or {}), **entries._asdict()}
            if moves is not None:
                parts |= {"first_boards": moves.first_boards, "moves": moves.steps}
            np.savez(file, **parts)


def read_trace(path: FileName) -> tuple[Trace, tuple[int, ...]]:
    """Read a trace that :func:`write_trace` or the command line wrote.

    Parameters
    ----------
    path : str or path
        A name ending in .csv or .npz.

    Returns
    -------
    trace : Trace
        The attacking pairs and the conflicting queens, as two int64 arrays.
    restarts : tuple of int
        The index of the first entry of each attempt after the first.

    Raises
    ------
    InputError
        If the file is not a trace. The message names the file, the place in it, the value found, and valid values.

    See Also
    --------
    write_trace : Write a trace.
    explore : Show a board, or replay a trace with moves.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "trace.csv")
    ...     write_trace(file, Trace(np.array([2, 1, 3, 0]), np.array([4, 2, 5, 0])), restarts=[2])
    ...     trace, restarts = read_trace(file)
    >>> trace.pairs.tolist(), restarts
    ([2, 1, 3, 0], (2,))
    """
    trace, restarts, _ = read_trace_and_header(path)
    return trace, restarts


def read_trace_and_header(path: FileName) -> tuple[Trace, tuple[int, ...], Header]:
    """Read a trace as :func:`read_trace` does, and the header of its file."""
    name = checked_name(path)
    read = _read_csv if checked_suffix(name, TRACE_FORMATS) == ".csv" else _read_npz
    with open_input(name) as (file, _):
        found, known = read(file, name)
    entries = _checked_entries(name, *found)
    trace = Trace(entries.pairs, entries.conflicting_queens)
    return trace, tuple(entries.restarts.tolist()), _checked_header(known, name)


def checked_trace(trace: Trace, restarts: Sequence[int] = (), name: str = "trace") -> tuple[Trace, tuple[int, ...]]:
    """Return a trace as int64 arrays; raise :class:`InputError`, with ``name`` in the message, if it is not valid."""
    entries = _checked_entries(name, restarts, *trace)
    return Trace(entries.pairs, entries.conflicting_queens), tuple(entries.restarts.tolist())


def attempts_and_steps(entries: NDArray[Any], restarts: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the attempt and the step number of each entry. The first entry of a later attempt is not a step."""
    earlier = np.searchsorted(restarts, entries, side="right")
    return earlier + 1, entries - earlier


def read_moves(path: FileName) -> tuple[Trace, tuple[int, ...], Moves]:
    """Read a trace with the moves of its search; all moves are checked to be on the board."""
    name = os.fspath(path)
    check_keeps_moves(name)
    trace, restarts = read_trace(name)
    with open_input(name) as (file, _):
        found = list(unpacked(file, name, ("first_boards", "moves"), _NEEDED).values())
    if len(found) != 2:
        raise InputError(f"{name} holds a trace without moves; fastqueens solve --trace {name} writes both")
    return trace, restarts, _checked_moves(found[0], found[1], len(trace.pairs), restarts, name)


def _checked_entries(name: str, *values: Any) -> _Entries:
    """Return restarts, pairs and conflicting queens as arrays; raise :class:`InputError` if they are not a trace."""
    if any(np.ndim(array) != 1 for array in values):
        raise InputError(f"{name}: restarts, pairs and conflicting_queens must be one-dimensional")
    named = zip(_Entries._fields, values, strict=True)
    entries = _Entries(*(_as_int64(array, f"{name}: {part}") for part, array in named))
    count, restarts = len(entries.pairs), entries.restarts
    if count == 0:
        raise InputError(f"{name} is empty; a trace has at least 1 entry")
    if count != len(entries.conflicting_queens):
        raise InputError(
            f"{name}: pairs has {count:,} entries, but conflicting_queens has {len(entries.conflicting_queens):,}"
        )
    ranges = {"pairs": (0, _MOST_PAIRS), "conflicting_queens": (0, MAX_N), "restarts": (1, count - 1)}
    for part, span in ranges.items():
        check_range(getattr(entries, part), *span, _entry_of(f"{name}: {part}"), part.replace("_", " "))
    if (np.diff(restarts) < 1).any():
        at = int(np.argmax(np.diff(restarts) < 1)) + 1
        raise InputError(
            f"{name}: restarts[{at}] holds {restarts[at]} after {restarts[at - 1]}; restarts must increase"
        )
    return entries


def _entry_of(array: str) -> Place:
    """Return a function for the place of each entry of an array."""
    return lambda at: f"{array}[{at}]"


def _as_int64(values: Any, place: str) -> NDArray[np.int64]:
    """Return integers as an int64 array; raise :class:`InputError` if they are not integers."""
    array = integer_array(values)
    if array is None:
        held = "masked entries" if has_masked(values) else str(np.asarray(values).dtype)
        raise InputError(f"{place} must hold integers, not {held}")
    beyond = beyond_int64(array)
    if beyond is not None:
        raise InputError(f"{place} holds {shown(beyond)}, which is not a 64-bit integer")
    return array.astype(np.int64, copy=False)


def _checked_header(known: dict[str, Any], name: str) -> Header:
    """Return the header from the values of a file, by name."""
    for part, least, most in (("n", 1, MAX_N), ("seed", 0, LARGEST_SEED)):
        value = known.get(part)
        if value is not None and not (type(value) is int and least <= value <= most):
            span = f"between {least} and {most:,}"
            raise InputError(f"{name}: {part} must be a whole number {span}, not {reprlib.repr(value)}")
    for part in ("start", "algorithm"):
        if not isinstance(known.get(part), str | None):
            raise InputError(f"{name}: {part} must be a string, not {reprlib.repr(known[part])}")
    return Header(*(known.get(part) for part in Header._fields))


def _read_csv(file: IO[bytes], name: str) -> tuple[_Entries, dict[str, Any]]:
    """Read a trace from lines of text, which hold no header."""
    header = file.readline(200).removeprefix(b"\xef\xbb\xbf").strip()
    if header != _CSV_HEADER.encode():
        raise InputError(f"{name}: line 1 holds {printed(header)}; it must be the header {_CSV_HEADER}")
    table = read_table(file, name, skipped=1)
    width = table.numbers.shape[1]
    if len(table.numbers) and width != 4:
        raise InputError(f"{name}: {table.place(0)} holds {counted(width, 'number')} instead of 4: {_CSV_HEADER}")
    attempts, steps, pairs, queens = table.numbers.reshape(-1, 4).astype(np.int64).T
    restarts = np.flatnonzero(attempts[1:] != attempts[:-1]) + 1
    right_attempts, right_steps = attempts_and_steps(np.arange(len(pairs)), restarts)
    wrong = (attempts != right_attempts) | (steps != right_steps)
    if wrong.any():
        at = int(np.argmax(wrong))
        raise InputError(
            f"{name}: {table.place(at)} holds attempt {attempts[at]}, step {steps[at]} instead of "
            f"attempt {right_attempts[at]}, step {right_steps[at]}"
        )
    return _Entries(restarts, pairs.copy(), queens.copy()), {}


def _write_csv(file: IO[bytes], entries: _Entries) -> None:
    """Write a plain table that any program can read: the names of the columns, and a line per entry."""
    file.write(f"{_CSV_HEADER}\n".encode())
    for first, pairs in pieces_of(entries.pairs):
        at = np.arange(first, first + len(pairs))
        attempts, steps = attempts_and_steps(at, entries.restarts)
        columns = np.column_stack((attempts, steps, pairs, entries.conflicting_queens[at]))
        file.write(lines_of_numbers("%d,%d,%d,%d\n", columns))


def _read_npz(file: IO[bytes], name: str) -> tuple[list[NDArray[Any]], dict[str, Any]]:
    """Read a trace from an archive, with the parts of its header that it holds."""
    found = unpacked(file, name, (*_Entries._fields, *Header._fields), _NEEDED)
    missing = [part for part in _Entries._fields if part not in found]
    if missing:
        raise InputError(f"{name}: {missing[0]} is missing; {_NEEDED}")
    header = {part: found[part].tolist() for part in Header._fields if part in found}
    return [found[part] for part in _Entries._fields], header


def _checked_moves(
    boards: NDArray[Any], moves: NDArray[Any], entries: int, restarts: Sequence[int], name: str
) -> Moves:
    attempts = len(restarts) + 1
    if boards.ndim != 2 or len(boards) != attempts or not boards.size:
        raise InputError(
            f"{name}: first_boards has shape {boards.shape}; it must hold {counted(attempts, 'board')}, one per row"
        )
    if moves.shape != (entries - attempts, 3):
        raise InputError(f"{name}: moves must have shape {(entries - attempts, 3)}, not {moves.shape}")
    rows, n = _as_int64(boards, f"{name}: first_boards"), check_n(boards.shape[1])
    check_range(rows.ravel(), 0, n - 1, lambda at: f"{name}: first_boards[{at // n}]: column {at % n}", "rows")
    queens = rows.astype(row_dtype(n))
    steps = _as_int64(moves, f"{name}: moves")
    for part, what in enumerate(("columns", "rows", "rows")):
        check_range(steps[:, part], 0, n - 1, _entry_of(f"{name}: moves"), what)
    return Moves(queens, steps)
