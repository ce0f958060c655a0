"""Commands for random boards and random solutions: ``random``, ``sample``, ``estimate`` and ``statistics``."""

from __future__ import annotations

import os
from dataclasses import replace

import click

import fastqueens
from fastqueens._run.arguments import new_seed
from fastqueens._run.text import counted, duration
from fastqueens.cli import inputs, options
from fastqueens.cli.options import Values, command, decimal, group, number, option, write
from fastqueens.cli.output import DRAWN_BELOW, MOST_IN_JSON, Output

#: Reasons for a missing autocorrelation time that no warning mentions.
_NOT_MEASURED = {"unknown": "there are too few samples", "constant": "all samples are equal in the measured quantities"}

#: With fewer replicas than this, the report says that the standard error is uncertain.
_FEW = 10

#: On smaller boards, averages over all solutions differ from the limit by more than the errors of 1000 samples.
_NEAR_THE_LIMIT = 50


@command("fastqueens random 8 --seed 1\nfastqueens random 8 -o - | fastqueens solve --file -")
@group("Board", options.n, options.seed, options.rows_from, options.origin)
@group(
    "Output",
    options.output("Write the board to this file (.npy .txt .csv .json), or as text to stdout (-)."),
    options.threads,
    options.quiet,
)
def random(out: Output, board: Values, output: Values) -> None:
    """Create a board of N queens (default: 8) with a random row in each column.

    The rows are independent. `fastqueens solve N --start random` with the same seed starts from the same board. Boards
    with fewer than 33 queens are drawn.
    """
    inputs.check_board_output(output.path)
    n, seed = inputs.n_or_default(board.n), new_seed() if board.seed is None else board.seed
    queens = fastqueens.random_board(n, seed, **out.callbacks)
    inputs.write_board(out, output.path, queens)
    if out.quiet:
        return
    pairs = fastqueens.attacking_pairs(queens, threads=output.threads, **out.callbacks)
    out.has_data_on_stdout = output.path == "-"
    if n < DRAWN_BELOW and output.path != "-":
        out.say(f"\n{out.drawing(queens, None, 'Write it to a file with -o FILE.')}\n")
    out.say(f"{counted(n, 'queen')} on random rows, seed {seed}: {counted(pairs, 'attacking pair')}.")
    out.wrote(output.path)


@command("fastqueens sample 8 --count 5\nfastqueens sample 1000 --count 200 -o samples.npz")
@group("Board", options.n, options.rows_from)
@options.constraints
@group(
    "Sampling",
    number("--count COUNT", "Number of solutions to draw.", default="1"),
    options.seed,
    number(
        "--thinning COUNT",
        "Keep one of this many visited solutions, so that samples are nearly independent. Default: 16, and more for N "
        "above 262,144.",
    ),
)
@group("Work", options.time_limit_of_command, options.threads, options.scheduler)
@group(
    "Output",
    options.output(
        "Write the boards to this file (.npz with details of the run, or .txt). Default: a line per board on stdout."
    ),
    options.as_json,
    options.quiet,
)
def sample(out: Output, board: Values, constraints: Values, sampling: Values, work: Values, output: Values) -> None:
    """Draw random solutions for N queens (default: 8), each of them nearly equally likely.

    Independent Markov chains walk from solution to solution, and the command discards the first part of each walk. The
    report estimates how many independent samples carry the same information. To draw one large solution,
    `fastqueens solve N --mix` is faster.
    """
    from fastqueens.files.samples import SAMPLE_FORMATS, write_samples, write_solution_lines
    from fastqueens.sampling.samples import check_sample, draw_samples

    path = output.path
    is_on_stdout = path in (None, "-")
    out.has_data_on_stdout |= is_on_stdout
    inputs.check_output(None if is_on_stdout else path, SAMPLE_FORMATS)
    instance, _ = inputs.task_given(out, board, constraints)
    out.limit(work.time_limit)
    plan = check_sample(instance, **vars(sampling))  # before connecting to a cluster
    how = {"threads": work.threads, "time_limit": work.time_limit, **out.callbacks}
    with inputs.executor_of(out, work.scheduler) as executor, out.keeping():
        samples = draw_samples(plan, executor=executor, **how)
        out.is_partial = samples.count < samples.asked
    figures = {**samples.as_dict(), "rows_from": out.rows_from}
    if not is_on_stdout:
        out.writing(path)
        write_samples(path, samples.boards, figures, rows_from=out.rows_from)
    elif not out.as_json:
        with out.data() as file:
            write_solution_lines(file, samples.boards, rows_from=out.rows_from)
    if out.as_json and is_on_stdout and samples.n <= MOST_IN_JSON:
        out.json_list(samples.boards + out.rows_from, lambda _: figures)
    elif out.as_json:
        out.json({"boards": None, **figures})
    out.say(*_report_of_samples(samples))
    if samples.warning is not None:
        out.warn(samples.warning)
    out.wrote(path)
    out.say_partial(f"{samples.count:,} of {counted(sampling.count, 'sample')}")


def _report_of_samples(samples: fastqueens.Samples) -> list[str]:
    """Return the sentences about samples."""
    named = f"n = {samples.n:,}" + ("" if samples.instance.is_free else f" with {samples.instance.constraints}")
    lines = [
        f"Drew {counted(samples.count, 'solution')} of {named} in {duration(samples.seconds)}: "
        f"{counted(samples.chains, 'chain')}, thinning {samples.thinning:,}, seed {samples.seed}."
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


@command("fastqueens estimate 27 --time-limit 5\nfastqueens estimate 1000 --error 0.1 --json")
@group("Board", options.n, options.rows_from)
@options.constraints
@group(
    "Budget",
    number("--seed SEED", "Seed of the random numbers. With --replicas it repeats an estimate. Default: random."),
    number("--replicas COUNT", "Number of independent runs, at least 4. The default depends on N."),
    options.time_limit("Stop after this many seconds. Without --replicas, make as many runs as this time allows."),
    decimal("--error ERROR", "Stop when the standard error of ln Q is at most ERROR."),
)
@group("Work", options.threads, options.scheduler)
@group("Output", options.as_json, options.quiet)
def estimate(out: Output, board: Values, constraints: Values, budget: Values, work: Values) -> None:
    """Estimate the number Q of solutions for N queens (default: 8) or of an instance, with a standard error.

    The estimate is an average over replicas, which are independent runs of Markov chains. The standard error is
    computed from the differences between the replicas. --quiet prints only ln Q and its standard error.
    """
    from fastqueens.sampling.estimates import check_estimate, make_estimate

    instance, _ = inputs.task_given(out, board, constraints)
    out.limit(budget.time_limit)
    plan = check_estimate(instance, **vars(budget))  # before connecting to a cluster
    with inputs.executor_of(out, work.scheduler) as executor, out.keeping():
        found = make_estimate(plan, threads=work.threads, executor=executor, **out.callbacks)
        out.is_partial = out.is_stopped() or 0 < found.replicas < (budget.replicas or 0)
    if out.as_json:
        out.json(found.as_dict())
    elif out.quiet:
        out.result(f"{found.log_count!r} {found.standard_error!r}")
    q = f"Q({found.n:,})" if found.instance.is_free else "Q"
    out.say(*_report_of_estimate(found, q))
    if budget.error is not None and found.standard_error > budget.error:
        out.warn(f"the standard error of ln {q} is still above {budget.error:g}")
    out.say_partial(f"the estimate so far, from {counted(found.replicas, 'replica')}")


def _report_of_estimate(found: fastqueens.CountEstimate, q: str) -> list[str]:
    """Return the sentences about an estimate of ``q``."""
    from fastqueens.sampling.estimates import with_error

    n = f"{found.n:,}"
    lines = [f"{q} = {found.decimal}, ln {q} = {with_error(found.log_count, found.standard_error)}."]
    if not found.instance.is_free:
        lines.append(f"Q is the number of solutions of n = {n} with {found.instance.constraints}.")
    if found.exact is not None and found.deviation is not None:
        side = "above" if found.deviation > 0 else "below"
        lines.append(
            f"The exact number is {found.exact:,}. The estimate is {abs(found.deviation):.1f} standard errors {side} "
            "it."
        )
    if found.replicas:
        if found.instance.is_free:
            gamma = with_error(found.gamma, found.gamma_error)
            lines.append(f"gamma = ln {n} - ln Q({n}) / {n} = {gamma}. Its limit for large n is 1.94400.")
        lines.append(
            f"{counted(found.replicas, 'replica')}, seed {found.seed}, {counted(found.hops, 'hop')} made, "
            f"{found.acceptance:.1%} of all attempts, {duration(found.seconds)}."
        )
    if 0 < found.replicas < _FEW:
        lines.append(f"The standard error is itself uncertain because there are only {found.replicas} replicas.")
    return lines


@command(
    "fastqueens statistics board.npy --plot density.png\nfastqueens sample 100 --count 50 -q | fastqueens statistics -"
)
@click.argument("file", type=options.INPUT)
@group(
    "Figures",
    number("-k CELLS", "Divide each side of the board into this many cells. Default: 32, or N on smaller boards."),
    option("--symmetrise", "Average over the eight symmetries of the square.", name="symmetrised"),
    number(
        "--reach DISTANCE",
        "Count pairs of queens up to this many rows and columns apart. Default: 8, or N - 1 on smaller boards.",
    ),
    options.rows_from,
)
@group(
    "Output",
    options.output("Write all numbers to this file (.npz .csv)."),
    write("--plot FILE", "Draw the statistics in this file (.png .pdf .svg .jpg .webp)."),
    options.theme,
    options.as_json,
    options.quiet,
)
def statistics(out: Output, file: str, figures: Values, output: Values) -> None:
    """Compare the density of queens with the limit shape, the density of random solutions on large boards.

    FILE (- for stdin) holds one board or several, written by `fastqueens sample` or by other programs. The boards can
    be solutions or not.

    The command prints the density at the corners, at the middles of the edges and in the centre, and the share of the
    longest diagonals that have a queen. If queens are spread as in random solutions, chi-square per cell is about 1 or
    slightly less; otherwise it is larger. On small boards, even random solutions differ from the limit shape.
    """
    from fastqueens.sampling.board_statistics import STATISTICS_FORMATS

    inputs.check_output(output.path, STATISTICS_FORMATS)
    if output.path is not None and os.path.realpath(output.path) == os.path.realpath(file):
        raise click.UsageError(f"-o must not name the file of the boards, {output.path}")
    inputs.check_picture(output.plot)
    read = inputs.read_boards(out, file)
    found = fastqueens.statistics(read.queens, **vars(figures), **out.callbacks)
    found = replace(found, constraints=read.constraints)
    if output.path is not None:
        out.writing(output.path)
        found.write(output.path)
    if output.plot is not None:
        out.draw(lambda: found.plot(theme=output.theme), output.plot)
    if out.as_json:
        out.json(found.as_dict())
    out.say(_report_of_statistics(found, out.width))
    out.wrote(output.path)
    out.wrote(output.plot)


def _report_of_statistics(found: fastqueens.Statistics, width: int | None) -> str:
    """Return the figures as a table, followed by sentences that explain them."""
    from fastqueens._run.tables import Table

    several = "" if found.count == 1 else f"{counted(found.count, 'board')} of "
    k, symmetrised = found.k, ", averaged over the symmetries of the square" if found.symmetrised else ""
    rows = [
        ("density at the corners", found.corner),
        ("density at the middles of the edges", found.edge_middle),
        ("density in the centre", found.centre),
        ("share of longest diagonals with a queen", found.longest_diagonals),
    ]
    columns = 2 if found.constraints else 3
    cells = [[name, f"{value.value:.4f} ± {value.error:.4f}", f"{value.limit:.4f}"][:columns] for name, value in rows]
    table = Table([("place", "measured", "limit shape")[:columns]], {"": cells}).text(width)
    begin = (
        f"{several}{counted(found.n, 'queen')} in {k:,} x {counted(k, 'cell')}{symmetrised}.\n\n{table}\n\n"
        "A density of 1 is the average: one queen per n squares.\n"
    )
    if found.constraints:
        return (
            f"{begin}The boards have {found.constraints}.\n"
            "The limit shape is that of boards without constraints, so there is no comparison."
        )
    end = f"\nEven random solutions of {counted(found.n, 'queen')} differ from the limit shape."
    return (
        f"{begin}Chi-square per cell, compared with the limit shape: {found.chi_square_per_cell:.3f}.\n"
        f"Random permutations have about {found.degrees_of_freedom / found.cells:.2f}."
        f"{end if found.n < _NEAR_THE_LIMIT else ''}"
    )
