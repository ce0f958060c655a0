"""A sheet of paper to draw on in millimetres, as shapes: so that a figure and its pixels are the same drawing.

Text is made of shapes as well: it can be measured, and needs no font where it is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path as FilePath
from typing import Any, NamedTuple, TypeAlias

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, get_font
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Affine2D, AffineDeltaTransform
from numpy.typing import NDArray
from PIL import Image

from fastqueens.board import InputError
from fastqueens.pictures.glyphs import QUEEN
from fastqueens.pictures.paper import MILLIMETRES_AN_INCH, Paper

_FONTS = FilePath(mpl.get_data_path(), "fonts", "ttf")

_POINTS_A_MILLIMETRE = 72 / MILLIMETRES_AN_INCH

#: Below so many pixels a queen is a dot: her crown could not be seen.
_SMALLEST_QUEEN = 6

_SQUARE = Path.unit_rectangle()
_DOT = Path.circle((0.5, 0.5), 0.5)


Points: TypeAlias = NDArray[np.float64]


class Box(NamedTuple):
    """A rectangle on the sheet in millimetres, from its lower left corner."""

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


class _Shapes(PathCollection):
    """One shape in many sizes, which are lengths in the axes' own units (matplotlib's are areas in points)."""

    def set_sizes(self, sizes: Any, dpi: float = 72.0) -> None:
        """Keep the sizes as they are, whatever the resolution."""
        self._sizes = sizes
        self._transforms = np.zeros((len(sizes), 3, 3))
        self._transforms[:, 0, 0] = self._transforms[:, 1, 1] = sizes
        self._transforms[:, 2, 2] = 1.0


class Sheet:
    """A figure of the size of a paper, its only axes in millimetres from the lower left corner of the trimmed sheet."""

    def __init__(self, paper: Paper, color: str, *, vector: bool) -> None:
        self.paper = paper
        self.pasted: list[tuple[NDArray[np.uint8], Box]] = []
        self._is_vector = vector
        # Whole pixels, so that the drawing ends where the image does; a press that cuts wants millimetres.
        size = paper.inches if vector else tuple(side / paper.dpi for side in paper.pixels)
        self.figure = Figure(figsize=size, dpi=paper.dpi, facecolor=color)  # type: ignore[arg-type]
        self._axes = self.figure.add_axes((0, 0, 1, 1))
        self._axes.set_axis_off()
        self._axes.set(
            xlim=(-paper.bleed, paper.width + paper.bleed),
            ylim=(-paper.bleed, paper.height + paper.bleed),
            autoscale_on=False,
        )

    @property
    def inside(self) -> Box:
        """What is left within the margins."""
        _, _, margin, _, _ = paper = self.paper
        return Box(margin, margin, paper.width - 2 * margin, paper.height - 2 * margin)

    def pixels(self, millimetres: float) -> float:
        """A length in the pixels of the paper's resolution."""
        return millimetres / MILLIMETRES_AN_INCH * self.paper.dpi

    def rectangle(self, box: Box, color: str, *, edge: str | None = None, line: float = 0.0) -> None:
        """Fill a rectangle; ``line`` is the width of its edge, which lies around it."""
        around = line / 2
        outline = (box.left - around, box.bottom - around), box.width + line, box.height + line
        look = {"edgecolor": edge, "linewidth": line * _POINTS_A_MILLIMETRE} if edge else {"linewidth": 0}
        self._add(Rectangle(*outline, facecolor=color, joinstyle="miter", **look))

    def lines(
        self, segments: Any, color: Any, width: float, *, alpha: float | None = None, join: Any = "round"
    ) -> None:
        """Draw lines, each an array of points."""
        look = {"colors": color, "linewidths": width * _POINTS_A_MILLIMETRE, "alpha": alpha}
        self._add(LineCollection(segments, capstyle="butt", joinstyle=join, **look))

    def image(self, colors: NDArray[np.uint8], box: Box) -> None:
        """Fill a box with cells of (rows, columns, 3) bytes, sharp edges between them; the first row is at the top.

        In pixels it is put in last, over all else: matplotlib would take some 40 bytes a pixel for it.
        """
        if not self._is_vector:
            self.pasted.append((colors, box))
            return
        extent = (box.left, box.right, box.bottom, box.top)
        image = self._axes.imshow(colors, extent=extent, aspect="auto", interpolation="none")
        image.set_zorder(len(self._axes.get_children()))

    def marks(self, centres: Points, sizes: Points, colors: Any) -> None:
        """Draw queens of (k,) sizes around (k, 2) centres; dots where the resolution is too low for queens."""
        large = self.pixels(1.0) * sizes >= _SMALLEST_QUEEN
        for shape, chosen in ((QUEEN, large), (_DOT, ~large)):
            of_chosen = colors if isinstance(colors, str) else colors[chosen]
            self._shapes(shape, centres[chosen], sizes[chosen], of_chosen)

    def dots(self, centres: Points, sizes: float | Points, colors: Any, alpha: float | None = None) -> None:
        """Draw discs of some diameters around (k, 2) centres."""
        self._shapes(_DOT, centres, sizes, colors, alpha)

    def squares(self, centres: Points, size: float, color: str) -> None:
        """Draw squares around (k, 2) centres."""
        self._shapes(_SQUARE, centres, size, color)

    def _shapes(
        self, shape: Path, centres: Points, sizes: float | Points, colors: Any, alpha: float | None = None
    ) -> None:
        if not len(centres):
            return
        scales = np.atleast_1d(np.asarray(sizes, np.float64))
        middle = shape.transformed(Affine2D().translate(-0.5, -0.5))
        shapes = _Shapes(
            [middle],
            scales,
            facecolors=colors,
            linewidths=0,
            alpha=alpha,
            offsets=centres,
            offset_transform=self._axes.transData,
        )
        shapes.set_transform(AffineDeltaTransform(self._axes.transData))  # type: ignore[arg-type]
        self._add(shapes)

    def _add(self, artist: Artist) -> None:
        """Draw over all that is there already."""
        artist.set_zorder(len(self._axes.get_children()))
        self._axes.add_artist(artist)

    def text(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        color: str,
        *,
        font: str = "DejaVuSans",
        align: str = "left",
    ) -> None:
        """Write one line, its baseline at y; ``size`` is the height of its capital letters."""
        outline, width = _outline(text, font)
        scale = size / _capital(font)
        shift = {"left": 0.0, "center": width / 2, "right": width}[align]
        place = Affine2D().translate(-shift, 0).scale(scale).translate(x, y)
        self._add(PathPatch(outline.transformed(place), facecolor=color, linewidth=0))


def text_width(text: str, size: float, font: str = "DejaVuSans") -> float:
    """How wide a line is whose capital letters have this height."""
    return _outline(text, font)[1] * size / _capital(font)


def fitting_size(lines: Sequence[str], width: float, most: float, font: str = "DejaVuSans") -> float:
    """The height of capital letters, ``most`` at the most, in which no line is wider than ``width``."""
    widest = max((text_width(line, 1.0, font) for line in lines), default=0.0)
    return min(most, width / widest) if widest else most


def wrapped(text: str, width: float, size: float, font: str = "DejaVuSans") -> list[str]:
    """Cut a text between words into lines that are no wider than ``width``."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size, font) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def check_text(text: str, name: str, font: str = "DejaVuSans") -> None:
    """Raise :class:`InputError` for the first character that the font does not have."""
    face = get_font(str(_FONTS / f"{font}.ttf"))
    for character in text:
        if not face.get_char_index(ord(character)):
            raise InputError(f"{name}: the font {face.family_name} has no character {character!r}")


def rasterised(sheet: Sheet, mode: str = "RGB") -> Image.Image:
    """Turn a sheet into pixels, exactly as many as its paper has; "L" is the mode for grey."""
    width, height = sheet.paper.pixels
    renderer: Any = RendererAgg(width, height, sheet.paper.dpi)  # type: ignore[no-untyped-call]
    sheet.figure.draw(renderer)
    image = Image.frombuffer("RGBA", (width, height), renderer.buffer_rgba()).convert(mode)
    for colors, box in sheet.pasted:
        edges = _pixel_edges(sheet, box)
        cells = Image.fromarray(colors).convert(mode)
        image.paste(cells.resize((edges[2] - edges[0], edges[3] - edges[1]), Image.Resampling.NEAREST), edges)
    image.info["dpi"] = (sheet.paper.dpi, sheet.paper.dpi)
    return image


def _pixel_edges(sheet: Sheet, box: Box) -> tuple[int, int, int, int]:
    """The left, upper, right and lower edge of a box in pixels from the upper left corner."""
    bleed, height = sheet.paper.bleed, sheet.paper.height
    millimetres = (box.left + bleed, height + bleed - box.top, box.right + bleed, height + bleed - box.bottom)
    left, upper, right, lower = (round(sheet.pixels(edge)) for edge in millimetres)
    return left, upper, right, lower


@lru_cache(maxsize=1024)
def _outline(text: str, font: str) -> tuple[Path, float]:
    """A line of text as shapes from (0, 0) on, and its width."""
    if not text.strip():
        return Path(np.empty((0, 2))), 0.0
    properties = FontProperties(fname=str(_FONTS / f"{font}.ttf"))
    vertices, codes = text_to_path.get_text_path(properties, text, ismath=False)
    outline = Path(vertices, codes)
    # By its corners and control points, which is quick; in letters the outermost of them lie on the outline.
    # What closes a shape stands at (0, 0) and means nothing.
    across = np.asarray(vertices)[np.asarray(codes) != Path.CLOSEPOLY, 0]
    left, right = float(across.min()), float(across.max())
    return outline.transformed(Affine2D().translate(-left, 0)), right - left


@lru_cache
def _capital(font: str) -> float:
    return float(np.asarray(_outline("H", font)[0].vertices)[:, 1].max())
