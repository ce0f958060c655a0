"""The frames of an animation: the board next to the panel, in a palette that all frames share."""

from __future__ import annotations

import itertools
from typing import TypeAlias

from matplotlib.colors import to_rgb
from PIL import Image

from fastqueens.classroom.climbing import Climb
from fastqueens.pictures.animation.board import SHADOW, TOUCHED, BoardView, Box
from fastqueens.pictures.animation.panel import SOLVED, Panel
from fastqueens.pictures.animation.shots import Shot
from fastqueens.pictures.style import ATTACK, BEST, DARK_SQUARE, FAINT, GRID, INK, LIGHT_SQUARE, PAPER, SMALL_PRINT

_NAMES = {
    "steepest": "Steepest ascent",
    "sideways": "Sideways moves",
    "annealing": "Simulated annealing",
    "min-conflicts": "Min-conflicts",
}

# Two colours of the palette differ by more than this in some channel.
_FINEST = 12

Colour: TypeAlias = tuple[int, int, int]


class Stage:
    """Draws the frames of one climb, in order."""

    def __init__(self, climb: Climb, size: tuple[int, int], origin: str, title: str | None, stride: int) -> None:
        board_box, panel_box = _boxes(size, climb.n)
        self._size = size
        self._board_place, self._panel_place = board_box[:2], panel_box[:2]
        self._board = BoardView(climb.n, board_box[2] - board_box[0], origin)
        panel_size = panel_box[2] - panel_box[0], panel_box[3] - panel_box[1]
        self._panel = Panel(climb, panel_size, title or _NAMES[climb.rule], stride)
        self._palette = shared_palette()

    def frame(self, shot: Shot) -> Image.Image:
        """Return the picture of a shot in the shared palette."""
        image = Image.new("RGB", self._size, PAPER)
        image.paste(self._board.draw(shot), self._board_place)
        image.paste(self._panel.draw(shot), self._panel_place)
        return image.quantize(palette=self._palette, dither=Image.Dither.NONE)


def _boxes(size: tuple[int, int], n: int) -> tuple[Box, Box]:
    """Return where the board and the panel go: side by side, or the panel below on a tall picture."""
    width, height = size
    margin = min(size) // 20
    is_tall = height >= width
    room = min(min(size), max(size) * 3 // 5) - 2 * margin
    side = max(1, room // n) * n
    if is_tall:
        left = (width - side) // 2
        board = left, margin, left + side, margin + side
        edge = min(left, 2 * margin)
        return board, (edge, board[3] + margin, width - edge, height - margin)
    top = (height - side) // 2
    board = margin, top, margin + side, top + side
    return board, (board[2] + margin, top, width - margin, board[3])


def shared_palette() -> Image.Image:
    """Return a palette of all colours that are drawn, with some blends of two for the edges of shapes."""
    beneath = (LIGHT_SQUARE, DARK_SQUARE, PAPER, TOUCHED, ATTACK, SHADOW)
    above = (INK, ATTACK, BEST, PAPER, FAINT, SMALL_PRINT, SOLVED, GRID, SHADOW)
    colours = {_mixed(colour, colour, 0) for colour in (*beneath, *above)}
    for one, other in itertools.product(beneath, above):
        between = [_mixed(one, other, share) for share in (0.2, 0.4, 0.6, 0.8)]
        # Pillow finds a near colour, not the nearest: a colour close to paper would replace it.
        colours.update(colour for colour in between if min(_apart(colour, known) for known in colours) > _FINEST)
    palette = Image.new("P", (1, 1))
    palette.putpalette([channel for colour in sorted(colours) for channel in colour])
    return palette


def _apart(one: Colour, other: Colour) -> int:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def _mixed(one: str, other: str, share: float) -> Colour:
    """Return a blend of two colours in Pillow's format."""
    red, green, blue = (
        round(255 * ((1 - share) * a + share * b)) for a, b in zip(to_rgb(one), to_rgb(other), strict=True)
    )
    return red, green, blue
