"""``fastqueens study``: statistics over many seeded runs of hill climbing."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import options
from fastqueens.cli.notes import progress_and_notes
from fastqueens.cli.session import SOLVED, Session
from fastqueens.cli.wording import duration
from fastqueens.core.names import STUDY_RULES
from fastqueens.core.wording import counted

if TYPE_CHECKING:
    from fastqueens.classroom.batches import Executor
    from fastqueens.classroom.study import Study

_MOST_SIZES = 1000


def _sizes(context: click.Context, parameter: click.Parameter, text: str) -> list[int]:
    """Parse board sizes written as 4..20, as 8,16,32, or mixed."""
    spans = []
    for piece in text.split(","):
        ends = [options.whole_number(context, parameter, end) or 0 for end in piece.split("..", 1)]
        if ends[-1] < ends[0]:
            raise click.BadParameter(f"{piece!r} goes down; write {ends[-1]}..{ends[0]}.")
        spans.append((ends[0], ends[-1]))
    sizes = sum(last - first + 1 for first, last in spans)
    if sizes > _MOST_SIZES:
        raise click.BadParameter(f"{text!r} has {sizes:,} sizes; a study has at most {_MOST_SIZES:,}.")
    return [n for first, last in spans for n in range(first, last + 1)]


def _rules(_context: click.Context, _parameter: click.Parameter, text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


@click.command(
    short_help="Compare the success rates and steps of rules over many runs.",
    epilog="""\b
Examples:
  fastqueens study --runs 100000 --histogram
  fastqueens study --n 4..20 --rules steepest,sideways -o study.csv
  fastqueens study --n 50 --scheduler 127.0.0.1:8786
""",
)
@click.option(
    "-n",
    "--n",
    "sizes",
    metavar="LIST",
    default="8",
    show_default=True,
    callback=_sizes,
    help="Board sizes, for example 4..20 or 8,16.",
)
@click.option(
    "--rules",
    metavar="LIST",
    default=",".join(list(STUDY_RULES)[:-1]),
    callback=_rules,
    help=f"Some of {', '.join(STUDY_RULES)}. Default: all but the last.",
)
@click.option(
    "--runs",
    metavar="COUNT",
    default="10000",
    show_default=True,
    callback=options.whole_number,
    help="Number of runs of each rule on each board size.",
)
@click.option(
    "--seed",
    metavar="SEED",
    callback=options.whole_number,
    help="Seed of the first run; the next runs have SEED + 1, SEED + 2, .... Default: a random seed.",
)
@click.option(
    "--sideways-limit",
    metavar="MOVES",
    default="100",
    show_default=True,
    callback=options.whole_number,
    help="How many moves in a row may keep the cost, with sideways and restart-sideways.",
)
@click.option(
    "--restarts",
    metavar="TIMES",
    callback=options.whole_number,
    help="How often restart and restart-sideways may restart. Default: no limit.",
)
@click.option(
    "--threads",
    metavar="COUNT",
    callback=options.whole_number,
    help="Number of threads. Default: all cores. The results do not depend on it.",
)
@click.option(
    "--workers",
    metavar="COUNT",
    callback=options.whole_number,
    help="Start a local Dask cluster with this many processes, and use it.",
)
@click.option(
    "--scheduler", metavar="ADDRESS", help="Use the workers of a running Dask scheduler, for example HOST:8786."
)
@click.option("--histogram", is_flag=True, help="Show a histogram of the steps of each rule.")
@click.option(
    "-o",
    "--output",
    type=options.FILE,
    metavar="FILE",
    help="Write the results: .csv, or .json, which also contains the histograms.",
)
@options.as_json
@options.quiet
@click.pass_obj
def study(session: Session, /, **parameters: Any) -> int:
    """Run hill climbing many times by different rules; compare how often they solve the board and in how many steps.

    The rules steepest and sideways do not restart. The rules restart and restart-sideways do the same, but restart from
    a new board when they are stuck. All rules start from the same random boards. To see one of the runs, use its seed:
    `fastqueens climb 8 --rule steepest --runs 1 --seed 5 --show`.
    """
    _check_usage(parameters)
    with progress_and_notes(session.display, quiet=parameters["quiet"]):
        start = time.perf_counter()
        result = _result(session, parameters)
        took = duration(time.perf_counter() - start)
        session.display.clear()
        if parameters["output"] is not None:
            from fastqueens.classroom.studyfile import write_study

            write_study(parameters["output"], result)
    as_json = parameters["as_json"]
    if as_json:
        click.echo(json.dumps(result.as_dict()))
    if not parameters["quiet"]:
        from fastqueens.cli.studytable import histograms, table

        click.echo(table(result), nl=False, err=as_json)
        if parameters["histogram"]:
            click.echo(histograms(result), nl=False, err=as_json)
        click.echo(f"{counted(result.runs * len(result.rows), 'run')} in {took}.", err=True)
    return SOLVED


def _check_usage(parameters: dict[str, Any]) -> None:
    """Raise an error if options contradict each other or the file cannot be written."""
    chosen = [f"--{name}" for name in ("threads", "workers", "scheduler") if parameters[name] is not None]
    if len(chosen) > 1:
        raise click.UsageError(f"{' and '.join(chosen)}: give one of them.")
    if parameters["output"] is not None:
        from fastqueens.classroom.studyfile import check_study_suffix
        from fastqueens.files.atomic import check_target

        check_study_suffix(parameters["output"])
        check_target(parameters["output"])


def _result(session: Session, parameters: dict[str, Any]) -> Study:
    from fastqueens.classroom.study import check_study, study

    settings = {name: parameters[name] for name in ("rules", "runs", "sideways_limit", "restarts")}
    check_study(parameters["sizes"], **settings, seed=parameters["seed"] or 0)
    with _executor(session, parameters) as executor:
        return study(
            parameters["sizes"],
            **settings,
            seed=parameters["seed"],
            threads=parameters["threads"],
            executor=executor,
            **session.callbacks,
        )


@contextmanager
def _executor(session: Session, parameters: dict[str, Any]) -> Iterator[Executor | None]:
    """Connect to the cluster that makes the runs; None means this process."""
    if parameters["scheduler"] is None and parameters["workers"] is None:
        yield None
        return
    from fastqueens.classroom.cluster import connected, local_cluster

    if parameters["scheduler"] is not None:
        session.display.report(f"connecting to {parameters['scheduler']}")
        cluster = connected(parameters["scheduler"])
    else:
        session.display.report(f"starting {counted(parameters['workers'], 'worker')}")
        cluster = local_cluster(parameters["workers"])
    with cluster as executor:
        yield executor
