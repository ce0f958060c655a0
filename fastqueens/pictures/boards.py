"""Pictures of boards: queens and attacks, an instance as a puzzle, and the cost of each move."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any, SupportsIndex, TypedDict, Unpack, cast

import matplotlib as mpl
import numpy as np
from numpy.typing import NDArray

from fastqueens._run.arguments import check_integer, entries_of
from fastqueens._run.progress import Progress, Stop
from fastqueens._run.text import counted
from fastqueens.board import Queens, as_queens
from fastqueens.checking import attacking_pairs, conflicting_queens, violations
from fastqueens.classroom.moves import best_moves, move_costs
from fastqueens.errors import InputError
from fastqueens.instance import Instance
from fastqueens.pictures.chessboard import (
    LARGEST_WITH_DOTS,
    LARGEST_WITH_SQUARES,
    QUEEN,
    SQUARE,
    Chessboard,
    check_size,
    excluded_lines,
)
from fastqueens.pictures.density import density_picture
from fastqueens.pictures.figure import BOLD, Picture, caption, house_style, type_lines
from fastqueens.pictures.themes import theme

# Lengths in hundredths of an inch, so that squares are whole pixels at 100, 200 and 400 dpi: others shimmer.
_BOARD_SIDE, _SIDE_OF_DOTS = 640, 800
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 20, 50, 58
# A line of the caption and one of the title, and the size of its type in points.
_LINE, _TITLE_LINE, _TITLE_SIZE = 18, 29, 14
_DPI = 200

# On larger boards, a frame is easily overlooked.
_LARGEST_WITHOUT_RINGS = 40

#: On larger boards, numbers would be too small to read.
_LARGEST_MOVE_COSTS = 40

# The size of a queen above a number, how far she is above the middle of her square and the number below it, in squares.
_SMALL_QUEEN, _QUEEN_UP, _NUMBER_DOWN = 0.64, 0.19, 0.29


class BoardOptions(TypedDict, total=False):
    """Options of :func:`fastqueens.picture` for the surroundings of the squares."""

    origin: str
    rows_from: int
    title: str | None
    theme: str


def picture_by_size(
    board: Queens,
    *,
    instance: Instance | None = None,
    marked: Collection[SupportsIndex] = (),
    progress: Progress | None = None,
    stop: Stop | None = None,
    **options: Unpack[BoardOptions],
) -> Picture:
    """Draw up to 50,000 queens with :func:`board_picture`, and more as a density."""
    n, origin = len(board), options.get("origin", "upper")
    if n <= LARGEST_WITH_DOTS:
        return board_picture(board, instance=instance, marked=marked, **options)
    if marked:
        check_size(n, LARGEST_WITH_DOTS, "a picture of queens")
    if origin != "upper":
        raise InputError(f"origin is {origin!r}: a board of {n:,} queens is drawn with its first row at the top")
    look = {"title": options.get("title"), "theme": options.get("theme", "light")}
    return density_picture(board, instance=instance, progress=progress, stop=stop, **look)  # type: ignore[arg-type]


def board_picture(
    queens: Sequence[int] | NDArray[Any],
    *,
    instance: Instance | None = None,
    attacks: bool = True,
    marked: Collection[SupportsIndex] = (),
    **options: Unpack[BoardOptions],
) -> Picture:
    """Draw at most 50,000 queens, and a line from each queen to the next one that she attacks.

    More than 64 queens are dots without squares. Takes O(n log n) time.

    >>> figure = board_picture([0, 0, 1, 2, 4])
    >>> figure.get_supxlabel()
    'n = 5, 5 attacking pairs, 5 conflicting queens'
    """
    with house_style(options.get("theme", "light")):
        board = as_queens(queens)
        n = len(board)
        check_size(n, LARGEST_WITH_DOTS, "a picture of queens")
        framed = columns = _checked_columns(marked, n)
        text = _caption(board, len(columns))
        if instance is not None:
            wrong = violations(board, instance)
            text += "" if instance.is_free else f"; {_constraint_words(instance, wrong.words)}"
        drawn = _framed_board(n, counted(n, "queen"), text, options)
        violating: NDArray[np.int64] = columns[:0]
        if instance is not None:
            fixed = instance.fixed
            drawn.draw_exclusions(instance)
            drawn.draw_frames(fixed.columns, fixed.rows)
            framed = np.union1d(columns, np.setdiff1d(fixed.columns, wrong.missing))
            violating = np.union1d(wrong.blocked, wrong.excluded)
        drawn.draw_frames(columns, board[columns])
        if attacks:
            drawn.draw_attacks(board)
        drawn.draw_queens(np.arange(n), board, framed, violating)
        if n > _LARGEST_WITHOUT_RINGS:
            drawn.draw_rings(columns, board[columns], options.get("rows_from", 0))
        return cast(Picture, drawn.axes.figure)


def instance_picture(instance: Instance, **options: Unpack[BoardOptions]) -> Picture:
    """Draw a board of at most 50,000 queens as a puzzle: fixed queens, blocked squares and excluded diagonals.

    >>> from fastqueens.instance import make_instance
    >>> figure = instance_picture(make_instance(8, [(1, 3), (3, 4)], excluded_sums=[0]))
    >>> figure.get_supxlabel()
    'n = 8, 6 queens to place; 2 fixed queens and 1 excluded sum diagonal (dashed)'
    """
    with house_style(options.get("theme", "light")):
        n, fixed = instance.n, instance.fixed
        check_size(n, LARGEST_WITH_DOTS, "a picture of queens")
        text = f"n = {n:,}, {counted(instance.free_columns, 'queen')} to place"
        text += "" if instance.is_free else f"; {_constraint_words(instance)}"
        drawn = _framed_board(n, counted(n, "queen"), text, options)
        drawn.draw_exclusions(instance)
        drawn.draw_queens(fixed.columns, fixed.rows)
        return cast(Picture, drawn.axes.figure)


def move_costs_picture(queens: Sequence[int] | NDArray[Any], **options: Unpack[BoardOptions]) -> Picture:
    """Draw on each square the cost after the queen of its column has moved there, with the best moves filled.

    The board has at most 40 queens. Below each queen is the present cost.

    >>> figure = move_costs_picture([0, 0, 1, 2, 4])
    >>> figure.get_supxlabel()
    'n = 5, 5 attacking pairs, 1 best move to 2'
    """
    with house_style(options.get("theme", "light")):
        board = as_queens(queens)
        n = len(board)
        check_size(n, _LARGEST_MOVE_COSTS, "a picture of all moves")
        costs = move_costs(board)
        best = best_moves(board, costs)
        words = f"n = {n}, {counted(int(costs[board[0], 0]), 'attacking pair')}, "
        words += f"{counted(len(best), 'best move')} to {costs[best[0, 1], best[0, 0]]:,}" if len(best) else "no move"
        drawn = _framed_board(n, f"{counted(n, 'queen')}: attacking pairs after every move", words, options, 0.5)
        drawn.shapes(SQUARE, drawn.centres(*best.T), 0.92, theme().best)
        places = drawn.centres(np.arange(n), board) + np.array([0, _QUEEN_UP])
        drawn.shapes(QUEEN, places, _SMALL_QUEEN, theme().ink)
        _write_costs(drawn, board, costs, {tuple(move) for move in best.tolist()})
        return cast(Picture, drawn.axes.figure)


def _framed_board(n: int, heading: str, text: str, options: BoardOptions, fading: float = 0) -> Chessboard:
    """Return a board in a figure with its title, or this heading if there is none, coordinates and a caption."""
    side = _BOARD_SIDE // n * n if n <= LARGEST_WITH_SQUARES else _SIDE_OF_DOTS
    # Each further line of the title and of the caption needs more room.
    title = type_lines(options.get("title") or heading, side / 100, _TITLE_SIZE, BOLD)
    text = type_lines(text, side / 100, mpl.rcParams["legend.fontsize"])
    bottom, top = _BOTTOM + text.count("\n") * _LINE, _TOP + title.count("\n") * _TITLE_LINE
    figure = Picture(figsize=((_LEFT + side + _RIGHT) / 100, (bottom + side + top) / 100), dpi=_DPI)
    axes = figure.axes_at(_LEFT / 100, bottom / 100, side / 100, side / 100)
    drawn = Chessboard(axes, n, options.get("origin", "upper"), fading=fading)
    drawn.write_coordinates(options.get("rows_from", 0))
    axes.set_title(title, fontsize=_TITLE_SIZE)
    caption(figure, text, left=axes.get_position().x0)
    return drawn


def _write_costs(drawn: Chessboard, board: Queens, costs: NDArray[np.int64], best: set[tuple[int, ...]]) -> None:
    look = theme()
    size = drawn.points * min(0.42, 1.15 / len(str(costs.max())))
    for (row, column), cost in np.ndenumerate(costs):
        x, y = drawn.at(np.array([column, row]) + 0.5)
        down, share = (_NUMBER_DOWN, 0.75) if board[column] == row else (0, 1)
        color, weight = (look.paper, "bold") if (column, row) in best else (look.ink, "normal")
        text = drawn.axes.text(x, y - down, str(cost), ha="center", va="center_baseline", color=color)
        text.set(fontsize=share * size, fontweight=weight)


def _checked_columns(marked: Collection[SupportsIndex], n: int) -> NDArray[np.int64]:
    listed = entries_of(marked, "marked", "a list of columns")
    columns = {check_integer(column, "marked: column", 0, n - 1, "on this board ") for column in listed}
    return np.array(sorted(columns), np.int64)


def _caption(board: Queens, marked: int) -> str:
    pairs = attacking_pairs(board)
    conflicts = f"{counted(pairs, 'attacking pair')}, {counted(conflicting_queens(board), 'conflicting queen')}"
    marks = f", {counted(marked, 'marked queen')}" if marked else ""
    return f"n = {len(board):,}, {conflicts if pairs else 'no queen attacks another'}{marks}"


def _constraint_words(instance: Instance, violated: str = "") -> str:
    """Return the constraints of an instance, how they are drawn, and the violations of a board.

    >>> from fastqueens.instance import make_instance
    >>> _constraint_words(make_instance(8, [(1, 3)], blocked=[(0, 0)], excluded_sums=[2]))
    '1 fixed queen, 1 blocked square (dark) and 1 excluded sum diagonal (dashed)'
    """
    words = re.sub("blocked squares?", r"\g<0> (dark)", instance.constraints)
    words += " (dashed)" if len(excluded_lines(instance)) else ""
    return f"{words}; {violated}" if violated else words
