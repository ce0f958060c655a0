"""The course of a search, as the solver records it and files store it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import Queens


class Trace(NamedTuple):
    """Attacking pairs and conflicting queens before the first step of every attempt and after each step."""

    pairs: NDArray[np.int64]
    conflicting_queens: NDArray[np.int64]


class Moves(NamedTuple):
    """The moves of a search.

    Attributes
    ----------
    first_boards : (attempts, n) int32 or uint32 array
        The board with which each attempt began.
    steps : (steps, 3) int64 array
        For each step the column of its queen, its row before and its row after, which may be the same.
    """

    first_boards: Queens
    steps: NDArray[np.int64]
