"""The weave on a poster: shapes, or pixels if threads are fine, and the marks of an instance."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.transforms import Bbox

from fastqueens._run.memory import check_memory
from fastqueens.board import Queens
from fastqueens.checking import violations
from fastqueens.instance import Instance
from fastqueens.pictures.chessboard import DOT, Chessboard, add_shapes
from fastqueens.pictures.lenses import LENSES_FROM, Lenses
from fastqueens.pictures.palettes import Palette
from fastqueens.pictures.sheet import Sheet
from fastqueens.pictures.threads import draw_shared_lines, draw_threads
from fastqueens.pictures.weave import (
    LEAST_DOT,
    RING,
    Cloth,
    Place,
    colors_of_dots,
    dot_of,
    strength_on,
    width_of,
)

#: The least width in millimetres of threads that are shapes in vector graphics. Programs that show a PDF draw shapes of
#: less than a pixel too dark or too wide, so finer threads are an image.
LEAST_WIDTH = 0.3

#: matplotlib copies an image several times while it writes a file.
_BYTES_PER_PIXEL = 20


class Weave:
    """The weave of a board in a box of a sheet, half a dot inside the edges, so that no queen is cut.

    ``gain`` is the factor by which the contrast of threads is amplified.
    """

    def __init__(self, sheet: Sheet, queens: Queens, palette: Palette, box: Bbox, pairs: int | None) -> None:
        self.sheet, self.queens, self.palette, self.gain = sheet, queens, palette, 1.0
        n = len(queens)
        self.strength = strength_on(n, pairs)
        self._is_solution = pairs == 0
        dot = dot_of(n)
        self.side = box.width / (1 + dot)
        self.board, self.box, self.inside = box, sheet.bled(box), box.padded(-dot * self.side / 2)

    @property
    def mark(self) -> str:
        """The smallest visible mark of a queen: "dot", or "lens" or "silk" if dots are too small."""
        if self.is_shapes or dot_of(len(self.queens)) * self.sheet.pixels(self.side) >= LEAST_DOT:
            return "dot"
        return "lens" if self.has_lenses else "silk"

    @property
    def has_lenses(self) -> bool:
        """Whether lenses show the threads of a solution."""
        return self._is_solution and len(self.queens) >= LENSES_FROM and not self.is_shapes

    @property
    def is_shapes(self) -> bool:
        """Whether threads and dots are shapes."""
        width = width_of(len(self.queens)) * self.side / len(self.queens) / 2**0.5
        return self.sheet.is_vector and width >= LEAST_WIDTH

    def draw(self, instance: Instance | None) -> None:
        """Draw threads and dots, and the marks of an instance."""
        if not self.is_shapes:
            left, top, right, bottom = self.sheet.pixel_edges(self.box)
            if self.sheet.is_vector:
                what = f"an image of {right - left:,} x {bottom - top:,} pixels in a file"
                check_memory(_BYTES_PER_PIXEL * (right - left) * (bottom - top), what)
            shift = self.sheet.pixels(self.inside.x0 - self.box.x0), self.sheet.pixels(self.box.y1 - self.inside.y1)
            place = Place(*shift, self.sheet.pixels(self.side))
            cloth = Cloth(self.queens, self.palette, right - left, bottom - top, place, self.strength)
            self.gain, pixels = cloth.gain, cloth.pixels()
            if self.has_lenses:
                lenses = Lenses(self.sheet, self.queens, self.palette, self.inside)
                lenses.paint(pixels, self.box)
                lenses.draw_rims()
            self.sheet.image(pixels, self.box)
        if self.is_shapes:
            axes = self._axes()
            self._draw_threads(axes)
            self._draw_dots(axes)
        if instance is not None:
            dots = dot_of(len(self.queens)) * len(self.queens)
            board = Chessboard(self.sheet.axes_in(self.board), len(self.queens), size=dots, is_crowned=False)
            board.axes.set_axis_off()
            board.draw_instance(instance)
            wrong = violations(self.queens, instance)
            violating = np.union1d(wrong.blocked, wrong.excluded)
            board.draw_queens(violating, self.queens[violating], violating=violating)

    def _axes(self) -> Axes:
        """Add axes over the box on which a square is the unit, with row 0 at the top."""
        axes, square = self.sheet.axes_in(self.box), self.side / len(self.queens)
        left, right = ((edge - self.inside.x0) / square for edge in (self.box.x0, self.box.x1))
        top, bottom = ((self.inside.y1 - edge) / square for edge in (self.box.y1, self.box.y0))
        axes.set(xlim=(left, right), ylim=(bottom, top))
        axes.set_axis_off()
        return axes

    def _draw_threads(self, axes: Axes) -> None:
        """Draw threads, and lines of several queens in red above rings and below dots."""
        n, columns = len(self.queens), np.arange(len(self.queens))
        draw_threads(axes, columns, self.queens, n, self.palette, self.strength)
        draw_shared_lines(axes, columns, self.queens, self.palette.attack, width_of(n), zorder=4)

    def _draw_dots(self, axes: Axes) -> None:
        dot, ring = colors_of_dots(len(self.queens), self.palette, self.strength)
        size, places = dot_of(len(self.queens)) * len(self.queens), np.arange(len(self.queens))
        centres = np.add(np.column_stack((places, self.queens)), 0.5)
        for color, diameter, above in ((ring, RING * size, 3), (dot, size, 5)):
            if color is not None:
                add_shapes(axes, DOT, centres, diameter, facecolors=color, zorder=above)
