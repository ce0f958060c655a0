"""The board of a poster: queen by queen, or as a density if they are too many."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fastqueens.check.density import bin_board, cells_for
from fastqueens.core.instance import Instance
from fastqueens.pictures.checks import LARGEST_WITH_CROWNS, LARGEST_WITH_DOTS
from fastqueens.pictures.density import QUEENS_IN_CELL, shades
from fastqueens.pictures.diagonals import excluded_lines
from fastqueens.pictures.posters.sheet import Box, Sheet
from fastqueens.pictures.posters.subject import Subject, Theme
from fastqueens.pictures.style import dot_size

log = logging.getLogger("fastqueens")

#: With fewer pixels a crown would not show.
_SMALLEST_CROWN = 6

#: With fewer pixels per square blocked squares and excluded diagonals are only counted in the caption.
_PIXELS_PER_MARK = 3

#: The share of a dash in the diagonal of a square, the width of frames of fixed queens in squares, and the least width
#: of lines as a share of the board.
_DASH = 0.7
_FRAME = 0.05
_FINEST_LINE = 0.0006

#: Up to this n squares are drawn, and each queen fills this part of hers.
LARGEST_CHESSBOARD = 64
_QUEEN_IN_SQUARE = 0.88

#: Crowns of a solution without squares may be this many squares wide: the nearest queen is a knight's move away.
_LARGEST_CROWN = 2.2

#: Draws queens of a size in millimetres around centres, an (n, 2) array, on the squares in a box.
DrawQueens: TypeAlias = Callable[[Box, NDArray[np.float64], float], None]


def draw_board(sheet: Sheet, subject: Subject, box: Box, theme: Theme, draw: DrawQueens | None = None) -> None:
    """Draw the board, with its queens in ink or by ``draw``, or as a density if they are too many."""
    n = subject.n
    if n > LARGEST_WITH_DOTS:
        _draw_density(sheet, subject, box, theme)
        return
    if theme.board != theme.paper:
        sheet.rectangle(box, theme.board)
    in_squares = queen_size(n, is_open=subject.is_solution and subject.instance is None)
    squares = _squares(box, n, in_squares)
    square = squares.width / n
    size = in_squares * square
    if n <= LARGEST_CHESSBOARD and theme.dark_square != theme.board:
        rows, columns = np.nonzero(np.indices((n, n)).sum(axis=0) % 2)
        sheet.squares(_centres(squares, n, columns, rows), square, theme.dark_square)
    if subject.instance is not None and sheet.pixels(square) >= _PIXELS_PER_MARK:
        _draw_instance(sheet, subject, subject.instance, squares, theme)
    at = _centres(squares, n, np.arange(n), subject.queens)
    if draw is None:
        draw_queens(sheet, at, size, theme.ink)
    else:
        draw(squares, at, size)


def draw_queens(sheet: Sheet, at: NDArray[np.float64], size: float, colors: Any) -> None:
    """Draw queens around centres, (n, 2): crowns if the board is small and they have enough pixels, otherwise dots."""
    if len(at) <= LARGEST_WITH_CROWNS and sheet.pixels(size) >= _SMALLEST_CROWN:
        sheet.crowns(at, size, colors)
    else:
        sheet.dots(at, size, colors)


def queen_size(n: int, *, is_open: bool = True) -> float:
    """Return the size of all queens in squares: the part of a square that they fill, or that of dots if it is larger.

    If the board is open, without attacks and constraints, crowns may reach over squares that are not drawn.

    >>> [round(queen_size(n), 2) for n in (8, 64, 80, 100, 400, 1000, 50_000)]
    [0.88, 0.88, 1.38, 2.15, 2.2, 4.37, 82.24]
    """
    crown = _QUEEN_IN_SQUARE
    if is_open and LARGEST_CHESSBOARD < n <= LARGEST_WITH_CROWNS:
        crown = min(_LARGEST_CROWN, crown * (n / LARGEST_CHESSBOARD) ** 2)
    return max(crown, dot_size(n))


def _draw_instance(sheet: Sheet, subject: Subject, instance: Instance, box: Box, theme: Theme) -> None:
    """Fill blocked squares, draw dashed lines along excluded diagonals, and frame the squares of fixed queens."""
    n = subject.n
    square = box.width / n
    subject.drawn_exclusions = instance.has_exclusions
    sheet.squares(_centres(box, n, *instance.blocked.T), square, theme.blocked)
    ends = np.array([box.left, box.top]) + excluded_lines(instance) * np.array([square, -square])
    if len(ends):
        across = 2**0.5 * square
        width = min(0.2 * square, max(0.06 * square, _FINEST_LINE * box.width))
        sheet.lines(ends, theme.excluded, width, dash=(_DASH * across, (1 - _DASH) * across))
    frames = _centres(box, n, instance.fixed.columns, instance.fixed.rows)
    if n <= LARGEST_CHESSBOARD and len(frames):
        around = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]) * (0.5 - _FRAME / 2) * square
        sheet.lines(frames[:, np.newaxis] + around, theme.fixed, _FRAME * square, join="miter")


def draw_frame(sheet: Sheet, box: Box, color: str, width: float) -> None:
    """Draw a frame around the board that covers none of the squares."""
    around = width / 2
    left, bottom, right, top = box.left - around, box.bottom - around, box.right + around, box.top + around
    corners = [(left - around, bottom), (right, bottom), (right, top), (left, top), (left, bottom - around)]
    sheet.lines([corners], color, width, join="miter")


def _squares(box: Box, n: int, size: float) -> Box:
    """Return the box of the squares: the whole board, or with large queens less, so that none leaves the board."""
    if n <= LARGEST_CHESSBOARD:
        return box
    inset = 0.5 * size / (n + size) * box.width
    return Box(box.left + inset, box.bottom + inset, box.width - 2 * inset, box.height - 2 * inset)


def _centres(box: Box, n: int, columns: NDArray[Any], rows: NDArray[Any]) -> NDArray[np.float64]:
    """Return the centres of squares on the sheet."""
    square = box.width / n
    return np.column_stack((box.left + (columns + 0.5) * square, box.top - (rows + 0.5) * square))


def _cells(n: int, pixels: float) -> int:
    """Return how many cells per side: at most 1000, of about 100 queens, nearly equal in width."""
    most = min(cells_for(n, QUEENS_IN_CELL, 1000), max(1, int(pixels / 2)))
    return min(n, max(1, int(pixels / math.ceil(pixels / most))))


def _draw_density(sheet: Sheet, subject: Subject, box: Box, theme: Theme) -> None:
    cells = _cells(subject.n, sheet.pixels(box.width))
    bins = bin_board(subject.queens, cells, **subject.callbacks)
    subject.drawn_as_density = bins
    sheet.image(shades(bins.density(), theme.density), box)
    log.info(
        "%s queens are too many to draw one by one: the poster shows their density, with every queen counted",
        f"{subject.n:,}",
    )
