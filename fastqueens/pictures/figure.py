"""The matplotlib figures that this package returns: made without pyplot, and shown by notebooks."""

from __future__ import annotations

from matplotlib.figure import Figure

from fastqueens.pictures.saving import png_bytes
from fastqueens.pictures.style import SMALL_PRINT

# Dots per inch in a notebook.
_SCREEN_DPI = 100


class Picture(Figure):
    """A matplotlib figure that a notebook shows without pyplot."""

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """Return the figure as PNG and its width on the screen; it has twice as many pixels, for fine screens."""
        return png_bytes(self, 2 * _SCREEN_DPI), {"width": round(self.get_figwidth() * _SCREEN_DPI)}


def new_figure(width: float = 8.0, height: float = 4.5) -> Picture:
    """Return an empty figure; sizes are in inches."""
    return Picture(figsize=(width, height), layout="constrained")


def caption(figure: Figure, text: str, left: float = 0.01) -> None:
    """Write facts about the picture, for example n, seed and steps, in small print at its foot."""
    figure.supxlabel(text, x=left, ha="left", fontsize=8, color=SMALL_PRINT)
