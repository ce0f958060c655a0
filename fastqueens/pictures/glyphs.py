"""A queen as a crown or a dot: shapes, so that no picture depends on a system font."""

from __future__ import annotations

import math

from matplotlib.path import Path

# The crown, clockwise from its lower left corner; then the base below it, and the balls on its points.
_CROWN = ((0.25, 0.27), (0.13, 0.68), (0.31, 0.47), (0.33, 0.78), (0.45, 0.49), (0.50, 0.84),
          (0.55, 0.49), (0.67, 0.78), (0.69, 0.47), (0.87, 0.68), (0.75, 0.27))  # fmt: skip
_BASE = ((0.22, 0.13), (0.22, 0.20), (0.25, 0.235), (0.75, 0.235), (0.78, 0.20), (0.78, 0.13))
_BALLS = ((0.13, 0.715), (0.33, 0.82), (0.50, 0.875), (0.67, 0.82), (0.87, 0.715))
_BALL_RADIUS = 0.048


def _queen() -> Path:
    # Counter-clockwise like the balls: if outlines of opposite directions overlap, they leave a hole.
    outlines = [Path([points[0], *reversed(points)], closed=True) for points in (_CROWN, _BASE)]
    balls = [Path.circle(centre, _BALL_RADIUS) for centre in _BALLS]
    return Path.make_compound_path(*outlines, *balls)


#: A queen in the unit square, with y upwards.
QUEEN = _queen()

#: A queen on a large board, in the unit square.
DOT = Path.circle((0.5, 0.5), 0.5)

#: The diameter of dots as a share of the mean distance between queens. From the second number of queens on it grows,
#: because many small dots look pale.
_DOT_IN_DISTANCE = 0.11
_DOTS_GROW_FROM = 400


def dot_size(n: int) -> float:
    """Return the diameter in squares of the dots of a board.

    >>> [round(dot_size(n), 2) for n in (64, 400, 1000, 50_000)]
    [0.88, 2.2, 4.37, 82.24]
    """
    growth = math.sqrt(math.sqrt(max(1.0, n / _DOTS_GROW_FROM)))
    return _DOT_IN_DISTANCE * growth * math.sqrt(n)
