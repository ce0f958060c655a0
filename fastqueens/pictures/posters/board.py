"""The board of a poster: queen by queen, or as a density if the paper is too coarse."""

from __future__ import annotations

import logging
from collections.abc import Callable
from math import ceil
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fastqueens.analysis.density import bin_board, cells_for
from fastqueens.core.board import Queens
from fastqueens.core.instance import Instance
from fastqueens.pictures.density import shades
from fastqueens.pictures.diagonals import excluded_lines
from fastqueens.pictures.posters.sheet import Box, Sheet
from fastqueens.pictures.posters.subject import Subject, Theme

log = logging.getLogger("fastqueens")

#: With fewer pixels per square, neighbouring queens run together: 5000 queens on A1 at 300 dpi.
_PIXELS_PER_SQUARE = 1.25

#: With fewer pixels per square blocked squares and excluded diagonals are only counted in the caption.
_PIXELS_PER_MARK = 3

#: The share of a dash in the diagonal of a square, the width of frames of fixed queens in squares, and the least width
#: of lines as a share of the board.
_DASH = 0.7
_FRAME = 0.05
_FINEST_LINE = 0.0006

#: Up to this n squares are drawn, and each queen stays within hers.
LARGEST_CHESSBOARD = 64

#: The part of her square that a queen fills, and on larger boards of the way to the next queen.
_QUEEN_IN_SQUARE = 0.88

#: The largest queen on larger boards, as a share of the mean distance between queens.
_LARGEST_QUEEN = 0.34

#: Draws queens around centres, an (n, 2) array, with these sizes, an (n,) array, both in millimetres.
DrawQueens: TypeAlias = Callable[[NDArray[np.float64], NDArray[np.float64]], None]


def draw_board(sheet: Sheet, subject: Subject, box: Box, theme: Theme, draw: DrawQueens | None = None) -> None:
    """Draw the board, with its queens in ink or by ``draw``, or as a density if a square has too few pixels."""
    n = subject.n
    square = box.width / n
    if sheet.pixels(square) < _PIXELS_PER_SQUARE:
        _draw_density(sheet, subject, box, theme)
        return
    sheet.rectangle(box, theme.board)
    if n <= LARGEST_CHESSBOARD and theme.dark_square != theme.board:
        rows, columns = np.nonzero(np.indices((n, n)).sum(axis=0) % 2)
        sheet.squares(_centres(box, n, columns, rows), square, theme.dark_square)
    if subject.instance is not None and sheet.pixels(square) >= _PIXELS_PER_MARK:
        _draw_instance(sheet, subject, subject.instance, box, theme)
    at = _centres(box, n, np.arange(n), subject.queens)
    sizes = queen_sizes(subject.queens, square)
    if draw is None:
        sheet.marks(at, sizes, theme.ink)
    else:
        draw(at, sizes)


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


def queen_sizes(queens: Queens, square: float) -> NDArray[np.float64]:
    """Return the size of each queen in millimetres.

    On a chessboard a queen fills her square. On a large board, where a square is a speck, she is as large as the queens
    around her and the edge of the board allow without touching, up to a third of the mean distance.
    """
    n = len(queens)
    if n <= LARGEST_CHESSBOARD:
        return np.full(n, _QUEEN_IN_SQUARE * square)
    rows, columns = queens.astype(np.int64), np.arange(n)
    largest = _LARGEST_QUEEN * n**0.5
    room = np.minimum(np.minimum(rows, n - 1 - rows), np.minimum(columns, n - 1 - columns)) * 2.0 + 1
    for apart in range(1, int(largest / _QUEEN_IN_SQUARE) + 1):
        # Squares of equal size touch when their side is the larger of the two distances.
        distance = np.maximum(apart, np.abs(rows[apart:] - rows[:-apart]))
        room[apart:] = np.minimum(room[apart:], distance)
        room[:-apart] = np.minimum(room[:-apart], distance)
    sizes: NDArray[np.float64] = np.minimum(largest, _QUEEN_IN_SQUARE * room) * square
    return sizes


def draw_frame(sheet: Sheet, box: Box, color: str, width: float) -> None:
    """Draw a frame around the board that covers none of the squares."""
    around = width / 2
    left, bottom, right, top = box.left - around, box.bottom - around, box.right + around, box.top + around
    corners = [(left - around, bottom), (right, bottom), (right, top), (left, top), (left, bottom - around)]
    sheet.lines([corners], color, width, join="miter")


def _centres(box: Box, n: int, columns: NDArray[Any], rows: NDArray[Any]) -> NDArray[np.float64]:
    """Return the centres of squares on the sheet."""
    square = box.width / n
    return np.column_stack((box.left + (columns + 0.5) * square, box.top - (rows + 0.5) * square))


def _cells(n: int, pixels: float, queens_in_cell: int) -> int:
    """Return how many cells per side: at most 1000, of about ``queens_in_cell`` queens, nearly equal in width."""
    most = min(cells_for(n, queens_in_cell, 1000), max(1, int(pixels / 2)))
    return min(n, max(1, int(pixels / ceil(pixels / most))))


def _draw_density(sheet: Sheet, subject: Subject, box: Box, theme: Theme) -> None:
    cells = _cells(subject.n, sheet.pixels(box.width), theme.queens_in_cell)
    bins = bin_board(subject.queens, cells, **subject.callbacks)
    subject.drawn_as_density = bins
    sheet.image(shades(bins.density(), theme.density, theme.reach), box)
    log.info(
        "%s squares per side are too fine for this paper (%.2g pixels each): the poster shows the density of the "
        "queens, with every queen counted",
        f"{subject.n:,}",
        sheet.pixels(box.width / subject.n),
    )
