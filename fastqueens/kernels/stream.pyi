"""Written by ``python -m fastqueens._jit.stubs``."""

import numpy as np

PLACEMENT: np.uint64
UNUSED_ROWS: np.uint64
SEARCH: np.uint64
DEALING: np.uint64
MIXING: np.uint64
ESTIMATING: np.uint64
