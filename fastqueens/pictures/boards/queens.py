"""The queens of a board on their squares, and the attacks between them; dots on large boards.

All shapes of a kind are one collection, so that 300 queens take a second.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, AffineDeltaTransform
from numpy.typing import NDArray

from fastqueens.check.verification import attacking_pairs, conflicting_queens
from fastqueens.check.violations import violations
from fastqueens.core.arguments import is_integer
from fastqueens.core.board import Queens, as_queens
from fastqueens.core.errors import InputError
from fastqueens.core.instance import Instance
from fastqueens.core.progress import Progress, Stop
from fastqueens.core.wording import counted
from fastqueens.pictures.boards.constraints import constraint_words, draw_exclusions, mark_squares
from fastqueens.pictures.boards.squares import Frame, draw_on_board, heights, points, smallness
from fastqueens.pictures.checks import LARGEST_WITH_CROWNS, LARGEST_WITH_DOTS, check_size
from fastqueens.pictures.density import density_picture
from fastqueens.pictures.figure import Picture
from fastqueens.pictures.style import ATTACK, BEST, DOT, INK, PAPER, QUEEN, dot_size

# On large boards queens and marks grow beyond their squares to stay visible, unless more than a tenth of them touch.
_MOST_GROWN = 0.7
_MOST_TOUCHING = 0.1

_NO_COLUMNS: NDArray[np.int64] = np.empty(0, np.int64)


def picture(
    queens: Sequence[int] | NDArray[Any],
    *,
    instance: Instance | None = None,
    marked: Collection[int] = (),
    origin: str = "upper",
    rows_from: int = 0,
    title: str | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Picture:
    """Draw a board: up to 50,000 queens one by one with their attacks, larger boards as a density.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0; a mapped file stays on disk.
    instance, marked, origin, rows_from, title
        See :func:`board_picture`. A density has no marks, and row 0 is at its top. It shows excluded diagonals if they
        are few; its caption counts everything that an instance asks for.
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
    board = as_queens(queens)
    if len(board) <= LARGEST_WITH_DOTS:
        return board_picture(board, instance=instance, marked=marked, origin=origin, rows_from=rows_from, title=title)
    if marked:
        check_size(len(board), LARGEST_WITH_DOTS, "a picture of queens")
    if origin != "upper":
        raise InputError(
            f"origin is {origin!r}: a board of {len(board):,} queens is drawn with its first row at the top"
        )
    return density_picture(board, instance=instance, title=title, progress=progress, stop=stop)


def board_picture(
    queens: Sequence[int] | NDArray[Any],
    *,
    instance: Instance | None = None,
    attacks: bool = True,
    marked: Collection[int] = (),
    origin: str = "upper",
    coordinates: bool = True,
    rows_from: int = 0,
    title: str | None = None,
) -> Picture:
    """Draw a board with its queens, and a line between queens that attack each other.

    Above 400 queens, queens are dots of one size, and no squares are drawn.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0; n is at most 50,000.
    instance : Instance, optional
        What the board is to respect: fixed queens are framed, blocked squares dark, and excluded diagonals dashed.
        Queens on such squares and diagonals have the colour of attacks; the frame of a missing fixed queen is empty.
    attacks : bool
        Draw the attacks: a line from a queen to the next one on the same row or diagonal, not to all behind it. If a
        line has more than two queens, the caption says how many pairs they are.
    marked : collection of int
        Columns whose queens are framed and coloured, for example fixed queens.
    origin : "upper" or "lower"
        Where row 0 is drawn. Column 0 is at the left.
    coordinates : bool
        Number the columns and rows; larger boards number only some of them.
    rows_from : int
        The number of the first row.
    title : str, optional
        By default the number of queens.

    Returns
    -------
    Picture
        Its caption states n, attacking pairs, conflicting and marked queens, and what the instance asks for. Its
        ``dpi`` suits the size of the squares.

    Raises
    ------
    InputError
        If ``queens`` is not a board, n is above 50,000, a marked column is not on the board, or the instance has
        another n.

    Notes
    -----
    O(n^2) time up to n = 400, for the squares, and O(n log n) above.

    Examples
    --------
    >>> figure = board_picture([0, 0, 1, 2, 4])
    >>> figure.get_supxlabel()
    'n = 5, 5 attacking pairs, 5 conflicting queens; 3 queens on one line are 3 pairs'
    """
    board = as_queens(queens)
    n = len(board)
    check_size(n, LARGEST_WITH_DOTS, "a picture of queens")
    columns = _checked_columns(marked, n)
    at = heights(board, origin, n)
    growth = growth_of(board)
    wrong = None if instance is None else violations(board, instance)

    def draw(axes: Axes) -> None:
        framed, violating = columns, _NO_COLUMNS
        if instance is not None and wrong is not None:
            draw_exclusions(axes, instance, origin)
            fixed = instance.fixed
            mark_squares(axes, fixed.columns, heights(fixed.rows, origin, n), growth)
            framed = np.union1d(columns, np.setdiff1d(fixed.columns, wrong.missing))
            violating = np.union1d(wrong.blocked, wrong.excluded)
        mark_squares(axes, columns, at[columns], growth)
        if attacks:
            _draw_attacks(axes, board, at)
        shape = QUEEN if n <= LARGEST_WITH_CROWNS else DOT
        draw_queens(axes, np.arange(n), at, shape=shape, growth=growth, marked=framed, violating=violating)

    text = _caption(board, len(columns))
    most = _most_on_a_line(board)
    if attacks and most > 2:
        text += f"; {most:,} queens on one line are {most * (most - 1) // 2:,} pairs"
    if instance is not None and wrong is not None and not instance.is_free:
        text += f"; {constraint_words(instance, wrong.words)}"
    return draw_on_board(n, Frame(origin, coordinates, rows_from), title or counted(n, "queen"), text, draw)


def neighbours_on_lines(queens: Queens, columns: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """Return the pairs of queens that attack each other with no third queen between them.

    Parameters
    ----------
    queens : (n,) array
        A validated board.
    columns : (m,) int64 array, optional
        The columns whose queens count, ascending; by default all.

    Returns
    -------
    (k, 2) int64 array
        The columns of each pair, the left one first. A line with q queens has q - 1 pairs.

    Notes
    -----
    O(n log n) time.

    Examples
    --------
    >>> from fastqueens.core.board import as_queens
    >>> neighbours_on_lines(as_queens([0, 0, 0])).tolist()
    [[0, 1], [1, 2]]
    """
    chosen = np.arange(len(queens)) if columns is None else columns
    rows = queens[chosen].astype(np.int64)
    pairs = []
    for line in (rows, rows + chosen, rows - chosen):
        order = np.argsort(line, kind="stable")
        meet = np.flatnonzero(np.diff(line[order]) == 0)
        pairs.append(np.column_stack((chosen[order[meet]], chosen[order[meet + 1]])))
    return np.concatenate(pairs)


def _most_on_a_line(queens: Queens) -> int:
    """Return the greatest number of queens on a row or diagonal."""
    columns, rows = np.arange(len(queens)), queens.astype(np.int64)
    return max(int(np.bincount(line).max()) for line in (rows, rows + columns, rows - columns + len(queens)))


def growth_of(board: Queens) -> float:
    """Return by how much queens are larger than their squares: 0 if grown crowns would run into each other."""
    if len(board) > LARGEST_WITH_CROWNS:
        return dot_size(len(board)) - 1
    touching = np.abs(np.diff(board.astype(np.int64))) <= 1
    return 0.0 if touching.sum() > _MOST_TOUCHING * len(board) else _MOST_GROWN * smallness(len(board))


def draw_queens(
    axes: Axes,
    columns: NDArray[Any],
    at: NDArray[Any],
    *,
    shape: Path = QUEEN,
    growth: float = 0.0,
    marked: NDArray[Any] = _NO_COLUMNS,
    violating: NDArray[Any] = _NO_COLUMNS,
) -> None:
    """Draw a queen in each of the columns at its height, those in marked columns and violating queens coloured."""
    if not len(columns):
        return
    grown = shape.transformed(Affine2D().translate(-0.5, -0.5).scale(1 + growth))
    data = axes.transData
    is_violating = np.isin(columns, violating)
    colours = np.where(is_violating, ATTACK, np.where(np.isin(columns, marked), BEST, INK)).tolist()
    # On a blocked square, which is dark, a queen needs a light edge.
    widths = np.where(is_violating, max(0.5, 0.05 * points(axes)), 0)
    queens = axes.add_collection(
        PathCollection(
            [grown],
            facecolors=colours,
            edgecolors=PAPER,
            linewidths=widths,
            zorder=2,
            offsets=np.column_stack((columns, at)) + 0.5,
            offset_transform=data,
        )
    )
    queens.set_transform(AffineDeltaTransform(data))  # type: ignore[arg-type]
    # Grown crowns reach over the edge.
    queens.set_clip_on(False)


def _checked_columns(marked: Collection[int], n: int) -> NDArray[np.int64]:
    for column in marked:
        if not is_integer(column) or not 0 <= column < n:
            raise InputError(f"marked: there is no column {column!r}, columns go from 0 to {n - 1}")
    return np.array(sorted(set(marked)), np.int64)


def _draw_attacks(axes: Axes, queens: Queens, heights: NDArray[np.int64]) -> None:
    """Draw all attacks; ``heights`` holds the height of the queen in each column."""
    pairs = neighbours_on_lines(queens)
    segments = np.stack((pairs, heights[pairs]), axis=2) + 0.5
    width = min(4.0, max(0.8, 0.07 * points(axes)))
    # A light line under the dark one: visible on squares of both colours, and in grey.
    for colour, linewidth, zorder in ((PAPER, 2.2 * width, 1.4), (ATTACK, width, 1.5)):
        axes.add_collection(
            LineCollection(list(segments), colors=colour, linewidths=linewidth, capstyle="round", zorder=zorder)
        )


def _caption(board: Queens, marked: int) -> str:
    pairs = attacking_pairs(board)
    words = [f"n = {len(board):,}"]
    if pairs:
        words += [counted(pairs, "attacking pair"), counted(conflicting_queens(board), "conflicting queen")]
    else:
        words.append("no queen attacks another")
    if marked:
        words.append(counted(marked, "marked queen"))
    return ", ".join(words)
