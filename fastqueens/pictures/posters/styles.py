"""The styles of posters: a function and a theme for each. Those that are drawn here have a board and words only."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from numpy.typing import NDArray

from fastqueens.core.arguments import check_choice
from fastqueens.pictures.density import shades
from fastqueens.pictures.posters import layout
from fastqueens.pictures.posters.effects import LINE_COLORS, glow_image, glow_reach, lines_image, lines_of_queens
from fastqueens.pictures.posters.infographic import draw_infographic
from fastqueens.pictures.posters.sheet import Box, Sheet, Theme
from fastqueens.pictures.posters.subject import Subject
from fastqueens.pictures.squares import LARGEST_WITH_DOTS
from fastqueens.pictures.style import AROUND_EVEN_DARK, LIGHT_SQUARE, dot_size
from fastqueens.sampling.limit_shape import limit_density

log = logging.getLogger("fastqueens")

#: The limit shape behind queens: its cells per side, and how much of their colours is left.
_TINT_CELLS = 64
_TINT = 0.55

_NIGHT = "#0d1230"
_WHITE = "#faf8f3"
_EVEN = "#f8f5ef"  # the colour of an even share


def draw_classic(sheet: Sheet, subject: Subject) -> None:
    """Draw the board in a thin frame, black on white."""
    grid = layout.grid_of(sheet, subject.n)
    frame = 0.02 * grid.unit
    left, bottom, width, height = grid.board
    board = Box(left + frame, bottom + frame, width - 2 * frame, height - 2 * frame)
    layout.draw_board(sheet, subject, board)
    # Around the board, so that it covers none of the squares.
    sheet.frames(np.array([[left + width / 2, bottom + height / 2]]), board.width + frame, sheet.theme.ink, frame)
    layout.write_words(sheet, subject, grid)


def draw_modern(sheet: Sheet, subject: Subject) -> None:
    """Draw queens as lights on a night sky, from blue through pink to amber."""
    hues = LinearSegmentedColormap.from_list("hues", ["#6cc5f5", "#e07fb4", "#ffb347"])

    def draw_lights(squares: Box, at: NDArray[Any], size: float) -> None:
        along = np.asarray(subject.queens, np.float64) + np.arange(subject.n)
        colors = hues(along / max(1, 2 * subject.n - 2))
        if subject.n > layout.LARGEST_CHESSBOARD:
            # Large crowns glow like dots, so that the margin stays dark.
            light = min(size, dot_size(subject.n) * squares.width / subject.n)
            sky = sheet.grown(grid.board, glow_reach(light))
            sheet.image(glow_image(at, light, colors[:, :3], sky, sheet.theme.board), sky, smooth=True)
        layout.draw_queens(sheet, at, size, colors)

    grid = layout.grid_of(sheet, subject.n)
    layout.draw_board(sheet, subject, grid.board, draw_lights)
    layout.write_words(sheet, subject, grid)


def draw_lines(sheet: Sheet, subject: Subject) -> None:
    """Draw the row, the column and the two diagonals of each queen."""
    grid = layout.grid_of(sheet, subject.n)

    def draw_on_lines(squares: Box, at: NDArray[Any], size: float) -> None:
        width = min(0.16 * squares.width / subject.n, 0.04 * grid.unit)
        if sheet.is_vector:
            for segments, (color, alpha) in zip(lines_of_queens(subject.queens, squares), LINE_COLORS, strict=True):
                sheet.lines(segments, color, width, alpha=alpha)
        else:
            left, _, right, _ = sheet.pixel_edges(squares)
            sheet.image(lines_image(subject.queens, right - left, sheet.pixels(width), sheet.theme.board), squares)
        sheet.queens(at, 1.25 * size, sheet.theme.paper, crowns=False)
        layout.draw_queens(sheet, at, size, sheet.theme.ink)

    layout.draw_board(sheet, subject, grid.board, draw_on_lines)
    layout.write_words(sheet, subject, grid)


def draw_limit_shape(sheet: Sheet, subject: Subject) -> None:
    """Draw a density around the even share, or the limit shape behind queens that can be drawn one by one.

    The limit shape is the density of uniformly random solutions on large boards. A solution of :func:`fastqueens.solve`
    has it only after mixing.
    """
    grid = layout.grid_of(sheet, subject.n)
    if layout.LARGEST_CHESSBOARD < subject.n <= LARGEST_WITH_DOTS:
        even = shades(np.ones((1, 1)))
        tint = even + _TINT * (shades(limit_density(_TINT_CELLS)).astype(np.float64) - even)
        sheet.image(np.round(tint).astype(np.uint8), grid.board, smooth=True)
        subject.drawn_limit_shape = True
    layout.draw_board(sheet, subject, grid.board)
    layout.write_words(sheet, subject, grid)
    if subject.n <= layout.LARGEST_CHESSBOARD:
        log.info(
            "the style limit-shape is for large boards: up to %d queens it shows no limit shape",
            layout.LARGEST_CHESSBOARD,
        )
    elif not subject.sweeps:
        log.info("only the queens of a mixed board have the limit shape: --mix (mix= of solve) mixes a new one")


#: The function that draws each style, and its theme.
STYLES: dict[str, tuple[Callable[[Sheet, Subject], None], Theme]] = {
    "classic": (draw_classic, Theme(
        paper="#ffffff", board="#ffffff", dark_square="#e4e4e4", ink="#000000", faint="#444444",
        fixed="#000000", blocked="#8c8c8c", excluded="#555555", is_grey=True,
    )),
    "modern": (draw_modern, Theme(
        paper=_NIGHT, board=_NIGHT, dark_square="#182050", ink="#ffffff", faint="#9aa6d6",
        fixed="#ffb347", blocked="#4a5796", excluded="#c4cdf2", density=AROUND_EVEN_DARK,
    )),
    "lines": (draw_lines, Theme(paper=_WHITE, board=_WHITE, dark_square=_WHITE)),
    "infographic": (draw_infographic, Theme(paper="#ffffff", board="#faf6ec", dark_square=LIGHT_SQUARE)),
    "limit-shape": (draw_limit_shape, Theme(paper=_EVEN, board=_EVEN, dark_square="#ebe6da")),
}  # fmt: skip


def check_style(style: str) -> str:
    """Return the name of a style; raise :class:`InputError`, which suggests a similar one, if it is unknown.

    >>> check_style("round")
    Traceback (most recent call last):
    ...
    fastqueens.InputError: style is 'round': it is one of classic, modern, lines, infographic, limit-shape
    """
    return check_choice(style, "style", STYLES)
