"""The course of a search, for a page to play: trace, restarts and moves as the arrays that go into a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.board import InputError
from fastqueens.explore.page import MOST_QUEENS_INSIDE, check_fits_inside
from fastqueens.result import Moves, Trace

#: A page with more would be slow to open.
_MOST_STEPS = 2_000_000


def course_data(trace: Trace, restarts: Sequence[int], moves: Moves) -> dict[str, NDArray[Any]]:
    """Give the data of :func:`fastqueens.explore.page.page_in_one_file` for a search on ``moves.first_boards[0]``.

    Parameters
    ----------
    trace, restarts, moves
        As a :class:`fastqueens.Result` has them.

    Returns
    -------
    dict of arrays
        "moves": all columns, then all rows before, then all rows after; "starts": the first boards, one after the
        other; "pairs" and "restarts" as in the trace.

    Raises
    ------
    InputError
        For more than 2 million steps, or first boards with more than 2 million queens together.
    """
    n = moves.first_boards.shape[1]
    check_fits_inside(n)
    if len(moves.steps) > _MOST_STEPS:
        raise InputError(f"a page plays at most {_MOST_STEPS:,} steps, and this search made {len(moves.steps):,}")
    if moves.first_boards.size > MOST_QUEENS_INSIDE:
        raise InputError(
            f"a page holds at most {MOST_QUEENS_INSIDE:,} queens, and this search of {n:,} began "
            f"{len(moves.first_boards):,} times"
        )
    return {
        "moves": moves.steps.T,
        "starts": moves.first_boards,
        "pairs": trace.pairs,
        "restarts": np.array(restarts, np.int64),
    }
