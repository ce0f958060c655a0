"""The lines that queens attack along: as shapes, and as an image.

The image is what shapes would give, in a fraction of the time and in few colours, so that files are small. All pixels
of a diagonal are covered by the lines along it to the same part, so one number per diagonal is enough.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.colors import to_rgb
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from fastqueens.core.board import Queens
from fastqueens.pictures.posters.sheet import Box
from fastqueens.pictures.style import GRID, SERIES

#: The colours and the opacities of columns, rows, sum and difference diagonals.
LINE_COLORS = ((GRID, 1.0), (GRID, 1.0), (SERIES[0], 0.75), (SERIES[1], 0.75))

#: A pixel is covered by lines to one of so many parts, from 0 to all of it. Few parts make small files; lines finer
#: than this many pixels need more of them.
_LEVELS, _LEVELS_OF_FINE_LINES = 3, 6
_FINE_LINE = 0.75

#: How many rows of pixels are coloured at once.
_ROWS = 256


def lines_of_queens(queens: Queens, box: Box) -> list[NDArray[np.float64]]:
    """Return columns, rows, sum and difference diagonals of all queens as (n, 2, 2) arrays of ends on the edge."""
    n = len(queens)
    column, row = np.arange(n, dtype=np.int64), queens.astype(np.int64)
    edge, far = np.zeros(n), np.full(n, float(n))
    total, difference = column + row + 1, row - column
    from_left, to_right = np.maximum(0, total - n), np.minimum(n, total)
    begin, end = np.maximum(0, -difference), np.minimum(n, n - difference)
    ends = [
        (column + 0.5, edge, column + 0.5, far),
        (edge, row + 0.5, far, row + 0.5),
        (from_left, total - from_left, to_right, total - to_right),
        (begin, begin + difference, end, end + difference),
    ]
    scale = box.width / n
    return [
        np.array([[box.left + scale * x, box.top - scale * y] for x, y in ((x0, y0), (x1, y1))]).transpose(2, 0, 1)
        for x0, y0, x1, y1 in ends
    ]


def lines_image(queens: Queens, side: int, width: float, paper: str) -> NDArray[np.uint8]:
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
    palette = _palette(paper, levels)
    image = np.empty((side, side), np.uint32)
    for upper in range(0, side, _ROWS):
        part = slice(upper, upper + _ROWS)
        straight = np.maximum(columns, rows[part, np.newaxis])
        image[part] = palette[straight + levels * along_sums[part] + levels**2 * along_differences[part]]
    return image.view(np.uint8).reshape(side, side, 4)


def _straight(middles: NDArray[np.floating[Any]], width: float, pixels: int, levels: int) -> NDArray[np.uint8]:
    """Return to which level rows of pixels are covered by lines along them, given the middles of the lines."""
    return _levels(middles - 0.5 * width, middles + 0.5 * width, pixels, levels, lambda x: np.clip(x, 0.0, 1.0))


def _diagonal(middles: NDArray[np.floating[Any]], width: float, pixels: int, levels: int) -> NDArray[np.uint8]:
    """Return to which level diagonals of pixels are covered, with the pixels around k at index k.

    Lines and middles are measured along an edge of the board, so a line is wider by the square root of 2. A pixel
    reaches from k - 1 to k + 1.
    """

    def covered(x: NDArray[np.float64]) -> NDArray[np.float64]:
        inside = np.clip(x, -1.0, 1.0)
        return 0.5 + inside - 0.5 * inside * np.abs(inside)

    half = 0.5 * 2**0.5 * width
    return _levels(middles - half, middles + half, pixels, levels, covered)


def _levels(
    starts: NDArray[np.floating[Any]],
    ends: NDArray[np.floating[Any]],
    pixels: int,
    levels: int,
    covered: Callable[[NDArray[np.float64]], NDArray[np.float64]],
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


def _palette(paper: str, levels: int) -> NDArray[np.uint32]:
    """Return the colours of all levels of rows or columns, sums and differences, in the order of their numbers.

    Each is four bytes in one number, which is quicker to copy: red, green, blue and opacity.
    """
    shares = np.arange(levels) / (levels - 1)
    colors = np.array([to_rgb(paper)])
    for color, opacity in LINE_COLORS[1:]:
        share = opacity * shares[:, np.newaxis, np.newaxis]
        colors = ((1 - share) * colors + share * np.array(to_rgb(color))).reshape(-1, 3)
    opaque = np.column_stack((colors, np.ones(len(colors))))
    return np.round(255 * opaque).astype(np.uint8).view(np.uint32)[:, 0]
