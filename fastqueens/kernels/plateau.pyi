"""Written by ``python -m fastqueens._jit.stubs``."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ONE: np.uint64
ZERO: np.uint64
PAIRS: int
CONFLICTING: int
UNUSED: int
BEST_PAIRS: int
STEPS_SINCE_BEST: int
DRAWS: int
STATE_LENGTH: int
UNDER_WAY: int
SOLVED: int
STAGNANT: int

class Advance(NamedTuple):
    status: int
    steps: int

class PlateauMemory(NamedTuple):
    table: NDArray[np.uint64]
    slots: NDArray[np.uint32]
    used: NDArray[np.int64]
