"""Small boards as pictures: queens on squares, the lines on which they attack, and what every move would cost.

Larger boards are for posters and densities. Shapes of a kind are one collection, so that 300 queens take a second.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.transforms import Affine2D
from numpy.typing import NDArray

from fastqueens.board import InputError, Queens, as_queens, check_n
from fastqueens.classroom.moves import best_moves, move_costs
from fastqueens.counting import attacking_pairs, conflicting_queens
from fastqueens.drawing import check_origin
from fastqueens.given import given_queens
from fastqueens.pictures.glyphs import QUEEN
from fastqueens.pictures.style import (
    ATTACK,
    BEST,
    DARK_SQUARE,
    INK,
    LIGHT_SQUARE,
    PAPER,
    Picture,
    caption,
    counted,
    house_style,
)

Board: TypeAlias = Sequence[int] | NDArray[Any]
Colour: TypeAlias = tuple[float, float, float]

#: An array of points for a collection, which takes arrays, though its type hints do not say so.
Outlines: TypeAlias = Any

#: The largest boards whose queens, and whose numbers, can be told apart on a sheet of paper.
LARGEST_BOARD = 400
LARGEST_MOVE_COSTS = 40

# Lengths in hundredths of an inch, so that squares are whole pixels at 100, 200 and 400 dpi: others shimmer.
_BOARD_SIDE = 640
_LEAST_SQUARE = 2
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 20, 50, 58
_POINTS = 0.72

# Squares narrower than this are drawn at twice the dots.
_SMALL_SQUARE = 6
_DPI = 200

# From one n to the other the squares fade: a fine pattern flickers, and hides the queens.
_FADING = 30, 120
_MOST_FADED = 0.75

# And queens and marks grow beyond their squares, so that they are still seen as such.
_MOST_GROWN = 0.7
_MOST_TOUCHING = 0.1

_MOST_COORDINATES = 20
_STEPS = (1, 2, 5, 10, 20, 50)

# Up to here there is room for a number on a queen.
_LARGEST_WITH_COST_ON_QUEEN = 16


def board_picture(
    queens: Board,
    *,
    attacks: bool = True,
    marked: Collection[int] = (),
    origin: str = "upper",
    coordinates: bool = True,
    rows_from: int = 0,
    title: str | None = None,
) -> Picture:
    """Draw a board with its queens, and a line between queens that attack each other.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0; n is at most 400.
    attacks : bool
        Draw the attacks: a line from a queen to the next one on the same row or diagonal, not to all behind it.
    marked : collection of int
        Columns whose queens are framed and coloured, such as a fixed or a static one.
    origin : "upper" or "lower"
        Where row 0 is drawn. Column 0 is at the left.
    coordinates : bool
        Number columns and rows; on larger boards some of them.
    rows_from : int
        What the first row is called there.
    title : str, optional
        "8 queens" if not given.

    Returns
    -------
    Picture
        Its caption says n, attacking pairs, conflicting and marked queens. Its ``dpi`` suits the size of the squares.

    Raises
    ------
    InputError
        For what is no board, for a larger one, and for a marked column that is not on it.

    Notes
    -----
    O(n^2) time, for the squares.

    Examples
    --------
    >>> figure = board_picture([0, 0, 1, 2, 4])
    >>> figure.get_supxlabel()
    'n = 5, 5 attacking pairs, 5 conflicting queens'
    """
    board = as_queens(queens)
    check_size(len(board), LARGEST_BOARD, "a picture of queens")
    columns = _check_marked(marked, len(board))
    heights = _heights(board, origin)
    growth = _growth(board)

    def draw(axes: Axes) -> None:
        _mark(axes, columns, heights[columns], growth)
        if attacks:
            _draw_attacks(axes, board, heights)
        _draw_queens(axes, np.arange(len(board)), heights, columns, growth)

    words = title or counted(len(board), "queen"), _board_caption(board, len(columns))
    return _picture(len(board), _Frame(origin, coordinates, rows_from), words, draw)


def given_picture(
    n: int,
    squares: NDArray[Any],
    *,
    origin: str = "upper",
    coordinates: bool = True,
    rows_from: int = 0,
    title: str | None = None,
) -> Picture:
    """Draw a board with nothing but given queens: a completion puzzle, to be solved on paper.

    Parameters
    ----------
    n : int
        Side of the board, at most 400.
    squares : (k, 2) array of integers
        Column and row of each given queen; see :func:`fastqueens.puzzle`.
    origin, coordinates, rows_from, title
        As in :func:`board_picture`.

    Raises
    ------
    InputError
        For a larger board, and for a square that is not on it.
    NoSolutionError
        Where two of the queens attack each other.

    Examples
    --------
    >>> figure = given_picture(8, np.array([[1, 3], [3, 4]]))
    >>> figure.get_supxlabel()
    'n = 8, 2 given queens, 6 to place'
    """
    check_size(check_n(n), LARGEST_BOARD, "a picture of queens")
    given = given_queens(squares, n, rows_from=rows_from)
    heights = _heights(given.rows, origin, n)

    def draw(axes: Axes) -> None:
        _draw_queens(axes, given.columns, heights, np.empty(0, np.int64), 0.0)

    text = f"n = {n}, {counted(len(given), 'given queen')}, {n - len(given)} to place"
    return _picture(n, _Frame(origin, coordinates, rows_from), (title or counted(n, "queen"), text), draw)


def move_costs_picture(
    queens: Board,
    *,
    origin: str = "upper",
    coordinates: bool = True,
    rows_from: int = 0,
    title: str | None = None,
) -> Picture:
    """Draw on each square the heuristic cost once the queen of its column has moved there, the best moves filled.

    Parameters
    ----------
    queens : sequence or array of n integers
        The row of the queen in each column, from 0; n is at most 40.
    origin, coordinates, rows_from, title
        As in :func:`board_picture`.

    Returns
    -------
    Picture
        A queen carries the present cost, where squares are large enough.

    Raises
    ------
    InputError
        For what is no board, and for a larger one.

    Notes
    -----
    O(n^2) time; see :func:`fastqueens.move_costs`.

    Examples
    --------
    >>> figure = move_costs_picture([0, 0, 1, 2, 4])
    >>> figure.get_supxlabel()
    'n = 5, cost 5, 1 best move with cost 2'
    """
    board = as_queens(queens)
    check_size(len(board), LARGEST_MOVE_COSTS, "a picture of all moves")
    costs = move_costs(board)
    best = best_moves(board, costs)

    heights = _heights(board, origin)

    def draw(axes: Axes) -> None:
        at_best = np.column_stack((best[:, 0], _heights(best[:, 1], origin, len(board))))
        axes.add_collection(PolyCollection(_squares(at_best, 0.04), facecolors=BEST, zorder=1))
        _draw_queens(axes, np.arange(len(board)), heights, np.empty(0, np.int64), _growth(board))
        _write_costs(axes, board, costs, {tuple(move) for move in best.tolist()}, origin)

    words = title or f"{counted(len(board), 'queen')}: the cost of every move", _costs_caption(board, costs, best)
    return _picture(len(board), _Frame(origin, coordinates, rows_from), words, draw, fading=0.5)


def check_size(n: int, largest: int, what: str) -> None:
    """Refuse a board on which nothing could be told apart.

    >>> check_size(1000, 400, "a picture of queens")
    Traceback (most recent call last):
    ...
    fastqueens.board.InputError: n is 1,000: a picture of queens shows at most 400
    """
    if n > largest:
        raise InputError(f"n is {n:,}: {what} shows at most {largest:,}")


def neighbours_on_lines(queens: Queens, columns: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """Find the pairs of queens that attack each other with no third queen between them.

    Parameters
    ----------
    queens : (n,) array
        A board that has been validated.
    columns : (m,) int64 array, optional
        The columns whose queens count, ascending; all if not given.

    Returns
    -------
    (k, 2) int64 array
        The columns of each pair, the left one first. A line with q queens gives q - 1 pairs.

    Notes
    -----
    O(n log n) time.

    Examples
    --------
    >>> neighbours_on_lines(as_queens([0, 0, 0])).tolist()
    [[0, 1], [1, 2]]
    """
    there = np.arange(len(queens)) if columns is None else columns
    rows = queens[there].astype(np.int64)
    pairs = []
    for line in (rows, rows + there, rows - there):
        order = np.argsort(line, kind="stable")
        meet = np.flatnonzero(np.diff(line[order]) == 0)
        pairs.append(np.column_stack((there[order[meet]], there[order[meet + 1]])))
    return np.concatenate(pairs)


def _check_marked(marked: Collection[int], n: int) -> NDArray[np.int64]:
    for column in marked:
        if isinstance(column, bool) or not isinstance(column, (int, np.integer)) or not 0 <= column < n:
            raise InputError(f"marked: there is no column {column!r}, columns go from 0 to {n - 1}")
    return np.array(sorted(set(marked)), np.int64)


def _heights(rows: NDArray[Any], origin: str, n: int | None = None) -> NDArray[np.int64]:
    """How many squares rows are above the lowest one."""
    check_origin(origin)
    size = len(rows) if n is None else n
    return rows.astype(np.int64) if origin == "lower" else size - 1 - rows.astype(np.int64)


class _Frame(NamedTuple):
    """What stands around the squares, and which row is the lowest."""

    origin: str
    coordinates: bool
    rows_from: int


def _picture(
    n: int,
    frame: _Frame,
    words: tuple[str, str],
    draw: Callable[[Axes], None],
    fading: float = 0.0,
) -> Picture:
    """A board with its title and caption; ``draw`` draws on the squares."""
    title, text = words
    with house_style():
        figure, axes = _empty_board(n, fading)
        if frame.coordinates:
            _write_coordinates(axes, n, frame.origin, frame.rows_from)
        draw(axes)
        axes.set_title(title)
        caption(figure, text, left=axes.get_position().x0)
    return figure


def _empty_board(n: int, fading: float) -> tuple[Picture, Axes]:
    """A figure with an empty board, on whose axes a square is the unit and row 0 of the axes the lowest one."""
    square = _square(n)
    side = square * n
    width, height = _LEFT + side + _RIGHT, _BOTTOM + side + _TOP
    # Laid out by hand: a layout engine would move the squares off the pixels.
    figure = Picture(figsize=(width / 100, height / 100), dpi=_DPI if square >= _SMALL_SQUARE else 2 * _DPI)
    axes = figure.add_axes((_LEFT / width, _BOTTOM / height, side / width, side / height))
    axes.set(xlim=(0, n), ylim=(0, n), xticks=[], yticks=[])
    axes.grid(visible=False)
    axes.spines[:].set(visible=True, color=INK, linewidth=0.8, zorder=3)
    light, dark = _square_colours(n, fading)
    axes.set_facecolor(light)
    columns, heights = np.indices((n, n)).reshape(2, -1)
    # As on a chessboard, the lower left corner is dark.
    is_dark = (columns + heights) % 2 == 0
    squares = _squares(np.column_stack((columns, heights))[is_dark])
    axes.add_collection(PolyCollection(squares, facecolors=[dark], linewidths=0, antialiaseds=False, zorder=0))
    return figure, axes


def _square(n: int) -> int:
    return max(_LEAST_SQUARE, _BOARD_SIDE // n)


def _square_colours(n: int, fading: float) -> tuple[Colour, Colour]:
    faded = max(fading, _MOST_FADED * _smallness(n))
    return _blend(LIGHT_SQUARE, PAPER, faded), _blend(DARK_SQUARE, PAPER, faded)


def _smallness(n: int) -> float:
    """From 0 where squares are large to 1 where they are too small to be looked at one by one."""
    first, last = _FADING
    return min(1.0, max(0.0, (n - first) / (last - first)))


def _blend(one: str, other: str, share: float) -> Colour:
    red, green, blue = ((1 - share) * a + share * b for a, b in zip(to_rgb(one), to_rgb(other), strict=True))
    return red, green, blue


def _squares(corners: NDArray[np.int64], inset: float = 0.0) -> Outlines:
    """The outlines of squares given by their lower left corners, (k, 4, 2)."""
    low, high = inset, 1 - inset
    outline = np.array([(low, low), (high, low), (high, high), (low, high)])
    return corners[:, np.newaxis, :] + outline


def _write_coordinates(axes: Axes, n: int, origin: str, rows_from: int) -> None:
    step = next(step for step in _STEPS if n <= step * _MOST_COORDINATES)
    # Of rows from 1 every tenth is 10, 20, 30.
    shown_rows = [row for row in range(n) if (row + rows_from) % step == 0]
    shown_columns = range(0, n, step)
    axes.set_xticks([column + 0.5 for column in shown_columns], [str(column) for column in shown_columns])
    heights = _heights(np.array(shown_rows), origin, n)
    axes.set_yticks(heights + 0.5, [str(row + rows_from) for row in shown_rows])
    axes.tick_params(length=0, labelsize=8, pad=3)


def _growth(board: Queens) -> float:
    """By how much a queen is larger than its square: not at all where they would run into each other."""
    touching = np.abs(np.diff(board.astype(np.int64))) <= 1
    return 0.0 if touching.sum() > _MOST_TOUCHING * len(board) else _MOST_GROWN * _smallness(len(board))


def _mark(axes: Axes, columns: NDArray[np.int64], heights: NDArray[np.int64], grown: float) -> None:
    squares = _squares(np.column_stack((columns, heights)), 0.06 - grown / 2)
    width = 0.1 * (1 + grown) * _points(axes)
    axes.add_collection(
        PolyCollection(squares, facecolors=PAPER, edgecolors=BEST, linewidths=width, joinstyle="miter", zorder=1)
    )


def _draw_attacks(axes: Axes, board: Queens, heights: NDArray[np.int64]) -> None:
    pairs = neighbours_on_lines(board)
    segments: Outlines = np.stack((pairs, heights[pairs]), axis=2) + 0.5
    width = min(4.0, max(0.8, 0.07 * _points(axes)))
    # Light below dark: seen on squares of both colours, in grey too.
    for colour, linewidth, zorder in ((PAPER, 2.2 * width, 1.4), (ATTACK, width, 1.5)):
        axes.add_collection(
            LineCollection(segments, colors=colour, linewidths=linewidth, capstyle="round", zorder=zorder)
        )


def _points(axes: Axes) -> float:
    """The side of a square in points."""
    return _POINTS * _square(round(axes.get_xlim()[1]))


def _draw_queens(
    axes: Axes, columns: NDArray[np.int64], heights: NDArray[np.int64], marked: NDArray[np.int64], growth: float
) -> None:
    grown = Affine2D().translate(-0.5, -0.5).scale(1 + growth).translate(0.5, 0.5)
    shape = QUEEN.transformed(grown)
    squares = zip(columns.tolist(), heights.tolist(), strict=True)
    shapes = [shape.transformed(Affine2D().translate(column, height)) for column, height in squares]
    colours = [BEST if is_marked else INK for is_marked in np.isin(columns, marked)]
    queens = axes.add_collection(PathCollection(shapes, facecolors=colours, linewidths=0, zorder=2))
    # Grown ones reach over the edge.
    queens.set_clip_on(False)


def _write_costs(
    axes: Axes, board: Queens, costs: NDArray[np.int64], best: set[tuple[int, ...]], origin: str
) -> None:
    n = len(board)
    size = _points(axes) * min(0.42, 1.15 / len(str(costs.max())))
    heights = _heights(np.arange(n), origin).tolist()
    for (row, column), cost in np.ndenumerate(costs):
        has_queen = board[column] == row
        if has_queen and n > _LARGEST_WITH_COST_ON_QUEEN:
            continue
        is_best = (column, row) in best
        axes.text(
            column + 0.5,
            heights[row] + (0.37 if has_queen else 0.51),
            str(cost),
            ha="center",
            va="center_baseline",
            fontsize=0.48 * size if has_queen else size,
            color=PAPER if has_queen or is_best else INK,
            weight="bold" if has_queen or is_best else "normal",
            zorder=2.5,
        )


def _board_caption(board: Queens, marked: int) -> str:
    pairs = attacking_pairs(board)
    words = [f"n = {len(board)}"]
    if pairs:
        words += [counted(pairs, "attacking pair"), counted(conflicting_queens(board), "conflicting queen")]
    else:
        words.append("no queen attacks another")
    if marked:
        words.append(counted(marked, "marked queen"))
    return ", ".join(words)


def _costs_caption(board: Queens, costs: NDArray[np.int64], best: NDArray[np.int64]) -> str:
    words = f"n = {len(board)}, cost {costs[board[0], 0]:,}"
    if not len(best):
        return f"{words}, no move"
    column, row = best[0]
    return f"{words}, {counted(len(best), 'best move')} with cost {costs[row, column]:,}"
