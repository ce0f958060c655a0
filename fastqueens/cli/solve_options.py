"""The arguments and options of ``fastqueens solve``, and the checks of their values before the work starts."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import click

from fastqueens.cli import boards, options
from fastqueens.cli.instances import check_instance_options, instance_options
from fastqueens.core.arguments import METHODS, STARTS

#: A plot of more runs over each other is unreadable.
_MOST_PLOTTED = 20

_OPTIONS: tuple[Callable[..., Any], ...] = (
    boards.n_argument,
    options.number("-n", "--n", "n_option", metavar="N", help="Same as the argument N."),
    boards.file_option,
    boards.board_option,
    instance_options,
    click.option(
        "--method",
        type=click.Choice(METHODS),
        default="auto",
        show_default=True,
        help="What looks for a solution: local search, complete search, or both in turns.",
    ),
    options.rows_from,
    click.option(
        "--start",
        type=click.Choice(STARTS),
        default="windowed",
        show_default=True,
        help="How the search places a new board.",
    ),
    options.number("--seed", metavar="SEED", help="Seed; the same seed repeats the run. Default: a random seed."),
    click.option(
        "--seeds",
        metavar="LIST",
        type=options.seeds,
        help="Solve once for each seed, for example 1..100 or 1,5,9, and print a table.",
    ),
    options.number(
        "--max-steps", "--maxsteps", metavar="STEPS", help="Stop after this many steps in total. Default: no limit."
    ),
    options.number(
        "--restarts",
        metavar="TIMES",
        help="How often a stuck local search may restart from a new board. Default: no limit; at most 20 with fixed "
        "queens, blocked squares or excluded diagonals; 0 with --file or --board.",
    ),
    options.number(
        "--max-nodes",
        metavar="SQUARES",
        help="How many squares complete search may try. Default: 100 million; no limit with --method complete.",
    ),
    options.mix,
    click.option("--count", "counting", is_flag=True, help="Only count the solutions."),
    click.option("--unique", is_flag=True, help="Only tell whether there is exactly one solution."),
    options.file(
        "--all", "all_solutions", help="Only write all solutions, a line of rows for each: .txt, or - for stdout."
    ),
    options.number(
        "--limit", metavar="SOLUTIONS", help="With --count or --all: stop when so many solutions are found, at least 1."
    ),
    options.file(
        "-o",
        "--output",
        help="Write the board: .npy .txt .csv .json, or - for text on stdout. A large board is built in its .npy file, "
        "and does not need to fit into memory.",
    ),
    options.file("--trace", help="Write the number of conflicts after each step: .csv .json .npz."),
    click.option(
        "--moves",
        is_flag=True,
        help="Also store each move in the trace (.npz), so that fastqueens explore can play it.",
    ),
    options.file(
        "--plot",
        help="Plot the number of conflicts after each step: .png .pdf .svg .jpg .webp. With --seeds, up to 20 runs in "
        "one picture.",
    ),
    options.file(
        "--poster",
        help="Draw the board as an A1 poster: .png .pdf .svg .jpg .webp. For more options, see fastqueens poster.",
    ),
    options.threads_of_solving,
    click.option("--force", is_flag=True, help="Start even if there seems to be too little memory."),
    options.as_json,
    options.quiet,
    options.origin,
)


def solve_options(function: Callable[..., int]) -> Callable[..., int]:
    """Add the arguments and options of ``solve`` to a function."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def check_request(request: SimpleNamespace) -> None:
    """Raise an error if values of options contradict each other or a file cannot be written."""
    boards.check_one_board(request)
    check_instance_options(request, {"--file": request.file})
    contradiction = next(_contradictions(request), None)
    if contradiction is not None:
        raise click.UsageError(contradiction)
    if request.limit == 0:
        raise click.ClickException("limit is 0: it is at least 1")
    _check_files(request)


def _contradictions(request: SimpleNamespace) -> Iterator[str]:
    if request.n is not None and request.n_option is not None:
        yield "N and --n: give only one of them."
    if request.output == "-" and request.as_json:
        yield "-o - and --json both write to stdout: give one of them."
    if request.seeds is not None:
        yield from _contradictions_with_seeds(request)
    if request.moves and request.trace is None:
        yield "--moves stores moves in a trace: add --trace moves.npz."
    files = {"-o": request.output, "--trace": request.trace, "--plot": request.plot, "--poster": request.poster}
    paths = [(option, os.path.realpath(path)) for option, path in files.items() if path is not None]
    for (option, path), (other, other_path) in itertools.combinations(paths, 2):
        if path == other_path:
            yield f"{option} and {other} name the same file."
    enumerating = [option for option, is_given in _enumerations(request).items() if is_given]
    if len(enumerating) > 1:
        yield f"{' and '.join(enumerating)}: give one of them."
    if enumerating:
        yield from _contradictions_with_count(request, enumerating[0])
    if request.limit is not None and enumerating not in (["--count"], ["--all"]):
        yield "--limit says how many solutions --count and --all look for: add one of them."
    if request.all_solutions == "-" and request.as_json:
        yield "--all - and --json both write to stdout: give one of them."


def _contradictions_with_seeds(request: SimpleNamespace) -> Iterator[str]:
    if request.seed is not None:
        yield "--seed and --seeds: give one of them."
    if request.output is not None:
        yield "--seeds and -o: there is one board for each seed, so none is written."
    if request.trace is not None:
        yield "--seeds and --trace: there is one trace for each seed, so none is written."
    if request.poster is not None:
        yield "--seeds and --poster: there is one board for each seed, so none is drawn."
    if request.plot is not None and len(request.seeds) > _MOST_PLOTTED:
        yield f"--plot draws at most {_MOST_PLOTTED} runs in one picture, and --seeds has {len(request.seeds):,}."


def _enumerations(request: SimpleNamespace) -> dict[str, bool]:
    """Return which of the options are given that look at all solutions."""
    return {
        "--count": request.counting,
        "--unique": request.unique,
        "--all": request.all_solutions is not None,
    }


def _contradictions_with_count(request: SimpleNamespace, enumerating: str) -> Iterator[str]:
    values = {
        "--file": request.file,
        "--board": request.board,
        "--seed": request.seed,
        "--seeds": request.seeds,
        "--max-steps": request.max_steps,
        "--restarts": request.restarts,
        "--max-nodes": request.max_nodes,
        "--mix": request.mix,
        "--method": None if request.method == "auto" else request.method,
        "--plot": request.plot,
        "--poster": request.poster,
        "--trace": request.trace,
        "-o": request.output,
    }
    for option, value in values.items():
        if value is not None:
            instead = "; --all FILE writes them" if option == "-o" else ""
            yield f"{enumerating} and {option}: {enumerating} looks at all solutions by complete search{instead}."


def _check_files(request: SimpleNamespace) -> None:
    # Each import only where it is needed: most commands write no file.
    boards.check_output(request.output, has_poster=True)
    if request.all_solutions not in (None, "-"):
        from fastqueens.files import samples
        from fastqueens.files.atomic import check_target

        samples.check_suffix(request.all_solutions)
        check_target(request.all_solutions)
    if request.trace is not None:
        from fastqueens.files.atomic import check_target
        from fastqueens.files.traces import check_keeps_moves, check_trace_suffix

        check_trace_suffix(request.trace)
        if request.moves:
            check_keeps_moves(request.trace)
        check_target(request.trace)
    for picture in (request.plot, request.poster):
        if picture is not None:
            from fastqueens.cli.plot import check_picture_file

            check_picture_file(picture)
