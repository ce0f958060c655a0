"""The words around conflict curves: the title, and the caption that says how the boards were found."""

from __future__ import annotations

from collections.abc import Sequence

from fastqueens.core.wording import counted
from fastqueens.pictures.curves.curve import Curve

#: What the counts are called in titles, legends and at axes.
NAMES = {"conflicting": "Conflicting queens", "pairs": "Attacking pairs"}


def title_of(curves: list[Curve], what: str) -> str:
    """Return the default title, which states n if all runs have the same."""
    sizes = {curve.run.n for curve in curves}
    (n,) = sizes if len(sizes) == 1 else (None,)
    subject = "Conflicts" if what == "both" else NAMES[what]
    if n is None:
        return f"{subject} during the search"
    queens = counted(n, "queen")
    return f"{subject} among {queens}" if what == "conflicting" else f"{subject} of {queens}"


def caption_of(curves: list[Curve]) -> str:
    """Return what is known about the runs: n, seeds, start, steps, restarts and how many were solved."""
    runs = [curve.run for curve in curves]
    parts = [f"{len(curves)} runs"] if len(curves) > 1 else []
    for name, values in (("n = ", {run.n for run in runs}), ("seed ", {run.seed for run in runs})):
        known = sorted(value for value in values if value is not None)
        if known:
            several = "seeds " if name == "seed " and len(known) > 1 else name
            parts.append(several + _span(known, "," if name == "n = " else ""))
    starts = {run.start for run in runs}
    if len(starts) == 1 and None not in starts:
        (start,) = starts
        parts.append("custom start" if start == "board" else f"{start} start")
    steps = sorted({curve.n_steps for curve in curves})
    parts.append(f"{_span(steps, ',')} step{'' if steps == [1] else 's'}")
    restarts = sum(len(run.restarts) for run in runs)
    parts += [counted(restarts, "restart")] if restarts else []
    solved = sum(curve.least_pairs == 0 for curve in curves)
    if len(curves) > 1:
        parts.append(f"{solved} of {len(curves)} solved")
    else:
        left = curves[0].least_pairs
        parts.append("solved" if solved else f"{counted(left, 'attacking pair')} left")
    return " · ".join(parts)


def _span(values: Sequence[int], grouping: str) -> str:
    """Write the range of ascending values, or the only value."""
    least, most = (format(value, grouping) for value in (values[0], values[-1]))
    return least if least == most else f"{least} to {most}"
