"""``fastqueens solve``: one board or several seeds, searched, reported and written."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import click

import fastqueens
from fastqueens._run.arguments import METHODS, STARTS
from fastqueens._run.text import counted, duration, listed
from fastqueens.cli import ExitCode, inputs, options
from fastqueens.cli.options import Values, choice, command, exclusive, given, group, number, option, read, refuse, write
from fastqueens.cli.output import DRAWN_BELOW, Output, file_label, styled
from fastqueens.errors import NoSolutionError, NotEnoughMemoryError, Stopped

#: A plot of more runs over each other is unreadable.
_MOST_PLOTTED = 20

#: An allocation that takes longer (in seconds) gets its own sentence.
_LONG_ALLOCATION = 0.01

#: What ``--seeds`` tells of each run besides its time.
_COUNTS = ("initial_pairs", "steps", "restarts")

#: Options that look at all solutions, and those that have no meaning then.
_ENUMERATIONS = ("count", "unique", "all")
_OF_ONE_SOLUTION = (
    "path", "file", "rows", "seed", "seeds", "max_steps", "restarts", "max_nodes", "mix", "method", "plot", "poster",
    "trace",
)  # fmt: skip

#: Options that have no meaning for several seeds.
_OF_ONE_RUN = ("path", "trace", "poster", "checkpoint")

#: Options that have no meaning for several instances.
_OF_ONE_INSTANCE = (
    "n", "n_option", "file", "rows", *options.PARTS, "seeds", *_ENUMERATIONS, "mix", "trace", "plot", "poster",
    "rows_from", "origin", "force", "as_json", "checkpoint",
)  # fmt: skip


@command("fastqueens solve 1e6 --seed 1 -o board.npy")
@group("Board", options.n, options.file, options.board, options.rows_from)
@options.constraints
@group(
    "Search",
    choice("--method", METHODS, "Local search, complete search, or both in turns.", default="auto"),
    choice("--start", STARTS, "How the search places a new board.", default="windowed"),
    options.seed,
    options.max_steps,
    number(
        "--restarts TIMES",
        "How often a stuck local search may restart. Default: no limit; 20 with constraints; 0 with --file or --board.",
    ),
    number("--max-nodes SQUARES", "Squares that complete search may try. Default: 100 million; alone: no limit."),
    options.time_limit("End after this time, which does not include compiling; with --instances, each of them."),
    options.sweeps("--mix [SWEEPS]"),
    options.threads,
    option("--force", "Start even if there seems to be too little memory."),
)
@group(
    "Solutions",
    option("--count", "Only count the solutions.", name="count"),
    option("--unique", "Only tell whether there is exactly one solution."),
    write("--all FILE", "Only write all solutions: .txt, or - for stdout, a line of rows each.", name="all"),
    number("--limit SOLUTIONS", "With --count or --all: stop after this many solutions, at least 1."),
    option("--fundamental", "With --count or --all: take only one of the rotations and mirror images of a solution."),
)
@group(
    "Runs",
    options.seeds("Solve once for each seed, for example 1..100 or 1,5,9, and print a table."),
    read(
        "--instances FILE",
        "Answer all instances in this file or folder, each in a line of JSON; an earlier -o FILE is continued.",
    ),
    options.scheduler,
    write("--checkpoint FILE", "Add finished parts of a complete search to this .jsonl file, and continue from it."),
)
@group(
    "Output",
    options.output("Write the board: .npy (a large board is built there) .txt .csv .json, or - for stdout."),
    write("--trace FILE", "Write the number of conflicts after each step: .csv .npz."),
    option("--moves", "Also store each move in the trace (.npz), which fastqueens explore plays."),
    write("--plot FILE", "Plot the conflicts after each step: .png .pdf .svg .jpg .webp; up to 20 runs of --seeds."),
    options.axes,
    write("--poster FILE", "Draw an A1 poster: .png .pdf .svg .jpg .webp. fastqueens poster has more options."),
    options.origin,
    options.as_json,
    options.quiet,
)
def solve(
    out: Output, board: Values, constraints: Values, search: Values, solutions: Values, runs: Values, output: Values
) -> int:
    """Place N queens (default: 8) so that none attacks another.

    You can write a million as 1000000, 1,000,000 or 1e6. Boards of fewer than 33 queens are drawn before and after
    the search, with fixed queens as F.
    """
    from fastqueens.cli import instances

    _check_options(search.method, runs.seeds)
    out.limit(search.time_limit)
    if runs.instances is not None:
        return instances.answer_instances(out, runs, search, output.path)
    if solutions.limit == 0:
        raise click.ClickException("--limit must be at least 1, not 0")
    _check_files(solutions, runs, output)
    instance, queens = inputs.task_given(out, board, constraints)
    if solutions.all is not None:
        return instances.write_all(out, instance, solutions)
    try:
        with inputs.executor_of(out, runs.scheduler) as executor:
            where = {"threads": search.threads, "executor": executor, "checkpoint": runs.checkpoint}
            if solutions.count or solutions.unique:
                return instances.count(out, instance, solutions, **where)
            settings = vars(search) | where | {"n": instance, "board": queens, "moves": output.moves}
            settings |= {"trace": output.trace is not None or output.plot is not None, "stop": out.is_stopped}
            if runs.seeds is not None:
                return _solve_seeds(out, settings, runs.seeds, output)
            return _solve_once(out, settings, output, None if queens is None else file_label(board.file))
    except NotEnoughMemoryError as error:
        error.add_note("Hint: --force starts anyway.")
        raise


def _check_options(method: str, seeds: list[int] | None) -> None:
    """Raise UsageError for options that have no meaning together."""
    if given("instances"):
        refuse("--instances answers many instances, each as a line of JSON: leave out {}.", *_OF_ONE_INSTANCE)
    exclusive("seed", "seeds")
    exclusive(*_ENUMERATIONS)
    for name in given(*_ENUMERATIONS):
        refuse(f"{name} looks at all solutions by complete search: leave out {{}}.", *_OF_ONE_SOLUTION)
    if seeds is not None:
        refuse("--seeds makes a run for each seed: leave out {}, which is for a single run.", *_OF_ONE_RUN)
        if given("plot") and len(seeds) > _MOST_PLOTTED:
            raise click.UsageError(f"--plot draws at most {_MOST_PLOTTED} runs, and --seeds has {len(seeds):,}.")
    if not given("plot"):
        refuse("{} is for the picture of --plot FILE.", "axes")
    if not given("trace"):
        refuse("{} stores moves in a trace: add --trace moves.npz.", "moves")
    if not given("count", "all"):
        refuse("{} is for --count and --all FILE: add one of them.", "limit", "fundamental")
    if method == "local":
        refuse("{} and --method local: only complete search has such a limit.", "max_nodes")
    if method != "complete" and not given("count", "unique", "instances"):
        refuse(
            "{} is for complete search: add --count, --unique or --method complete (--scheduler: or --instances FILE).",
            "scheduler",
            "checkpoint",
        )


def _check_files(solutions: Values, runs: Values, output: Values) -> None:
    """Raise an error if two files are the same, or one cannot be written."""
    files = {"-o": output.path, "--trace": output.trace, "--plot": output.plot, "--poster": output.poster}
    names = {os.path.realpath(path): name for name, path in files.items() if path is not None}
    for name, path in files.items():
        if path is not None and names[os.path.realpath(path)] != name:
            raise click.UsageError(f"{name} and {names[os.path.realpath(path)]} name the same file.")
    inputs.check_board_output(output.path)
    if output.trace is not None:
        from fastqueens.files.traces import TRACE_FORMATS, check_keeps_moves

        if output.moves:
            check_keeps_moves(output.trace)
        inputs.check_output(output.trace, TRACE_FORMATS)
    inputs.check_picture(output.plot)
    inputs.check_picture(output.poster)
    if solutions.all not in (None, "-"):
        from fastqueens.files.samples import SOLUTION_FORMATS

        inputs.check_output(solutions.all, SOLUTION_FORMATS)
    if runs.checkpoint is not None:
        from fastqueens.files.text import checked_suffix

        checked_suffix(runs.checkpoint, (".jsonl",))


def _solve_once(out: Output, settings: dict[str, Any], output: Values, source: str | None) -> int:
    """Solve once, write the files, and report; ``source`` is the file of the first board."""
    out.has_data_on_stdout |= output.path == "-"
    is_built_there = output.path is not None and output.path.lower().endswith(".npy") and out.rows_from == 0
    if is_built_there:
        out.progress("reserving disk space")
    try:
        with out.keeping() if settings["mix"] else nullcontext():
            result = fastqueens.solve(**settings, out=output.path if is_built_there else None, progress=out.progress)
            out.is_partial = result.solved and result.sweeps < (settings["mix"] or 0)
    except NoSolutionError as error:
        if out.as_json:
            instance = settings["n"]
            counts = {} if instance.is_free else instance.counts
            spent = {"nodes": error.nodes, "complete_search_seconds": error.seconds}
            out.json({"n": instance.n, "solved": False, "solvable": False, **counts, **spent})
        raise
    if not is_built_there:  # first, so that a report that cannot be written costs no board
        inputs.write_board(out, output.path, result.queens)
    if out.as_json:
        out.json(result.as_dict() | {"queens": out.in_json(result.queens)})
    out.say(*_report(out, result, settings, source, is_drawn=output.path != "-" and result.n < DRAWN_BELOW))
    out.wrote(output.path)
    if output.trace is not None and result.trace is not None:
        from fastqueens.files.traces import Header, write_trace

        out.writing(output.trace)
        header = Header(result.n, result.seed, result.start)
        write_trace(output.trace, result.trace, result.restarts, header, result.moves)
        out.wrote(output.trace)
    if output.plot is not None:
        from fastqueens.cli.pictures import draw_curves

        draw_curves(out, result, output.plot, axes=output.axes)
        out.wrote(output.plot)
    if output.poster is not None:
        from fastqueens.cli.pictures import draw_poster

        draw_poster(out, output.poster, result)
        out.wrote(output.poster)
    out.say_partial(f"mixed for {result.sweeps:,} of {counted(settings['mix'] or 0, 'sweep')}")
    return ExitCode.SOLVED if result.solved else ExitCode.NOT_SOLVED


def _solve_seeds(out: Output, settings: dict[str, Any], seeds: list[int], output: Values) -> int:
    """Solve once for each seed, print a table or JSON, and plot the runs over each other if ``--plot`` asks for it."""
    runs: list[dict[str, Any]] = []
    curves = []
    # The time limit is for all runs together.
    stop = out.callbacks["stop"]
    settings |= {"time_limit": None, "stop": stop}

    def solved() -> Iterator[dict[str, Any]]:
        for done, seed in enumerate(seeds):
            out.progress("seeds", done, len(seeds))
            result = fastqueens.solve(**{**settings, "seed": seed})
            if stop():
                raise Stopped
            runs.append(result.as_dict())
            yield runs[-1] | {"queens": out.in_json(result.queens)}
            if output.plot is not None:
                from fastqueens.pictures.curves import Run

                curves.append(Run.of(result))

    made = out.each(solved())
    if out.as_json:
        out.json_list(made)
    else:
        deque(made, maxlen=0)
        out.say(*_report_of_seeds(runs, out.width))
    out.say_partial(f"{len(runs):,} of {counted(len(seeds), 'seed')}")
    if output.plot is not None:
        from fastqueens.cli.pictures import draw_curves

        draw_curves(out, curves, output.plot, axes=output.axes)
        out.wrote(output.plot)
    return ExitCode.SOLVED if all(run["solved"] for run in runs) else ExitCode.NOT_SOLVED


def _report_of_seeds(runs: list[dict[str, Any]], width: int | None) -> list[str]:
    """Return a table with a line for each run of ``--seeds``, how many are solved, and medians."""
    from statistics import median

    from fastqueens._run.tables import Table

    cells = []
    for run in runs:
        verdict = "yes" if run["solved"] else "no"
        cells.append([str(run["seed"]), *(f"{run[key]:,}" for key in _COUNTS), f"{_seconds_of(run):.6f}", verdict])
    table = Table([("seed", "initial pairs", "steps", "restarts", "seconds", "solved")], {"": cells}).text(width)
    medians = [f"{median(run[key] for run in runs):,.1f}".removesuffix(".0") for key in _COUNTS]
    named = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in zip(_COUNTS, medians, strict=True))
    solved = sum(run["solved"] for run in runs)
    return [
        f"\n{table}\n",
        f"{solved:,} of {counted(len(runs), 'run')} solved.",
        f"Medians: {named}, time {duration(median(map(_seconds_of, runs)))}.",
    ]


def _seconds_of(run: dict[str, Any]) -> float:
    parts = ("placement", "search", "complete_search", "mixing", "verification")
    return float(sum(run[f"{part}_seconds"] for part in parts))


def _report(
    out: Output, result: fastqueens.Result, settings: dict[str, Any], source: str | None, *, is_drawn: bool
) -> list[str]:
    """Return the sentences about a result, with drawings if the board is small."""
    lines = _local_search(out, result, source, is_drawn=is_drawn) if result.attempts else []
    if result.nodes:
        outcome = "" if result.method == "complete" else ", no answer"
        seed = "" if result.attempts else f" (n = {result.n:,}, seed {result.seed})"
        taken = duration(result.timings.complete_search)
        lines.append(f"Complete search for {taken}: {counted(result.nodes, 'square')} tried{outcome}{seed}.")
    if result.sweeps:
        lines.append(f"Mixed for {duration(result.timings.mixing)}: {counted(result.sweeps, 'sweep')}.")
    lines.append(_verdict(result))
    if not result.solved and not result.instance.is_free:
        lines.append(_advice(result, settings))
    if is_drawn:
        way = "With --poster FILE.png, it is drawn as a picture."
        lines.append(f"\n{out.drawing(result.queens, result.instance, way)}")
    return lines


def _local_search(out: Output, result: fastqueens.Result, source: str | None, *, is_drawn: bool) -> list[str]:
    """Return what local search did, with a drawing of its first board if that is not the last."""
    n_fixed, timings, first = len(result.fixed), result.timings, result.initial_queens
    queens = counted(result.n - n_fixed, "queen") + (f" plus {counted(n_fixed, 'fixed one')}" if n_fixed else "")
    placed = duration(timings.placement)
    lines = [f"Allocated memory in {duration(timings.allocation)}."] if timings.allocation > _LONG_ALLOCATION else []
    if source is None:
        lines.append(f"Placed {queens} in {placed} ({result.start} start, seed {result.seed}).")
    else:
        lines.append(f"Set up {queens} from {source} in {placed} (seed {result.seed}).")
    lines.append(f"Initial board: {counted(result.initial_pairs, 'attacking pair')}.")
    if (
        is_drawn
        and first is not None
        and first.tolist() != result.queens.tolist()
        and not out.no_room(2 * result.n - 1)
    ):
        from fastqueens.pictures.text import draw_board

        lines.append(f"\n{styled(draw_board(first, out.origin, result.instance))}\n")
    restarts = f" and {counted(len(result.restarts), 'restart')}" if result.restarts else ""
    return [*lines, f"Searched for {duration(timings.search)}: {counted(result.steps, 'step')}{restarts}."]


def _verdict(result: fastqueens.Result) -> str:
    if not result.solved:
        pairs = counted(result.pairs, "attacking pair")
        conflicting = counted(result.conflicting_queens, "conflicting queen")
        return f"{click.style('Not solved', fg='red')}: {pairs} and {conflicting} left."
    respected = "" if result.instance.is_free else f", with {result.instance.constraints}"
    # All parts of the work, without the allocation of memory and the check.
    seconds = sum(getattr(result.timings, part) for part in ("placement", "search", "complete_search", "mixing"))
    return (
        f"{click.style('Solved', fg='green')}{' and mixed' if result.sweeps else ''} in {duration(seconds)} and "
        f"verified in {duration(result.timings.verification)}: no queen attacks another{respected}."
    )


def _advice(result: fastqueens.Result, settings: dict[str, Any]) -> str:
    """Return which options search longer for a solution of an instance."""
    from fastqueens.exact.tree import MOST_FREE_COLUMNS

    options = ["--restarts", "--max-steps"] if result.attempts and settings["method"] != "complete" else []
    options += ["--time-limit"] if settings["time_limit"] is not None else []
    if result.instance.free_columns <= MOST_FREE_COLUMNS and settings["method"] != "local":
        options.append("--max-nodes")
    several = len(options) > 1
    higher = f"{'higher values' if several else 'a higher value'} of {listed(options)}"
    return f"It is not known whether there is a solution; {higher} {'search' if several else 'searches'} longer."
