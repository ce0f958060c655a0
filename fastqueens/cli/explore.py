"""``fastqueens explore``: walk around on a board in the browser, from a page in one file or from a local server."""

from __future__ import annotations

import os
import threading
import webbrowser
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import boards, options
from fastqueens.cli.notes import commented
from fastqueens.cli.session import SOLVED, Session
from fastqueens.cli.wording import count, file_label

if TYPE_CHECKING:
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
    """
    _check_usage(board, output, given)
    with commented(session.display, quiet=quiet):
        queens, _ = boards.board_or_solved(
            session, board, seed=given["seed"], rows_from=given["rows_from"], threads=given["threads"]
        )
        name = "" if board == "-" or boards.asked_size(board) is not None else os.path.basename(board)
        if output is not None:
            n_bytes = _write_page(session, queens, name, output)
            if not quiet:
                click.echo(f"Wrote {file_label(output)}: {count(len(queens), 'queen')} in {n_bytes / 1e6:,.1f} MB.")
        else:
            _serve(session, queens, board, name, given)
    return SOLVED


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


def _write_page(session: Session, queens: Queens, name: str, output: str) -> int:
    from fastqueens.explore.page import page_in_one_file
    from fastqueens.wholefile import whole_file

    session.display.report(f"writing {file_label(output)}")
    page = page_in_one_file(queens, name)
    with whole_file(output) as file:
        file.write(page)
    session.display.clear()
    return len(page)


def _serve(session: Session, queens: Queens, board: str, name: str, given: dict[str, Any]) -> None:
    """Serve until a signal ends the process, which does not wait for this thread."""
    from fastqueens.explore import server
    from fastqueens.explore.tiles import Tiles

    listener = server.listening(given["port"] or 0)
    pyramid = _pyramid(session, queens, board, given["threads"])
    tiles = Tiles(queens, pyramid)
    session.display.clear()
    threading.Thread(target=tiles.mark_conflicts, daemon=True).start()
    address = server.address_of(listener)
    click.echo(f"{address} shows {count(len(queens), 'queen')}; Ctrl-C ends it.")
    if not given["no_browser"]:
        threading.Thread(target=_open_browser, args=(address,), daemon=True).start()
    server.server_of(server.application(tiles, name)).run(sockets=[listener])


def _pyramid(session: Session, queens: Queens, board: str, threads: int | None) -> Pyramid:
    """Count the board, or find the counts that are kept beside its file."""
    from fastqueens.explore.pyramid import KEPT_FROM, build_pyramid, kept_pyramid

    hooks: dict[str, Any] = {"threads": threads, "progress": session.display.report, "stop": session.stop.is_set}
    if len(queens) >= KEPT_FROM and os.path.splitext(board)[1].lower() == ".npy":
        return kept_pyramid(queens, board, **hooks)
    return build_pyramid(queens, **hooks)


def _open_browser(address: str) -> None:
    """Open the page; where there is no browser the address on stdout is enough."""
    webbrowser.open(address)
