"""Why a large board looks as it does, in a sentence for its page."""

from __future__ import annotations

import numpy as np

from fastqueens.core.board import Queens

#: On smaller boards the page shows single queens, and chance hides where there are more of them.
LEAST = 10_000

_MOST = 1_000_000

_LIMIT_SHAPE = (
    "Like nearly all solutions of this size, it has fewer queens in the corners and the middle, and more at the edges."
)
_BARS = (
    "The grain, or zoomed in the bars, is how the placement leaves 16 columns in 512 rows at a time; mixing removes it."
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
    density = np.histogram2d(columns, queens[columns], bins=8, range=[[0, n]] * 2)[0] * 64 / len(columns)
    edges = density[::7, 3:5].mean() + density[3:5, ::7].mean()
    is_typical = density[::7, ::7].mean() < 0.8 and edges > 2.3 and density[3:5, 3:5].mean() < 0.95
    return _LIMIT_SHAPE if is_typical else ""
