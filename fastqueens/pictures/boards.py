"""Pictures of boards: queens and attacks, dots on large boards, an instance as a puzzle, and the cost of each move."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from fastqueens._run.arguments import check_integer
from fastqueens._run.progress import Progress, Stop, shows_progress
from fastqueens._run.text import counted
from fastqueens.board import Board, Queens, as_queens
from fastqueens.checking import attacking_pairs, conflicting_queens, violations
from fastqueens.classroom.moves import best_moves, move_costs
from fastqueens.errors import InputError
from fastqueens.instance import Instance
from fastqueens.pictures import style
from fastqueens.pictures.chessboard import Chessboard, Frame, framed_board, growth_of
from fastqueens.pictures.density import density_picture
from fastqueens.pictures.figure import SQUARE, Picture
from fastqueens.pictures.squares import (
    LARGEST_MOVE_COSTS,
    LARGEST_WITH_CROWNS,
    LARGEST_WITH_DOTS,
    check_size,
    excluded_lines,
)
from fastqueens.result import Result
from fastqueens.solver import given_or_solved

# On larger boards a frame is easily overlooked.
_LARGEST_WITHOUT_RINGS = 40

# On larger boards a queen has no room for a number.
_LARGEST_WITH_COST_ON_QUEEN = 16


@shows_progress
def picture(
    queens: Board | Result | int,
    *,
    instance: Instance | None = None,
    seed: int | None = None,
    marked: Collection[int] = (),
    origin: str = "upper",
    rows_from: int = 0,
    title: str | None = None,
    theme: str = "light",
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Picture:
    """Draw a board: up to 50,000 queens one by one with their attacks, larger boards as a density.

    Parameters
    ----------
    queens : int, sequence or array of n integers, or Result
        n, for a board that is solved with ``seed``; or the row of the queen in each column, from 0. A mapped file stays
        on disk.
    instance : Instance, optional
        What the board is to respect: fixed queens are framed, blocked squares dark, and excluded diagonals dashed.
        Queens on such squares and diagonals have the colour of attacks; the frame of a missing fixed queen is empty. A
        density shows excluded diagonals if they are few; its caption counts everything that an instance asks for.
    marked : collection of int
        Columns whose queens are framed and coloured. Above 40 queens they have a ring and a label. A density has none.
    origin : "upper" or "lower"
        Where row 0 is drawn; at the top of a density. Column 0 is at the left.
    rows_from : int
        The number of the first row.
    title : str, optional
        By default the number of queens.
    theme : "light", "dark", "transparent" or "dark-transparent"
        Colours for a light or a dark page; around the board, a transparent picture shows the page.
    seed : int, optional
        For a board that is solved; see :func:`fastqueens.solve`.
    progress, stop : callable, optional
        See :func:`fastqueens.solve`; only a density takes long.

    Returns
    -------
    Picture
        A notebook shows it; ``savefig`` writes it.

    Raises
    ------
    InputError
        If ``queens`` is not a board, or a board of more than 50,000 queens is to have marks or row 0 at the bottom.

    Examples
    --------
    >>> picture([1, 3, 0, 2]).get_supxlabel()
    'n = 4, no queen attacks another'
    >>> picture(range(100_000)).get_supxlabel()
    'n = 100,000. Every queen is counted: the cells add up to 100,000.'
    """
    board, result = given_or_solved(queens, instance, seed=seed, trace=False, progress=progress, stop=stop)
    instance = result.instance if result is not None and instance is None else instance
    if len(board) <= LARGEST_WITH_DOTS:
        frame: Frame = {"origin": origin, "rows_from": rows_from, "title": title, "theme": theme}
        return board_picture(board, instance=instance, marked=marked, **frame)
    if marked:
        check_size(len(board), LARGEST_WITH_DOTS, "a picture of queens")
    if origin != "upper":
        raise InputError(
            f"origin is {origin!r}: a board of {len(board):,} queens is drawn with its first row at the top"
        )
    return density_picture(board, instance=instance, title=title, theme=theme, progress=progress, stop=stop)


def board_picture(
    queens: Sequence[int] | NDArray[Any],
    *,
    instance: Instance | None = None,
    attacks: bool = True,
    marked: Collection[int] = (),
    **frame: Unpack[Frame],
) -> Picture:
    """Draw a board of at most 50,000 queens, and a line from each queen to the next one that she attacks.

    If a line has more than two queens, the caption says how many pairs they are. Above 400 queens, queens are dots of
    one size, and no squares are drawn. O(n^2) time up to n = 400, for the squares, and O(n log n) above.

    >>> figure = board_picture([0, 0, 1, 2, 4])
    >>> figure.get_supxlabel()
    'n = 5, 5 attacking pairs, 5 conflicting queens; 3 queens on one line are 3 pairs'
    """
    with style.house_style(frame.get("theme", "light")):
        board = as_queens(queens)
        n = len(board)
        check_size(n, LARGEST_WITH_DOTS, "a picture of queens")
        framed = columns = _checked_columns(marked, n)
        text = _caption(board, len(columns))
        most = _most_on_a_line(board)
        if attacks and most > 2:
            text += f"; {most:,} queens on one line are {most * (most - 1) // 2:,} pairs"
        if instance is not None:
            wrong = violations(board, instance)
            text += "" if instance.is_free else f"; {constraint_words(instance, wrong.words)}"
        drawn, growth = framed_board(n, counted(n, "queen"), text, frame), growth_of(board)
        violating: NDArray[np.int64] = columns[:0]
        if instance is not None:
            fixed = instance.fixed
            drawn.draw_exclusions(instance)
            drawn.draw_frames(fixed.columns, fixed.rows, growth)
            framed = np.union1d(columns, np.setdiff1d(fixed.columns, wrong.missing))
            violating = np.union1d(wrong.blocked, wrong.excluded)
        drawn.draw_frames(columns, board[columns], growth)
        if attacks:
            drawn.draw_attacks(board)
        drawn.draw_queens(np.arange(n), board, growth, framed, violating)
        if n > _LARGEST_WITHOUT_RINGS:
            drawn.draw_rings(columns, board[columns])
        return drawn.figure


def instance_picture(instance: Instance, **frame: Unpack[Frame]) -> Picture:
    """Draw a board of at most 400 queens as a puzzle: fixed queens, blocked squares and excluded diagonals.

    >>> from fastqueens.instance import make_instance
    >>> figure = instance_picture(make_instance(8, [(1, 3), (3, 4)], excluded_sums=[0]))
    >>> figure.get_supxlabel()
    'n = 8, 6 queens to place; 2 fixed queens and 1 excluded sum diagonal (dashed)'
    """
    with style.house_style(frame.get("theme", "light")):
        n, fixed = instance.n, instance.fixed
        check_size(n, LARGEST_WITH_CROWNS, "a picture of queens")
        text = f"n = {n}, {counted(instance.free_columns, 'queen')} to place"
        text += "" if instance.is_free else f"; {constraint_words(instance)}"
        drawn = framed_board(n, counted(n, "queen"), text, frame)
        drawn.draw_exclusions(instance)
        drawn.draw_queens(fixed.columns, fixed.rows)
        return drawn.figure


def move_costs_picture(queens: Sequence[int] | NDArray[Any], **frame: Unpack[Frame]) -> Picture:
    """Draw on each square the cost after the queen of its column has moved there; the best moves are filled.

    There are at most 40 queens. A queen shows the present cost, if squares are large enough.

    >>> figure = move_costs_picture([0, 0, 1, 2, 4])
    >>> figure.get_supxlabel()
    'n = 5, 5 attacking pairs, 1 best move to 2'
    """
    with style.house_style(frame.get("theme", "light")):
        board = as_queens(queens)
        n = len(board)
        check_size(n, LARGEST_MOVE_COSTS, "a picture of all moves")
        costs = move_costs(board)
        best = best_moves(board, costs)
        words = f"n = {n}, {counted(int(costs[board[0], 0]), 'attacking pair')}, "
        words += f"{counted(len(best), 'best move')} to {costs[best[0, 1], best[0, 0]]:,}" if len(best) else "no move"
        drawn = framed_board(n, f"{counted(n, 'queen')}: attacking pairs after every move", words, frame, fading=0.5)
        drawn.shapes(SQUARE, drawn.places.centres(*best.T), 0.92, style.theme().best)
        drawn.draw_queens(np.arange(n), board, growth_of(board))
        _write_costs(drawn, board, costs, {tuple(move) for move in best.tolist()})
        return drawn.figure


def _write_costs(drawn: Chessboard, board: Queens, costs: NDArray[np.int64], best: set[tuple[int, ...]]) -> None:
    look = style.theme()
    size = drawn.points * min(0.42, 1.15 / len(str(costs.max())))
    for (row, column), cost in np.ndenumerate(costs):
        has_queen = board[column] == row
        if has_queen and len(board) > _LARGEST_WITH_COST_ON_QUEEN:
            continue
        x, y = drawn.places.at(np.array([column, row]) + 0.5)
        shift, fontsize = (-0.13, 0.48 * size) if has_queen else (0.01, size)
        color, weight = (look.paper, "bold") if has_queen or (column, row) in best else (look.ink, "normal")
        text = drawn.axes.text(x, y + shift, str(cost), ha="center", va="center_baseline", color=color)
        text.set(fontsize=fontsize, fontweight=weight)


def _checked_columns(marked: Collection[int], n: int) -> NDArray[np.int64]:
    for column in marked:
        check_integer(column, "marked: column", 0, n - 1, "on this board ")
    return np.array(sorted(set(marked)), np.int64)


def _caption(board: Queens, marked: int) -> str:
    pairs = attacking_pairs(board)
    conflicts = f"{counted(pairs, 'attacking pair')}, {counted(conflicting_queens(board), 'conflicting queen')}"
    marks = f", {counted(marked, 'marked queen')}" if marked else ""
    return f"n = {len(board):,}, {conflicts if pairs else 'no queen attacks another'}{marks}"


def _most_on_a_line(queens: Queens) -> int:
    """Return the greatest number of queens on a row or diagonal."""
    columns, rows = np.arange(len(queens)), queens.astype(np.int64)
    return max(int(np.bincount(line).max()) for line in (rows, rows + columns, rows - columns + len(queens)))


def constraint_words(instance: Instance, violated: str = "") -> str:
    """Return what an instance asks for and how it is drawn, and what a board violates.

    >>> from fastqueens.instance import make_instance
    >>> constraint_words(make_instance(8, [(1, 3)], blocked=[(0, 0)], excluded_sums=[2]))
    '1 fixed queen, 1 blocked square (dark) and 1 excluded sum diagonal (dashed)'
    """
    words = re.sub("blocked squares?", r"\g<0> (dark)", instance.constraints)
    words += " (dashed)" if len(excluded_lines(instance)) else ""
    return f"{words}; {violated}" if violated else words
