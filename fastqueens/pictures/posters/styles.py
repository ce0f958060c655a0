"""The styles with a board and words only: classic, modern, lines and limit shape. Each is a theme and a function."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from numpy.typing import NDArray

from fastqueens.core.board import Queens
from fastqueens.pictures.posters.board import LARGEST_CHESSBOARD, draw_board, draw_frame, draw_queens
from fastqueens.pictures.posters.lettering import BOLD, LIGHT, MONO
from fastqueens.pictures.posters.sheet import Box, Sheet
from fastqueens.pictures.posters.subject import Subject, Theme
from fastqueens.pictures.posters.title import (
    write_small_print,
    write_title_at_bottom,
    write_title_in_column,
    write_title_in_middle,
)
from fastqueens.pictures.style import GRID, SERIES

CLASSIC = Theme(
    paper="#ffffff",
    board="#ffffff",
    dark_square="#e4e4e4",
    ink="#000000",
    faint="#444444",
    fixed="#000000",
    blocked="#8c8c8c",
    excluded="#555555",
    is_grey=True,
)

_NIGHT = "#0d1230"

#: The diameter of the glow around a light, in sizes of the light.
_GLOW = 5.0

MODERN = Theme(
    paper=_NIGHT,
    board=_NIGHT,
    dark_square="#182050",
    ink="#ffffff",
    faint="#9aa6d6",
    fixed="#ffb347",
    blocked="#4a5796",
    excluded="#c4cdf2",
)

LINES = Theme(paper="#faf8f3", board="#faf8f3", dark_square="#faf8f3")

LIMIT_SHAPE = Theme(
    paper="#f8f5ef",  # the colour of an even share
    board="#f8f5ef",
    dark_square="#ebe6da",
)


def draw_classic(sheet: Sheet, subject: Subject, theme: Theme) -> None:
    """Draw the board in a frame, with a large title above it, like the poster of document 001."""
    unit = min(sheet.inside.width, sheet.inside.height)
    small, frame = 0.0105 * unit, 0.0022 * unit
    left, bottom, width, height = sheet.inside
    within = Box(left + frame, bottom + frame, width - 2 * frame, height - 2 * frame)
    words, box, is_upright = _layout(within, subject.n, sheet, words_share=0.26)
    draw_board(sheet, subject, box, theme)
    draw_frame(sheet, box, theme.ink, frame)
    if is_upright:
        foot = box.top + 2.2 * small
        above = Box(words.left, foot + 2 * small, words.width, words.top - foot - 2 * small)
        most = 0.42 * words.height / max(1, len(subject.title))
        write_title_in_middle(sheet, subject.title, above, most, theme.ink, MONO, "center")
        write_small_print(sheet, subject, theme, words._replace(bottom=foot), small, theme.ink, "center")
    else:
        write_title_in_column(sheet, subject.title, words, theme.ink, MONO)
        write_small_print(sheet, subject, theme, words, small, theme.faint)


def draw_modern(sheet: Sheet, subject: Subject, theme: Theme) -> None:
    """Draw queens as lights on a night sky, from blue through pink to amber, with the title below the board."""
    words, box, is_upright = _layout(sheet.inside, subject.n, sheet, words_share=0.22, words_below=True)
    unit = min(sheet.inside.width, sheet.inside.height)
    glow = LinearSegmentedColormap.from_list("glow", ["#6cc5f5", "#e07fb4", "#ffb347"])

    def draw_lights(_: Box, at: NDArray[Any], size: float) -> None:
        along = np.asarray(subject.queens, np.float64) + np.arange(subject.n)
        colors = glow(along / max(1, 2 * subject.n - 2))
        if subject.n > LARGEST_CHESSBOARD:
            for growth in np.linspace(_GLOW, 1.2, 8):
                sheet.dots(at, growth * size, colors, 0.035)
        draw_queens(sheet, at, size, colors)

    draw_board(sheet, subject, box, theme, draw_lights)
    printed = write_small_print(sheet, subject, theme, words, 0.0115 * unit, theme.faint)
    if is_upright:
        below = Box(words.left, words.bottom + printed + 0.02 * unit, words.width, words.height - printed - 0.08 * unit)
        write_title_at_bottom(sheet, subject.title, below, theme.ink, BOLD)
    else:
        write_title_in_column(sheet, subject.title, words, theme.ink, BOLD)


def draw_lines(sheet: Sheet, subject: Subject, theme: Theme) -> None:
    """Draw the row, the column and the two diagonals of each queen, with the title below the board."""
    words, box, is_upright = _layout(sheet.inside, subject.n, sheet, words_share=0.2, words_below=True)
    unit = min(sheet.inside.width, sheet.inside.height)

    def draw_on_lines(squares: Box, at: NDArray[Any], size: float) -> None:
        width = min(0.16 * squares.width / subject.n, 0.004 * unit)
        looks = ((GRID, 1), (GRID, 1), (SERIES[0], 0.75), (SERIES[1], 0.75))
        for segments, (color, alpha) in zip(_lines_of_queens(subject.queens, squares), looks, strict=True):
            sheet.lines(segments, color, width, alpha=alpha)
        sheet.dots(at, 1.25 * size, theme.paper)
        draw_queens(sheet, at, size, theme.ink)

    draw_board(sheet, subject, box, theme, draw_on_lines)
    _write_below(sheet, subject, theme, words, 0.36, LIGHT, is_upright=is_upright)


def draw_limit_shape(sheet: Sheet, subject: Subject, theme: Theme) -> None:
    """Draw a density around the even share, with the title below; queens that can be drawn one by one are in ink.

    The limit shape is the density of uniformly random solutions on large boards. A solution of :func:`fastqueens.solve`
    has it only after mixing.
    """
    words, box, is_upright = _layout(sheet.inside, subject.n, sheet, words_share=0.2, words_below=True)
    draw_board(sheet, subject, box, theme)
    _write_below(sheet, subject, theme, words, 0.3, BOLD, is_upright=is_upright)


def _write_below(
    sheet: Sheet, subject: Subject, theme: Theme, words: Box, share: float, font: str, *, is_upright: bool
) -> None:
    """Write the title and the small print below the board; on a wide sheet, the title stands in a column.

    A line of the title is at most this share of the height as high.
    """
    unit = min(sheet.inside.width, sheet.inside.height)
    printed = write_small_print(sheet, subject, theme, words, 0.0115 * unit, theme.faint)
    if is_upright:
        below = words._replace(bottom=words.bottom + printed, height=words.height - printed)
        most = share * words.height / max(1, len(subject.title))
        write_title_in_middle(sheet, subject.title, below, most, theme.ink, font)
    else:
        write_title_in_column(sheet, subject.title, words, theme.ink, font)


def _layout(
    inside: Box, n: int, sheet: Sheet, *, words_share: float, words_below: bool = False
) -> tuple[Box, Box, bool]:
    """Return the boxes of the words and of the board, and whether the poster is upright.

    The board is the largest square that leaves the words their share: above or below it on an upright poster,
    otherwise next to it.
    """
    is_upright = inside.height >= inside.width
    short, long = sorted((inside.width, inside.height))
    side = _whole_pixels(min(short, long * (1 - words_share)), n, sheet)
    if is_upright:
        left = inside.left + (inside.width - side) / 2
        board = Box(left, inside.top - side if words_below else inside.bottom, side, side)
        words = Box(left, inside.bottom if words_below else board.top, side, inside.height - side)
    else:
        board = Box(inside.right - side, inside.bottom + (inside.height - side) / 2, side, side)
        words = Box(inside.left, board.bottom, board.left - inside.left - 0.06 * side, side)
    return words, board, is_upright


def _whole_pixels(side: float, n: int, sheet: Sheet) -> float:
    """Reduce a side so that each square is a whole number of pixels, unless squares are small."""
    pixels = sheet.pixels(side) / n
    return side * int(pixels) / pixels if pixels >= 10 else side


def _lines_of_queens(queens: Queens, box: Box) -> list[NDArray[np.float64]]:
    """Return rows, columns, sum and difference diagonals of all queens as (n, 2, 2) arrays of ends on the edge."""
    n = len(queens)
    column, row = np.arange(n, dtype=np.int64), queens.astype(np.int64)
    edge, far = np.zeros(n), np.full(n, float(n))
    total, difference = column + row + 1, row - column
    from_left, to_right = np.maximum(0, total - n), np.minimum(n, total)
    begin, end = np.maximum(0, -difference), np.minimum(n, n - difference)
    ends = [
        (edge, row + 0.5, far, row + 0.5),
        (column + 0.5, edge, column + 0.5, far),
        (from_left, total - from_left, to_right, total - to_right),
        (begin, begin + difference, end, end + difference),
    ]
    scale = box.width / n
    return [
        np.array([[box.left + scale * x, box.top - scale * y] for x, y in ((x0, y0), (x1, y1))]).transpose(2, 0, 1)
        for x0, y0, x1, y1 in ends
    ]
