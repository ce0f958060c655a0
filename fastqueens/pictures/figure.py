"""Pictures in the house style, made without pyplot: their fonts, the widths of text, headings and captions."""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path as FilePath
from typing import Any
from unicodedata import bidirectional, combining, normalize

import matplotlib as mpl
import numpy as np
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontEntry, FontProperties, findfont, fontManager, get_font
from matplotlib.path import Path
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Bbox
from PIL import Image

from fastqueens._run.arguments import THEMES, Size, check_choice, check_kind, size_in_inches
from fastqueens.errors import InputError
from fastqueens.files.text import FileName
from fastqueens.pictures.roles import Roles, named_theme, theme, theme_in_use
from fastqueens.pictures.saving import FIGURE_DPI, drawing_lock, figure_bytes, save_picture

#: Dots per inch in a notebook, and the dots of the longer side at most.
_SCREEN_DPI = 100
MOST_ON_SCREEN = 1000

#: The most bytes of a picture in a notebook, which stores them in base64: 300 kB.
MOST_IN_NOTEBOOK = 225_000

_FONTS = FilePath(__file__).parent / "fonts"

#: The families of text and of titles. The names are our own, because another Jost can be installed.
_TEXT_FAMILY = ["Jost of fastqueens", "DejaVu Sans"]
_TITLE_FAMILY = ["Fraunces of fastqueens", "DejaVu Serif", "DejaVu Sans"]
fontManager.ttflist += [
    FontEntry(file, name=name, weight=weight, size="scalable")
    for file, name, weight in (
        (str(_FONTS / "Jost-Regular.ttf"), _TEXT_FAMILY[0], 400),
        (str(_FONTS / "Jost-Medium.ttf"), _TEXT_FAMILY[0], 700),
        (str(_FONTS / "Fraunces-Regular.ttf"), _TITLE_FAMILY[0], 400),
    )
]

#: The fonts for titles, for all other text, and for emphasis.
TITLE = FontProperties(family=_TITLE_FAMILY, size=1)
TEXT, BOLD = (FontProperties(family=_TEXT_FAMILY, weight=weight, size=1) for weight in (400, 700))

POINTS_PER_INCH = 72

#: Whether matplotlib joins Arabic letters, orders Hebrew ones from the right, and places combining marks.
_SHAPES_TEXT = mpl.__version_info__ >= (3, 11)

#: The type of the title of a figure, as a multiple of the titles of its panels.
_HEADING = 1.3

#: Figures narrower than the first width, in inches, have the type of a column of a report, and figures narrower than
#: the second have no title, because a report has a caption. Then the sizes of type, gaps and lines, in points.
_PAGE, _WITH_TITLE = 5.0, 3.5
_OF_PAGE, _OF_COLUMN = (
    {
        "font.size": words, "axes.titlesize": title, "axes.titlepad": 0.7 * title, "legend.fontsize": small,
        "xtick.labelsize": numbers, "ytick.labelsize": numbers, "lines.linewidth": line, "lines.markersize": 3.5 * line,
    }
    for words, title, small, numbers, line in ((11, 14, 9, 10, 1.6), (8, 9, 7, 7, 1.1))
)  # fmt: skip

_SETTINGS: dict[str, Any] = {
    "font.family": _TEXT_FAMILY,
    # A title can contain dollar signs.
    "text.parse_math": False,
    # Widths grow with the size of the type at any resolution.
    "text.hinting": "none",
    # Jost has a large line height.
    "axes.labelpad": 0.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.linewidth": 0.8,
    "legend.frameon": False,
    "savefig.facecolor": "auto",
    "svg.hashsalt": "fastqueens",
    # SVG text becomes shapes, and PDF embeds the font, so no reader needs to install it.
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
}


@contextmanager
def house_style(
    look: str | Roles = "light", width: float = _PAGE, ax: Axes | None = None, scale: float = 1.0
) -> Iterator[None]:
    """Use the project's matplotlib settings inside the ``with`` block, and restore the caller's after it.

    Other threads that draw wait, because the settings of matplotlib are global. ``look`` is "light", "dark",
    "transparent", "dark-transparent" or the colours themselves, which :func:`fastqueens.pictures.roles.theme` returns
    inside the block. A figure with a ``width`` of less than 5 inches has small type, and ``scale`` enlarges type and
    lines. Drawing into the caller's axes ``ax`` keeps the caller's settings.
    """
    colors = look if isinstance(look, Roles) else named_theme(check_choice(look, "theme", THEMES))
    settings: dict[str, Any] = {"grid.color": colors.grid, "axes.prop_cycle": cycler(color=colors.series)}
    settings |= {name: scale * size for name, size in (_OF_PAGE if width >= _PAGE else _OF_COLUMN).items()}
    for color, names in (
        (colors.ink, ("text.color", "axes.labelcolor", "xtick.labelcolor", "ytick.labelcolor")),
        (colors.faint, ("axes.edgecolor", "xtick.color", "ytick.color")),
        (colors.ground, ("figure.facecolor", "axes.facecolor")),
    ):
        settings |= dict.fromkeys(names, color)
    before = theme_in_use.set(colors)
    try:
        with drawing_lock, mpl.rc_context():
            if ax is None:
                mpl.rcdefaults()
                mpl.rcParams.update(_SETTINGS | settings)  # type: ignore[arg-type]
            yield
    finally:
        theme_in_use.reset(before)


def scale_of(width: float, usual: float) -> float:
    """Return how much larger the type of a figure is if it is wider than usual, as on a slide.

    >>> scale_of(4, 8), scale_of(12, 8)
    (1.0, 1.5)
    """
    return max(1.0, width / usual)


class StyledFigure(Figure):
    """A matplotlib figure that a notebook shows without pyplot; it keeps the settings in use when it was made."""

    def __init__(self, *args: Any, **options: Any) -> None:
        # Without the back end, which plays no part, cannot be copied, and would import pyplot if it were read.
        self.settings = {name: value for name, value in dict.items(mpl.rcParams) if name != "backend"}
        super().__init__(*args, **options)

    def savefig(self, fname: Any, **options: Any) -> None:
        """Write the figure as matplotlib does, which reads the settings of ticks and fonts only now."""
        with drawing_lock, mpl.rc_context(self.settings):  # type: ignore[arg-type]
            super().savefig(fname, **options)

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """Return the figure as PNG with up to two pixels per dot for fine screens, and its width in dots."""
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


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture made with matplotlib, which a notebook shows.

    Attributes
    ----------
    figure : matplotlib.figure.Figure
        The figure, or the figure of your own axes if the picture was drawn into them.
    axes : tuple of matplotlib.axes.Axes
        The axes of the picture.
    title : str
        The title.
    caption : str
        Facts such as n, seed and steps, which your own axes do not show.

    Methods
    -------
    save(path, dpi=None)
        Write the picture to a file.

    Examples
    --------
    >>> import fastqueens
    >>> fastqueens.picture([1, 3, 0, 2])
    <Picture '4 queens'>
    """

    figure: Figure
    axes: tuple[Axes, ...]
    title: str
    caption: str

    def __repr__(self) -> str:
        return f"<Picture {self.title!r}>"

    def save(self, path: FileName, *, dpi: float | None = None) -> None:
        """Write the picture to a file, atomically.

        Parameters
        ----------
        path : str or path
            A name that ends in .pdf or .svg for shapes, or in .png, .jpg or .webp for pixels.
        dpi : float, optional
            Pixels per inch, at least 10. By default 200 for boards of the usual size, and 150 for other pictures.

        Raises
        ------
        InputError
            If the suffix is unknown, the file cannot be written, or its format cannot hold so many pixels.
        NotEnoughMemoryError
            If the pixels do not fit into memory.
        """
        dpi = max(FIGURE_DPI, self.figure.dpi) if dpi is None else dpi
        save_picture(self.figure, path, dpi=dpi, title=self.title, about=self.caption)

    def _repr_png_(self) -> tuple[bytes, dict[str, int]] | None:
        """Return the picture for a notebook, which shows figures of pyplot by itself."""
        return self.figure._repr_png_() if isinstance(self.figure, StyledFigure) else None


def inches_of(size: Size | None, ax: Axes | None, usual: tuple[float, float]) -> tuple[float, float]:
    """Return the width and height of a picture in inches: the given ones, those of the caller's axes, or the usual."""
    check_kind(isinstance(ax, Axes | None), ax, "ax", "axes of matplotlib")
    if ax is None:
        return usual if size is None else size_in_inches(size)
    if size is not None:
        raise InputError("size has no effect on your own axes; use plt.subplots(figsize=(8, 4.5)), or leave out ax")
    return ax.bbox.width / ax.figure.dpi, ax.bbox.height / ax.figure.dpi


def new_axes(ax: Axes | None, inches: tuple[float, float]) -> Axes:
    """Return the caller's axes, or else axes in a new figure."""
    return new_figure(*inches).subplots() if ax is None else ax


def panels_in(
    ax: Axes | None, inches: tuple[float, float], what: str, mosaic: list[list[str]], **shared: Any
) -> dict[str, Axes]:
    """Return axes by the names of the panels in ``mosaic``, or only those of the panel ``what`` if it is not "all".

    The caller's axes have room for one panel.
    """
    if what != "all":
        return {what: new_axes(ax, inches)}
    if ax is not None:
        names = ", ".join(dict.fromkeys(repr(name) for line in mosaic for name in line))
        raise InputError(f"ax has room for one panel; choose it with what: {names}")
    return new_figure(*inches).subplot_mosaic(mosaic, **shared)  # type: ignore[arg-type]


def finished(axes: Axes, ax: Axes | None, title: str | None, usual: str, text: str, size: Size | None) -> Picture:
    """Return a picture with a title, or else the ``usual`` one, and a caption. A figure without a given size grows.

    The caller's axes ``ax`` have no caption, and keep their own title if there is no other.
    """
    check_title(title)
    figure: Any = axes.figure.figure
    if ax is None:
        inches = figure.get_size_inches()
        title = title or usual
        heading(figure, title)
        caption(figure, text)
        figure.set_size_inches(*(inches if size else figure.get_size_inches()))
    else:
        title = title or ax.get_title(mpl.rcParams["axes.titlelocation"]) or usual
        ax.set_title(title)
    return Picture(figure, tuple(figure.axes) if ax is None else (ax,), title, text)


def preview(draw: Callable[[float], bytes]) -> bytes:
    """Return the file that ``draw`` makes for scale 1, or for a smaller scale with at most 300 kB in base64."""
    scale = 1.0
    while len(content := draw(scale)) > MOST_IN_NOTEBOOK:
        scale *= 0.95 * min(0.95, math.sqrt(MOST_IN_NOTEBOOK / len(content)))
    return content


def new_figure(width: float = 8.0, height: float = 4.5) -> StyledFigure:
    """Return an empty figure; sizes are in inches."""
    figure = StyledFigure(figsize=(width, height), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.08)  # type: ignore[union-attr, call-arg]
    return figure


def check_title(title: Any) -> FontProperties:
    """Return the first font for titles that has all letters of a title, so that no word changes its font.

    Our own fonts have few accents to compose letters with, so letters with combining marks are set from DejaVu. Raises
    :class:`InputError` if the title is neither None nor a text, or has characters that matplotlib cannot set.
    """
    check_kind(isinstance(title, str | None), title, "title", "a text")
    letters = "".join(normalize("NFC", title or "").split())
    marks = [character for character in letters if combining(character)]
    from_right = [character for character in letters if bidirectional(character) in ("R", "AL")]
    if not _SHAPES_TEXT and (marks or from_right):
        (character, *_) = marks + from_right
        raise InputError(
            f"title cannot contain {character!r}: matplotlib {mpl.__version__} cannot join such letters; "
            "install matplotlib 3.11 or later, or replace it"
        )
    names, missing = _TITLE_FAMILY[1 if marks else 0 :], ""
    for name in names:
        one = FontProperties(family=[name], size=1)
        face = get_font(findfont(one))
        missing = next((character for character in letters if not face.get_char_index(ord(character))), "")
        if not missing:
            return TITLE if name == _TITLE_FAMILY[0] else one
    raise InputError(f"title cannot contain {missing!r}, which the fonts {' and '.join(names)} do not have; replace it")


def heading(figure: Figure, text: str) -> None:
    """Write a title above all axes unless the figure is narrow, and make room for its lines after the first."""
    font = check_title(text)
    width, size = figure.get_figwidth(), _HEADING * mpl.rcParams["axes.titlesize"]
    if width >= _WITH_TITLE:
        text = type_lines(text, 0.97 * width, size, font)
        figure.set_figheight(figure.get_figheight() + text.count("\n") * 0.02 * size)
        figure.suptitle(text, x=0.01, ha="left", fontproperties=font, fontsize=size)


def caption(figure: Figure, text: str, left: float = 0.01) -> None:
    """Write facts such as n, seed and steps in small print at the foot of the figure."""
    size = mpl.rcParams["legend.fontsize"]
    text = type_lines(text, (0.98 - left) * figure.get_figwidth(), size)
    figure.supxlabel(text, x=left, ha="left", fontsize=size, color=theme().soft)


@lru_cache(maxsize=4096)
def _extent(text: str, font: FontProperties) -> tuple[float, float]:
    """Return the width and the height of a line of type of size 1, from the outlines of its letters."""
    letters = outline(text, font)
    if letters.codes is None:
        return 0.0, 0.0
    box = extents(letters)
    return float(box.width) / text_to_path.FONT_SCALE, float(box.height) / text_to_path.FONT_SCALE


def outline(text: str, font: FontProperties) -> Path:
    """Return the letters of a text as a shape, which is empty and has no codes if there are only blanks."""
    points, kinds = text_to_path.get_text_path(font, text, ismath=False)
    if not len(kinds):  # in matplotlib 3.8, also characters that no font has
        return Path(np.empty((0, 2)))
    return Path(points, kinds)


def extents(letters: Path) -> Bbox:
    """Return the box around letters, whose outermost points lie on their outlines.

    matplotlib looks for the extremes of each curve, which takes most of the time of a poster.
    """
    # Points that close a shape are at any place.
    points = np.asarray(letters.vertices)[np.asarray(letters.codes) != Path.CLOSEPOLY]
    return Bbox([points.min(axis=0), points.max(axis=0)])


def capitals(points: float, font: FontProperties) -> float:
    """Return the height of capital letters of type of a size."""
    return points * _extent("H", font)[1]


def text_width(text: str, size: float, font: FontProperties = TEXT) -> float:
    """Return the width of a line whose capital letters have this height."""
    return _extent(text, font)[0] * size / capitals(1, font)


def wrapped(text: str, width: float, size: float, font: FontProperties = TEXT) -> list[str]:
    """Break a text at its line breaks, and between words into lines no wider than ``width``; wider words are broken."""
    lines = []
    for paragraph in text.splitlines():
        whole, letters = text_width(paragraph, size, font), len(paragraph)
        # Narrow letters fit more often than the average, so begin with more letters per line.
        count = min(letters, int(1.2 * letters * width / whole) + 1) if whole else 1
        broken = textwrap.wrap(paragraph, max(1, count))
        while count > 1 and any(text_width(line, size, font) > width for line in broken):
            count -= 1
            broken = textwrap.wrap(paragraph, count)
        lines += broken
    return lines


def balanced(text: str, width: float, size: float, font: FontProperties = TEXT) -> list[str]:
    """Break a text like :func:`wrapped`, into lines of about the same length: no last line is a single word."""
    lines = wrapped(text, width, size, font)
    widest, narrowest = width, width / 2
    for _ in range(6 if len(lines) > 1 else 0):
        middle = (widest + narrowest) / 2
        tried = wrapped(text, middle, size, font)
        if len(tried) > len(lines) or max(text_width(line, size, font) for line in tried) > middle:
            narrowest = middle
        else:
            lines, widest = tried, middle
    return lines


def type_lines(text: str, inches: float, points: float, font: FontProperties = TEXT) -> str:
    """Return a text in lines of a type size in points that are at most this wide.

    >>> type_lines("From 8 to a billion queens", 1.1, 11).splitlines()
    ['From 8 to a', 'billion queens']
    """
    return "\n".join(wrapped(text, inches * POINTS_PER_INCH, capitals(points, font), font))


def large_number(value: float, _position: float | None = None) -> str:
    """Return a number in words as in 10,000, 2 million and 3 billion. It is also a tick formatter.

    >>> [large_number(value) for value in (0.5, 10_000, 2_500_000, 4e9)]
    ['0.5', '10,000', '2.5 million', '4 billion']
    """
    for size, word in ((1e9, " billion"), (1e6, " million")):
        if abs(value) >= size:
            return f"{value / size:,.10g}{word}"
    return f"{value:,.10g}"
