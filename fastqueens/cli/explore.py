"""The command ``explore``: a page for the browser, on which a board can be explored or a search played."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from fastqueens.cli import inputs, options
from fastqueens.cli.options import BoardOrN, ConstraintOptions, Group, command, given, option, output
from fastqueens.cli.output import file_label
from fastqueens.cli.session import Session

if TYPE_CHECKING:
    from fastqueens.explorer.showing import Shown


class _Output(Group):
    path: str | None = output("Write the page to this file (.html .htm), and do not open it.")
    no_browser: bool = option("--no-browser", "Write the page, and do not open the browser.")
    threads: int | None = options.threads
    quiet: bool = options.quiet


@command("fastqueens explore\nfastqueens explore 1000000\nfastqueens explore board.npy -o board.html")
def explore(session: Session, board: BoardOrN, constraints: ConstraintOptions, output: _Output) -> None:
    """Open a page that solves, searches and saves boards in the browser.

    The page begins with a board from a file (- for stdin), or one that is solved for N queens or for --instance, and
    also shows fixed queens, blocked squares and excluded diagonals. If the file is a trace with moves, the page replays
    the search step by step. `solve --trace moves.npz` and `climb -o` write such traces.

    The page is a single file and works without a network. It is written to the current folder, for example as
    queens-1000000.html, and never replaces an existing file. A page holds up to 10 million queens. For larger boards,
    `show -o` and `poster` draw the density of the queens.
    """
    from fastqueens.explorer import showing
    from fastqueens.explorer.page import check_fits_inside, page_that_solves

    path, source = output.path, board.source
    check_fits_inside(inputs.parse_n(source) or 0)
    if path is None:
        showing.check_folder()
    if source is None and not given(*BoardOrN.__annotations__, *ConstraintOptions.__annotations__):
        name, page, words = showing.NAME_WITHOUT_BOARD, page_that_solves(), "a page that solves"
    else:
        shown = _shown(session, board, constraints, output.threads)
        name, page, words = shown.page_name, shown.page(), shown.words
    session.writing(path or "a page")
    if path is None:
        path = showing.write_new_page(name, page)
    else:
        showing.write_page(path, page)
    session.wrote(path, words)
    if output.path is None and not output.no_browser and not showing.open_page(path):
        session.warn(f"no browser was found; open {file_label(path)} in a browser")


def _shown(session: Session, board: BoardOrN, constraints: ConstraintOptions, threads: int | None) -> Shown:
    """Read or solve the board, or read the search that the page is to begin with."""
    from fastqueens.explorer.showing import Shown

    if board.source is not None and os.path.splitext(board.source)[1].lower() == ".npz":
        return _search(session, board.source, constraints)
    queens, result, instance = inputs.read_or_solve(session, board, constraints, threads)
    if result is None:
        return Shown(queens, instance, board.source)
    return Shown(queens, instance, seed=result.seed, sweeps=result.sweeps)


def _search(session: Session, source: str, constraints: ConstraintOptions) -> Shown:
    """Return the first board of a search and its moves."""
    from fastqueens.explorer.page import course_data
    from fastqueens.explorer.showing import Shown
    from fastqueens.files.traces import read_moves, read_trace_and_header

    inputs.check_unsolved()
    session.reading(source)
    trace, restarts, moves = read_moves(source)
    queens = moves.first_boards[0]
    instance = inputs.instance_of(session, len(queens), constraints)
    algorithm = read_trace_and_header(source)[2].algorithm
    return Shown(queens, instance, source, course=course_data(trace, restarts, moves), algorithm=algorithm)
