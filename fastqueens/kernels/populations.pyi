"""Written by ``python -m fastqueens._jit.stubs``."""

import numpy as np
from numpy.typing import NDArray

from fastqueens.kernels.climbing import Climber as Climber

ALIVE: int
EVALUATIONS: int
HALF: int
MADE: int
STATUS: int
STUCK: int
COLUMN: int
NONE: int
BEST_PAIRS: int
DRAWS: int
PAIRS: int
STEPS_SINCE_BEST: int

def beam(
    climber: Climber,
    claimed: NDArray[np.uint64],
    trace: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    outcomes: NDArray[np.int64],
    cursor: NDArray[np.int64],
) -> None: ...
def stochastic_beam(
    climber: Climber,
    claimed: NDArray[np.uint64],
    trace: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    outcomes: NDArray[np.int64],
    cursor: NDArray[np.int64],
) -> None: ...
def genetic(
    climber: Climber,
    claimed: NDArray[np.uint64],
    trace: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    outcomes: NDArray[np.int64],
    cursor: NDArray[np.int64],
) -> None: ...
