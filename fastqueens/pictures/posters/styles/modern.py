"""Queens as lights on a night sky, from blue through pink to amber along the main diagonal."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from numpy.typing import NDArray

from fastqueens.pictures.posters.board import LARGEST_CHESSBOARD, draw_board, queen_sizes
from fastqueens.pictures.posters.layout import layout
from fastqueens.pictures.posters.lettering import BOLD
from fastqueens.pictures.posters.sheet import Box, Sheet
from fastqueens.pictures.posters.small_print import write_small_print
from fastqueens.pictures.posters.subject import Subject
from fastqueens.pictures.posters.theme import Theme
from fastqueens.pictures.posters.title import write_title_at_bottom, write_title_in_column

_NIGHT = "#0d1230"

THEME = Theme(
    paper=_NIGHT,
    board=_NIGHT,
    dark_square="#182050",
    ink="#ffffff",
    faint="#9aa6d6",
    density=mpl.colormaps["magma"],
    more_is="brighter",
)


def draw_modern(sheet: Sheet, subject: Subject, theme: Theme) -> None:
    """Draw the board as lights, with the title below it."""
    words, box, is_upright = layout(sheet.inside, subject.n, sheet, words_share=0.22, words_below=True)
    unit = min(sheet.inside.width, sheet.inside.height)
    glow = LinearSegmentedColormap.from_list("glow", ["#6cc5f5", "#e07fb4", "#ffb347"])

    def draw_lights(at: NDArray[Any], square: float) -> None:
        along = np.asarray(subject.queens, np.float64) + np.arange(subject.n)
        colors = glow(along / max(1, 2 * subject.n - 2))
        sizes = queen_sizes(subject.queens, square)
        if subject.n > LARGEST_CHESSBOARD:
            for growth in np.linspace(2.6, 1.2, 8):
                sheet.dots(at, growth * sizes.max(), colors, 0.035)
        sheet.marks(at, sizes, colors)

    draw_board(sheet, subject, box, theme, draw_lights)
    printed = write_small_print(sheet, subject, theme, words, 0.0115 * unit, theme.faint)
    if is_upright:
        below = Box(words.left, words.bottom + printed + 0.02 * unit, words.width, words.height - printed - 0.08 * unit)
        write_title_at_bottom(sheet, subject.title, below, theme.ink, BOLD)
    else:
        write_title_in_column(sheet, subject.title, words, theme.ink, BOLD)
