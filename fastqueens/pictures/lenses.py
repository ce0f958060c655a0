"""Lenses over a weave whose threads are too fine to see: three circles that enlarge the place of one queen.

The last lens shows the queen and her two threads. Each of the others marks the place that the next one enlarges.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, FancyBboxPatch
from matplotlib.transforms import Bbox
from numpy.typing import NDArray

from fastqueens.board import Queens
from fastqueens.pictures.figure import BOLD, capitals, text_width
from fastqueens.pictures.layout import Line
from fastqueens.pictures.palettes import Palette
from fastqueens.pictures.sheet import POINTS_PER_MILLIMETRE, Sheet
from fastqueens.pictures.weave import LEAST_DOT, Cloth, Place

#: Posters have lenses from this number of queens on.
LENSES_FROM = 20_000

#: About the columns that the last lens shows, and the height of its queen above the first lens, as a share of the board
#: from the top.
_COLUMNS, _SPOT = 15, 0.42

#: Shares of the board: the diameter of a lens, its distance from the edges, and from the lower edge with its label.
_DIAMETER, _MARGIN, _ABOVE = 0.25, 0.062, 0.085

# Shares of the diameter: the rim, lines from lens to lens, the least ring, dots, and the type and height of labels.
_RIM, _LINE, _LEAST_RING, _DOT, _TYPE, _LABEL = 0.028, 0.008, 0.09, 0.034, 0.085, 0.145

#: The diameter of a dot in squares, if it is larger.
_DOT_IN_SQUARE = 0.72


class Lens(NamedTuple):
    """A circle on a sheet, in millimetres, and how many times it enlarges."""

    x: float
    y: float
    diameter: float
    times: int


def lenses_on(board: Bbox, n: int) -> list[Lens]:
    """Return the lenses of a board in a place on a sheet."""
    side, diameter = board.width, _DIAMETER * board.width
    left, right = (board.x0 + _MARGIN * side + diameter / 2, board.x1 - _MARGIN * side - diameter / 2)
    y = board.y0 + _ABOVE * side + diameter / 2
    return [Lens(x, y, diameter, times) for x, times in zip(np.linspace(left, right, 3), powers_of(n), strict=True)]


def powers_of(n: int) -> list[int]:
    """Return how many times each lens enlarges a board: numbers of one digit and zeros.

    >>> powers_of(20_000), powers_of(10**6)
    ([7, 50, 300], [30, 700, 20000])
    """
    last = _DIAMETER * n / _COLUMNS
    return [int(float(f"{last**power:.0e}")) for power in (1 / 3, 2 / 3, 1)]


def queen_of(queens: Queens) -> int:
    """Return the column of the queen that the lenses show: the one next to a place above the first lens."""
    n, near = len(queens), math.isqrt(len(queens))
    x, y = (_MARGIN + _DIAMETER / 2) * n, _SPOT * n
    while True:
        columns = np.arange(max(0, int(x) - near), min(n, int(x) + near))
        distances = np.hypot(columns - x, queens[columns] - y)
        if distances.min() < near - 1:  # all other queens are farther away
            return int(columns[np.argmin(distances)])
        near *= 2


class Lenses:
    """The lenses of a weave on a sheet: the board's place in millimetres, and its queens."""

    def __init__(self, sheet: Sheet, queens: Queens, palette: Palette, board: Bbox) -> None:
        self.sheet, self.queens, self.palette, self.board = sheet, queens, palette, board
        self.lenses, self.column = lenses_on(board, len(queens)), queen_of(queens)

    def paint(self, pixels: NDArray[np.uint8], box: Bbox) -> None:
        """Replace the pixels of a box of the sheet inside the lenses by enlarged threads and dots."""
        left, top, _, _ = self.sheet.pixel_edges(box)
        for lens in self.lenses:
            circle = Bbox.from_bounds(lens.x, lens.y, 0, 0).padded(lens.diameter / 2)
            x0, y0, x1, y1 = self.sheet.pixel_edges(circle)
            width, height, enlarged = x1 - x0, y1 - y0, lens.times * self.sheet.pixels(self.board.width)
            square = enlarged / len(self.queens)
            middle = (self.column + 0.5) * square, (float(self.queens[self.column]) + 0.5) * square
            place = Place(width / 2 - middle[0], height / 2 - middle[1], enlarged)
            dot = max(_DOT * width, _DOT_IN_SQUARE * square, LEAST_DOT)
            cloth = Cloth(self.queens, self.palette, width, height, place, dot=dot)
            down, across = np.ogrid[:height, :width]
            is_inside = np.hypot(across + 0.5 - width / 2, down + 0.5 - height / 2) <= width / 2
            target = pixels[y0 - top : y1 - top, x0 - left : x1 - left]
            target[is_inside] = cloth.pixels()[is_inside]

    def draw_rims(self) -> None:
        """Draw a ring around each place that is enlarged, a line from there to the lens, rims, and labels."""
        square, first, before = self.board.width / len(self.queens), self.lenses[0], 1
        x = self.board.x0 + (self.column + 0.5) * square
        y = self.board.y1 - (float(self.queens[self.column]) + 0.5) * square
        for lens in self.lenses:
            ring = lens.diameter * max(before / lens.times, _LEAST_RING)
            self._draw_circle(x, y, ring, _LINE * lens.diameter)
            self._draw_circle(lens.x, lens.y, lens.diameter, _RIM * lens.diameter)
            # Down to the first lens, and from rim to rim to the others.
            ends = ((x, lens.x), (y - ring / 2, lens.y + lens.diameter / 2))
            if lens is not first:
                ends = ((x + lens.diameter / 2, lens.x - lens.diameter / 2), (y, y))
            points = _LINE * lens.diameter * POINTS_PER_MILLIMETRE
            self.sheet.axes.add_artist(Line2D(*ends, color=self.palette.paper, linewidth=points))
            x, y, before = lens.x, lens.y, lens.times
        for lens in self.lenses:
            self._draw_label(lens)

    def _draw_circle(self, x: float, y: float, diameter: float, width: float) -> None:
        points = width * POINTS_PER_MILLIMETRE
        look = {"fill": False, "edgecolor": self.palette.paper, "linewidth": points}
        self.sheet.axes.add_artist(Circle((x, y), diameter / 2, **look))

    def _draw_label(self, lens: Lens) -> None:
        """Write the number below a lens, on a pill of paper over its rim."""
        text, size = f"\u00d7 {lens.times:,}", _TYPE * lens.diameter
        height, capital = _LABEL * lens.diameter, capitals(size, BOLD)
        width, y = text_width(text, capital, BOLD), lens.y - lens.diameter / 2
        pill = FancyBboxPatch(
            (lens.x - width / 2, y), width, 0, boxstyle=f"round,pad={height / 2}", facecolor=self.palette.paper,
            linewidth=0,
        )  # fmt: skip
        self.sheet.axes.add_artist(pill)
        self.sheet.write(Line(text, lens.x - width / 2, y - capital / 2, size, BOLD))
