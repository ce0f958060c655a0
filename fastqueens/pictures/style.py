"""How all pictures look: themes, lines, type and how wide it is, and the outline of a queen."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path as FilePath
from types import SimpleNamespace
from typing import Any

import matplotlib as mpl
import numpy as np
from cycler import cycler
from matplotlib.colors import LinearSegmentedColormap, Normalize, to_rgb
from matplotlib.font_manager import FontEntry, FontProperties, fontManager
from matplotlib.path import Path
from matplotlib.textpath import text_to_path

from fastqueens._run.arguments import THEMES, check_choice

#: The colormap around an even share: blue is fewer, orange is more, and in grey more is darker than fewer.
AROUND_EVEN = LinearSegmentedColormap.from_list(
    "around_even", ["#2166a5", "#5a9ccb", "#afd0e6", "#f8f5ef", "#f2b483", "#d55e00", "#6e2400"]
)

#: The same on dark pictures: an even share is dark, and more is brighter than fewer.
AROUND_EVEN_DARK = LinearSegmentedColormap.from_list(
    "around_even_dark", ["#5ab4ea", "#3280b8", "#1f4676", "#141b40", "#8a5420", "#ffb347", "#fff0cf"]
)

#: The colours next to the limit shape go from 1 - reach to 1 + reach even shares: it has 0.45 to 1.4.
LIMIT_REACH = 0.6


#: The colours of light pictures. Small print is fainter than ink, but easy to read. The series are used in order: they
#: are after Okabe and Ito (2008), ordered so that neighbours also differ in grey.
LIGHT = SimpleNamespace(
    ink="#1b1f24", paper="#ffffff", faint="#8a929c", grid="#dde1e6", small_print="#5f6670", light_square="#f3ead7",
    dark_square="#b98d62", attack="#d55e00", best="#0072b2", blocked="#3f464f", excluded="#8e2f78", solved="#009e73",
    touched="#8fbfdc", around_even=AROUND_EVEN,
    series=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"),
)  # fmt: skip
_DARK = SimpleNamespace(
    ink="#ece7dc", paper="#181b21", faint="#7d8590", grid="#2f353e", small_print="#a7adb7", light_square="#6d5b47",
    dark_square="#4b3d30", attack="#ff8c42", best="#7cc8f7", blocked="#0b0d10", excluded="#e0a0d6", solved="#2fc08f",
    touched="#3f6d8c", around_even=AROUND_EVEN_DARK,
    series=("#56b4e9", "#ff8c42", "#2fc08f", "#e59ac4", "#9fd2f2", "#f0c040"),
)  # fmt: skip
_THEMES = {name: SimpleNamespace(name=name, **vars(_DARK if name.startswith("dark") else LIGHT)) for name in THEMES}
_in_use = ContextVar("theme", default=_THEMES["light"])

#: Return the theme in use: its name and its colours.
theme = _in_use.get

FONTS = FilePath(__file__).parent / "fonts"

#: The font of titles of posters, and the one whose letters replace those that ours lack; it comes with matplotlib.
FRAUNCES = str(FONTS / "Fraunces-Regular.ttf")
DEJAVU = str(FilePath(mpl.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf"))

#: The families of text, and of titles of posters; with names of our own, since another Jost may be installed.
_TEXT_FAMILY, _TITLE_FAMILY = (["Jost of fastqueens", "DejaVu Sans"], ["Fraunces of fastqueens", "DejaVu Sans"])
fontManager.ttflist += [
    FontEntry(file, name=name, weight=weight, size="scalable")
    for file, name, weight in (
        (str(FONTS / "Jost-Regular.ttf"), _TEXT_FAMILY[0], 400),
        (str(FONTS / "Jost-Medium.ttf"), _TEXT_FAMILY[0], 700),
        (FRAUNCES, _TITLE_FAMILY[0], 400),
    )
]

_POINTS_PER_INCH = 72

#: The fonts: for titles of posters, for all other text, and for what stands out in it.
TITLE = FontProperties(family=_TITLE_FAMILY, size=1)
TEXT, BOLD = (FontProperties(family=_TEXT_FAMILY, weight=weight, size=1) for weight in (400, 700))

_SHEET: dict[str, Any] = {
    "font.family": _TEXT_FAMILY,
    "font.size": 11,
    # A title may have dollar signs.
    "text.parse_math": False,
    # Widths grow with the size of the type at any resolution.
    "text.hinting": "none",
    # Lines of Jost are high.
    "axes.labelpad": 0.5,
    "axes.titlesize": 14,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.linewidth": 0.8,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "savefig.facecolor": "auto",
    "svg.hashsalt": "fastqueens",
    # SVG text becomes shapes and PDF embeds the font, so that no reader needs it.
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
}


@contextmanager
def house_style(theme: str = "light") -> Iterator[None]:
    """Use the project's matplotlib settings inside the ``with`` block, and restore the caller's after it.

    ``theme`` is "light", "dark", "transparent" or "dark-transparent"; :func:`theme` returns its colours.
    """
    look = _THEMES[check_choice(theme, "theme", THEMES)]
    colors: dict[str, Any] = {"grid.color": look.grid, "axes.prop_cycle": cycler(color=look.series)}
    for color, names in (
        (look.ink, ("text.color", "axes.labelcolor", "xtick.labelcolor", "ytick.labelcolor")),
        (look.faint, ("axes.edgecolor", "xtick.color", "ytick.color")),
        ("none" if theme.endswith("transparent") else look.paper, ("figure.facecolor", "axes.facecolor")),
    ):
        colors |= dict.fromkeys(names, color)
    before = _in_use.set(look)
    try:
        with mpl.rc_context():
            mpl.rcdefaults()
            mpl.rcParams.update(_SHEET | colors)  # type: ignore[arg-type]
            yield
    finally:
        _in_use.reset(before)


@lru_cache(maxsize=4096)
def _extent(text: str, font: FontProperties) -> tuple[float, float]:
    """Return the width and the height of a line of type of size 1, from the outlines of its letters."""
    points, kinds = text_to_path.get_text_path(font, text, ismath=False)
    if not len(kinds):  # blanks; in matplotlib 3.8, also characters that no font has
        return 0.0, 0.0
    # The outermost points lie on the outlines; those at (0, 0) that close a shape do not count.
    width, height = np.ptp(np.asarray(points)[np.asarray(kinds) != Path.CLOSEPOLY], axis=0) / text_to_path.FONT_SCALE
    return float(width), float(height)


def capitals(points: float, font: FontProperties) -> float:
    """Return the height of capital letters of type of a size."""
    return points * _extent("H", font)[1]


def text_width(text: str, size: float, font: FontProperties = TEXT) -> float:
    """Return how wide a line is whose capital letters have this height."""
    return _extent(text, font)[0] * size / capitals(1, font)


def wrapped(text: str, width: float, size: float, font: FontProperties = TEXT) -> list[str]:
    """Break a text at its line breaks, and between words into lines no wider than ``width``; wider words are broken."""
    space, lines = text_width("H H", size, font) - 2 * text_width("H", size, font), []
    for paragraph in text.splitlines():
        end, words = np.inf, paragraph.split()[::-1]
        while words:
            word = words.pop()
            length = text_width(word, size, font)
            if length > width and len(word) > 1:
                half = max(1, min(len(word) - 1, int(0.9 * width / length * len(word))))
                words += [word[half:], word[:half]]
                continue
            end += space + length
            if end > width:
                lines.append(word)
                end = length
            else:
                lines[-1] += f" {word}"
    return lines


def type_lines(text: str, inches: float, points: float, font: FontProperties = TEXT) -> str:
    """Return a text in lines of a type size in points that are at most this wide.

    >>> type_lines("From 8 to a billion queens", 1.2, 11).splitlines()
    ['From 8 to a', 'billion queens']
    """
    return "\n".join(wrapped(text, inches * _POINTS_PER_INCH, capitals(points, font), font))


def blend(one: str, other: str, share: float) -> tuple[float, float, float]:
    """Return the red, green and blue of a mixture of two colours with this share of the other, from 0 to 1.

    >>> blend("#000000", "#ffffff", 0.25)
    (0.25, 0.25, 0.25)
    """
    red, green, blue = ((1 - share) * a + share * b for a, b in zip(to_rgb(one), to_rgb(other), strict=True))
    return red, green, blue


def around_even(reach: float) -> Normalize:
    """Return a scale for colours from 1 - reach to 1 + reach, with an even share, 1, in the middle."""
    return Normalize(1 - reach, 1 + reach, clip=True)


def large_number(value: float, _position: float | None = None) -> str:
    """Return a number as people write it, also as a tick formatter: 10,000, then 2 million, then 3 billion.

    >>> [large_number(value) for value in (0.5, 10_000, 2_500_000, 4e9)]
    ['0.5', '10,000', '2.5 million', '4 billion']
    """
    for size, word in ((1e9, " billion"), (1e6, " million")):
        if abs(value) >= size:
            return f"{value / size:,.10g}{word}"
    return f"{value:,.10g}"


# The crown, clockwise from its lower left corner; then the base below it, and the balls on its points.
_CROWN = ((0.25, 0.27), (0.13, 0.68), (0.31, 0.47), (0.33, 0.78), (0.45, 0.49), (0.50, 0.84),
          (0.55, 0.49), (0.67, 0.78), (0.69, 0.47), (0.87, 0.68), (0.75, 0.27))  # fmt: skip
_BASE = ((0.22, 0.13), (0.22, 0.20), (0.25, 0.235), (0.75, 0.235), (0.78, 0.20), (0.78, 0.13))
_BALLS = ((0.13, 0.715), (0.33, 0.82), (0.50, 0.875), (0.67, 0.82), (0.87, 0.715))
_BALL_RADIUS = 0.048


#: A queen in the unit square, with y upwards. All outlines are counter-clockwise, like the balls: where outlines of
#: opposite directions overlap, they leave a hole.
QUEEN = Path.make_compound_path(
    *(Path([points[0], *reversed(points)], closed=True) for points in (_CROWN, _BASE)),
    *(Path.circle(centre, _BALL_RADIUS) for centre in _BALLS),
)

#: A queen on a large board, in the unit square.
DOT = Path.circle((0.5, 0.5), 0.5)

#: The diameter of dots as a share of the mean distance between queens. From the second number of queens on it grows,
#: because many small dots look pale.
_DOT_IN_DISTANCE = 0.11
_DOTS_GROW_FROM = 400


def dot_size(n: int) -> float:
    """Return the diameter in squares of the dots of a board.

    >>> [round(dot_size(n), 2) for n in (64, 400, 1000, 50_000)]
    [0.88, 2.2, 4.37, 82.24]
    """
    growth = math.sqrt(math.sqrt(max(1.0, n / _DOTS_GROW_FROM)))
    return _DOT_IN_DISTANCE * growth * math.sqrt(n)
