"""Why a large board looks as it does, in a sentence for its page."""

from __future__ import annotations

import numpy as np

from fastqueens.core.board import Queens

#: On smaller boards the page shows single queens, and chance hides where there are more of them.
LEAST = 10_000

_MOST = 1_000_000

_LIMIT_SHAPE = (
    "Like nearly all solutions of this size, it has fewer queens (blue) in the corners and the middle, and more (orange) "
    "along the edges."
)
_BARS = (
    "It is grainy because the placement puts groups of 16 columns into 512 neighbouring rows; zoomed in, they are bars. "
    "Mixing removes them."
)


def about(queens: Queens) -> str:
    """Return what of the limit shape or of the placement can be seen; "" if neither can be seen.

    At most a million queens are read.
    """
    n = len(queens)
    if n < LEAST:
        return ""
    rows = np.asarray(queens[: min(n, _MOST) // 16 * 16], np.int64)
    groups = rows.reshape(-1, 16) >> 9
    # Regular patterns have few different steps.
    if n > 1 << 17 and (groups == groups[:, :1]).mean() > 0.5 and len(np.unique(np.diff(rows[:10_000]))) > 100:
        return _BARS
    columns = np.arange(0, n, -(-n // _MOST))
    cells = 8 * columns // n * 8 + 8 * np.asarray(queens[columns], np.int64) // n
    density = np.bincount(cells, minlength=64).reshape(8, 8) * 64 / len(columns)
    corners, edges = density[::7, ::7].mean(), (density[::7, 3:5].mean() + density[3:5, ::7].mean()) / 2
    return _LIMIT_SHAPE if corners < 0.8 and edges > 1.15 and density[3:5, 3:5].mean() < 0.95 else ""
