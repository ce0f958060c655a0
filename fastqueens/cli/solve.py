"""``fastqueens solve``: place a board or read one, search it, report it and write it."""

from __future__ import annotations

import itertools
import os
import sys
import time
from typing import TYPE_CHECKING, Any

import click

import fastqueens
from fastqueens.cli import inputs
from fastqueens.cli.options import Stated
from fastqueens.cli.output import Output
from fastqueens.cli.process import NO_SOLUTION, NOT_SOLVED, SOLVED
from fastqueens.cli.solve_report import Look, report_lines, seeds_summary, seeds_table
from fastqueens.core.errors import NoSolutionError, NotEnoughMemoryError
from fastqueens.core.instance import Instance
from fastqueens.core.wording import counted
from fastqueens.files.atomic import check_target

if TYPE_CHECKING:
    from fastqueens.solving.result import Result

#: If writing the board takes longer (in seconds), the report tells how long.
_LONG_WRITING = 0.1

#: A plot of more runs over each other is unreadable.
_MOST_PLOTTED = 20


def solve(
    out: Output,
    *,
    n: int | None,
    n_option: int | None,
    file: str | None,
    board: str | None,
    stated: Stated,
    seed: int | None,
    seeds: list[int] | None,
    counting: bool,
    unique: bool,
    all_solutions: str | None,
    limit: int | None,
    output: str | None,
    trace: str | None,
    plot: str | None,
    poster: str | None,
    origin: str,
    **settings: Any,
) -> int:
    """Place N queens; ``settings`` go to :func:`fastqueens.solve`."""
    files = {"-o": output, "--trace": trace, "--plot": plot, "--poster": poster}
    if limit == 0:
        raise click.ClickException("limit is 0: it is at least 1")
    if plot is not None and seeds is not None and len(seeds) > _MOST_PLOTTED:
        raise click.UsageError(
            f"--plot draws at most {_MOST_PLOTTED} runs in one picture, and --seeds has {len(seeds):,}."
        )
    _check_files(files, has_moves=settings["moves"])
    if all_solutions not in (None, "-"):
        from fastqueens.files import samples

        samples.check_suffix(all_solutions)
        check_target(all_solutions)
    n = n_option if n is None else n
    instance, queens = inputs.task_given(out, n, file, board, stated)
    out.check_stop()
    if counting or unique or all_solutions is not None:
        if all_solutions is not None:
            return _write_all(out, instance, all_solutions, limit, stated.rows_from)
        return (_tell_unique if unique else _count)(out, instance, limit, settings["threads"])
    settings |= {"n": instance, "board": queens, "stop": out.is_stopped}
    settings["trace"] = files["--trace"] is not None or files["--plot"] is not None
    try:
        if seeds is not None:
            return _solve_seeds(out, settings, seeds, plot)
        look = Look(origin, file, out.given, settings["method"])
        return _solve_once(out, {**settings, "seed": seed}, files, stated.rows_from, look)
    except NotEnoughMemoryError as error:
        error.add_note("Hint: --force starts anyway.")
        raise


def _check_files(files: dict[str, str | None], *, has_moves: bool) -> None:
    """Raise an error if two files are the same, or one cannot be written."""
    paths = [(option, os.path.realpath(path)) for option, path in files.items() if path is not None]
    for (option, path), (other, other_path) in itertools.combinations(paths, 2):
        if path == other_path:
            raise click.UsageError(f"{option} and {other} name the same file.")
    inputs.check_board_output(files["-o"], has_poster=True)
    if files["--trace"] is not None:
        from fastqueens.files.traces import TRACE_FORMATS, check_keeps_moves

        if has_moves:
            check_keeps_moves(files["--trace"])
        inputs.check_output(files["--trace"], TRACE_FORMATS)
    inputs.check_picture(files["--plot"])
    inputs.check_picture(files["--poster"])


def _solve_once(out: Output, settings: dict[str, Any], files: dict[str, str | None], rows_from: int, look: Look) -> int:
    output, trace, plot, poster = files.values()
    out.has_data_on_stdout |= output == "-"
    is_built_there = output is not None and output.lower().endswith(".npy") and rows_from == 0
    try:
        result = _solved(out, settings, output if is_built_there else None)
    except NoSolutionError as error:
        if out.as_json:
            instance = settings["n"]
            counts = {} if instance.is_free else instance.counts
            spent = {"nodes": error.nodes, "complete_search_seconds": error.seconds}
            out.json({"n": instance.n, "solved": False, "solvable": False, **counts, **spent})
        raise
    if out.as_json:
        out.json(result.as_dict())
    out.say(*report_lines(result, look))
    writing = result.timings.writing
    if not is_built_there:
        begun = time.perf_counter()
        inputs.write_board(out, output, result.queens, rows_from)
        writing = time.perf_counter() - begun
    out.wrote(output, seconds=writing if writing > _LONG_WRITING else None)
    if trace is not None and result.trace is not None:
        from fastqueens.files.traces import Header, write_trace

        out.writing(trace)
        header = Header(result.n, result.seed, result.start)
        write_trace(trace, result.trace, result.restarts, header, result.moves)
        out.wrote(trace)
    if plot is not None:
        from fastqueens.cli.pictures import draw_curves

        draw_curves(out, result, plot)
        out.wrote(plot)
    if poster is not None:
        from fastqueens.cli.pictures import draw_poster

        draw_poster(out, poster, result.queens, result)
        out.wrote(poster)
    return SOLVED if result.solved else NOT_SOLVED


def _solve_seeds(out: Output, settings: dict[str, Any], seeds: list[int], plot: str | None) -> int:
    """Solve once for each seed, print a table or JSON, and plot the runs over each other if ``--plot`` asks for it."""
    figures, curves = [], []
    for done, seed in enumerate(seeds):
        out.progress("seeds", done, len(seeds))
        result = fastqueens.solve(**settings, seed=seed)
        out.check_stop()
        figures.append(result.as_dict())
        if plot is not None:
            from fastqueens.pictures.curves import Run

            curves.append(Run.of(result))
    if out.as_json:
        out.json(figures)
    else:
        out.draw(seeds_table(figures), nl=False)
    out.say(seeds_summary(figures))
    if plot is not None:
        from fastqueens.cli.pictures import draw_curves

        draw_curves(out, curves, plot)
        out.wrote(plot)
    return SOLVED if all(run["solved"] for run in figures) else NOT_SOLVED


def _solved(out: Output, settings: dict[str, Any], path: str | None) -> Result:
    """Solve; with a path, in the ``.npy`` file."""
    if path is not None:
        out.progress("reserving disk space")
    result = fastqueens.solve(**settings, out=path, progress=out.progress)
    out.check_stop()
    return result


def _count(out: Output, instance: Instance, limit: int | None, threads: int | None) -> int:
    found = fastqueens.count_solutions(instance, limit=limit, threads=threads, **out.callbacks)
    # There may be more, unless the limit is above their number.
    least = "At least " if found == limit else ""
    verdict = {"solutions": found} | ({"limit": limit} if limit is not None else {})
    _tell(out, instance, verdict, f"{least}{counted(found, 'solution')} for {_named(instance)}.", str(found))
    return SOLVED if found else NO_SOLUTION


def _tell_unique(out: Output, instance: Instance, _limit: int | None, threads: int | None) -> int:
    found = fastqueens.count_solutions(instance, limit=2, threads=threads, **out.callbacks)
    how_many = ("no", "exactly one", "more than one")[found]
    verdict = {"unique": found == 1, "solvable": found > 0}
    _tell(out, instance, verdict, f"There is {how_many} solution for {_named(instance)}.", how_many)
    return (NO_SOLUTION, SOLVED, NOT_SOLVED)[found]


def _write_all(out: Output, instance: Instance, path: str, limit: int | None, rows_from: int) -> int:
    from fastqueens.files.samples import write_solution_lines, write_solutions

    samples = fastqueens.all_solutions(instance, limit=limit, **out.callbacks)
    if path == "-":
        written = write_solution_lines(sys.stdout.buffer, samples, rows_from=rows_from)
    else:
        written = write_solutions(path, samples, rows_from=rows_from)
    rest = ", and there may be more" if written == limit else ""
    solutions_of = f"{counted(written, 'solution')} for {_named(instance)}{rest}"
    if out.as_json:
        out.json({"n": instance.n, **instance.counts, "solutions": written})
    elif path == "-":
        out.say(f"Wrote {solutions_of}.", err=True)
    else:
        out.wrote(path, solutions_of)
    return SOLVED if written else NO_SOLUTION


def _tell(out: Output, instance: Instance, verdict: dict[str, Any], sentence: str, in_short: str) -> None:
    """Print the outcome as the options ask for it."""
    if out.as_json:
        out.json({"n": instance.n, **instance.counts, **verdict})
    elif out.quiet:
        out.result(in_short)
    else:
        out.say(sentence)


def _named(instance: Instance) -> str:
    return f"n = {instance.n}" + ("" if instance.is_free else f" with {instance.constraints}")
