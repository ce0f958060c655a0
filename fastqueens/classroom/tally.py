"""Sums over many runs, and the statistics that follow from them. Knows no kernel and runs nothing.

All sums are integers: added in any order, from any number of threads and machines, they give the same figures.
"""

from __future__ import annotations

import importlib
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.board import InputError
from fastqueens.many import Outcomes


@dataclass
class Tally:
    """What many runs of one rule on one board size come to.

    Attributes
    ----------
    initial_cost : int
        Attacking pairs of the first boards, over all runs.
    restarts : int
        New boards that runs began again with, over all runs.
    solved, failed : Counter
        How many runs took how many steps: of those that ended with a solution, and of the others.
    """

    initial_cost: int = 0
    restarts: int = 0
    solved: Counter[int] = field(default_factory=Counter)
    failed: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(cls, outcomes: Outcomes) -> Tally:
        """Count the outcomes of some runs."""
        solved = outcomes.solved
        return cls(
            initial_cost=int(outcomes.initial_pairs.sum()),
            restarts=int(outcomes.restarts.sum()),
            solved=_counted(outcomes.steps[solved]),
            failed=_counted(outcomes.steps[~solved]),
        )

    def add(self, other: Tally) -> None:
        """Add the sums of other runs to these."""
        self.initial_cost += other.initial_cost
        self.restarts += other.restarts
        self.solved.update(other.solved)
        self.failed.update(other.failed)

    @property
    def runs(self) -> int:
        """How many runs were counted."""
        return self.solved.total() + self.failed.total()


def mean(counted: Mapping[int, int]) -> float | None:
    """The mean of values that are counted as {value: how often}; None where there are none.

    >>> mean({3: 1, 5: 3})
    4.5
    """
    total = sum(counted.values())
    return _sum(counted) / total if total else None


def standard_deviation(counted: Mapping[int, int]) -> float | None:
    """The standard deviation of a sample that is counted as {value: how often}; None for less than two values.

    >>> standard_deviation({3: 1, 5: 3})
    1.0
    """
    total = sum(counted.values())
    if total < 2:
        return None
    # In whole numbers up to here, so that nothing is lost where a small difference of large sums is left.
    spread = total * sum(value * value * count for value, count in counted.items()) - _sum(counted) ** 2
    return math.sqrt(spread / (total * (total - 1)))


def wilson_interval(successes: int, runs: int) -> tuple[float, float]:
    """The 95 % confidence interval of a success rate, after Wilson (1927).

    Unlike the normal approximation it stays within 0 and 1, and holds where hardly any or nearly all runs succeed.

    >>> low, high = wilson_interval(14, 100)
    >>> round(low, 4), round(high, 4)
    (0.0853, 0.2214)
    """
    interval = load_statistics().binomtest(successes, runs).proportion_ci(confidence_level=0.95, method="wilson")
    return float(interval.low), float(interval.high)


def load_statistics() -> Any:
    """Import ``scipy.stats``, which takes a second; raise :class:`InputError` where it is not installed."""
    try:
        return importlib.import_module("scipy.stats")
    except ImportError as error:
        raise InputError(
            f"a study needs SciPy for its intervals ({error}): install it with pip install scipy"
        ) from None


def _counted(values: NDArray[np.int64]) -> Counter[int]:
    distinct, counts = np.unique(values, return_counts=True)
    return Counter(dict(zip(distinct.tolist(), counts.tolist(), strict=True)))


def _sum(counted: Mapping[int, int]) -> int:
    return sum(value * count for value, count in counted.items())
