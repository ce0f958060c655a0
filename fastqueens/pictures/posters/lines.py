"""The row, the column and the two diagonals that each queen commands."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import numpy as np
from numpy.typing import NDArray

from fastqueens.board import Queens
from fastqueens.pictures.posters.squares import draw_board, queen_sizes
from fastqueens.pictures.posters.subject import Subject, Theme
from fastqueens.pictures.posters.words import LIGHT, LINE, layout, write_small_print, write_title, write_words_beside
from fastqueens.pictures.sheet import Box, Sheet, fitting_size
from fastqueens.pictures.style import GRID, INK, SERIES, SMALL_PRINT

THEME = Theme(
    paper="#faf8f3",
    board="#faf8f3",
    dark_square="#faf8f3",
    ink=INK,
    faint=SMALL_PRINT,
    density=mpl.colormaps["cividis_r"],
)


def draw_lines(sheet: Sheet, subject: Subject, theme: Theme) -> None:
    """The row, the column and the two diagonals that each queen commands."""
    words, box, is_upright = layout(sheet.inside, subject.n, sheet, words_share=0.2, words_below=True)
    unit = min(sheet.inside.width, sheet.inside.height)

    def commanded(at: NDArray[Any], square: float) -> None:
        width = min(0.16 * square, 0.004 * unit)
        for segments, color, alpha in zip(
            _commanded_lines(subject.queens, box), (GRID, GRID, SERIES[0], SERIES[1]), (1, 1, 0.75, 0.75), strict=True
        ):
            sheet.lines(segments, color, width, alpha=alpha)
        sizes = queen_sizes(subject.queens, square)
        sheet.dots(at, 1.25 * sizes, theme.paper)
        sheet.marks(at, sizes, theme.ink)

    draw_board(sheet, subject, box, theme, commanded)
    small = 0.0115 * unit
    if is_upright:
        foot = words.bottom + write_small_print(sheet, subject, theme, words, small, theme.faint)
        size = fitting_size(subject.title, words.width, 0.36 * words.height / max(1, len(subject.title)), LIGHT)
        block = size * (1 + LINE * (len(subject.title) - 1))
        baseline = foot + (words.top - foot + block) / 2 - size
        write_title(sheet, subject.title, words.left, baseline, size, theme.ink, LIGHT, "left")
    else:
        write_words_beside(sheet, subject, theme, words, small, LIGHT)


def _commanded_lines(queens: Queens, box: Box) -> list[NDArray[np.float64]]:
    """Rows, columns, sum and difference diagonals of all queens as (n, 2, 2) arrays of ends on the board's edge."""
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
