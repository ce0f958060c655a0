"""Written by ``python -m fastqueens._jit.stubs``."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ONE: np.uint64
SIX: np.uint64
SIXTY_THREE: np.uint64
ZERO: np.uint64

class Span(NamedTuple):
    slope: np.uint64
    offset: np.uint64
    lines: np.uint64

def claim_lines(
    queens: NDArray[np.int32],
    claimed: NDArray[np.uint64],
    span: Span,
    first: int,
    last: int,
) -> int: ...
def is_solution(
    queens: NDArray[np.int32],
    claimed: NDArray[np.uint64],
) -> bool: ...
def claim_all_lines(
    queens: NDArray[np.int32],
    rows: NDArray[np.uint64],
    sums: NDArray[np.uint64],
    differences: NDArray[np.uint64],
    first: int,
    last: int,
) -> bool: ...
def have_common_lines(
    claimed: NDArray[np.uint64],
    other: NDArray[np.uint64],
    first: int,
    last: int,
) -> bool: ...
def claim_twice(
    queens: NDArray[np.int32],
    claimed: NDArray[np.uint64],
    twice: NDArray[np.uint64],
    span: Span,
    first: int,
    last: int,
) -> None: ...
def count_conflicting(
    queens: NDArray[np.int32],
    rows: NDArray[np.uint64],
    sums: NDArray[np.uint64],
    differences: NDArray[np.uint64],
    first: int,
    last: int,
) -> int: ...
def count_lines(
    queens: NDArray[np.int32],
    counters: NDArray[np.uint32],
    span: Span,
    first: int,
    last: int,
) -> int: ...
