"""The commands about random solutions: ``sample`` draws, ``estimate`` counts, ``statistics`` compares them."""

from __future__ import annotations

import os
from typing import Any

import click

import fastqueens
from fastqueens._run.tables import Table
from fastqueens._run.text import counted, duration
from fastqueens.cli import inputs
from fastqueens.cli.options import Stated
from fastqueens.cli.output import MOST_IN_JSON, Output
from fastqueens.files import samples as sample_files
from fastqueens.pictures.saving import save_picture
from fastqueens.sampling.estimates import LEAST_REPLICAS, check_estimate, make_estimate, with_error
from fastqueens.sampling.samples import check_sample, draw_samples

#: Why there is no autocorrelation time; otherwise the warning says it.
_NOT_MEASURED = {"unknown": "there are too few samples", "constant": "the samples are all alike"}

#: With fewer replicas, the report says that their standard error is uncertain.
_FEW = 10

#: Averages over all solutions of smaller boards differ from the limit by more than the errors of 1000 samples.
_NEAR_THE_LIMIT = 50


def sample(
    out: Output,
    *,
    n: int | None,
    stated: Stated,
    output: str | None,
    threads: int | None,
    scheduler: str | None,
    time_limit: float | None,
    **what: Any,
) -> None:
    """Draw solutions; ``what`` goes to :func:`fastqueens.sample`."""
    is_on_stdout = output in (None, "-")
    out.has_data_on_stdout |= is_on_stdout
    inputs.check_output(None if is_on_stdout else output, sample_files.SAMPLE_FORMATS)
    instance, _ = inputs.task_given(out, n, None, None, stated)
    plan = check_sample(instance, **what)  # before connecting to a cluster
    out.limit(time_limit)
    with inputs.executor_of(out, scheduler) as executor, out.keeping():
        try:
            samples = draw_samples(plan, threads=threads, executor=executor, **out.callbacks)
        except fastqueens.Stopped as stopped:
            samples = out.part(stopped)
    if output is not None and output != "-":
        out.writing(output)
        sample_files.write_samples(output, samples.boards, samples.as_dict(), rows_from=stated.rows_from)
    elif not out.as_json:
        with out.data() as file:
            sample_files.write_solution_lines(file, samples.boards, rows_from=stated.rows_from)
    if out.as_json and is_on_stdout and samples.n <= MOST_IN_JSON:
        out.json_list(samples.boards + stated.rows_from, lambda _: samples.as_dict())
    elif out.as_json:
        out.json({"boards": None, **samples.as_dict()})
    out.say(*_report_of_samples(samples))
    if samples.warning is not None:
        out.warn(samples.warning)
    out.wrote(output)
    out.say_partial(f"{samples.count:,} of {counted(plan.count, 'sample')}")


def _report_of_samples(samples: fastqueens.Samples) -> list[str]:
    """Return the sentences about samples."""
    named = f"n = {samples.n:,}" + ("" if samples.instance.is_free else f" with {samples.instance.constraints}")
    lines = [
        f"Drew {counted(samples.count, 'solution')} of {named} in {duration(samples.seconds)}: "
        f"{counted(samples.chains, 'chain')}, thinning {samples.thinning:,}, seed {samples.seed}."
    ]
    if samples.hops:
        lines.append(f"{counted(samples.hops, 'hop')} made, {samples.acceptance:.1%} of those that were tried.")
    if samples.autocorrelation_time is not None and samples.effective_sample_size is not None:
        lines.append(
            f"Autocorrelation time {samples.autocorrelation_time:,.1f} visited solutions: the samples are worth as "
            f"much as {counted(round(samples.effective_sample_size), 'independent one')}."
        )
    elif samples.count > 1 and samples.hops and samples.correlation in _NOT_MEASURED:
        lines.append(f"The autocorrelation time is not known: {_NOT_MEASURED[samples.correlation]}.")
    return lines


def estimate(
    out: Output, *, n: int | None, stated: Stated, threads: int | None, scheduler: str | None, **budget: Any
) -> None:
    """Estimate how many solutions there are; ``budget`` goes to :func:`fastqueens.estimate`."""
    instance, _ = inputs.task_given(out, n, None, None, stated)
    plan = check_estimate(instance, **budget)  # before connecting to a cluster
    with inputs.executor_of(out, scheduler) as executor, out.keeping():
        found = make_estimate(plan, threads=threads, executor=executor, **out.callbacks)
        out.is_partial = out.is_stopped()
    if out.as_json:
        out.json(found.as_dict())
    elif out.quiet:
        out.result(f"{found.log_count!r} {found.standard_error!r}")
    q = f"Q({found.n:,})" if found.instance.is_free else "Q"
    out.say(*_report_of_estimate(found, q, budget["seconds"]))
    error = budget["error"]
    if error is not None and found.standard_error > error:
        out.warn(f"the standard error of ln {q} is still above {error:g}")
    out.say_partial(f"the estimate so far, from {counted(found.replicas, 'replica')}")


def _report_of_estimate(found: fastqueens.CountEstimate, q: str, seconds: float | None) -> list[str]:
    """Return the sentences about an estimate of ``q``."""
    n = f"{found.n:,}"
    lines = [f"{q} = {found.decimal}, ln {q} = {with_error(found.log_count, found.standard_error)}."]
    if not found.instance.is_free:
        lines.append(f"Q is the number of solutions of n = {n} with {found.instance.constraints}.")
    if found.exact is not None and found.deviation is not None:
        side = "above" if found.deviation > 0 else "below"
        lines.append(
            f"The exact number is {found.exact:,}: the estimate is {abs(found.deviation):.1f} standard errors {side} "
            "it."
        )
    if found.replicas:
        if found.instance.is_free:
            gamma = with_error(found.gamma, found.gamma_error)
            lines.append(f"gamma = ln {n} - ln Q({n}) / {n} = {gamma}, and 1.94400 in the limit of large n.")
        lines.append(
            f"{counted(found.replicas, 'replica')}, seed {found.seed}, {counted(found.hops, 'hop')} made, "
            f"{found.acceptance:.1%} of those that were tried, {duration(found.seconds)}."
        )
    if 0 < found.replicas < _FEW:
        lines.append(f"With {found.replicas} replicas, the standard error is itself uncertain.")
    if seconds is not None and found.replicas == LEAST_REPLICAS and found.seconds > seconds:
        lines.append(f"{LEAST_REPLICAS} replicas, the fewest possible, took longer than {seconds:g} s.")
    return lines


def statistics(
    out: Output,
    *,
    file: str,
    cells: int | None,
    symmetrise: bool,
    reach: int | None,
    output: str | None,
    plot: str | None,
    theme: str,
    rows_from: int,
) -> None:
    """Compare how queens are spread with the limit shape."""
    from fastqueens.sampling.board_statistics import (
        STATISTICS_FORMATS,  # here, since samples and estimates do not need it
    )

    inputs.check_output(output, STATISTICS_FORMATS)
    if output is not None and os.path.realpath(output) == os.path.realpath(file):
        raise click.UsageError(f"{output} is the file with the boards: write to another one.")
    inputs.check_picture(plot)
    boards, _ = inputs.boards_given(out, file, None, rows_from)
    found = fastqueens.statistics(boards, k=cells, symmetrised=symmetrise, reach=reach, **out.callbacks)
    if output is not None:
        out.writing(output)
        found.write(output)
    if plot is not None:
        out.progress("drawing")
        picture = found.plot(theme=theme)
        out.writing(plot)
        save_picture(picture, plot)
    if out.as_json:
        out.json(found.as_dict())
    out.say(_report_of_statistics(found, out.width))
    out.wrote(output)
    out.wrote(plot)


def _report_of_statistics(found: fastqueens.Statistics, width: int | None) -> str:
    """Return the figures as a table, and sentences about what they are compared with."""
    several = "" if found.count == 1 else f"{counted(found.count, 'board')} of "
    k, symmetrised = found.k, ", averaged over the symmetries of the square" if found.symmetrised else ""
    rows = [
        ("density at the corners", found.corner),
        ("density at the middles of the edges", found.edge_middle),
        ("density in the centre", found.centre),
        ("share of longest diagonals with a queen", found.longest_diagonals),
    ]
    cells = [[name, f"{value.value:.4f} ± {value.error:.4f}", f"{value.limit:.4f}"] for name, value in rows]
    table = Table([("place", "measured", "limit shape")], {"": cells}).text(width)
    end = f"\nRandom solutions of {counted(found.n, 'queen')} themselves differ from the limit shape."
    return (
        f"{several}{counted(found.n, 'queen')} in {k:,} x {counted(k, 'cell')}{symmetrised}.\n\n{table}\n\n"
        "A density of 1 is the even share: one queen in n squares.\n"
        f"Chi-square per cell, compared with the limit shape: {found.chi_square_per_cell:.3f}.\n"
        f"Independent queens, one in each row and column, have about {found.degrees_of_freedom / found.cells:.2f}."
        f"{end if found.n < _NEAR_THE_LIMIT else ''}"
    )
