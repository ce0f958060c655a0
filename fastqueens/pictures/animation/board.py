"""The board of an animation: its queens, their attacks, and the queen that moves."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from matplotlib.transforms import Affine2D
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from fastqueens.check.violations import violating_queens
from fastqueens.core.board import Queens
from fastqueens.core.instance import Instance
from fastqueens.pictures.animation.shots import Move, Shot
from fastqueens.pictures.boards.queens import neighbours_on_lines
from fastqueens.pictures.diagonals import squares_of_diagonal
from fastqueens.pictures.style import ATTACK, BEST, BLOCKED, DARK_SQUARE, EXCLUDED, INK, LIGHT_SQUARE, PAPER, QUEEN

TOUCHED = "#8fbfdc"
SHADOW = "#6b594b"

#: Everything is drawn at this multiple of its size and reduced, which smooths edges.
SCALE = 2

Box: TypeAlias = tuple[int, int, int, int]


class BoardView:
    """Draws the board of one shot after another."""

    def __init__(self, n: int, side: int, origin: str, instance: Instance | None = None) -> None:
        self._n = n
        self._origin = origin
        self._instance = instance
        self._square = side * SCALE // n
        self._empty = self._empty_board(side * SCALE)
        self._queen = _queen_mask(self._square)
        # A lifted queen is nearer to the viewer.
        self._lifted = _queen_mask(round(1.2 * self._square))
        self._backdrop: tuple[tuple[int, int], Image.Image] | None = None

    def draw(self, shot: Shot) -> Image.Image:
        """Return the board of a shot in its final size."""
        move = shot.move
        if move is None or move.progress == 1.0:
            image = self._at_rest(shot.queens, move, np.arange(self._n))
        else:
            image = self._without(shot, move).copy()
            self._draw_lifted(image, move)
        return image.reduce(SCALE)

    def _empty_board(self, side: int) -> Image.Image:
        image = Image.new("RGB", (side, side), LIGHT_SQUARE)
        draw = ImageDraw.Draw(image)
        for column, height in np.argwhere(np.indices((self._n, self._n)).sum(axis=0) % 2 == 0).tolist():
            draw.rectangle(self._outline(column, self._n - 1 - height), fill=DARK_SQUARE)
        if self._instance is not None:
            self._draw_instance(draw, self._instance)
        return image

    def _draw_instance(self, draw: ImageDraw.ImageDraw, instance: Instance) -> None:
        """Fill blocked squares, draw a dash on each square of an excluded diagonal, and frame those of fixed queens."""
        for column, row in instance.blocked.tolist():
            draw.rectangle(self._outline(column, round(self._down(row))), fill=BLOCKED)
        width = max(2, self._square // 20)
        rising = self._origin == "upper"
        for numbers, slope, is_rising in (
            (instance.excluded_sums, -1, rising),
            (instance.excluded_differences, 1, not rising),
        ):
            for number in numbers.tolist():
                for column, row in squares_of_diagonal(self._n, number, slope):
                    self._draw_dash(draw, column, round(self._down(row)), is_rising, width)
        for column, row in instance.fixed.squares.tolist():
            draw.rectangle(self._outline(column, round(self._down(row))), outline=BEST, width=2 * width)

    def _draw_dash(self, draw: ImageDraw.ImageDraw, column: int, down: int, is_rising: bool, width: int) -> None:
        left, top, right, bottom = self._outline(column, down)
        gap = 0.15 * self._square
        ends = [(left + gap, top + gap), (right - gap, bottom - gap)]
        if is_rising:
            ends = [(left + gap, bottom - gap), (right - gap, top + gap)]
        draw.line(ends, fill=EXCLUDED, width=width)

    def _outline(self, column: int, down: int) -> Box:
        left, top = column * self._square, down * self._square
        return left, top, left + self._square - 1, top + self._square - 1

    def _down(self, row: float) -> float:
        """Return how many squares a row is below the top one."""
        return row if self._origin == "upper" else self._n - 1 - row

    def _at_rest(self, queens: Queens, move: Move | None, columns: NDArray[np.int64]) -> Image.Image:
        """Draw the queens of these columns, the attacks between them, and the two squares of a move."""
        image = self._empty.copy()
        draw = ImageDraw.Draw(image)
        if move is not None:
            for row in (move.before, move.after):
                draw.rectangle(self._outline(move.column, round(self._down(row))), fill=TOUCHED)
        self._draw_attacks(draw, queens, columns)
        violating = [] if self._instance is None else violating_queens(queens, self._instance).tolist()
        for column in columns.tolist():
            place = column * self._square, round(self._down(int(queens[column]))) * self._square
            image.paste(ATTACK if column in violating else INK, place, self._queen)
        return image

    def _draw_attacks(self, draw: ImageDraw.ImageDraw, queens: Queens, columns: NDArray[np.int64]) -> None:
        width = max(4, self._square // 14)
        ends = [
            [((column + 0.5) * self._square, (self._down(int(queens[column])) + 0.5) * self._square) for column in pair]
            for pair in neighbours_on_lines(queens, columns).tolist()
        ]
        for colour, line_width in ((PAPER, width + max(4, width)), (ATTACK, width)):
            for segment in ends:
                draw.line(segment, fill=colour, width=line_width)

    def _without(self, shot: Shot, move: Move) -> Image.Image:
        """Return the board without the moving queen, drawn once for all frames of a move."""
        key = shot.look, move.column
        if self._backdrop is None or self._backdrop[0] != key:
            others = np.delete(np.arange(self._n), move.column)
            self._backdrop = key, self._at_rest(shot.queens, move, others)
        return self._backdrop[1]

    def _draw_lifted(self, image: Image.Image, move: Move) -> None:
        eased = move.progress**2 * (3 - 2 * move.progress)
        row = move.before + (move.after - move.before) * eased
        left, top = move.column * self._square, self._down(row) * self._square
        shadow = [left + 0.15 * self._square, top + 0.82 * self._square, left + 0.85 * self._square, top + self._square]
        ImageDraw.Draw(image).ellipse(shadow, fill=SHADOW)
        spare = self._lifted.width - self._square
        image.paste(BEST, (left - spare // 2, round(top - spare)), self._lifted)


def _queen_mask(side: int) -> Image.Image:
    """Return a queen in a square, white on black with grey edges."""
    large = Image.new("L", (SCALE * side, SCALE * side), 0)
    draw = ImageDraw.Draw(large)
    # Pillow draws no curves.
    for polygon in QUEEN.transformed(Affine2D().scale(large.width)).to_polygons():
        draw.polygon([(x, large.height - y) for x, y in np.asarray(polygon).tolist()], fill=255)
    return large.reduce(SCALE)
