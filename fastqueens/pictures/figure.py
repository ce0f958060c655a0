"""The matplotlib figures that this package returns: made without pyplot, and shown by notebooks."""

from __future__ import annotations

import textwrap
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fastqueens.pictures.saving import figure_bytes
from fastqueens.pictures.style import SMALL_PRINT

# Dots per inch in a notebook.
_SCREEN_DPI = 100


class Picture(Figure):
    """A matplotlib figure that a notebook shows without pyplot."""

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """Return the figure as PNG and its width on the screen; it has twice as many pixels, for fine screens."""
        return figure_bytes(self, ".png", 2 * _SCREEN_DPI), {"width": round(self.get_figwidth() * _SCREEN_DPI)}

    def axes_at(self, left: float, bottom: float, width: float, height: float, **shared: Any) -> Axes:
        """Add axes at a place in inches: no layout engine moves them off the pixels, or makes room for their labels."""
        across, up = self.get_size_inches()
        return self.add_axes((left / across, bottom / up, width / across, height / up), **shared)


def new_figure(width: float = 8.0, height: float = 4.5) -> Picture:
    """Return an empty figure; sizes are in inches."""
    return Picture(figsize=(width, height), layout="constrained")


def caption(figure: Figure, text: str, left: float = 0.01, letters: int | None = None) -> None:
    """Write facts about the picture, for example n, seed and steps, in small print at its foot.

    With ``letters``, longer lines are wrapped.
    """
    text = text if letters is None else textwrap.fill(text, letters)
    figure.supxlabel(text, x=left, ha="left", fontsize=8, color=SMALL_PRINT)
