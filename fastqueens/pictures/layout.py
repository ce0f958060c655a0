"""The layout of posters: the places of board and words on a sheet, and the sizes of type.

All places are on one grid, whose unit is a 500th of the shorter side. Sizes of type are fixed: long words shrink, and
short words never grow. Words stand below the board on an upright sheet, at the left of the board on a wide sheet, and
in one line below a smaller board on a square sheet.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from matplotlib.font_manager import FontProperties
from matplotlib.transforms import Bbox

from fastqueens._run.text import counted
from fastqueens.errors import InputError
from fastqueens.pictures.figure import BOLD, TEXT, TITLE, capitals, text_width, wrapped
from fastqueens.pictures.paper import MILLIMETRES_PER_INCH, Paper

# In units. The margin and the seventh of twelve columns; the sizes of type; from the lower edge of a board of an
# upright sheet to the baselines of the number, the noun, the statement and the colophon, and to the rule above it.
_BOARD, _MARGIN, _COLUMN = 500, 31.0, 265.5
_NUMBER, _NOUN, _STATEMENT, _COLOPHON = 64.0, 34.0, 11.2, 6.4
_NUMBER_AT, _NOUN_AT, _STATEMENT_AT, _RULE_AT, _COLOPHON_AT = 74.0, 110.0, 43.6, 144.0, 156.0
_STATEMENT_LINE, _COLOPHON_LINE, _TITLE_LINE = 15.2, 9.0, 35.0
_RULE = 0.35

#: The height of an upright sheet from which on the words have all their space, and the least one for them; the least
#: width of a wide sheet. Between them, sheets are laid out like square ones, with a board of this width.
_WHOLE, _UPRIGHT, _WIDE = 690.0, 612.0, 680.0
_SQUARE_BOARD, _SQUARE_LINE = 400.0, 30.0

#: The most lines of words below such a board, and the sizes of their type.
_IN_LINE = [(1, 18.0), (1, 14.0), (2, 12.0), (2, 10.0), (2, 8.0)]

#: Words keep at least this many units from the trim, and 5 mm.
_SAFE, _SAFE_MILLIMETRES = 12.5, 5.0

#: The colophon has at least 7 points, and is left out on smaller sheets.
_POINT = MILLIMETRES_PER_INCH / 72
_LEAST_COLOPHON = 7 * _POINT

#: The most lines of a title, and its sizes of type relative to the usual one: as written, and broken into lines.
_MOST_LINES, _SHRUNK, _SHRUNK_MORE = 3, (1.0, 0.85, 0.7), (1.0, 0.85, 0.7, 0.55, 0.4)


class Line(NamedTuple):
    """A line of text from (x, y) on its baseline; lengths are in millimetres from the lower left corner of the trim."""

    text: str
    x: float
    y: float
    size: float
    font: FontProperties = TEXT


class Words(NamedTuple):
    """The words of a poster.

    A title, if it is not None, replaces the number of queens. The first statement is emphasised. ``facts`` are the
    colophon without n. The ``gain`` of silk is stated even on sheets that are too small for a colophon.
    """

    n: int
    title: str | None
    statement: tuple[str, str]
    facts: str
    gain: str


def board_box(sheet: Paper, *, is_bled: bool) -> Bbox:
    """Return the place of the board; a board that ``is_bled`` reaches the edges, others keep the margin."""
    width, height = sheet.width / sheet.unit, sheet.height / sheet.unit
    margin = 0.0 if is_bled else _MARGIN
    side = _BOARD - 2 * margin
    if height >= _UPRIGHT:
        box = Bbox.from_bounds((width - side) / 2, height - margin - side, side, side)
    elif width >= _WIDE:
        box = Bbox.from_bounds(width - margin - side, (height - side) / 2, side, side)
    else:
        left, bottom = (width - _SQUARE_BOARD) / 2, (height - _SQUARE_BOARD) / 2
        box = Bbox.from_bounds(left, bottom, _SQUARE_BOARD, _SQUARE_BOARD)
    return Bbox(sheet.unit * box.get_points())


def arranged(sheet: Paper, words: Words) -> tuple[list[Line], list[Bbox]]:
    """Return the lines of words next to the board, and the rules between them."""
    unit, (width, height) = sheet.unit, (sheet.width / sheet.unit, sheet.height / sheet.unit)
    if height >= _UPRIGHT:
        scale = min(1.0, (height - _BOARD) / (_WHOLE - _BOARD))
        lines, rules = _Column(sheet, words, scale).upright(height - _BOARD)
    elif width >= _WIDE:
        lines, rules = _Column(sheet, words, 1.0).beside(width - _BOARD - 2 * _MARGIN)
    else:
        board = board_box(sheet, is_bled=False)
        lines, rules = _Column(sheet, words, 1.0).in_line(board.x0 / unit, board.y0 / unit), []
    lines = [line._replace(x=line.x * unit, y=line.y * unit, size=line.size * unit) for line in lines]
    return lines, [Bbox(unit * rule.get_points()) for rule in rules]


class _Column:
    """The words of a sheet in units, their sizes multiplied by ``scale``."""

    def __init__(self, sheet: Paper, words: Words, scale: float) -> None:
        self._words, self._scale = words, scale
        self._safe = max(_SAFE, _SAFE_MILLIMETRES / sheet.unit)
        least = _LEAST_COLOPHON / sheet.unit
        self._has_colophon = least <= _COLOPHON
        self._small = max(least, scale * _COLOPHON)

    def upright(self, top: float) -> tuple[list[Line], list[Bbox]]:
        """Return the words below a board, whose lower edge is at ``top``, in two columns."""
        scale, width = self._scale, _BOARD - _MARGIN - _COLUMN
        lines = list(self._heading(_MARGIN, top, width))
        at = top - scale * _STATEMENT_AT
        lines += self._statement(_COLUMN, at, width)
        small = self._colophon(width)
        # A long colophon begins higher.
        lowest = self._safe + max(0, len(small) - 1) * self._line
        at = max(top - scale * _COLOPHON_AT, lowest)
        if not small and not self._has_colophon:
            return lines, []
        lines += self._printed(small, _COLUMN, at)
        if self._has_colophon:
            lines.append(Line(self._n, _MARGIN, at, self._small, BOLD))
        rule = at + scale * (_COLOPHON_AT - _RULE_AT)
        return lines, [Bbox.from_extents(_MARGIN, rule, _BOARD - _MARGIN, rule + _RULE)]

    def beside(self, width: float) -> tuple[list[Line], list[Bbox]]:
        """Return the words at the left of a board: the statement at the top, and the others at the foot."""
        lines = self._statement(_MARGIN, _BOARD - _STATEMENT_AT, width)
        small = self._colophon(width)
        lowest = self._safe + (len(small) - (0 if self._has_colophon else 1)) * self._line
        foot = max(_WHOLE + 10 - _BOARD - _COLOPHON_AT, lowest)
        lines += self._heading(_MARGIN, foot + _COLOPHON_AT, width)
        if not small and not self._has_colophon:
            return lines, []
        if self._has_colophon:
            lines.append(Line(self._n, _MARGIN, foot, self._small, BOLD))
        lines += self._printed(small, _MARGIN, foot - (self._line if self._has_colophon else 0))
        rule = foot + _COLOPHON_AT - _RULE_AT
        return lines, [Bbox.from_extents(_MARGIN, rule, _MARGIN + width, rule + _RULE)]

    def in_line(self, x: float, bottom: float) -> list[Line]:
        """Return the words below the board of a square sheet: heading or title at the left, colophon at the right."""
        half, y = _SQUARE_BOARD / 2, max(bottom - _SQUARE_LINE, self._safe)
        text = f"{self._words.n:,} {self._noun}" if self._words.title is None else self._words.title
        broken, size = _fitting(text, half - _COLOPHON_LINE, _IN_LINE)
        more = (len(broken) - 1) * size
        first = max(y + 0.55 * more, self._safe + 1.15 * more)
        lines = [Line(line, x, first - 1.15 * down * size, size, TITLE) for down, line in enumerate(broken)]
        small = self._colophon(half)
        return lines + self._printed(small, x + half, y + (len(small) - 1) * self._line)

    @property
    def _line(self) -> float:
        return self._small * _COLOPHON_LINE / _COLOPHON

    @property
    def _n(self) -> str:
        return f"fastqueens, n = {self._words.n:,}"

    @property
    def _noun(self) -> str:
        return "queen" if self._words.n == 1 else "queens"

    def _heading(self, x: float, top: float, width: float) -> Iterator[Line]:
        """Yield the number and its noun, or the title, below a height."""
        scale = self._scale
        if self._words.title is None:
            number = f"{self._words.n:,}"
            size = _shrunk(number, scale * _NUMBER, width, TITLE)
            yield Line(number, x, top - scale * _NUMBER_AT, size, TITLE)
            yield Line(self._noun, x, top - scale * _NOUN_AT, min(scale, 1.2 * size / _NUMBER) * _NOUN, TITLE)
            return
        written = max(1, len(self._words.title.splitlines()))
        tried = [(written, size) for size in _SHRUNK if written <= _MOST_LINES]
        tried += [(_MOST_LINES, size) for size in _SHRUNK_MORE]
        broken, size = _fitting(self._words.title, width, [(most, size * scale * _NOUN) for most, size in tried])
        first = top - scale * _STATEMENT_AT - (size - scale * _STATEMENT) * 0.7
        for down, line in enumerate(broken):
            yield Line(line, x, first - down * size * _TITLE_LINE / _NOUN, size, TITLE)

    def _statement(self, x: float, y: float, width: float) -> list[Line]:
        size, found = self._scale * _STATEMENT, list[Line]()
        for text, font in zip(self._words.statement, (BOLD, TEXT), strict=True):
            for line in wrapped(text, width, capitals(size, font), font):
                found.append(Line(line, x, y - len(found) * self._scale * _STATEMENT_LINE, size, font))
        return found

    def _colophon(self, width: float) -> list[str]:
        facts = self._words.facts if self._has_colophon else self._words.gain
        return wrapped(facts, width, capitals(self._small, TEXT), TEXT)

    def _printed(self, texts: list[str], x: float, y: float) -> list[Line]:
        return [Line(text, x, y - number * self._line, self._small) for number, text in enumerate(texts)]


def _fitting(text: str, width: float, tried: list[tuple[int, float]]) -> tuple[list[str], float]:
    """Return the lines of a title and its size of type, from the first number of lines and size that fits.

    Words are broken only at the last size.
    """
    for most, size in tried:
        broken = wrapped(text, width, capitals(size, TITLE), TITLE)
        if len(broken) <= most and (" ".join(broken).split() == text.split() or size == tried[-1][1]):
            return broken, size
    raise InputError(
        f"the title is too long for this sheet: it must fit into {counted(tried[-1][0], 'line')}; shorten it"
    )


def _shrunk(text: str, size: float, width: float, font: FontProperties) -> float:
    """Return the size of type with which a text is at most this wide."""
    whole = text_width(text, capitals(size, font), font)
    return size * min(1.0, width / whole) if whole else size
