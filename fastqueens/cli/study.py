"""``fastqueens study``: statistics over many seeded runs of hill climbing."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import options
from fastqueens.cli.notes import progress_and_notes
from fastqueens.cli.places import check_one_place, executor_of, place_options
from fastqueens.cli.session import Session
from fastqueens.cli.wording import duration, say, wrote
from fastqueens.core.arguments import STUDY_RULES
from fastqueens.core.wording import counted

if TYPE_CHECKING:
    from fastqueens.classroom.study import Study

_MOST_SIZES = 1000


def _sizes(text: str) -> list[int]:
    """Parse board sizes written as 4..20, as 8,16,32, or mixed."""
    spans = []
    for piece in options.pieces(text):
        ends = [options.whole_number(end) for end in piece.split("..", 1)]
        if ends[-1] < ends[0]:
            raise click.BadParameter(f"{piece!r} goes down; write {ends[-1]}..{ends[0]}.")
        spans.append((ends[0], ends[-1]))
    sizes = sum(last - first + 1 for first, last in spans)
    if sizes > _MOST_SIZES:
        raise click.BadParameter(f"{text!r} has {sizes:,} sizes; a study has at most {_MOST_SIZES:,}.")
    return [n for first, last in spans for n in range(first, last + 1)]


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
    type=_sizes,
    help="Board sizes, for example 4..20 or 8,16.",
)
@click.option(
    "--rules",
    "--rule",
    metavar="LIST",
    default=",".join(list(STUDY_RULES)[:-1]),
    type=options.rules,
    help=f"Some of {', '.join(STUDY_RULES)}, separated by commas; or all. Default: all but the last.",
)
@options.number(
    "--runs",
    metavar="COUNT",
    default="10000",
    show_default=True,
    help="Number of runs of each rule on each board size.",
)
@options.number(
    "--seed",
    metavar="SEED",
    help="Seed of the first run; the next runs have SEED + 1, SEED + 2, .... Default: a random seed.",
)
@options.number(
    "--sideways-limit",
    metavar="MOVES",
    default="100",
    show_default=True,
    help="How many moves in a row may keep the number of attacking pairs, with sideways and restart-sideways.",
)
@options.number(
    "--restarts", metavar="TIMES", help="How often restart and restart-sideways may restart. Default: no limit."
)
@place_options
@click.option("--histogram", is_flag=True, help="Show a histogram of the steps of each rule.")
@options.file("-o", "--output", help="Write the results: .csv, or .json, which also contains the histograms.")
@options.as_json
@options.quiet
@click.pass_obj
def study(session: Session, /, **parameters: Any) -> None:
    """Run hill climbing many times by different rules; compare how often they solve the board and in how many steps.

    The rules steepest and sideways do not restart. The rules restart and restart-sideways do the same, but restart from
    a new board when they are stuck. All rules start from the same random boards. To see one of the runs, use its seed:
    `fastqueens climb 8 --rule steepest --runs 1 --seed 5 --show`.
    """
    request = SimpleNamespace(**parameters)
    _check_usage(request)
    with progress_and_notes(session.display, quiet=request.quiet):
        result, seconds = _result(session, request)
        session.display.clear()
        if request.output is not None:
            from fastqueens.classroom.study import write_study

            write_study(request.output, result)
    if request.as_json:
        click.echo(json.dumps(result.as_dict()))
    if not request.quiet:
        from fastqueens.cli.studytable import histograms, table

        click.echo(table(result), nl=False, err=request.as_json)
        if request.histogram:
            click.echo(histograms(result), nl=False, err=request.as_json)
        say(f"{counted(result.runs * len(result.rows), 'run')} in {duration(seconds)}.", err=True)
        if request.output is not None:
            say(wrote(request.output), err=True)


def _check_usage(request: SimpleNamespace) -> None:
    """Raise an error if options contradict each other or the file cannot be written."""
    check_one_place(request)
    if request.output is not None:
        from fastqueens.classroom.study import STUDY_SUFFIXES

        options.check_output(request.output, STUDY_SUFFIXES)


def _result(session: Session, request: SimpleNamespace) -> tuple[Study, float]:
    """Return the study, and how many seconds its runs took, without compiling or connecting to a cluster."""
    from fastqueens.classroom.batches import plan_study
    from fastqueens.classroom.study import study
    from fastqueens.jit import clock

    what = {name: getattr(request, name) for name in ("rules", "runs", "sideways_limit", "restarts")}
    # Raises the errors of study() before connecting to a cluster.
    plan_study(request.sizes, **what, seed=request.seed or 0)
    with executor_of(session, request) as executor:
        begun = clock.seconds()
        found = study(
            request.sizes, **what, seed=request.seed, threads=request.threads, executor=executor, **session.callbacks
        )
        return found, clock.seconds() - begun
