"""Written by ``python -m fastqueens._jit.stubs``."""

import numpy as np
from numpy.typing import NDArray

from fastqueens.kernels.holes import HoledBoard as HoledBoard

ONE: np.uint64
ZERO: np.uint64
HOLES: int
HOPS_TRIED: int
LEFT: int
SHIFT: int
TAKEN: int
FEATURES: int

def sample(
    board: HoledBoard,
    odds: NDArray[np.uint64],
    state: NDArray[np.uint64],
    spacing: int,
    boards: NDArray[np.int32],
    features: NDArray[np.int64],
    most: int,
) -> bool: ...
def walk_over_levels(
    board: HoledBoard,
    movable: NDArray[np.uint64],
    odds: NDArray[np.uint64],
    state: NDArray[np.uint64],
    free: NDArray[np.uint64],
    squares: NDArray[np.uint64],
    most: int,
) -> None: ...
