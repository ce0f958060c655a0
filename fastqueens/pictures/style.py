"""The one look of all pictures: colours that colour-blind people tell apart and that differ in grey, and one font.

The font comes with matplotlib, so a picture looks the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
from cycler import cycler
from matplotlib.figure import Figure

INK = "#1b1f24"
PAPER = "#ffffff"
FAINT = "#8a929c"
GRID = "#dde1e6"

#: Small print: fainter than ink, and read without effort.
SMALL_PRINT = "#5f6670"

#: Squares of a chessboard.
LIGHT_SQUARE = "#f3ead7"
DARK_SQUARE = "#b98d62"

#: For one thing after the other. After Okabe and Ito (2008), in an order that also falls apart in grey.
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")

#: What attacks, and what is best.
ATTACK = "#d55e00"
BEST = "#0072b2"

#: Few to many, evenly in lightness, from matplotlib.
DENSITY = "cividis"

#: Dots an inch in a notebook.
_SCREEN_DPI = 100

_SHEET: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "text.color": INK,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.titlesize": 13,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 12,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.prop_cycle": cycler(color=SERIES),
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "figure.facecolor": PAPER,
    "savefig.facecolor": "auto",
    "svg.hashsalt": "fastqueens",
    # Shapes: who opens the file need not have the font. A PDF carries it.
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
}


@contextmanager
def house_style() -> Iterator[None]:
    """Draw in the look of the project inside the ``with`` block; the caller's own settings come back after it."""
    with mpl.rc_context():
        mpl.rcdefaults()
        for name, value in _SHEET.items():
            mpl.rcParams[name] = value  # type: ignore[index]
        yield


class Picture(Figure):
    """A figure of matplotlib that a notebook shows, without pyplot too."""

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """As PNG, and how wide it is shown: finer than that for screens that can show it."""
        from fastqueens.pictures.saving import png_bytes

        return png_bytes(self, 2 * _SCREEN_DPI), {"width": round(self.get_figwidth() * _SCREEN_DPI)}


def new_figure(width: float = 8.0, height: float = 4.5) -> Picture:
    """Give an empty figure of a size in inches; without pyplot, so that nothing is kept and no window opens."""
    return Picture(figsize=(width, height), layout="constrained")


def large_number(value: float, _position: int | None = None) -> str:
    """Write a number as people do, at the ticks of axes too: 10,000, then 2 million, then 3 billion.

    >>> [large_number(value) for value in (0.5, 10_000, 2_500_000, 4e9)]
    ['0.5', '10,000', '2.5 million', '4 billion']
    """
    for size, word in ((1e9, " billion"), (1e6, " million")):
        if abs(value) >= size:
            return f"{value / size:,.10g}{word}"
    return f"{value:,.10g}"


def counted(number: int, noun: str) -> str:
    """Put a number before a noun: "1 queen", "1,000 queens"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def caption(figure: Figure, text: str, left: float = 0.01) -> None:
    """Write what was drawn, n, seed, steps, small at the foot of a figure."""
    figure.supxlabel(text, x=left, ha="left", fontsize=8, color=SMALL_PRINT)
