"""A sheet of paper to draw and write on, in millimetres.

Everything is a shape, text too, so that a vector figure and its pixels are the same drawing, and that no font is needed
to show it. The size of a text is the height of its capital letters.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path as FilePath
from typing import Any, NamedTuple, cast

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import Colormap
from matplotlib.font_manager import FontProperties, get_font
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Affine2D
from numpy.typing import NDArray
from PIL import Image

from fastqueens.core.errors import InputError
from fastqueens.pictures.figure import MOST_ON_SCREEN, Canvas, Picture
from fastqueens.pictures.posters.paper import Paper
from fastqueens.pictures.saving import MILLIMETRES_PER_INCH, preview
from fastqueens.pictures.style import AROUND_EVEN, BEST, EXCLUDED, INK, SMALL_PRINT

#: The resolution of smooth images in vector graphics, in pixels per inch.
_SMOOTH_DPI = 150

_OURS = FilePath(__file__).parents[1] / "fonts"

#: The fonts: for titles, for all other text, and for what stands out in it. DejaVu Sans has the letters that they lack.
TITLE, TEXT, BOLD = (str(_OURS / f"{name}.ttf") for name in ("Fraunces-Regular", "Jost-Regular", "Jost-Medium"))
_SPARE = str(FilePath(mpl.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf"))


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


class Theme(NamedTuple):
    """The colours of a style.

    ``fixed``, ``blocked`` and ``excluded`` are for what an instance asks for. ``is_grey`` is for styles that have no
    other colours than those of a density, ``density``.
    """

    paper: str
    board: str
    dark_square: str
    ink: str = INK
    faint: str = SMALL_PRINT
    fixed: str = BEST
    blocked: str = "#8b9199"
    excluded: str = EXCLUDED
    is_grey: bool = False
    density: Colormap = AROUND_EVEN


class Sheet(Canvas):
    """A figure the size of a paper; coordinates are millimetres from the lower left corner of the trimmed sheet."""

    def __init__(self, paper: Paper, theme: Theme, *, vector: bool) -> None:
        self.paper = paper
        self.theme = theme
        self.below: list[tuple[NDArray[np.uint8], Box, bool]] = []
        self.is_vector = vector
        # An image has whole pixels, so its drawing has too; a vector figure has the exact size, to be cut.
        width, height = paper.inches if vector else (side / paper.dpi for side in paper.pixels)
        self.figure = Picture(figsize=(width, height), dpi=paper.dpi, facecolor=theme.paper)
        super().__init__(self.figure.add_axes((0, 0, 1, 1)), 72 / MILLIMETRES_PER_INCH)
        self.axes.set_axis_off()
        xlim, ylim = ((-paper.bleed, side + paper.bleed) for side in (paper.width, paper.height))
        self.axes.set(xlim=xlim, ylim=ylim, autoscale_on=False)

    @property
    def inside(self) -> Box:
        """The part of the sheet within the margins."""
        width, height, margin, _, _ = self.paper
        return Box(margin, margin, width - 2 * margin, height - 2 * margin)

    @property
    def unit(self) -> float:
        """A tenth of the shorter side within the margins."""
        return min(self.inside.width, self.inside.height) / 10

    def grown(self, box: Box, by: float) -> Box:
        """Return a box that is larger by a length on each side, as far as the sheet with its bleed reaches."""
        bleed = self.paper.bleed
        left, bottom = max(-bleed, box.left - by), max(-bleed, box.bottom - by)
        right, top = min(self.paper.width + bleed, box.right + by), min(self.paper.height + bleed, box.top + by)
        return Box(left, bottom, right - left, top - bottom)

    def pixels(self, millimetres: float) -> float:
        """Return a length in pixels."""
        return millimetres / MILLIMETRES_PER_INCH * self.paper.dpi

    def pixel_edges(self, box: Box) -> tuple[int, int, int, int]:
        """Return the left, upper, right and lower edge of a box in pixels from the upper left corner of the image."""
        bleed, top = self.paper.bleed, self.paper.height + self.paper.bleed
        millimetres = box.left + bleed, top - box.top, box.right + bleed, top - box.bottom
        left, upper, right, lower = (round(self.pixels(edge)) for edge in millimetres)
        return left, upper, right, lower

    def rectangle(self, box: Box, color: str) -> None:
        """Fill a rectangle."""
        self.add(Rectangle((box.left, box.bottom), box.width, box.height, facecolor=color, linewidth=0))

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
        self.axes.imshow(colors, extent=extent, aspect="auto", interpolation="none", zorder=-1)

    def text(
        self, text: str, x: float, y: float, size: float, color: str, *, font: str = TEXT, align: str = "left"
    ) -> None:
        """Write one line, its baseline at y; ``size`` is the height of its capital letters."""
        outline, width = text_outline(text, size, font)
        place = Affine2D().translate(x - (width if align == "right" else 0.0), y)
        self.add(PathPatch(outline.transformed(place), facecolor=color, linewidth=0))


class PosterImage(Image.Image):
    """An image of which a notebook shows a preview, instead of all its pixels."""

    def _repr_jpeg_(self) -> tuple[bytes, dict[str, int]]:  # type: ignore[override]
        """Return a smaller JPEG and its width on the screen; it has up to twice as many pixels, for fine screens."""
        on_screen = min(1.0, MOST_ON_SCREEN / max(self.size))

        def draw(scale: float) -> bytes:
            width, height = (max(1, round(min(1.0, 2 * on_screen * scale) * side)) for side in self.size)
            file = io.BytesIO()
            self.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3).save(file, "JPEG", quality=85)
            return file.getvalue()

        return preview(draw), {"width": round(on_screen * self.width)}

    def _repr_png_(self) -> None:
        """Return nothing: a notebook would store this, too."""


def rasterised(sheet: Sheet, mode: str) -> PosterImage:
    """Return a sheet as an image with exactly the pixels of its paper; mode "L" is grey."""
    width, height = sheet.paper.pixels
    renderer: Any = RendererAgg(width, height, sheet.paper.dpi)  # type: ignore[no-untyped-call]
    if sheet.below:
        canvas = np.asarray(renderer.buffer_rgba())
        paper = np.round(255 * np.array(sheet.figure.get_facecolor())).astype(np.uint8)
        canvas.view(np.uint32)[:] = paper.view(np.uint32)
        sheet.figure.patch.set_visible(False)
        for colors, box, smooth in sheet.below:
            left, upper, right, lower = sheet.pixel_edges(box)
            canvas[upper:lower, left:right] = resized(colors, right - left, lower - upper, smooth=smooth)
    sheet.figure.draw(renderer)
    image = Image.frombuffer("RGBA", (width, height), renderer.buffer_rgba()).convert(mode)
    image.info["dpi"] = (sheet.paper.dpi, sheet.paper.dpi)
    image.__class__ = PosterImage  # without a copy
    return cast(PosterImage, image)


def resized(colors: NDArray[np.uint8], width: int, height: int, *, smooth: bool) -> NDArray[np.uint8]:
    """Return (rows, columns, 3 or 4) bytes as an image of ``width`` x ``height`` pixels: (height, width, 4) bytes."""
    if colors.shape == (height, width, 4):
        return colors
    way = Image.Resampling.BICUBIC if smooth else Image.Resampling.NEAREST
    return np.asarray(Image.fromarray(colors).resize((width, height), way).convert("RGBA"))


def text_width(text: str, size: float, font: str = TEXT) -> float:
    """Return how wide a line is at a size."""
    return _outline(text, font)[1] * size / _capital(font)


def fitting_size(lines: Sequence[str], width: float, most: float, font: str = TEXT) -> float:
    """Return the largest size, at most ``most``, at which no line is wider than ``width``."""
    widest = max((text_width(line, 1.0, font) for line in lines), default=0.0)
    return min(most, width / widest) if widest else most


def wrapped(text: str, width: float, size: float) -> list[str]:
    """Break a text between words into lines no wider than ``width``."""
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def check_text(text: str, name: str, font: str = TITLE) -> None:
    """Raise :class:`InputError` for the first character that neither the font nor its substitute has."""
    for character in text:
        if not _has(_SPARE, character) and not _has(font, character):
            names = " and ".join(get_font(file).family_name for file in (font, _SPARE))
            raise InputError(f"{name}: the fonts {names} have no character {character!r}")


def text_outline(text: str, size: float, font: str = TEXT) -> tuple[Path, float]:
    """Return a line of text as shapes that begin at (0, 0), and its width."""
    outline, width = _outline(text, font)
    scale = size / _capital(font)
    return outline.transformed(Affine2D().scale(scale)), scale * width


def _has(font: str, character: str) -> bool:
    return bool(get_font(font).get_char_index(ord(character)))


@lru_cache(maxsize=1024)
def _outline(text: str, font: str) -> tuple[Path, float]:
    """Return a line of text as shapes that begin at (0, 0), and its width, in the font's own unit."""
    if not text.strip():
        return Path(np.empty((0, 2))), 0.0
    vertices, codes, pen = [], [], 0.0
    for is_there, characters in groupby(text, lambda character: _has(font, character)):
        run, file = "".join(characters), font if is_there else _SPARE
        points, kinds = _shapes(run, file)
        vertices.append(points + np.array([pen, 0.0]))
        codes.append(kinds)
        pen += _extent(*_shapes(f"|{run}|", file))[1] - _extent(*_shapes("||", file))[1]
    outline = np.concatenate(vertices), np.concatenate(codes)
    left, right = _extent(*outline)
    return Path(*outline).transformed(Affine2D().translate(-left, 0)), right - left


def _shapes(text: str, file: str) -> tuple[Any, Any]:
    """Return the points of a text that one font writes, (k, 2), and their kinds."""
    points, kinds = text_to_path.get_text_path(FontProperties(fname=file), text, ismath=False)
    return np.reshape(np.asarray(points, np.float64), (-1, 2)), np.asarray(kinds, np.uint8)


def _extent(points: Any, kinds: Any) -> tuple[float, float]:
    """Return where shapes begin and end.

    Corners and control points suffice, and are quick: in letters the outermost of them lie on the outline. The points
    at (0, 0) that close a shape do not count.
    """
    across = points[kinds != Path.CLOSEPOLY, 0]
    return float(across.min()), float(across.max())


@lru_cache
def _capital(font: str) -> float:
    return float(np.asarray(_outline("H", font)[0].vertices)[:, 1].max())
