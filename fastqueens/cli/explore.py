"""``fastqueens explore``: walk around on a board in the browser, from a page in one file or from a local server."""

from __future__ import annotations

import os
import threading
import webbrowser
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from fastqueens.cli import boards, options
from fastqueens.cli.notes import commented
from fastqueens.cli.session import SOLVED, Session
from fastqueens.cli.wording import count, file_label

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from starlette.types import ASGIApp

    from fastqueens.board import Queens
    from fastqueens.explore.pyramid import Pyramid


@click.command(
    short_help="Walk around on a board in the browser.",
    epilog="\b\nExamples:\n  fastqueens explore 1000000\n  fastqueens explore board.npy -o board.html",
)
@click.argument("board", metavar="BOARD_OR_N", type=options.FILE)
@click.option("-o", "--output", metavar="FILE", help="Write the page with its board, .html, up to 2 million queens.")
@click.option(
    "--port",
    metavar="PORT",
    callback=options.whole_number,
    help="Of the local server; the system chooses if not given.",
)
@click.option("--no-browser", is_flag=True, help="Print the address and leave it to you to open it.")
@click.option(
    "--seed", metavar="SEED", callback=options.whole_number, help="Of the board that is solved to be looked at."
)
@options.rows_from
@options.threads
@options.quiet
@click.pass_obj
def explore(session: Session, /, board: str, output: str | None, quiet: bool, **given: Any) -> int:
    """Show a board from a file (- for stdin), or one of N queens solved for it, as a page to move and zoom in.

    A server on this machine alone serves the page until Ctrl-C ends it. With -o the page is a file that needs no server
    and no network. Beside an .npy board of over 4 million queens a file NAME.npy.pyramid is kept, which makes the next
    start quick.

    A trace that kept its moves (solve --trace moves.npz --moves) is played step by step on its board.
    """
    _check_usage(board, output, given)
    with commented(session.display, quiet=quiet):
        shown = _shown(session, board, given)
        if output is None:
            _serve(session, shown, given)
        else:
            n_bytes = _write_page(session, shown, output)
            if not quiet:
                click.echo(
                    f"Wrote {file_label(output)}: {count(len(shown.queens), 'queen')} in {n_bytes / 1e6:,.1f} MB."
                )
    return SOLVED


class _Shown(NamedTuple):
    """What the page is about: a board, the file it came from, and the course of a search on it."""

    queens: Queens
    path: str | None
    course: dict[str, NDArray[Any]] | None = None

    @property
    def name(self) -> str:
        """What the page calls it."""
        return "" if self.path in (None, "-") else os.path.basename(str(self.path))


def _check_usage(board: str, output: str | None, given: dict[str, Any]) -> None:
    """Find out before the work what cannot be meant, or be done after it."""
    if output is None:
        _check_extra()
        return
    if given["port"] is not None or given["no_browser"]:
        raise click.UsageError("-o: a page in a file needs no server, so leave --port and --no-browser out.")
    from fastqueens.explore.page import check_fits_inside
    from fastqueens.wholefile import check_target, checked_suffix

    check_fits_inside(boards.asked_size(board) or 0)
    checked_suffix(output, (".html", ".htm"))
    check_target(output)


def _check_extra() -> None:
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise click.UsageError(
            f"the local server needs {error.name}: pip install 'fastqueens[explore]'. Without it, -o board.html writes "
            "the page of up to 2 million queens into a file."
        ) from None


def _shown(session: Session, board: str, given: dict[str, Any]) -> _Shown:
    if os.path.splitext(board)[1].lower() == ".npz":
        return _search(session, board, given)
    queens, result = boards.board_or_solved(
        session, board, seed=given["seed"], rows_from=given["rows_from"], threads=given["threads"]
    )
    return _Shown(queens, board if result is None else None)


def _search(session: Session, path: str, given: dict[str, Any]) -> _Shown:
    """The first board of a search, and its course."""
    from fastqueens.explore.course import course_data
    from fastqueens.tracefile import read_moves

    if given["seed"] is not None:
        raise click.UsageError("--seed: the board comes from a file; a seed is for a board that is solved.")
    session.display.report(f"reading {file_label(path)}")
    trace, restarts, moves = read_moves(path)
    return _Shown(moves.first_boards[0], path, course_data(trace, restarts, moves))


def _write_page(session: Session, shown: _Shown, output: str) -> int:
    """Write the page; gives its bytes."""
    from fastqueens.explore.page import page_in_one_file
    from fastqueens.wholefile import whole_file

    session.display.report(f"writing {file_label(output)}")
    page = page_in_one_file(shown.queens, shown.name, shown.course)
    with whole_file(output) as file:
        file.write(page)
    session.display.clear()
    return len(page)


def _serve(session: Session, shown: _Shown, given: dict[str, Any]) -> None:
    """Serve until a signal ends the process, which does not wait for this thread."""
    from fastqueens.explore import server

    with server.listening(given["port"] or 0) as listener:
        app = _application(session, shown, given)
        session.display.clear()
        address = server.address_of(listener)
        click.echo(f"{address} shows {count(len(shown.queens), 'queen')}; Ctrl-C ends it.")
        if not given["no_browser"]:
            # In a thread of its own: some browsers hold on to who opens them.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        server.server_of(app).run(sockets=[listener])


def _application(session: Session, shown: _Shown, given: dict[str, Any]) -> ASGIApp:
    from fastqueens.explore import server
    from fastqueens.explore.page import page_in_one_file
    from fastqueens.explore.tiles import Tiles

    if shown.course is not None:
        return server.application_of_page(page_in_one_file(shown.queens, shown.name, shown.course))
    tiles = Tiles(shown.queens, _pyramid(session, shown, given))
    tiles.load_kernels()
    threading.Thread(target=tiles.mark_conflicts, daemon=True).start()
    return server.application(tiles, shown.name)


def _pyramid(session: Session, shown: _Shown, given: dict[str, Any]) -> Pyramid:
    """Count the board, or find the counts that are kept beside its file, whose rows count from 0 then."""
    from fastqueens.explore.pyramid import KEPT_FROM, build_pyramid, kept_pyramid

    hooks: dict[str, Any] = {"threads": given["threads"], **session.hooks}
    path = shown.path or ""
    is_kept = os.path.splitext(path)[1].lower() == ".npy" and given["rows_from"] == 0
    if is_kept and len(shown.queens) >= KEPT_FROM:
        return kept_pyramid(shown.queens, path, **hooks)
    return build_pyramid(shown.queens, **hooks)
