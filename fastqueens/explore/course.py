"""The course of a search as arrays in a page, which plays it: trace, restarts and moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.errors import InputError
from fastqueens.core.trace import Moves, Trace
from fastqueens.explore.page import MOST_QUEENS_INSIDE, check_fits_inside

#: A page with more would be slow to open.
_MOST_STEPS = 2_000_000


def course_data(trace: Trace, restarts: Sequence[int], moves: Moves) -> dict[str, NDArray[Any]]:
    """Return the data of a search for :func:`fastqueens.explore.page.page_in_one_file`; its board is the first one.

    Parameters
    ----------
    trace, restarts, moves
        As in a :class:`fastqueens.Result`.

    Returns
    -------
    dict of arrays
        "moves": all columns, then all rows before, then all rows after. "starts": the first boards, one after the
        other. "pairs" and "restarts" as in the trace.

    Raises
    ------
    InputError
        If there are more than 2 million steps, or more than 2 million queens on all first boards together.
    """
    n = moves.first_boards.shape[1]
    check_fits_inside(n)
    if len(moves.steps) > _MOST_STEPS:
        raise InputError(f"a page plays at most {_MOST_STEPS:,} steps, and this search has {len(moves.steps):,}")
    if moves.first_boards.size > MOST_QUEENS_INSIDE:
        raise InputError(
            f"a page holds at most {MOST_QUEENS_INSIDE:,} queens, and this search has "
            f"{len(moves.first_boards):,} first boards of {n:,}"
        )
    return {
        "moves": moves.steps.T,
        "starts": moves.first_boards,
        "pairs": trace.pairs,
        "restarts": np.array(restarts, np.int64),
    }
