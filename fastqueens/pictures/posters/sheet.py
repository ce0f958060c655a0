"""A sheet of paper for a poster: its size as people write it, and drawing and writing on it in millimetres.

Everything is a shape, text too, so that a vector figure and its pixels are the same drawing.
"""

from __future__ import annotations

import io
import itertools
import math
import re
from typing import Any, NamedTuple, cast

import numpy as np
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import Colormap, LinearSegmentedColormap, to_hex, to_rgb, to_rgba_array
from matplotlib.font_manager import FontProperties
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Affine2D
from numpy.typing import NDArray
from PIL import Image

from fastqueens._run.arguments import ORIENTATIONS, check_choice, check_integer
from fastqueens.errors import InputError
from fastqueens.pictures.figure import MOST_ON_SCREEN, Canvas, Picture
from fastqueens.pictures.saving import MILLIMETRES_PER_INCH, preview
from fastqueens.pictures.style import AROUND_EVEN, LIGHT, TEXT, blend, capitals

#: Width and height in millimetres, upright: ISO 216, and the usual sizes in North America.
_NAMED = {
    "A0": (841.0, 1189.0), "A1": (594.0, 841.0), "A2": (420.0, 594.0), "A3": (297.0, 420.0), "A4": (210.0, 297.0),
    "A5": (148.0, 210.0), "A6": (105.0, 148.0), "letter": (215.9, 279.4), "legal": (215.9, 355.6),
    "tabloid": (279.4, 431.8),
}  # fmt: skip

_UNITS = {"mm": 1.0, "cm": 10.0, "in": MILLIMETRES_PER_INCH}
_NUMBER = r"(\d{1,9}(?:\.\d{1,9})?)"
_SIZE = re.compile(rf"{_NUMBER}\s*[x\u00d7]\s*{_NUMBER}\s*(mm|cm|in)", re.ASCII | re.IGNORECASE)
_LENGTH = re.compile(rf"{_NUMBER}\s*(mm|cm|in)?", re.ASCII | re.IGNORECASE)

_SMALLEST_SIDE = 20.0
_LARGEST_SIDE = 10_000.0
_LEAST_DPI, _MOST_DPI = 10, 2400
_MOST_BLEED = 50.0

#: The default margin as a share of the shorter side.
_USUAL_MARGIN = 1 / 12

#: The space for crop marks outside the bleed.
_FOR_MARKS = 8.0

#: The resolution of smooth images in vector graphics, in pixels per inch.
_SMOOTH_DPI = 150

#: The unit of type with which the smallest text has 5 points.
_LEAST_UNIT = 12.4

#: The width of crop marks, and the space between them and the bleed, in millimetres.
_CROP_MARK, _GAP = 0.1, 2.0

#: How many rows of an image are laid over the sheet at once.
_ROWS = 256


class Paper(NamedTuple):
    """A sheet of ``width`` x ``height`` millimetres after trimming; the bleed and crop marks are printed around it."""

    width: float
    height: float
    margin: float
    bleed: float
    dpi: int
    marks: float = 0.0

    @property
    def around(self) -> float:
        """The width of what is cut off: the bleed, and the space for crop marks."""
        return self.bleed + self.marks

    @property
    def inches(self) -> tuple[float, float]:
        """Width and height in inches, with all that is cut off."""
        return tuple((side + 2 * self.around) / MILLIMETRES_PER_INCH for side in (self.width, self.height))  # type: ignore[return-value]

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height with all that is cut off, rounded to whole pixels."""
        across, down = self.inches
        return round(across * self.dpi), round(down * self.dpi)

    @property
    def board_pixels(self) -> float:
        """The width of the largest board within the margins, in pixels."""
        return (min(self.width, self.height) - 2 * self.margin) / MILLIMETRES_PER_INCH * self.dpi


def paper(
    size: str = "A1",
    *,
    dpi: int = 300,
    orientation: str | None = None,
    margin: str | float | None = None,
    bleed: str | float = 0.0,
    crop_marks: bool = False,
) -> Paper:
    """Return the sheet that these texts describe; a length is millimetres, or a number with mm, cm or in.

    By default, the margin is a twelfth of the shorter side, and sizes with a name are upright.

    >>> paper("24x36in", dpi=100, bleed="0.125in").pixels
    (2425, 3625)
    """
    width, height = _sides(size)
    if orientation is not None:
        check_choice(orientation, "orientation", ORIENTATIONS)
        width, height = sorted((width, height), reverse=orientation == "landscape")
    check_integer(dpi, "dpi", _LEAST_DPI, _MOST_DPI, "for a poster ")
    inner = _USUAL_MARGIN * min(width, height) if margin is None else _length(margin, "margin")
    if inner > 0.3 * min(width, height):
        raise InputError(
            f"margin is {_shown(inner)}: on a sheet of {_shown(width)} x {_shown(height)} "
            f"it is at most {_shown(0.3 * min(width, height))}"
        )
    outer = _length(bleed, "bleed")
    if outer > _MOST_BLEED:
        raise InputError(f"bleed is {_shown(outer)}: it is at most {_shown(_MOST_BLEED)}; 3 mm are usual")
    if crop_marks and not outer:
        raise InputError("crop_marks is True and bleed is 0 mm: crop marks need a bleed, usually of 3 mm")
    return Paper(width, height, inner, outer, int(dpi), _FOR_MARKS if crop_marks else 0.0)


def _sides(size: str) -> tuple[float, float]:
    name = str(size).strip()
    named = {usual.lower(): sides for usual, sides in _NAMED.items()}.get(name.lower())
    if named is not None:
        return named
    found = _SIZE.fullmatch(name)
    if found is None:
        raise InputError(
            f"size is {name!r}: it is A0 to A6, letter, legal, tabloid, or WxHmm, WxHcm or WxHin as in 24x36in"
        )
    width, height = (float(number) * _UNITS[found[3].lower()] for number in found.group(1, 2))
    for side in (width, height):
        if not _SMALLEST_SIDE <= side <= _LARGEST_SIDE:
            raise InputError(f"size is {name!r}: a side is from {_shown(_SMALLEST_SIDE)} to {_shown(_LARGEST_SIDE)}")
    return width, height


def _length(value: str | float, name: str) -> float:
    """Return a length in millimetres."""
    if isinstance(value, str):
        found = _LENGTH.fullmatch(value.strip())
        if found:
            return float(found[1]) * _UNITS[(found[2] or "mm").lower()]
    elif not isinstance(value, bool) and math.isfinite(value) and value >= 0:
        return float(value)
    raise InputError(f"{name} is {value!r}: a length is needed, as in 20, 20mm, 2cm or 0.8in")


def _shown(millimetres: float) -> str:
    return f"{millimetres:.6g} mm"


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


class Theme(NamedTuple):
    """The colours of a style: ``fixed``, ``blocked`` and ``excluded`` are for an instance, ``density`` for cells.

    If there are ``lights``, queens glow in them, from the first corner to the last.
    """

    paper: str
    dark_square: str
    ink: str = LIGHT.ink
    faint: str = LIGHT.small_print
    fixed: str = LIGHT.best
    blocked: str = LIGHT.blocked
    excluded: str = LIGHT.excluded
    attack: str = LIGHT.attack
    lights: tuple[str, ...] = ()
    density: Colormap = AROUND_EVEN

    def is_grey(self, *, has_attacks: bool) -> bool:
        """Return whether all colours are shades of grey; the colour of attacks counts if there are any."""
        flat = self.paper, self.dark_square, self.ink, self.faint, self.fixed, self.blocked, self.excluded
        colors = [*flat, *self.lights, *([self.attack] if has_attacks else [])]
        return all(len(set(to_rgb(color))) == 1 for color in colors)

    def in_two_colors(self, ink: str, paper: str) -> Theme:
        """Return the theme in two colours and their mixtures."""

        def mixed(share: float) -> str:
            return to_hex(blend(ink, paper, share))

        return Theme(
            paper=paper, dark_square=mixed(0.9), ink=ink, faint=mixed(0.25), fixed=ink, blocked=mixed(0.5),
            excluded=mixed(0.3), attack=ink, lights=(ink, ink) if self.lights else (),
            density=LinearSegmentedColormap.from_list("two", [paper, mixed(0.75), mixed(0.3)]),
        )  # fmt: skip


class Sheet(Canvas):
    """A figure the size of a paper; coordinates are millimetres from the lower left corner of the trimmed sheet."""

    def __init__(self, paper: Paper, theme: Theme, *, vector: bool) -> None:
        self.paper = paper
        self.theme = theme
        self.below: list[tuple[NDArray[np.uint8], Box, bool]] = []
        self.is_vector = vector
        # An image has whole pixels, so its drawing has too; a vector figure has the exact size, to be cut.
        width, height = paper.inches if vector else (side / paper.dpi for side in paper.pixels)
        around = LIGHT.paper if paper.marks else theme.paper
        self.figure = Picture(figsize=(width, height), dpi=paper.dpi, facecolor=around)
        super().__init__(self.figure.add_axes((0, 0, 1, 1)), 72 / MILLIMETRES_PER_INCH)
        self.axes.set_axis_off()
        xlim, ylim = ((-paper.around, side + paper.around) for side in (paper.width, paper.height))
        self.axes.set(xlim=xlim, ylim=ylim, autoscale_on=False)
        if paper.marks:
            self._draw_crop_marks()

    def _draw_crop_marks(self) -> None:
        """Fill the sheet and its bleed, and draw two lines at each corner, outside the bleed."""
        width, height, _, bleed, _, marks = self.paper
        self.rectangle(self.grown(Box(0, 0, width, height), bleed), self.theme.paper)
        for x, y in itertools.product((0, width), (0, height)):
            for across, up in ((1 if x else -1, 0), (0, 1 if y else -1)):
                ends = [(x + across * far, y + up * far) for far in (bleed + _GAP, bleed + marks)]
                self.lines([ends], LIGHT.ink, _CROP_MARK)

    @property
    def inside(self) -> Box:
        """The part of the sheet within the margins."""
        width, height, margin, *_ = self.paper
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

    def rectangle(self, box: Box, color: str) -> None:
        """Fill a rectangle, below all images that follow."""
        if self.is_vector:
            whole = Rectangle((box.left, box.bottom), box.width, box.height, facecolor=color, linewidth=0, zorder=-2)
            self.axes.add_artist(whole)
        else:
            self.image(packed(color).view(np.uint8).reshape(1, 1, 4), box)

    def image(self, colors: NDArray[np.uint8], box: Box, *, smooth: bool = False) -> None:
        """Fill a box with cells of (rows, columns, 3 or 4) bytes, below all shapes; the first row is at the top.

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

    def write(self, line: Line) -> None:
        """Write one line of text."""
        self.add(PathPatch(outline(line), facecolor=line.color, linewidth=0))


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
    canvas = np.asarray(renderer.buffer_rgba())
    canvas.view(np.uint32)[:] = packed(sheet.figure.get_facecolor())
    sheet.figure.patch.set_visible(False)
    for colors, box, smooth in sheet.below:
        left, upper, right, lower = sheet.pixel_edges(box)
        _put(resized(colors, right - left, lower - upper, smooth=smooth), canvas[upper:lower, left:right])
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


def _put(colors: NDArray[np.uint8], canvas: NDArray[np.uint8]) -> None:
    """Lay an image of (height, width, 4) bytes over a part of a canvas."""
    for upper in range(0, len(colors), _ROWS):
        part = slice(upper, upper + _ROWS)
        below, above = (Image.fromarray(np.ascontiguousarray(image[part])) for image in (canvas, colors))
        canvas[part] = np.asarray(Image.alpha_composite(below, above))


def packed(colors: Any, opacity: float = 1.0) -> NDArray[np.uint32]:
    """Return each colour as four bytes in one number, which is quick to copy: red, green, blue and opacity."""
    return np.asarray(np.round(255 * to_rgba_array(colors, opacity)).astype(np.uint8).view(np.uint32)[:, 0])
