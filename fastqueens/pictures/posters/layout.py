"""What all posters share: the places of the board and the words, one scale of type, and the drawing of the board.

The unit is a tenth of the shorter side within the margins. The board is as large as fits, at the top of an upright
sheet and at the right of a wide one. The words begin at its left edge and end at the margin, and a title is as wide as
the board if it can be.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fastqueens.check.density import bin_board, cells_for
from fastqueens.core.instance import Instance
from fastqueens.pictures.density import QUEENS_IN_CELL, shades
from fastqueens.pictures.figure import Squares, draw_exclusions
from fastqueens.pictures.posters.sheet import TITLE, Box, Sheet, fitting_size, wrapped
from fastqueens.pictures.posters.subject import Subject, notes
from fastqueens.pictures.squares import LARGEST_WITH_CROWNS, LARGEST_WITH_DOTS
from fastqueens.pictures.style import dot_size

log = logging.getLogger("fastqueens")

#: The sizes of type in units, each 1.618 times the one before; the largest are for titles.
SMALL, MEDIUM, LARGE, FIGURE, _, HEADLINE, POSTER = (0.1 * ((1 + 5**0.5) / 2) ** step for step in range(7))

#: From the board to the words, and the least height of the words, in units.
_GUTTER = 0.8
_LEAST_WORDS = 3.2

#: A subtitle may shrink to this part of its size to fit into a line.
_SHRUNK = 0.75

#: From one line to the next in heights of capital letters: in a title, and in all other text.
_TITLE_LINE, LINE = 1.4, 1.9

#: How far letters reach below the line in heights of capital letters.
_DESCENT = 0.3

#: Space below a title in heights of its capital letters, for the tail of the Q; and below blocks of text in units.
_TAIL = 0.35
_BELOW = 0.3


#: With fewer pixels a crown would not show.
_SMALLEST_CROWN = 6

#: With fewer pixels per square blocked squares and excluded diagonals are only counted in the caption.
_PIXELS_PER_MARK = 3

#: The width of frames of fixed queens in squares, and the least width of lines as a share of the board.
_FRAME = 0.05
_FINEST_LINE = 0.0006

#: Up to this n squares are drawn, and each queen fills this part of hers.
LARGEST_CHESSBOARD = 64
_QUEEN_IN_SQUARE = 0.88

#: Crowns of a solution without squares may be this many squares wide: the nearest queen is a knight's move away.
_LARGEST_CROWN = 2.2

#: Draws queens of a size in millimetres around centres, an (n, 2) array, on the squares in a box.
DrawQueens: TypeAlias = Callable[[Box, NDArray[np.float64], float], None]


class Grid(NamedTuple):
    """The places on a sheet."""

    board: Box
    words: Box
    is_upright: bool


def grid_of(sheet: Sheet, n: int) -> Grid:
    """Return the places for a board of n queens and for its words."""
    inside, unit = sheet.inside, sheet.unit
    if inside.height >= inside.width:
        side = _whole_pixels(min(inside.width, inside.height - _LEAST_WORDS * unit), n, sheet)
        board = Box(inside.left + (inside.width - side) / 2, inside.top - side, side, side)
        words = Box(board.left, inside.bottom, side, board.bottom - _GUTTER * unit - inside.bottom)
        return Grid(board, words, True)
    side = _whole_pixels(min(inside.height, inside.width - _LEAST_WORDS * unit), n, sheet)
    board = Box(inside.right - side, inside.bottom + (inside.height - side) / 2, side, side)
    words = Box(inside.left, board.bottom, board.left - _GUTTER * unit - inside.left, side)
    return Grid(board, words, False)


def write_words(sheet: Sheet, subject: Subject, grid: Grid) -> None:
    """Write the title, the subtitle and the small print.

    They end at the bottom of their place. On a wide sheet, the title begins at its top, with one word per line.
    """
    unit, box = sheet.unit, grid.words
    small_print = [text for text in (*notes(subject), subject.caption) if text]
    y = box.bottom + _DESCENT * unit * (SMALL if small_print else LARGE)
    for text in reversed(small_print):
        y = write_up(sheet, wrapped(text, box.width, SMALL * unit), box.left, y, SMALL * unit, sheet.theme.faint)
        y += (LINE - 1) * SMALL * unit
    y += _BELOW * unit if small_print else 0.0
    # A subtitle that almost fits is not broken: its last word would be alone.
    size = fitting_size([subject.subtitle], box.width, LARGE * unit)
    size = size if size > _SHRUNK * LARGE * unit else LARGE * unit
    subtitle = wrapped(subject.subtitle, 1.001 * box.width, size)
    y = write_up(sheet, subtitle, box.left, y, size, sheet.theme.ink)
    y += _BELOW * unit if subtitle else 0.0
    lines = subject.title if grid.is_upright else " ".join(subject.title).split()
    height = 1 + _TITLE_LINE * max(0, len(lines) - 1)
    size = fitting_size(lines, box.width, min(POSTER * unit, (box.top - y) / (height + _TAIL)), TITLE)
    top = y + (height + _TAIL) * size if grid.is_upright else box.top
    for i, line in enumerate(lines):
        sheet.text(line, box.left, top - (1 + _TITLE_LINE * i) * size, size, sheet.theme.ink, font=TITLE)


def write_up(sheet: Sheet, lines: Sequence[str], x: float, y: float, size: float, color: str) -> float:
    """Write lines, the baseline of the last one at y; return the height of their upper edge, or y without lines."""
    for i, line in enumerate(reversed(lines)):
        sheet.text(line, x, y + LINE * i * size, size, color)
    return y + (1 + LINE * (len(lines) - 1)) * size if lines else y


def _whole_pixels(side: float, n: int, sheet: Sheet) -> float:
    """Reduce a side so that each square of a chessboard is a whole number of pixels, unless squares are small."""
    pixels = sheet.pixels(side) / n
    return side * int(pixels) / pixels if pixels >= 10 and n <= LARGEST_CHESSBOARD else side


def draw_board(sheet: Sheet, subject: Subject, box: Box, draw: DrawQueens | None = None) -> None:
    """Draw the board, with its queens in ink or by ``draw``, or as a density if they are too many."""
    n = subject.n
    if n > LARGEST_WITH_DOTS:
        _draw_density(sheet, subject, box)
        return
    if sheet.theme.board != sheet.theme.paper:
        sheet.rectangle(box, sheet.theme.board)
    in_squares = queen_size(n, is_open=subject.is_solution and subject.instance is None)
    inside = _squares(box, n, in_squares)
    square = inside.width / n
    places = Squares(inside.left, inside.top, square, -square)
    if n <= LARGEST_CHESSBOARD and sheet.theme.dark_square != sheet.theme.board:
        rows, columns = np.nonzero(np.indices((n, n)).sum(axis=0) % 2)
        sheet.squares(places.centres(columns, rows), square, sheet.theme.dark_square)
    if subject.instance is not None and sheet.pixels(square) >= _PIXELS_PER_MARK:
        _draw_instance(sheet, subject, subject.instance, places)
    at = places.centres(np.arange(n), subject.queens)
    if draw is None:
        draw_queens(sheet, at, in_squares * square, sheet.theme.ink)
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
    return max(crown, dot_size(n))


def _draw_instance(sheet: Sheet, subject: Subject, instance: Instance, places: Squares) -> None:
    """Fill blocked squares, draw dashed lines along excluded diagonals, and frame the squares of fixed queens."""
    subject.drawn_exclusions = instance.has_exclusions
    square, fixed = places.across, instance.fixed
    width = square * min(0.2, max(0.06, _FINEST_LINE * subject.n))
    draw_exclusions(sheet, places, instance, (sheet.theme.blocked, sheet.theme.excluded), width)
    if subject.n <= LARGEST_CHESSBOARD:
        centres = places.centres(fixed.columns, fixed.rows)
        sheet.frames(centres, (1 - _FRAME) * square, sheet.theme.fixed, _FRAME * square)


def _squares(box: Box, n: int, size: float) -> Box:
    """Return the box of the squares: the whole board, or with large queens less, so that none leaves the board."""
    if n <= LARGEST_CHESSBOARD:
        return box
    inset = 0.5 * size / (n + size) * box.width
    return Box(box.left + inset, box.bottom + inset, box.width - 2 * inset, box.height - 2 * inset)


def _cells(n: int, pixels: float) -> int:
    """Return how many cells per side: at most 1000, of about 100 queens, nearly equal in width."""
    most = min(cells_for(n, QUEENS_IN_CELL, 1000), max(1, int(pixels / 2)))
    return min(n, max(1, int(pixels / math.ceil(pixels / most))))


def _draw_density(sheet: Sheet, subject: Subject, box: Box) -> None:
    cells = _cells(subject.n, sheet.pixels(box.width))
    bins = bin_board(subject.queens, cells, **subject.callbacks)
    subject.drawn_as_density = bins
    sheet.image(shades(bins.density(), sheet.theme.density), box)
    log.info(
        "%s queens are too many to draw one by one: the poster shows their density, with every queen counted",
        f"{subject.n:,}",
    )
