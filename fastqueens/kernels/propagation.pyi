"""Written by ``python -m fastqueens._jit.stubs``."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ONE: np.uint64
SIX: np.uint64
ZERO: np.uint64

class Side(NamedTuple):
    columns: NDArray[np.uint64]
    rows: NDArray[np.uint64]
    sums: NDArray[np.uint64]
    differences: NDArray[np.uint64]
    blocked: NDArray[np.uint64]

class Listed(NamedTuple):
    closed: int
    listed: int

def list_last_squares(
    side: Side,
    columns: NDArray[np.int64],
    rows: NDArray[np.int64],
    count: int,
    first: int,
    last: int,
) -> Listed: ...
def place_queens(
    side: Side,
    transposed: Side,
    columns: NDArray[np.int64],
    rows: NDArray[np.int64],
    is_placed: NDArray[np.uint8],
) -> None: ...
