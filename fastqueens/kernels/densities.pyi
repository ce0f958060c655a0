"""Written by ``python -m fastqueens._jit.stubs``."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ONE: np.uint64
ZERO: np.uint64

class Counts(NamedTuple):
    squares: NDArray[np.int64]
    lengths: NDArray[np.int64]
    pairs: NDArray[np.int64]
    used: NDArray[np.uint64]
    shift: np.uint64
    factor: np.uint64

def count_boards(
    boards: NDArray[np.int32],
    counts: Counts,
    top: int,
    bottom: int,
    first: int,
    last: int,
) -> None: ...
def bin_queens(
    queens: NDArray[np.int32],
    squares: NDArray[np.int64],
    sums: NDArray[np.int64],
    differences: NDArray[np.int64],
    shift: np.uint64,
    factor: np.uint64,
    first: int,
    last: int,
) -> None: ...
