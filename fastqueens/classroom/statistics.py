"""Statistics of many runs, computed from integer sums.

Integer sums can be added in any order, from any number of threads and machines, and lead to the same figures.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from fastqueens.solving.many import Outcomes

# The 97.5 % quantile of the normal distribution: 95 % of it lie between -z and z.
_Z = NormalDist().inv_cdf(0.975)


@dataclass
class Tally:
    """Sums over many runs of one rule on one board size.

    Attributes
    ----------
    initial_cost : int
        Attacking pairs of the first boards, over all runs.
    restarts : int
        Restarts, over all runs.
    solved, failed : Counter
        For each number of steps, how many runs took it: runs that ended with a solution, and the other runs.
    """

    initial_cost: int = 0
    restarts: int = 0
    solved: Counter[int] = field(default_factory=Counter)
    failed: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(cls, outcomes: Outcomes) -> Tally:
        """Return the sums over the outcomes of some runs."""
        solved = outcomes.solved
        return cls(
            initial_cost=int(outcomes.initial_pairs.sum()),
            restarts=int(outcomes.restarts.sum()),
            solved=_counted(outcomes.steps[solved]),
            failed=_counted(outcomes.steps[~solved]),
        )

    def add(self, other: Tally) -> None:
        """Add the sums of other runs."""
        self.initial_cost += other.initial_cost
        self.restarts += other.restarts
        self.solved.update(other.solved)
        self.failed.update(other.failed)

    @property
    def runs(self) -> int:
        """Number of runs."""
        return self.solved.total() + self.failed.total()


def mean(counted: Mapping[int, int]) -> float | None:
    """Return the mean of values counted as {value: how often}; None if there are no values.

    >>> mean({3: 1, 5: 3})
    4.5
    """
    total = sum(counted.values())
    return _sum(counted) / total if total else None


def standard_deviation(counted: Mapping[int, int]) -> float | None:
    """Return the standard deviation of a sample counted as {value: how often}; None for less than two values.

    >>> standard_deviation({3: 1, 5: 3})
    1.0
    """
    total = sum(counted.values())
    if total < 2:
        return None
    # Whole numbers, because a small difference of large floats would lose its digits.
    spread = total * sum(value * value * count for value, count in counted.items()) - _sum(counted) ** 2
    return math.sqrt(spread / (total * (total - 1)))


def wilson_interval(successes: int, runs: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of a success rate.

    Unlike the normal approximation it stays within 0 and 1, and holds if hardly any or nearly all runs succeed.

    Notes
    -----
    With k successes in n runs and z = 1.96, the 97.5 % quantile of the normal distribution, the two ends are ::

        (k + z^2 / 2 -+ z sqrt(k (n - k) / n + z^2 / 4)) / (n + z^2)

    Source: Wilson, Probable inference, the law of succession, and statistical inference (1927).

    Examples
    --------
    >>> low, high = wilson_interval(14, 100)
    >>> round(low, 4), round(high, 4)
    (0.0853, 0.2214)
    """
    return _lower_end(successes, runs), 1 - _lower_end(runs - successes, runs)


def _lower_end(successes: int, runs: int) -> float:
    """Return the lower end of the interval; the formula is rearranged, because its difference would lose digits."""
    root = _Z * math.sqrt(_Z**2 + 4 * successes * (runs - successes) / runs)
    return 2 * successes**2 / (runs * (2 * successes + _Z**2 + root))


def _counted(values: NDArray[np.int64]) -> Counter[int]:
    distinct, counts = np.unique(values, return_counts=True)
    return Counter(dict(zip(distinct.tolist(), counts.tolist(), strict=True)))


def _sum(counted: Mapping[int, int]) -> int:
    return sum(value * count for value, count in counted.items())
