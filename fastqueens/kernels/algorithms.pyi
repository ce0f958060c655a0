"""Written by ``python -m fastqueens._jit.stubs``."""

import numpy as np
from numpy.typing import NDArray

from fastqueens.kernels.climbing import Climber as Climber
from fastqueens.kernels.min_conflicts import count_queens as count_queens
from fastqueens.kernels.min_conflicts import list_conflicts as list_conflicts
from fastqueens.kernels.min_conflicts import place_least_conflict as place_least_conflict
from fastqueens.kernels.min_conflicts import search as search

ATTEMPT: int
BEGUN: int
EVALUATIONS: int
MADE: int
RUN: int
STATUS: int
STUCK: int
WAITED: int
COLUMN: int
CONFLICTING: int
DRAWS: int
PAIRS: int
UNUSED: int

def steepest(
    climber: Climber,
    claimed: NDArray[np.uint64],
    trace: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    outcomes: NDArray[np.int64],
    cursor: NDArray[np.int64],
) -> None: ...
def stochastic(
    climber: Climber,
    claimed: NDArray[np.uint64],
    trace: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    outcomes: NDArray[np.int64],
    cursor: NDArray[np.int64],
) -> None: ...
def first_choice(
    climber: Climber,
    claimed: NDArray[np.uint64],
    trace: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    outcomes: NDArray[np.int64],
    cursor: NDArray[np.int64],
) -> None: ...
def annealing(
    climber: Climber,
    claimed: NDArray[np.uint64],
    trace: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    outcomes: NDArray[np.int64],
    cursor: NDArray[np.int64],
) -> None: ...
def random_walk(
    climber: Climber,
    claimed: NDArray[np.uint64],
    trace: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    outcomes: NDArray[np.int64],
    cursor: NDArray[np.int64],
) -> None: ...
def random_sampling(
    climber: Climber,
    claimed: NDArray[np.uint64],
    trace: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    outcomes: NDArray[np.int64],
    cursor: NDArray[np.int64],
) -> None: ...
def min_conflicts(
    climber: Climber,
    claimed: NDArray[np.uint64],
    trace: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    outcomes: NDArray[np.int64],
    cursor: NDArray[np.int64],
) -> None: ...
