"""A sheet of paper for a poster: drawing on it in millimetres, and its pixels.

All drawing, including text, consists of shapes, so a vector figure and its pixels are the same drawing.
"""

from __future__ import annotations

import io
import itertools
import os
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Affine2D, Bbox
from numpy.typing import NDArray
from PIL import Image

from fastqueens.pictures.figure import MOST_ON_SCREEN, POINTS_PER_INCH, TITLE, Picture, preview
from fastqueens.pictures.layout import Line
from fastqueens.pictures.paper import MILLIMETRES_PER_INCH, Paper
from fastqueens.pictures.saving import Photo, check_picture_suffix, is_picture_path, save_picture, write_picture
from fastqueens.pictures.themes import LIGHT, theme

POINTS_PER_MILLIMETRE = POINTS_PER_INCH / MILLIMETRES_PER_INCH

#: The resolution of smooth images in vector graphics, in pixels per inch.
_SMOOTH_DPI = 150

#: The width of crop marks, and the space between them and the bleed, in millimetres.
_CROP_MARK, _GAP = 0.1, 2.0

#: Raised figures: their size and their height above the line, compared with the size of the type.
_RAISED, _RAISED_BY = 0.62, 0.36

#: The width of a blank behind them.
_BLANK = 0.2


class Sheet:
    """A figure of the size of a paper, in the current theme.

    Coordinates are millimetres from the lower left corner of the trimmed sheet.
    """

    def __init__(self, paper: Paper, *, vector: bool) -> None:
        self.paper, self.is_vector = paper, vector
        self._below: list[tuple[NDArray[np.uint8], Bbox, bool]] = []
        # The drawing of an image has whole pixels. A vector figure has the exact size, for cutting.
        width, height = paper.inches if vector else (side / paper.dpi for side in paper.pixels)
        color = LIGHT.paper if paper.marks else theme().paper
        self.figure = PosterFigure(figsize=(width, height), dpi=paper.dpi, facecolor=color)
        self.axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set_axis_off()
        xlim, ylim = ((-paper.around, side + paper.around) for side in (paper.width, paper.height))
        self.axes.set(xlim=xlim, ylim=ylim, autoscale_on=False)
        if paper.marks:
            self._draw_crop_marks()

    def _draw_crop_marks(self) -> None:
        """Fill the sheet and its bleed, and draw two lines at each corner, outside the bleed."""
        paper, width = self.paper, _CROP_MARK * POINTS_PER_MILLIMETRE
        ground = self.trim.padded(paper.bleed)
        if self.is_vector:
            look: dict[str, Any] = {"facecolor": theme().paper, "linewidth": 0, "zorder": -2}
            self.axes.add_artist(Rectangle(ground.min, ground.width, ground.height, **look))
        else:
            self.image(np.round(255 * np.array([[to_rgb(theme().paper)]])).astype(np.uint8), ground)
        for x, y in itertools.product((0, paper.width), (0, paper.height)):
            for across, up in ((1 if x else -1, 0), (0, 1 if y else -1)):
                far = np.array([paper.bleed + _GAP, paper.around])
                self.axes.add_artist(Line2D(x + across * far, y + up * far, linewidth=width, color="#000000"))

    @property
    def trim(self) -> Bbox:
        """The sheet after trimming."""
        return Bbox.from_bounds(0, 0, self.paper.width, self.paper.height)

    def grown(self, box: Bbox, by: float) -> Bbox:
        """Return a box that is larger by a length on each side, as far as the sheet with its bleed reaches."""
        printed = self.trim.padded(self.paper.bleed)
        return Bbox.intersection(box.padded(by), printed) or printed

    def bled(self, box: Bbox) -> Bbox:
        """Return a box that is extended by the bleed wherever it touches an edge of the sheet."""
        edges = np.where(np.isclose(box.extents, self.trim.extents), self.paper.bleed, 0.0)
        return Bbox.from_extents(*(box.extents + edges * (-1, -1, 1, 1)))

    def pixels(self, millimetres: float) -> float:
        """Return a length in pixels."""
        return millimetres / MILLIMETRES_PER_INCH * self.paper.dpi

    def pixel_edges(self, box: Bbox) -> tuple[int, int, int, int]:
        """Return the left, upper, right and lower edge of a box in pixels from the upper left corner of the image."""
        around, top = self.paper.around, self.paper.height + self.paper.around
        millimetres = box.x0 + around, top - box.y1, box.x1 + around, top - box.y0
        left, upper, right, lower = (round(self.pixels(edge)) for edge in millimetres)
        return left, upper, right, lower

    def axes_in(self, box: Bbox) -> Axes:
        """Add axes in a box, above all earlier drawing."""
        return self.figure.add_axes(box.transformed(self.axes.transData - self.figure.transFigure).bounds)

    def frame(self, box: Bbox, width: float, color: str) -> None:
        """Draw a frame of a width inside the edges of a box, over all axes."""
        middle, place = box.padded(-width / 2), self.axes.transData
        shape = Rectangle(middle.min, middle.width, middle.height, fill=False, edgecolor=color, transform=place)
        shape.set(linewidth=width * POINTS_PER_MILLIMETRE, zorder=1)
        self.figure.add_artist(shape)

    def image(self, colors: NDArray[np.uint8], box: Bbox, *, smooth: bool = False) -> None:
        """Fill a box with cells of (rows, columns, 3) bytes, below all shapes; the first row is at the top.

        Cells have sharp edges, unless ``smooth`` is True.
        """
        if not self.is_vector:
            # matplotlib would take about 40 bytes per pixel.
            self._below.append((colors, box, smooth))
            return
        if smooth:
            size = (round(side / MILLIMETRES_PER_INCH * _SMOOTH_DPI) for side in (box.width, box.height))
            colors = _resized(colors, *size, smooth=True)
        extent = (box.x0, box.x1, box.y0, box.y1)
        self.axes.imshow(colors, extent=extent, aspect="auto", interpolation="none", zorder=-1)

    def photo(self, colors: NDArray[np.uint8], box: Bbox) -> None:
        """Fill a box with an image of very many pixels; files of vector graphics hold it as JPEG."""
        if self.is_vector:
            photo, width = Image.fromarray(colors), min(colors.shape[1], MOST_ON_SCREEN)
            colors = _resized(colors, width, round(photo.height * width / photo.width), smooth=True)
            self.figure.info["photo"] = Photo(photo, colors.shape[1::-1])
        self.image(colors, box)

    def write(self, line: Line) -> None:
        """Write one line of text. Digits between two carets are raised, except in titles."""
        x = line.x
        for number, text in enumerate([line.text] if line.font is TITLE else line.text.split("^")):
            size, up = (line.size * _RAISED, line.size * _RAISED_BY) if number % 2 else (line.size, 0.0)
            x += _BLANK * size if text.startswith(" ") and x > line.x else 0
            shape = outline(line._replace(text=text, x=x, y=line.y + up, size=size))
            if shape.codes is not None:
                self.axes.add_artist(PathPatch(shape, facecolor=theme().ink, linewidth=0))
                x = shape.get_extents().x1 + 0.06 * line.size

    def rule(self, box: Bbox) -> None:
        """Draw a thin rule, of at least a pixel."""
        height = max(box.height, 0.0 if self.is_vector else 1 / self.pixels(1))
        self.axes.add_artist(Rectangle(box.min, box.width, height, facecolor=theme().ink, linewidth=0))

    def rasterised(self, mode: str) -> PosterImage:
        """Return the sheet as an image with exactly the pixels of its paper; mode "L" is grey."""
        width, height = self.paper.pixels
        renderer: Any = RendererAgg(width, height, self.paper.dpi)  # type: ignore[no-untyped-call]
        canvas = np.asarray(renderer.buffer_rgba())
        canvas[:] = np.round(255 * np.array(self.figure.get_facecolor()))
        self.figure.patch.set_visible(False)
        for colors, box, smooth in self._below:
            left, upper, right, lower = self.pixel_edges(box)
            canvas[upper:lower, left:right, :3] = _resized(colors, right - left, lower - upper, smooth=smooth)
        self.figure.draw(renderer)
        image = Image.frombuffer("RGBA", (width, height), renderer.buffer_rgba()).convert(mode)
        image.info["dpi"] = (self.paper.dpi, self.paper.dpi)
        return PosterImage(image)


def outline(line: Line) -> Path:
    """Return the letters of a line as shapes at their place; the outermost shape of the first begins at x."""
    points, kinds = text_to_path.get_text_path(line.font, line.text, ismath=False)
    if not len(kinds):  # blanks; in matplotlib 3.8, also characters that no font has
        return Path(np.empty((0, 2)))
    letters = Path(points, kinds)
    scale = line.size / text_to_path.FONT_SCALE
    place = Affine2D().translate(-letters.get_extents().x0, 0).scale(scale).translate(line.x, line.y)
    return letters.transformed(place)


class PosterFigure(Picture):
    """A poster of shapes, whose file matplotlib alone cannot write correctly.

    ``info["pixels"]`` returns the poster as an image with a given number of pixels per inch.
    """

    def savefig(self, fname: Any, *, format: str | None = None, dpi: float | None = None) -> None:  # type: ignore[override]
        """Write the poster to a path or to a binary file, in the format of its suffix or in the given format."""
        if isinstance(fname, str | os.PathLike):
            save_picture(self, fname, dpi=dpi)
        else:
            write_picture(self, fname, check_picture_suffix(f"poster.{format or 'png'}"), dpi)

    #: The same, as for a poster of pixels.
    save = savefig

    def _repr_jpeg_(self) -> tuple[bytes, dict[str, int]]:
        """Return an image for a notebook, because matplotlib cannot print one ink over another."""
        return self.info["pixels"](round(1.5 * MOST_ON_SCREEN / max(self.get_size_inches())))._repr_jpeg_()  # type: ignore[no-any-return]

    def _repr_png_(self) -> None:  # type: ignore[override]
        """Return nothing, because a notebook would store the PNG in addition to the JPEG."""


class PosterImage(Image.Image):
    """A poster of pixels, of which a notebook shows a preview."""

    def __init__(self, image: Image.Image) -> None:
        super().__init__()
        # Both images share the pixels.
        vars(self).update(vars(image))

    def save(self, fp: Any, format: str | None = None, **params: Any) -> None:
        """Write the poster completely or not at all; with options, to open files and in other formats, as Pillow."""
        if is_picture_path(fp) and format is None and not params:
            save_picture(self, fp)
        else:
            super().save(fp, format, **params)

    def _repr_jpeg_(self) -> tuple[bytes, dict[str, int]]:  # type: ignore[override]
        """Return a smaller JPEG with up to two pixels per dot for fine screens, and its width in dots."""
        on_screen = min(1.0, MOST_ON_SCREEN / max(self.size))

        def draw(scale: float) -> bytes:
            width, height = (max(1, round(min(1.0, 2 * on_screen * scale) * side)) for side in self.size)
            file = io.BytesIO()
            self.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3).save(file, "JPEG", quality=85)
            return file.getvalue()

        return preview(draw), {"width": round(on_screen * self.width)}

    def _repr_png_(self) -> None:
        """Return nothing, because a notebook would store the PNG in addition to the JPEG."""


def _resized(colors: NDArray[np.uint8], width: int, height: int, *, smooth: bool) -> NDArray[np.uint8]:
    """Return (rows, columns, 3) bytes as an image of ``width`` x ``height`` pixels: (height, width, 3) bytes."""
    way = Image.Resampling.BICUBIC if smooth else Image.Resampling.NEAREST
    return np.asarray(Image.fromarray(colors).resize((width, height), way))
