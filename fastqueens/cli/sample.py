"""The command ``sample``: random solutions."""

from __future__ import annotations

import warnings
from typing import Any

import fastqueens
from fastqueens._run.text import counted, duration
from fastqueens.cli import inputs, options
from fastqueens.cli.options import ConstraintOptions, Group, Report, Size, TimedWork, command, option, output
from fastqueens.cli.session import MOST_IN_JSON, Session

#: Reasons for a missing autocorrelation time that no warning mentions.
_NOT_MEASURED = {"unknown": "there are too few samples", "constant": "all samples are equal in the measured quantities"}


class _Sampling(Group):
    count: int = option("--count COUNT", "Number of solutions to draw.", default="1")
    seed: int | None = options.seed
    thinning: int | None = option(
        "--thinning COUNT",
        "Keep one of this many visited solutions, so that samples are nearly independent. Default: 16, and more for N "
        "above 262,144.",
    )


class _Output(Report):
    path: str | None = output(
        "Write the boards to this file (.npz with details of the run, or .txt). Default: a line per board on stdout."
    )


@command("fastqueens sample 8 --count 5\nfastqueens sample 1000 --count 200 -o samples.npz")
def sample(
    session: Session, board: Size, constraints: ConstraintOptions, sampling: _Sampling, work: TimedWork, output: _Output
) -> None:
    """Draw random solutions for N queens (default: 8), each of them nearly equally likely.

    Independent Markov chains walk from solution to solution, and the command discards the first part of each walk. The
    report estimates how many independent samples carry the same information. To draw one large solution,
    `fastqueens solve N --mix` is faster.
    """
    from fastqueens.files.samples import write_samples, write_solution_lines

    path = None if output.path == "-" else output.path
    session.has_data_on_stdout |= path is None
    instance = inputs.instance_given(session, board.n, constraints)
    session.limit(work.time_limit)
    how: dict[str, Any] = {**sampling.values, "threads": work.threads, "time_limit": work.time_limit}
    with inputs.executor_of(session, work.scheduler) as executor, session.keeping():
        with warnings.catch_warnings(action="ignore"):  # the warning is printed after the report
            samples = fastqueens.sample(instance, **how, executor=executor, **session.callbacks)
        session.is_partial = samples.count < samples.asked
    figures = {**samples.as_dict(), "rows_from": session.rows_from}
    if path is not None:
        session.writing(path)
        write_samples(path, samples.boards, figures, rows_from=session.rows_from)
    elif not session.as_json:
        with session.data() as file:
            write_solution_lines(file, samples.boards, rows_from=session.rows_from)
    if session.as_json and path is None and samples.n <= MOST_IN_JSON:
        session.json_list(samples.boards, lambda _: figures)
    elif session.as_json:
        session.json({"boards": None, **figures})
    session.say(*_report_of_samples(samples))
    if samples.warning is not None:
        session.warn(samples.warning)
    session.wrote(path)
    session.say_partial(f"{samples.count:,} of {counted(sampling.count, 'sample')}")


def _report_of_samples(samples: fastqueens.Samples) -> list[str]:
    """Return the sentences about samples."""
    lines = [
        f"Drew {counted(samples.count, 'solution')} of {samples.instance.in_words} in "
        f"{duration(samples.seconds)}: {counted(samples.chains, 'chain')}, thinning {samples.thinning:,}, seed "
        f"{samples.seed}."
    ]
    if samples.hops:
        lines.append(f"{counted(samples.hops, 'hop')} made, {samples.acceptance:.1%} of all attempts.")
    if samples.autocorrelation_time is not None and samples.effective_sample_size is not None:
        lines.append(
            f"Autocorrelation time: {samples.autocorrelation_time:,.1f} visited solutions. Effective sample size: "
            f"{counted(round(samples.effective_sample_size), 'independent sample')}."
        )
    elif samples.count > 1 and samples.hops and samples.correlation in _NOT_MEASURED:
        lines.append(f"The autocorrelation time is unknown because {_NOT_MEASURED[samples.correlation]}.")
    return lines
