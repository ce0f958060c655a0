"""Written by ``python -m fastqueens._jit.stubs``."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ONE: np.uint64
SIX: np.uint64
SIXTY_THREE: np.uint64
ZERO: np.uint64
PLACEMENT: np.uint64
UNUSED_ROWS: np.uint64

class Bitsets(NamedTuple):
    rows: NDArray[np.uint64]
    sums: NDArray[np.uint64]
    differences: NDArray[np.uint64]
    fixed: NDArray[np.uint64]
    blocked: NDArray[np.uint64]

def place_in_one_piece(
    queens: NDArray[np.int32],
    bitsets: Bitsets,
    columns: NDArray[np.uint32],
    unused: NDArray[np.uint32],
    counts: NDArray[np.int64],
    seed: np.uint64,
    attempt: np.uint64,
) -> int: ...
def list_unused_rows(
    bitsets: Bitsets,
    unused: NDArray[np.uint32],
    first: int,
    last: int,
) -> int: ...
def place_in_unused_rows(
    queens: NDArray[np.int32],
    bitsets: Bitsets,
    columns: NDArray[np.uint32],
    unused: NDArray[np.uint32],
    counts: NDArray[np.int64],
    seed: np.uint64,
    attempt: np.uint64,
    last: int,
) -> None: ...
def place_random(
    queens: NDArray[np.int32],
    seed: np.uint64,
    attempt: np.uint64,
    first: int,
    last: int,
) -> None: ...
def place_permutation(
    queens: NDArray[np.int32],
    seed: np.uint64,
    attempt: np.uint64,
    first: int,
    last: int,
) -> None: ...
def mark_fixed_queens(
    bitsets: Bitsets,
    columns: NDArray[np.int64],
    rows: NDArray[np.int64],
) -> None: ...
def draw_fixed_queens(
    bitsets: Bitsets,
    order: NDArray[np.int32],
    columns: NDArray[np.int64],
    rows: NDArray[np.int64],
    placed: int,
    seed: np.uint64,
    attempt: np.uint64,
    first: int,
    last: int,
) -> int: ...
