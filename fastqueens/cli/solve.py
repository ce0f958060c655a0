"""``fastqueens solve``: place a board or read one, search it, report it and write it."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import boards
from fastqueens.cli.fixed_queens import fixed_squares
from fastqueens.cli.notes import progress_and_notes
from fastqueens.cli.plot import draw
from fastqueens.cli.poster import draw_poster_of
from fastqueens.cli.session import NOT_SOLVED, SOLVED, Session
from fastqueens.cli.solve_count import count_solutions
from fastqueens.cli.solve_options import SolveCommand, solve_options
from fastqueens.cli.solve_report import report_lines
from fastqueens.cli.solve_request import Request, check_request
from fastqueens.cli.solve_seeds import solve_many
from fastqueens.cli.wording import duration, file_label

if TYPE_CHECKING:
    from fastqueens.core.board import Queens
    from fastqueens.pictures.curves import Run
    from fastqueens.solving.result import Result

#: Writing that takes longer (in seconds) gets its own sentence.
_LONG_WRITING = 0.1


@click.command(
    cls=SolveCommand,
    short_help="Place N queens so that none attacks another.",
    epilog="\b\nExample:\n  fastqueens solve 1e6 --seed 1 -o board.npy",
)
@solve_options
@click.pass_obj
def solve(session: Session, /, **parameters: Any) -> int:
    """Place N queens (default: 8) so that none attacks another.

    N may be written 1000000, 1_000_000 or 1e6. Boards of fewer than 33 queens are drawn before and after the search,
    with fixed queens as G.
    """
    request = Request(**parameters)
    check_request(request)
    with progress_and_notes(session.display, quiet=request.quiet):
        arguments = _arguments(request, session)
        session.check_stop()
        if request.counting:
            n, squares = arguments["n"], arguments["fixed"]
            return count_solutions(session, n, squares, request.threads, as_json=request.as_json, quiet=request.quiet)
        with _hint_at_force():
            if request.seeds is not None:
                return _solve_seeds(session, arguments, request, request.seeds)
            return _solve_once(session, arguments, request)


def _arguments(request: Request, session: Session) -> dict[str, Any]:
    """Return the arguments of :func:`fastqueens.solve`, except the seed, after reading the board and fixed queens."""
    from fastqueens.core.board import size_of

    board = boards.starting_board(session, request.file, request.board, request.rows_from)
    n = request.n if request.n_option is None else request.n_option
    if n is None and board is None:
        n = boards.DEFAULT_N
    fixed = fixed_squares(session, size_of(n, board), request.queen, request.queens_file, request.rows_from)
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
    from fastqueens.core.errors import NotEnoughMemoryError

    try:
        yield
    except NotEnoughMemoryError as error:
        error.add_note("Hint: --force starts anyway.")
        raise


def _solve_once(session: Session, arguments: dict[str, Any], request: Request) -> int:
    if _is_built_in_file(request, arguments):
        result, writing = _solved_in_file(session, arguments, request)
    else:
        result, writing = _solved(session, arguments, request), None
    session.display.clear()
    if request.as_json:
        click.echo(json.dumps(result.as_dict()))
    _print(report_lines(result, request), request)
    if writing is None:
        writing = _write(result, request, session)
    if request.output is not None and request.output != "-" and writing > _LONG_WRITING:
        session.display.clear()
        _print([f"Wrote {file_label(request.output)} in {duration(writing)}."], request)
    _write_trace(result, request, session)
    if request.plot is not None:
        draw(session, result, request.plot)
    if request.poster is not None:
        draw_poster_of(session, result, request.poster)
    return SOLVED if result.solved else NOT_SOLVED


def _solve_seeds(session: Session, arguments: dict[str, Any], request: Request, seeds: list[int]) -> int:
    """Solve once for each seed, print a table, and plot the runs over each other if ``--plot`` asks for it."""
    runs: list[Run] = []

    def collect(result: Result) -> None:
        if request.plot is not None:
            from fastqueens.pictures.curves import Run

            runs.append(Run.of(result))

    exit_code = solve_many(session, arguments, seeds, as_json=request.as_json, quiet=request.quiet, on_result=collect)
    if request.plot is not None:
        draw(session, runs, request.plot)
    return exit_code


def _is_built_in_file(request: Request, arguments: dict[str, Any]) -> bool:
    """Tell whether the board is built in its mapped file, so that it need not fit into memory."""
    from fastqueens.core import thresholds
    from fastqueens.files.board_npy import can_be_mapped

    if request.output in (None, "-") or request.rows_from != 0 or arguments["board"] is not None:
        return False
    return arguments["n"] >= thresholds.current.made_in_file and can_be_mapped(str(request.output))


def _solved_in_file(session: Session, arguments: dict[str, Any], request: Request) -> tuple[Result, float]:
    """Solve in the mapped file; return the result and the seconds that finishing the file took."""
    from fastqueens.files.board_npy import mapped_board

    session.display.report("reserving disk space")
    with mapped_board(str(request.output), arguments["n"]) as out:
        result = _solved(session, arguments, request, out)
        session.display.report(f"writing {file_label(str(request.output))}")
        start = time.perf_counter()
    return result, time.perf_counter() - start


def _solved(session: Session, arguments: dict[str, Any], request: Request, out: Queens | None = None) -> Result:
    import fastqueens

    result = fastqueens.solve(**arguments, seed=request.seed, out=out, progress=session.display.report)
    session.check_stop()
    return result


def _print(lines: list[str], request: Request) -> None:
    for line in () if request.quiet else lines:
        click.echo(line, err=request.as_json or request.output == "-")


def _write(result: Result, request: Request, session: Session) -> float:
    """Write the board to ``-o``, if given; return the seconds it took."""
    from fastqueens.files.boards import write_board, write_board_text

    start = time.perf_counter()
    if request.output == "-":
        write_board_text(sys.stdout.buffer, result.queens, rows_from=request.rows_from)
    elif request.output is not None:
        session.display.report(f"writing {file_label(request.output)}")
        write_board(request.output, result.queens, rows_from=request.rows_from)
    return time.perf_counter() - start


def _write_trace(result: Result, request: Request, session: Session) -> None:
    from fastqueens.files.traces import Header, write_trace

    if request.trace is not None and result.trace is not None:
        session.display.report(f"writing {file_label(request.trace)}")
        header = Header(result.n, result.seed, result.start)
        write_trace(request.trace, result.trace, result.restarts, header, result.moves)
