"""``plain_min_conflicts`` as a loop that numba compiles: what an hour of work gets. fastqueens does not use it."""

# ruff: noqa: NPY002  (numba has no other random numbers that are as simple)

from __future__ import annotations

from typing import Any

import numba
import numpy as np


@numba.njit  # type: ignore[untyped-decorator]
def solve(n: int, seed: int) -> Any:
    """Place n queens: each goes to a random row of least conflict, at first and again while it conflicts."""
    np.random.seed(seed)
    queens = np.zeros(n, np.int64)
    while True:
        rows, sums, differences = np.zeros(n, np.int64), np.zeros(2 * n, np.int64), np.zeros(2 * n, np.int64)
        placed = moves = 0
        while placed < n or moves < 10 * n + 100:
            column = placed
            if placed == n:
                conflicting = 0
                for c in range(n):
                    r = queens[c]
                    if rows[r] + sums[c + r] + differences[c - r + n] > 3:
                        conflicting += 1
                        if np.random.randint(conflicting) == 0:
                            column = c
                if conflicting == 0:
                    return queens
                moves += 1
                r = queens[column]
                rows[r] -= 1
                sums[column + r] -= 1
                differences[column - r + n] -= 1
            else:
                placed += 1
            least, ties = 4 * n, 0
            for r in range(n):
                conflicts = rows[r] + sums[column + r] + differences[column - r + n]
                if conflicts < least:
                    least, ties = conflicts, 0
                if conflicts == least:
                    ties += 1
                    if np.random.randint(ties) == 0:
                        queens[column] = r
            r = queens[column]
            rows[r] += 1
            sums[column + r] += 1
            differences[column - r + n] += 1


solve(4, 0)  # compiles
