"""The command ``solve`` for one board or several seeds: search, report and files."""

from __future__ import annotations

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

#: The most runs in one plot, because more curves are unreadable.
_MOST_PLOTTED = 20

#: An allocation that takes longer than this, in seconds, gets its own sentence.
_LONG_ALLOCATION = 0.01

#: The counts that ``--seeds`` prints for each run.
_COUNTS = ("initial_pairs", "steps", "restarts")

#: Options that examine all solutions, and options that cannot be combined with them.
_ENUMERATIONS = ("count", "unique", "all")
_OF_ONE_SOLUTION = (
    "path", "file", "rows", "seed", "seeds", "max_steps", "restarts", "max_nodes", "mix", "method", "plot", "poster",
    "trace",
)  # fmt: skip

#: Options that cannot be combined with ``--seeds``.
_OF_ONE_RUN = ("path", "trace", "poster", "checkpoint")

#: Options that cannot be combined with ``--instances``.
_OF_ONE_INSTANCE = (
    "n", "n_option", "file", "rows", *options.PARTS, "seeds", *_ENUMERATIONS, "mix", "trace", "plot", "poster",
    "rows_from", "origin", "force", "as_json", "checkpoint",
)  # fmt: skip


@command("fastqueens solve 1e6 --seed 1 -o board.npy\nfastqueens solve 8 --queen 0,3 --block 4,4 --count")
@group("Board", options.n, options.file, options.board, options.rows_from)
@options.constraints
@group(
    "Search",
    choice(
        "--method",
        METHODS,
        "local: local search. complete: exhaustive search. auto: local search, in turns with complete search if there "
        "are constraints and at most 256 columns without a fixed queen.",
        default="auto",
    ),
    choice(
        "--start",
        STARTS,
        "Placement of the first board. windowed and uniform avoid attacks; random and permutation do not.",
        default="windowed",
    ),
    options.seed,
    options.max_steps,
    number(
        "--restarts COUNT",
        "Restarts after the local search is stuck. Default: unlimited; up to 20 with constraints; 0 with --file or "
        "--board.",
    ),
    number(
        "--max-nodes COUNT",
        "Stop complete search after trying this many squares. Default: 100 million; unlimited with --method complete.",
    ),
    options.time_limit(
        "Stop after this many seconds. Compile time does not count. With --instances, each instance has this limit."
    ),
    options.sweeps("--mix [SWEEPS]"),
    options.threads,
    option("--force", "Start even if memory seems to be too small."),
)
@group(
    "Solutions",
    option("--count", "Count all solutions.", name="count"),
    option("--unique", "Report whether there is exactly one solution."),
    write("--all FILE", "Write all solutions to this .txt file or to stdout (-), one line per solution.", name="all"),
    number("--limit COUNT", "With --count or --all: stop after this many solutions."),
    option("--fundamental", "With --count or --all: treat rotations and mirror images of a solution as the same."),
)
@group(
    "Runs",
    options.seeds("Solve once for each of these seeds, for example 1..100 or 1,5,9, and print a table."),
    read(
        "--instances FILE",
        "Solve all instances in this file or folder. Each answer is a line of JSON. An existing -o FILE is continued.",
    ),
    options.scheduler,
    write("--checkpoint FILE", "Save finished parts of a complete search in this .jsonl file, and continue from it."),
)
@group(
    "Output",
    options.output("Write the board to this file (.npy .txt .csv .json) or to stdout (-)."),
    write("--trace FILE", "Write the conflicts after each step to this file (.csv .npz)."),
    option("--moves", "Store the moves in the .npz trace, so that fastqueens explore can replay them."),
    write(
        "--plot FILE", "Plot the conflicts after each step (.png .pdf .svg .jpg .webp). With --seeds, at most 20 runs."
    ),
    options.axes,
    write("--poster FILE", "Draw an A1 poster (.png .pdf .svg .jpg .webp). fastqueens poster has more options."),
    options.origin,
    options.as_json,
    options.quiet,
)
def solve(
    out: Output, board: Values, constraints: Values, search: Values, solutions: Values, runs: Values, output: Values
) -> int:
    """Place N queens (default: 8) so that no queen attacks another.

    You can write a million as 1000000, 1,000,000 or 1e6. Boards with fewer than 33 queens are drawn before and after
    the search, with fixed queens as F.
    """
    from fastqueens.cli import instances

    _check_options(search.method, runs.seeds)
    stop = out.limit(search.time_limit)
    if runs.instances is not None:
        return instances.answer_instances(out, runs, search, output.path)
    if solutions.limit == 0:
        raise click.ClickException("--limit must be at least 1, not 0")
    _check_files(solutions, runs, output)
    instance, queens = inputs.task_given(out, board, constraints)
    if solutions.all is not None:
        return instances.write_all(out, instance, solutions, search.time_limit)
    try:
        with inputs.executor_of(out, runs.scheduler) as executor:
            where = {"threads": search.threads, "executor": executor, "checkpoint": runs.checkpoint}
            if solutions.count or solutions.unique:
                return instances.count(out, instance, solutions, **where, time_limit=search.time_limit)
            settings = vars(search) | where | {"n": instance, "board": queens, "moves": output.moves}
            settings |= {"trace": output.trace is not None or output.plot is not None, "stop": out.is_stopped}
            if runs.seeds is not None:
                return _solve_seeds(out, settings | {"time_limit": None, "stop": stop}, runs.seeds, output)
            return _solve_once(out, settings, output, None if queens is None else file_label(board.file))
    except NotEnoughMemoryError as error:
        error.add_note("Hint: --force starts anyway.")
        raise


def _check_options(method: str, seeds: list[int] | None) -> None:
    """Raise UsageError for options that cannot be combined."""
    if given("instances"):
        refuse("--instances and {} cannot be combined", *_OF_ONE_INSTANCE)
    exclusive("seed", "seeds")
    exclusive(*_ENUMERATIONS)
    for name in given(*_ENUMERATIONS):
        refuse(f"{name} and {{}} cannot be combined", *_OF_ONE_SOLUTION)
    if seeds is not None:
        refuse("--seeds and {0} cannot be combined: {0} applies to a single run", *_OF_ONE_RUN)
        if given("plot") and len(seeds) > _MOST_PLOTTED:
            raise click.UsageError(f"--plot draws at most {_MOST_PLOTTED} runs, but --seeds has {len(seeds):,}")
    if not given("plot"):
        refuse("{} applies to a plot; add --plot FILE", "axes")
    if not given("trace"):
        refuse("{} stores moves in a trace; add --trace FILE.npz", "moves")
    if not given("count", "all"):
        refuse("{} applies to --count and --all FILE; add one of them", "limit", "fundamental")
    if method == "local":
        refuse("{} has no effect on --method local; it applies to complete search", "max_nodes")
    if method != "complete" and not given("count", "unique", "instances"):
        ways = "--count, --unique or --method complete"
        refuse(f"{{}} applies to complete search; add {ways}, or use --instances FILE", "scheduler")
        refuse(f"{{}} applies to complete search; add {ways}", "checkpoint")


def _check_files(solutions: Values, runs: Values, output: Values) -> None:
    """Raise an error if a file cannot be written."""
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
    """Solve once, write the files, and report. ``source`` is the file of the first board, or None."""
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
    if not is_built_there:  # before the report, so that the board is kept even if the report cannot be written
        inputs.write_board(out, output.path, result.queens)
    if out.as_json:
        out.json(result.as_dict() | out.in_json(result.queens))
    out.say(*_report(out, result, settings, source, is_drawn=output.path != "-" and result.n < DRAWN_BELOW))
    out.wrote(output.path)
    if output.trace is not None and result.trace is not None:
        from fastqueens.files.traces import write_trace

        out.writing(output.trace)
        write_trace(output.trace, result.trace, result.restarts, result.header, result.moves)
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
    """Solve once for each seed, print a table or JSON, and plot all runs in one picture if ``--plot`` is given.

    ``settings["stop"]`` limits the time of all runs together.
    """
    runs: list[dict[str, Any]] = []
    curves = []

    def solved() -> Iterator[dict[str, Any]]:
        for done, seed in enumerate(seeds):
            out.progress("seeds", done, len(seeds))
            result = fastqueens.solve(**{**settings, "seed": seed})
            if settings["stop"]():
                raise Stopped
            runs.append(result.as_dict())
            yield runs[-1] | out.in_json(result.queens)
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
    """Return a table with a line for each run of ``--seeds``, the number of solved runs, and medians."""
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
    """Return the sentences about a result, with drawings of small boards."""
    lines = _local_search(out, result, source, is_drawn=is_drawn) if result.attempts else []
    if result.nodes:
        outcome = "" if result.method == "complete" else ", without an answer"
        seed = "" if result.attempts else f" (n = {result.n:,}, seed {result.seed})"
        taken = duration(result.timings.complete_search)
        lines.append(f"Complete search for {taken}: {counted(result.nodes, 'square')} tried{outcome}{seed}.")
    if result.sweeps:
        lines.append(f"Mixed for {duration(result.timings.mixing)}: {counted(result.sweeps, 'sweep')}.")
    lines.append(_verdict(result))
    if not result.solved and not result.instance.is_free:
        lines.append(_advice(result, settings))
    if is_drawn:
        way = "Draw a poster with --poster FILE.png."
        lines.append(f"\n{out.drawing(result.queens, result.instance, way)}")
    return lines


def _local_search(out: Output, result: fastqueens.Result, source: str | None, *, is_drawn: bool) -> list[str]:
    """Return sentences about the local search, with a drawing of its first board unless that is the last board."""
    n_fixed, timings, first = len(result.fixed), result.timings, result.initial_queens
    queens = counted(result.n - n_fixed, "queen") + (f" plus {counted(n_fixed, 'fixed queen')}" if n_fixed else "")
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
    # The time of all parts of the work, without the allocation of memory and the verification.
    seconds = sum(getattr(result.timings, part) for part in ("placement", "search", "complete_search", "mixing"))
    return (
        f"{click.style('Solved', fg='green')}{' and mixed' if result.sweeps else ''} in {duration(seconds)} and "
        f"verified in {duration(result.timings.verification)}: no queen attacks another{respected}."
    )


def _advice(result: fastqueens.Result, settings: dict[str, Any]) -> str:
    """Return advice about options with which the search for a solution takes longer."""
    from fastqueens.exact.tree import MOST_FREE_COLUMNS

    options = ["--restarts", "--max-steps"] if result.attempts and settings["method"] != "complete" else []
    options += ["--time-limit"] if settings["time_limit"] is not None else []
    if result.instance.free_columns <= MOST_FREE_COLUMNS and settings["method"] != "local":
        options.append("--max-nodes")
    several = len(options) > 1
    higher = f"{'higher values' if several else 'a higher value'} of {listed(options)}"
    return f"It is unknown whether there is a solution. Try {higher} to search longer."
