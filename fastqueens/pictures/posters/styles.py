"""The styles of posters: their colours, and the drawing of their boards.

Queens are crowns, dots, grains or a density, depending on how many pixels they have.
"""

from __future__ import annotations

import logging
import math

import numpy as np
from matplotlib.colors import Colormap, LinearSegmentedColormap, is_color_like, to_hex, to_rgb, to_rgba
from numpy.typing import NDArray

from fastqueens.board import Queens
from fastqueens.densities import bin_board
from fastqueens.errors import InputError
from fastqueens.instance import Instance
from fastqueens.pictures.density import shades
from fastqueens.pictures.figure import SQUARE, Squares, draw_exclusions
from fastqueens.pictures.posters.sheet import Box, Sheet, Theme, packed
from fastqueens.pictures.posters.words import Subject
from fastqueens.pictures.squares import LARGEST_CHESSBOARD, LARGEST_WITH_CROWNS, LARGEST_WITH_DOTS, neighbours_on_lines
from fastqueens.pictures.style import AROUND_EVEN_DARK, DOT, LIGHT, QUEEN, blend, dot_size

log = logging.getLogger("fastqueens")

#: "modern" draws queens as lights on a night sky, from blue through pink to amber.
STYLES = {
    "classic": Theme("#ffffff", "#e0e0e0").in_two_colors("#000000", "#ffffff")._replace(attack=LIGHT.attack),
    "modern": Theme(
        paper="#0d1230", dark_square="#182050", ink="#ffffff", faint="#9aa6d6", attack="#ff6b5e", fixed="#ffb347",
        blocked="#4a5796", excluded="#c4cdf2", lights=("#6cc5f5", "#e07fb4", "#ffb347"), density=AROUND_EVEN_DARK,
    ),
}  # fmt: skip

#: Of ink and paper: WCAG 2 asks for this much in large letters and pictures.
_LEAST_CONTRAST = 3

#: The width of the frame around a board without lights, in units.
_AROUND = 0.02

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

#: The diameter of dots and grains is at most this share of the mean distance between queens; lights glow at most like
#: dots of the second share.
_GRAIN_IN_DISTANCE = 0.6
_GLOW_IN_DISTANCE = 0.25

#: The glow is the sum of these normal curves: standard deviations in sizes of a light, and heights. It reaches this
#: many of the wider standard deviations.
_CURVES = ((0.75, 0.45), (2.0, 0.16))
_REACH = 3.5

#: Pixels of the glow per size of a light, and the most pixels per side.
_FINENESS = 5
_MOST_PIXELS = 2000


def draw_board(sheet: Sheet, subject: Subject, board: Box) -> None:
    """Draw the board with its queens and their attacks, or as a density, in the theme of the sheet."""
    theme, frame = sheet.theme, _AROUND * sheet.unit
    box = board if theme.lights else sheet.grown(board, -frame)
    if subject.cells:
        bins = bin_board(subject.queens, subject.cells, **subject.callbacks)
        sheet.image(shades(bins.density(), theme.density), box)
        shown = "too many to draw one by one: the poster shows their density"
        log.info("%s queens are %s", f"{subject.n:,}", shown)
    else:
        _draw_queens(sheet, subject, box)
    if not theme.lights:
        # Around the board, so that it covers none of the squares.
        middle = np.array([[board.left + board.width / 2, board.bottom + board.height / 2]])
        sheet.frames(middle, board.width - frame, theme.ink, frame)


def _draw_queens(sheet: Sheet, subject: Subject, box: Box) -> None:
    """Draw squares, marks, attacks and queens, or queens as grains."""
    n, theme, queens = subject.n, sheet.theme, subject.queens
    # A list: matplotlib 3.8 reads a tuple of two as a colour and its opacity.
    hues = LinearSegmentedColormap.from_list("hues", [*theme.lights]) if theme.lights else None
    attacks = np.empty((0, 2), np.int64) if subject.is_solution else neighbours_on_lines(queens)
    in_squares = queen_size(n, is_open=subject.is_solution and subject.instance is None)
    # Large queens need space at the edge, so that none leaves the board.
    is_inset = LARGEST_CHESSBOARD < n <= LARGEST_WITH_DOTS
    inside = sheet.grown(box, -0.5 * in_squares / (n + in_squares) * box.width) if is_inset else box
    square = inside.width / n
    places = Squares(inside.left, inside.top, square, -square)
    at = places.centres(np.arange(n), queens)
    if hues is not None and n > LARGEST_CHESSBOARD:
        # Large crowns glow like dots, so that the margin stays dark; many lights glow less, so that the sky does.
        light = min(in_squares * square, dot_size(n) * square, _GLOW_IN_DISTANCE * inside.width / n**0.5)
        sky = sheet.grown(box, _REACH * _CURVES[-1][0] * light)
        sheet.image(glow_image(at, light, hues(_along(queens))[:, :3], sky, theme.paper), sky, smooth=True)
    if n > LARGEST_WITH_DOTS:
        _draw_grains(sheet, queens, box, hues, np.unique(attacks))
        return
    if n <= LARGEST_CHESSBOARD and theme.dark_square != theme.paper:
        rows, columns = np.nonzero(np.indices((n, n)).sum(axis=0) % 2)
        # Small squares are paler, so that the queens stand out.
        dark = blend(theme.dark_square, theme.paper, float(np.interp(n, _PALER, (0, _PALEST))))
        sheet.shapes(SQUARE, places.centres(columns, rows), square, dark)
    if subject.instance is not None and subject.shows_squares:
        _draw_instance(sheet, subject.instance, places)
    width = max(_ATTACK * square, _FINEST_LINE * box.width)
    for color, wider in ((theme.paper, 2.2), (theme.attack, 1.0)) if 0 < len(attacks) <= _MOST_ATTACKS else ():
        sheet.lines(at[attacks], color, wider * width, cap="round")
    # Crowns if the board is small and they have enough pixels, otherwise dots.
    has_crowns = n <= LARGEST_WITH_CROWNS and sheet.pixels(in_squares * square) >= _SMALLEST_CROWN
    shape = QUEEN if has_crowns else DOT
    sheet.shapes(shape, at, in_squares * square, theme.ink if hues is None else hues(_along(queens)))
    if len(attacks) > _MOST_ATTACKS:
        sheet.shapes(shape, at[np.unique(attacks)], in_squares * square, theme.attack)


def _along(queens: Queens) -> NDArray[np.float64]:
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


def glow_image(
    at: NDArray[np.float64], size: float, colors: NDArray[np.float64], box: Box, night: str
) -> NDArray[np.uint8]:
    """Return the glow of lights around (k, 2) centres with (k, 3) colours: (rows, columns, 3) bytes of the box.

    It is coarse, because a glow has no edges, and it has none of the rings that discs on top of each other leave.
    """
    pixel = max(size / _FINENESS, max(box.width, box.height) / _MOST_PIXELS)
    rows, columns = (max(1, round(side / pixel)) for side in (box.height, box.width))
    # Around the image is space for what reaches beyond its edges: the transform continues at the opposite edge.
    space = int(np.ceil(_REACH * _CURVES[-1][0] * size / pixel)) + 2
    shape = rows + space, columns + space
    across, down = (at[:, 0] - box.left) / box.width * columns, (box.top - at[:, 1]) / box.height * rows
    pixels = np.floor(down).astype(np.int64) % shape[0] * shape[1] + np.floor(across).astype(np.int64) % shape[1]
    squared = np.fft.fftfreq(shape[0])[:, np.newaxis] ** 2 + np.fft.rfftfreq(shape[1]) ** 2
    variances = [(2 * np.pi * (deviation * size / pixel) ** 2, height) for deviation, height in _CURVES]
    transfer = sum(height * variance * np.exp(-np.pi * variance * squared) for variance, height in variances)
    weight, *mixture = (
        np.fft.irfft2(np.fft.rfft2(np.bincount(pixels, values, shape[0] * shape[1]).reshape(shape)) * transfer, shape)
        for values in (np.ones(len(at)), *colors.T)
    )
    weight, dark = np.maximum(weight, 1e-9), np.array(to_rgb(night))
    color = np.clip(np.stack(mixture, axis=2) / weight[..., np.newaxis], 0.0, 1.0)
    image = dark - np.expm1(-weight)[..., np.newaxis] * (color - dark)
    return np.asarray(np.round(255 * image[:rows, :columns]), np.uint8)


def recoloured(theme: Theme, color: str | None, background: str | None) -> Theme:
    """Return a theme in two colours, if one of them is given."""
    for name, value in (("color", color), ("background", background)):
        if value is not None and not is_color_like(value):
            raise InputError(f"{name} is {value!r}: a name is needed, for example navy, or a code, for example #1b3a5c")
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
