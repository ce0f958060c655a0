"""The weave on a poster: shapes, or pixels if threads are fine, and the marks of an instance."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.transforms import Bbox
from numpy.typing import NDArray

from fastqueens._run.memory import check_memory
from fastqueens.board import Queens
from fastqueens.instance import Instance
from fastqueens.pictures.chessboard import DOT, SQUARE, add_shapes, excluded_lines
from fastqueens.pictures.palettes import Palette, printed
from fastqueens.pictures.sheet import POINTS_PER_MILLIMETRE, Sheet
from fastqueens.pictures.weave import FAINT, LEAST_DOT, RING, Cloth, Place, colors_of_dots, dot_of, width_of

#: The least width in millimetres of threads that are shapes in vector graphics. Programs that show a PDF draw shapes of
#: less than a pixel too dark or too wide, so finer threads are an image.
LEAST_WIDTH = 0.3

#: matplotlib copies an image several times while it writes a file.
_BYTES_PER_PIXEL = 20

#: The directions of threads.
_INKED = ("rising", "falling")

#: Threads in one shape at most.
_BANDS_IN_SHAPE = 500

# In squares: the border of blocked squares, the width of dashes and of the paper around them, and their length; the
# ring of a fixed queen, in diameters of her dot.
_BORDER, _DASH, _AROUND_DASH, _DASH_LENGTH = 0.16, 0.16, 0.42, 0.7
_FIXED, _FIXED_WIDTH = 1.9, 0.25


class Weave:
    """The weave of a board in a box of a sheet, half a dot inside the edges, so that no queen is cut.

    ``gain`` is the factor by which the contrast of threads is amplified.
    """

    def __init__(self, sheet: Sheet, queens: Queens, palette: Palette, box: Bbox, *, has_attacks: bool) -> None:
        self.sheet, self.queens, self.palette, self.gain = sheet, queens, palette, 1.0
        self.strength = FAINT if has_attacks else 1.0
        dot = dot_of(len(queens))
        self.side = box.width / (1 + dot)
        self.box, self.inside = sheet.bled(box), box.padded(-dot * self.side / 2)

    @property
    def mark(self) -> str:
        """The smallest visible mark of a queen: "dot", "thread" if dots are too small, or "silk" if threads are."""
        pixels = self.sheet.pixels(self.side)
        is_dotted = self.is_shapes or dot_of(len(self.queens)) * pixels >= LEAST_DOT
        return "dot" if is_dotted else "thread" if len(self.queens) <= pixels else "silk"

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
            self.gain = cloth.gain
            self.sheet.image(cloth.pixels(), self.box)
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
        """Draw threads in two inks that are printed over each other, and lines of several queens in red on top.

        The overlap is a layer of its own, because not every program blends colours: the falling threads in the colour
        of both inks, clipped by the rising threads.
        """
        look, columns = self.palette, np.arange(len(self.queens))
        lines = columns + self.queens + 1, columns - self.queens, self.queens + 0.5
        rising, falling = (self._bands(axes, np.unique(at), name) for name, at in zip(_INKED, lines, strict=False))
        one, other, both = (
            printed(look.paper, inks, shines=look.shines, strength=self.strength)
            for inks in ([look.rising], [look.falling], [look.rising, look.falling])
        )
        _fill(axes, rising, one, gid="rising")
        _fill(axes, falling, other, gid="falling")
        for clip in rising:
            _fill(axes, falling, both, clip, gid="overlap")
        for name, at in zip((*_INKED, "level"), lines, strict=True):
            used, counts = np.unique(at, return_counts=True)
            # Above rings and below dots.
            _fill(axes, self._bands(axes, used[counts > 1], name), look.attack, zorder=4)

    def _bands(self, axes: Axes, lines: NDArray[Any], direction: str) -> list[Path]:
        """Return bands along lines x + y, x - y or y inside the axes; threads without a gap between them are one band.

        Renderers of PDF overflow if one shape has very many corners, so there can be several shapes.
        """
        if not len(lines):
            return []
        width = width_of(len(self.queens)) / (2**0.5 if direction == "level" else 1)
        is_gap = np.diff(lines) > width + 1e-9
        edges = lines[np.append(True, is_gap)] - width / 2, lines[np.append(is_gap, True)] + width / 2
        (left, right), ends = axes.get_xlim(), axes.viewLim
        x = np.array([left - 1, right + 1, right + 1, left - 1, left - 1])
        at = np.stack((edges[0], edges[0], edges[1], edges[1], edges[0]), axis=1)
        y = {"rising": at - x, "falling": x - at, "level": at}[direction]
        corners = np.stack(np.broadcast_arrays(x, y), axis=2)
        return [
            Path.make_compound_path(*(Path(band, closed=True) for band in part)).clip_to_bbox(ends)
            for part in np.array_split(corners, -(-len(corners) // _BANDS_IN_SHAPE))
        ]

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


def _fill(axes: Axes, shapes: list[Path], color: str, clip: Path | None = None, **look: Any) -> None:
    """Fill shapes, only inside the shape ``clip`` if it is given."""
    for shape in shapes:
        patch = PathPatch(shape, facecolor=color, linewidth=0, **look)
        if clip is not None:
            patch.set_clip_path(clip, axes.transData)
        axes.add_artist(patch)
