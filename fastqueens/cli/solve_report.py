"""The sentences and tables in which ``fastqueens solve`` reports its results."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli.wording import drawing, duration, file_label, legend, table_text
from fastqueens.core.wording import counted

if TYPE_CHECKING:
    from fastqueens.solving.result import Result

#: Boards below this n are drawn before and after the search.
_DRAWN_BELOW = 33

#: An allocation that takes longer (in seconds) gets its own sentence.
_LONG_ALLOCATION = 0.01


def report_lines(result: Result, request: SimpleNamespace) -> list[str]:
    """Return the sentences about a result, with drawings if the board is small."""
    restarts = f" and {counted(len(result.restarts), 'restart')}" if result.restarts else ""
    allocation = result.timings.allocation
    before = [f"Allocated memory in {duration(allocation)}."] if allocation > _LONG_ALLOCATION else []
    before += [
        _first_board(result, request),
        f"Initial board: {counted(result.initial_pairs, 'attacking pair')}.",
    ]
    after = [
        f"Searched for {duration(result.timings.search)}: {counted(result.steps, 'step')}{restarts}.",
        _verdict(result),
        *_complete_search(result),
    ]
    if result.n < _DRAWN_BELOW and result.initial_queens is not None:
        from fastqueens.core.instance import make_instance

        instance = make_instance(result.n, result.fixed)
        first, last = (drawing(board, request.origin, instance) for board in (result.initial_queens, result.queens))
        before.append(f"\n{first}\n")
        after.append(f"\n{last}{legend(last)}")
    return before + after


def seeds_table(runs: list[dict[str, Any]]) -> str:
    """Return a line for each run of ``--seeds``."""
    lines = []
    for run in runs:
        figures = [f"{run[key]:,}" for key in ("initial_pairs", "steps", "restarts")]
        lines.append([str(run["seed"]), *figures, f"{_seconds(run):.6f}", "yes" if run["solved"] else "no"])
    return table_text(("seed", "initial pairs", "steps", "restarts", "seconds", "solved"), lines)


def seeds_summary(runs: list[dict[str, Any]]) -> str:
    """Return how many runs of ``--seeds`` are solved, and medians."""
    from statistics import median

    medians = {
        key: f"{median(run[key] for run in runs):,.1f}".removesuffix(".0")
        for key in ("initial_pairs", "steps", "restarts")
    }
    return (
        f"{sum(run['solved'] for run in runs):,} of {counted(len(runs), 'run')} solved.\n"
        f"Medians: initial pairs {medians['initial_pairs']}, steps {medians['steps']}, "
        f"restarts {medians['restarts']}, time {duration(median(map(_seconds, runs)))}."
    )


def _first_board(result: Result, request: SimpleNamespace) -> str:
    n_fixed = len(result.fixed)
    queens = counted(result.n - n_fixed, "queen") + (f" plus {counted(n_fixed, 'fixed one')}" if n_fixed else "")
    time = duration(result.timings.placement)
    if request.file is None and request.board is None:
        return f"Placed {queens} in {time} ({result.start} start, seed {result.seed})."
    source = "--board" if request.file is None else file_label(request.file)
    return f"Set up {queens} from {source} in {time} (seed {result.seed})."


def _verdict(result: Result) -> str:
    if result.solved:
        solved = click.style("Solved", fg="green")
        return (
            f"{solved} and verified in {duration(result.timings.verification)}: "
            "no two queens share a row or a diagonal."
        )
    pairs = counted(result.pairs, "attacking pair")
    conflicting = counted(result.conflicting_queens, "conflicting queen")
    return f"{click.style('Not solved', fg='red')}: {pairs} and {conflicting} left."


def _complete_search(result: Result) -> list[str]:
    """Return what the complete search found, or that nothing is known without it."""
    from fastqueens.solving.complete_search import MOST_EMPTY

    tried = f"{counted(result.nodes, 'square')} tried"
    if result.solved:
        return [f"The complete search found it: {tried}."] if result.nodes else []
    if result.nodes:
        return [
            f"The complete search neither found a solution nor ruled one out: {tried}; a higher --max-nodes tries more."
        ]
    if len(result.fixed):
        has_complete_search = result.n - len(result.fixed) <= MOST_EMPTY
        longer = "--restarts, --max-steps and --max-nodes" if has_complete_search else "--restarts and --max-steps"
        return [f"It is not known whether the fixed queens allow a solution; higher values of {longer} search longer."]
    return []


def _seconds(run: dict[str, Any]) -> float:
    return float(run["placement_seconds"] + run["search_seconds"] + run["verification_seconds"])
