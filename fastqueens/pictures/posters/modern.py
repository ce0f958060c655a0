"""Queens as lights on a night sky, from blue over rose to amber along the main diagonal."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from numpy.typing import NDArray

from fastqueens.pictures.posters.squares import LARGEST_CHESSBOARD, draw_board, queen_sizes
from fastqueens.pictures.posters.subject import Subject, Theme
from fastqueens.pictures.posters.words import (
    BOLD,
    DESCENT,
    LINE,
    layout,
    stacked,
    write_small_print,
    write_title,
    write_words_beside,
)
from fastqueens.pictures.sheet import Sheet

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
    """Queens as lights on a night sky, from blue over rose to amber along the main diagonal."""
    words, box, is_upright = layout(sheet.inside, subject.n, sheet, words_share=0.22, words_below=True)
    unit = min(sheet.inside.width, sheet.inside.height)
    glow = LinearSegmentedColormap.from_list("glow", ["#6cc5f5", "#e07fb4", "#ffb347"])

    def lights(at: NDArray[Any], square: float) -> None:
        along = np.asarray(subject.queens, np.float64) + np.arange(subject.n)
        colors = glow(along / max(1, 2 * subject.n - 2))
        sizes = queen_sizes(subject.queens, square)
        if subject.n > LARGEST_CHESSBOARD:
            for growth in np.linspace(2.6, 1.2, 8):
                sheet.dots(at, growth * sizes.max(), colors, 0.035)
        sheet.marks(at, sizes, colors)

    draw_board(sheet, subject, box, theme, lights)
    small = 0.0115 * unit
    if is_upright:
        foot = words.bottom + write_small_print(sheet, subject, theme, words, small, theme.faint)
        title, size = stacked(subject.title, words.width, words.top - foot - 0.08 * unit, BOLD)
        baseline = foot + 0.02 * unit + (DESCENT + (len(title) - 1) * LINE) * size
        write_title(sheet, title, words.left, baseline, size, theme.ink, BOLD, "left")
    else:
        write_words_beside(sheet, subject, theme, words, small, BOLD)
