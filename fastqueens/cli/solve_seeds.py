"""``fastqueens solve --seeds``: the same task for many seeds, as a table."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli.session import NOT_SOLVED, SOLVED, Session
from fastqueens.cli.wording import duration, table_text
from fastqueens.core.wording import counted

if TYPE_CHECKING:
    from fastqueens.solving.result import Result


def solve_many(
    session: Session,
    arguments: dict[str, Any],
    seeds: list[int],
    *,
    as_json: bool,
    quiet: bool,
    on_result: Callable[[Result], None] | None = None,
) -> int:
    """Solve once for each seed, print a table or JSON, and return the exit code: 0 if all runs are solved.

    ``on_result`` is called with each result; only the figures are stored here.
    """
    runs = _figures(session, arguments, seeds, on_result)
    if as_json:
        click.echo("[" + ",\n ".join(json.dumps(run) for run in runs) + "]")
    if not quiet:
        if not as_json:
            click.echo(_table(runs), nl=False)
        click.echo(_summary(runs), err=as_json)
    return SOLVED if all(run["solved"] for run in runs) else NOT_SOLVED


def _figures(
    session: Session, arguments: dict[str, Any], seeds: list[int], on_result: Callable[[Result], None] | None
) -> list[dict[str, Any]]:
    import fastqueens

    runs = []
    for done, seed in enumerate(seeds):
        session.display.report("seeds", done, len(seeds))
        result: Result = fastqueens.solve(**arguments, seed=seed)
        session.check_stop()
        runs.append(result.as_dict())
        if on_result is not None:
            on_result(result)
    session.display.clear()
    return runs


def _table(runs: list[dict[str, Any]]) -> str:
    lines = []
    for run in runs:
        figures = [f"{run[key]:,}" for key in ("initial_pairs", "steps", "restarts")]
        lines.append([str(run["seed"]), *figures, f"{_seconds(run):.6f}", "yes" if run["solved"] else "no"])
    return table_text(("seed", "initial pairs", "steps", "restarts", "seconds", "solved"), lines)


def _summary(runs: list[dict[str, Any]]) -> str:
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


def _seconds(run: dict[str, Any]) -> float:
    return float(run["placement_seconds"] + run["search_seconds"] + run["verification_seconds"])
