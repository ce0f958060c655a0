"""The styles of posters: what draws the board, the colours, and what finds the places on the sheet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from matplotlib.colors import LinearSegmentedColormap, is_color_like, to_hex
from numpy.typing import NDArray

from fastqueens.core.arguments import SWEEPS
from fastqueens.core.errors import InputError
from fastqueens.pictures.density import shades
from fastqueens.pictures.figure import Squares
from fastqueens.pictures.posters import infographic, layout
from fastqueens.pictures.posters.board import draw_board, draw_queens
from fastqueens.pictures.posters.effects import glow_image, glow_reach, line_colors, lines_image, lines_of_queens
from fastqueens.pictures.posters.paper import Paper
from fastqueens.pictures.posters.sheet import Box, Sheet, Theme
from fastqueens.pictures.posters.subject import LARGEST_CHESSBOARD, Subject
from fastqueens.pictures.squares import LARGEST_WITH_DOTS
from fastqueens.pictures.style import AROUND_EVEN_DARK, ATTACK, LIGHT_SQUARE, dot_size
from fastqueens.sampling.limit_shape import limit_density

#: The limit shape behind queens: its cells per side, and how much of their colours is left.
_TINT_CELLS = 64
_TINT = 0.55

_NIGHT = "#0d1230"
_WHITE = "#faf8f3"
_EVEN = "#f8f5ef"  # the colour of an even share

#: Lights glow at most like dots of this share of the mean distance between queens.
_GLOW_IN_DISTANCE = 0.25


def draw_classic(sheet: Sheet, subject: Subject, board: Box) -> None:
    """Draw the board in a thin frame."""
    frame = 0.02 * sheet.unit
    left, bottom, width, height = board
    inner = Box(left + frame, bottom + frame, width - 2 * frame, height - 2 * frame)
    draw_board(sheet, subject, inner)
    # Around the board, so that it covers none of the squares.
    sheet.frames(np.array([[left + width / 2, bottom + height / 2]]), inner.width + frame, sheet.theme.ink, frame)


def draw_modern(sheet: Sheet, subject: Subject, board: Box) -> None:
    """Draw queens as lights on a night sky, from blue through pink to amber."""
    hues, n = LinearSegmentedColormap.from_list("hues", sheet.theme.lights), subject.n
    along = (np.asarray(subject.queens, np.float64) + np.arange(n)) / max(1, 2 * n - 2)

    def draw_lights(squares: Box, at: NDArray[Any], size: float) -> None:
        colors = hues(along)
        if n > LARGEST_CHESSBOARD:
            # Large crowns glow like dots, so that the margin stays dark; many lights glow less, so that the sky does.
            light = min(size, dot_size(n) * squares.width / n, _GLOW_IN_DISTANCE * squares.width / n**0.5)
            sky = sheet.grown(board, glow_reach(light))
            sheet.image(glow_image(at, light, colors[:, :3], sky, sheet.theme.board), sky, smooth=True)
        if n <= LARGEST_WITH_DOTS:
            draw_queens(sheet, at, size, colors)

    if n > LARGEST_WITH_DOTS and not subject.cells:
        square = board.width / n
        at = Squares(board.left, board.top, square, -square).centres(np.arange(n), subject.queens)
        draw_lights(board, at, board.width)
    draw_board(sheet, subject, board, draw_lights, hues)


def draw_lines(sheet: Sheet, subject: Subject, board: Box) -> None:
    """Draw the row, the column and the two diagonals of each queen."""

    def draw_on_lines(squares: Box, at: NDArray[Any], size: float) -> None:
        width = min(0.16 * squares.width / subject.n, 0.04 * sheet.unit)
        if sheet.is_vector:
            lines = zip(lines_of_queens(subject.queens, squares), line_colors(sheet.theme), strict=True)
            for segments, (color, alpha) in lines:
                sheet.lines(segments, color, width, alpha=alpha)
        else:
            left, _, right, _ = sheet.pixel_edges(squares)
            sheet.image(lines_image(subject.queens, right - left, sheet.pixels(width), sheet.theme), squares)
        sheet.queens(at, 1.25 * size, sheet.theme.paper, crowns=False)
        draw_queens(sheet, at, size, sheet.theme.ink)

    draw_board(sheet, subject, board, draw_on_lines)


def draw_limit_shape(sheet: Sheet, subject: Subject, board: Box) -> None:
    """Draw the limit shape, the density of uniformly random solutions on large boards, behind queens."""
    if subject.drawn_limit_shape:
        colors = sheet.theme.density
        even = shades(np.ones((1, 1)), colors)
        tint = even + _TINT * (shades(limit_density(_TINT_CELLS), colors).astype(np.float64) - even)
        sheet.image(np.round(tint).astype(np.uint8), board, smooth=True)
    draw_board(sheet, subject, board)


_BLACK = Theme("#ffffff", "#ffffff", "#e0e0e0").in_two_colors("#000000", "#ffffff")


class Style(NamedTuple):
    """How a poster looks: what draws its board, its colours, and what finds the places on it."""

    draw: Callable[[Sheet, Subject, Box], None]
    theme: Theme
    layout_of: Callable[[Sheet, Subject], layout.Layout] = layout.layout_of


STYLES = {
    "classic": Style(draw_classic, _BLACK._replace(attack=ATTACK)),
    "modern": Style(draw_modern, Theme(
        paper=_NIGHT, board=_NIGHT, dark_square="#182050", ink="#ffffff", faint="#9aa6d6", attack="#ff6b5e",
        fixed="#ffb347", blocked="#4a5796", excluded="#c4cdf2", density=AROUND_EVEN_DARK,
    )),
    "lines": Style(draw_lines, Theme(paper=_WHITE, board=_WHITE, dark_square=_WHITE)),
    "infographic": Style(
        draw_board, Theme(paper="#ffffff", board="#faf6ec", dark_square=LIGHT_SQUARE), infographic.layout_of
    ),
    "limit-shape": Style(draw_limit_shape, Theme(paper=_EVEN, board=_EVEN, dark_square="#ebe6da")),
}  # fmt: skip


def check_style(style: str, n: int, sheet: Paper) -> None:
    """Raise :class:`InputError` if a style would show nothing of its own: the lines of too many queens."""
    most = int(sheet.board_pixels)
    if style == "lines" and n > most:
        raise InputError(
            f"style is 'lines' and n is {n:,}: on this sheet the lines of more than {most:,} queens run together; "
            "classic, modern and limit-shape show more"
        )


def sweeps_of(style: str, n: int) -> int | None:
    """Return how long a style mixes a board that is solved, or None: only random solutions have the limit shape."""
    return SWEEPS if style == "limit-shape" and n > LARGEST_CHESSBOARD else None


def recoloured(theme: Theme, color: str | None, background: str | None, *, black: bool) -> Theme:
    """Return a theme in two colours, if one of them is given, or in shades of black."""
    if black and (color or background):
        raise InputError("black is True: leave out color and background")
    for name, value in (("color", color), ("background", background)):
        if value is not None and not is_color_like(value):
            raise InputError(f"{name} is {value!r}: a name is needed, for example navy, or a code, for example #1b3a5c")
    if black or color or background:
        usual = ("black", "white") if black else (theme.ink, theme.paper)
        return theme.in_two_colors(to_hex(color or usual[0]), to_hex(background or usual[1]))
    return theme
