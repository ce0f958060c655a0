"""``fastqueens explore``: shows a board in the browser, from a local server or as a page in one file."""

from __future__ import annotations

import os
from typing import Any

import click

from fastqueens.cli import inputs
from fastqueens.cli.options import Stated
from fastqueens.cli.output import Output
from fastqueens.explorer import serving
from fastqueens.explorer.page import check_fits_inside, course_data
from fastqueens.explorer.serving import Shown
from fastqueens.files.traces import read_moves
from fastqueens.solving.given import sweeps_for


def explore(
    out: Output,
    *,
    board: str | None,
    output: str | None,
    port: int | None,
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
    if output is None:
        missing = serving.missing_library()
        if missing:
            raise click.UsageError(
                f"the local server needs {missing}: pip install starlette uvicorn, or install fastqueens with its "
                "extra [explore]. Without them, -o board.html writes the page to a file, for up to 2 million queens."
            )
        shown = _shown(out, board, stated, seed, mix, threads)
        _serve(out, shown, port or 0, open_browser=not no_browser, threads=threads)
        return
    check_fits_inside(inputs.parse_n(board) or 0)
    inputs.check_output(output, serving.PAGE_SUFFIXES)
    shown = _shown(out, board, stated, seed, mix, threads)
    out.writing(output)
    serving.write_page(output, shown)
    out.wrote(output, shown.words)


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


def _serve(out: Output, shown: Shown, port: int, *, open_browser: bool, threads: int | None) -> None:
    """Serve until a signal ends the process, which does not wait for this thread."""
    settings: dict[str, Any] = {"port": port, "open_browser": open_browser, "threads": threads, **out.callbacks}

    def announce(address: str) -> None:
        out.ends_with_ctrl_c("The server has ended.")
        out.result(f"{address} shows {shown.words}; Ctrl-C ends it.")

    with serving.prepared(shown, announce=announce, **settings) as (server, listener):
        server.run(sockets=[listener])
