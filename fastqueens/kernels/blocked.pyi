"""Written by ``python -m fastqueens._jit.stubs``."""

import numpy as np

ONE: np.uint64
SIX: np.uint64
SIXTY_THREE: np.uint64
ZERO: np.uint64
