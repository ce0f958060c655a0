"""Written by ``python -m fastqueens._jit.stubs``."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.kernels.plateau import Advance as Advance
from fastqueens.kernels.plateau import PlateauMemory as PlateauMemory

ONE: np.uint64
ZERO: np.uint64
CONFLICTING: int
PAIRS: int
SOLVED: int
UNDER_WAY: int
UNUSED: int
SEARCH: np.uint64
FORBIDDEN: np.uint64

class Lines(NamedTuple):
    rows: NDArray[np.uint32]
    sums: NDArray[np.uint32]
    differences: NDArray[np.uint32]
    conflicting: NDArray[np.uint32]
    place: NDArray[np.uint32]
    unused: NDArray[np.uint32]
    unused_place: NDArray[np.uint32]
    fixed: NDArray[np.uint64]
    blocked: NDArray[np.uint64]

def count_queens(
    queens: NDArray[np.int32],
    lines: Lines,
    state: NDArray[np.int64],
    first: int,
    last: int,
) -> None: ...
def list_conflicts(
    queens: NDArray[np.int32],
    lines: Lines,
    state: NDArray[np.int64],
    first: int,
    last: int,
) -> None: ...
def place_least_conflict(
    queens: NDArray[np.int32],
    lines: Lines,
    memory: PlateauMemory,
    state: NDArray[np.int64],
    seed: np.uint64,
    attempt: np.uint64,
    first: int,
    last: int,
) -> None: ...
def search(
    queens: NDArray[np.int32],
    lines: Lines,
    memory: PlateauMemory,
    state: NDArray[np.int64],
    trace: NDArray[np.int64],
    seed: np.uint64,
    attempt: np.uint64,
    max_steps: int,
    stagnation_limit: int,
) -> Advance: ...
