"""Written by ``python -m fastqueens._jit.stubs``."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ONE: np.uint64
SIX: np.uint64
SIXTY_THREE: np.uint64
ZERO: np.uint64
KEY: int
HOLES: int
LEFT: int
ROUNDS: int
VISITS: int
HOPS: int
HOPS_TRIED: int
INSERTS: int
INSERTS_TRIED: int
FAR: int
TAKEN: int
DRAWS: int
SHIFT: int
STATE_LENGTH: int

class HoledBoard(NamedTuple):
    queens: NDArray[np.int32]
    sums: NDArray[np.uint64]
    differences: NDArray[np.uint64]
    closed: NDArray[np.uint64]
    blocks: NDArray[np.uint32]
    columns: NDArray[np.uint32]
    rows: NDArray[np.uint32]
    ahead: NDArray[np.uint32]
    blocked: NDArray[np.uint64]

def mark_diagonals(
    board: HoledBoard,
    first: int,
    last: int,
) -> None: ...
def start(
    state: NDArray[np.uint64],
    seed: np.uint64,
    number: np.uint64,
    purpose: np.uint64,
) -> None: ...
def walk(
    board: HoledBoard,
    odds: NDArray[np.uint64],
    state: NDArray[np.uint64],
    most: int,
) -> bool: ...
