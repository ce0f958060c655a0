"""Runs prepared for drawing: their steps, counts, plateaus and labels."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastqueens.files.trace_formats import attempts_and_steps
from fastqueens.pictures.curves.runs import Run

#: By default a plateau lasts at least this many steps and this share of all steps; shorter ones would be invisible.
_PLATEAU_STEPS = 10
_PLATEAU_SHARE = 0.01


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


def as_curves(runs: list[Run], plateau: int | None) -> list[Curve]:
    """Prepare runs for drawing; ``plateau`` is the shortest plateau in steps, None for the default."""
    curves = []
    for run, label in zip(runs, _labels(runs), strict=True):
        attempts, steps = attempts_and_steps(np.arange(len(run.trace.pairs)), np.asarray(run.restarts, np.int64))
        least = max(_PLATEAU_STEPS, int(np.ceil(_PLATEAU_SHARE * steps[-1]))) if plateau is None else plateau
        counts = {"conflicting": run.trace.conflicting_queens, "pairs": run.trace.pairs}
        curves.append(Curve(run, label, steps, attempts, counts, plateaus(run.trace.pairs, run.restarts, least)))
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
    is_first = np.ones(len(pairs), bool)
    is_first[1:] = pairs[1:] != pairs[:-1]
    is_first[list(restarts)] = True
    firsts = np.flatnonzero(is_first)
    lasts = np.append(firsts[1:], len(pairs)) - 1
    is_long = (lasts - firsts >= least) & (pairs[firsts] > 0)
    return list(zip(firsts[is_long].tolist(), lasts[is_long].tolist(), strict=True))


def _labels(runs: list[Run]) -> list[str]:
    """Name each run by its label, or by what distinguishes it from the others."""
    known = [
        [
            "" if run.n is None else f"n = {run.n:,}",
            "" if run.seed is None else f"seed {run.seed}",
            "" if run.start is None else f"{run.start} start",
        ]
        for run in runs
    ]
    differs = [len(set(values)) > 1 for values in zip(*known, strict=True)]
    labels = []
    for index, (run, parts) in enumerate(zip(runs, known, strict=True)):
        difference = ", ".join(itertools.compress(parts, differs)).strip(", ")
        label = textwrap.shorten(run.label, 40, placeholder=" …") or difference or f"run {index + 1}"
        # matplotlib hides labels that begin with an underscore.
        labels.append(f" {label}" if label.startswith("_") else label)
    return labels
