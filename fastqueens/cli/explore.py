"""``fastqueens explore``: shows a board in the browser, from a local server or as a page in one file."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import boards, instances, options
from fastqueens.cli.notes import progress_and_notes
from fastqueens.cli.session import Session
from fastqueens.cli.wording import file_label, say, wrote

if TYPE_CHECKING:
    from fastqueens.explorer.serving import Shown


@click.command(
    cls=boards.CommandOfN,
    short_help="Explore a board in the browser.",
    epilog="\b\nExamples:\n  fastqueens explore 1000000\n  fastqueens explore board.npy -o board.html",
)
@boards.board_or_n_argument
@click.option("-o", "--output", metavar="FILE", help="Write the page to a .html file, for up to 2 million queens.")
@options.number("--port", metavar="PORT", help="Port of the local server. Default: any free port.")
@click.option("--no-browser", is_flag=True, help="Print the address without opening a browser.")
@boards.seed_option
@instances.instance_options
@options.rows_from
@options.threads_of_solving
@options.quiet
@click.pass_obj
def explore(session: Session, /, **parameters: Any) -> None:
    """Show a board in the browser, where you can pan and zoom.

    The board comes from a file (- for stdin), or is solved for N queens or for the instance. Fixed queens, blocked
    squares and excluded diagonals are drawn, too. A trace with moves is played step by step; `solve --trace moves.npz
    --moves` and `climb -o` write one.

    A local server serves the page to this machine only, until you press Ctrl-C. With -o, the page is written to a file
    and needs neither server nor network. Without -o, no file is written.
    """
    request = SimpleNamespace(**parameters)
    instances.check_board_or_n(request)
    _check_usage(request)
    with progress_and_notes(session.display, quiet=request.quiet):
        shown = _shown(session, request)
        if request.output is None:
            _serve(session, shown, request)
        else:
            _write_page(session, shown, request)


def _check_usage(request: SimpleNamespace) -> None:
    """Raise an error if options contradict each other, a library is missing, or the page cannot be written."""
    if request.output is None:
        _check_extra()
        return
    if request.port is not None or request.no_browser:
        raise click.UsageError("-o writes the page to a file and starts no server: leave out --port and --no-browser.")
    from fastqueens.explorer.page import check_fits_inside

    check_fits_inside(boards.parse_n(request.board or "") or 0)
    options.check_output(request.output, (".html", ".htm"))


def _check_extra() -> None:
    from fastqueens.explorer.serving import missing_library

    missing = missing_library()
    if missing:
        raise click.UsageError(
            f"the local server needs {missing}: pip install starlette uvicorn, or install fastqueens with its extra "
            "[explore]. Without them, -o board.html writes the page to a file, for up to 2 million queens."
        )


def _shown(session: Session, request: SimpleNamespace) -> Shown:
    path = request.board or ""
    if os.path.splitext(path)[1].lower() == ".npz":
        return _search(session, path, request)
    from fastqueens.explorer.serving import Shown

    queens, result, instance = instances.read_or_solve(session, request)
    if result is None:
        return Shown(queens, instance, path)
    return Shown(queens, instance, seed=result.seed)


def _search(session: Session, path: str, request: SimpleNamespace) -> Shown:
    """Return the first board of a search and its course."""
    from fastqueens.explorer.page import course_data
    from fastqueens.explorer.serving import Shown
    from fastqueens.files.traces import read_moves

    boards.check_seed_of_file(request.seed)
    session.display.report(f"reading {file_label(path)}")
    trace, restarts, moves = read_moves(path)
    queens = moves.first_boards[0]
    instance = instances.instance_of(session, len(queens), request)
    return Shown(queens, instance, path, course=course_data(trace, restarts, moves))


def _write_page(session: Session, shown: Shown, request: SimpleNamespace) -> None:
    from fastqueens.explorer.page import page_in_one_file
    from fastqueens.files.atomic import atomic_write

    session.display.report(f"writing {file_label(request.output)}")
    page = page_in_one_file(shown.queens, shown.name, shown.course, shown.instance)
    with atomic_write(request.output) as file:
        file.write(page)
    session.display.clear()
    if not request.quiet:
        say(wrote(request.output, shown.words))


def _serve(session: Session, shown: Shown, request: SimpleNamespace) -> None:
    """Serve until a signal ends the process, which does not wait for this thread."""
    from fastqueens.explorer import serving

    def announce(address: str) -> None:
        session.display.clear()
        say(f"{address} shows {shown.words}; Ctrl-C ends it.")

    asked = {"port": request.port or 0, "open_browser": not request.no_browser, "threads": request.threads}
    with serving.prepared(shown, **asked, announce=announce, **session.callbacks) as (server, listener):
        server.run(sockets=[listener])
