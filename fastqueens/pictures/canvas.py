"""Drawing boards with matplotlib: shapes with a size in the unit of their axes, and where squares are among them.

All shapes of a kind are one collection, so that 300 queens take a second. Posters and small boards are drawn by this.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, AffineDeltaTransform
from numpy.typing import NDArray

from fastqueens.core.instance import Instance
from fastqueens.pictures.squares import excluded_lines
from fastqueens.pictures.style import DOT, QUEEN

_SQUARE = Path.unit_rectangle()

#: The share of a dash in the diagonal of a square.
_DASH = 0.7


class Canvas:
    """Axes to draw on, each shape over those before it; ``points`` is the length of their unit."""

    def __init__(self, axes: Axes, points: float) -> None:
        self.axes = axes
        self.points = points

    def lines(
        self, segments: Any, color: Any, width: float, *, alpha: float | None = None, cap: Any = "butt", dash: float = 0
    ) -> None:
        """Draw lines, each an array of points; ``dash`` is the length of a dash and a gap, half a gap at both ends."""
        look = {"colors": color, "linewidths": width * self.points, "alpha": alpha}
        if dash:
            # matplotlib measures dashes in line widths.
            drawn, gap = _DASH * dash / width, (1 - _DASH) * dash / width
            look["linestyles"] = [(-gap / 2, (drawn, gap))]
        self.add(LineCollection(segments, capstyle=cap, joinstyle="round", **look))

    def squares(self, centres: NDArray[Any], size: float, color: Any, **look: Any) -> None:
        """Draw squares around (k, 2) centres."""
        self._shapes(_SQUARE, centres, size, facecolors=color, **{"linewidths": 0, **look})

    def frames(self, centres: NDArray[Any], size: float, color: Any, width: float, fill: str = "none") -> None:
        """Frame squares around (k, 2) centres; ``size`` is measured to the middle of the frame."""
        self.squares(centres, size, fill, edgecolors=color, linewidths=width * self.points, joinstyle="miter")

    def queens(self, centres: NDArray[Any], size: float, colors: Any, *, crowns: bool = True, **look: Any) -> None:
        """Draw crowns of a size, or discs of a diameter, around (k, 2) centres."""
        self._shapes(QUEEN if crowns else DOT, centres, size, facecolors=colors, **{"linewidths": 0, **look})

    def _shapes(self, shape: Path, centres: NDArray[Any], size: float, **look: Any) -> None:
        if len(centres):
            scaled, data = shape.transformed(Affine2D().translate(-0.5, -0.5).scale(size)), self.axes.transData
            shapes = PathCollection([scaled], offsets=centres, offset_transform=data, **look)
            shapes.set_transform(AffineDeltaTransform(data))  # type: ignore[arg-type]
            self.add(shapes)

    def add(self, artist: Artist) -> None:
        """Draw over everything that is there already."""
        artist.set_zorder(1)
        self.axes.add_artist(artist)


class Squares(NamedTuple):
    """Where the squares of a board are on a canvas: the corner of column 0 and row 0, and the steps to the next."""

    left: float
    edge: float
    across: float
    along: float

    def at(self, places: NDArray[Any]) -> NDArray[np.float64]:
        """Return (..., 2) places in columns and rows from the corner as points on the canvas."""
        found: NDArray[np.float64] = places * np.array([self.across, self.along]) + np.array([self.left, self.edge])
        return found

    def centres(self, columns: NDArray[Any], rows: NDArray[Any]) -> NDArray[np.float64]:
        """Return the centres of squares on the canvas, (k, 2)."""
        return self.at(np.column_stack((columns, rows)) + 0.5)


def draw_exclusions(
    canvas: Canvas, squares: Squares, instance: Instance, colors: tuple[Any, Any], width: float, **look: Any
) -> None:
    """Fill blocked squares in the first colour, and draw lines with a dash on each square of an excluded diagonal."""
    canvas.squares(squares.centres(*instance.blocked.T), squares.across, colors[0], **look)
    lines = squares.at(excluded_lines(instance))
    if len(lines):
        canvas.lines(lines, colors[1], width, dash=2**0.5 * squares.across)
