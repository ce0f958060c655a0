"""``fastqueens explore``: writes a page of a board, and opens it in the browser."""

from __future__ import annotations

import os

from fastqueens.cli import inputs
from fastqueens.cli.options import Stated
from fastqueens.cli.output import Output, file_label
from fastqueens.explorer import showing
from fastqueens.explorer.page import check_fits_inside, course_data
from fastqueens.explorer.showing import Shown
from fastqueens.files.traces import read_moves
from fastqueens.solver import sweeps_for


def explore(
    out: Output,
    *,
    board: str | None,
    output: str | None,
    mix: int | None,
    no_browser: bool,
    no_mix: bool,
    seed: int | None,
    stated: Stated,
    threads: int | None,
) -> None:
    """Show a board in the browser."""
    if mix is None and not no_mix and Stated(rows_from=stated.rows_from) == stated:
        mix = sweeps_for(inputs.parse_n(board), None)
    check_fits_inside(inputs.parse_n(board) or 0)
    if output is None:
        showing.check_folder()
    else:
        inputs.check_output(output, showing.PAGE_SUFFIXES)
    shown = _shown(out, board, stated, seed, mix, threads)
    out.writing(output or "a page")
    if output is None:
        path = showing.write_new_page(shown)
    else:
        path = output
        showing.write_page(path, shown)
    out.wrote(path, shown.words)
    if output is None and not no_browser and not showing.open_page(path):
        out.warn(f"no browser was found; open {file_label(path)} in one")


def _shown(
    out: Output, board: str | None, stated: Stated, seed: int | None, mix: int | None, threads: int | None
) -> Shown:
    path = board or ""
    if os.path.splitext(path)[1].lower() == ".npz":
        return _search(out, path, stated, seed, mix)
    queens, result, instance = inputs.read_or_solve(out, board, stated, seed=seed, mix=mix, threads=threads)
    if result is None:
        return Shown(queens, instance, path)
    return Shown(queens, instance, seed=result.seed, sweeps=result.sweeps)


def _search(out: Output, path: str, stated: Stated, seed: int | None, mix: int | None) -> Shown:
    """Return the first board of a search and its course."""
    inputs.check_unsolved(seed, mix)
    out.reading(path)
    trace, restarts, moves = read_moves(path)
    queens = moves.first_boards[0]
    instance = inputs.instance_of(out, len(queens), stated)
    return Shown(queens, instance, path, course=course_data(trace, restarts, moves))
