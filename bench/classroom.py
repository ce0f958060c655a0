"""The promises on the rules of the classroom: many runs on small boards on one thread, compared with limits."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator
from typing import Any

from bench.timing import compared_with_limit, seconds, spread
from fastqueens import nqueens
from fastqueens.classroom.batches import run_many
from fastqueens.solving.many import solve_many

RUNS = 5

#: Each task, and the seconds that it may take.
TASKS: dict[str, tuple[Callable[[int], object], float]] = {
    "1,000,000 runs of steepest ascent, n = 8": (lambda turn: run_many(8, "steepest", _seeds(turn, 10**6)), 2.0),
    "100,000 runs with sideways moves, n = 8": (lambda turn: run_many(8, "sideways", _seeds(turn, 10**5)), 1.2),
    "1,000 solves by min-conflicts from random boards, n = 1000": (
        lambda turn: solve_many(1000, _seeds(turn, 1000), start="random"),
        2.0,
    ),
    "n_queens_restart(8, 1000, 0, 0)": (lambda _: _quietly(lambda: nqueens.n_queens_restart(8, 1000, 0, 0)), 0.1),
}


def measure() -> Iterator[dict[str, Any]]:
    """Measure every promise, after one uncounted call."""
    for what, (call, limit) in TASKS.items():
        taken = [seconds(lambda: call(turn)) for turn in range(RUNS + 1)]  # noqa: B023
        yield compared_with_limit(what, "s", limit, spread(taken[1:]))


def _seeds(turn: int, runs: int) -> range:
    return range(turn * runs, (turn + 1) * runs)


def _quietly(call: Callable[[], object]) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        call()
