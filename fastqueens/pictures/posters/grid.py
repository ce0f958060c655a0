"""The grid that all posters share: one unit, one scale of type, and the places of the board and the words.

The unit is a tenth of the shorter side within the margins. The board is as large as fits, at the top of an upright
sheet and at the right of a wide one. The words begin at its left edge and end at the margin, and a title is as wide as
the board if it can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fastqueens.pictures.posters.board import LARGEST_CHESSBOARD
from fastqueens.pictures.posters.lettering import TEXT, TITLE, fitting_size, wrapped
from fastqueens.pictures.posters.sheet import Box, Sheet
from fastqueens.pictures.posters.subject import Subject, Theme
from fastqueens.pictures.posters.words import notes

#: The sizes of type in units, each 1.618 times the one before; the largest are for titles.
SMALL, MEDIUM, LARGE, FIGURE, _, HEADLINE, POSTER = (0.1 * ((1 + 5**0.5) / 2) ** step for step in range(7))

#: From the board to the words, and the least height of the words, in units.
_GUTTER = 0.8
_LEAST_WORDS = 3.2

#: A subtitle may shrink to this part of its size to fit into a line.
_SHRUNK = 0.75

#: From one line to the next in heights of capital letters: in a title, and in all other text.
_TITLE_LINE, LINE = 1.4, 1.9

#: How far letters reach below the line in heights of capital letters.
_DESCENT = 0.3

#: Space below a title in heights of its capital letters, for the tail of the Q; and below blocks of text in units.
_TAIL = 0.35
_BELOW = 0.3


class Grid(NamedTuple):
    """The places on a sheet."""

    unit: float
    board: Box
    words: Box
    is_upright: bool


def unit_of(sheet: Sheet) -> float:
    """Return the unit of a sheet in millimetres."""
    return min(sheet.inside.width, sheet.inside.height) / 10


def grid_of(sheet: Sheet, n: int) -> Grid:
    """Return the places for a board of n queens and for its words."""
    inside, unit = sheet.inside, unit_of(sheet)
    if inside.height >= inside.width:
        side = _whole_pixels(min(inside.width, inside.height - _LEAST_WORDS * unit), n, sheet)
        board = Box(inside.left + (inside.width - side) / 2, inside.top - side, side, side)
        words = Box(board.left, inside.bottom, side, board.bottom - _GUTTER * unit - inside.bottom)
        return Grid(unit, board, words, True)
    side = _whole_pixels(min(inside.height, inside.width - _LEAST_WORDS * unit), n, sheet)
    board = Box(inside.right - side, inside.bottom + (inside.height - side) / 2, side, side)
    words = Box(inside.left, board.bottom, board.left - _GUTTER * unit - inside.left, side)
    return Grid(unit, board, words, False)


def write_words(sheet: Sheet, subject: Subject, theme: Theme, grid: Grid) -> None:
    """Write the title, the subtitle and the small print.

    They end at the bottom of their place. On a wide sheet, the title begins at its top, with one word per line.
    """
    unit, box = grid.unit, grid.words
    small_print = [text for text in (*notes(subject), subject.caption) if text]
    y = box.bottom + _DESCENT * unit * (SMALL if small_print else LARGE)
    for text in reversed(small_print):
        y = write_up(sheet, wrapped(text, box.width, SMALL * unit), box.left, y, SMALL * unit, theme.faint)
        y += (LINE - 1) * SMALL * unit
    y += _BELOW * unit if small_print else 0.0
    # A subtitle that almost fits is not broken: its last word would be alone.
    size = fitting_size([subject.subtitle], box.width, LARGE * unit)
    size = size if size > _SHRUNK * LARGE * unit else LARGE * unit
    subtitle = wrapped(subject.subtitle, 1.001 * box.width, size)
    y = write_up(sheet, subtitle, box.left, y, size, theme.ink)
    y += _BELOW * unit if subtitle else 0.0
    lines = subject.title if grid.is_upright else " ".join(subject.title).split()
    height = 1 + _TITLE_LINE * max(0, len(lines) - 1)
    size = fitting_size(lines, box.width, min(POSTER * unit, (box.top - y) / (height + _TAIL)), TITLE)
    top = y + (height + _TAIL) * size if grid.is_upright else box.top
    for i, line in enumerate(lines):
        sheet.text(line, box.left, top - (1 + _TITLE_LINE * i) * size, size, theme.ink, font=TITLE)


def write_up(
    sheet: Sheet, lines: Sequence[str], x: float, y: float, size: float, color: str, font: str = TEXT
) -> float:
    """Write lines, the baseline of the last one at y; return the height of their upper edge, or y without lines."""
    for i, line in enumerate(reversed(lines)):
        sheet.text(line, x, y + LINE * i * size, size, color, font=font)
    return y + (1 + LINE * (len(lines) - 1)) * size if lines else y


def _whole_pixels(side: float, n: int, sheet: Sheet) -> float:
    """Reduce a side so that each square of a chessboard is a whole number of pixels, unless squares are small."""
    pixels = sheet.pixels(side) / n
    return side * int(pixels) / pixels if pixels >= 10 and n <= LARGEST_CHESSBOARD else side
