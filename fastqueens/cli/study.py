"""``fastqueens study``: many seeded runs of several rules, and their statistics as a table, a file or JSON."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import options
from fastqueens.cli.notes import commented
from fastqueens.cli.session import SOLVED, Session
from fastqueens.cli.wording import count, duration

if TYPE_CHECKING:
    from fastqueens.classroom.study import Executor, Study

#: The same as ``fastqueens.classroom.study.STUDY_RULES``, which cannot be imported without numba.
RULES = ("steepest", "sideways", "restart", "restart-sideways", "min-conflicts", "annealing")

_MOST_SIZES = 1000


def _sizes(context: click.Context, parameter: click.Parameter, text: str) -> list[int]:
    """Read board sizes written as 4..20, as 8,16,32, or mixed."""
    spans = []
    for piece in text.split(","):
        ends = [options.whole_number(context, parameter, end) or 0 for end in piece.split("..", 1)]
        if ends[-1] < ends[0]:
            raise click.BadParameter(f"{piece!r} goes down; write {ends[-1]}..{ends[0]}.")
        spans.append((ends[0], ends[-1]))
    sizes = sum(last - first + 1 for first, last in spans)
    if sizes > _MOST_SIZES:
        raise click.BadParameter(f"{text!r} are {sizes:,} sizes; a study takes at most {_MOST_SIZES:,}.")
    return [n for first, last in spans for n in range(first, last + 1)]


def _rules(_context: click.Context, _parameter: click.Parameter, text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


@click.command(
    short_help="Run rules many times, and compare their success rates and steps.",
    epilog="""\b
Examples:
  fastqueens study --runs 100000 --histogram
  fastqueens study --n 4..20 --rules steepest,sideways -o study.csv
  fastqueens study --n 50 --scheduler 127.0.0.1:8786
""",
)
@click.option(
    "-n", "--n", "sizes", metavar="LIST", default="8", show_default=True, callback=_sizes, help="Sizes: 4..20 or 8,16."
)
@click.option(
    "--rules",
    metavar="LIST",
    default=",".join(RULES[:5]),
    callback=_rules,
    help=f"Some of {', '.join(RULES)}; all but the last if not given.",
)
@click.option(
    "--runs",
    metavar="COUNT",
    default="10000",
    show_default=True,
    callback=options.whole_number,
    help="Of each rule on each size.",
)
@click.option(
    "--seed",
    metavar="SEED",
    callback=options.whole_number,
    help="Run k has SEED + k, counted from 0. One is drawn if none is given.",
)
@click.option(
    "--sideways-limit",
    metavar="MOVES",
    default="100",
    show_default=True,
    callback=options.whole_number,
    help="Moves in a row that keep the cost, for the rules with sideways moves.",
)
@click.option(
    "--restarts",
    metavar="TIMES",
    callback=options.whole_number,
    help="How often a run of restart and restart-sideways may begin again. Until solved if not given.",
)
@click.option(
    "--threads",
    metavar="COUNT",
    callback=options.whole_number,
    help="How many to use, all cores if not given. What comes out does not depend on it.",
)
@click.option(
    "--workers", metavar="COUNT", callback=options.whole_number, help="Use so many processes of a local Dask cluster."
)
@click.option("--scheduler", metavar="ADDRESS", help="Use the workers of a running Dask scheduler: HOST:8786.")
@click.option("--histogram", is_flag=True, help="Show for each rule how many runs took how many steps.")
@click.option("-o", "--output", type=options.FILE, metavar="FILE", help="Write the figures: .csv, or .json with all.")
@options.as_json
@options.quiet
@click.pass_obj
def study(session: Session, /, **given: Any) -> int:
    """Run rules of hill climbing many times, and compare how often they solve and in how many steps.

    steepest and sideways climb once; restart and restart-sideways begin again with a new board when they are stuck. All
    rules begin on the same random boards. Run k is the one that `fastqueens climb 8 --rule steepest` shows for the seed
    SEED + k.
    """
    _check_usage(given)
    with commented(session.display, quiet=given["quiet"]):
        begun = time.perf_counter()
        result = _result(session, given)
        took = duration(time.perf_counter() - begun)
        session.display.clear()
        if given["output"] is not None:
            from fastqueens.classroom.studyfile import write_study

            write_study(given["output"], result)
    as_json = given["as_json"]
    if as_json:
        click.echo(json.dumps(result.as_dict()))
    if not given["quiet"]:
        from fastqueens.cli.studytable import histograms, table

        click.echo(table(result), nl=False, err=as_json)
        if given["histogram"]:
            click.echo(histograms(result), nl=False, err=as_json)
        click.echo(f"{count(result.runs * len(result.rows), 'run')} in {took}.", err=True)
    return SOLVED


def _check_usage(given: dict[str, Any]) -> None:
    """Refuse what cannot be meant together, and find out before the work what cannot be written after it."""
    chosen = [f"--{name}" for name in ("threads", "workers", "scheduler") if given[name] is not None]
    if len(chosen) > 1:
        raise click.UsageError(f"{' and '.join(chosen)}: give one of them.")
    if given["output"] is not None:
        from fastqueens.classroom.studyfile import check_study_suffix
        from fastqueens.wholefile import check_target

        check_study_suffix(given["output"])
        check_target(given["output"])


def _result(session: Session, given: dict[str, Any]) -> Study:
    from fastqueens.classroom.study import check_study, study

    asked = {name: given[name] for name in ("rules", "runs", "sideways_limit", "restarts")}
    check_study(given["sizes"], **asked, seed=given["seed"] or 0)
    with _executor(session, given) as executor:
        return study(
            given["sizes"],
            **asked,
            seed=given["seed"],
            threads=given["threads"],
            executor=executor,
            **session.hooks,
        )


@contextmanager
def _executor(session: Session, given: dict[str, Any]) -> Iterator[Executor | None]:
    """What the runs are made by, where that is not this process."""
    if given["scheduler"] is None and given["workers"] is None:
        yield None
        return
    from fastqueens.classroom.cluster import connected, local_cluster

    if given["scheduler"] is not None:
        session.display.report(f"connecting to {given['scheduler']}")
        cluster = connected(given["scheduler"])
    else:
        session.display.report(f"starting {count(given['workers'], 'worker')}")
        cluster = local_cluster(given["workers"])
    with cluster as executor:
        yield executor
