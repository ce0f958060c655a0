"""The drawing of a board: squares, an instance, attacks, and queens as crowns, dots, grains or a density."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from matplotlib.colors import Colormap, to_rgb
from numpy.typing import NDArray

from fastqueens.check.density import bin_board
from fastqueens.core.board import Queens
from fastqueens.core.instance import Instance
from fastqueens.pictures.density import shades
from fastqueens.pictures.figure import Squares, draw_exclusions
from fastqueens.pictures.posters.sheet import Box, Sheet
from fastqueens.pictures.posters.subject import LARGEST_CHESSBOARD, Subject
from fastqueens.pictures.squares import LARGEST_WITH_CROWNS, LARGEST_WITH_DOTS, neighbours_on_lines
from fastqueens.pictures.style import dot_size

log = logging.getLogger("fastqueens")

#: With fewer pixels a crown would not show.
_SMALLEST_CROWN = 6

#: The width of frames of fixed queens in squares, and the least width of lines as a share of the board.
_FRAME = 0.05
_FINEST_LINE = 0.0006

#: Each queen fills this part of her square.
_QUEEN_IN_SQUARE = 0.88

#: Crowns of a solution without squares may be this many squares wide: the nearest queen is a knight's move away.
_LARGEST_CROWN = 2.2

#: The width of attacks in squares.
_ATTACK = 0.07

#: The diameter of dots and grains is at most this share of the mean distance between queens.
_GRAIN_IN_DISTANCE = 0.6

#: The coverage of pixels by a grain is measured at this many points per side.
_FINENESS = 16

#: Draws queens of a size in millimetres around centres, an (n, 2) array, on the squares in a box.
DrawQueens: TypeAlias = Callable[[Box, NDArray[np.float64], float], None]


def draw_board(
    sheet: Sheet, subject: Subject, box: Box, draw: DrawQueens | None = None, hues: Colormap | None = None
) -> None:
    """Draw the board, with its queens in ink or by ``draw``, and their attacks; or as grains or a density.

    Grains have the colours of ``hues`` from the first corner to the last, if given.
    """
    n, theme, queens = subject.n, sheet.theme, subject.queens
    if subject.cells:
        bins = bin_board(queens, subject.cells, **subject.callbacks)
        sheet.image(shades(bins.density(), theme.density), box)
        log.info("%s queens are too many to draw one by one: the poster shows their density, each counted", f"{n:,}")
        return
    if theme.board != theme.paper:
        sheet.rectangle(box, theme.board)
    attacks = np.empty((0, 2), np.int64) if subject.is_solution else neighbours_on_lines(queens)
    if n > LARGEST_WITH_DOTS:
        _draw_grains(sheet, queens, box, hues, np.unique(attacks))
        return
    in_squares = queen_size(n, is_open=subject.is_solution and subject.instance is None)
    inside = _squares(box, n, in_squares)
    square = inside.width / n
    places = Squares(inside.left, inside.top, square, -square)
    if n <= LARGEST_CHESSBOARD and theme.dark_square != theme.board:
        rows, columns = np.nonzero(np.indices((n, n)).sum(axis=0) % 2)
        sheet.squares(places.centres(columns, rows), square, theme.dark_square)
    if subject.instance is not None and subject.shows_squares:
        _draw_instance(sheet, subject.instance, places)
    at = places.centres(np.arange(n), queens)
    width = max(_ATTACK * square, _FINEST_LINE * box.width)
    for color, wider in ((theme.board, 2.2), (theme.attack, 1.0)) if len(attacks) else ():
        sheet.lines(at[attacks], color, wider * width, cap="round")
    if draw is None:
        draw_queens(sheet, at, in_squares * square, theme.ink)
    else:
        draw(inside, at, in_squares * square)


def draw_queens(sheet: Sheet, at: NDArray[np.float64], size: float, colors: Any) -> None:
    """Draw queens around centres, (n, 2): crowns if the board is small and they have enough pixels, otherwise dots."""
    sheet.queens(at, size, colors, crowns=len(at) <= LARGEST_WITH_CROWNS and sheet.pixels(size) >= _SMALLEST_CROWN)


def queen_size(n: int, *, is_open: bool = True) -> float:
    """Return the size of all queens in squares: the part of a square that they fill, or that of dots if it is larger.

    If the board is open, without attacks and constraints, crowns may reach over squares that are not drawn.

    >>> [round(queen_size(n), 2) for n in (8, 64, 80, 100, 400, 1000, 50_000)]
    [0.88, 0.88, 1.38, 2.15, 2.2, 4.37, 82.24]
    """
    crown = _QUEEN_IN_SQUARE
    if is_open and LARGEST_CHESSBOARD < n <= LARGEST_WITH_CROWNS:
        crown = min(_LARGEST_CROWN, crown * (n / LARGEST_CHESSBOARD) ** 2)
    return max(crown, min(dot_size(n), _GRAIN_IN_DISTANCE * n**0.5))


def _draw_instance(sheet: Sheet, instance: Instance, places: Squares) -> None:
    """Fill blocked squares, draw dashed lines along excluded diagonals, and frame the squares of fixed queens."""
    square, fixed, n = places.across, instance.fixed, instance.n
    width = square * min(0.2, max(0.06, _FINEST_LINE * n))
    draw_exclusions(sheet, places, instance, (sheet.theme.blocked, sheet.theme.excluded), width)
    if n <= LARGEST_CHESSBOARD:
        centres = places.centres(fixed.columns, fixed.rows)
        sheet.frames(centres, (1 - _FRAME) * square, sheet.theme.fixed, _FRAME * square)


def _squares(box: Box, n: int, size: float) -> Box:
    """Return the box of the squares: the whole board, or with large queens less, so that none leaves the board."""
    if n <= LARGEST_CHESSBOARD:
        return box
    inset = 0.5 * size / (n + size) * box.width
    return Box(box.left + inset, box.bottom + inset, box.width - 2 * inset, box.height - 2 * inset)


def _draw_grains(sheet: Sheet, queens: Queens, box: Box, hues: Colormap | None, attacking: NDArray[np.int64]) -> None:
    """Draw each queen as a grain around a pixel, as dark at its edge as it covers the pixels there."""
    n, (left, upper, right, lower) = len(queens), sheet.pixel_edges(box)
    height, width = lower - upper, right - left
    grain = queen_size(n) / n * width
    reach = int(grain / 2 + 0.5)
    fine = (np.arange((2 * reach + 1) * _FINENESS) + 0.5) / _FINENESS - reach - 0.5
    is_covered = np.add.outer(fine**2, fine**2) <= grain**2 / 4
    covered = is_covered.reshape(2 * reach + 1, _FINENESS, -1, _FINENESS).mean(axis=(1, 3))
    columns = np.arange(n)
    down, across = (
        reach + ((lines + 0.5) * ((pixels - 2 * reach) / n)).astype(np.int64)
        for lines, pixels in ((queens, height), (columns, width))
    )
    colors = np.full(n, 0, np.uint8) if hues is None else ((columns + queens) * (255 / (2 * n))).astype(np.uint8)
    palette = [to_rgb(sheet.theme.ink)] if hues is None else hues(np.arange(254))[:, :3]
    palette = np.concatenate((palette, [to_rgb(sheet.theme.attack)]))
    colors[attacking] = len(palette) - 1
    image, at = np.zeros(height * width, np.uint32), down * width + across
    for place in np.argsort(covered, axis=None):
        opacity = covered.flat[place]
        row, column = np.unravel_index(place, covered.shape)
        if opacity > 0:
            shades_of = np.column_stack((palette, np.full(len(palette), opacity)))
            packed = np.round(255 * shades_of).astype(np.uint8).view(np.uint32)[:, 0]
            image[at + ((row - reach) * width + column - reach)] = packed[colors]
    sheet.image(image.view(np.uint8).reshape(height, width, 4), box)
