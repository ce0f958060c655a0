"""The run of a rule as the trace of a search, for files and for pages that play it."""

from __future__ import annotations

import numpy as np

from fastqueens.analysis.conflicts import conflicting_queens
from fastqueens.classroom.climbing import Climb
from fastqueens.core.trace import Moves, Trace


def recorded(climbed: Climb) -> tuple[Trace, tuple[int, ...], Moves]:
    """Return the trace of a run, the entries of its restarts, and its moves: O(n) time a step.

    A step in which no queen moves is recorded as one of the queen in column 0, from its row to the same row.

    Examples
    --------
    >>> from fastqueens.classroom.climbing import climb
    >>> trace, restarts, moves = recorded(climb(8, seed=3))
    >>> trace.pairs.tolist(), restarts, moves.steps.shape
    ([6, 4, 3], (), (2, 3))
    """
    pairs, conflicting, restarts, steps = [], [], [], []
    for entry, look in enumerate(climbed.looks()):
        if look.is_start and entry:
            restarts.append(entry)
        elif entry:
            steps.append(look.move or (0, look.queens[0], look.queens[0]))
        pairs.append(look.cost)
        conflicting.append(conflicting_queens(look.queens))
    trace = Trace(np.array(pairs, np.int64), np.array(conflicting, np.int64))
    moves = Moves(np.stack(list(climbed.starts)), np.array(steps, np.int64).reshape(-1, 3))
    return trace, tuple(restarts), moves
