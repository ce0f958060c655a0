"""Written by ``python -m fastqueens._jit.stubs``."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.kernels.min_conflicts import Lines as Lines
from fastqueens.kernels.plateau import PlateauMemory as PlateauMemory

NONE: int
SWAP: int
BEST_PAIRS: int
PAIRS: int
STATE_LENGTH: int
PLACEMENT: np.uint64
SEARCH: np.uint64
KEY: int
STATUS: int
MADE: int
BEGUN: int
EVALUATIONS: int
PAID: int
BACKTRACKS: int
WAITED: int
HALF: int
ALIVE: int
CLIMB_STATE_LENGTH: int
UNDER_WAY: int
STUCK: int
INITIAL_PAIRS: int
FINAL_PAIRS: int
STEPS: int
RESTARTS: int
RUN_EVALUATIONS: int
RUN_BACKTRACKS: int
OUTCOME_LENGTH: int
RUN: int
LAST: int
IS_BEGUN: int
ATTEMPT: int
BUDGET: int
STEPS_BEFORE: int
EVALUATIONS_BEFORE: int
REFUSED: int
HAS_BOARD: int
CURSOR_LENGTH: int

class Climber(NamedTuple):
    queens: NDArray[np.int32]
    rows: NDArray[np.int64]
    sums: NDArray[np.int64]
    differences: NDArray[np.int64]
    state: NDArray[np.int64]
    moves: int
    sideways_limit: int
    tries: int
    odds: NDArray[np.uint64]
    level_length: int
    mutation: np.uint64
    max_steps: int
    max_evaluations: int
    restarts: int
    is_systematic: int
    boards: NDArray[np.int32]
    keys: NDArray[np.uint64]
    picks: NDArray[np.int64]
    counts: NDArray[np.int64]
    removed: NDArray[np.int64]
    lines: Lines
    memory: PlateauMemory

def place_first(
    queens: NDArray[np.int32],
    moves: int,
    seed: np.uint64,
    attempt: np.uint64,
) -> None: ...
