"""How wide text is, how it is broken into lines that fit, and its letters as shapes.

The size of a text is the height of its capital letters. No font is needed to show shapes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from matplotlib.font_manager import FontProperties, get_font
from matplotlib.path import Path
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Affine2D

from fastqueens.core.errors import InputError
from fastqueens.pictures.style import DEJAVU, FRAUNCES, TEXT_FAMILY, TITLE_FAMILY

#: The fonts: for titles of posters, for all other text, and for what stands out in it.
TITLE = FontProperties(family=TITLE_FAMILY)
TEXT, BOLD = (FontProperties(family=TEXT_FAMILY, weight=weight) for weight in (400, 700))

_POINTS_PER_INCH = 72

#: A text is broken into this many lines before it shrinks. It has fewer if its letters then keep this share of the
#: size that is wanted.
_MOST_LINES = 4
_LARGE_ENOUGH = 0.6


def wrapped(text: str, width: float, size: float, font: FontProperties = TEXT) -> list[str]:
    """Break a text at its line breaks, and between words into lines no wider than ``width``; wider words are broken."""
    space, lines = _space(font) * size, []
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


def capitals(points: float, font: FontProperties) -> float:
    """Return the height of capital letters of type of a size, in points."""
    return points * _capital(font) / text_to_path.FONT_SCALE


def fitted(text: str, width: float, most: float, font: FontProperties = TEXT) -> tuple[list[str], float]:
    """Return a text in few lines and large letters, no wider than ``width``, and their size, at most ``most``.

    >>> fitted("A Thousand Queens", 100.0, 20.0, TITLE)[0]
    ['A Thousand', 'Queens']
    """
    found = _broken(text, width, font)
    lines = next((lines for lines, size in found if size >= _LARGE_ENOUGH * most), found[-1][0])
    return lines, fitting_size(lines, width, most, font)


@lru_cache(maxsize=1024)
def _broken(text: str, width: float, font: FontProperties) -> list[tuple[list[str], float]]:
    """Return a text in one line and in more of them, as long as that makes its letters larger; and their sizes."""
    fewest = max(1, len([line for line in text.splitlines() if line.strip()]))
    found: list[tuple[list[str], float]] = []
    for most in range(fewest, max(fewest, _MOST_LINES) + 1):
        low, high = 0.0, width
        for _ in range(16):
            size = (low + high) / 2
            has_whole_words = fitting_size(text.split(), width, size, font) == size
            is_fitting = has_whole_words and len(wrapped(text, width, size, font)) <= most
            low, high = (size, high) if is_fitting else (low, size)
        if not found or low > 1.01 * found[-1][1]:
            found.append((wrapped(text, width, low, font), low))
    return found


def fitting_size(lines: Sequence[str], width: float, most: float, font: FontProperties = TEXT) -> float:
    """Return the largest size, at most ``most``, at which no line is wider than ``width``."""
    widest = max((text_width(line, 1.0, font) for line in lines), default=0.0)
    return min(most, width / widest) if widest else most


def text_width(text: str, size: float, font: FontProperties = TEXT) -> float:
    """Return how wide a line is at a size."""
    return _outline(text, font)[1] * size / _capital(font)


def text_outline(text: str, size: float, font: FontProperties = TEXT) -> tuple[Path, float]:
    """Return a line of text as shapes that begin at (0, 0), and its width."""
    (outline, width), scale = _outline(text, font), size / _capital(font)
    return outline.transformed(Affine2D().scale(scale)), scale * width


def check_text(text: str, name: str) -> None:
    """Raise :class:`InputError` for the first character that neither the font of titles nor its substitute has."""
    fonts = [get_font(file) for file in (FRAUNCES, DEJAVU[0])]
    for character in text:
        if not any(font.get_char_index(ord(character)) for font in fonts):
            names = " and ".join(font.family_name for font in fonts)
            raise InputError(f"{name}: the fonts {names} have no character {character!r}")


@lru_cache(maxsize=4096)
def _outline(text: str, font: FontProperties) -> tuple[Path, float]:
    """Return a line of text as shapes that begin at (0, 0), and its width, in the font's own unit."""
    points, kinds = text_to_path.get_text_path(font, text, ismath=False)
    if not len(kinds):  # blanks; in matplotlib 3.8, also characters that no font has
        return Path(np.empty((0, 2))), 0.0
    # Corners and control points suffice, and are quick: in letters the outermost of them lie on the outline. The points
    # at (0, 0) that close a shape do not count.
    across = np.asarray(points)[np.asarray(kinds) != Path.CLOSEPOLY, 0]
    left, right = float(across.min()), float(across.max())
    return Path(points, kinds).transformed(Affine2D().translate(-left, 0)), right - left


@lru_cache
def _capital(font: FontProperties) -> float:
    return float(np.asarray(_outline("H", font)[0].vertices)[:, 1].max())


@lru_cache
def _space(font: FontProperties) -> float:
    """Return the widest space between two words, in capital heights."""
    return text_width("H H", 1.0, font) - 2 * text_width("H", 1.0, font)
