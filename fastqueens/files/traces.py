"""Read and write traces in ``.csv``, ``.json`` and ``.npz``, and the moves of a search, which ``.npz`` traces may hold.

In every format ``restarts`` are the indices of the entries with which later attempts begin. ``first_boards``
(attempts, n) holds the board that each attempt began with. ``moves`` (steps, 3), int64, holds for each step the column
of its queen, the row it left and the row it moved to.
"""

from __future__ import annotations

import os
import reprlib
from collections.abc import Callable, Sequence
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.arguments import LARGEST_SEED
from fastqueens.core.board import MAX_N, Queens, check_n, row_dtype
from fastqueens.core.errors import InputError
from fastqueens.core.trace import Moves, Trace
from fastqueens.files import trace_formats
from fastqueens.files.atomic import atomic_write
from fastqueens.files.text import FileName, check_range, checked_suffix, open_to_read
from fastqueens.files.trace_formats import Entries, as_int64, check_entries, checked_trace, unpacked


class _Format(NamedTuple):
    """How to read and write a format.

    ``read(file, name)`` returns the entries and what else the file tells about the run, by name.
    ``write(file, entries, header, moves)`` writes what the format can hold.
    """

    read: Callable[[IO[bytes], str], tuple[Entries, dict[str, Any]]]
    write: Callable[[IO[bytes], Entries, dict[str, Any], Moves | None], None]


_FORMATS = {
    ".csv": _Format(trace_formats.read_csv, trace_formats.write_csv),
    ".json": _Format(trace_formats.read_json, trace_formats.write_json),
    ".npz": _Format(trace_formats.read_npz, trace_formats.write_npz),
}

TRACE_FORMATS = tuple(_FORMATS)


class Header(NamedTuple):
    """What a trace file tells about its run; None if it does not."""

    n: int | None = None
    seed: int | None = None
    start: str | None = None

    @property
    def known(self) -> dict[str, int | str]:
        """The values that are not None, by name."""
        return {name: value for name, value in self._asdict().items() if value is not None}


def check_trace_suffix(path: FileName) -> str:
    """Return the suffix in lower case, or raise :class:`InputError` if it is not one of the three formats."""
    return checked_suffix(path, TRACE_FORMATS)


def check_keeps_moves(path: FileName) -> None:
    """Raise :class:`InputError` if a trace file of this name cannot hold moves."""
    if check_trace_suffix(path) != ".npz":
        raise InputError(f"{os.fspath(path)}: only an .npz file can hold the moves of a search")


def write_trace(
    path: FileName,
    trace: Trace,
    restarts: Sequence[int] = (),
    header: Header | None = None,
    moves: Moves | None = None,
) -> None:
    """Write a trace in the format of the suffix; if that fails, an earlier file of that name stays unchanged.

    Parameters
    ----------
    path : str or path
        The file. An earlier one is replaced when the new one is complete.
    trace : Trace
        Two integer arrays of the same length, at least 1.
    restarts : sequence of int
        The index of the first entry of each attempt after the first: increasing, from 1 on.
    header : Header, optional
        The n, seed and start of the run, for ``.json`` and ``.npz``.
    moves : Moves, optional
        What each step did on the board, for ``.npz``.

    Raises
    ------
    InputError
        If the suffix is unknown or cannot hold moves, the arrays are not a trace, or the file cannot be written.

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
    suffix = check_trace_suffix(path)
    if moves is not None:
        check_keeps_moves(path)
    header = header or Header()
    (pairs, queens), restarts = checked_trace(trace, restarts)
    entries = Entries(as_int64(restarts, "restarts"), pairs, queens)
    with atomic_write(path) as file:
        _FORMATS[suffix].write(file, entries, header.known, moves)


def read_trace(path: FileName) -> tuple[Trace, tuple[int, ...]]:
    """Read a trace that :func:`write_trace` wrote.

    Returns
    -------
    (Trace, tuple of int)
        The two int64 arrays, and the index of the first entry of each attempt after the first.

    Raises
    ------
    InputError
        Naming the file, the place in it, the value found, and what would be valid.

    """
    trace, restarts, _ = read_trace_and_header(path)
    return trace, restarts


def read_trace_and_header(path: FileName) -> tuple[Trace, tuple[int, ...], Header]:
    """Read a trace as :func:`read_trace` does, and what its file tells about the run."""
    name = os.fspath(path)
    suffix = check_trace_suffix(name)
    with open_to_read(name) as file:
        entries, known = _FORMATS[suffix].read(file, name)
    check_entries(entries, name)
    trace = Trace(entries.pairs, entries.conflicting_queens)
    return trace, tuple(entries.restarts.tolist()), _checked_header(known, name)


def _checked_header(known: dict[str, Any], name: str) -> Header:
    """Return the header among the values of a file, by name."""
    for part, least, most in (("n", 1, MAX_N), ("seed", 0, LARGEST_SEED)):
        value = known.get(part)
        if value is not None and not (type(value) is int and least <= value <= most):
            raise InputError(
                f"{name}: {part} holds {reprlib.repr(value)}; a whole number from {least} to {most} is needed"
            )
    if not isinstance(known.get("start"), str | None):
        raise InputError(f"{name}: start holds {reprlib.repr(known['start'])}; a string is needed")
    return Header(*(known.get(part) for part in Header._fields))


def read_moves(path: FileName) -> tuple[Trace, tuple[int, ...], Moves]:
    """Read a trace with the moves of its search, and check every move against the board before it.

    Returns
    -------
    (Trace, tuple of int, Moves)
        As in :func:`~fastqueens.files.traces.read_trace`, and the moves.

    Raises
    ------
    InputError
        Naming the file, the place in it, the value found, and what would be valid.
    """
    name = os.fspath(path)
    check_keeps_moves(name)
    trace, restarts = read_trace(name)
    with open_to_read(name) as file:
        found = list(unpacked(file, name, ("first_boards", "moves")).values())
    if len(found) != 2:
        raise InputError(f"{name}: it holds a trace, but no moves; fastqueens solve --trace {name} --moves writes both")
    return trace, restarts, _checked_moves(found[0], found[1], len(trace.pairs), restarts, name)


def _checked_moves(
    boards: NDArray[Any], moves: NDArray[Any], entries: int, restarts: Sequence[int], name: str
) -> Moves:
    attempts = len(restarts) + 1
    if boards.ndim != 2 or len(boards) != attempts:
        raise InputError(
            f"{name}: first_boards has shape {boards.shape}; {attempts} boards are needed, one in each row"
        )
    if moves.shape != (entries - attempts, 3):
        raise InputError(f"{name}: moves has shape {moves.shape}; ({entries - attempts}, 3) is needed")
    queens = _checked_boards(as_int64(boards, f"{name}: first_boards"), name)
    steps = as_int64(moves, f"{name}: moves")
    for part, what in enumerate(("columns", "rows", "rows")):
        check_range(steps[:, part], 0, queens.shape[1] - 1, lambda at: f"{name}: moves[{at}]", what)
    _check_rows_before(queens, steps, restarts, name)
    return Moves(queens, steps)


def _checked_boards(boards: NDArray[np.int64], name: str) -> Queens:
    n = boards.shape[1]
    if n == 0:
        raise InputError(f"{name}: first_boards[0]: it is empty; a board has at least 1 queen")
    check_range(boards.ravel(), 0, n - 1, lambda at: f"{name}: first_boards[{at // n}]: column {at % n}", "rows")
    return boards.astype(row_dtype(check_n(n)))


def _check_rows_before(queens: Queens, steps: NDArray[np.int64], restarts: Sequence[int], name: str) -> None:
    """Raise :class:`InputError` for the first move that takes its queen from a wrong row."""
    # An attempt's first entry in the trace is not a step.
    first_steps = np.array(restarts, np.int64) - np.arange(1, len(restarts) + 1)
    attempts = np.searchsorted(first_steps, np.arange(len(steps)), side="right")
    columns, before, after = steps.T
    order = np.lexsort((columns, attempts))
    rows = queens[attempts[order], columns[order]].astype(np.int64)
    moved_earlier = (np.diff(columns[order]) == 0) & (np.diff(attempts[order]) == 0)
    rows[1:][moved_earlier] = after[order][:-1][moved_earlier]
    wrong = np.flatnonzero(rows != before[order])
    if len(wrong):
        at = wrong[np.argmin(order[wrong])]
        step = order[at]
        raise InputError(
            f"{name}: moves[{step}] takes the queen of column {columns[step]} from row {before[step]}, "
            f"but it stands on row {rows[at]}"
        )
