"""The poster of all solutions of n queens: one column of small weaves for each fundamental solution."""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np
from matplotlib.transforms import Bbox

from fastqueens._run.text import counted
from fastqueens.board import Queens, as_queens
from fastqueens.errors import InputError
from fastqueens.exact.solutions import all_solutions
from fastqueens.pictures.figure import BOLD, TITLE, capitals, text_width
from fastqueens.pictures.layout import NUMBER, Line, Words, board_box, space_above
from fastqueens.pictures.palettes import Palette
from fastqueens.pictures.paper import PAPERS, Paper, paper
from fastqueens.pictures.poster_boards import write_words
from fastqueens.pictures.poster_weave import Weave
from fastqueens.pictures.sheet import Sheet

#: The numbers of queens whose solutions fit on a sheet.
SIZES = range(4, 11)

#: The least side of a board in millimetres, and the number of columns that can have two boards next to each other.
_LEAST, _FEW = 8.0, 2

# In distances of boards: the side of a board, the spaces between columns of two boards and below columns, and the type
# of their numbers; in units of the layout, the largest type.
_BOARD, _BETWEEN, _BELOW, _TYPE, _LARGEST_TYPE = 0.853, 0.3, 0.55, 0.3, 6.4

#: The largest type of the number of solutions, in units, and the space above it.
_TITLE, _ABOVE = 200.0, 40.0

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

#: The board of the first puzzle.
_PUZZLE = 8


class Orbits(NamedTuple):
    """All solutions of n queens: those that are turns and mirror images of each other are together, most first."""

    n: int
    orbits: list[list[Queens]]
    title: str | None

    @property
    def lengths(self) -> list[int]:
        """The number of boards in each column."""
        return [*map(len, self.orbits)]


class _Grid(NamedTuple):
    """The distance of boards in millimetres, the boards across a column, and the columns in a band."""

    pitch: float
    boards: int
    columns: int

    @property
    def step(self) -> float:
        """The distance of columns in millimetres."""
        return self.pitch * (self.boards + (_BETWEEN if self.boards > 1 else 0))

    def rows(self, count: int) -> int:
        """Return the rows of a column of so many boards."""
        return -(-count // self.boards)


def check_sheet(sheet: Paper, solutions: Orbits) -> None:
    """Raise :class:`InputError` if boards would be too small."""
    side, lengths = _grid(sheet, solutions.lengths).pitch * _BOARD, solutions.lengths
    if side < _LEAST:
        smaller = (name for name in reversed(PAPERS) if name.startswith("A"))
        fits = next(name for name in smaller if _grid(paper(name), lengths).pitch * _BOARD >= _LEAST)
        raise InputError(
            f"size is {sheet.name!r}: the {sum(lengths):,} boards of {solutions.n} queens would be {side:.1f} mm wide, "
            f"and at least {_LEAST:g} mm are needed; use {fits} or larger"
        )


def all_of(n: int, title: str | None, **parts: Any) -> Orbits:
    """Return all solutions of n queens, in the order of the first one of each orbit."""
    firsts = all_solutions(n, fundamental=True, **parts)
    return Orbits(n, sorted(map(orbit, firsts), key=len, reverse=True), title)


def orbit(queens: Queens) -> list[Queens]:
    """Return a board, its quarter turns, and their mirror images, without repetitions.

    >>> [board.tolist() for board in orbit(as_queens([1, 3, 0, 2]))]
    [[1, 3, 0, 2], [2, 0, 3, 1]]
    """
    found: list[Queens] = []
    for mirrored in (queens, queens[::-1]):
        turned = mirrored
        for _ in range(4):
            if not any(np.array_equal(turned, other) for other in found):
                found.append(turned)
            turned = as_queens(len(queens) - 1 - np.argsort(turned))
    return found


def draw_all(sheet: Sheet, solutions: Orbits, palette: Palette) -> str:
    """Draw the boards of all solutions in columns, and write the words; return the facts for the metadata."""
    box, orbits = board_box(sheet.paper, is_bled=False), solutions.orbits
    grid = _grid(sheet.paper, solutions.lengths)
    pitch, side = grid.pitch, grid.pitch * _BOARD
    size, bottom = min(_LARGEST_TYPE * sheet.paper.unit, _TYPE * pitch), box.y1 + _BELOW * pitch
    for first in range(0, len(orbits), grid.columns):
        band, top = orbits[first : first + grid.columns], bottom - _BELOW * pitch
        for column, boards in enumerate(band):
            left = box.x0 + column * grid.step
            for number, board in enumerate(boards):
                down, across = divmod(number, grid.boards)
                place = Bbox.from_bounds(left + across * pitch, top - down * pitch - side, side, side)
                Weave(sheet, board, palette, place, 0).draw(None)
            if len(orbits) > 1:
                text, below = f"{first + column + 1}", top - (grid.rows(len(boards)) - 1) * pitch - side
                x = left + ((grid.boards - 1) * pitch + side - text_width(text, capitals(size, BOLD), BOLD)) / 2
                sheet.write(Line(text, x, below - 1.4 * size, size, BOLD))
        bottom = top - grid.rows(max(map(len, band))) * pitch
    words = _words(solutions, space_above(sheet.paper, bottom) - _ABOVE)
    write_words(sheet, words)
    return words.facts


def _grid(sheet: Paper, lengths: list[int]) -> _Grid:
    """Return the grid of columns of these lengths with the largest boards, in one band or several."""
    box, count, found = board_box(sheet, is_bled=False), len(lengths), []
    for boards, bands in itertools.product((1, 2) if count <= _FEW else (1,), range(1, count + 1)):
        grid = _Grid(1.0, boards, -(-count // bands))
        across = (grid.columns - 1) * grid.step + boards - 1 + _BOARD
        longest = [max(lengths[first : first + grid.columns]) for first in range(0, count, grid.columns)]
        down = sum(map(grid.rows, longest)) - 1 + _BOARD + bands * _BELOW
        found.append(grid._replace(pitch=min(box.width / across, box.height / down)))
    return max(found, key=lambda grid: grid.pitch)


def _words(solutions: Orbits, space: float) -> Words:
    """Return the words of the poster, with a large number if there is so much space for its height, in units."""
    n, columns, count = solutions.n, len(solutions.orbits), sum(solutions.lengths)
    facts = f"{counted(columns, 'fundamental solution')}, {count} boards. Complete."
    noun, name = f"ways for {_WORDS[n]}\u00a0queens", f"fastqueens, n\u00a0=\u00a0{n}"
    size = min(_TITLE, max(NUMBER, space / capitals(1, TITLE)))
    return Words(f"{count}", noun, solutions.title, statement_of_all(n, columns), name, facts, size)


def statement_of_all(n: int, columns: int) -> tuple[str, str]:
    r"""Return the emphasised sentence and the others, for so many columns.

    >>> statement_of_all(7, 6)[1]
    'Each column is one solution, turned and mirrored. The shorter a column, the more symmetric its\xa0solution.'
    """
    first = f"Every board of {_WORDS[n]} queens at\u00a0peace."
    if n == _PUZZLE:
        first = "Every answer to the puzzle of\u00a01848."
    if columns == 1:
        return first, "They are one solution, turned and\u00a0mirrored."
    each = "Each column is one solution, turned and mirrored."
    return first, f"{each} The shorter a column, the more symmetric its\u00a0solution."
