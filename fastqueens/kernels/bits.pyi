"""Written by ``python -m fastqueens._jit.stubs``."""

import numpy as np

ZERO: np.uint64
ONE: np.uint64
SIX: np.uint64
SIXTY_THREE: np.uint64
