"""A sheet of paper for a poster: drawing on it in millimetres, the places of its words, and its pixels.

Everything is a shape, text included, so that a vector figure and its pixels are the same drawing.
"""

from __future__ import annotations

import io
import itertools
import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import to_rgba_array
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Affine2D
from numpy.typing import NDArray
from PIL import Image

from fastqueens.errors import InputError
from fastqueens.pictures.chessboard import LARGEST_WITH_SQUARES
from fastqueens.pictures.figure import (
    MOST_ON_SCREEN,
    POINTS_PER_INCH,
    TEXT,
    TITLE,
    Picture,
    capitals,
    preview,
    text_width,
    wrapped,
)
from fastqueens.pictures.paper import MILLIMETRES_PER_INCH, Paper
from fastqueens.pictures.themes import LIGHT, theme

_POINTS_PER_MILLIMETRE = POINTS_PER_INCH / MILLIMETRES_PER_INCH

#: The resolution of smooth images in vector graphics, in pixels per inch.
_SMOOTH_DPI = 150

#: The unit of type with which the smallest text has 5 points.
_LEAST_UNIT = 12.4

#: The width of crop marks, and the space between them and the bleed, in millimetres.
_CROP_MARK, _GAP = 0.1, 2.0

#: How many rows of an image are laid over the sheet at once.
_ROWS = 256

#: The sizes of type in units, each 1.618 times the one before. The smallest has 7 points on A4.
_SMALL, _LARGE = 0.1, 0.1 * ((1 + 5**0.5) / 2) ** 2

#: From the board to the words, in units. In heights of capital letters: from one line to the next, in a title and in
#: all other text; and how far letters reach below their line.
_GUTTER = 0.7
_TITLE_LINE, _LINE = 1.5, 1.9
_DESCENT = 0.35

#: A title has at most this share of the height of the words, and this many lines; fewer if its letters then keep the
#: last share of the size.
_MOST_TITLE, _MOST_LINES, _LARGE_ENOUGH = 0.45, 4, 0.6

#: The subtitle has at most this share of the title, and usually the second share or the size in units.
_SUBTITLE, _USUAL_SUBTITLE = 0.5, (0.28, 1.618 * _LARGE)

#: Small print grows with its place if that is wider, in units.
_USUAL_WIDTH = 12

#: Words hang under the board if their place is this many times higher than wide; otherwise they end at the margin.
_LONG = 1.5

#: Squares of at least this many pixels are whole pixels.
_WHOLE_PIXELS = 10

#: The least size of a title, in units, and the least part of the sheet for the board, in percent: tried in turn.
_TRIALS = ((0.5, 70), (0.35, 55), (2 * _SMALL, 20))


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


class Line(NamedTuple):
    """A line of text from (x, y) on its baseline; its size is the height of capital letters."""

    text: str
    x: float
    y: float
    size: float
    color: str
    font: FontProperties = TEXT


class Block(NamedTuple):
    """Lines of one size, and the space below them."""

    lines: list[str]
    size: float
    color: str
    font: FontProperties = TEXT
    below: float = 0.0


class Words(NamedTuple):
    """What a poster says: the large title, which can be empty, the subtitle, and texts in small print."""

    title: str
    subtitle: str
    prints: list[str]


class Sheet:
    """A figure as large as a paper, in the theme in use.

    Coordinates are millimetres from the lower left corner of the trimmed sheet.
    """

    def __init__(self, paper: Paper, *, vector: bool) -> None:
        self.paper, self.is_vector = paper, vector
        self._below: list[tuple[NDArray[np.uint8], Box, bool]] = []
        # An image has whole pixels, so its drawing has too; a vector figure has the exact size, to be cut.
        width, height = paper.inches if vector else (side / paper.dpi for side in paper.pixels)
        color = LIGHT.paper if paper.marks else theme().paper
        self.figure = Picture(figsize=(width, height), dpi=paper.dpi, facecolor=color)
        self.axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set_axis_off()
        xlim, ylim = ((-paper.around, side + paper.around) for side in (paper.width, paper.height))
        self.axes.set(xlim=xlim, ylim=ylim, autoscale_on=False)
        if paper.marks:
            self._draw_crop_marks()

    def _draw_crop_marks(self) -> None:
        """Fill the sheet and its bleed, and draw two lines at each corner, outside the bleed."""
        paper, width = self.paper, _CROP_MARK * _POINTS_PER_MILLIMETRE
        self.rectangle(self.grown(Box(0, 0, paper.width, paper.height), paper.bleed), theme().paper)
        for x, y in itertools.product((0, paper.width), (0, paper.height)):
            for across, up in ((1 if x else -1, 0), (0, 1 if y else -1)):
                far = np.array([paper.bleed + _GAP, paper.around])
                self.axes.add_artist(Line2D(x + across * far, y + up * far, linewidth=width, color=LIGHT.ink))

    @property
    def inside(self) -> Box:
        """The part of the sheet within the margins."""
        width, height, margin = self.paper.width, self.paper.height, self.paper.margin
        return Box(margin, margin, width - 2 * margin, height - 2 * margin)

    @property
    def unit(self) -> float:
        """A tenth of the shorter side within the usual margins; on sheets below A5 more, so that 5 points remain."""
        side = min(self.paper.width, self.paper.height)
        return max(side / 12, min(side / 8.5, _LEAST_UNIT))

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
        around, top = self.paper.around, self.paper.height + self.paper.around
        millimetres = box.left + around, top - box.top, box.right + around, top - box.bottom
        left, upper, right, lower = (round(self.pixels(edge)) for edge in millimetres)
        return left, upper, right, lower

    def axes_in(self, box: Box) -> Axes:
        """Add axes in a box, over everything that is drawn so far."""
        around, width, height = self.paper.around, self.paper.width, self.paper.height
        across, up = width + 2 * around, height + 2 * around
        place = (box.left + around) / across, (box.bottom + around) / up, box.width / across, box.height / up
        return self.figure.add_axes(place)

    def rectangle(self, box: Box, color: str) -> None:
        """Fill a rectangle, below all images that follow."""
        if self.is_vector:
            whole = Rectangle((box.left, box.bottom), box.width, box.height, facecolor=color, linewidth=0, zorder=-2)
            self.axes.add_artist(whole)
        else:
            self.image(packed(color).view(np.uint8).reshape(1, 1, 4), box)

    def frame(self, box: Box, width: float, color: str) -> None:
        """Draw a frame of a width inside the edges of a box."""
        corner, sides = (box.left + width / 2, box.bottom + width / 2), (box.width - width, box.height - width)
        line = width * _POINTS_PER_MILLIMETRE
        self.axes.add_artist(Rectangle(corner, *sides, fill=False, edgecolor=color, linewidth=line))

    def image(self, colors: NDArray[np.uint8], box: Box, *, smooth: bool = False) -> None:
        """Fill a box with cells of (rows, columns, 3 or 4) bytes, below all shapes; the first row is at the top.

        Cells have sharp edges, or with ``smooth`` none.
        """
        if not self.is_vector:
            # matplotlib would take about 40 bytes per pixel.
            self._below.append((colors, box, smooth))
            return
        if smooth:
            size = (round(side / MILLIMETRES_PER_INCH * _SMOOTH_DPI) for side in (box.width, box.height))
            colors = _resized(colors, *size, smooth=True)
        extent = (box.left, box.right, box.bottom, box.top)
        self.axes.imshow(colors, extent=extent, aspect="auto", interpolation="none", zorder=-1)

    def write(self, line: Line) -> None:
        """Write one line of text."""
        self.axes.add_artist(PathPatch(outline(line), facecolor=line.color, linewidth=0))

    def rasterised(self, mode: str) -> PosterImage:
        """Return the sheet as an image with exactly the pixels of its paper; mode "L" is grey."""
        width, height = self.paper.pixels
        renderer: Any = RendererAgg(width, height, self.paper.dpi)  # type: ignore[no-untyped-call]
        canvas = np.asarray(renderer.buffer_rgba())
        canvas.view(np.uint32)[:] = packed(self.figure.get_facecolor())
        self.figure.patch.set_visible(False)
        for colors, box, smooth in self._below:
            left, upper, right, lower = self.pixel_edges(box)
            _put(_resized(colors, right - left, lower - upper, smooth=smooth), canvas[upper:lower, left:right])
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
    scale = line.size / (text_to_path.FONT_SCALE * capitals(1, line.font))
    place = Affine2D().translate(-letters.get_extents().x0, 0).scale(scale).translate(line.x, line.y)
    return letters.transformed(place)


class PosterImage(Image.Image):
    """An image of which a notebook shows a preview, instead of all its pixels."""

    def __init__(self, image: Image.Image) -> None:
        super().__init__()
        # Both images share the pixels.
        vars(self).update(vars(image))

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
        """Return nothing: a notebook would also store this."""


def packed(colors: Any, opacity: float = 1.0) -> NDArray[np.uint32]:
    """Return each colour as four bytes in one number, which is quick to copy: red, green, blue and opacity."""
    return np.asarray(np.round(255 * to_rgba_array(colors, opacity)).astype(np.uint8).view(np.uint32)[:, 0])


def _resized(colors: NDArray[np.uint8], width: int, height: int, *, smooth: bool) -> NDArray[np.uint8]:
    """Return (rows, columns, 3 or 4) bytes as an image of ``width`` x ``height`` pixels: (height, width, 4) bytes."""
    if colors.shape == (height, width, 4):
        return colors
    way = Image.Resampling.BICUBIC if smooth else Image.Resampling.NEAREST
    return np.asarray(Image.fromarray(colors).resize((width, height), way).convert("RGBA"))


def _put(colors: NDArray[np.uint8], canvas: NDArray[np.uint8]) -> None:
    """Lay an image of (height, width, 4) bytes over a part of a canvas."""
    for upper in range(0, len(colors), _ROWS):
        part = slice(upper, upper + _ROWS)
        below, above = (Image.fromarray(np.ascontiguousarray(image[part])) for image in (canvas, colors))
        canvas[part] = np.asarray(Image.alpha_composite(below, above))


def arranged(sheet: Sheet, words: Words, n: int) -> tuple[Box, list[Line]]:
    """Return the places of the largest board next to which, or above which, all words fit, and of the words.

    Squares of a chessboard are whole pixels, unless they are small.
    """
    inside, gutter = sheet.inside, _GUTTER * sheet.unit
    for least, least_percent in _TRIALS:
        for percent in range(100, least_percent - 1, -2):
            side = percent / 100 * min(inside.width, inside.height)
            pixels = sheet.pixels(side) / n
            side *= int(pixels) / pixels if pixels >= _WHOLE_PIXELS and n <= LARGEST_WITH_SQUARES else 1.0
            left, bottom = inside.left + (inside.width - side) / 2, inside.bottom + (inside.height - side) / 2
            above, right = Box(left, inside.top - side, side, side), Box(inside.right - side, bottom, side, side)
            below = Box(left, inside.bottom, side, inside.height - side - gutter)
            beside = inside._replace(width=inside.width - side - gutter)
            for board, place, is_below in ((above, below, True), (right, beside, False)):
                if min(place.width, place.height) > 0:
                    lines = _placed(sheet, words, place, is_below, least)
                    if lines is not None:
                        return board, lines
    raise InputError("the title is too long for this sheet: its letters would be smaller than the smallest print")


def _placed(sheet: Sheet, words: Words, place: Box, is_below: bool, least: float) -> list[Line] | None:
    """Return the lines of the largest title that fits, of the subtitle and of the small print; None if none fits."""
    look, unit = theme(), sheet.unit
    small = _SMALL * max(unit, place.width / _USUAL_WIDTH)
    texts = (wrapped(text, place.width, small) for text in words.prints)
    prints = [Block(lines, small, look.small_print, below=0.5 * small) for lines in texts]
    most = _MOST_TITLE * place.height
    while most >= least * unit:
        lines, size = _fitted(words.title, place.width, most, TITLE)
        usual = min(_SUBTITLE * size, max(_USUAL_SUBTITLE[0] * size, _USUAL_SUBTITLE[1] * unit))
        said, under = _fitted(words.subtitle, place.width, usual, TEXT)
        title = Block(lines, size, look.ink, TITLE, 0.3 * size + 0.1 * unit)
        placed, bottom = _stacked([title, Block(said, under, look.ink, below=0.3 * unit), *prints], place)
        if under >= 0.999 * small and size >= least * unit and bottom >= place.bottom:
            # Next to the board the title is at the top.
            at_top = len(lines) if not is_below else len(placed) if place.height > _LONG * place.width else 0
            return placed[:at_top] + [line._replace(y=line.y - bottom + place.bottom) for line in placed[at_top:]]
        most *= 0.94
    return None


def _stacked(blocks: Sequence[Block], place: Box) -> tuple[list[Line], float]:
    """Return the lines of blocks on top of each other, from the top of a place on, and the lower edge of the last."""
    lines, top, bottom = [], place.top, place.top
    for block in (block for block in blocks if block.lines):
        step = block.size * (_TITLE_LINE if block.font == TITLE else _LINE)
        for i, text in enumerate(block.lines):
            lines.append(Line(text, place.left, top - i * step - block.size, block.size, block.color, block.font))
        bottom = lines[-1].y - _DESCENT * block.size
        top = bottom - block.below
    return lines, bottom


def _fitted(text: str, width: float, most: float, font: FontProperties) -> tuple[list[str], float]:
    """Return a text in few lines and large letters, no wider than ``width``, and their size, at most ``most``.

    >>> _fitted("A Thousand Queens", 100.0, 20.0, TITLE)[0]
    ['A Thousand', 'Queens']
    """
    found = _broken(text, width, font)
    lines, size = next((each for each in found if each[1] >= _LARGE_ENOUGH * most), found[-1])
    return lines, min(most, size)


@lru_cache(maxsize=1024)
def _broken(text: str, width: float, font: FontProperties) -> list[tuple[list[str], float]]:
    """Return a text in one line and in more of them, without broken words, and the largest sizes of its letters."""
    if not text:
        return [([], math.inf)]
    fewest, found, words = text.count("\n") + 1, [], text.split()
    whole, widest = text_width(" ".join(words), 1.0, font), max(text_width(word, 1.0, font) for word in words)
    for count in range(fewest, max(fewest, _MOST_LINES) + 1):
        size = 0.999 * width / max(whole / count, widest, 1e-9)
        while len(lines := wrapped(text, width, size, font)) > count:
            size *= 0.95
        found.append((lines, width / max(1e-9, *(text_width(line, 1.0, font) for line in lines))))
    return found
