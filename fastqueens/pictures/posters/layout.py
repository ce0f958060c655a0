"""The places of the board and of all words on a sheet.

Words are blocks: lines of one size, measured before anything is drawn. The board is as large as the words allow that
are below it or next to it. On a long upright sheet the words below the board are turned, and read upwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from matplotlib.font_manager import FontProperties

from fastqueens.core.errors import InputError
from fastqueens.pictures.lettering import TEXT, TITLE, fitted, wrapped
from fastqueens.pictures.posters.sheet import Box, Line, Sheet
from fastqueens.pictures.posters.subject import Subject, notes
from fastqueens.pictures.squares import LARGEST_CHESSBOARD

#: The sizes of type in units, each 1.618 times the one before. The smallest has 7 points on A4.
SMALL, _, LARGE, FIGURE = (0.1 * ((1 + 5**0.5) / 2) ** step for step in range(4))

#: From the board to the words, in units. In heights of capital letters: from one line to the next, in a title and in
#: all other text; and how far letters reach below their line. Between columns, as a share of the width of all.
GUTTER = 0.7
_TITLE_LINE, _LINE = 1.5, 1.9
_DESCENT = 0.35
COLUMN_GUTTER = 0.1

#: A title has at most this share of the height of the words.
_MOST_TITLE = 0.45

#: The subtitle has at most this share of the title, and usually the second share or the size in units.
_SUBTITLE, _USUAL_SUBTITLE = 0.5, (0.28, 1.618 * LARGE)

#: Small print grows with its place if that is wider, in units.
_USUAL_WIDTH = 12

#: Words below the board are turned if their place is this many times higher than wide.
_LONG = 1.5

#: Squares of at least this many pixels are whole pixels.
_WHOLE_PIXELS = 10

#: The least size of a title, in units, and the least part of the sheet for the board, in percent: tried in turn.
_TRIALS = ((0.5, 70), (0.35, 55), (2 * SMALL, 20))


class Block(NamedTuple):
    """Lines of one size, and the space below them; with ``across`` they are next to each other in equal columns."""

    lines: list[str]
    size: float
    color: str
    font: FontProperties = TEXT
    below: float = 0.0
    across: bool = False

    @property
    def step(self) -> float:
        """From one line to the next."""
        return self.size * (_TITLE_LINE if self.font == TITLE else _LINE)

    @property
    def height(self) -> float:
        """The height of the lines, from the capital letters of the first to the tails of the last."""
        return (0 if self.across else len(self.lines) - 1) * self.step + (1 + _DESCENT) * self.size


#: Finds places for all words in a box, which is below the board or next to it; the third argument is the least size of
#: a title in units. Returns lines of text, and a box for a plot.
Fill: TypeAlias = Callable[[Box, bool, float], tuple[list[Line], Box | None] | None]


def height_of(blocks: Sequence[Block]) -> float:
    """Return the height of blocks on top of each other, without the space below the last one."""
    blocks = [block for block in blocks if block.lines]
    return sum(block.height + block.below for block in blocks) - blocks[-1].below if blocks else 0.0


def stacked(blocks: Sequence[Block], box: Box, *, at_bottom: bool = False) -> list[Line]:
    """Return the lines of blocks on top of each other, at the top or at the bottom of a box."""
    lines, top = [], box.bottom + height_of(blocks) if at_bottom else box.top
    for block in (block for block in blocks if block.lines):
        for i, text in enumerate(block.lines):
            step = (1 + COLUMN_GUTTER) * box.width / len(block.lines)
            x, y = (box.left + step * i, top) if block.across else (box.left, top - i * block.step)
            lines.append(Line(text, x, y - block.size, block.size, block.color, block.font))
        top -= block.height + block.below
    return lines


def places_of(sheet: Sheet, n: int, fill: Fill) -> tuple[Box, list[Line], Box | None]:
    """Return the places of the board, of all words and of a plot, for the largest board with which ``fill`` finds them.

    Squares of a chessboard are whole pixels, unless they are small.
    """
    inside, gutter = sheet.inside, GUTTER * sheet.unit
    for least, least_percent in _TRIALS:
        for percent in range(100, least_percent - 1, -2):
            side = percent / 100 * min(inside.width, inside.height)
            pixels = sheet.pixels(side) / n
            side *= int(pixels) / pixels if pixels >= _WHOLE_PIXELS and n <= LARGEST_CHESSBOARD else 1.0
            left, bottom = inside.left + (inside.width - side) / 2, inside.bottom + (inside.height - side) / 2
            below = Box(left, inside.bottom, side, inside.height - side - gutter)
            beside = inside._replace(width=inside.width - side - gutter)
            above, right = Box(left, inside.top - side, side, side), Box(inside.right - side, bottom, side, side)
            for board, words, is_below in ((above, below, True), (right, beside, False)):
                found = fill(words, is_below, least) if min(words.width, words.height) > 0 else None
                if found is not None:
                    return board, *found
    raise InputError("the title is too long for this sheet: its letters would be smaller than the smallest print")


def words_of(sheet: Sheet, subject: Subject) -> Fill:
    """Return what finds places for the largest title that fits, the subtitle and the small print."""
    theme, unit = sheet.theme, sheet.unit
    texts = [text for text in (*notes(subject), subject.caption) if text]

    def fill(box: Box, is_below: bool, least: float) -> tuple[list[Line], None] | None:
        is_turned = is_below and box.height > _LONG * box.width
        place = Box(0.0, 0.0, box.height - GUTTER * unit, box.width) if is_turned else box
        small = SMALL * max(unit, place.width / _USUAL_WIDTH)
        prints = [Block(wrapped(text, place.width, small), small, theme.faint, below=0.5 * small) for text in texts]
        most = _MOST_TITLE * place.height
        while most >= least * unit:
            lines, size = fitted(subject.title, place.width, most, TITLE)
            usual = min(_SUBTITLE * size, max(_USUAL_SUBTITLE[0] * size, _USUAL_SUBTITLE[1] * unit))
            said, under = fitted(subject.subtitle, place.width, usual)
            title = Block(lines, size, theme.ink, TITLE, 0.3 * size + 0.1 * unit)
            blocks = [title, Block(said, under, theme.ink, below=0.3 * unit), *prints]
            if under >= 0.999 * small and size >= least * unit and height_of(blocks) <= place.height:
                # Next to the board the title is at the top.
                head = 0 if is_below and not is_turned else 1
                found = [*stacked(blocks[:head], place), *stacked(blocks[head:], place, at_bottom=True)]
                turned = [line._replace(x=box.right - line.y, y=box.bottom + line.x, turned=True) for line in found]
                return turned if is_turned else found, None
            most *= 0.94
        return None

    return fill
