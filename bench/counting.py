"""Counting all solutions of free boards, and making puzzles with exactly one solution."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from typing import Any

import fastqueens
from bench.timing import compared_with_limit, spread
from fastqueens.core.threads import all_cores

#: OEIS A000170.
SOLUTIONS = {17: 95_815_104, 18: 666_090_624}
_RUNS_OF_COUNTING = 3

#: Sizes of puzzles, and the most seconds that 1000 of them may take on one thread: 200 a second.
PUZZLES = {8: 5.0, 64: None}
_PUZZLES_A_RUN = 1000
_RUNS_OF_PUZZLES = 5


def measure() -> Iterator[dict[str, Any]]:
    """Count the solutions of free boards on all cores; make puzzles on one thread."""
    for n, solutions in SOLUTIONS.items():
        taken = [_count(n, solutions) for _ in range(_RUNS_OF_COUNTING)]
        yield compared_with_limit(
            f"counting the {solutions:,} solutions of n = {n}, {all_cores()} threads", "s", None, spread(taken)
        )
    for (n, limit), minimal in itertools.product(PUZZLES.items(), (False, True)):
        made = [_make(n, run, minimal) for run in range(_RUNS_OF_PUZZLES + 1)]
        kind = "minimal puzzles" if minimal else "puzzles"
        what = f"{_PUZZLES_A_RUN:,} {kind}, n = {n}"
        yield compared_with_limit(what, "s", limit, spread(made[1:]))


def _count(n: int, solutions: int) -> float:
    """Return the seconds that counting takes; raise an error if the count is wrong."""
    begun = time.perf_counter()
    found = fastqueens.count_solutions(n)
    taken = time.perf_counter() - begun
    if found != solutions:
        raise RuntimeError(f"n = {n}: counted {found:,} solutions instead of {solutions:,}")
    return taken


def _make(n: int, seed: int, minimal: bool) -> float:
    """Return the seconds that the puzzles of a seed take."""
    begun = time.perf_counter()
    for _ in fastqueens.unique_puzzles(n, _PUZZLES_A_RUN, seed=seed, minimal=minimal):
        pass
    return time.perf_counter() - begun
