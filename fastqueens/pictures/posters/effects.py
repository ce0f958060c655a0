"""Images that would be slow or ugly as shapes: the glow around lights, and the lines that queens attack along.

The glow is smooth, without the rings that discs on top of each other leave. The image of lines takes a fraction of the
time of shapes, and has few colours, so that files are small.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.colors import to_hex, to_rgb
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from fastqueens.core.board import Queens
from fastqueens.pictures.figure import Squares
from fastqueens.pictures.posters.sheet import Box, Theme, packed
from fastqueens.pictures.squares import diagonal_lines
from fastqueens.pictures.style import blend

Array = NDArray[np.floating[Any]]

#: The glow is the sum of these normal curves: standard deviations in sizes of a light, and heights.
_CURVES = ((0.75, 0.45), (2.0, 0.16))

#: How far it reaches, in standard deviations of the wider curve.
_REACH = 3.5

#: Pixels per size of a light, and the most pixels per side.
_FINENESS = 5
_MOST_PIXELS = 2000

#: The opacity of diagonals.
_OPACITY = 0.75


def glow_reach(size: float) -> float:
    """Return how far the glow of a light of a size reaches."""
    return _REACH * _CURVES[-1][0] * size


def glow_image(at: Array, size: float, colors: Array, box: Box, night: str) -> NDArray[np.uint8]:
    """Return the glow of lights around (k, 2) centres with (k, 3) colours: (rows, columns, 3) bytes of the box.

    It is coarse, because a glow has no edges: at most five pixels per size of a light.
    """
    pixel = max(size / _FINENESS, max(box.width, box.height) / _MOST_PIXELS)
    rows, columns = (max(1, round(side / pixel)) for side in (box.height, box.width))
    # Around the image is space for what reaches beyond its edges: the transform continues at the opposite edge.
    space = int(np.ceil(glow_reach(size) / pixel)) + 2
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


def line_colors(theme: Theme) -> tuple[tuple[str, float], ...]:
    """Return the colours and the opacities of columns, rows, sum and difference diagonals."""
    return (theme.grid, 1.0), (theme.grid, 1.0), (theme.series[0], _OPACITY), (theme.series[1], _OPACITY)


def lines_of_queens(queens: Queens, box: Box) -> list[Array]:
    """Return columns, rows, sum and difference diagonals of all queens as (n, 2, 2) arrays of ends on the edge."""
    n, column, row = len(queens), np.arange(len(queens), dtype=np.int64), queens.astype(np.int64)
    columns, rows = (np.stack(np.broadcast_arrays(at[:, np.newaxis] + 0.5, [0, n]), axis=2) for at in (column, row))
    diagonals = diagonal_lines(n, column + row, row - column)
    places = Squares(box.left, box.top, box.width / n, -box.width / n)
    return [places.at(lines) for lines in (columns, rows[..., ::-1], diagonals[:n], diagonals[n:])]


def lines_image(queens: Queens, side: int, width: float, theme: Theme) -> NDArray[np.uint8]:
    """Return the lines of all queens, ``width`` pixels wide, on a board of ``side`` pixels: (side, side, 4) bytes.

    Lines are whole pixels wide, so one number per row, column and diagonal of pixels tells whether it is on a line.
    """
    square, column, row = side / len(queens), np.arange(len(queens)), queens.astype(np.int64)

    def on_lines(middles: Array, wide: float, pixels: int) -> NDArray[np.uint8]:
        first, found = np.round(middles - wide / 2).astype(np.int64), np.zeros(pixels + 2 * side, np.uint8)
        for offset in range(max(1, round(wide))):
            found[first + offset] = 1
        return found[:pixels]

    columns, rows = (on_lines((lines + 0.5) * square, width, side) for lines in (column, row))
    middles = (column + row + 1) * square, (row - column) * square + side
    sums, differences = (on_lines(lines, 2**0.5 * width, 2 * side) for lines in middles)
    # Pixel (y, x) has its middle at the sum x + y + 1 and the difference y - x.
    along_sums = as_strided(sums[1:], (side, side), (1, 1), writeable=False)
    along_differences = as_strided(differences[side:], (side, side), (1, -1), writeable=False)
    colors = [theme.board, theme.grid]
    for color, opacity in line_colors(theme)[2:]:
        colors += [to_hex(blend(below, color, opacity)) for below in colors]
    image = packed(colors)[np.maximum(columns, rows[:, np.newaxis]) + 2 * along_sums + 4 * along_differences]
    return np.asarray(image.view(np.uint8).reshape(side, side, 4))
