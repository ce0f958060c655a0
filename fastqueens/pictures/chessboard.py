"""A board on axes on which a square is the unit: squares, queens, attacks and the marks of an instance."""

from __future__ import annotations

import math
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.patheffects import withStroke
from matplotlib.transforms import Affine2D, AffineDeltaTransform
from numpy.typing import NDArray

from fastqueens._run.arguments import check_choice
from fastqueens.board import Queens
from fastqueens.errors import InputError
from fastqueens.instance import Instance
from fastqueens.pictures.ascii import ORIGINS
from fastqueens.pictures.figure import POINTS_PER_INCH
from fastqueens.pictures.palettes import palette_in
from fastqueens.pictures.roles import theme
from fastqueens.pictures.threads import draw_pale_threads, draw_shared_lines
from fastqueens.pictures.weave import Cloth, Place, width_of

#: The largest boards with crowns on squares and pale threads: of pictures, and of plain posters. Larger boards are
#: weaves, or have a dot for each queen up to the last number.
LARGEST_WITH_SQUARES = 30
LARGEST_PLAIN = 64
LARGEST_WITH_DOTS = 50_000

#: The strength of threads on squares, dark ones on light paper and bright ones in the dark; and the least width of a
#: shared line, as a share of the board.
_PALE_THREADS, _FINEST_SHARED = (0.42, 0.8), 0.003

# The widths of lines in squares, and the least ones as a share of the board; in points, the least width of frames and
# the radius of rings.
_DASH_WIDTH, _FRAME_WIDTH = 0.06, 0.05
_FINEST_DASH, _FINEST_FRAME, _RING = 0.001, 1.2, 9

# On a weave, in squares: the width of dashes, and the border of paper in blocked squares; in diameters of dots: the
# side of frames and their width, which is also the width of the paper around them.
_BOLD_DASH, _BORDER, _FRAME_SIDE, _BOLD_FRAME = 0.16, 0.16, 1.65, 0.2

#: Pixels per inch of a weave.
_WEAVE_DPI = 200

#: The share of a dash in the diagonal of a square.
_DASH = 0.7

#: The numbers along an edge at most, next to squares and next to dots.
_MOST_NUMBERS, _MOST_LONG_NUMBERS = 20, 10

#: Their type: the least size in points, the share of the type of ticks, and the width of a digit in sizes of type.
_LEAST_NUMBERS, _NUMBERS_OF_TICKS, _WIDTH_OF_DIGIT = 6, 0.8, 0.55

#: The diameter of dots as a share of the mean distance between queens. From the second number of queens on it grows,
#: because many small dots look pale.
_DOT_IN_DISTANCE, _DOTS_GROW_FROM = 0.11, 400

#: The light edge of a dot as a share of its diameter: smaller dots would disappear behind edges of half a point.
_EDGE_OF_DOT = 0.1

# The crown, clockwise from its lower left corner; then the base below it, and the balls on its points.
CROWN = ((0.25, 0.27), (0.13, 0.68), (0.31, 0.47), (0.33, 0.78), (0.45, 0.49), (0.50, 0.84),
         (0.55, 0.49), (0.67, 0.78), (0.69, 0.47), (0.87, 0.68), (0.75, 0.27))  # fmt: skip
BASE = ((0.22, 0.13), (0.22, 0.20), (0.25, 0.235), (0.75, 0.235), (0.78, 0.20), (0.78, 0.13))
BALLS = ((0.13, 0.715), (0.33, 0.82), (0.50, 0.875), (0.67, 0.82), (0.87, 0.715))
BALL_RADIUS = 0.048

#: A queen in the unit square, with y upwards. All outlines are counter-clockwise, like the balls: where outlines of
#: opposite directions overlap, they leave a hole.
QUEEN = Path.make_compound_path(
    *(Path([points[0], *reversed(points)], closed=True) for points in (CROWN, BASE)),
    *(Path.circle(centre, BALL_RADIUS) for centre in BALLS),
)
DOT = Path.circle((0.5, 0.5), 0.5)
SQUARE = Path.unit_rectangle()


class Chessboard:
    """A board on axes, with (0, 0) at its lower left corner. Each shape is drawn over earlier shapes.

    Queens are ``size`` squares wide: crowns on squares, or dots, by default with the size of :func:`dot_size`. All
    shapes of a kind are one collection, for speed. ``points`` is the width of a square in points.
    """

    def __init__(
        self,
        axes: Axes,
        n: int,
        origin: str = "upper",
        size: float | None = None,
        *,
        is_crowned: bool | None = None,
    ) -> None:
        check_choice(origin, "origin", ORIGINS)
        self.axes, self.n, self.is_upper = axes, n, origin == "upper"
        self.is_crowned = n <= LARGEST_WITH_SQUARES if is_crowned is None else is_crowned
        self.size = size or (1.0 if self.is_crowned else dot_size(n))
        # Dots are larger than squares, and must not reach beyond the board.
        self._edge = 0.0 if self.is_crowned else self.size / 2
        width, look = min(axes.bbox.size) / axes.figure.dpi, theme()
        self.points = POINTS_PER_INCH * width / (n + 2 * self._edge)
        self._set_limits()
        axes.set(xticks=[], yticks=[], facecolor=look.paper)
        axes.grid(visible=False)
        axes.spines[:].set(visible=True, color=look.faint, linewidth=0.8, zorder=3)
        if self.is_crowned:
            # As on any chessboard, the lower left corner is dark.
            squares = np.argwhere(np.indices((n, n)).sum(axis=0) % 2 == 0)
            self.shapes(SQUARE, squares + 0.5, 1, [look.square], antialiaseds=False)

    def _set_limits(self) -> None:
        ends = -self._edge, self.n + self._edge
        self.axes.set(xlim=ends, ylim=ends)

    def at(self, places: Any) -> NDArray[np.float64]:
        """Return (..., 2) places in columns and rows from the corner of column 0 and row 0 as points of the axes."""
        points = np.array(places, np.float64)
        if self.is_upper:
            points[..., 1] = self.n - points[..., 1]
        return points

    def centres(self, columns: NDArray[Any], rows: NDArray[Any]) -> NDArray[np.float64]:
        """Return the centres of squares as points of the axes, (k, 2)."""
        return self.at(np.column_stack((columns, rows)) + 0.5)

    def shapes(self, shape: Path, centres: NDArray[Any], size: float, color: Any, **look: Any) -> None:
        """Draw a shape in the unit square, enlarged to a size, around (k, 2) centres."""
        add_shapes(self.axes, shape, centres, size, facecolors=color, **look)

    def _lines(self, segments: Any, color: Any, width: float, **look: Any) -> None:
        """Draw lines of a width in squares, each an array of points."""
        self._add(LineCollection(segments, colors=color, linewidths=width * self.points, joinstyle="round", **look))

    def _add(self, artist: Artist) -> None:
        artist.set_zorder(1)
        self.axes.add_artist(artist)

    def _up(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Return rows as they count upwards on the axes."""
        return self.n - 1 - rows if self.is_upper else rows

    def draw_weave(self, queens: Queens, strength: float) -> None:
        """Draw the threads, shared lines and dots of a board as pixels."""
        width = round(max(_WEAVE_DPI, self.axes.figure.dpi) * self.points / POINTS_PER_INCH * (self.n + 2 * self._edge))
        side = width * self.n / (self.n + 2 * self._edge)
        rows = queens if self.is_upper else self.n - 1 - queens
        place = Place((width - side) / 2, (width - side) / 2, side)
        cloth = Cloth(rows, palette_in(theme()), width, width, place, strength)
        extent = (*self.axes.get_xlim(), *self.axes.get_ylim())
        self.axes.imshow(cloth.pixels(), extent=extent, aspect=self.axes.get_aspect(), zorder=0)
        self._set_limits()

    def draw_threads(self, columns: NDArray[Any], rows: NDArray[Any]) -> None:
        """Draw pale threads over the squares."""
        palette = palette_in(theme())
        strength = _PALE_THREADS[palette.shines]
        draw_pale_threads(self.axes, columns, self._up(rows), self.n, palette, strength)

    def draw_attacks(self, queens: Queens) -> None:
        """Draw the rows and diagonals that queens share in red, from edge to edge."""
        width, finest = width_of(self.n) if self.is_crowned else 0.0, _FINEST_SHARED * self.n * 2**0.5
        columns = np.arange(self.n)
        draw_shared_lines(self.axes, columns, self._up(queens), theme().attack, max(width, finest), zorder=1)

    def write_coordinates(self, rows_from: int = 0) -> None:
        """Number the columns and rows, only some of them on large boards."""
        # The caller's settings can have words for sizes.
        usual = FontProperties(size=mpl.rcParams["xtick.labelsize"]).get_size_in_points()
        size = max(_LEAST_NUMBERS, _NUMBERS_OF_TICKS * usual)
        room = self.points * self.n / (size * _WIDTH_OF_DIGIT * (len(f"{self.n:,}") + 2))
        most = max(2, min(_MOST_NUMBERS if self.is_crowned else _MOST_LONG_NUMBERS, int(room)))
        step = next(step for power in range(9) for step in (10**power * np.array([1, 2, 5])) if self.n <= step * most)
        columns = np.arange(0, self.n, step)
        # Rows that are numbered from 1 show 10, 20, 30, not 1, 11, 21.
        rows = np.arange(-rows_from % step, self.n, step)
        self.axes.set_xticks(columns + 0.5, [f"{column:,}" for column in columns])
        self.axes.set_yticks(self.centres(rows, rows)[:, 1], [f"{row + rows_from:,}" for row in rows])
        self.axes.tick_params(length=0, labelsize=size, pad=3)

    def draw_instance(self, instance: Instance) -> None:
        """Draw blocked squares and excluded diagonals, and frame the squares of fixed queens."""
        self.draw_exclusions(instance)
        self.draw_frames(instance.fixed.columns, instance.fixed.rows)

    def draw_exclusions(self, instance: Instance) -> None:
        """Fill blocked squares, and draw lines with a dash on each square of an excluded diagonal."""
        look, width = theme(), max(_DASH_WIDTH if self.is_crowned else _BOLD_DASH, _FINEST_DASH * self.n)
        blocked = self.centres(*instance.blocked.T)
        if not self.is_crowned:
            self.shapes(SQUARE, blocked, 1, [look.paper], antialiaseds=False)
        self.shapes(SQUARE, blocked, 1 if self.is_crowned else 1 - 2 * _BORDER, [look.blocked], antialiaseds=False)
        # matplotlib measures dashes in widths of the line; each line has half a gap at both ends.
        dash, gap = (share * math.sqrt(2) / width for share in (_DASH, 1 - _DASH))
        lines = self.at(excluded_lines(instance))
        if not self.is_crowned:
            self._lines(lines, look.paper, 2.5 * width, capstyle="butt")
        self._lines(lines, look.note, width, linestyles=[(-gap / 2, (dash, gap))], capstyle="butt")

    def draw_frames(self, columns: NDArray[Any], rows: NDArray[Any]) -> None:
        """Frame squares around their queens."""
        bold = 0 if self.is_crowned else _BOLD_FRAME * self.size
        width = max(_FRAME_WIDTH, _FINEST_FRAME / self.points, bold)
        side = 1 - width if self.is_crowned else max(1 - width, _FRAME_SIDE * self.size)
        look: dict[str, Any] = {"edgecolors": theme().note, "linewidths": width * self.points, "joinstyle": "miter"}
        if bold:
            look["path_effects"] = [withStroke(linewidth=(width + 2 * bold) * self.points, foreground=theme().paper)]
        self.shapes(SQUARE, self.centres(columns, rows), side, "none", **look)

    def draw_rings(self, columns: NDArray[Any], rows: NDArray[Any], rows_from: int = 0) -> None:
        """Draw a ring around each of these squares, and its column and row next to it."""
        color, places = theme().note, self.centres(columns, rows)
        halo: dict[str, Any] = {"path_effects": [withStroke(linewidth=5, foreground=theme().paper)]}
        ring: dict[str, Any] = {"markersize": 2 * _RING, "markeredgewidth": 2, "clip_on": False, **halo}
        self.axes.plot(*places.T, "o", markeredgecolor=color, markerfacecolor="none", **ring)
        for place, column, row in zip(places, columns.tolist(), rows.tolist(), strict=True):
            side, align = (-1, "right") if place[0] > self.n / 2 else (1, "left")
            self.axes.annotate(
                f"column {column:,}, row {row + rows_from:,}", place, (1.4 * side * _RING, 0), ha=align,
                textcoords="offset points", va="center_baseline", color=color, fontsize=10, fontweight="bold", **halo,
            )  # fmt: skip

    def draw_queens(self, columns: NDArray[Any], rows: NDArray[Any], marked: Any = (), violating: Any = ()) -> None:
        """Draw a queen on each square, with colours for marked columns and for violating queens."""
        look, is_violating = theme(), np.isin(columns, violating)
        colors = np.select([is_violating, np.isin(columns, marked)], [look.attack, look.note], look.ink).tolist()
        # On a blocked square, which is dark, and on a weave, a queen needs a light edge.
        width = max(0.5, 0.05 * self.points) if self.is_crowned else min(0.5, _EDGE_OF_DOT * self.size * self.points)
        widths = np.where(is_violating | (not self.is_crowned), width, 0)
        edges = {"edgecolors": look.paper, "linewidths": widths, "clip_on": False}
        shape = QUEEN if self.is_crowned else DOT
        self.shapes(shape, self.centres(columns, rows), self.size, colors, **edges)


def add_shapes(axes: Axes, shape: Path, centres: NDArray[Any], size: float, **look: Any) -> None:
    """Draw a shape in the unit square, enlarged to a size, around (k, 2) centres."""
    if len(centres):
        scaled, data = shape.transformed(Affine2D().translate(-0.5, -0.5).scale(size)), axes.transData
        look = {"linewidths": 0, "zorder": 1, **look}
        shapes = PathCollection([scaled], offsets=centres, offset_transform=data, **look)
        shapes.set_transform(AffineDeltaTransform(data))  # type: ignore[arg-type]
        axes.add_artist(shapes)


def check_size(n: int, largest: int, what: str) -> None:
    """Raise :class:`InputError` if a board is too large for a picture of a kind.

    >>> check_size(1000, 400, "a picture of queens")
    Traceback (most recent call last):
    ...
    fastqueens.InputError: n is 1,000: a picture of queens shows at most 400
    """
    if n > largest:
        raise InputError(f"n is {n:,}: {what} shows at most {largest:,}")


def dot_size(n: int) -> float:
    """Return the diameter in squares of the dots of a board.

    >>> [round(dot_size(n), 2) for n in (64, 400, 1000, 50_000)]
    [0.88, 2.2, 4.37, 82.24]
    """
    return float(_DOT_IN_DISTANCE * max(1.0, n / _DOTS_GROW_FROM) ** 0.25 * math.sqrt(n))


def excluded_lines(instance: Instance) -> NDArray[np.int64]:
    """Return a line for each excluded diagonal, sum diagonals first: (k, 2, 2) int64, from corner to corner.

    An end of a line is its distance from the left edge of the board and from the edge of row 0, in squares.

    >>> from fastqueens.instance import make_instance
    >>> excluded_lines(make_instance(4, excluded_sums=[0], excluded_differences=[-2])).tolist()
    [[[0, 1], [1, 0]], [[2, 0], [4, 2]]]
    """
    n, sums, differences = instance.n, instance.excluded_sums, instance.excluded_differences
    left, right = np.maximum(0, sums - n + 1), np.minimum(n - 1, sums) + 1
    rising = np.array([[left, sums - left + 1], [right, sums - right + 1]])
    left, right = np.maximum(0, -differences), np.minimum(n, n - differences)
    falling = np.array([[left, left + differences], [right, right + differences]])
    return np.concatenate([rising, falling], axis=2).transpose(2, 0, 1)
