"""A sheet of paper for a poster: drawing on it in millimetres, and its pixels.

All drawing, including text, consists of shapes, so a vector figure and its pixels are the same drawing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Affine2D, Bbox
from numpy.typing import NDArray
from PIL import Image

from fastqueens.pictures.figure import BOLD, POINTS_PER_INCH, TEXT, StyledFigure, extents, outline
from fastqueens.pictures.layout import Line
from fastqueens.pictures.paper import MILLIMETRES_PER_INCH, Paper
from fastqueens.pictures.roles import theme

POINTS_PER_MILLIMETRE = POINTS_PER_INCH / MILLIMETRES_PER_INCH

#: Raised figures: their size and their height above the line, compared with the size of the type.
_RAISED, _RAISED_BY = 0.62, 0.36

#: The width of a blank behind them.
_BLANK = 0.28


class Sheet:
    """A figure of the size of a paper, in the current theme.

    Coordinates are millimetres from the lower left corner of the trimmed sheet.
    """

    def __init__(self, paper: Paper, *, vector: bool) -> None:
        self.paper, self.is_vector = paper, vector
        self._below: list[tuple[NDArray[np.uint8], Bbox]] = []
        # The drawing of an image has whole pixels. A vector figure has the exact size, for cutting.
        width, height = paper.inches if vector else (side / paper.dpi for side in paper.pixels)
        self.figure = StyledFigure(figsize=(width, height), dpi=paper.dpi, facecolor=theme().paper)
        self.axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set_axis_off()
        xlim, ylim = ((-paper.bleed, side + paper.bleed) for side in (paper.width, paper.height))
        self.axes.set(xlim=xlim, ylim=ylim, autoscale_on=False)

    @property
    def trim(self) -> Bbox:
        """The sheet after trimming."""
        return Bbox.from_bounds(0, 0, self.paper.width, self.paper.height)

    def bled(self, box: Bbox) -> Bbox:
        """Return a box that is extended by the bleed wherever it touches an edge of the sheet."""
        edges = np.where(np.isclose(box.extents, self.trim.extents), self.paper.bleed, 0.0)
        return Bbox.from_extents(*(box.extents + edges * (-1, -1, 1, 1)))

    def pixels(self, millimetres: float) -> float:
        """Return a length in pixels."""
        return millimetres / MILLIMETRES_PER_INCH * self.paper.dpi

    def pixel_edges(self, box: Bbox) -> tuple[int, int, int, int]:
        """Return the left, upper, right and lower edge of a box in pixels from the upper left corner of the image."""
        bleed, top = self.paper.bleed, self.paper.height + self.paper.bleed
        millimetres = box.x0 + bleed, top - box.y1, box.x1 + bleed, top - box.y0
        left, upper, right, lower = (round(self.pixels(edge)) for edge in millimetres)
        return left, upper, right, lower

    def axes_in(self, box: Bbox) -> Axes:
        """Add axes in a box, above all earlier drawing."""
        return self.figure.add_axes(box.transformed(self.axes.transData - self.figure.transFigure).bounds)

    def image(self, colors: NDArray[np.uint8], box: Bbox) -> None:
        """Fill a box with its pixels, (rows, columns, 3) bytes, below all shapes; the first row is at the top."""
        if not self.is_vector:
            # matplotlib would take about 40 bytes per pixel.
            self._below.append((colors, box))
            return
        extent = (box.x0, box.x1, box.y0, box.y1)
        self.axes.imshow(colors, extent=extent, aspect="auto", interpolation="none", zorder=-1)

    def write(self, line: Line) -> None:
        """Write one line of text. Digits between two carets are raised, except in titles."""
        x = line.x
        for number, text in enumerate(line.text.split("^") if line.font in (TEXT, BOLD) else [line.text]):
            size, up = (line.size * _RAISED, line.size * _RAISED_BY) if number % 2 else (line.size, 0.0)
            x += _BLANK * size if text.startswith("\u00a0") and x > line.x else 0
            shape = placed(line._replace(text=text, x=x, y=line.y + up, size=size))
            if shape.codes is not None:
                self.axes.add_artist(PathPatch(shape, facecolor=theme().ink, linewidth=0))
                x = float(extents(shape).x1) + 0.06 * line.size

    def rule(self, box: Bbox) -> None:
        """Draw a thin rule, of at least a pixel."""
        height = max(box.height, 0.0 if self.is_vector else 1 / self.pixels(1))
        self.axes.add_artist(Rectangle(box.min, box.width, height, facecolor=theme().ink, linewidth=0))

    def rasterised(self) -> Image.Image:
        """Return the sheet as an image with exactly the pixels of its paper."""
        width, height = self.paper.pixels
        renderer: Any = RendererAgg(width, height, self.paper.dpi)  # type: ignore[no-untyped-call]
        canvas = np.asarray(renderer.buffer_rgba())
        canvas[:] = np.round(255 * np.array(self.figure.get_facecolor()))
        self.figure.patch.set_visible(False)
        for colors, box in self._below:
            left, upper, right, lower = self.pixel_edges(box)
            canvas[upper:lower, left:right, :3] = colors
        self.figure.draw(renderer)
        image = Image.frombuffer("RGBA", (width, height), renderer.buffer_rgba()).convert("RGB")
        image.info["dpi"] = (self.paper.dpi, self.paper.dpi)
        return image


def placed(line: Line) -> Path:
    """Return the letters of a line as a shape at their place; the leftmost point of the first letter is at x."""
    letters = outline(line.text, line.font)
    if letters.codes is None:
        return letters
    scale = line.size / text_to_path.FONT_SCALE
    place = Affine2D().translate(-float(extents(letters).x0), 0).scale(scale).translate(line.x, line.y)
    return letters.transformed(place)
