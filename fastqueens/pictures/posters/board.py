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
from fastqueens.pictures.density import shades
from fastqueens.pictures.posters.sheet import Box, Sheet
from fastqueens.pictures.posters.subject import Subject, Theme

log = logging.getLogger("fastqueens")

#: With fewer pixels per square, neighbouring queens run together: 5000 queens on A1 at 300 dpi.
_PIXELS_PER_SQUARE = 1.25

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
    at = _centres(box, n, np.arange(n), subject.queens)
    sizes = queen_sizes(subject.queens, square)
    if draw is None:
        sheet.marks(at, sizes, theme.ink)
    else:
        draw(at, sizes)


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


def _cells(n: int, pixels: float) -> int:
    """Return how many cells per side: at most 1000, about ten queens in each, nearly all with equally many pixels."""
    most = min(cells_for(n, 10, 1000), max(1, int(pixels / 2)))
    return min(n, max(1, int(pixels / ceil(pixels / most))))


def _draw_density(sheet: Sheet, subject: Subject, box: Box, theme: Theme) -> None:
    bins = bin_board(subject.queens, _cells(subject.n, sheet.pixels(box.width)), **subject.callbacks)
    subject.drawn_as_density = bins
    sheet.image(shades(bins.density(), theme.density), box)
    log.info(
        "%s squares per side are too fine for this paper (%.2g pixels each): the poster shows the density of the "
        "queens, with every queen counted",
        f"{subject.n:,}",
        sheet.pixels(box.width / subject.n),
    )
