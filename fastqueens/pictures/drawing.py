"""The public function ``picture``, which solves the board first if it gets a number of queens."""

from __future__ import annotations

from collections.abc import Collection
from typing import SupportsIndex

from matplotlib.axes import Axes

from fastqueens._run.arguments import Size, check_integer
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens.board import Board
from fastqueens.instance import Instance
from fastqueens.pictures.boards import BoardOptions, board_picture
from fastqueens.pictures.figure import Picture, check_title
from fastqueens.pictures.given import given_or_solved
from fastqueens.result import Result


@shows_progress
def picture(
    queens: Board | Result | SupportsIndex,
    *,
    style: str = "weave",
    instance: Instance | None = None,
    seed: SupportsIndex | None = None,
    marked: Collection[SupportsIndex] = (),
    origin: str = "upper",
    rows_from: SupportsIndex = 0,
    title: str | None = None,
    theme: str = "light",
    size: Size | None = None,
    ax: Axes | None = None,
    threads: SupportsIndex | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Picture:
    """Draw a board with the threads of its queens, and the lines that they share in red.

    Parameters
    ----------
    queens : int, sequence or array of n integers, or Result
        The number of queens of a board to solve and draw; or a board, as the row of the queen in each column from 0; or
        a result. A mapped file stays on disk.
    style : "weave", "dots" or "density", default "weave"
        A weave shows the two diagonals of each queen as threads, on squares and with crowns up to 30 queens. Up to
        50,000 queens can be dots without threads. A density shows how many queens are in each part of the board.
    instance : Instance, optional
        Constraints to draw: fixed queens are framed, blocked squares are dark, and excluded diagonals are dashed.
        Queens that violate a constraint have the colour of attacks, and a missing fixed queen leaves an empty frame. A
        density shows no constraints; its caption counts them.
    seed : int, optional
        Seed of the board to solve, from 0 to 2^64 - 1. By default, a seed is drawn.
    marked : collection of int, optional
        Columns whose queens are framed and coloured; above 40 queens, they get a ring and a label. By default none.
    origin : "upper" or "lower", default "upper"
        Where row 0 is drawn. Column 0 is at the left. A density has row 0 at the top.
    rows_from : int, default 0
        The number of the first row, 0 or 1.
    title : str, optional
        Title of the picture. By default, it states the number of queens.
    theme : "light", "dark", "transparent" or "dark-transparent", default "light"
        Colours for a light or a dark page. A transparent picture shows the page around the board.
    size : str or (width, height), optional
        Size in inches, or a text with a unit, such as "84x60mm". By default about 7 x 7.5 inches, so that each square
        consists of whole pixels at 100 and 200 dpi.
    ax : matplotlib.axes.Axes, optional
        Your own axes to draw into, in your type and without a caption. By default, a new figure is drawn.
    threads : int, optional
        Threads that solve the board. By default, all cores.
    time_limit, progress, stop : optional
        The longest time in seconds, the display of progress, and a function that ends the call; see docs/library.md.

    Returns
    -------
    Picture
        A notebook shows it, ``save`` writes it, and ``figure`` is its figure.

    Raises
    ------
    InputError
        If ``queens`` is not a board, if more than 50,000 queens would be dots, or if a density would have marked
        columns or row 0 at the bottom.
    NoSolutionError
        If the instance to solve has no solution.
    NotEnoughMemoryError
        If the threads of a weave do not fit into memory: 10 bytes per queen.
    Stopped, TimeLimitReached
        If ``stop`` returned True, or at the time limit.

    See Also
    --------
    poster : Draw a board for printing.
    explore : Show a board in the browser.

    Examples
    --------
    >>> picture([1, 3, 0, 2]).caption
    'n = 4, no queen attacks another'
    >>> picture(range(100_000), style="density").caption
    'n = 100,000. Every queen is counted: the cells add up to 100,000.'
    """
    callbacks = Callbacks.until(time_limit, progress, stop)
    rows_from = check_integer(rows_from, "rows_from", 0, 1)
    check_title(title)
    options: BoardOptions = {
        "origin": origin,
        "rows_from": rows_from,
        "title": title,
        "theme": theme,
        "size": size,
        "ax": ax,
    }
    with callbacks.of_parts() as parts:
        board, result = given_or_solved(queens, instance, seed=seed, trace=False, threads=threads, **parts)
        instance = result.instance if result is not None and instance is None else instance
        return board_picture(board, style=style, instance=instance, marked=marked, **parts, **options)
