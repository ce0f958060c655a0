"""Worksheets: puzzles for a class on pages of paper, with a line for the name, and the same pages with the answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from matplotlib.lines import Line2D

from fastqueens._run.text import counted
from fastqueens.board import Queens
from fastqueens.errors import InputError
from fastqueens.instance import Instance
from fastqueens.pictures.chessboard import Chessboard
from fastqueens.pictures.figure import BOLD, TEXT, TITLE, StyledFigure, house_style, type_lines
from fastqueens.pictures.palettes import PALETTES, theme_of
from fastqueens.pictures.paper import MILLIMETRES_PER_INCH, PAPERS, Paper
from fastqueens.pictures.roles import theme

#: Boards across and down a page, by their number.
GRIDS = {1: (1, 1), 4: (2, 2)}

# Lengths in millimetres on A4: the margin, the foot of the title, the first line of the task and what it needs, the
# room for the numbers at a board, the gap between boards, the room above each of several boards, and the name.
_MARGIN, _TITLE_FOOT, _TASK, _WORDS = 18.0, 27.0, 38.0, 54.0
_NUMBERS, _BETWEEN, _ABOVE, _NAME = 7.0, 10.0, 8.0, 80.0

# Sizes of type in points: of the title, of the task and the name, above each of several boards, and of numbers.
_TITLE_TYPE, _TASK_TYPE, _BOARD_TYPE, _NUMBER_TYPE = 26, 13, 12, 8


class DrawnPuzzle(Protocol):
    """The parts of a :class:`fastqueens.Puzzle` that a page shows."""

    @property
    def instance(self) -> Instance:
        """The fixed queens."""

    @property
    def solution(self) -> Queens | None:
        """The row of the queen in each column of a solution, or None if none is known."""

    @property
    def nodes(self) -> int | None:
        """The difficulty of a puzzle with exactly one solution, otherwise None."""


def worksheets(
    puzzles: Sequence[DrawnPuzzle], sheet: Paper, per_page: int, *, answers: bool, rows_from: int
) -> Iterator[StyledFigure]:
    """Yield pages with 1 or 4 puzzles each, in black and white; with ``answers``, given queens are framed."""
    for first in range(0, len(puzzles), per_page):
        with house_style(theme_of(PALETTES["linen"])):
            page = _Page(sheet, rows_from).drawn(first + 1, puzzles[first : first + per_page], per_page, answers)
        yield page


class _Page:
    """A page, whose places are in millimetres on A4 from the upper left corner."""

    def __init__(self, sheet: Paper, rows_from: int) -> None:
        self.rows_from = rows_from
        self.scale = min(sheet.width / PAPERS["A4"][0], sheet.height / PAPERS["A4"][1])
        self.width, self.height = sheet.width / self.scale, sheet.height / self.scale
        self.figure = StyledFigure(figsize=sheet.inches)

    def drawn(self, first: int, puzzles: Sequence[DrawnPuzzle], per_page: int, answers: bool) -> StyledFigure:
        """Draw puzzles, which are numbered from ``first`` on, and return the page."""
        noun, last = "Answer" if answers else "Puzzle", first + len(puzzles) - 1
        to = "" if last == first else f" and {last:,}" if last == first + 1 else f" to {last:,}"
        self._write(_MARGIN, _TITLE_FOOT, f"{noun}{'s' if to else ''} {first:,}{to}", _TITLE_TYPE, TITLE)
        if not answers:
            self._write_name()
        text = type_lines(_task(puzzles, answers), self._inches(self.width - 2 * _MARGIN), self.scale * _TASK_TYPE)
        self._write(_MARGIN, _TASK, text, _TASK_TYPE, va="top")
        (across, down), above = GRIDS[per_page], 0.0 if per_page == 1 else _ABOVE
        side = min(
            (self.width - 2 * _MARGIN - (across - 1) * _BETWEEN) / across - _NUMBERS,
            (self.height - _WORDS - _MARGIN - (down - 1) * _BETWEEN) / down - _NUMBERS - above,
        )
        indent = (self.width - across * (side + _NUMBERS) - (across - 1) * _BETWEEN) / 2 + _NUMBERS
        for at, puzzle in enumerate(puzzles):
            left = indent + at % across * (side + _NUMBERS + _BETWEEN)
            top = _WORDS + above + at // across * (side + _NUMBERS + above + _BETWEEN)
            if above:
                self._write(left, top - 2.5, f"{noun} {first + at:,}", _BOARD_TYPE, BOLD)
            self._draw_board(first + at, puzzle, left, top, side, answers)
        return self.figure

    def _inches(self, millimetres: float) -> float:
        return millimetres * self.scale / MILLIMETRES_PER_INCH

    def _write(self, x: float, y: float, text: str, size: float, font: Any = TEXT, **look: Any) -> None:
        place = x / self.width, 1 - y / self.height
        self.figure.text(*place, text, fontproperties=font, fontsize=self.scale * size, **look)

    def _write_name(self) -> None:
        left, right, y = self.width - _MARGIN - _NAME, self.width - _MARGIN, _TITLE_FOOT
        self._write(left - 2, y, "Name", _TASK_TYPE, ha="right")
        ends, height = [left / self.width, right / self.width], 1 - (y + 0.5) / self.height
        line = Line2D(ends, [height, height], color=theme().faint, linewidth=0.8, transform=self.figure.transFigure)
        self.figure.add_artist(line)

    def _draw_board(
        self, number: int, puzzle: DrawnPuzzle, left: float, top: float, side: float, answers: bool
    ) -> None:
        instance, inches = puzzle.instance, self._inches(side)
        axes = self.figure.axes_at(self._inches(left), self._inches(self.height - top - side), inches, inches)
        board, fixed = Chessboard(axes, instance.n, is_crowned=True), instance.fixed
        board.draw_exclusions(instance)
        if answers:
            if puzzle.solution is None:
                raise InputError(f"puzzle {number} has no known solution; answers need puzzles that have one")
            board.draw_frames(fixed.columns, fixed.rows)
            board.draw_queens(np.arange(instance.n), puzzle.solution)
        else:
            board.draw_queens(fixed.columns, fixed.rows)
        board.write_coordinates(self.rows_from)
        axes.tick_params(labelsize=self.scale * _NUMBER_TYPE)


def _task(puzzles: Sequence[DrawnPuzzle], answers: bool) -> str:
    """Return the task of a page, or what its answers show."""
    if answers:
        return "The given queens are framed."
    missing = puzzles[0].instance.free_columns
    what, it = (counted(missing, "more queen"), "There") if len(puzzles) == 1 else ("the missing queens", "Each puzzle")
    only = all(puzzle.nodes is not None for puzzle in puzzles)
    end = f" {it} {'is' if it == 'There' else 'has'} exactly one solution." if only else ""
    return f"Place {what} so that no queen attacks another.{end}"
