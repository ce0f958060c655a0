"""``fastqueens solve``: make a board and search it, from a size, a file or the command line itself."""

from __future__ import annotations

import itertools
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import boards, options
from fastqueens.cli.given import count_solutions, given_squares, queen_option, queens_file_option
from fastqueens.cli.notes import commented
from fastqueens.cli.plot import check_picture_file, draw
from fastqueens.cli.poster import draw_poster_of
from fastqueens.cli.seeds import solve_many
from fastqueens.cli.session import NOT_SOLVED, SOLVED, Session
from fastqueens.cli.wording import count, drawing, duration, file_label

if TYPE_CHECKING:
    from fastqueens.board import Queens
    from fastqueens.pictures.curves import Run
    from fastqueens.result import Result

#: The same as ``fastqueens.solver.STARTS``, which cannot be imported without numba.
STARTS = ("windowed", "uniform", "random", "permutation")

#: Boards below this n are drawn before and after the search.
_LARGEST_DRAWN = 33

#: More runs over each other than this show nothing.
_MOST_DRAWN = 20

#: From this n on a board that goes to an .npy file is made there; smaller ones are quickly written after the search.
_MADE_IN_FILE_FROM = 1 << 22

#: Seconds from which on the time for getting the memory and for writing the file is worth a sentence.
_LONG_ALLOCATION = 0.01
_LONG_WRITING = 0.1


class _Command(click.Command):
    """A command whose argument may be a negative number: no option, and told so."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if not error.option_name[1:2].isdigit():
                raise
            number = next(text for text in given if text.startswith(error.option_name))
            raise click.UsageError(f"N is {number}: a board has at least 1 queen.", ctx) from None


@click.command(
    cls=_Command,
    short_help="Place N queens so that none attacks another.",
    epilog="\b\nExample:\n  fastqueens solve 1e6 --seed 1 -o board.npy",
)
@click.argument("n", required=False, callback=options.whole_number)
@click.option("-n", "--n", "n_option", metavar="N", callback=options.whole_number, help="The same as the argument N.")
@boards.file_option
@boards.board_option
@queen_option
@queens_file_option
@options.rows_from
@click.option("--start", type=click.Choice(STARTS), default="windowed", show_default=True, help="How a board is made.")
@click.option(
    "--seed", metavar="SEED", callback=options.whole_number, help="Repeats a run. One is drawn if none is given."
)
@click.option("--seeds", metavar="LIST", callback=options.seeds, help="A table over many seeds: 1..100 or 1,5,9.")
@click.option(
    "--max-steps",
    "--maxsteps",
    metavar="STEPS",
    callback=options.whole_number,
    help="Give up after so many steps in all. No limit if not given.",
)
@click.option(
    "--restarts",
    metavar="TIMES",
    callback=options.whole_number,
    help="How often a stuck search may begin again with a new board. Not given: until solved, but never where you "
    "gave the board, and 20 times at most beside given queens.",
)
@click.option(
    "--max-nodes",
    metavar="SQUARES",
    callback=options.whole_number,
    help="Where given queens leave at most 64 columns and the search does not fill them, an exact search tries so many "
    "squares, 10 million if not given.",
)
@click.option("--count", "counting", is_flag=True, help="Only count the solutions there are, for N up to 16.")
@click.option(
    "-o",
    "--output",
    type=options.FILE,
    metavar="FILE",
    help="Write the board: .npy .txt .csv .json, - for text on stdout. A large board is made in its .npy file and "
    "need not fit into memory.",
)
@click.option(
    "--trace", type=options.FILE, metavar="FILE", help="Write the conflicts after each step: .csv .json .npz."
)
@click.option("--moves", is_flag=True, help="Keep each move in the trace too, an .npz, for fastqueens explore to play.")
@click.option(
    "--plot",
    type=options.FILE,
    metavar="FILE",
    help="Draw the conflicts after each step: .png .pdf .svg .jpg .webp. With --seeds, up to 20 runs over each other.",
)
@click.option(
    "--poster",
    type=options.FILE,
    metavar="FILE",
    help="Draw the board to hang up, on A1: .png .pdf .svg .jpg .webp. The command poster has more to choose from.",
)
@options.threads
@click.option("--force", is_flag=True, help="Begin even where there seems to be too little memory.")
@options.as_json
@options.quiet
@options.origin
@click.pass_obj
def solve(session: Session, /, **given: Any) -> int:
    """Place N queens (8 if nothing is given) so that none attacks another.

    N may be written 1000000, 1_000_000 or 1e6. Boards of fewer than 33 queens are drawn before and after the search,
    given queens as G.
    """
    request = _Request(**given)
    _check_usage(request)
    _check_files(request)
    with commented(session.display, quiet=request.quiet):
        arguments = _arguments(request, session)
        session.check_stop()
        if request.counting:
            n, squares = arguments["n"], arguments["fixed"]
            return count_solutions(
                session, n, squares, request.threads, as_json=request.as_json, quiet=request.quiet
            )
        with _hint_at_force():
            if request.seeds is not None:
                return _solve_seeds(session, arguments, request, request.seeds)
            return _solve_once(session, arguments, request)


@dataclass(frozen=True)
class _Request:
    """The options as given."""

    n: int | None
    n_option: int | None
    file: str | None
    board: str | None
    queen: tuple[str, ...]
    queens_file: str | None
    rows_from: int
    start: str
    seed: int | None
    seeds: list[int] | None
    max_steps: int | None
    restarts: int | None
    max_nodes: int | None
    counting: bool
    output: str | None
    trace: str | None
    moves: bool
    plot: str | None
    poster: str | None
    threads: int | None
    force: bool
    as_json: bool
    quiet: bool
    origin: str


def _check_usage(request: _Request) -> None:
    """Refuse what cannot be meant together."""
    boards.check_one_board(request.file, request.board)
    together = [
        (request.n is not None and request.n_option is not None, "N and --n: give it once."),
        (request.output == "-" and request.as_json, "-o - and --json: stdout cannot carry both."),
        (request.seeds is not None and request.seed is not None, "--seed and --seeds: give one of them."),
        (request.seeds is not None and request.output is not None, "--seeds and -o: a table has no single board."),
        (request.moves and request.trace is None, "--moves: they are kept in a trace, --trace moves.npz --moves."),
        (request.seeds is not None and request.trace is not None, "--seeds and --trace: a table has no single trace."),
        (request.seeds is not None and request.poster is not None, "--seeds and --poster: there is no single board."),
        (
            request.plot is not None and request.seeds is not None and len(request.seeds) > _MOST_DRAWN,
            f"--plot draws at most {_MOST_DRAWN} runs over each other: --seeds names {len(request.seeds or ()):,}.",
        ),
    ]
    files = {"-o": request.output, "--trace": request.trace, "--plot": request.plot, "--poster": request.poster}
    for (one, path), (other, other_path) in itertools.combinations(files.items(), 2):
        if path is not None and other_path is not None and os.path.realpath(path) == os.path.realpath(other_path):
            together.append((True, f"{one} and {other}: they name the same file."))
    together += [(request.file == request.queens_file == "-", "--file and --queens-file: stdin cannot carry both.")]
    if request.counting:
        together += [
            (value is not None, f"--count and {option}: counting makes no board.")
            for option, value in {
                "--file": request.file,
                "--board": request.board,
                "--seed": request.seed,
                "--seeds": request.seeds,
                "--max-steps": request.max_steps,
                "--restarts": request.restarts,
                "--max-nodes": request.max_nodes,
                "--plot": request.plot,
                "--poster": request.poster,
                "--trace": request.trace,
                "-o": request.output,
            }.items()
        ]
    for is_wrong, message in together:
        if is_wrong:
            raise click.UsageError(message)


def _check_files(request: _Request) -> None:
    """Find out before the work what cannot be written after it."""
    from fastqueens.boardfile import check_suffix
    from fastqueens.tracefile import check_keeps_moves, check_trace_suffix
    from fastqueens.wholefile import check_target

    if request.output == "-":
        if sys.stdout is None:
            raise click.UsageError("-o -: stdout is closed.")
    elif request.output is not None:
        check_suffix(request.output)
        check_target(request.output)
    if request.trace is not None:
        check_trace_suffix(request.trace)
        if request.moves:
            check_keeps_moves(request.trace)
        check_target(request.trace)
    for picture in (request.plot, request.poster):
        if picture is not None:
            check_picture_file(picture)


def _arguments(request: _Request, session: Session) -> dict[str, Any]:
    """What :func:`fastqueens.solve` is called with, but for the seed; the board is read here."""
    from fastqueens.board import size_of

    board = boards.given_board(session, request.file, request.board, request.rows_from)
    n = request.n if request.n_option is None else request.n_option
    if n is None and board is None:
        n = boards.QUEENS_IF_NOTHING_IS_GIVEN
    fixed = given_squares(
        session, size_of(n, board), request.queen, request.queens_file, request.rows_from,
        to_solve=not request.counting,
    )  # fmt: skip
    return {
        "n": n,
        "board": board,
        "fixed": fixed,
        "start": request.start,
        "max_steps": request.max_steps,
        "restarts": request.restarts,
        "max_nodes": request.max_nodes,
        "trace": request.trace is not None or request.plot is not None,
        "moves": request.moves,
        "threads": request.threads,
        "force": request.force,
        "stop": session.stop.is_set,
    }


@contextmanager
def _hint_at_force() -> Iterator[None]:
    from fastqueens.board import NotEnoughMemoryError

    try:
        yield
    except NotEnoughMemoryError as error:
        error.add_note("Hint: --force begins all the same.")
        raise


def _solve_once(session: Session, arguments: dict[str, Any], request: _Request) -> int:
    if _is_made_in_file(request, arguments):
        result, writing = _solved_in_file(session, arguments, request)
    else:
        result, writing = _solved(session, arguments, request), None
    session.display.clear()
    if request.as_json:
        click.echo(json.dumps(result.as_dict()))
    _say(_summary(result, request), request)
    if writing is None:
        writing = _write(result, request, session)
    if request.output is not None and request.output != "-" and writing > _LONG_WRITING:
        session.display.clear()
        _say([f"Wrote {file_label(request.output)} in {duration(writing)}."], request)
    _write_trace(result, request, session)
    if request.plot is not None:
        draw(session, result, request.plot)
    if request.poster is not None:
        draw_poster_of(session, result, request.poster)
    return SOLVED if result.solved else NOT_SOLVED


def _solve_seeds(session: Session, arguments: dict[str, Any], request: _Request, seeds: list[int]) -> int:
    """Solve once for each seed: a table, and the runs over each other in a picture where one is wanted."""
    drawn: list[Run] = []

    def keep(result: Result) -> None:
        if request.plot is not None:
            from fastqueens.pictures.curves import Run

            drawn.append(Run.of(result))

    exit_code = solve_many(session, arguments, seeds, as_json=request.as_json, quiet=request.quiet, keep=keep)
    if request.plot is not None:
        draw(session, drawn, request.plot)
    return exit_code


def _is_made_in_file(request: _Request, arguments: dict[str, Any]) -> bool:
    """Whether the board is solved straight into its file, so that it need not fit into memory."""
    from fastqueens.boardfile import can_be_mapped

    if request.output in (None, "-") or request.rows_from != 0 or arguments["board"] is not None:
        return False
    return arguments["n"] >= _MADE_IN_FILE_FROM and can_be_mapped(str(request.output))


def _solved_in_file(session: Session, arguments: dict[str, Any], request: _Request) -> tuple[Result, float]:
    """Solve into the file: the result, and the seconds that the rest of the writing took."""
    from fastqueens.boardfile import mapped_board

    session.display.report("reserving disk space")
    with mapped_board(str(request.output), arguments["n"]) as out:
        result = _solved(session, arguments, request, out)
        session.display.report(f"writing {file_label(str(request.output))}")
        begun = time.perf_counter()
    return result, time.perf_counter() - begun


def _solved(session: Session, arguments: dict[str, Any], request: _Request, out: Queens | None = None) -> Result:
    import fastqueens

    result = fastqueens.solve(**arguments, seed=request.seed, out=out, progress=session.display.report)
    session.check_stop()
    return result


def _say(lines: list[str], request: _Request) -> None:
    for line in () if request.quiet else lines:
        click.echo(line, err=request.as_json or request.output == "-")


def _summary(result: Result, request: _Request) -> list[str]:
    """Say what was done, in sentences and, for a small board, in drawings."""
    restarts = f" and {count(len(result.restarts), 'restart')}" if result.restarts else ""
    allocation = result.timings.allocation
    before = [f"Got the memory in {duration(allocation)}."] if allocation > _LONG_ALLOCATION else []
    before += [
        _first_board(result, request),
        f"Initial board: {count(result.initial_pairs, 'attacking pair')}.",
    ]
    after = [
        f"Searched for {duration(result.timings.search)}: {count(result.steps, 'step')}{restarts}.",
        _verdict(result),
        *_exact_search(result),
    ]
    if result.n < _LARGEST_DRAWN and result.initial_queens is not None:
        given = result.fixed[:, 0].tolist()
        before.append(f"\n{drawing(result.initial_queens, request.origin, given)}\n")
        after.append(f"\n{drawing(result.queens, request.origin, given)}")
    return before + after


def _first_board(result: Result, request: _Request) -> str:
    given = len(result.fixed)
    queens = count(result.n - given, "queen") + (f" beside {count(given, 'given one')}" if given else "")
    took = duration(result.timings.placement)
    if request.file is None and request.board is None:
        return f"Placed {queens} in {took} ({result.start} start, seed {result.seed})."
    source = "--board" if request.file is None else file_label(request.file)
    return f"Set up {queens} from {source} in {took} (seed {result.seed})."


def _exact_search(result: Result) -> list[str]:
    """Say what came of the exact search, and that nothing is known where there was none."""
    from fastqueens.exact import MOST_EMPTY

    tried = f"{count(result.nodes, 'square')} tried"
    if result.solved:
        return [f"The exact search found it: {tried}."] if result.nodes else []
    if result.nodes:
        return [f"The exact search has neither found a solution nor excluded one: {tried}; --max-nodes tries more."]
    if len(result.fixed):
        can_be_exact = result.n - len(result.fixed) <= MOST_EMPTY
        longer = "--restarts, --max-steps and --max-nodes" if can_be_exact else "--restarts and --max-steps"
        return [f"Whether the given queens leave a solution is not known; {longer} search longer."]
    return []


def _verdict(result: Result) -> str:
    if result.solved:
        solved = click.style("Solved", fg="green")
        return (
            f"{solved} and verified in {duration(result.timings.verification)}: "
            "no two queens share a row or a diagonal."
        )
    left = f"{count(result.pairs, 'attacking pair')} and {count(result.conflicting_queens, 'conflicting queen')} left"
    return f"{click.style('Not solved', fg='red')}: {left}."


def _write(result: Result, request: _Request, session: Session) -> float:
    """Write the board where asked for; gives the seconds it took."""
    from fastqueens.boardfile import write_board, write_board_text

    begun = time.perf_counter()
    if request.output == "-":
        write_board_text(sys.stdout.buffer, result.queens, rows_from=request.rows_from)
    elif request.output is not None:
        session.display.report(f"writing {file_label(request.output)}")
        write_board(request.output, result.queens, rows_from=request.rows_from)
    return time.perf_counter() - begun


def _write_trace(result: Result, request: _Request, session: Session) -> None:
    from fastqueens.tracefile import Header, write_trace

    if request.trace is not None and result.trace is not None:
        session.display.report(f"writing {file_label(request.trace)}")
        header = Header(result.n, result.seed, result.start)
        write_trace(request.trace, result.trace, result.restarts, header, result.moves)
