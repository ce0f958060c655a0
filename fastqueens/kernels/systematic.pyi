"""Written by ``python -m fastqueens._jit.stubs``."""

import numpy as np
from numpy.typing import NDArray

from fastqueens.kernels.climbing import Climber as Climber

BACKTRACKS: int
EVALUATIONS: int
STATUS: int
STUCK: int
NONE: int
PAIRS: int

def backtracking(
    climber: Climber,
    claimed: NDArray[np.uint64],
    trace: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    outcomes: NDArray[np.int64],
    cursor: NDArray[np.int64],
) -> None: ...
def forward_checking(
    climber: Climber,
    claimed: NDArray[np.uint64],
    trace: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    outcomes: NDArray[np.int64],
    cursor: NDArray[np.int64],
) -> None: ...
def mrv(
    climber: Climber,
    claimed: NDArray[np.uint64],
    trace: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    outcomes: NDArray[np.int64],
    cursor: NDArray[np.int64],
) -> None: ...
