"""Written by ``python -m fastqueens._jit.stubs``."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.kernels.plateau import Advance as Advance
from fastqueens.kernels.plateau import PlateauMemory as PlateauMemory
from fastqueens.kernels.windows import Bitsets as Bitsets

ONE: np.uint64
PAIRS: int
SOLVED: int
UNDER_WAY: int
SEARCH: np.uint64
NEEDS_MIN_CONFLICTS: int

class Pairs(NamedTuple):
    first: NDArray[np.uint32]
    second: NDArray[np.uint32]
    rows: NDArray[np.uint32]
    unused: NDArray[np.uint32]

def place_left_over(
    queens: NDArray[np.int32],
    bitsets: Bitsets,
    pairs: Pairs,
    memory: PlateauMemory,
    columns: NDArray[np.uint32],
    state: NDArray[np.int64],
    seed: np.uint64,
    attempt: np.uint64,
) -> int: ...
def repair(
    queens: NDArray[np.int32],
    bitsets: Bitsets,
    pairs: Pairs,
    memory: PlateauMemory,
    state: NDArray[np.int64],
    trace: NDArray[np.int64],
    seed: np.uint64,
    attempt: np.uint64,
    max_steps: int,
    stagnation_limit: int,
) -> Advance: ...
