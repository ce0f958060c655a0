"""A sheet of paper to draw on, in millimetres.

Everything is a shape, text too, so that a vector figure and its pixels are the same drawing.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, AffineDeltaTransform
from numpy.typing import NDArray
from PIL import Image

from fastqueens.pictures.posters.lettering import TEXT, text_outline
from fastqueens.pictures.posters.paper import Paper
from fastqueens.pictures.saving import MILLIMETRES_PER_INCH
from fastqueens.pictures.style import DOT, QUEEN

_POINTS_PER_MILLIMETRE = 72 / MILLIMETRES_PER_INCH

_SQUARE = Path.unit_rectangle()

#: The resolution of smooth images in vector graphics, in pixels per inch.
_SMOOTH_DPI = 150

Points: TypeAlias = NDArray[np.float64]


class Box(NamedTuple):
    """A rectangle on the sheet: its lower left corner and its size in millimetres."""

    left: float
    bottom: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.left + self.width

    @property
    def top(self) -> float:
        """The upper edge."""
        return self.bottom + self.height


class Sheet:
    """A figure the size of a paper; coordinates are millimetres from the lower left corner of the trimmed sheet."""

    def __init__(self, paper: Paper, color: str, *, vector: bool) -> None:
        self.paper = paper
        self.below: list[tuple[NDArray[np.uint8], Box, bool]] = []
        self.is_vector = vector
        # An image has whole pixels, so its drawing has too; a vector figure has the exact size, to be cut.
        size = paper.inches if vector else tuple(side / paper.dpi for side in paper.pixels)
        self.figure = Figure(figsize=size, dpi=paper.dpi, facecolor=color)  # type: ignore[arg-type]
        self._axes = self.figure.add_axes((0, 0, 1, 1))
        self._axes.set_axis_off()
        xlim, ylim = ((-paper.bleed, side + paper.bleed) for side in (paper.width, paper.height))
        self._axes.set(xlim=xlim, ylim=ylim, autoscale_on=False)

    @property
    def inside(self) -> Box:
        """The part of the sheet within the margins."""
        width, height, margin, _, _ = self.paper
        return Box(margin, margin, width - 2 * margin, height - 2 * margin)

    def grown(self, box: Box, by: float) -> Box:
        """Return a box that is larger by a length on each side, as far as the sheet with its bleed reaches."""
        bleed = self.paper.bleed
        left, bottom = max(-bleed, box.left - by), max(-bleed, box.bottom - by)
        right, top = min(self.paper.width + bleed, box.right + by), min(self.paper.height + bleed, box.top + by)
        return Box(left, bottom, right - left, top - bottom)

    def pixels(self, millimetres: float) -> float:
        """Return a length in pixels."""
        return millimetres / MILLIMETRES_PER_INCH * self.paper.dpi

    def rectangle(self, box: Box, color: str) -> None:
        """Fill a rectangle."""
        self._add(Rectangle((box.left, box.bottom), box.width, box.height, facecolor=color, linewidth=0))

    def lines(
        self,
        segments: Any,
        color: Any,
        width: float,
        *,
        alpha: float | None = None,
        join: Any = "round",
        dash: tuple[float, float] | None = None,
    ) -> None:
        """Draw lines, each an array of points, with this width; dashes and gaps are millimetres too.

        Dashed lines begin and end with half a gap.
        """
        look = {"colors": color, "linewidths": width * _POINTS_PER_MILLIMETRE, "alpha": alpha}
        if dash is not None:
            # matplotlib measures dashes in line widths.
            drawn, gap = dash[0] / width, dash[1] / width
            look["linestyles"] = [(-gap / 2, (drawn, gap))]
        self._add(LineCollection(segments, capstyle="butt", joinstyle=join, **look))

    def image(self, colors: NDArray[np.uint8], box: Box, *, smooth: bool = False) -> None:
        """Fill a box with cells of (rows, columns, 3 or 4) bytes, below everything else; the first row is at the top.

        Cells have sharp edges, or with ``smooth`` none.
        """
        if not self.is_vector:
            # matplotlib would take about 40 bytes per pixel.
            self.below.append((colors, box, smooth))
            return
        if smooth:
            size = (round(side / MILLIMETRES_PER_INCH * _SMOOTH_DPI) for side in (box.width, box.height))
            colors = resized(colors, *size, smooth=True)
        extent = (box.left, box.right, box.bottom, box.top)
        image = self._axes.imshow(colors, extent=extent, aspect="auto", interpolation="none")
        image.set_zorder(-1)

    def crowns(self, centres: Points, size: float, colors: Any) -> None:
        """Draw queens of a size around (k, 2) centres."""
        self._shapes(QUEEN, centres, size, colors)

    def dots(self, centres: Points, size: float, colors: Any, alpha: float | None = None) -> None:
        """Draw discs of a diameter around (k, 2) centres."""
        self._shapes(DOT, centres, size, colors, alpha)

    def squares(self, centres: Points, size: float, color: str) -> None:
        """Draw squares around (k, 2) centres."""
        self._shapes(_SQUARE, centres, size, color)

    def _shapes(self, shape: Path, centres: Points, size: float, colors: Any, alpha: float | None = None) -> None:
        if not len(centres):
            return
        scaled = shape.transformed(Affine2D().translate(-0.5, -0.5).scale(size))
        data = self._axes.transData
        shapes = PathCollection(
            [scaled], facecolors=colors, linewidths=0, alpha=alpha, offsets=centres, offset_transform=data
        )
        shapes.set_transform(AffineDeltaTransform(data))  # type: ignore[arg-type]
        self._add(shapes)

    def _add(self, artist: Artist) -> None:
        """Draw over everything that is there already."""
        artist.set_zorder(len(self._axes.get_children()))
        self._axes.add_artist(artist)

    def text(
        self, text: str, x: float, y: float, size: float, color: str, *, font: str = TEXT, align: str = "left"
    ) -> None:
        """Write one line, its baseline at y; ``size`` is the height of its capital letters."""
        outline, width = text_outline(text, size, font)
        shift = {"left": 0.0, "center": width / 2, "right": width}[align]
        place = Affine2D().translate(x - shift, y)
        self._add(PathPatch(outline.transformed(place), facecolor=color, linewidth=0))


def rasterised(sheet: Sheet, mode: str) -> Image.Image:
    """Return a sheet as an image with exactly the pixels of its paper; mode "L" is grey."""
    width, height = sheet.paper.pixels
    renderer: Any = RendererAgg(width, height, sheet.paper.dpi)  # type: ignore[no-untyped-call]
    if sheet.below:
        canvas = np.asarray(renderer.buffer_rgba())
        paper = np.round(255 * np.array(sheet.figure.get_facecolor())).astype(np.uint8)
        canvas.view(np.uint32)[:] = paper.view(np.uint32)
        sheet.figure.patch.set_visible(False)
        for colors, box, smooth in sheet.below:
            left, upper, right, lower = pixel_edges(sheet, box)
            canvas[upper:lower, left:right] = resized(colors, right - left, lower - upper, smooth=smooth)
    sheet.figure.draw(renderer)
    image = Image.frombuffer("RGBA", (width, height), renderer.buffer_rgba()).convert(mode)
    image.info["dpi"] = (sheet.paper.dpi, sheet.paper.dpi)
    return image


def resized(colors: NDArray[np.uint8], width: int, height: int, *, smooth: bool) -> NDArray[np.uint8]:
    """Return (rows, columns, 3 or 4) bytes as an image of ``width`` x ``height`` pixels: (height, width, 4) bytes."""
    if colors.shape == (height, width, 4):
        return colors
    way = Image.Resampling.BICUBIC if smooth else Image.Resampling.NEAREST
    return np.asarray(Image.fromarray(colors).resize((width, height), way).convert("RGBA"))


def pixel_edges(sheet: Sheet, box: Box) -> tuple[int, int, int, int]:
    """Return the left, upper, right and lower edge of a box in pixels from the upper left corner of the image."""
    bleed, height = sheet.paper.bleed, sheet.paper.height
    millimetres = (box.left + bleed, height + bleed - box.top, box.right + bleed, height + bleed - box.bottom)
    left, upper, right, lower = (round(sheet.pixels(edge)) for edge in millimetres)
    return left, upper, right, lower
