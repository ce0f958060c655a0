"""Written by ``python -m fastqueens._jit.stubs``."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.kernels.windows import Bitsets as Bitsets

ONE: np.uint64
SIX: np.uint64
SIXTY_THREE: np.uint64
ZERO: np.uint64
DEALING: np.uint64
PLACEMENT: np.uint64
UNUSED_ROWS: np.uint64
SCRATCH: int

class Tiling(NamedTuple):
    block: np.uint64
    band: np.uint64
    dealt_bits: np.uint64
    order_bits: np.uint64
    shares: NDArray[np.uint64]
    empty: NDArray[np.int64]
    unused: NDArray[np.int64]
    empty_start: NDArray[np.int64]
    unused_start: NDArray[np.int64]

def place_groups(
    queens: NDArray[np.int32],
    bitsets: Bitsets,
    tiling: Tiling,
    scratch: NDArray[np.uint64],
    seed: np.uint64,
    attempt: np.uint64,
    block: int,
    band: int,
    first: int,
    last: int,
) -> None: ...
def list_empty(
    queens: NDArray[np.int32],
    fixed: NDArray[np.uint64],
    columns: NDArray[np.uint32],
    first: int,
    last: int,
) -> None: ...
def place_listed(
    queens: NDArray[np.int32],
    bitsets: Bitsets,
    tiling: Tiling,
    columns: NDArray[np.uint32],
    dealt: NDArray[np.uint32],
    unused: NDArray[np.uint32],
    shares: NDArray[np.uint64],
    seed: np.uint64,
    attempt: np.uint64,
    turn: int,
    block: int,
    band: int,
    tries: int,
) -> None: ...
