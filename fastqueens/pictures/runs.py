"""The data of conflict curves: what can be drawn, its steps, counts, plateaus and labels, and the thinning of lines."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import Trace
from fastqueens.core.errors import InputError
from fastqueens.files.traces import attempts_and_steps, checked_trace
from fastqueens.solving.result import Result


class Run(NamedTuple):
    """A search to draw: its trace, the entries at which later attempts begin, and what is known about it."""

    trace: Trace
    restarts: Sequence[int] = ()
    label: str = ""
    n: int | None = None
    seed: int | None = None
    start: str | None = None
    constraints: str = ""

    @classmethod
    def of(cls, result: Result) -> Run:
        """Return the run of a result; raise :class:`InputError` if the result has no trace."""
        if result.trace is None:
            raise InputError("the result has no trace to draw; solve(..., trace=True) records one")
        known = result.n, result.seed, result.start, result.instance.constraints
        return cls(result.trace, result.restarts, "", *known)


#: A result, a trace, the pair that ``read_trace`` returns, or a :class:`Run`.
Drawable: TypeAlias = Result | Trace | Run | tuple[Trace, Sequence[int]]


def as_runs(runs: Drawable | Sequence[Drawable]) -> list[Run]:
    """Return one run or several as a list of runs with validated traces."""
    several = [runs] if isinstance(runs, (Result, Trace, Run)) or _is_read_trace(runs) else list(runs)
    if not several:
        raise InputError("runs is empty: at least one run is needed")
    return [_as_run(run, index) for index, run in enumerate(several)]  # type: ignore[arg-type]


class Curve(NamedTuple):
    """A run with everything its lines need; the arrays hold one value for each entry of the trace."""

    run: Run
    label: str
    steps: NDArray[np.int64]
    attempts: NDArray[np.int64]
    counts: dict[str, NDArray[np.int64]]
    plateaus: list[tuple[int, int]]

    @property
    def n_steps(self) -> int:
        """The number of steps."""
        return int(self.steps[-1])

    @property
    def least_pairs(self) -> int:
        """The attacking pairs of the best board."""
        return int(self.counts["pairs"].min())


def as_curves(runs: list[Run], plateau: int) -> list[Curve]:
    """Prepare runs for drawing; ``plateau`` is the shortest plateau in steps, 0 for none."""
    curves = []
    for run, label in zip(runs, _labels(runs), strict=True):
        attempts, steps = attempts_and_steps(np.arange(len(run.trace.pairs)), np.asarray(run.restarts, np.int64))
        counts = {"conflicting": run.trace.conflicting_queens, "pairs": run.trace.pairs}
        curves.append(Curve(run, label, steps, attempts, counts, plateaus(run.trace.pairs, run.restarts, plateau)))
    return curves


def plateaus(pairs: NDArray[np.int64], restarts: Sequence[int], least: int) -> list[tuple[int, int]]:
    """Return the stretches of an attempt in which the attacking pairs stay the same for at least ``least`` steps.

    Parameters
    ----------
    pairs : (entries,) int64 array
    restarts : sequence of int
        Entries at which later attempts begin.
    least : int
        Steps; 0 for no plateaus. A board without conflicts is never part of a plateau.

    Returns
    -------
    list of (int, int)
        First and last entry of each.

    Examples
    --------
    >>> plateaus(np.array([5, 4, 4, 4, 1, 1, 1, 0]), [5], 2)
    [(1, 3)]
    """
    if least < 1:
        return []
    is_first = np.diff(pairs, prepend=-1) != 0
    is_first[list(restarts)] = True
    firsts = np.flatnonzero(is_first)
    lasts = np.append(firsts[1:], len(pairs)) - 1
    is_long = (lasts - firsts >= least) & (pairs[firsts] > 0)
    return list(zip(firsts[is_long].tolist(), lasts[is_long].tolist(), strict=True))


def thinned(places: NDArray[Any], values: NDArray[Any], attempts: NDArray[Any], columns: int) -> NDArray[np.int64]:
    """Return the entries that a line needs: the first, last, least and greatest of each column of pixels.

    This is M4 of Jugel, Jerzak, Hackenbroich and Markl (2014). O(entries).

    Parameters
    ----------
    places : (entries,) array
        Where each entry stands on the axis, ascending.
    values, attempts : (entries,) integer arrays
        Entries of different attempts never share a column.
    columns : int
        Columns of pixels between the first and the last place.

    Returns
    -------
    (chosen,) int64 array
        Ascending indices, including the first and the last entry; all indices if thinning saves nothing.

    Examples
    --------
    >>> values = np.array([9, 8, 7, 8, 30, 6, 5, 4])
    >>> thinned(np.arange(8), values, np.ones(8, int), 1)
    array([0, 4, 7])
    """
    if len(places) <= 4 * columns:
        return np.arange(len(places))
    share = (places - places[0]) / max(places[-1] - places[0], 1)
    column = np.minimum((share * columns).astype(np.int64), columns - 1)
    firsts = np.flatnonzero((np.diff(column, prepend=-1) != 0) | (np.diff(attempts, prepend=0) != 0))
    lengths = np.diff(np.append(firsts, len(places)))
    chosen = [firsts, firsts + lengths - 1]
    for extreme in (np.minimum, np.maximum):
        at = np.flatnonzero(values == np.repeat(extreme.reduceat(values, firsts), lengths))
        # The first entry of each column that has the extreme value.
        chosen.append(at[np.searchsorted(at, firsts)])
    return np.unique(np.concatenate(chosen))


def _is_read_trace(run: object) -> bool:
    """Whether this is a trace with its restarts, as ``read_trace`` returns them."""
    return isinstance(run, tuple) and len(run) == 2 and isinstance(run[0], Trace) and not isinstance(run[1], Trace)


def _as_run(drawable: Drawable, index: int) -> Run:
    if isinstance(drawable, Result):
        run = Run.of(drawable)
    elif isinstance(drawable, Run):
        run = drawable
    elif isinstance(drawable, Trace):
        run = Run(drawable)
    elif _is_read_trace(drawable):
        run = Run(*drawable)
    else:
        kind = type(drawable).__name__
        raise InputError(f"run {index} is {kind}: a Result, a Trace or what read_trace returns is needed")
    trace, restarts = checked_trace(run.trace, run.restarts, run.label or f"run {index}")
    return run._replace(trace=trace, restarts=restarts)


def _labels(runs: list[Run]) -> list[str]:
    """Name each run by its label, or by what distinguishes it from the others."""
    words = ("n = {:,}", "seed {}", "{} start")
    known = [
        ["" if fact is None else said.format(fact) for said, fact in zip(words, run[3:6], strict=True)] for run in runs
    ]
    differs = [len(set(values)) > 1 for values in zip(*known, strict=True)]
    labels = []
    for index, (run, parts) in enumerate(zip(runs, known, strict=True)):
        difference = ", ".join(part for part, differ in zip(parts, differs, strict=True) if part and differ)
        label = textwrap.shorten(run.label, 40, placeholder=" …") or difference or f"run {index + 1}"
        # matplotlib hides labels that begin with an underscore.
        labels.append(f" {label}" if label.startswith("_") else label)
    return labels
