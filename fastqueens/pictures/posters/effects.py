"""Images that would be slow or ugly as shapes: the glow around lights, and the lines that queens attack along.

The glow is smooth, without the rings that discs on top of each other leave. The image of lines is what shapes would
give, in a fraction of the time and in few colours, so that files are small. All pixels of a diagonal are covered by the
lines along it to the same part, so one number per diagonal is enough.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.colors import to_rgb
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from fastqueens.core.board import Queens
from fastqueens.pictures.figure import Squares
from fastqueens.pictures.posters.sheet import Box, Theme
from fastqueens.pictures.squares import diagonal_lines

Array = NDArray[np.floating[Any]]

#: The glow is the sum of these normal curves: standard deviations in sizes of a light, and heights.
_CURVES = ((0.75, 0.45), (2.0, 0.16))

#: How far it reaches, in standard deviations of the wider curve.
_REACH = 3.5

#: Pixels per size of a light, and the most pixels per side.
_FINENESS = 5
_MOST_PIXELS = 2000


#: The coverage of a pixel by lines is rounded to this many levels, from none to all of it. Few levels make small files;
#: lines finer than ``_FINE_LINE`` pixels need more.
_LEVELS, _LEVELS_OF_FINE_LINES = 3, 6
_FINE_LINE = 0.75

#: How many rows of pixels are coloured at once.
_ROWS = 256


def glow_reach(size: float) -> float:
    """Return how far the glow of a light of a size reaches."""
    return _REACH * _CURVES[-1][0] * size


def glow_image(at: Array, size: float, colors: Array, box: Box, night: str) -> NDArray[np.uint8]:
    """Return the glow of lights around (k, 2) centres with (k, 3) colours: (rows, columns, 3) bytes of the box.

    It is coarse, because a glow has no edges: at most five pixels per size of a light.
    """
    pixel = max(size / _FINENESS, max(box.width, box.height) / _MOST_PIXELS)
    rows, columns = (max(1, round(side / pixel)) for side in (box.height, box.width))
    across = (at[:, 0] - box.left) / box.width * columns - 0.5
    down = (box.top - at[:, 1]) / box.height * rows - 0.5
    # Around the image is space for what reaches beyond its edges: the transform continues at the opposite edge.
    space = int(np.ceil(glow_reach(size) / pixel)) + 2
    shape = rows + space, columns + space
    transfer = _transfer(shape, size / pixel)
    weight, *mixture = (
        np.fft.irfft2(np.fft.rfft2(_points(across, down, values, shape)) * transfer, shape)[:rows, :columns]
        for values in (np.ones(len(at)), *colors.T)
    )
    share = -np.expm1(-np.maximum(weight, 0.0))
    dark = np.array(to_rgb(night))
    image = np.empty((rows, columns, 3), np.uint8)
    for channel, light in enumerate(mixture):
        color = np.clip(light / np.maximum(weight, 1e-9), 0.0, 1.0)
        image[..., channel] = np.round(255 * (dark[channel] + share * (color - dark[channel])))
    return image


def _points(across: Array, down: Array, values: Array, shape: tuple[int, int]) -> Array:
    """Return an array with each value divided among the four pixels around its place."""
    found = np.zeros(shape[0] * shape[1])
    left, upper = np.floor(across).astype(np.int64), np.floor(down).astype(np.int64)
    for i, j in np.ndindex(2, 2):
        part = np.abs(1 - i - (down - upper)) * np.abs(1 - j - (across - left))
        pixel = (upper + i) % shape[0] * shape[1] + (left + j) % shape[1]
        found += np.bincount(pixel, values * part, len(found))
    return found.reshape(shape)


def _transfer(shape: tuple[int, int], size: float) -> Array:
    """Return the Fourier transform of the curves, for lights of this size in pixels."""
    squared = np.fft.fftfreq(shape[0])[:, np.newaxis] ** 2 + np.fft.rfftfreq(shape[1]) ** 2
    variances = [(2 * np.pi * (deviation * size) ** 2, height) for deviation, height in _CURVES]
    return sum(height * variance * np.exp(-np.pi * variance * squared) for variance, height in variances)  # type: ignore[return-value]


def line_colors(theme: Theme) -> tuple[tuple[str, float], ...]:
    """Return the colours and the opacities of columns, rows, sum and difference diagonals."""
    return (theme.grid, 1.0), (theme.grid, 1.0), (theme.series[0], 0.75), (theme.series[1], 0.75)


def lines_of_queens(queens: Queens, box: Box) -> list[Array]:
    """Return columns, rows, sum and difference diagonals of all queens as (n, 2, 2) arrays of ends on the edge."""
    n = len(queens)
    column, row = np.arange(n, dtype=np.int64), queens.astype(np.int64)
    edge, far = np.zeros(n), np.full(n, float(n))
    columns = np.array([[column + 0.5, edge], [column + 0.5, far]]).transpose(2, 0, 1)
    rows = np.array([[edge, row + 0.5], [far, row + 0.5]]).transpose(2, 0, 1)
    diagonals = diagonal_lines(n, column + row, row - column)
    places = Squares(box.left, box.top, box.width / n, -box.width / n)
    return [places.at(lines) for lines in (columns, rows, diagonals[:n], diagonals[n:])]


def lines_image(queens: Queens, side: int, width: float, theme: Theme) -> NDArray[np.uint8]:
    """Return the lines of all queens, ``width`` pixels wide, on a board of ``side`` pixels: (side, side, 4) bytes."""
    n = len(queens)
    square = side / n
    column, row = np.arange(n, dtype=np.int64), np.asarray(queens, np.int64)
    levels = _LEVELS if width >= _FINE_LINE else _LEVELS_OF_FINE_LINES
    columns, rows = (_straight((lines + 0.5) * square, width, side, levels) for lines in (column, row))
    sums = _diagonal((column + row + 1) * square, width, 2 * side, levels)
    differences = _diagonal((row - column) * square + side, width, 2 * side, levels)
    # Pixel (y, x) has its middle at the sum x + y + 1 and the difference y - x.
    step = sums.strides[0]
    along_sums = as_strided(sums[1:], (side, side), (step, step), writeable=False)
    along_differences = as_strided(differences[side:], (side, side), (step, -step), writeable=False)
    palette = _palette(theme, levels)
    image = np.empty((side, side), np.uint32)
    for upper in range(0, side, _ROWS):
        part = slice(upper, upper + _ROWS)
        straight = np.maximum(columns, rows[part, np.newaxis])
        image[part] = palette[straight + levels * along_sums[part] + levels**2 * along_differences[part]]
    return image.view(np.uint8).reshape(side, side, 4)


def _straight(middles: Array, width: float, pixels: int, levels: int) -> NDArray[np.uint8]:
    """Return to which level rows of pixels are covered by lines along them, given the middles of the lines."""
    return _levels(middles - 0.5 * width, middles + 0.5 * width, pixels, levels, lambda x: np.clip(x, 0.0, 1.0))


def _diagonal(middles: Array, width: float, pixels: int, levels: int) -> NDArray[np.uint8]:
    """Return to which level diagonals of pixels are covered, with the pixels around k at index k.

    Lines and middles are measured along an edge of the board, so a line is wider by the square root of 2. A pixel
    reaches from k - 1 to k + 1.
    """

    def covered(x: Array) -> Array:
        inside = np.clip(x, -1.0, 1.0)
        return 0.5 + inside - 0.5 * inside * np.abs(inside)

    half = 0.5 * 2**0.5 * width
    return _levels(middles - half, middles + half, pixels, levels, covered)


def _levels(
    starts: Array, ends: Array, pixels: int, levels: int, covered: Callable[[Array], Array]
) -> NDArray[np.uint8]:
    """Return to which level pixels are covered; ``covered`` returns which part of a pixel at 0 is before a place."""
    found = np.zeros(pixels)
    first = np.floor(starts).astype(np.int64) - 1
    for offset in range(int(np.ceil((ends - starts).max())) + 4):
        pixel = first + offset
        amount = covered(ends - pixel) - covered(starts - pixel)
        is_there = (pixel >= 0) & (pixel < pixels)
        found += np.bincount(pixel[is_there], amount[is_there], pixels)
    return np.round((levels - 1) * np.minimum(found, 1.0)).astype(np.uint8)


def _palette(theme: Theme, levels: int) -> NDArray[np.uint32]:
    """Return the colours of all levels of rows or columns, sums and differences, in the order of their numbers.

    Each is four bytes in one number, which is quicker to copy: red, green, blue and opacity.
    """
    shares = np.arange(levels) / (levels - 1)
    colors = np.array([to_rgb(theme.board)])
    for color, opacity in line_colors(theme)[1:]:
        share = opacity * shares[:, np.newaxis, np.newaxis]
        colors = ((1 - share) * colors + share * np.array(to_rgb(color))).reshape(-1, 3)
    opaque = np.column_stack((colors, np.ones(len(colors))))
    return np.round(255 * opaque).astype(np.uint8).view(np.uint32)[:, 0]
