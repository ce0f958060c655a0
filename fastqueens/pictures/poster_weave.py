"""The weave on a poster: shapes, or pixels if threads are fine, and the marks of an instance."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.transforms import Bbox

from fastqueens._run.memory import check_memory
from fastqueens.board import Queens
from fastqueens.instance import Instance
from fastqueens.pictures.chessboard import DOT, SQUARE, add_shapes, excluded_lines
from fastqueens.pictures.lenses import LENSES_FROM, Lenses
from fastqueens.pictures.palettes import Palette
from fastqueens.pictures.sheet import POINTS_PER_MILLIMETRE, Sheet
from fastqueens.pictures.threads import draw_shared_lines, draw_threads
from fastqueens.pictures.weave import (
    LEAST_DOT,
    RING,
    Cloth,
    Place,
    colors_of_dots,
    dot_of,
    strength_of,
    usual_pairs,
    width_of,
)

#: The least width in millimetres of threads that are shapes in vector graphics. Programs that show a PDF draw shapes of
#: less than a pixel too dark or too wide, so finer threads are an image.
LEAST_WIDTH = 0.3

#: matplotlib copies an image several times while it writes a file.
_BYTES_PER_PIXEL = 20

# In squares: the border of blocked squares, the width of dashes and of the paper around them, and their length; the
# ring of a fixed queen, in diameters of her dot.
_BORDER, _DASH, _AROUND_DASH, _DASH_LENGTH = 0.16, 0.16, 0.42, 0.7
_FIXED, _FIXED_WIDTH = 1.9, 0.25


class Weave:
    """The weave of a board in a box of a sheet, half a dot inside the edges, so that no queen is cut.

    ``gain`` is the factor by which the contrast of threads is amplified.
    """

    def __init__(self, sheet: Sheet, queens: Queens, palette: Palette, box: Bbox, pairs: int | None) -> None:
        self.sheet, self.queens, self.palette, self.gain = sheet, queens, palette, 1.0
        self.strength = strength_of(pairs or 0, usual_pairs(len(queens)))
        self._is_solution = pairs == 0
        dot = dot_of(len(queens))
        self.side = box.width / (1 + dot)
        self.box, self.inside = sheet.bled(box), box.padded(-dot * self.side / 2)

    @property
    def mark(self) -> str:
        """The smallest visible mark of a queen: "dot", or "thread" if dots are too small, "lens", or "silk"."""
        pixels = self.sheet.pixels(self.side)
        is_dotted = self.is_shapes or dot_of(len(self.queens)) * pixels >= LEAST_DOT
        if is_dotted:
            return "dot"
        return "lens" if self.has_lenses else "thread" if len(self.queens) <= pixels else "silk"

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
        if self.is_shapes or instance is not None:
            axes = self._axes()
            if self.is_shapes:
                self._draw_threads(axes)
                self._draw_dots(axes)
            if instance is not None:
                self._draw_marks(axes, instance)

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

    @property
    def _points(self) -> float:
        return self.side / len(self.queens) * POINTS_PER_MILLIMETRE

    def _draw_dots(self, axes: Axes) -> None:
        dot, ring = colors_of_dots(len(self.queens), self.palette, self.strength)
        size, places = dot_of(len(self.queens)) * len(self.queens), np.arange(len(self.queens))
        centres = np.add(np.column_stack((places, self.queens)), 0.5)
        for color, diameter, above in ((ring, RING * size, 3), (dot, size, 5)):
            if color is not None:
                add_shapes(axes, DOT, centres, diameter, facecolors=color, zorder=above)

    def _draw_marks(self, axes: Axes, instance: Instance) -> None:
        """Draw blocked squares, dashes along excluded diagonals, and rings around fixed queens."""
        look, lines = self.palette, excluded_lines(instance)
        if len(lines):
            around, width = (share * self._points for share in (_AROUND_DASH, _DASH))
            axes.add_artist(LineCollection([*lines], colors=look.paper, linewidths=around, capstyle="butt"))
            dash = [share * 2**0.5 / _DASH for share in (_DASH_LENGTH, 1 - _DASH_LENGTH)]
            dashes = LineCollection([*lines], colors=look.ink, linewidths=width, capstyle="butt")
            dashes.set_linestyle([(-dash[1] / 2, dash)])
            axes.add_artist(dashes)
        blocked = instance.blocked + 0.5
        add_shapes(axes, SQUARE, blocked, 1.0, facecolors=look.paper, zorder=3)
        add_shapes(axes, SQUARE, blocked, 1 - 2 * _BORDER, facecolors=look.ink, zorder=3)
        size = dot_of(len(self.queens)) * len(self.queens)
        fixed = np.column_stack((instance.fixed.columns, instance.fixed.rows)) + 0.5
        for color, width in ((look.paper, 2 * _FIXED_WIDTH), (look.ink, _FIXED_WIDTH)):
            ring = {"edgecolors": color, "linewidths": width * size * self._points, "zorder": 3}
            add_shapes(axes, DOT, fixed, _FIXED * size, facecolors="none", **ring)
