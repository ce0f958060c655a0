"""``fastqueens sample``: nearly uniformly random solutions."""

from __future__ import annotations

import json
import sys
import warnings
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import boards, instances, options
from fastqueens.cli.notes import progress_and_notes
from fastqueens.cli.places import check_one_place, executor_of, place_options
from fastqueens.cli.session import Session
from fastqueens.cli.wording import duration, file_label, say, wrote
from fastqueens.core.wording import counted

if TYPE_CHECKING:
    from fastqueens.sampling.samples import Samples

#: Why there is no autocorrelation time; otherwise the warning says it.
_NOT_MEASURED = {"unknown": "there are too few samples", "constant": "the samples are all alike"}


@click.command(
    cls=boards.CommandOfN,
    short_help="Draw solutions nearly uniformly at random.",
    epilog="\b\nExamples:\n  fastqueens sample 8 --count 5\n  fastqueens sample 1000 --count 200 -o samples.npz",
)
@boards.n_argument
@options.number("--count", metavar="COUNT", default="1", show_default=True, help="How many solutions to draw.")
@options.number("--seed", metavar="SEED", help="Seed; the same seed repeats the run. Default: a random seed.")
@options.number(
    "--thinning",
    metavar="PROPOSALS",
    help="Proposals from one sample of a chain to the next. Default: 300 for each column without a fixed queen, "
    "and fewer for less than 34 such columns.",
)
@instances.instance_options
@options.file(
    "-o",
    "--output",
    help="Write the boards: .npz, with the figures of the run, or .txt, with a line of rows for each. Default: such "
    "lines on stdout.",
)
@options.rows_from
@place_options
@options.as_json
@options.quiet
@click.pass_obj
def sample(session: Session, /, **parameters: Any) -> None:
    """Draw solutions of N queens nearly uniformly at random (default: 8 queens).

    Independent Markov chains swap rows until they have forgotten where they began. The report tells how near the
    samples are to independent ones. To draw one large board, `fastqueens solve N --mix` is quicker.
    """
    request = SimpleNamespace(**parameters)
    _check_usage(request)
    with progress_and_notes(session.display, quiet=request.quiet):
        samples = _samples(session, request)
        session.display.clear()
        _write(session, samples, request)
    if request.as_json:
        click.echo(json.dumps(samples.as_dict()))
    if not request.quiet:
        is_on_stderr = request.as_json or request.output in (None, "-")
        for line in _report(samples, request):
            say(line, err=is_on_stderr)


def _check_usage(request: SimpleNamespace) -> None:
    """Raise an error if options contradict each other or the file cannot be written."""
    check_one_place(request)
    instances.check_instance_options(request, {})
    if request.output in (None, "-"):
        if sys.stdout is None:
            raise click.UsageError("stdout is closed: name a file with -o.")
        if request.output == "-" and request.as_json:
            raise click.UsageError("-o - and --json both write to stdout: give one of them.")
    else:
        from fastqueens.files.samples import SUFFIXES

        options.check_output(request.output, SUFFIXES)


def _samples(session: Session, request: SimpleNamespace) -> Samples:
    from fastqueens.core.instance import as_instance
    from fastqueens.sampling.samples import check_sample, sample

    n = boards.DEFAULT_N if request.n is None and request.instance is None else request.n
    instance = instances.instance_of(session, n, request)
    what = as_instance(n if instance is None else instance)
    # Raises the errors of sample() before connecting to a cluster.
    check_sample(what, request.count, seed=request.seed, thinning=request.thinning)
    with executor_of(session, request) as executor, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the report contains the warning
        return sample(
            what,
            request.count,
            seed=request.seed,
            thinning=request.thinning,
            threads=request.threads,
            executor=executor,
            **session.callbacks,
        )


def _write(session: Session, samples: Samples, request: SimpleNamespace) -> None:
    if request.output in (None, "-"):
        if not request.as_json:
            from fastqueens.files.samples import write_solution_lines

            write_solution_lines(sys.stdout.buffer, samples.boards, rows_from=request.rows_from)
            sys.stdout.flush()
        return
    from fastqueens.files.samples import write_samples

    session.display.report(f"writing {file_label(request.output)}")
    write_samples(request.output, samples.boards, samples.as_dict(), rows_from=request.rows_from)
    session.display.clear()


def _report(samples: Samples, request: SimpleNamespace) -> list[str]:
    """Return the sentences about samples."""
    named = f"n = {samples.n:,}" + ("" if samples.instance.is_free else f" with {samples.instance.constraints}")
    lines = [
        f"Drew {counted(samples.count, 'solution')} of {named} in {duration(samples.seconds)}: "
        f"{counted(samples.chains, 'chain')}, thinning {samples.thinning:,}, seed {samples.seed}.",
    ]
    if samples.proposals:
        lines.append(
            f"{counted(samples.proposals, 'proposal')}, {samples.share_of_solutions:.1%} of them made from solutions; "
            f"{samples.acceptance:.2%} accepted."
        )
    if samples.autocorrelation_time is not None and samples.effective_sample_size is not None:
        lines.append(
            f"Autocorrelation time {samples.autocorrelation_time:,.0f} proposals from solutions: the samples are worth "
            f"as much as {counted(round(samples.effective_sample_size), 'independent one')}."
        )
    elif samples.count > 1 and samples.proposals and samples.correlation in _NOT_MEASURED:
        lines.append(f"The autocorrelation time is not known: {_NOT_MEASURED[samples.correlation]}.")
    if samples.warning is not None:
        lines.append(f"{click.style('Warning', fg='yellow')}: {samples.warning}.")
    if request.output not in (None, "-"):
        lines.append(wrote(request.output))
    return lines
