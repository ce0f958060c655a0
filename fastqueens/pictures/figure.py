"""Figures made without pyplot, which notebooks show, and shapes on them with a size in the unit of their axes.

All shapes of a kind are one collection, so that 300 queens take a second. Posters and small boards are drawn by this.
"""

from __future__ import annotations

import io
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.figure import Figure
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, AffineDeltaTransform
from numpy.typing import NDArray
from PIL import Image

from fastqueens.instance import Instance
from fastqueens.pictures.saving import figure_bytes, preview
from fastqueens.pictures.squares import excluded_lines
from fastqueens.pictures.style import BOLD, theme, type_lines

#: Dots per inch in a notebook, and the dots of the longer side at most.
_SCREEN_DPI = 100
MOST_ON_SCREEN = 1000

#: The size of the small print, in points.
CAPTION_SIZE = 9

#: A square, and with ``QUEEN`` and ``DOT`` what is drawn on squares.
SQUARE = Path.unit_rectangle()

#: The share of a dash in the diagonal of a square.
_DASH = 0.7


class Picture(Figure):
    """A matplotlib figure that a notebook shows without pyplot; it keeps the theme in use when it was made.

    ``info`` is for its file, like that of an image.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        self.theme, self.info = theme().name, dict[Any, Any]()
        super().__init__(*args, **options)

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """Return the figure as PNG and its width on the screen; it has up to twice as many pixels, for fine screens."""
        width, height = self.get_size_inches()
        dpi = min(_SCREEN_DPI, MOST_ON_SCREEN / max(width, height))

        def draw(scale: float) -> bytes:
            file = io.BytesIO()
            with Image.open(io.BytesIO(figure_bytes(self, ".png", 2 * dpi * scale))) as image:
                # 256 colours: a third of the bytes.
                opaque = image.getchannel("A").getextrema() == (255, 255)
                few = image.convert("RGB").quantize(dither=Image.Dither.NONE) if opaque else image.quantize()
                few.save(file, "PNG", optimize=True)
            return file.getvalue()

        return preview(draw), {"width": round(width * dpi)}

    def axes_at(self, left: float, bottom: float, width: float, height: float, **shared: Any) -> Axes:
        """Add axes at a place in inches: no layout engine moves them off the pixels, or makes room for their labels."""
        across, up = self.get_size_inches()
        return self.add_axes((left / across, bottom / up, width / across, height / up), **shared)


def new_figure(width: float = 8.0, height: float = 4.5) -> Picture:
    """Return an empty figure; sizes are in inches."""
    return Picture(figsize=(width, height), layout="constrained")


def heading(figure: Figure, text: str, size: float) -> None:
    """Write a title above everything, and make the figure higher by all its lines but the first."""
    text = type_lines(text, 0.97 * figure.get_figwidth(), size, BOLD)
    figure.set_figheight(figure.get_figheight() + text.count("\n") * 0.02 * size)
    figure.suptitle(text, x=0.01, ha="left", fontsize=size, fontweight="bold")


def caption(figure: Figure, text: str, left: float = 0.01) -> None:
    """Write facts about the picture, for example n, seed and steps, in small print at its foot."""
    text = type_lines(text, (0.98 - left) * figure.get_figwidth(), CAPTION_SIZE)
    figure.supxlabel(text, x=left, ha="left", fontsize=CAPTION_SIZE, color=theme().small_print)


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

    def frames(self, centres: NDArray[Any], size: float, color: Any, width: float) -> None:
        """Frame squares around (k, 2) centres; ``size`` is measured to the middle of the frame."""
        self.shapes(SQUARE, centres, size, "none", edgecolors=color, linewidths=width * self.points, joinstyle="miter")

    def shapes(self, shape: Path, centres: NDArray[Any], size: float, color: Any, **look: Any) -> None:
        """Draw a shape in the unit square, enlarged to a size, around (k, 2) centres."""
        if len(centres):
            scaled, data = shape.transformed(Affine2D().translate(-0.5, -0.5).scale(size)), self.axes.transData
            look = {"facecolors": color, "linewidths": 0, **look}
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
        return np.asarray(places * np.array([self.across, self.along]) + np.array([self.left, self.edge]))

    def centres(self, columns: NDArray[Any], rows: NDArray[Any]) -> NDArray[np.float64]:
        """Return the centres of squares on the canvas, (k, 2)."""
        return self.at(np.column_stack((columns, rows)) + 0.5)


def draw_exclusions(
    canvas: Canvas, squares: Squares, instance: Instance, colors: tuple[Any, Any], width: float, **look: Any
) -> None:
    """Fill blocked squares in the first colour, and draw lines with a dash on each square of an excluded diagonal."""
    canvas.shapes(SQUARE, squares.centres(*instance.blocked.T), squares.across, colors[0], **look)
    canvas.lines(squares.at(excluded_lines(instance)), colors[1], width, dash=2**0.5 * squares.across)
