"""The title of a poster: how large its lines are, and where they stand in the box of the words."""

from __future__ import annotations

from fastqueens.pictures.posters.lettering import fitting_size
from fastqueens.pictures.posters.sheet import Box, Sheet

#: From one line of a title to the next, in heights of capital letters.
_LINE = 1.45

#: How far letters reach below the line, in the same unit.
_DESCENT = 0.3


def write_title_at_top(sheet: Sheet, title: list[str], box: Box, most: float, color: str, font: str) -> None:
    """Write a title at the upper left of a box, its capital letters at most ``most`` high."""
    size = fitting_size(title, box.width, most, font)
    _write_lines(sheet, title, box.left, box.top - size, size, color, font)


def write_title_in_column(sheet: Sheet, title: list[str], box: Box, color: str, font: str) -> None:
    """Write a title with one word per line at the top of a column next to the board."""
    words = _words(title)
    write_title_at_top(sheet, words, box, 0.5 * box.height / max(1, _LINE * len(words)), color, font)


def write_title_in_middle(
    sheet: Sheet, title: list[str], box: Box, most: float, color: str, font: str, align: str = "left"
) -> None:
    """Write a title halfway up a box, its capital letters at most ``most`` high."""
    size = fitting_size(title, box.width, most, font)
    block = size * (1 + _LINE * (len(title) - 1))
    x = box.left + box.width / 2 if align == "center" else box.left
    _write_lines(sheet, title, x, box.bottom + (box.height + block) / 2 - size, size, color, font, align)


def write_title_at_bottom(sheet: Sheet, title: list[str], box: Box, color: str, font: str) -> None:
    """Write a title at the lower left of a box, with its own lines or one word per line, whichever can be larger."""
    fits = [
        (fitting_size(lines, box.width, box.height / (1 + _DESCENT + _LINE * max(0, len(lines) - 1)), font), lines)
        for lines in (title, _words(title))
    ]
    size, lines = max(fits, key=lambda fit: fit[0])
    _write_lines(sheet, lines, box.left, box.bottom + (_DESCENT + (len(lines) - 1) * _LINE) * size, size, color, font)


def _words(title: list[str]) -> list[str]:
    return [word for line in title for word in line.split()]


def _write_lines(
    sheet: Sheet, lines: list[str], x: float, y: float, size: float, color: str, font: str, align: str = "left"
) -> None:
    """Write lines, the baseline of the first one at y."""
    for line in lines:
        sheet.text(line, x, y, size, color, font=font, align=align)
        y -= _LINE * size
