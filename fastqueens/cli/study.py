"""``fastqueens study``: statistics over many seeded runs of hill climbing, next to published ones, and histograms."""

from __future__ import annotations

import math
from itertools import accumulate, groupby
from typing import Any

from rich.bar import Bar
from rich.box import SIMPLE
from rich.console import RenderableType
from rich.table import Table

from fastqueens.classroom.batches import plan_study
from fastqueens.classroom.study import STUDY_SUFFIXES, Published, Row, Study, write_study
from fastqueens.classroom.study import study as make_study
from fastqueens.cli import inputs
from fastqueens.cli.output import Output, rendered
from fastqueens.core.wording import counted, duration
from fastqueens.jit import clock

#: Rows of a histogram, and the width of its bars.
_MOST_BINS = 14
_BAR = 22

#: The rows of a histogram divide this share of the runs evenly; longer runs fall into the last row.
_SHOWN = 0.99


def study(
    out: Output,
    *,
    sizes: list[int],
    seed: int | None,
    threads: int | None,
    scheduler: str | None,
    histogram: bool,
    output: str | None,
    **what: Any,
) -> None:
    """Make a study; ``what`` goes to :func:`fastqueens.study`."""
    inputs.check_output(output, STUDY_SUFFIXES)
    plan_study(sizes, **what, seed=seed or 0)  # the errors of study(), before connecting to a cluster
    with inputs.executor_of(out, scheduler) as executor:
        begun = clock.seconds()
        result = make_study(sizes, **what, seed=seed, threads=threads, executor=executor, **out.callbacks)
        seconds = clock.seconds() - begun
    if output is not None:
        write_study(output, result)
    if out.as_json:
        out.json(result.as_dict())
    out.draw(table(result), *[histograms(result)] * histogram, nl=False)
    out.say(f"{counted(result.runs * len(result.rows), 'run')} in {duration(seconds)}.", err=True)
    out.wrote(output, err=True)


def table(study: Study) -> str:
    """Return all figures in 80 columns, with published figures below the rule that they belong to."""
    several = len({row.n for row in study.rows}) > 1
    lines = Table(box=SIMPLE, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in ["n"] * several:
        lines.add_column(heading, justify="right")
    lines.add_column("rule", no_wrap=True)
    for heading in ("solved\n%", "95 %\ninterval", "steps,\nsolved", "steps,\nfailed", "\nrestarts"):
        lines.add_column(heading, justify="right", no_wrap=True)
    for n, rows in groupby(study.rows, key=lambda row: row.n):
        for row in rows:
            lines.add_row(*[f"{n:,}"] * several, row.rule, *_cells(row.figures()))
            for entry in row.published:
                lines.add_row(*[""] * several, f"  {entry.source}", *_published_cells(entry), style="dim")
        lines.add_section()
    return "\n".join([_heading(study), "", rendered(lines), rendered(_legend(study))])


def histograms(study: Study) -> str:
    """Return for each row of the study how many runs took how many steps."""
    return "".join(f"\n{row.rule}, n = {row.n:,}\n{rendered(_histogram(row))}" for row in study.rows)


def _heading(study: Study) -> str:
    sizes = list(dict.fromkeys(row.n for row in study.rows))
    boards = f"n = {sizes[0]:,}" if len(sizes) == 1 else counted(len(sizes), "size")
    return f"{boards}, {counted(study.runs, 'run')} of each rule, seeds {study.seed} to {study.seed + study.runs - 1}"


def _cells(figures: dict[str, Any]) -> list[str]:
    """Return the cells of a row."""
    return [
        f"{100 * figures['success_rate']:.2f}",
        f"{100 * figures['success_low']:.2f}-{100 * figures['success_high']:.2f}",
        *(_mean(figures[f"{kind}_steps_mean"], figures[f"{kind}_steps_sd"]) for kind in ("solved", "failed")),
        f"{figures['restarts_mean']:,.2f}" if figures["restarts"] else "",
    ]


def _published_cells(entry: Published) -> list[str]:
    restarts = "" if entry.restarts is None or entry.runs is None else f"{entry.restarts / entry.runs:.2f}"
    steps = ["" if mean is None else f"{mean:g}" for mean in (entry.solved_steps_mean, entry.failed_steps_mean)]
    return [f"{100 * entry.success_rate:g}", "", *steps, restarts]


def _mean(mean: float | None, deviation: float | None) -> str:
    """Return a mean and its standard deviation, with three digits if the mean is below 100."""
    if mean is None:
        return ""
    digits = 2 if mean < 10 else 1 if mean < 100 else 0
    return f"{mean:,.{digits}f}" + ("" if deviation is None else f" ± {deviation:,.{digits}f}")


def _legend(study: Study) -> str:
    costs = {row.n: row.tally.initial_cost / row.tally.runs for row in study.rows}
    boards = ", ".join(f"{cost:,.2f}" if len(costs) == 1 else f"{cost:,.2f} (n = {n:,})" for n, cost in costs.items())
    lines = [
        "Steps: mean ± standard deviation. Restarts: mean of all runs. Interval: Wilson.",
        f"Attacking pairs of the first boards, mean: {boards}.",
    ]
    if any(row.published for row in study.rows):
        lines.append("Mahajan: N-queens problem; counts a step more for each climb that gets stuck.")
        lines.append("Textbook: Russell and Norvig, Artificial Intelligence: A Modern Approach.")
    return "\n".join(lines)


def _histogram(row: Row) -> RenderableType:
    kinds = {name: kind for name, kind in (("solved", row.tally.solved), ("failed", row.tally.failed)) if kind}
    bins = _bins(row)
    counts = [[sum(kind[steps] for steps in kind if steps in bin_) for kind in kinds.values()] for bin_ in bins]
    most = max(map(max, counts))
    lines = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    lines.add_column("steps", justify="right")
    for name in kinds:
        lines.add_column(name, justify="right")
        lines.add_column(width=_BAR)
    for bin_, runs in zip(bins, counts, strict=True):
        cells: list[RenderableType] = [_label(bin_)]
        for number in runs:
            cells += [f"{number:,}", Bar(most, 0, number, width=_BAR)]
        lines.add_row(*cells)
    return lines


def _bins(row: Row) -> list[range]:
    """Return ranges of steps of one width, except the last, which includes the largest number."""
    steps = sorted((row.tally.solved + row.tally.failed).items())
    least, most = steps[0][0], steps[-1][0]
    shown = most
    if most - least >= _MOST_BINS:
        sums = accumulate(runs for _, runs in steps)
        shown = next(value for (value, _), seen in zip(steps, sums, strict=True) if seen >= _SHOWN * row.tally.runs)
    width = _round_width((shown - least + 1) / _MOST_BINS)
    first = least - least % width
    starts = range(first, shown + 1, width)
    last = range(starts[-1], max(most + 1, starts[-1] + width))
    return [*(range(start, start + width) for start in starts[:-1]), last]


def _round_width(least: float) -> int:
    """Return the first of 1, 2, 5, 10, 20, 50, ... that is at least ``least``."""
    power: int = 10 ** max(0, math.floor(math.log10(least)))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least)


def _label(bin_: range) -> str:
    if len(bin_) == 1:
        return f"{bin_[0]:,}"
    return f"{bin_[0]:,} to {bin_[-1]:,}"
