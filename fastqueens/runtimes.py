"""Run times of ``solve`` on one board size over several seeds."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Any, NamedTuple

from fastqueens._run.progress import Stop
from fastqueens.errors import Stopped
from fastqueens.solver import solve


class Spread(NamedTuple):
    """The median, the least and the greatest of some values."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Return the spread of a sequence of values."""
        return cls(median(values), min(values), max(values))


class RunTimes(NamedTuple):
    """The times, the steps and the initial attacking pairs of all runs on one board size."""

    n: int
    runs: int
    solved: int
    board_generation: Spread
    search: Spread
    steps: Spread
    initial_pairs: Spread

    def as_dict(self) -> dict[str, Any]:
        """Return medians by name, and extremes of times as ``NAME_least`` and ``NAME_most``, in JSON types."""
        times = {"board_generation_seconds": self.board_generation, "search_seconds": self.search}
        ends = {f"{name}_{end}": getattr(time, end) for name, time in times.items() for end in ("least", "most")}
        return {
            **{name: getattr(self, name) for name in ("n", "runs", "solved")},
            **{name: time.median for name, time in times.items()},
            **{name: getattr(self, name).median for name in ("steps", "initial_pairs")},
            **ends,
        }


def run_times(n: int, seeds: Sequence[int], *, stop: Stop, **settings: Any) -> RunTimes:
    """Solve once for each seed and return the times; a first run, which is not counted, compiles the code."""
    results = []
    for seed in (seeds[0], *seeds):
        results.append(solve(n, seed=seed, stop=stop, **settings))
        if stop():
            raise Stopped("stopped before all runs of a board size were finished")
    results = results[1:]
    return RunTimes(
        n,
        len(results),
        sum(result.solved for result in results),
        Spread.of([result.timings.allocation + result.timings.placement for result in results]),
        Spread.of([result.timings.search for result in results]),
        Spread.of([result.steps for result in results]),
        Spread.of([result.initial_pairs for result in results]),
    )
