"""The entries of a trace: checked, and numbered by attempt and step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import MAX_N
from fastqueens.core.errors import InputError
from fastqueens.core.trace import Trace
from fastqueens.files.numbers import check_range

_MOST_PAIRS = MAX_N * (MAX_N - 1) // 2


class Entries(NamedTuple):
    """A trace with its restarts, as three int64 arrays. Their names are those in files."""

    restarts: NDArray[np.int64]
    pairs: NDArray[np.int64]
    conflicting_queens: NDArray[np.int64]


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
