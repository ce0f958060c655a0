"""``fastqueens solve``: place a board or read one, search it, report it and write it."""

from __future__ import annotations

import itertools
import os
from collections import deque
from collections.abc import Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

import click

import fastqueens
from fastqueens._run.text import counted, duration, listed
from fastqueens.cli import inputs
from fastqueens.cli.inputs import DRAWN_BELOW
from fastqueens.cli.options import Stated
from fastqueens.cli.output import Output, drawing, file_label, in_json, with_legend
from fastqueens.cli.process import NO_SOLUTION, NOT_SOLVED, SOLVED
from fastqueens.errors import NoSolutionError, NotEnoughMemoryError, Stopped

if TYPE_CHECKING:
    from fastqueens._run.tables import Table

#: A plot of more runs over each other is unreadable.
_MOST_PLOTTED = 20

#: An allocation that takes longer (in seconds) gets its own sentence.
_LONG_ALLOCATION = 0.01

#: What ``--seeds`` tells of each run besides its time.
_COUNTS = ("initial_pairs", "steps", "restarts")


class Look(NamedTuple):
    """What the report depends on in addition to the result: options, and the names of those that were given."""

    draws: bool
    origin: str
    file: str | None
    given: frozenset[str]
    method: str
    scale: str | None


def solve(
    out: Output,
    *,
    n: int | None,
    file: str | None,
    board: str | None,
    stated: Stated,
    instances: str | None,
    seed: int | None,
    seeds: list[int] | None,
    counting: bool,
    unique: bool,
    all_solutions: str | None,
    limit: int | None,
    fundamental: bool,
    output: str | None,
    trace: str | None,
    plot: str | None,
    scale: str | None,
    poster: str | None,
    origin: str,
    scheduler: str | None,
    checkpoint: str | None,
    **settings: Any,
) -> int:
    """Place N queens; ``settings`` go to :func:`fastqueens.solve`."""
    out.limit(settings["time_limit"])
    if instances is not None:
        from fastqueens.cli.instances import solve_batch

        return solve_batch(out, instances, output, seed, scheduler, settings)
    files = {"-o": output, "--trace": trace, "--plot": plot, "--poster": poster}
    if limit == 0:
        raise click.ClickException("limit is 0: it is at least 1")
    if plot is not None and seeds is not None and len(seeds) > _MOST_PLOTTED:
        raise click.UsageError(
            f"--plot draws at most {_MOST_PLOTTED} runs in one picture, and --seeds has {len(seeds):,}."
        )
    _check_files(files, has_moves=settings["moves"])
    if all_solutions not in (None, "-"):
        from fastqueens.files.samples import SOLUTION_FORMATS

        inputs.check_output(all_solutions, SOLUTION_FORMATS)
    if checkpoint is not None:
        from fastqueens.files.text import checked_suffix

        checked_suffix(checkpoint, (".jsonl",))
    instance, queens = inputs.task_given(out, n, file, board, stated)
    if all_solutions is not None:
        wanted = {"limit": limit, "fundamental": fundamental}
        return _write_all(out, instance, all_solutions, wanted, stated.rows_from)
    try:
        with inputs.executor_of(out, scheduler) as executor:
            where = {"threads": settings["threads"], "executor": executor, "checkpoint": checkpoint}
            if counting or unique:
                wanted = {"limit": 2 if unique else limit, "fundamental": fundamental, **where}
                return _count(out, instance, wanted, is_only_one_asked_for=unique)
            settings |= {"n": instance, "board": queens, "stop": out.is_stopped, **where}
            settings["trace"] = files["--trace"] is not None or files["--plot"] is not None
            if seeds is not None:
                return _solve_seeds(out, settings, seeds, plot, scale, stated.rows_from)
            look = Look(output != "-", origin, file, out.given, settings["method"], scale)
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
    inputs.check_board_output(files["-o"])
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
    if is_built_there:
        out.progress("reserving disk space")
    try:
        with out.keeping() if settings["mix"] else nullcontext():
            result = fastqueens.solve(**settings, out=output if is_built_there else None, progress=out.progress)
            out.is_partial = result.solved and result.sweeps < (settings["mix"] or 0)
    except NoSolutionError as error:
        if out.as_json:
            instance = settings["n"]
            counts = {} if instance.is_free else instance.counts
            spent = {"nodes": error.nodes, "complete_search_seconds": error.seconds}
            out.json({"n": instance.n, "solved": False, "solvable": False, **counts, **spent})
        raise
    if not is_built_there:  # first, so that a report that cannot be written costs no board
        inputs.write_board(out, output, result.queens, rows_from)
    if out.as_json:
        out.json(result.as_dict() | {"queens": in_json(result.queens, rows_from)})
    out.say(*_report_lines(out, result, look))
    out.wrote(output)
    if trace is not None and result.trace is not None:
        from fastqueens.files.traces import Header, write_trace

        out.writing(trace)
        header = Header(result.n, result.seed, result.start)
        write_trace(trace, result.trace, result.restarts, header, result.moves)
        out.wrote(trace)
    if plot is not None:
        from fastqueens.cli.pictures import draw_curves

        draw_curves(out, result, plot, scale=look.scale)
        out.wrote(plot)
    if poster is not None:
        from fastqueens.cli.pictures import draw_poster

        draw_poster(out, poster, result)
        out.wrote(poster)
    out.say_partial(f"mixed for {result.sweeps:,} of {counted(settings['mix'] or 0, 'sweep')}")
    return SOLVED if result.solved else NOT_SOLVED


def _solve_seeds(
    out: Output, settings: dict[str, Any], seeds: list[int], plot: str | None, scale: str | None, rows_from: int
) -> int:
    """Solve once for each seed, print a table or JSON, and plot the runs over each other if ``--plot`` asks for it."""
    figures: list[dict[str, Any]] = []
    curves = []
    # The time limit is that of all runs together.
    stop = out.callbacks["stop"]
    settings |= {"time_limit": None, "stop": stop}

    def runs() -> Iterator[dict[str, Any]]:
        for done, seed in enumerate(seeds):
            out.progress("seeds", done, len(seeds))
            result = fastqueens.solve(**settings, seed=seed)
            if stop():
                raise Stopped
            figures.append(result.as_dict())
            yield figures[-1] | {"queens": in_json(result.queens, rows_from)}
            if plot is not None:
                from fastqueens.pictures.curves import Run

                curves.append(Run.of(result))

    made = out.each(runs())
    if out.as_json:
        out.json_list(made)
    else:
        deque(made, maxlen=0)
        out.say(f"\n{_seeds_table(figures).text(out.width)}\n")
        out.say(_seeds_summary(figures))
    out.say_partial(f"{len(figures):,} of {counted(len(seeds), 'seed')}")
    if plot is not None:
        from fastqueens.cli.pictures import draw_curves

        draw_curves(out, curves, plot, scale=scale)
        out.wrote(plot)
    return SOLVED if all(run["solved"] for run in figures) else NOT_SOLVED


def _count(out: Output, instance: fastqueens.Instance, wanted: dict[str, Any], *, is_only_one_asked_for: bool) -> int:
    """Count the solutions, or tell whether there is exactly one, in the form that the options ask for."""
    try:
        with out.keeping():
            found = fastqueens.count_solutions(instance, **wanted, **out.callbacks)
    except fastqueens.Stopped as stopped:
        found = out.part(stopped)
        if out.as_json:
            known = {"unique": None, "solvable": found > 0 or None} if is_only_one_asked_for else _found(found, wanted)
            out.json({"n": instance.n, **instance.counts, **known})
        out.say_partial("; ".join(getattr(stopped, "__notes__", ())))
        return NOT_SOLVED
    limit = wanted["limit"]
    if is_only_one_asked_for:
        verdict: dict[str, Any] = {"unique": found == 1, "solvable": found > 0}
        in_short = ("no", "exactly one", "more than one")[found]
        sentence = f"There is {in_short} solution"
    else:
        verdict, in_short = _found(found, wanted) | ({"limit": limit} if limit is not None else {}), str(found)
        # There may be more, unless the limit is above their number.
        sentence = f"{'At least ' if found == limit else ''}{_counted(found, wanted)}"
    if out.as_json:
        out.json({"n": instance.n, **instance.counts, **verdict})
    elif out.quiet:
        out.result(in_short)
    else:
        out.say(f"{sentence} for {_named(instance)}.")
    return NOT_SOLVED if is_only_one_asked_for and found > 1 else SOLVED if found else NO_SOLUTION


def _write_all(out: Output, instance: fastqueens.Instance, path: str, wanted: dict[str, Any], rows_from: int) -> int:
    from fastqueens.files.samples import write_solution_lines, write_solutions

    samples = out.each(fastqueens.all_solutions(instance, **wanted, **out.callbacks))

    def figures(written: int) -> dict[str, Any]:
        return {"n": instance.n, **instance.counts, **_found(written, wanted)}

    if path == "-" and out.as_json:
        written = out.json_list((queens + rows_from for queens in samples), figures)
    elif path == "-":
        with out.data() as file:
            written = write_solution_lines(file, samples, rows_from=rows_from)
    else:
        written = write_solutions(path, samples, rows_from=rows_from)
    rest = ", and there may be more" if written == wanted["limit"] else ""
    solutions_of = f"{_counted(written, wanted)} for {_named(instance)}{rest}"
    if path == "-":
        out.say(f"Wrote {solutions_of}.", err=True)
    else:
        if out.as_json:
            out.json(figures(written))
        out.wrote(path, solutions_of)
    out.say_partial("not all solutions are listed")
    return SOLVED if written else NO_SOLUTION


def _found(solutions: int, wanted: dict[str, Any]) -> dict[str, Any]:
    """Return what ``--json`` prints about a number of solutions."""
    return {"solutions": solutions} | ({"fundamental": True} if wanted["fundamental"] else {})


def _counted(solutions: int, wanted: dict[str, Any]) -> str:
    return counted(solutions, "fundamental solution" if wanted["fundamental"] else "solution")


def _named(instance: fastqueens.Instance) -> str:
    return f"n = {instance.n}" + ("" if instance.is_free else f" with {instance.constraints}")


def _report_lines(out: Output, result: fastqueens.Result, look: Look) -> list[str]:
    """Return the sentences about a result, with drawings if the board is small."""
    is_drawn = look.draws and result.n < DRAWN_BELOW
    reason = out.no_room(2 * result.n - 1, "With --poster FILE.png, it is drawn as a picture.")
    before = _local_search(result, look, is_drawn=is_drawn and not reason) if result.attempts else []
    mixed = f"Mixed for {duration(result.timings.mixing)}: {counted(result.sweeps, 'sweep')}."
    after = [*_complete_search(result), *([mixed] if result.sweeps else [])]
    after += [_verdict(result), *_advice(result, look)]
    if is_drawn:
        after.append(f"\n{reason or with_legend(drawing(result.queens, look.origin, result.instance))}")
    return before + after


def _local_search(result: fastqueens.Result, look: Look, *, is_drawn: bool) -> list[str]:
    """Return what local search did, with a drawing of its first board if that is not the last."""
    restarts = f" and {counted(len(result.restarts), 'restart')}" if result.restarts else ""
    allocation = result.timings.allocation
    lines = [f"Allocated memory in {duration(allocation)}."] if allocation > _LONG_ALLOCATION else []
    lines += [_first_board(result, look), f"Initial board: {counted(result.initial_pairs, 'attacking pair')}."]
    first = result.initial_queens
    if is_drawn and first is not None and first.tolist() != result.queens.tolist():
        lines.append(f"\n{drawing(first, look.origin, result.instance)}\n")
    return [*lines, f"Searched for {duration(result.timings.search)}: {counted(result.steps, 'step')}{restarts}."]


def _seeds_table(runs: list[dict[str, Any]]) -> Table:
    """Return a line for each run of ``--seeds``."""
    from fastqueens._run.tables import Table

    lines = []
    for run in runs:
        verdict = "yes" if run["solved"] else "no"
        lines.append([str(run["seed"]), *(f"{run[key]:,}" for key in _COUNTS), f"{_seconds_of(run):.6f}", verdict])
    return Table([("seed", "initial pairs", "steps", "restarts", "seconds", "solved")], {"": lines})


def _seeds_summary(runs: list[dict[str, Any]]) -> str:
    """Return how many runs of ``--seeds`` are solved, and medians."""
    from statistics import median

    medians = [f"{median(run[key] for run in runs):,.1f}".removesuffix(".0") for key in _COUNTS]
    named = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in zip(_COUNTS, medians, strict=True))
    return (
        f"{sum(run['solved'] for run in runs):,} of {counted(len(runs), 'run')} solved.\n"
        f"Medians: {named}, time {duration(median(map(_seconds_of, runs)))}."
    )


def _first_board(result: fastqueens.Result, look: Look) -> str:
    n_fixed = len(result.fixed)
    queens = counted(result.n - n_fixed, "queen") + (f" plus {counted(n_fixed, 'fixed one')}" if n_fixed else "")
    time = duration(result.timings.placement)
    if not look.given & {"file", "board"}:
        return f"Placed {queens} in {time} ({result.start} start, seed {result.seed})."
    return f"Set up {queens} from {file_label(look.file)} in {time} (seed {result.seed})."


def _verdict(result: fastqueens.Result) -> str:
    if result.solved:
        solved = click.style("Solved", fg="green")
        respected = "" if result.instance.is_free else f", with {result.instance.constraints}"
        mixed = " and mixed" if result.sweeps else ""
        # All steps together, without the allocation of memory and the check.
        seconds = sum(getattr(result.timings, part) for part in ("placement", "search", "complete_search", "mixing"))
        return (
            f"{solved}{mixed} in {duration(seconds)} and verified in "
            f"{duration(result.timings.verification)}: no queen attacks another{respected}."
        )
    pairs = counted(result.pairs, "attacking pair")
    conflicting = counted(result.conflicting_queens, "conflicting queen")
    return f"{click.style('Not solved', fg='red')}: {pairs} and {conflicting} left."


def _complete_search(result: fastqueens.Result) -> list[str]:
    """Return what complete search did."""
    if not result.nodes:
        return []
    outcome = "" if result.method == "complete" else ", no answer"
    seed = "" if result.attempts else f" (n = {result.n:,}, seed {result.seed})"
    taken = duration(result.timings.complete_search)
    return [f"Complete search for {taken}: {counted(result.nodes, 'square')} tried{outcome}{seed}."]


def _advice(result: fastqueens.Result, look: Look) -> list[str]:
    """Return, for an instance that is not solved, which options search longer."""
    if result.solved or result.instance.is_free:
        return []
    from fastqueens.exact.tree import MOST_EMPTY

    options = ["--restarts", "--max-steps"] if result.attempts and look.method != "complete" else []
    options += ["--time-limit"] if "time_limit" in look.given else []
    options += ["--max-nodes"] if result.instance.free_columns <= MOST_EMPTY and look.method != "local" else []
    several = len(options) > 1
    higher = f"{'higher values' if several else 'a higher value'} of {listed(options)}"
    return [f"It is not known whether there is a solution; {higher} {'search' if several else 'searches'} longer."]


def _seconds_of(run: dict[str, Any]) -> float:
    parts = ("placement", "search", "complete_search", "mixing", "verification")
    return float(sum(run[f"{part}_seconds"] for part in parts))
