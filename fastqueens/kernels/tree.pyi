"""Written by ``python -m fastqueens._jit.stubs``."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ONE: np.uint64
ZERO: np.uint64
UNDER_WAY: int
FOUND: int
EXHAUSTED: int
LEVEL: int
NODES: int
SOLUTIONS: int
OFFSET: int
ORDERED: int
STATE_LENGTH: int
NO_LINE: int

class Tree(NamedTuple):
    keep: NDArray[np.uint16] | NDArray[np.uint32] | NDArray[np.uint64]
    keys: NDArray[np.uint16] | NDArray[np.uint32] | NDArray[np.uint64]
    domains: NDArray[np.uint16] | NDArray[np.uint32] | NDArray[np.uint64]
    settled: NDArray[np.uint64]
    line: NDArray[np.int64]
    untried: NDArray[np.uint64]
    state: NDArray[np.int64]

class Given(NamedTuple):
    fixed_columns: NDArray[np.int64]
    fixed_rows: NDArray[np.int64]
    blocked: NDArray[np.uint64]
    excluded_sums: NDArray[np.int64]
    excluded_differences: NDArray[np.int64]

def begin_with(
    tree: Tree,
    squares: NDArray[np.int64],
) -> None: ...
def search(
    tree: Tree,
    max_nodes: int,
    wanted: int,
    places: NDArray[np.uint16],
) -> int: ...
def prepare(
    tree: Tree,
    given: Given,
    n: int,
    used: NDArray[np.uint64],
    lines: NDArray[np.int64],
    weights: NDArray[np.int64],
) -> None: ...
