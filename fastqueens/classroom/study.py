"""``study()``: many seeded runs of several rules on several board sizes, their statistics, and files of studies.

Run k has seed S + k, for every rule and size, and depends on nothing else. So a run alone is the run in the study, all
rules begin on the same boards, and the figures are the same on any number of threads and machines.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from platform import python_version
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

from fastqueens import __version__
from fastqueens.classroom.batches import Runs, Tally, plan_study, run_plan
from fastqueens.classroom.limits import DEFAULT_LIMITS, SIDEWAYS_LIMIT, Limits
from fastqueens.classroom.report import html_of, text_of
from fastqueens.classroom.rules import RULES, USUAL_RULES
from fastqueens.core.arguments import new_seed
from fastqueens.core.executors import Executor
from fastqueens.core.progress import Progress, Stop, shows_progress
from fastqueens.files.atomic import atomic_write
from fastqueens.files.text import FileName, checked_suffix

if TYPE_CHECKING:
    from fastqueens.solving.drawing import Picture

STUDY_SUFFIXES = (".csv", ".json")

# The 97.5 % quantile of the normal distribution: 95 % of it lie between -z and z.
_Z = NormalDist().inv_cdf(0.975)


class Published(NamedTuple):
    """Figures of one source for one rule; None if the source does not report them.

    restarts : new boards over all ``runs``
    """

    source: str
    runs: int | None
    success_rate: float
    solved_steps_mean: float
    failed_steps_mean: float | None = None
    restarts: int | None = None


_PUBLISHED_N = 8
_MAHAJAN = "Mahajan"  # N-queens problem, see docs/classroom.md
_TEXTBOOK = "textbook"  # Russell and Norvig, Artificial Intelligence: A Modern Approach
_PUBLISHED = {
    "steepest": (Published(_MAHAJAN, 200, 0.135, 4.04, 4.0), Published(_TEXTBOOK, None, 0.14, 4, 3)),
    "sideways": (Published(_MAHAJAN, 200, 0.95, 21.3, 65.3), Published(_TEXTBOOK, None, 0.94, 21, 64)),
    "restart": (Published(_MAHAJAN, 200, 1.0, 27.04, restarts=1134),),
    "restart-sideways": (Published(_MAHAJAN, 200, 0.99, 23.15, restarts=4),),
}


@dataclass(frozen=True)
class Row:
    """One rule on one board size: its sums, from which all figures follow, and what others have published.

    ``kept`` has the runs by the first seed of each batch, if they were kept.
    """

    n: int
    rule: str
    tally: Tally
    published: tuple[Published, ...] = ()
    kept: Mapping[int, Runs] = field(default_factory=dict, compare=False, repr=False)

    def figures(self) -> dict[str, Any]:
        """Return the statistics by name; those that do not exist, like the mean of no values, are None.

        ``success_low`` and ``success_high`` are the 95 % interval after Wilson; ``_sd`` is a standard deviation.
        """
        tally = self.tally
        runs, solved = tally.runs, tally.solved.total()
        low, high = wilson_interval(solved, runs)
        return {
            "n": self.n,
            "rule": self.rule,
            "runs": runs,
            "solved": solved,
            "success_rate": solved / runs,
            "success_low": low,
            "success_high": high,
            "initial_cost_mean": tally.initial_cost / runs,
            "solved_steps_mean": mean(tally.solved),
            "solved_steps_sd": standard_deviation(tally.solved),
            "failed_steps_mean": mean(tally.failed),
            "failed_steps_sd": standard_deviation(tally.failed),
            "restarts": tally.restarts,
            "restarts_mean": tally.restarts / runs,
            "evaluations_mean": mean(tally.evaluations),
            "evaluations_sd": standard_deviation(tally.evaluations),
            "cost_mean": mean(tally.costs),
            "cost_sd": standard_deviation(tally.costs),
            "backtracks_mean": mean(tally.backtracks),
            "seconds_mean": tally.seconds / runs,
        }

    def as_dict(self) -> dict[str, Any]:
        """Return the statistics, the histograms as [steps, runs] in rising order, and the published figures."""
        return {
            **self.figures(),
            "solved_histogram": sorted(map(list, self.tally.solved.items())),
            "failed_histogram": sorted(map(list, self.tally.failed.items())),
            "published": [entry._asdict() for entry in self.published],
        }


@dataclass(frozen=True)
class Study:
    """A finished study.

    Attributes
    ----------
    seed : int
        The seed of the first run; run k has seed + k.
    runs : int
        Runs of each rule on each board size.
    moves : str
        The kind of moves.
    limits : Limits
        The options of the rules.
    rows : tuple of Row
        One for each rule on each board size, size by size.
    """

    seed: int
    runs: int
    moves: str
    limits: Limits
    rows: tuple[Row, ...]

    @property
    def sideways_limit(self) -> int:
        """Moves in a row that may keep the cost."""
        return self.limits.sideways

    @property
    def restart_limit(self) -> int | None:
        """Restarts of the rules that restart; None for as many as it takes."""
        return None if isinstance(self.limits.restarts, str) else self.limits.restarts

    def to_rows(self) -> list[dict[str, Any]]:
        """Return the figures of each row as a dictionary, for example for ``pandas.DataFrame``.

        >>> [row["solved"] for row in study(4, "backtracking", 10).to_rows()]
        [10]
        """
        return [row.figures() for row in self.rows]

    def plot(self, **options: Any) -> Picture:
        """Draw the study; see :func:`fastqueens.pictures.studies.study_picture`."""
        from fastqueens.solving.drawing import study_of

        return study_of(self, **options)

    def __repr__(self) -> str:
        return text_of(self)

    def _repr_html_(self) -> str:
        return html_of(self)

    def as_dict(self) -> dict[str, Any]:
        """Return the study in JSON types, with the versions of fastqueens, Python and the libraries."""
        return {
            "versions": {
                "fastqueens": __version__,
                "python": python_version(),
                **{package: version(package) for package in ("numpy", "numba")},
            },
            "seed": self.seed,
            "runs": self.runs,
            "moves": self.moves,
            "sideways_limit": self.sideways_limit,
            "restart_limit": self.restart_limit,
            "rows": [row.as_dict() for row in self.rows],
        }


@shows_progress
def study(
    n: int | Iterable[int] = 8,
    rules: str | Iterable[str] = tuple(USUAL_RULES),
    runs: int = 1000,
    *,
    moves: str = "column",
    limits: Limits = DEFAULT_LIMITS,
    seed: int | None = None,
    sideways_limit: int | None = None,
    restarts: int | None = None,
    keep_runs: bool = False,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Study:
    """Run several rules many times on several board sizes, and return their success rates, steps and restarts.

    Parameters
    ----------
    n : int or several
        Board sizes.
    rules : str or several
        Rules by name; docs/classroom.md lists them. Those whose names begin with "restart" begin again with a new
        random board when they are stuck; the others end.
    runs : int
        Runs of each rule on each board size.
    moves : str
        The kind of moves, as in :func:`fastqueens.climb`.
    limits : Limits
        The options of the rules.
    seed : int, optional
        Run k has ``seed + k``, with any threads, machine and other rules. Drawn by default.
    sideways_limit : int, optional
        Replaces that of ``limits``: moves in a row that keep the cost.
    restarts : int, optional
        Restarts of one run, for the two rules with restarts; by default until it is solved.
    keep_runs : bool
        Keep the outcome of each run for :func:`write_runs`, and time each by itself.
    threads : int, optional
        All cores by default. With an executor, the number of its workers; by default the executor is asked.
    executor : Executor, optional
        Runs the batches elsewhere, by ``submit`` as in ``concurrent.futures`` or ``dask.distributed``. Its processes
        need the same version of fastqueens. It is not closed.
    progress, stop : callable, optional
        As in :func:`fastqueens.solve`; the stage is "runs". They are called from all threads, one at a time. ``stop``
        does not interrupt a batch that an executor has begun.

    Returns
    -------
    Study

    Raises
    ------
    InputError
        If a value is not as described here, or the workers of an executor have another version.
    NoSolutionError
        For n = 2 and n = 3 with "min-conflicts" or unlimited restarts.
    Stopped
        If ``stop`` returned True.

    Notes
    -----
    A step costs O(n^2), with min-conflicts O(n). Memory grows with how many different numbers of steps the runs take,
    not with the number of runs.

    Examples
    --------
    >>> result = study(8, ["steepest", "restart"], 2000, seed=1)
    >>> steepest, restart = result.to_rows()
    >>> steepest["success_rate"] < 0.2, restart["success_rate"]
    (True, 1.0)
    """
    first = new_seed() if seed is None else seed
    plan = plan_study(n, rules, runs, first, sideways_limit, restarts, moves, limits, keep_runs)
    run_plan(plan, threads, executor, progress, stop)
    rows = tuple(
        Row(cell.n, cell.rule, cell.tally, _published(cell.n, cell.rule, moves, cell.limits), cell.kept)
        for cell in plan.cells
    )
    return Study(plan.seed, plan.runs, moves, plan.limits, rows)


def write_study(path: FileName, study: Study) -> None:
    """Write a study in the format of the suffix, atomically.

    Parameters
    ----------
    path : str or path
        The file; an existing one is replaced when the new one is complete.
    study : Study
        CSV gets the figures of :meth:`Row.figures`, with the seed and limits of the study on each line; a missing
        figure is an empty field. JSON gets :meth:`Study.as_dict`.

    Raises
    ------
    InputError
        If the suffix is unknown or the file cannot be written.
    """
    suffix = checked_suffix(path, STUDY_SUFFIXES)
    with atomic_write(path, "w") as file:
        if suffix == ".json":
            json.dump(study.as_dict(), file)
            file.write("\n")
        else:
            settings = {name: getattr(study, name) for name in ("seed", "sideways_limit", "restart_limit")}
            lines = [{**row.figures(), **settings} for row in study.rows]
            writer = csv.DictWriter(file, list(lines[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(lines)


def write_runs(path: FileName, study: Study) -> None:
    """Write one line of CSV for each run of a study that kept them, atomically."""
    checked_suffix(path, STUDY_SUFFIXES[:1])
    names = [name for name in Runs._fields if name != "pairs"]
    with atomic_write(path, "w") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["n", "rule", "seed", "solved", "cost", *names])
        for row in study.rows:
            for first_seed, runs in sorted(row.kept.items()):
                columns = [runs.solved, runs.pairs, *(getattr(runs, name) for name in names)]
                for k, values in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
                    writer.writerow([row.n, row.rule, first_seed + k, *values[:-1], f"{values[-1]:.9f}"])


def _published(n: int, rule: str, moves: str, limits: Limits) -> tuple[Published, ...]:
    """Return the published figures for a rule of a study, if they are for the same board size and limits."""
    row = RULES[rule]
    same_sideways = "sideways" not in row.options or limits.sideways == SIDEWAYS_LIMIT
    same = n == _PUBLISHED_N and moves == "column" and same_sideways and limits.max_steps is None
    same_restarts = limits.restarts in (None, "auto") or row.restarts is not None
    return _PUBLISHED.get(rule, ()) if same and same_restarts else ()


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


def _sum(counted: Mapping[int, int]) -> int:
    return sum(value * count for value, count in counted.items())
