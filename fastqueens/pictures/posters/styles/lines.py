"""The row, the column and the two diagonals of each queen."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import numpy as np
from numpy.typing import NDArray

from fastqueens.core.board import Queens
from fastqueens.pictures.posters.board import draw_board, queen_sizes
from fastqueens.pictures.posters.layout import layout
from fastqueens.pictures.posters.lettering import LIGHT
from fastqueens.pictures.posters.sheet import Box, Sheet
from fastqueens.pictures.posters.small_print import write_small_print
from fastqueens.pictures.posters.subject import Subject
from fastqueens.pictures.posters.theme import Theme
from fastqueens.pictures.posters.title import write_title_in_column, write_title_in_middle
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
    """Draw the lines that the queens attack along, with the title below the board."""
    words, box, is_upright = layout(sheet.inside, subject.n, sheet, words_share=0.2, words_below=True)
    unit = min(sheet.inside.width, sheet.inside.height)

    def draw_queens(at: NDArray[Any], square: float) -> None:
        width = min(0.16 * square, 0.004 * unit)
        looks = ((GRID, 1), (GRID, 1), (SERIES[0], 0.75), (SERIES[1], 0.75))
        for segments, (color, alpha) in zip(_lines_of_queens(subject.queens, box), looks, strict=True):
            sheet.lines(segments, color, width, alpha=alpha)
        sizes = queen_sizes(subject.queens, square)
        sheet.dots(at, 1.25 * sizes, theme.paper)
        sheet.marks(at, sizes, theme.ink)

    draw_board(sheet, subject, box, theme, draw_queens)
    printed = write_small_print(sheet, subject, theme, words, 0.0115 * unit, theme.faint)
    if is_upright:
        below = words._replace(bottom=words.bottom + printed, height=words.height - printed)
        most = 0.36 * words.height / max(1, len(subject.title))
        write_title_in_middle(sheet, subject.title, below, most, theme.ink, LIGHT)
    else:
        write_title_in_column(sheet, subject.title, words, theme.ink, LIGHT)


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
