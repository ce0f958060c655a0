"""Which constraints a board violates: fixed queens, blocked squares and excluded diagonals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.progress import slices
from fastqueens._run.text import counted
from fastqueens.board import Queens
from fastqueens.errors import InputError
from fastqueens.instance import Instance, square_keys

# Columns at a time: a board that is mapped from a file stays there.
_SLICE = 1 << 22


class Violations(NamedTuple):
    """The columns, ascending, of missing fixed queens, and of queens on blocked squares and excluded diagonals."""

    missing: NDArray[np.int64]
    blocked: NDArray[np.int64]
    excluded: NDArray[np.int64]

    @property
    def words(self) -> str:
        """The violations, in words; "" if there are none."""
        words = ("fixed queen", "missing"), ("queen", "on blocked squares"), ("queen", "on excluded diagonals")
        found = [(len(columns), *said) for columns, said in zip(self, words, strict=True) if len(columns)]
        return ", ".join(f"{counted(number, noun)} {fault}" for number, noun, fault in found)


def violations(queens: Queens, instance: Instance) -> Violations:
    """Return the violations of a validated board; O(n log k) time for k excluded diagonals, O(k) for k squares.

    >>> from fastqueens.instance import make_instance
    >>> instance = make_instance(4, [(0, 1)], blocked=[(2, 0), (3, 3)], excluded_sums=[4])
    >>> violations(np.array([1, 3, 0, 2]), instance).words
    '1 queen on blocked squares, 1 queen on excluded diagonals'
    """
    check_same_n(instance, len(queens))
    return Violations(
        missing_fixed_queens(queens, instance),
        queens_on_blocked_squares(queens, instance),
        _on_excluded_diagonals(queens, instance),
    )


def missing_fixed_queens(queens: Queens, instance: Instance) -> NDArray[np.int64]:
    """Return the columns, ascending, whose fixed queens are not on their squares; n must be the same."""
    columns, rows = instance.fixed.columns, instance.fixed.rows
    found: NDArray[np.int64] = columns[queens[columns] != rows]
    return found


def queens_on_blocked_squares(queens: Queens, instance: Instance) -> NDArray[np.int64]:
    """Return the columns, ascending, whose queens are on blocked squares; n must be the same."""
    columns, rows = instance.blocked.T
    found: NDArray[np.int64] = columns[queens[columns] == rows]
    return found


def violating_queens(queens: Queens, instance: Instance) -> NDArray[np.int64]:
    """Return the columns, ascending, whose queens are on blocked squares or on excluded diagonals."""
    found = violations(queens, instance)
    return np.union1d(found.blocked, found.excluded)


def check_same_n(instance: Instance, n: int) -> None:
    """Raise :class:`InputError` if an instance has another n than a board."""
    if instance.n != n:
        raise InputError(f"the instance has n = {instance.n:,}, and the board has {counted(n, 'queen')}")


def _on_excluded_diagonals(queens: Queens, instance: Instance) -> NDArray[np.int64]:
    if not len(instance.excluded_sums) and not len(instance.excluded_differences):
        return np.empty(0, np.int64)
    found = []
    for first, last in slices(len(queens), _SLICE):
        columns, rows = np.arange(first, last), queens[first:last].astype(np.int64)
        found.append(columns[_is_on_excluded(columns, rows, instance)])
    return np.concatenate(found)


def _is_on_excluded(columns: NDArray[np.int64], rows: NDArray[np.int64], instance: Instance) -> NDArray[np.bool_]:
    on_sums = _is_among(columns + rows, instance.excluded_sums)
    return on_sums | _is_among(rows - columns, instance.excluded_differences)


def _is_blocked(columns: NDArray[np.int64], rows: NDArray[np.int64], instance: Instance) -> NDArray[np.bool_]:
    blocked = instance.blocked
    if not len(blocked):
        return np.zeros(len(columns), np.bool_)
    # Only the blocked squares of these columns: there may be millions of others.
    first, last = np.searchsorted(blocked[:, 0], [columns.min(initial=0), columns.max(initial=0) + 1])
    return _is_among(square_keys(np.stack([columns, rows], axis=1)), square_keys(blocked[first:last]))


def _is_among(values: NDArray[np.generic], ascending: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Return for each value whether it is among ascending ones."""
    if not len(ascending):
        return np.zeros(len(values), np.bool_)
    at = np.minimum(np.searchsorted(ascending, values), len(ascending) - 1)
    found: NDArray[np.bool_] = ascending[at] == values
    return found
