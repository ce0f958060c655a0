"""A tiny function that shows at the start of a process whether machine code from disk gives right answers here."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Pair(NamedTuple):
    """A uint64 array and a uint64."""

    sums: np.ndarray
    start: np.uint64


def sum_up(rows, pair, factor):
    """Add up each row of a 2-d array from a start; return the sum of all times a factor, and whether it is negative."""
    total = 0
    for i in range(rows.shape[0]):
        pair.sums[i] = pair.start
        for j in range(rows.shape[1]):
            pair.sums[i] += np.uint64(rows[i, j])
            total += factor * rows[i, j]
    return total, total < 0
