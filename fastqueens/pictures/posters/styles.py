"""The styles of posters: their colours, and what draws their boards.

Queens are crowns, dots, grains or a density, depending on how many pixels they have.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from matplotlib.colors import Colormap, LinearSegmentedColormap, is_color_like, to_hex, to_rgb, to_rgba
from numpy.typing import NDArray

from fastqueens.check.density import bin_board
from fastqueens.core.board import Queens
from fastqueens.core.errors import InputError
from fastqueens.core.instance import Instance
from fastqueens.pictures.density import shades
from fastqueens.pictures.figure import SQUARE, Squares, draw_exclusions
from fastqueens.pictures.posters import infographic, layout
from fastqueens.pictures.posters.effects import glow_image, glow_reach, line_colors, lines_image, lines_of_queens
from fastqueens.pictures.posters.paper import Paper
from fastqueens.pictures.posters.sheet import Box, Sheet, Theme, packed
from fastqueens.pictures.posters.subject import Subject
from fastqueens.pictures.squares import LARGEST_CHESSBOARD, LARGEST_WITH_CROWNS, LARGEST_WITH_DOTS, neighbours_on_lines
from fastqueens.pictures.style import AROUND_EVEN_DARK, DOT, LIGHT, QUEEN, blend, dot_size
from fastqueens.sampling.limit_shape import limit_density

log = logging.getLogger("fastqueens")

#: The limit shape behind queens: its cells per side, and how much of their colours is left.
_TINT_CELLS = 64
_TINT = 0.55

_NIGHT = "#0d1230"
_WHITE = "#faf8f3"
_EVEN = "#f8f5ef"  # the colour of an even share

#: Of ink and paper: WCAG 2 asks for this much in large letters and pictures.
_LEAST_CONTRAST = 3

#: The least pixels per square in which lines can be told apart.
_PIXELS_PER_LINE = 4

#: Lights glow at most like dots of this share of the mean distance between queens.
_GLOW_IN_DISTANCE = 0.25

#: With fewer pixels a crown would not show.
_SMALLEST_CROWN = 6

#: From the first n to the second the dark squares become paler, up to this share of the light ones.
_PALER, _PALEST = (20, LARGEST_CHESSBOARD), 0.6

#: The width of frames of fixed queens in squares, and the least width of lines as a share of the board.
_FRAME = 0.05
_FINEST_LINE = 0.0006

#: Each queen fills this part of her square.
_QUEEN_IN_SQUARE = 0.88

#: Crowns of a solution without squares may be this many squares wide: the nearest queen is a knight's move away.
_LARGEST_CROWN = 2.2

#: The width of attacks in squares. More of them would cover the board, so their queens are coloured instead.
_ATTACK = 0.07
_MOST_ATTACKS = 1000

#: The diameter of dots and grains is at most this share of the mean distance between queens.
_GRAIN_IN_DISTANCE = 0.6

#: Draws what is below queens and marks: the box of the squares, the centres of queens, (n, 2), and their size.
DrawBelow: TypeAlias = Callable[[Box, NDArray[np.float64], float], None]


def draw_classic(sheet: Sheet, subject: Subject, board: Box) -> None:
    """Draw the board in a thin frame."""
    frame, half = 0.02 * sheet.unit, board.width / 2
    draw_board(sheet, subject, sheet.grown(board, -frame))
    # Around the board, so that it covers none of the squares.
    middle = np.array([[board.left + half, board.bottom + half]])
    sheet.frames(middle, board.width - frame, sheet.theme.ink, frame)


def draw_modern(sheet: Sheet, subject: Subject, board: Box) -> None:
    """Draw queens as lights on a night sky, from blue through pink to amber."""
    # A list: matplotlib 3.8 reads a tuple of two as a colour and its opacity.
    hues, n = LinearSegmentedColormap.from_list("hues", [*sheet.theme.lights]), subject.n

    def draw_glow(squares: Box, at: NDArray[Any], size: float) -> None:
        if n > LARGEST_CHESSBOARD:
            # Large crowns glow like dots, so that the margin stays dark; many lights glow less, so that the sky does.
            light = min(size, dot_size(n) * squares.width / n, _GLOW_IN_DISTANCE * squares.width / n**0.5)
            sky = sheet.grown(board, glow_reach(light))
            colors = hues(along(subject.queens))[:, :3]
            sheet.image(glow_image(at, light, colors, sky, sheet.theme.board), sky, smooth=True)

    draw_board(sheet, subject, board, draw_glow, hues)


def draw_lines(sheet: Sheet, subject: Subject, board: Box) -> None:
    """Draw the row, the column and the two diagonals of each queen."""

    def draw_below(squares: Box, at: NDArray[Any], size: float) -> None:
        width = min(0.16 * squares.width / subject.n, 0.04 * sheet.unit)
        if sheet.is_vector:
            lines = zip(lines_of_queens(subject.queens, squares), line_colors(sheet.theme), strict=True)
            for segments, (color, alpha) in lines:
                sheet.lines(segments, color, width, alpha=alpha)
        else:
            left, _, right, _ = sheet.pixel_edges(squares)
            sheet.image(lines_image(subject.queens, right - left, sheet.pixels(width), sheet.theme), squares)
        sheet.shapes(DOT, at, 1.25 * size, sheet.theme.paper)

    draw_board(sheet, subject, board, draw_below)


def draw_limit_shape(sheet: Sheet, subject: Subject, board: Box) -> None:
    """Draw the limit shape, the density of uniformly random solutions on large boards, behind queens."""
    if subject.drawn_limit_shape:
        colors = sheet.theme.density
        even = shades(np.ones((1, 1)), colors)
        tint = even + _TINT * (shades(limit_density(_TINT_CELLS), colors).astype(np.float64) - even)
        sheet.image(np.round(tint).astype(np.uint8), board, smooth=True)
    draw_board(sheet, subject, board)


def draw_board(
    sheet: Sheet, subject: Subject, box: Box, below: DrawBelow | None = None, hues: Colormap | None = None
) -> None:
    """Draw the board, its queens and their attacks; or its queens as grains or a density.

    Queens have the colours of ``hues`` from the first corner to the last, or are in ink.
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
    are_grains = n > LARGEST_WITH_DOTS
    in_squares = queen_size(n, is_open=subject.is_solution and subject.instance is None)
    # Large queens need space at the edge, so that none leaves the board.
    is_inset = LARGEST_CHESSBOARD < n <= LARGEST_WITH_DOTS
    inside = sheet.grown(box, -0.5 * in_squares / (n + in_squares) * box.width) if is_inset else box
    square = inside.width / n
    places = Squares(inside.left, inside.top, square, -square)
    at = places.centres(np.arange(n), queens)
    if below is not None:
        below(inside, at, in_squares * square)
    if are_grains:
        _draw_grains(sheet, queens, box, hues, np.unique(attacks))
        return
    if n <= LARGEST_CHESSBOARD and theme.dark_square != theme.board:
        rows, columns = np.nonzero(np.indices((n, n)).sum(axis=0) % 2)
        # Small squares are paler, so that the queens stand out.
        dark = blend(theme.dark_square, theme.board, float(np.interp(n, _PALER, (0, _PALEST))))
        sheet.shapes(SQUARE, places.centres(columns, rows), square, dark)
    if subject.instance is not None and subject.shows_squares:
        _draw_instance(sheet, subject.instance, places)
    width = max(_ATTACK * square, _FINEST_LINE * box.width)
    for color, wider in ((theme.board, 2.2), (theme.attack, 1.0)) if 0 < len(attacks) <= _MOST_ATTACKS else ():
        sheet.lines(at[attacks], color, wider * width, cap="round")
    # Crowns if the board is small and they have enough pixels, otherwise dots.
    has_crowns = n <= LARGEST_WITH_CROWNS and sheet.pixels(in_squares * square) >= _SMALLEST_CROWN
    shape = QUEEN if has_crowns else DOT
    sheet.shapes(shape, at, in_squares * square, theme.ink if hues is None else hues(along(queens)))
    if len(attacks) > _MOST_ATTACKS:
        sheet.shapes(shape, at[np.unique(attacks)], in_squares * square, theme.attack)


def along(queens: Queens) -> NDArray[np.float64]:
    """Return how far each queen is on the way from the first corner to the last, from 0 to 1."""
    n = len(queens)
    return (np.asarray(queens, np.float64) + np.arange(n)) / max(1, 2 * n - 2)


def queen_size(n: int, *, is_open: bool = True) -> float:
    """Return the size of all queens in squares: the part of a square that they fill, or that of dots if it is larger.

    If the board is open, without attacks and constraints, crowns may reach over squares that are not drawn.

    >>> [round(queen_size(n), 2) for n in (8, 64, 80, 100, 400, 1000, 50_000)]
    [0.88, 0.88, 1.38, 2.15, 2.2, 4.37, 82.24]
    """
    crown = _QUEEN_IN_SQUARE
    if is_open and LARGEST_CHESSBOARD < n <= LARGEST_WITH_CROWNS:
        crown = min(_LARGEST_CROWN, crown * (n / LARGEST_CHESSBOARD) ** 2)
    return max(crown, min(dot_size(n), _GRAIN_IN_DISTANCE * math.sqrt(n)))


def _draw_instance(sheet: Sheet, instance: Instance, places: Squares) -> None:
    """Fill blocked squares, draw dashed lines along excluded diagonals, and frame the squares of fixed queens."""
    square, fixed, n = places.across, instance.fixed, instance.n
    width = square * min(0.2, max(0.06, _FINEST_LINE * n))
    draw_exclusions(sheet, places, instance, (sheet.theme.blocked, sheet.theme.excluded), width)
    if n <= LARGEST_CHESSBOARD:
        centres = places.centres(fixed.columns, fixed.rows)
        sheet.frames(centres, (1 - _FRAME) * square, sheet.theme.fixed, _FRAME * square)


def _draw_grains(sheet: Sheet, queens: Queens, box: Box, hues: Colormap | None, attacking: NDArray[np.int64]) -> None:
    """Draw each queen as a grain around a pixel, as dark at its edge as it covers the pixels there."""
    left, upper, right, lower = sheet.pixel_edges(box)
    n, height, width = len(queens), lower - upper, right - left
    grain = queen_size(n) / n * width
    reach = int(grain / 2 + 0.5)
    around = np.arange(-reach, reach + 1)
    covered = np.clip(grain / 2 + 0.5 - np.hypot(around[:, np.newaxis], around), 0.0, 1.0)
    columns = np.arange(n)
    down, across = (
        reach + ((lines + 0.5) * ((pixels - 2 * reach) / n)).astype(np.int64)
        for lines, pixels in ((queens, height), (columns, width))
    )
    palette = [to_rgba(sheet.theme.ink)] if hues is None else hues(np.arange(255))
    number = ((columns + queens) * (len(palette) / (2 * n))).astype(np.uint8)
    number[attacking] = len(palette)
    image, middle = np.zeros(height * width, np.uint32), down * width + across
    # The darkest pixels last: where grains overlap, they stay.
    for place in np.argsort(covered, axis=None)[np.count_nonzero(covered == 0) :]:
        row, column = np.unravel_index(place, covered.shape)
        colors = packed([*palette, to_rgba(sheet.theme.attack)], float(covered[row, column]))
        image[middle + (row - reach) * width + (column - reach)] = colors[number]
    sheet.image(image.view(np.uint8).reshape(height, width, 4), box)


_BLACK = Theme("#ffffff", "#ffffff", "#e0e0e0").in_two_colors("#000000", "#ffffff")


class Style(NamedTuple):
    """How a poster looks: what draws its board, its colours, and what finds the places on it."""

    draw: Callable[[Sheet, Subject, Box], None]
    theme: Theme
    words_of: Callable[[Sheet, Subject], layout.Fill] = layout.words_of


STYLES = {
    "classic": Style(draw_classic, _BLACK._replace(attack=LIGHT.attack)),
    "modern": Style(draw_modern, Theme(
        paper=_NIGHT, board=_NIGHT, dark_square="#182050", ink="#ffffff", faint="#9aa6d6", attack="#ff6b5e",
        fixed="#ffb347", blocked="#4a5796", excluded="#c4cdf2", density=AROUND_EVEN_DARK,
    )),
    "lines": Style(draw_lines, Theme(paper=_WHITE, board=_WHITE, dark_square=_WHITE, attack="#c1121f")),
    "infographic": Style(
        draw_board, Theme(paper="#ffffff", board="#faf6ec", dark_square=LIGHT.light_square), infographic.words_of
    ),
    "limit-shape": Style(draw_limit_shape, Theme(paper=_EVEN, board=_EVEN, dark_square="#ebe6da")),
}  # fmt: skip


def check_style(style: str, n: int, sheet: Paper) -> None:
    """Raise :class:`InputError` if a style would show nothing of its own: the lines of too many queens."""
    if n > most_queens(style, sheet):
        raise InputError(
            f"style is {style!r} and n is {n:,}: on this sheet, the lines of more than {most_queens(style, sheet):,} "
            "queens run together; use classic, modern or limit-shape"
        )


def most_queens(style: str, sheet: Paper) -> float:
    """Return how many queens a style can show on a sheet: if there are more lines, they run together."""
    return int(sheet.board_pixels / _PIXELS_PER_LINE) if style == "lines" else math.inf


def recoloured(theme: Theme, color: str | None, background: str | None, *, black: bool) -> Theme:
    """Return a theme in two colours, if one of them is given, or in shades of black."""
    if black and (color or background):
        raise InputError("black is True: leave out color and background")
    for name, value in (("color", color), ("background", background)):
        if value is not None and not is_color_like(value):
            raise InputError(f"{name} is {value!r}: a name is needed, for example navy, or a code, for example #1b3a5c")
    if black:
        color, background = "black", "white"
    if color is None and background is None:
        return theme
    ink, paper = (
        to_hex(given or _opposite(other, theme)) for given, other in ((color, background), (background, color))
    )
    ratio = contrast(ink, paper)
    if ratio < _LEAST_CONTRAST:
        shown = math.floor(100 * ratio) / 100
        raise InputError(
            f"color {color!r} on background {background!r}: their contrast is {shown}:1, and at least "
            f"{_LEAST_CONTRAST}:1 is needed; leave out one of them, and it is chosen"
        )
    return theme.in_two_colors(ink, paper)


def _opposite(color: str | None, theme: Theme) -> str:
    """Return the ink or the paper of a theme, whichever stands out more from a colour."""
    return max(theme.ink, theme.paper, key=lambda usual: contrast(usual, to_hex(color)))  # type: ignore[arg-type]


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours by WCAG 2, from 1 to 21.

    >>> contrast("white", "black"), contrast("navy", "navy"), round(contrast("#777777", "white"), 2)
    (21.0, 1.0, 4.48)
    """
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: str) -> float:
    """Return the relative luminance of a colour by WCAG 2, from 0 to 1."""
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(color))
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
