"""The empty board: its squares, the coordinates at its edges, the title and the caption."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from numpy.typing import NDArray

from fastqueens.pictures.checks import LARGEST_WITH_CROWNS, check_origin
from fastqueens.pictures.figure import Picture, caption
from fastqueens.pictures.style import DARK_SQUARE, INK, LIGHT_SQUARE, PAPER, blend, dot_size, house_style

#: An array of points for a collection, which takes arrays, though its type hints do not say so.
Outlines: TypeAlias = Any

# Lengths in hundredths of an inch, so that squares are whole pixels at 100, 200 and 400 dpi: others shimmer.
_BOARD_SIDE = 640
_LEAST_SQUARE = 2
_LARGEST_SIDE = _LEAST_SQUARE * LARGEST_WITH_CROWNS
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 20, 50, 58
# A letter and a line of the caption.
_LETTER, _LINE = 5.9, 13
_POINTS = 0.72

# Squares narrower than this are drawn at twice the resolution.
_SMALL_SQUARE = 6
_DPI = 200

# From the first n to the second the squares fade: a fine pattern flickers and hides the queens.
_FADING = 30, 120
_MOST_FADED = 0.75

# The numbers along an edge; fewer on large boards, where they have more digits.
_MOST_COORDINATES = 20
_MOST_LONG_COORDINATES = 10
_STEPS = [step * 10**power for power in range(4) for step in (1, 2, 5)]


class Frame(NamedTuple):
    """What surrounds the squares: which row is at the top, and the coordinates."""

    origin: str
    coordinates: bool
    rows_from: int


def draw_on_board(
    n: int, frame: Frame, title: str, text: str, draw: Callable[[Axes], None], *, fading: float = 0.0
) -> Picture:
    """Return a board with its title and ``text`` as its caption; ``draw`` draws on the squares.

    On the axes a square is the unit, and the lower left corner of the board is (0, 0).
    """
    # Long captions are wrapped, and the lines below the first get more room.
    lines = textwrap.wrap(text, int(_square(n) * n / _LETTER))
    with house_style():
        figure, axes = _empty_board(n, fading, _BOTTOM + (len(lines) - 1) * _LINE)
        if frame.coordinates:
            _write_coordinates(axes, n, frame)
        draw(axes)
        axes.set_title(title)
        caption(figure, "\n".join(lines), left=axes.get_position().x0)
    return figure


def heights(rows: NDArray[Any], origin: str, n: int) -> NDArray[np.int64]:
    """Return how many squares each row is above the lowest one."""
    check_origin(origin)
    return rows.astype(np.int64) if origin == "lower" else n - 1 - rows.astype(np.int64)


def smallness(n: int) -> float:
    """Return 0 if squares are large, 1 if they are too small to be seen one by one, or a share between."""
    first, last = _FADING
    return min(1.0, max(0.0, (n - first) / (last - first)))


def points(axes: Axes) -> float:
    """Return the side of a square in points."""
    return _POINTS * _square(round(axes.get_xlim()[1]))


def square_outlines(corners: NDArray[np.int64], inset: float = 0.0) -> Outlines:
    """Return the outlines, (k, 4, 2), of the squares with these lower left corners."""
    low, high = inset, 1 - inset
    outline = np.array([(low, low), (high, low), (high, high), (low, high)])
    return corners[:, np.newaxis, :] + outline


def _empty_board(n: int, fading: float, bottom: int) -> tuple[Picture, Axes]:
    square = _square(n)
    side = square * n
    width, height = _LEFT + side + _RIGHT, bottom + side + _TOP
    # Laid out by hand: a layout engine would move the squares off the pixels.
    figure = Picture(figsize=(width / 100, height / 100), dpi=_DPI if square >= _SMALL_SQUARE else 2 * _DPI)
    axes = figure.add_axes((_LEFT / width, bottom / height, side / width, side / height))
    # Dots are larger than squares; none leaves the board.
    ends = (0, n) if n <= LARGEST_WITH_CROWNS else (-dot_size(n) / 2, n + dot_size(n) / 2)
    axes.set(xlim=ends, ylim=ends, xticks=[], yticks=[])
    axes.grid(visible=False)
    axes.spines[:].set(visible=True, color=INK, linewidth=0.8, zorder=3)
    faded = max(fading, _MOST_FADED * smallness(n))
    axes.set_facecolor(blend(LIGHT_SQUARE, PAPER, faded))
    # As on a chessboard, the lower left corner is dark.
    if n <= LARGEST_WITH_CROWNS:
        dark = np.argwhere(np.indices((n, n)).sum(axis=0) % 2 == 0)
        colours = [blend(DARK_SQUARE, PAPER, faded)]
        axes.add_collection(
            PolyCollection(square_outlines(dark), facecolors=colours, linewidths=0, antialiaseds=False, zorder=0)
        )
    return figure, axes


def _square(n: int) -> float:
    """Return the side of a square in hundredths of an inch, a whole number if squares are drawn."""
    return max(_LEAST_SQUARE, _BOARD_SIDE // n) if n <= LARGEST_WITH_CROWNS else _LARGEST_SIDE / n


def _write_coordinates(axes: Axes, n: int, frame: Frame) -> None:
    most = _MOST_COORDINATES if n <= LARGEST_WITH_CROWNS else _MOST_LONG_COORDINATES
    step = next(step for step in _STEPS if n <= step * most)
    # Rows that are numbered from 1 show 10, 20, 30, not 1, 11, 21.
    shown_rows = [row for row in range(n) if (row + frame.rows_from) % step == 0]
    shown_columns = range(0, n, step)
    axes.set_xticks([column + 0.5 for column in shown_columns], [f"{column:,}" for column in shown_columns])
    places = heights(np.array(shown_rows), frame.origin, n) + 0.5
    axes.set_yticks(places, [f"{row + frame.rows_from:,}" for row in shown_rows])
    axes.tick_params(length=0, labelsize=8, pad=3)
