"""Text as shapes: its outline, its width and the size that fits.

Shapes can be measured, and need no font on the machine that shows them. The size of a text is the height of its
capital letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path as FilePath

import matplotlib as mpl
import numpy as np
from matplotlib.font_manager import FontProperties, get_font
from matplotlib.path import Path
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Affine2D

from fastqueens.core.errors import InputError

BOLD, LIGHT, MONO = "DejaVuSans-Bold", "DejaVuSans", "DejaVuSansMono-Bold"

_FONTS = FilePath(mpl.get_data_path(), "fonts", "ttf")


def text_width(text: str, size: float, font: str = LIGHT) -> float:
    """Return how wide a line is at a size."""
    return _outline(text, font)[1] * size / _capital(font)


def fitting_size(lines: Sequence[str], width: float, most: float, font: str = LIGHT) -> float:
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


def check_text(text: str, name: str) -> None:
    """Raise :class:`InputError` for the first character that the font does not have."""
    face = get_font(str(_FONTS / f"{LIGHT}.ttf"))
    for character in text:
        if not face.get_char_index(ord(character)):
            raise InputError(f"{name}: the font {face.family_name} has no character {character!r}")


def text_outline(text: str, size: float, font: str = LIGHT) -> tuple[Path, float]:
    """Return a line of text as shapes that begin at (0, 0), and its width."""
    outline, width = _outline(text, font)
    scale = size / _capital(font)
    return outline.transformed(Affine2D().scale(scale)), scale * width


@lru_cache(maxsize=1024)
def _outline(text: str, font: str) -> tuple[Path, float]:
    """Return a line of text as shapes that begin at (0, 0), and its width, in the font's own unit."""
    if not text.strip():
        return Path(np.empty((0, 2))), 0.0
    properties = FontProperties(fname=str(_FONTS / f"{font}.ttf"))
    vertices, codes = text_to_path.get_text_path(properties, text, ismath=False)
    outline = Path(vertices, codes)
    # Corners and control points suffice, and are quick: in letters the outermost of them lie on the outline.
    # The points at (0, 0) that close a shape do not count.
    across = np.asarray(vertices)[np.asarray(codes) != Path.CLOSEPOLY, 0]
    left, right = float(across.min()), float(across.max())
    return outline.transformed(Affine2D().translate(-left, 0)), right - left


@lru_cache
def _capital(font: str) -> float:
    return float(np.asarray(_outline("H", font)[0].vertices)[:, 1].max())
