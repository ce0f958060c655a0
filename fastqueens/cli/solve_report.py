"""The sentences and tables in which ``fastqueens solve`` reports its results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from fastqueens.cli.inputs import DRAWN_BELOW
from fastqueens.cli.output import drawing, file_label, legend, table_text
from fastqueens.core.wording import counted, duration, listed

if TYPE_CHECKING:
    from fastqueens.solving.result import Result

#: An allocation that takes longer (in seconds) gets its own sentence.
_LONG_ALLOCATION = 0.01


#: Options that concern local search only.
_OF_LOCAL_SEARCH = ("file", "board", "start", "trace", "plot", "max_steps", "restarts")


class Look(NamedTuple):
    """What the report depends on besides the result: options, and the names of those that were given."""

    origin: str
    file: str | None
    given: frozenset[str]
    method: str


def report_lines(result: Result, look: Look) -> list[str]:
    """Return the sentences about a result, with drawings if the board is small."""
    before = _local_search(result, look) if result.attempts else []
    after = [
        *_complete_search(result),
        *_mixing(result),
        *_not_used(result, look),
        _verdict(result),
        *_advice(result, look),
    ]
    if result.n < DRAWN_BELOW:
        last = drawing(result.queens, look.origin, result.instance)
        after.append(f"\n{last}{legend(last)}")
    return before + after


def _local_search(result: Result, look: Look) -> list[str]:
    """Return what local search did, with a drawing of its first board if that is small and not the last."""
    restarts = f" and {counted(len(result.restarts), 'restart')}" if result.restarts else ""
    allocation = result.timings.allocation
    lines = [f"Allocated memory in {duration(allocation)}."] if allocation > _LONG_ALLOCATION else []
    lines += [_first_board(result, look), f"Initial board: {counted(result.initial_pairs, 'attacking pair')}."]
    first = result.initial_queens
    if result.n < DRAWN_BELOW and first is not None and first.tolist() != result.queens.tolist():
        lines.append(f"\n{drawing(first, look.origin, result.instance)}\n")
    return [*lines, f"Searched for {duration(result.timings.search)}: {counted(result.steps, 'step')}{restarts}."]


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


def _first_board(result: Result, look: Look) -> str:
    n_fixed = len(result.fixed)
    queens = counted(result.n - n_fixed, "queen") + (f" plus {counted(n_fixed, 'fixed one')}" if n_fixed else "")
    time = duration(result.timings.placement)
    if not look.given & {"file", "board"}:
        return f"Placed {queens} in {time} ({result.start} start, seed {result.seed})."
    source = "--board" if look.file is None else file_label(look.file)
    return f"Set up {queens} from {source} in {time} (seed {result.seed})."


def _verdict(result: Result) -> str:
    if result.solved:
        solved = click.style("Solved", fg="green")
        respected = "" if result.instance.is_free else f", with {result.instance.constraints}"
        mixed = " and mixed" if result.sweeps else ""
        return (
            f"{solved}{mixed} in {duration(_solving_seconds(result))} and verified in "
            f"{duration(result.timings.verification)}: no queen attacks another{respected}."
        )
    pairs = counted(result.pairs, "attacking pair")
    conflicting = counted(result.conflicting_queens, "conflicting queen")
    return f"{click.style('Not solved', fg='red')}: {pairs} and {conflicting} left."


def _solving_seconds(result: Result) -> float:
    """Return how long all steps took together, without the allocation of memory and the check."""
    timings = result.timings
    return timings.placement + timings.search + timings.complete_search + timings.mixing


def _complete_search(result: Result) -> list[str]:
    """Return what complete search did."""
    if not result.nodes:
        return []
    outcome = "" if result.method == "complete" else ", no answer"
    seed = "" if result.attempts else f" (n = {result.n:,}, seed {result.seed})"
    taken = duration(result.timings.complete_search)
    return [f"Complete search for {taken}: {counted(result.nodes, 'square')} tried{outcome}{seed}."]


def _mixing(result: Result) -> list[str]:
    """Return how long the solution was mixed."""
    return [f"Mixed for {duration(result.timings.mixing)}: {counted(result.sweeps, 'sweep')}."] if result.sweeps else []


def _not_used(result: Result, look: Look) -> list[str]:
    """Return which of the options that are given only concern local search, if it did not run."""
    if result.attempts or result.method != "complete":
        return []
    given = [f"--{name.replace('_', '-')}" for name in _OF_LOCAL_SEARCH if name in look.given]
    return [f"Local search did not run, so {listed(given)} had no effect; --method local runs it."] if given else []


def _advice(result: Result, look: Look) -> list[str]:
    """Return, for an instance that is not solved, which options search longer."""
    if result.solved or result.instance.is_free:
        return []
    from fastqueens.exact.complete_search import MOST_EMPTY

    options = ["--restarts", "--max-steps"] if result.attempts and look.method != "complete" else []
    options += ["--max-nodes"] if result.instance.free_columns <= MOST_EMPTY and look.method != "local" else []
    several = len(options) > 1
    higher = f"{'higher values' if several else 'a higher value'} of {listed(options)}"
    return [f"It is not known whether there is a solution; {higher} {'search' if several else 'searches'} longer."]


def _seconds(run: dict[str, Any]) -> float:
    parts = ("placement", "search", "complete_search", "mixing", "verification")
    return float(sum(run[f"{part}_seconds"] for part in parts))
