"""Written by ``python -m fastqueens._jit.stubs``."""

COLUMN: int
STEP: int
SWAP: int
TWO: int
NONE: int
