"""What a poster says, and the places of its words and of its board on the sheet.

Words are blocks: lines of one size, measured before anything is drawn. The board is as large as the words allow that
are below it or next to it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from matplotlib.font_manager import FontProperties, get_font

from fastqueens._run.text import counted
from fastqueens.board import Queens
from fastqueens.checking import attacking_pairs, violations
from fastqueens.densities import cells_for
from fastqueens.errors import InputError
from fastqueens.instance import Instance
from fastqueens.pictures.density import QUEENS_IN_CELL
from fastqueens.pictures.posters.sheet import Box, Line, Sheet
from fastqueens.pictures.squares import LARGEST_CHESSBOARD, LARGEST_WITH_DOTS, excluded_lines
from fastqueens.pictures.style import DEJAVU, FRAUNCES, TEXT, TITLE, large_number, text_width, wrapped

#: Attacking pairs are counted below this n; for larger boards it would take minutes.
_PAIRS_COUNTED_BELOW = 10**7

#: The least width of a grain in pixels with the space around it: for more queens a density is drawn, of at most this
#: many cells per side.
_PIXELS_PER_GRAIN = 2.0
_MOST_CELLS = 1000

#: With fewer pixels per square blocked squares and excluded diagonals are only counted in the caption.
_PIXELS_PER_MARK = 3

#: From this n on, and if n is a multiple of the second number, titles have words for large numbers.
_LARGE_NUMBER, _ROUND = 10**6, 10**5

#: The sizes of type in units, each 1.618 times the one before. The smallest has 7 points on A4.
_SMALL, _LARGE = 0.1, 0.1 * ((1 + 5**0.5) / 2) ** 2

#: From the board to the words, in units. In heights of capital letters: from one line to the next, in a title and in
#: all other text; and how far letters reach below their line.
_GUTTER = 0.7
_TITLE_LINE, _LINE = 1.5, 1.9
_DESCENT = 0.35

#: A title has at most this share of the height of the words, and this many lines; fewer if its letters then keep the
#: last share of the size.
_MOST_TITLE, _MOST_LINES, _LARGE_ENOUGH = 0.45, 4, 0.6

#: The subtitle has at most this share of the title, and usually the second share or the size in units.
_SUBTITLE, _USUAL_SUBTITLE = 0.5, (0.28, 1.618 * _LARGE)

#: Small print grows with its place if that is wider, in units.
_USUAL_WIDTH = 12

#: Words hang under the board if their place is this many times higher than wide; otherwise they end at the margin.
_LONG = 1.5

#: Squares of at least this many pixels are whole pixels.
_WHOLE_PIXELS = 10

#: The least size of a title, in units, and the least part of the sheet for the board, in percent: tried in turn.
_TRIALS = ((0.5, 70), (0.35, 55), (2 * _SMALL, 20))


@dataclass
class Subject:
    """A board, the words about it, and its instance.

    ``cells`` is the number of cells per side of a density, 0 if queens are drawn; ``shows_squares`` is set if squares
    are large enough for marks.
    """

    queens: Queens
    title: str
    subtitle: str
    caption: str
    is_solution: bool
    callbacks: dict[str, Any]
    instance: Instance | None = None
    cells: int = 0
    shows_squares: bool = True

    @property
    def n(self) -> int:
        """The number of queens."""
        return len(self.queens)

    def look_at(self, pixels: float) -> None:
        """Decide what can be drawn on a board of a width in pixels."""
        n = self.n
        if n > LARGEST_WITH_DOTS and pixels < _PIXELS_PER_GRAIN * n**0.5:
            self.cells = cells_for(n, QUEENS_IN_CELL, max(1, min(_MOST_CELLS, int(pixels / 2))))
        self.shows_squares = pixels >= _PIXELS_PER_MARK * n

    def notes(self) -> list[str]:
        """Return how to read the colours of a density, and what an instance asks for."""
        found = []
        if self.cells:
            each = f"about {self.n / self.cells**2:,.0f} queens each"
            found.append(
                f"{self.cells:,} × {self.cells:,} cells of {each}, coloured where they have more or fewer than an "
                "even share. Every queen is counted."
            )
        return [*found, *filter(None, [self._instance_note()])]

    def _instance_note(self) -> str:
        """Return what an instance asks for, what the board violates, and how that is drawn; "" if there is nothing."""
        instance = self.instance
        if instance is None or instance.is_free:
            return ""
        violated = violations(self.queens, instance).words
        sentences = [f"With {instance.constraints}.", f"Violated: {violated}." if violated else ""]
        if self.shows_squares:
            sentences.append("Filled squares are blocked." if len(instance.blocked) else "")
            sentences.append("Dashed diagonals are excluded." if len(excluded_lines(instance)) else "")
        elif instance.has_exclusions:
            sentences.append("Squares are too small to show which of them are blocked or on excluded diagonals.")
        return " ".join(filter(None, sentences))


def title_of(title: str | None, n: int) -> str:
    """Return a title without empty lines, None for the default; check that the fonts have all characters.

    >>> [title_of(None, n) for n in (1, 1000, 10_000_000)]
    ['1 Queen', '1,000 Queens', '10 Million Queens']
    """
    if title is None:
        is_round = n >= _LARGE_NUMBER and n % _ROUND == 0
        number = large_number(n).title() if is_round else f"{n:,}"
        return f"{number} {'Queen' if n == 1 else 'Queens'}"
    fonts = [get_font(file) for file in (FRAUNCES, DEJAVU)]
    lines = [" ".join(line.split()) for line in title.splitlines() if line.strip()]
    for character in "".join(lines):
        if not any(font.get_char_index(ord(character)) for font in fonts):
            names = " and ".join(font.family_name for font in fonts)
            raise InputError(f"title: the fonts {names} have no character {character!r}")
    return "\n".join(lines)


def subtitle_of(board: Queens, is_solution: bool, callbacks: dict[str, Any]) -> str:
    """Return whether queens attack each other, and how many pairs of them.

    >>> subtitle_of([1, 3, 0, 2], True, {})
    'No two share a row, a column or a diagonal.'
    """
    n = len(board)
    if n == 1:
        return "Alone on her board, she attacks nobody."
    if is_solution:
        return "No two share a row, a column or a diagonal."
    if n >= _PAIRS_COUNTED_BELOW:
        return "Some of them attack each other."
    pairs = attacking_pairs(board, **callbacks)
    text = "Two queens attack each other." if pairs == 1 else f"{pairs:,} pairs of queens attack each other."
    return f"{text} On so small a board, that cannot be avoided." if n <= 3 else text


def caption_of(n: int, *, titled: bool, seed: int | None, steps: int | None, sweeps: int = 0) -> str:
    """Return how a board was found: seed, steps and sweeps, and n if the title does not say it.

    >>> caption_of(1000, titled=True, seed=1, steps=60)
    'n = 1,000 · seed 1 · 60 steps'
    """
    facts = (
        f"n = {n:,}" if titled else "",
        "" if seed is None else f"seed {seed}",
        "" if steps is None else counted(steps, "step"),
        f"mixed for {counted(sweeps, 'sweep')}" if sweeps else "",
    )
    return " · ".join(filter(None, facts))


class Block(NamedTuple):
    """Lines of one size, and the space below them."""

    lines: list[str]
    size: float
    color: str
    font: FontProperties = TEXT
    below: float = 0.0

    @property
    def step(self) -> float:
        """From one line to the next."""
        return self.size * (_TITLE_LINE if self.font == TITLE else _LINE)

    @property
    def height(self) -> float:
        """From the capital letters of the first line to the tails of the last."""
        return (len(self.lines) - 1) * self.step + (1 + _DESCENT) * self.size


def _height(blocks: Sequence[Block]) -> float:
    """Return the height of blocks on top of each other, without the space below the last one."""
    blocks = [block for block in blocks if block.lines]
    return sum(block.height + block.below for block in blocks) - blocks[-1].below if blocks else 0.0


def _stacked(blocks: Sequence[Block], box: Box, *, at_bottom: bool = False) -> list[Line]:
    """Return the lines of blocks on top of each other, at the top or at the bottom of a box."""
    lines, top = [], box.bottom + _height(blocks) if at_bottom else box.top
    for block in (block for block in blocks if block.lines):
        for i, text in enumerate(block.lines):
            lines.append(Line(text, box.left, top - i * block.step - block.size, block.size, block.color, block.font))
        top -= block.height + block.below
    return lines


def places_of(sheet: Sheet, subject: Subject) -> tuple[Box, list[Line]]:
    """Return the places of the largest board next to which, or above which, all words fit, and of the words.

    Squares of a chessboard are whole pixels, unless they are small.
    """
    inside, gutter, n = sheet.inside, _GUTTER * sheet.unit, subject.n
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
                if min(words.width, words.height) > 0:
                    lines = _words(sheet, subject, words, is_below, least)
                    if lines is not None:
                        return board, lines
    raise InputError("the title is too long for this sheet: its letters would be smaller than the smallest print")


def _words(sheet: Sheet, subject: Subject, place: Box, is_below: bool, least: float) -> list[Line] | None:
    """Return the lines of the largest title that fits, of the subtitle and of the small print; None if none fits."""
    theme, unit = sheet.theme, sheet.unit
    small = _SMALL * max(unit, place.width / _USUAL_WIDTH)
    texts = [text for text in (*subject.notes(), subject.caption) if text]
    prints = [Block(wrapped(text, place.width, small), small, theme.faint, below=0.5 * small) for text in texts]
    most = _MOST_TITLE * place.height
    while most >= least * unit:
        lines, size = _fitted(subject.title, place.width, most, TITLE)
        usual = min(_SUBTITLE * size, max(_USUAL_SUBTITLE[0] * size, _USUAL_SUBTITLE[1] * unit))
        said, under = _fitted(subject.subtitle, place.width, usual, TEXT)
        title = Block(lines, size, theme.ink, TITLE, 0.3 * size + 0.1 * unit)
        blocks = [title, Block(said, under, theme.ink, below=0.3 * unit), *prints]
        if under >= 0.999 * small and size >= least * unit and _height(blocks) <= place.height:
            # Next to the board the title is at the top.
            head = 1 if not is_below else len(blocks) if place.height > _LONG * place.width else 0
            return [*_stacked(blocks[:head], place), *_stacked(blocks[head:], place, at_bottom=True)]
        most *= 0.94
    return None


def _fitted(text: str, width: float, most: float, font: FontProperties) -> tuple[list[str], float]:
    """Return a text in few lines and large letters, no wider than ``width``, and their size, at most ``most``.

    >>> _fitted("A Thousand Queens", 100.0, 20.0, TITLE)[0]
    ['A Thousand', 'Queens']
    """
    found = _broken(text, width, font)
    lines, size = next((each for each in found if each[1] >= _LARGE_ENOUGH * most), found[-1])
    return lines, min(most, size)


@lru_cache(maxsize=1024)
def _broken(text: str, width: float, font: FontProperties) -> list[tuple[list[str], float]]:
    """Return a text in one line and in more of them, without broken words, and the largest sizes of its letters."""
    if not text:
        return [([], math.inf)]
    fewest, found, words = text.count("\n") + 1, [], text.split()
    whole, widest = text_width(" ".join(words), 1.0, font), max(text_width(word, 1.0, font) for word in words)
    for count in range(fewest, max(fewest, _MOST_LINES) + 1):
        size = 0.999 * width / max(whole / count, widest, 1e-9)
        while len(lines := wrapped(text, width, size, font)) > count:
            size *= 0.95
        found.append((lines, width / max(1e-9, *(text_width(line, 1.0, font) for line in lines))))
    return found
