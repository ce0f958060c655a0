"""The places of the board and of all words on a sheet.

Words are blocks: lines of one size, measured before anything is drawn. The board is as large as the words allow that
are below it or next to it. On a long upright sheet the words below the board are turned, and read upwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.errors import InputError
from fastqueens.pictures.posters.lettering import TEXT, TITLE, fitted, wrapped
from fastqueens.pictures.posters.sheet import Box, Line, Sheet
from fastqueens.pictures.posters.subject import LARGEST_CHESSBOARD, Subject, notes

Places = TypeVar("Places")

#: The sizes of type in units, each 1.618 times the one before. The smallest has 7 points on A4.
SMALL, _, LARGE, FIGURE = (0.1 * ((1 + 5**0.5) / 2) ** step for step in range(4))

#: From the board to the words, in units; from one line to the next in heights of capital letters, in a title and in all
#: other text; and how far letters reach below their line, in the same measure.
GUTTER = 0.7
TITLE_LINE, LINE = 1.4, 1.9
_DESCENT = 0.35

#: A title has at most this share of the height of the words, and at least twice the size of the subtitle.
_MOST_TITLE = 0.45
_SUBTITLE = 0.5

#: The subtitle has this share of the title or this size, whichever is larger, if it fits.
_USUAL_SUBTITLE = 0.28

#: Small print grows with its place if that is wider, in units.
_USUAL_WIDTH = 12

#: Words are turned if their place is this many times higher than wide.
_LONG = 1.5

#: Squares of at least this many pixels are whole pixels.
_WHOLE_PIXELS = 10

#: The least size of a title, in units, and the least part of the sheet for the board: what is tried in turn.
_TRIALS = ((0.5, 0.7), (0.35, 0.55), (2 * SMALL, 0.25))


class Block(NamedTuple):
    """Lines of one size, and the space below them; with ``across`` they are next to each other in equal columns."""

    lines: list[str]
    size: float
    color: str
    font: str = TEXT
    below: float = 0.0
    across: bool = False

    @property
    def step(self) -> float:
        """From one line to the next."""
        return self.size * (TITLE_LINE if self.font == TITLE else LINE)

    @property
    def height(self) -> float:
        """The height of the lines, from the capital letters of the first to the tails of the last."""
        rows = 1 if self.across else len(self.lines)
        return (rows - 1) * self.step + (1 + _DESCENT) * self.size if self.lines else 0.0


class Layout(NamedTuple):
    """Where the board is, and all lines of text; for a plot its place, and curves from 0 to 1 in both directions."""

    board: Box
    lines: list[Line]
    plot: Box | None = None
    curves: Sequence[NDArray[np.float64]] = ()


def height_of(blocks: Iterable[Block]) -> float:
    """Return the height of blocks on top of each other, without the space below the last one."""
    blocks = [block for block in blocks if block.lines]
    return sum(block.height + block.below for block in blocks) - blocks[-1].below if blocks else 0.0


def stacked(blocks: Iterable[Block], box: Box, gutter: float = 0.0) -> list[Line]:
    """Return the lines of blocks on top of each other, from the top of a box."""
    lines, top = [], box.top
    for block in blocks:
        step = (box.width + gutter) / max(1, len(block.lines))
        for i, text in enumerate(block.lines):
            x, y = (box.left + step * i, top) if block.across else (box.left, top - i * block.step)
            lines.append(Line(text, x, y - block.size, block.size, block.color, block.font))
        top -= block.height + block.below if block.lines else 0.0
    return lines


def at_bottom(blocks: Sequence[Block], box: Box) -> Box:
    """Return the part of a box that blocks need at its bottom."""
    return box._replace(height=height_of(blocks))


def largest_board(
    sheet: Sheet, n: int, trials: Sequence[tuple[float, float]], attempt: Callable[[float, float], Places | None]
) -> Places:
    """Return what ``attempt`` returns for the largest board that it accepts.

    It gets the side of a board and the first number of a trial; the second one is the least part of the sheet. Squares
    of a chessboard are whole pixels, unless they are small.
    """
    inside = sheet.inside
    for number, least in trials:
        for percent in range(100, int(100 * least) - 1, -2):
            side = percent / 100 * min(inside.width, inside.height)
            pixels = sheet.pixels(side) / n
            side *= int(pixels) / pixels if pixels >= _WHOLE_PIXELS and n <= LARGEST_CHESSBOARD else 1.0
            found = attempt(side, number)
            if found is not None:
                return found
    raise InputError("the title is too long for this sheet: its letters would be smaller than the smallest print")


def layout_of(sheet: Sheet, subject: Subject) -> Layout:
    """Return the places of the board, the title, the subtitle and the small print."""
    inside, gutter = sheet.inside, GUTTER * sheet.unit

    def attempt(side: float, least: float) -> Layout | None:
        left, bottom = inside.left + (inside.width - side) / 2, inside.bottom + (inside.height - side) / 2
        height, width = inside.height - side - gutter, inside.width - side - gutter
        for board, box, is_below in (
            (Box(left, inside.top - side, side, side), Box(left, inside.bottom, side, height), True),
            (Box(inside.right - side, bottom, side, side), Box(inside.left, bottom, width, side), False),
        ):
            is_turned = is_below and box.height > _LONG * box.width
            place = Box(0.0, 0.0, box.height, box.width) if is_turned else box
            blocks = _words(sheet, subject, place, least * sheet.unit)
            if blocks is None:
                continue
            head = place if is_turned or not is_below else at_bottom(blocks, place)
            lines = [*stacked(blocks[:1], head), *stacked(blocks[1:], at_bottom(blocks[1:], place))]
            if is_turned:
                lines = [line._replace(x=box.right - line.y, y=box.bottom + line.x, turned=True) for line in lines]
            return Layout(board, lines)
        return None

    return largest_board(sheet, subject.n, _TRIALS, attempt)


def _words(sheet: Sheet, subject: Subject, box: Box, least: float) -> list[Block] | None:
    """Return the title, the subtitle and the small print with the largest title that fits into a box."""
    theme, unit, small = sheet.theme, sheet.unit, SMALL * max(sheet.unit, box.width / _USUAL_WIDTH)
    if box.width <= 0 or box.height <= 0:
        return None
    texts = [text for text in (*notes(subject), subject.caption) if text]
    prints = [Block(wrapped(text, box.width, small), small, theme.faint, below=0.5 * small) for text in texts]
    most = _MOST_TITLE * box.height
    while most >= least:
        lines, size = fitted(subject.title, box.width, most, TITLE)
        usual = min(_SUBTITLE * size, max(1.618 * LARGE * unit, _USUAL_SUBTITLE * size))
        said, under = fitted(subject.subtitle, box.width, usual)
        title = Block(lines, size, theme.ink, TITLE, 0.3 * size + 0.1 * unit)
        blocks = [title, Block(said, under, theme.ink, below=0.3 * unit), *prints]
        if under >= 0.999 * small and (size >= least or not lines) and height_of(blocks) <= box.height:
            return blocks
        most *= 0.94
    return None
