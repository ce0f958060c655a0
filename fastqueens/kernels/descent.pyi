"""Written by ``python -m fastqueens._jit.stubs``."""

import numpy as np
from numpy.typing import NDArray

from fastqueens.kernels.plateau import Advance as Advance

SOLVED: int
STAGNANT: int
UNDER_WAY: int
LINES_A_QUEEN: int

def prepare(
    queens: NDArray[np.int64],
    lines: NDArray[np.int64],
    floors: NDArray[np.int64],
) -> None: ...
def descend(
    queens: NDArray[np.int64],
    lines: NDArray[np.int64],
    floors: NDArray[np.int64],
    moves: NDArray[np.int64],
) -> Advance: ...
