"""The layout of posters: the places of board and words on a sheet, and the sizes of type.

All places are on one grid, whose unit is a 500th of the shorter side. Sizes of type are fixed: long words take the
whole width or shrink, and short words never grow. Words stand below the board on an upright sheet, at the left of the
board on a wide sheet, and in two lines below a smaller board on a square sheet.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from matplotlib.font_manager import FontProperties
from matplotlib.transforms import Bbox

from fastqueens._run.text import counted
from fastqueens.errors import InputError
from fastqueens.pictures.figure import BOLD, TEXT, TITLE, balanced, capitals, check_title, text_width, wrapped
from fastqueens.pictures.paper import MILLIMETRES_PER_INCH, Paper

# In units. The margin and the seventh of twelve columns; the sizes of type; from the lower edge of a board of an
# upright sheet to the baselines of the number, the noun, the statement and the colophon, and to the rule above it.
_BOARD, _MARGIN, _COLUMN = 500, 31.0, 265.5
NUMBER, _NOUN, _STATEMENT, _COLOPHON = 64.0, 34.0, 11.2, 6.4
_NUMBER_AT, _NOUN_AT, _STATEMENT_AT, _RULE_AT, _COLOPHON_AT = 74.0, 110.0, 43.6, 144.0, 156.0
_STATEMENT_LINE, _COLOPHON_LINE = 15.2, 9.0
_RULE, _ABOVE_RULE, _ABOVE_COLOPHON = 0.35, 15.0, 37.5

#: The baseline of a large number. Below a number that takes the whole width, the statement begins next to the noun. It
#: keeps the last distance from a title above it.
_LARGE_NUMBER_AT, _BELOW_NUMBER, _BELOW_TITLE = 66.0, 99.0, 23.0

# Relative to the size of type: the height of a line of a title, the depth of letters below their line, the height of
# capital letters, and the width of a blank.
_TITLE_LINE, _DESCENT, _CAPITAL, _BLANK = 1.15, 0.25, 0.7, 0.28

#: The height of an upright sheet from which on the words have all their space, and the least one for them; the least
#: width of a wide sheet. Between them, sheets are laid out like square ones, with a board of this width, this far above
#: the middle. Then the baselines below it, the size of the statement, and the most lines of a heading and their sizes.
_WHOLE, _UPRIGHT, _WIDE = 690.0, 612.0, 680.0
_SQUARE_BOARD, _RAISED = 400.0, 12.0
_SQUARE_LINE, _SQUARE_STATEMENT_AT, _SQUARE_STATEMENT = 27.0, 47.0, 9.0
_IN_LINE = [(1, 18.0), (1, 14.0), (2, 11.0), (2, 9.0), (3, 7.0)]

#: Words keep at least this many units from the trim, and 5 mm.
_SAFE, _SAFE_MILLIMETRES = 12.5, 5.0

#: The colophon has at least 7 points, and is left out on smaller sheets.
_POINT = MILLIMETRES_PER_INCH / 72
_LEAST_COLOPHON = 7 * _POINT

#: The most lines of a title below a board and at its left.
_MOST_LINES, _MOST_BESIDE = 3, 5


class Line(NamedTuple):
    """A line of text from (x, y) on its baseline; lengths are in millimetres from the lower left corner of the trim."""

    text: str
    x: float
    y: float
    size: float
    font: FontProperties = TEXT


class Words(NamedTuple):
    """The words of a poster.

    A ``title``, if it is not None, replaces the number and its noun. The first statement is emphasised. ``name`` begins
    the colophon. The number is at most of this ``size``; a large one has space above the words.
    """

    number: str
    noun: str
    title: str | None
    statement: tuple[str, str]
    name: str
    facts: str
    size: float = NUMBER


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
        left, bottom = (width - _SQUARE_BOARD) / 2, (height - _SQUARE_BOARD) / 2 + _RAISED
        box = Bbox.from_bounds(left, bottom, _SQUARE_BOARD, _SQUARE_BOARD)
    return Bbox(sheet.unit * box.get_points())


def space_above(sheet: Paper, bottom: float) -> float:
    """Return the height between a drawing that ends at ``bottom`` and the baseline of the number, in units."""
    height = sheet.height / sheet.unit
    if height < _UPRIGHT:
        return _BOARD
    scale = min(1.0, (height - _BOARD) / (_WHOLE - _BOARD))
    return (bottom / sheet.unit - (height - _BOARD - scale * _LARGE_NUMBER_AT)) / scale


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
    """The words of a sheet in units, their sizes multiplied by ``scale``.

    Headings and statements have their depth below a height as y.
    """

    def __init__(self, sheet: Paper, words: Words, scale: float) -> None:
        self._words, self._scale = words, scale
        self._safe = max(_SAFE, _SAFE_MILLIMETRES / sheet.unit)
        least = _LEAST_COLOPHON / sheet.unit
        self._has_colophon = least <= _COLOPHON
        self._small = max(least, scale * _COLOPHON)
        self._line = self._small * _COLOPHON_LINE / _COLOPHON
        self._title = check_title(words.title)

    def upright(self, top: float) -> tuple[list[Line], list[Bbox]]:
        """Return the words below a board, whose lower edge is at ``top``, in two columns."""
        scale, width, whole = self._scale, _BOARD - _MARGIN - _COLUMN, _BOARD - 2 * _MARGIN
        small = self._colophon(width)
        lowest = self._safe + max(0, len(small) - 1) * self._line
        gap = scale * (_COLOPHON_AT - _RULE_AT + _ABOVE_RULE)
        for heading, at in self._headings(width, whole, _MOST_LINES):
            words = heading + self._statement(_COLUMN, at, width)
            if _foot(words) <= top - lowest - gap:
                break
        # A heading of several lines moves the rule down, and a long colophon moves it up.
        at = max(top - max(scale * _COLOPHON_AT, _foot(words) + gap), lowest)
        lines, rules = self._printed(small, _COLUMN, at, at, whole)
        return _below(top, words) + lines, rules

    def beside(self, width: float) -> tuple[list[Line], list[Bbox]]:
        """Return the words at the left of a board: the statement at the top, and the others at the foot."""
        small, (heading, _) = self._colophon(width), next(self._headings(width, width, _MOST_BESIDE))
        at = max(_WHOLE + 10 - _BOARD - _COLOPHON_AT, self._safe + len(small) * self._line)
        words = _below(_BOARD, self._statement(_MARGIN, _STATEMENT_AT, width))
        words += _below(at + _foot(heading) + _ABOVE_COLOPHON, heading)
        lines, rules = self._printed(small, _MARGIN, at, at - self._line, width)
        return words + lines, rules

    def in_line(self, x: float, bottom: float) -> list[Line]:
        """Return the words below the board of a square sheet: the heading, the colophon at its right, the statement."""
        words, half = self._words, _SQUARE_BOARD / 2
        text, font = (f"{words.number} {words.noun}", TITLE) if words.title is None else (words.title, self._title)
        broken, size, _ = next(_fitting(text, [(*tried, half - _COLOPHON_LINE) for tried in _IN_LINE], font))
        foot = max(bottom - _SQUARE_STATEMENT_AT, self._safe)
        y = max(bottom - _SQUARE_LINE, foot + _SQUARE_STATEMENT_AT - _SQUARE_LINE)
        lines = _below(y + (len(broken) - 1) * size * _TITLE_LINE * 0.48, _set(broken, x, 0.0, size, font))
        small = self._colophon(half)
        lines += self._lines(small, x + half, y + (len(small) - 1) * self._line)
        # One line of both parts of the statement, with a blank between them.
        parts = [(part, kind, text_width(part, capitals(1, kind), kind)) for part, kind in self._statements if part]
        size = min(_SQUARE_STATEMENT, _SQUARE_BOARD / (sum(width for *_, width in parts) + _BLANK))
        for part, kind, width in parts:
            lines.append(Line(part, x, foot, size, kind))
            x += (width + _BLANK) * size
        return lines

    @property
    def _statements(self) -> list[tuple[str, FontProperties]]:
        return list(zip(self._words.statement, (BOLD, TEXT), strict=True))

    def _headings(self, width: float, whole: float, most: int) -> Iterator[tuple[list[Line], float]]:
        """Yield headings in a column or of the ``whole`` width, larger ones first, and the depth of the statement."""
        scale, title = self._scale, self._words.title
        if title is None:
            yield from (self._number(width, across) for across in (whole, width))
            return
        written = min(most, max(1, len(title.splitlines())))
        tried = [(written, 1.0, width), (written, 0.85, width), (2, 1.0, width), (written, 0.7, width)]
        tried += [(2, share, whole) for share in (1.0, 0.85, 0.7)]
        tried += [(most, share, width) for share in (1.0, 0.85, 0.7, 0.55, 0.4)]
        tried = [(lines, scale * _NOUN * share, across) for lines, share, across in tried]
        for broken, size, across in _fitting(title, tried, self._title):
            first = scale * _STATEMENT_AT + (size - scale * _STATEMENT) * _CAPITAL
            lines = _set(broken, _MARGIN, first, size, self._title)
            is_wide = across > width and bool(lines)
            yield lines, lines[-1].y + scale * _BELOW_TITLE if is_wide else scale * _STATEMENT_AT

    def _number(self, width: float, whole: float) -> tuple[list[Line], float]:
        """Return the number and its noun, and the depth of the statement."""
        scale, words, is_large = self._scale, self._words, self._words.size > NUMBER
        natural = text_width(words.number, capitals(scale * words.size, TITLE), TITLE)
        is_wide = width < min(natural, whole) and not is_large
        size = scale * words.size * min(1.0, (whole if is_wide else width) / natural)
        at, largest = scale * (_LARGE_NUMBER_AT if is_large else _NUMBER_AT), _NOUN * min(scale, 1.2 * size / NUMBER)
        nouns, noun, _ = next(_fitting(words.noun, [(2, share * largest, whole) for share in (1.0, 0.8, 0.6)], TITLE))
        lines = [Line(words.number, _MARGIN, at, size, TITLE), *_set(nouns, _MARGIN, scale * _NOUN_AT, noun, TITLE)]
        if is_large:
            return lines, at - _CAPITAL * (size - scale * _STATEMENT)
        return lines, scale * (_BELOW_NUMBER if is_wide else _STATEMENT_AT)

    def _statement(self, x: float, y: float, width: float) -> list[Line]:
        """Return the statement from a depth, in lines of about the same length."""
        size, found = self._scale * _STATEMENT, list[Line]()
        for text, font in self._statements:
            for line in balanced(text, width, capitals(size, font), font):
                found.append(Line(line, x, y + len(found) * self._scale * _STATEMENT_LINE, size, font))
        return found

    def _colophon(self, width: float) -> list[str]:
        return wrapped(self._words.facts, width, capitals(self._small, TEXT), TEXT) if self._has_colophon else []

    def _printed(
        self, texts: list[str], x: float, y: float, first: float, width: float
    ) -> tuple[list[Line], list[Bbox]]:
        """Return the name at a height, the facts from x and a ``first`` line, and the rule above them."""
        if not self._has_colophon:
            return [], []
        rule = y + self._scale * (_COLOPHON_AT - _RULE_AT)
        lines = [Line(self._words.name, _MARGIN, y, self._small, BOLD), *self._lines(texts, x, first)]
        return lines, [Bbox.from_extents(_MARGIN, rule, _MARGIN + width, rule + _RULE)]

    def _lines(self, texts: list[str], x: float, y: float) -> list[Line]:
        return [Line(text, x, y - number * self._line, self._small) for number, text in enumerate(texts)]


def _set(texts: list[str], x: float, y: float, size: float, font: FontProperties) -> list[Line]:
    """Return the lines of a heading, the first at a depth."""
    return [Line(text, x, y + down * size * _TITLE_LINE, size, font) for down, text in enumerate(texts)]


def _foot(lines: list[Line]) -> float:
    """Return the depth of the lowest letters."""
    return max((line.y + _DESCENT * line.size for line in lines), default=0.0)


def _below(top: float, lines: list[Line]) -> list[Line]:
    """Return lines with a depth below a height as lines on a sheet."""
    return [line._replace(y=top - line.y) for line in lines]


def _fitting(
    text: str, tried: list[tuple[int, float, float]], font: FontProperties
) -> Iterator[tuple[list[str], float, float]]:
    """Yield the lines of a heading, their size and width for each number of lines, size and width that it fits.

    Words are broken only at the last size.
    """
    is_found = False
    for most, size, width in tried:
        lines = wrapped(text, width, capitals(size, font), font)
        is_whole = " ".join(lines).split() == text.split()
        if len(lines) <= most and (is_whole or size == tried[-1][1]):
            is_found = True
            yield lines, size, width
    if not is_found:
        limit = counted(tried[-1][0], "line")
        raise InputError(f"the title is too long for this sheet: it must fit into {limit}; shorten it")
