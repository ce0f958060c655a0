"""``fastqueens solve``: place a board or read one, search it, report it and write it."""

from __future__ import annotations

import sys
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import boards
from fastqueens.cli.instances import instance_of
from fastqueens.cli.notes import progress_and_notes
from fastqueens.cli.session import NOT_SOLVED, SOLVED, Session
from fastqueens.cli.solve_options import check_request, solve_options
from fastqueens.cli.solve_report import report_lines, seeds_summary, seeds_table
from fastqueens.cli.wording import file_label, say, wrote
from fastqueens.core.errors import NoSolutionError, NotEnoughMemoryError

if TYPE_CHECKING:
    from fastqueens.core.board import Queens
    from fastqueens.solving.result import Result

#: If writing the board takes longer (in seconds), the report tells how long.
_LONG_WRITING = 0.1


@click.command(
    cls=boards.CommandOfN,
    short_help="Place N queens so that none attacks another.",
    epilog="\b\nExample:\n  fastqueens solve 1e6 --seed 1 -o board.npy",
)
@solve_options
@click.pass_obj
def solve(session: Session, /, **parameters: Any) -> int:
    """Place N queens (default: 8) so that none attacks another.

    You can write a million as 1000000, 1,000,000 or 1e6. Boards of fewer than 33 queens are drawn before and after
    the search, with fixed queens as F.
    """
    request = SimpleNamespace(**parameters)
    check_request(request)
    if request.n is None:
        request.n = request.n_option
    with progress_and_notes(session.display, quiet=request.quiet):
        arguments = _arguments(request, session)
        session.check_stop()
        if request.counting or request.unique or request.all_solutions is not None:
            from fastqueens.cli.enumeration import enumerate_solutions

            return enumerate_solutions(session, arguments["n"], arguments["instance"], request)
        try:
            if request.seeds is not None:
                return _solve_seeds(session, arguments, request)
            return _solve_once(session, arguments, request)
        except NotEnoughMemoryError as error:
            error.add_note("Hint: --force starts anyway.")
            raise


def _arguments(request: SimpleNamespace, session: Session) -> dict[str, Any]:
    """Return the arguments of :func:`fastqueens.solve`, except the seed, after reading the board and the instance."""
    board = boards.board_given(session, request)
    n = len(board) if board is not None else request.n
    if n is None and request.instance is None:
        n = boards.DEFAULT_N
    instance = instance_of(session, n, request)
    return {
        "n": n if instance is None else instance.n,
        "instance": instance,
        "board": board,
        "method": request.method,
        "start": request.start,
        "max_steps": request.max_steps,
        "restarts": request.restarts,
        "max_nodes": request.max_nodes,
        "trace": request.trace is not None or request.plot is not None,
        "moves": request.moves,
        "mix": request.mix,
        "threads": request.threads,
        "force": request.force,
        "stop": session.stop.is_set,
    }


def _with_instance(arguments: dict[str, Any]) -> dict[str, Any]:
    """Pass the instance, if there is one, as the first argument of :func:`fastqueens.solve`."""
    others = {name: value for name, value in arguments.items() if name != "instance"}
    return others if arguments["instance"] is None else {**others, "n": arguments["instance"]}


def _solve_once(session: Session, arguments: dict[str, Any], request: SimpleNamespace) -> int:
    try:
        if _is_built_in_file(request, arguments):
            result, writing = _solved_in_file(session, arguments, request)
        else:
            result, writing = _solved(session, arguments, request), None
    except NoSolutionError as error:
        if request.as_json:
            _print_proof(arguments, error)
        raise
    session.display.clear()
    if request.as_json:
        import json

        click.echo(json.dumps(result.as_dict()))
    _print(report_lines(result, request), request)
    if writing is None:
        writing = _write(result, request, session)
    if request.output not in (None, "-"):
        session.display.clear()
        _print([wrote(request.output, seconds=writing if writing > _LONG_WRITING else None)], request)
    _write_trace(result, request, session)
    if request.plot is not None:
        from fastqueens.cli.plot import draw

        draw(session, result, request.plot)
        _print_wrote(request.plot, request, session)
    if request.poster is not None:
        from fastqueens.cli.poster import draw_poster

        draw_poster(session, request.poster, result.queens, result)
        _print_wrote(request.poster, request, session)
    return SOLVED if result.solved else NOT_SOLVED


def _print_proof(arguments: dict[str, Any], error: NoSolutionError) -> None:
    """Print as JSON that there is no solution, and what it took to know."""
    import json

    instance = arguments["instance"]
    counts = {} if instance is None else instance.counts
    spent = {"nodes": error.nodes, "complete_search_seconds": error.seconds}
    click.echo(json.dumps({"n": arguments["n"], "solved": False, "solvable": False, **counts, **spent}))


def _solve_seeds(session: Session, arguments: dict[str, Any], request: SimpleNamespace) -> int:
    """Solve once for each seed, print a table or JSON, and plot the runs over each other if ``--plot`` asks for it."""
    import fastqueens

    figures, curves = [], []
    for done, seed in enumerate(request.seeds):
        session.display.report("seeds", done, len(request.seeds))
        result = fastqueens.solve(**_with_instance(arguments), seed=seed)
        session.check_stop()
        figures.append(result.as_dict())
        if request.plot is not None:
            from fastqueens.pictures.curves import Run

            curves.append(Run.of(result))
    session.display.clear()
    if request.as_json:
        import json

        click.echo("[" + ",\n ".join(map(json.dumps, figures)) + "]")
    if not request.quiet:
        if not request.as_json:
            click.echo(seeds_table(figures), nl=False)
        say(seeds_summary(figures), err=request.as_json)
    if request.plot is not None:
        from fastqueens.cli.plot import draw

        draw(session, curves, request.plot)
        _print_wrote(request.plot, request, session)
    return SOLVED if all(run["solved"] for run in figures) else NOT_SOLVED


def _is_built_in_file(request: SimpleNamespace, arguments: dict[str, Any]) -> bool:
    """Tell whether the board is built in its mapped file, so that it need not fit into memory."""
    if request.output in (None, "-") or request.rows_from != 0 or arguments["board"] is not None:
        return False
    from fastqueens.core import thresholds
    from fastqueens.files.board_npy import can_be_mapped

    return arguments["n"] >= thresholds.current.made_in_file and can_be_mapped(request.output)


def _solved_in_file(session: Session, arguments: dict[str, Any], request: SimpleNamespace) -> tuple[Result, float]:
    """Solve in the mapped file; return the result and the seconds that finishing the file took."""
    from fastqueens.files.board_npy import mapped_board

    session.display.report("reserving disk space")
    with mapped_board(request.output, arguments["n"]) as out:
        result = _solved(session, arguments, request, out)
        session.display.report(f"writing {file_label(request.output)}")
        start = time.perf_counter()
    return result, time.perf_counter() - start


def _solved(session: Session, arguments: dict[str, Any], request: SimpleNamespace, out: Queens | None = None) -> Result:
    import fastqueens

    result = fastqueens.solve(**_with_instance(arguments), seed=request.seed, out=out, progress=session.display.report)
    session.check_stop()
    return result


def _print(lines: list[str], request: SimpleNamespace) -> None:
    for line in () if request.quiet else lines:
        say(line, err=request.as_json or request.output == "-")


def _print_wrote(path: str, request: SimpleNamespace, session: Session) -> None:
    session.display.clear()
    _print([wrote(path)], request)


def _write(result: Result, request: SimpleNamespace, session: Session) -> float:
    """Write the board to ``-o``, if given; return the seconds it took."""
    start = time.perf_counter()
    if request.output is None:
        return 0
    from fastqueens.files.boards import write_board, write_board_text

    if request.output == "-":
        write_board_text(sys.stdout.buffer, result.queens, rows_from=request.rows_from)
    else:
        session.display.report(f"writing {file_label(request.output)}")
        write_board(request.output, result.queens, rows_from=request.rows_from)
    return time.perf_counter() - start


def _write_trace(result: Result, request: SimpleNamespace, session: Session) -> None:
    if request.trace is not None and result.trace is not None:
        from fastqueens.files.traces import Header, write_trace

        session.display.report(f"writing {file_label(request.trace)}")
        header = Header(result.n, result.seed, result.start)
        write_trace(request.trace, result.trace, result.restarts, header, result.moves)
        _print_wrote(request.trace, request, session)
