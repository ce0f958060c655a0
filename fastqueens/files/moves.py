"""Read the moves of a search, which ``.npz`` traces may hold.

``first_boards`` (attempts, n) holds the board that each attempt began with. ``moves`` (steps, 3), int64, holds for each
step the column of its queen, the row it left and the row it moved to.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import Queens, check_n, row_dtype
from fastqueens.core.errors import InputError
from fastqueens.core.trace import Moves, Trace
from fastqueens.files.names import FileName
from fastqueens.files.numbers import check_range
from fastqueens.files.reading import open_to_read
from fastqueens.files.trace_formats import as_int64, unpacked
from fastqueens.files.traces import check_keeps_moves, read_trace


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
