"""Colours: the themes of pictures, mixtures of colours and their contrast.

matplotlib is imported only in functions, because commands import palettes.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import NamedTuple


class Theme(NamedTuple):
    """The colours of a picture.

    ``ground`` is the background, "none" if it is transparent. ``density`` lists colours from few queens through the
    average to many queens. ``series`` are used in order. On a poster with ``lights``, queens glow in these colours,
    from the first corner of the board to the last.
    """

    ink: str
    paper: str
    ground: str
    faint: str
    grid: str
    small_print: str
    light_square: str
    dark_square: str
    attack: str
    best: str
    blocked: str
    excluded: str
    solved: str
    touched: str
    density: tuple[str, ...]
    series: tuple[str, ...]
    lights: tuple[str, ...] = ()


#: Small print is fainter than ink, but easy to read. The series are after Okabe and Ito (2008), in an order in which
#: neighbours also differ in grey. In grey, a density with more queens is darker, and in a dark theme brighter.
LIGHT = Theme(
    ink="#1b1f24", paper="#ffffff", ground="#ffffff", faint="#8a929c", grid="#dde1e6", small_print="#5f6670",
    light_square="#f3ead7", dark_square="#b98d62", attack="#d55e00", best="#0072b2", blocked="#3f464f",
    excluded="#8e2f78", solved="#009e73", touched="#8fbfdc",
    density=("#2166a5", "#5a9ccb", "#afd0e6", "#f8f5ef", "#f2b483", "#d55e00", "#6e2400"),
    series=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"),
)  # fmt: skip
DARK = Theme(
    ink="#ece7dc", paper="#181b21", ground="#181b21", faint="#7d8590", grid="#2f353e", small_print="#a7adb7",
    light_square="#6d5b47", dark_square="#4b3d30", attack="#ff8c42", best="#7cc8f7", blocked="#0b0d10",
    excluded="#e0a0d6", solved="#2fc08f", touched="#3f6d8c",
    density=("#5ab4ea", "#3280b8", "#1f4676", "#141b40", "#8a5420", "#ffb347", "#fff0cf"),
    series=("#56b4e9", "#ff8c42", "#2fc08f", "#e59ac4", "#9fd2f2", "#f0c040"),
)  # fmt: skip


def named_theme(name: str) -> Theme:
    """Return the theme with this name: light, dark, transparent or dark-transparent."""
    colors = DARK if name.startswith("dark") else LIGHT
    return colors._replace(ground="none") if name.endswith("transparent") else colors


theme_in_use = ContextVar("theme", default=LIGHT)

#: Return the theme in use: see :func:`fastqueens.pictures.figure.house_style`.
theme = theme_in_use.get


def blend(one: str, other: str, share: float) -> tuple[float, float, float]:
    """Return the red, green and blue of a mixture of two colours with this share of the other, from 0 to 1.

    >>> blend("#000000", "#ffffff", 0.25)
    (0.25, 0.25, 0.25)
    """
    from matplotlib.colors import to_rgb

    red, green, blue = ((1 - share) * a + share * b for a, b in zip(to_rgb(one), to_rgb(other), strict=True))
    return red, green, blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours by WCAG 2, from 1 to 21.

    >>> contrast("white", "black"), contrast("navy", "navy"), round(contrast("#777777", "white"), 2)
    (21.0, 1.0, 4.48)
    """
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: str) -> float:
    """Return the relative luminance of a colour by WCAG 2, from 0 to 1."""
    from matplotlib.colors import to_rgb

    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(color))
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
