"""The words of a poster as shapes, and how they are broken into lines that fit.

No font is needed to show a poster. The size of a text is the height of its capital letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path as FilePath
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.font_manager import FontProperties, get_font
from matplotlib.path import Path
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Affine2D

from fastqueens.core.errors import InputError

_OURS = FilePath(__file__).parents[1] / "fonts"

#: The fonts: for titles, for all other text, and for what stands out in it. DejaVu Sans has the letters that they lack.
TITLE, TEXT, BOLD = (str(_OURS / f"{name}.ttf") for name in ("Fraunces-Regular", "Jost-Regular", "Jost-Medium"))
_SPARE = str(FilePath(mpl.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf"))

#: A text is broken into this many lines before it shrinks. It has fewer if its letters then keep this share of the
#: size that is wanted.
_MOST_LINES = 4
_LARGE_ENOUGH = 0.6


def wrapped(text: str, width: float, size: float, font: str = TEXT) -> list[str]:
    """Break a text at its line breaks, and between words into lines no wider than ``width``."""
    space, lines = _space(font) * size, []
    for paragraph in text.splitlines():
        end = np.inf
        for word in paragraph.split():
            length = text_width(word, size, font)
            end += space + length
            if end > width:
                lines.append(word)
                end = length
            else:
                lines[-1] += f" {word}"
    return lines


def fitted(text: str, width: float, most: float, font: str = TEXT) -> tuple[list[str], float]:
    """Return a text in few lines and large letters, no wider than ``width``, and their size, at most ``most``.

    >>> fitted("A Thousand Queens", 100.0, 20.0, TITLE)[0]
    ['A Thousand', 'Queens']
    """
    found = _broken(text, width, font)
    lines = next((lines for lines, size in found if size >= _LARGE_ENOUGH * most), found[-1][0])
    return lines, fitting_size(lines, width, most, font)


@lru_cache(maxsize=1024)
def _broken(text: str, width: float, font: str) -> list[tuple[list[str], float]]:
    """Return a text in one line and in more of them, as long as that makes its letters larger; and their sizes."""
    fewest = max(1, len([line for line in text.splitlines() if line.strip()]))
    found: list[tuple[list[str], float]] = []
    for most in range(fewest, max(fewest, _MOST_LINES) + 1):
        low, high = 0.0, width
        for _ in range(16):
            size = (low + high) / 2
            lines = wrapped(text, width, size, font)
            is_fitting = len(lines) <= most and all(text_width(word, size, font) <= width for word in text.split())
            low, high = (size, high) if is_fitting else (low, size)
        if not found or low > 1.01 * found[-1][1]:
            found.append((wrapped(text, width, low, font), low))
    return found


def fitting_size(lines: Sequence[str], width: float, most: float, font: str = TEXT) -> float:
    """Return the largest size, at most ``most``, at which no line is wider than ``width``."""
    widest = max((text_width(line, 1.0, font) for line in lines), default=0.0)
    return min(most, width / widest) if widest else most


def text_width(text: str, size: float, font: str = TEXT) -> float:
    """Return how wide a line is at a size."""
    return _outline(text, font)[1] * size / _capital(font)


def text_outline(text: str, size: float, font: str = TEXT) -> tuple[Path, float]:
    """Return a line of text as shapes that begin at (0, 0), and its width."""
    outline, width = _outline(text, font)
    scale = size / _capital(font)
    return outline.transformed(Affine2D().scale(scale)), scale * width


def check_text(text: str, name: str, font: str = TITLE) -> None:
    """Raise :class:`InputError` for the first character that neither the font nor its substitute has."""
    for character in text:
        if not _has(_SPARE, character) and not _has(font, character):
            names = " and ".join(get_font(file).family_name for file in (font, _SPARE))
            raise InputError(f"{name}: the fonts {names} have no character {character!r}")


def _has(font: str, character: str) -> bool:
    return bool(get_font(font).get_char_index(ord(character)))


@lru_cache(maxsize=4096)
def _outline(text: str, font: str) -> tuple[Path, float]:
    """Return a line of text as shapes that begin at (0, 0), and its width, in the font's own unit."""
    if not text.strip():
        return Path(np.empty((0, 2))), 0.0
    vertices, codes, pen = [], [], 0.0
    for is_there, characters in groupby(text, lambda character: _has(font, character)):
        run, file = "".join(characters), font if is_there else _SPARE
        points, kinds = _shapes(run, file)
        vertices.append(points + np.array([pen, 0.0]))
        codes.append(kinds)
        pen += _extent(*_shapes(f"|{run}|", file))[1] - _extent(*_shapes("||", file))[1]
    outline = np.concatenate(vertices), np.concatenate(codes)
    left, right = _extent(*outline)
    return Path(*outline).transformed(Affine2D().translate(-left, 0)), right - left


def _shapes(text: str, file: str) -> tuple[Any, Any]:
    """Return the points of a text that one font writes, (k, 2), and their kinds."""
    points, kinds = text_to_path.get_text_path(FontProperties(fname=file), text, ismath=False)
    return np.reshape(np.asarray(points, np.float64), (-1, 2)), np.asarray(kinds, np.uint8)


def _extent(points: Any, kinds: Any) -> tuple[float, float]:
    """Return where shapes begin and end.

    Corners and control points suffice, and are quick: in letters the outermost of them lie on the outline. The points
    at (0, 0) that close a shape do not count.
    """
    across = points[kinds != Path.CLOSEPOLY, 0]
    return float(across.min()), float(across.max())


@lru_cache
def _capital(font: str) -> float:
    return float(np.asarray(_outline("H", font)[0].vertices)[:, 1].max())


@lru_cache
def _space(font: str) -> float:
    """Return the widest space between two words, in capital heights."""
    return text_width("H H", 1.0, font) - 2 * text_width("H", 1.0, font)
