"""Studies: many seeded runs of several algorithms on several board sizes, their statistics, tables and files.

Run k has seed S + k for every algorithm and size, and depends on nothing else. A single run with this seed is therefore
the run of the study, all algorithms begin on the same boards, and the results are the same for any number of threads.
"""

from __future__ import annotations

import csv
import itertools
import json
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from html import escape
from importlib.metadata import version
from platform import python_version
from typing import TYPE_CHECKING, Any, SupportsIndex

from fastqueens import __version__
from fastqueens._run.arguments import (
    NO_LIMIT,
    check_choice,
    check_integer,
    check_seed,
    entries_of,
    is_integer,
    later_seed,
    new_seed,
)
from fastqueens._run.executors import Executor, Job, results
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens._run.tables import Table
from fastqueens._run.text import counted
from fastqueens.board import check_n
from fastqueens.classroom.algorithms import (
    ALGORITHMS,
    DEFAULT_LIMITS,
    USUAL_ALGORITHMS,
    Limits,
    checked_limits,
    options_of,
    stated_options,
    unusual_options,
)
from fastqueens.classroom.runs import Runs, Tally, moments, run_batch, wilson_interval
from fastqueens.errors import InputError, Stopped, TimeLimitReached
from fastqueens.files.atomic import atomic_write
from fastqueens.files.headers import header_of, in_files
from fastqueens.files.text import FileName, checked_suffix

if TYPE_CHECKING:
    from fastqueens.pictures.figure import Picture

STUDY_SUFFIXES = (".csv", ".json")

# The largest growth from one batch to the next.
_GROWTH = 8
_FIRST_BATCH, _MOST_RUNS_PER_BATCH = 16, 1 << 17

# Target times of a batch, here and on an executor: long compared with the overhead, and short for people who wait.
_SECONDS_PER_BATCH, _SECONDS_PER_BATCH_AWAY = 0.1, 0.5

# The headings of the table in two lines, and the column that is omitted if no run restarts.
_HEADINGS = (
    ("", "solved", "95 %", "steps,", "steps,", "", "evaluations", "", ""),
    ("algorithm", "%", "interval", "solved", "failed", "restarts", "", "cost", "time"),
)
_RESTARTS = 5


@dataclass
class Row:
    """One algorithm on one board size, with the sums of its runs.

    ``kept`` maps the first seed of each batch to its runs, if they are kept.
    """

    n: int
    algorithm: str
    tally: Tally = field(default_factory=Tally)
    kept: dict[int, Runs] = field(default_factory=dict, compare=False, repr=False)

    @property
    def steps(self) -> Counter[int]:
        """The number of runs that took each number of steps, solved or not."""
        return self.tally.solved + self.tally.failed

    def figures(self) -> dict[str, Any]:
        """Return the statistics by name; a mean of no values is None.

        ``success_low`` and ``success_high`` are the ends of Wilson's 95 % interval. Times have a standard deviation
        only if the runs are kept, because only kept runs are timed one by one.
        """
        tally = self.tally
        runs, solved = tally.runs, tally.solved.total()
        low, high = wilson_interval(solved, runs)
        seconds = [time for some in self.kept.values() for time in some.seconds.tolist()]
        return {
            "n": self.n,
            "algorithm": self.algorithm,
            "runs": runs,
            "solved": solved,
            "success_rate": solved / runs,
            "success_low": low,
            "success_high": high,
            "initial_cost_mean": tally.initial_cost / runs,
            **_moments("solved_steps", tally.solved),
            **_moments("failed_steps", tally.failed),
            "restarts": tally.restarts,
            "restarts_mean": tally.restarts / runs,
            **_moments("evaluations", tally.evaluations),
            **_moments("cost", tally.costs),
            "backtracks_mean": moments(tally.backtracks)[0],
            "seconds_mean": tally.seconds / runs,
            "seconds_sd": statistics.stdev(seconds) if len(seconds) > 1 else None,
        }

    def as_dict(self) -> dict[str, Any]:
        """Return the statistics, and the histograms as lists of [steps, runs] in ascending order."""
        return {
            **self.figures(),
            "solved_histogram": sorted(map(list, self.tally.solved.items())),
            "failed_histogram": sorted(map(list, self.tally.failed.items())),
        }


def _moments(name: str, counts: Counter[int]) -> dict[str, float | None]:
    return dict(zip((f"{name}_mean", f"{name}_sd"), moments(counts), strict=True))


@dataclass(frozen=True)
class Study:
    """A finished study, which prints as a table.

    Attributes
    ----------
    seed : int
        Seed of the first run; run k has seed + k.
    runs : int
        Number of runs of each algorithm on each board size.
    moves : str
        Kind of moves.
    limits : Limits
        Options of the algorithms.
    rows : tuple of Row
        One row for each algorithm on each board size, size by size. ``n``, ``algorithm`` and ``figures()`` describe it.
    is_partial : bool
        Whether the study was stopped. Rows without runs are then missing, and others have fewer than ``runs`` runs.

    See Also
    --------
    study : Make a study.

    Examples
    --------
    >>> result = study(8, ["steepest", "min-conflicts"], 100, seed=1)
    >>> [(row["algorithm"], row["solved"]) for row in result.to_rows()]
    [('steepest', 17), ('min-conflicts', 90)]
    """

    seed: int
    runs: int
    moves: str
    limits: Limits
    rows: tuple[Row, ...]
    is_partial: bool = False

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a list with a dictionary of statistics for each row, for example for ``pandas.DataFrame``.

        Examples
        --------
        >>> [row["solved"] for row in study(4, "backtracking", 10).to_rows()]
        [10]
        """
        return [row.figures() for row in self.rows]

    def plot(self, **options: Any) -> Picture:
        """Draw success, steps, evaluations and time of each algorithm.

        Parameters
        ----------
        **options
            ``what``, ``title``, ``theme``, ``size`` and ``ax``, as in
            :func:`fastqueens.pictures.studies.study_picture`.

        Returns
        -------
        Picture
            A notebook shows it, ``save`` writes it, and ``figure`` is its figure.
        """
        from fastqueens.pictures.studies import study_picture

        return study_picture(self, **options)

    def __hash__(self) -> int:
        return hash((self.seed, self.runs, self.moves, self.limits))

    def __repr__(self) -> str:
        return "\n".join([_heading(self), "", _table(self).text(80), "", *_legend(self)])

    def _repr_html_(self) -> str:
        return f"<p>{escape(_heading(self))}</p>{_table(self).html()}<p>{'<br>'.join(map(escape, _legend(self)))}</p>"

    def as_dict(self) -> dict[str, Any]:
        """Return the study in JSON types, with the versions of fastqueens, Python and the libraries.

        If the study was stopped, it has ``"partial": True``, as has each row with fewer runs than the study.
        """
        algorithms = list(dict.fromkeys(row.algorithm for row in self.rows))
        # The rows state defaults that depend on the algorithm.
        given = stated_options(self.limits, self.moves, algorithms)
        defaults = {"restart_limit": "auto", "tries": None}
        options = {name: "default" if value == defaults.get(name, 0) else value for name, value in given.items()}
        return {
            **header_of(
                list(dict.fromkeys(row.n for row in self.rows)),
                self.seed,
                options,
                algorithms=algorithms,
                runs=self.runs,
            ),
            "versions": {"python": python_version(), **{package: version(package) for package in ("numpy", "numba")}},
            **_mark(self.is_partial),
            "rows": [
                row.as_dict() | _mark(row.tally.runs < self.runs) | {"options": self.options_of(row)}
                for row in self.rows
            ],
        }

    def options_of(self, row: Row) -> dict[str, Any]:
        """Return the options that influence the runs of a row, with the defaults of its algorithm, in JSON types."""
        return in_files(options_of(row.algorithm, self.moves, self.limits, row.n))

    def columns_of(self, row: Row) -> dict[str, Any]:
        """Return the version and the options of a row for a table; an option of other algorithms is None."""
        names = stated_options(self.limits, self.moves, {row.algorithm for row in self.rows})
        return {"version": __version__, **(dict.fromkeys(names) | self.options_of(row))}


def _mark(is_partial: bool) -> dict[str, bool]:
    """Return the item of JSON that marks a part of a result."""
    return {"partial": True} if is_partial else {}


@shows_progress
def study(
    n: SupportsIndex | Iterable[SupportsIndex] = 8,
    algorithms: str | Iterable[str] = tuple(USUAL_ALGORITHMS),
    runs: SupportsIndex = 1000,
    *,
    moves: str = "column",
    limits: Limits = DEFAULT_LIMITS,
    seed: SupportsIndex | None = None,
    keep_runs: bool = False,
    threads: SupportsIndex | None = None,
    executor: Executor | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Study:
    """Run several algorithms many times on several board sizes, and compare them.

    Parameters
    ----------
    n : int or iterable of int, default 8
        Board sizes.
    algorithms : str or iterable of str
        Their names; docs/reference/algorithms.md defines all sixteen. By default "steepest", "sideways",
        "restart", "restart-sideways" and "min-conflicts".
    runs : int, default 1000
        Number of runs of each algorithm on each board size.
    moves : "column", "step", "swap" or "two", default "column"
        Kind of moves, as in :func:`fastqueens.climb`.
    limits : Limits, default Limits()
        Options of the algorithms. Without ``restarts``, only those named restart begin again when they are stuck.
    seed : int, optional
        Seed of the first run; run k has ``seed + k``. By default, a seed is drawn.
    keep_runs : bool, default False
        Keep the result of each run for :func:`fastqueens.classroom.studies.write_runs`, and time each run.
    threads : int, optional
        Threads to use. By default, all cores. With an executor, the number of its workers.
    executor : executor, optional
        Where to make the runs: a pool of ``concurrent.futures`` or a ``dask.distributed.Client``. Its processes need
        the same version of fastqueens. It is not closed.
    time_limit, progress, stop : optional
        The longest time in seconds, the display of progress, and a function that ends the call; see docs/library.md.

    Returns
    -------
    Study
        Success rates, steps, evaluations and times, as a table.

    Raises
    ------
    InputError
        If an argument is invalid, or the workers of an executor have another version.
    NoSolutionError
        For n = 2 and n = 3 with unlimited restarts.
    Stopped, TimeLimitReached
        If ``stop`` returned True, or at the time limit before a run is finished. ``partial`` is the study with its
        finished runs, or None; at the time limit, this study is returned. Each of its rows has all runs before the
        first one that was not finished, because long runs would otherwise be missing more often.

    See Also
    --------
    climb : Make one run, with every step.

    Notes
    -----
    A step takes O(n^2) time, and O(n) with min-conflicts. Without ``keep_runs``, memory does not grow with the number
    of runs.

    Examples
    --------
    >>> result = study(8, ["steepest", "restart"], 2000, seed=1)
    >>> steepest, restart = result.to_rows()
    >>> steepest["success_rate"] < 0.2, restart["success_rate"]
    (True, 1.0)
    """
    planned = _planned(n, algorithms, runs, moves, limits, seed)
    try:
        _make_runs(planned, keep_runs, threads, executor, Callbacks.until(time_limit, progress, stop))
    except Stopped as stopped:
        begun = tuple(_without_gaps(row, planned.seed) for row in planned.rows if row.tally.runs)
        stopped.partial = replace(planned, rows=begun, is_partial=True) if begun else None
        if begun and isinstance(stopped, TimeLimitReached):
            return stopped.partial  # type: ignore[no-any-return]
        raise
    return planned


def _planned(
    n: SupportsIndex | Iterable[SupportsIndex],
    algorithms: str | Iterable[str],
    runs: SupportsIndex,
    moves: str,
    limits: Limits,
    seed: SupportsIndex | None,
) -> Study:
    """Validate the arguments of :func:`study`, and return a study without runs."""
    several = [n] if is_integer(n) else entries_of(n, "n", "a board size or a list of board sizes")
    sizes = list(dict.fromkeys(map(check_n, several)))
    what = "the name of an algorithm or a list of names"
    names = [algorithms] if isinstance(algorithms, str) else entries_of(algorithms, "algorithms", what)
    names = list(dict.fromkeys(check_choice(name, "algorithm", ALGORITHMS) for name in names))
    if not sizes:
        raise InputError("n is empty; give at least one board size")
    if not names:
        raise InputError(f"algorithms is empty; give at least one of {', '.join(ALGORITHMS)}")
    runs, seed = check_integer(runs, "runs", 1, NO_LIMIT), new_seed() if seed is None else check_seed(seed)
    limits = checked_limits(limits, moves, names, sizes)
    return Study(seed, runs, moves, limits, tuple(itertools.starmap(Row, itertools.product(sizes, names))))


def _make_runs(
    planned: Study, keep_runs: bool, threads: SupportsIndex | None, executor: Executor | None, callbacks: Callbacks
) -> None:
    """Make the runs of a study, on threads or on an executor, and add up their sums.

    Batches end in any order. ``sums`` has the sums of adjacent batches of each row by their first seed. The sums that
    begin at the first seed of the study are those of the row.
    """
    wanted_seconds = _SECONDS_PER_BATCH if executor is None else _SECONDS_PER_BATCH_AWAY
    total, sizes = planned.runs * len(planned.rows), [_FIRST_BATCH] * len(planned.rows)
    sums = [{planned.seed: row.tally} for row in planned.rows]

    def tasks() -> Iterator[Job]:
        for at, row in enumerate(planned.rows):
            begun = 0
            while begun < planned.runs:
                left, first_seed = planned.runs - begun, planned.seed + begun
                # Without a seed, all runs are one.
                runs = min(sizes[at], left) if ALGORITHMS[row.algorithm].is_seeded else left
                batch = (row.n, row.algorithm, planned.moves, planned.limits, keep_runs, first_seed, runs)
                yield Job((at, first_seed), run_batch, batch)
                begun += runs

    def poll() -> None:
        callbacks.poll("runs", sum(tally.runs for of_row in sums for tally in of_row.values()), total)

    for (at, first_seed), (tally, runs) in results(tasks(), poll, threads=threads, executor=executor):
        if tally.runs:  # otherwise the batch was stopped in its first run
            _add_batch(sums[at], first_seed, tally)
        if runs is not None:
            planned.rows[at].kept[first_seed] = runs
        fitting = int(tally.runs * wanted_seconds / max(tally.seconds, 1e-9))
        sizes[at] = max(1, min(fitting, sizes[at] * _GROWTH, _MOST_RUNS_PER_BATCH))


def _add_batch(sums: dict[int, Tally], first_seed: int, tally: Tally) -> None:
    """Add a batch to sums by their first seed, and merge sums that have become adjacent."""
    later = sums.pop(first_seed + tally.runs, None)
    if later is not None:
        tally.add(later)
    earlier = next((sum for seed, sum in sums.items() if seed + sum.runs == first_seed), None)
    if earlier is None:
        sums[first_seed] = tally
    else:
        earlier.add(tally)


def _without_gaps(row: Row, seed: int) -> Row:
    """Return a stopped row that keeps only runs that its sums contain."""
    return replace(row, kept={first: runs for first, runs in row.kept.items() if first < seed + row.tally.runs})


def write_study(path: FileName, study: Study) -> None:
    """Write a study in the format of the suffix, atomically.

    CSV has the statistics of :meth:`Row.figures`, with the version, the seed and all options on each line. A missing
    value is an empty field. JSON has :meth:`Study.as_dict`.
    """
    suffix = checked_suffix(path, STUDY_SUFFIXES)
    with atomic_write(path, "w") as file:
        if suffix == ".json":
            json.dump(study.as_dict(), file)
            file.write("\n")
        else:
            lines = [{**row.figures(), "seed": study.seed, **study.columns_of(row)} for row in study.rows]
            writer = csv.DictWriter(file, list(lines[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(lines)


def write_runs(path: FileName, study: Study) -> None:
    """Write one line of CSV for each run of a study with ``keep_runs=True``, with its options, atomically.

    Parameters
    ----------
    path : str or path
        A name that ends in .csv.
    study : Study
        The study.

    Raises
    ------
    InputError
        If the suffix is unknown, or the file cannot be written.

    See Also
    --------
    fastqueens.study : Make a study.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from fastqueens import study
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "runs.csv")
    ...     write_runs(file, study(8, "steepest", 3, seed=1, keep_runs=True))
    ...     len(file.read_text().splitlines())
    4
    """
    checked_suffix(path, STUDY_SUFFIXES[:1])
    names = [name for name in Runs._fields if name != "pairs"]
    with atomic_write(path, "w") as file:
        writer = csv.writer(file, lineterminator="\n")
        options = [study.columns_of(row) for row in study.rows]
        writer.writerow(["n", "algorithm", "seed", "solved", "cost", *names, *options[0]])
        for row, stated in zip(study.rows, options, strict=True):
            for first_seed, runs in sorted(row.kept.items()):
                columns = [runs.solved, runs.pairs, *(getattr(runs, name) for name in names)]
                for k, values in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
                    figures = [later_seed(first_seed, k), *values[:-1], f"{values[-1]:.9f}"]
                    writer.writerow([row.n, row.algorithm, *figures, *stated.values()])


def _heading(study: Study) -> str:
    """Return a line with the sizes, runs, seeds, the options that differ from their defaults, and the version."""
    sizes = list(dict.fromkeys(row.n for row in study.rows))
    boards = f"n = {sizes[0]:,}" if len(sizes) == 1 else counted(len(sizes), "size")
    options = unusual_options(study.limits, study.moves, {row.algorithm for row in study.rows})
    last = later_seed(study.seed, study.runs - 1)
    seeds = f"seed {study.seed:,}" if study.runs == 1 else f"seeds {study.seed:,} to {last:,}"
    facts = ", ".join(filter(None, [boards, f"{counted(study.runs, 'run')} of each algorithm", seeds, options]))
    return f"{facts} (version {__version__})"


def _legend(study: Study) -> list[str]:
    """Return the lines below the table."""
    costs = {
        row.n: row.tally.initial_cost / row.tally.runs for row in study.rows if ALGORITHMS[row.algorithm].is_seeded
    }
    boards = ", ".join(f"{cost:,.2f}" if len(costs) == 1 else f"{cost:,.2f} (n = {n:,})" for n, cost in costs.items())
    initial = [f"Attacking pairs of the first boards, mean: {boards}."] if costs else []
    means = "Means per run, and steps ± standard deviation. Time is CPU time."
    lacking = [
        f"Incomplete: {row.algorithm} (n = {row.n:,}) has {row.tally.runs:,} of {counted(study.runs, 'run')}."
        for row in study.rows
        if row.tally.runs < study.runs
    ]
    return [*lacking, means, "Cost is the number of attacking pairs at the end.", *initial]


def _table(study: Study) -> Table:
    """Return the rows for each n, without the column of restarts if it is empty."""
    headings, groups = [list(line) for line in _HEADINGS], dict[int, list[list[str]]]()
    for row in study.rows:
        groups.setdefault(row.n, []).append(_cells(row.figures()))
    if not any(row.tally.restarts for row in study.rows):
        for line in itertools.chain(headings, *groups.values()):
            del line[_RESTARTS]
    return Table(headings, {f"n = {n:,}" if len(groups) > 1 else "": lines for n, lines in groups.items()})


def _cells(row: dict[str, Any]) -> list[str]:
    low, high = (f"{100 * row[name]:.1f}".replace("100.0", "100") for name in ("success_low", "success_high"))
    return [
        row["algorithm"],
        f"{100 * row['success_rate']:.2f}",
        f"{low}-{high}",
        mean_text(row["solved_steps_mean"], row["solved_steps_sd"]),
        mean_text(row["failed_steps_mean"]),
        mean_text(row["restarts_mean"]) if row["restarts"] else "",
        mean_text(row["evaluations_mean"]),
        f"{row['cost_mean']:.2f}",
        time_text(row["seconds_mean"]),
    ]


def mean_text(mean: float | None, deviation: float | None = None) -> str:
    """Return a mean, and its standard deviation, with three digits if the mean is below 100 or above 100,000."""
    if mean is None:
        return ""
    if mean >= 999_500:
        return f"{mean / 1e6:#.3g}M" if mean < 999.5e6 else f"{mean:.2e}"
    if mean >= 99_999.5:
        return f"{mean / 1000:.0f}k"
    digits = 2 if mean < 9.995 else 1 if mean < 99.95 else 0
    return f"{mean:,.{digits}f}" + ("" if deviation is None else f" ± {deviation:,.{digits}f}")


def time_text(seconds: float) -> str:
    """Return a time with two or three digits."""
    value, unit = seconds * 1e6, "µs"
    for larger in ("ms", "s"):
        if value >= 999.5:
            value, unit = value / 1000, larger
    return f"{value:.1f} {unit}" if value < 9.95 else f"{value:,.0f} {unit}"
