"""``fastqueens estimate``: how many solutions there are for n queens, with a standard error."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import boards, options
from fastqueens.cli.notes import progress_and_notes
from fastqueens.cli.places import check_one_place, executor_of, place_options
from fastqueens.cli.session import Session
from fastqueens.cli.wording import duration, say
from fastqueens.core.wording import counted

if TYPE_CHECKING:
    from fastqueens.sampling.estimated_count import CountEstimate

#: With fewer replicas, the report says that their standard error is uncertain.
_FEW = 10


@click.command(
    cls=boards.CommandOfN,
    short_help="Estimate how many solutions there are.",
    epilog="""\b
Examples:
  fastqueens estimate 27 --seconds 5
  fastqueens estimate 1000 --error 0.1 --json
""",
)
@boards.n_argument
@options.number("--seed", metavar="SEED", help="Seed; with --replicas it repeats an estimate. Default: a random seed.")
@options.number(
    "--replicas",
    metavar="COUNT",
    help="Number of independent runs, at least 4. Default: a number that depends on N only.",
)
@options.decimal(
    "--seconds",
    metavar="SECONDS",
    help="Begin no further run if it would end after that time. At least 4 are made, which may take longer.",
)
@options.decimal("--error", metavar="ERROR", help="Stop at this standard error of ln Q(N).")
@place_options
@options.as_json
@options.quiet
@click.pass_obj
def estimate(session: Session, /, **parameters: Any) -> None:
    """Estimate the number Q(N) of solutions for N queens (default: 8 queens).

    The standard error follows from how much independent runs of a Markov chain, the replicas, differ. --quiet prints
    only ln Q(N) and its standard error.
    """
    request = SimpleNamespace(**parameters)
    check_one_place(request)
    with progress_and_notes(session.display, quiet=request.quiet):
        found = _estimate(session, request)
        session.display.clear()
    if request.as_json:
        click.echo(json.dumps(found.as_dict()))
    elif request.quiet:
        click.echo(f"{found.log_count!r} {found.standard_error!r}")
    if not request.quiet:
        for line in _report(found, request):
            say(line, err=request.as_json)


def _estimate(session: Session, request: SimpleNamespace) -> CountEstimate:
    from fastqueens.sampling.estimate import check_estimate, estimate

    n = boards.DEFAULT_N if request.n is None else request.n
    what = {name: getattr(request, name) for name in ("seed", "replicas", "seconds", "error")}
    # Raises the errors of estimate() before connecting to a cluster.
    check_estimate(n, **what)
    with executor_of(session, request) as executor:
        return estimate(n, **what, threads=request.threads, executor=executor, **session.callbacks)


def _report(found: CountEstimate, request: SimpleNamespace) -> list[str]:
    """Return the sentences about an estimate."""
    from fastqueens.sampling.estimate import LEAST_REPLICAS
    from fastqueens.sampling.estimated_count import with_error

    n = f"{found.n:,}"
    lines = [f"Q({n}) = {found.decimal}, ln Q({n}) = {with_error(found.log_count, found.standard_error)}."]
    if found.exact is not None and found.deviation is not None:
        side = "above" if found.deviation > 0 else "below"
        lines.append(
            f"The exact number is {found.exact:,}: the estimate is {abs(found.deviation):.1f} standard errors {side} "
            "it."
        )
    if found.replicas:
        gamma = with_error(found.gamma, found.gamma_error)
        lines.append(f"gamma = ln {n} - ln Q({n}) / {n} = {gamma}, and 1.94400 in the limit of large n.")
        lines.append(
            f"{found.method.capitalize()}: {counted(found.replicas, 'replica')}, seed {found.seed}, "
            f"{counted(found.proposals, 'measured proposal')}, {found.acceptance:.1%} accepted, "
            f"{duration(found.seconds)}."
        )
    if 0 < found.replicas < _FEW:
        lines.append(f"With {found.replicas} replicas, the standard error is itself uncertain.")
    if request.seconds is not None and found.replicas == LEAST_REPLICAS and found.seconds > request.seconds:
        lines.append(f"{LEAST_REPLICAS} replicas, the fewest possible, took longer than {request.seconds:g} s.")
    if request.error is not None and found.standard_error > request.error:
        lines.append(
            f"{click.style('Warning', fg='yellow')}: the standard error of ln Q({n}) is still above {request.error:g}."
        )
    return lines
