"""The frames of an animation: the plan of what each shows and for how long, the board, and the panel next to it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from matplotlib.transforms import Affine2D
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from fastqueens.check.violations import violating_queens
from fastqueens.classroom.climbing import Climb, Look
from fastqueens.core.board import Queens
from fastqueens.core.errors import counted
from fastqueens.core.instance import Instance
from fastqueens.pictures.squares import dark_squares, marked_squares, neighbours_on_lines
from fastqueens.pictures.style import BOLD, QUEEN, capitals, font_file, theme, wrapped

# Milliseconds, in whole hundredths of a second as in GIF; the first and last looks are shorter if time is short.
_FRAME = 40
_QUICK_LOOK = 100
_FIRST_LOOK = 800
_LAST_LOOK = 2600

# The frames of a move, the last of them at rest. With fewer than the least, queens jump.
_MOST_FRAMES = 20
_LEAST_FRAMES = 4
_RESTART_FRAMES = 8

#: Everything is drawn at this multiple of its size and reduced, which smooths edges.
SCALE = 2

Box: TypeAlias = tuple[int, int, int, int]


class Move(NamedTuple):
    """A queen on its way: its column, its row before and after, and its progress from 0 to 1."""

    column: int
    before: int
    after: int
    progress: float


class Shot(NamedTuple):
    """A frame: the board, the look that it shows or follows, its duration, and the queen that moves, if any."""

    queens: Queens
    look: int
    duration: int
    move: Move | None = None
    is_last: bool = False


def plan_shots(climb: Climb, milliseconds: int) -> Iterator[Shot]:
    """Yield the frames of a climb, which together last at most ``milliseconds``."""
    looks = list(climb.looks())
    first_look = min(_FIRST_LOOK, milliseconds // 100 * 10)
    last_look = min(_LAST_LOOK, milliseconds // 40 * 10)
    yield Shot(looks[0].queens, 0, first_look)
    moved = [None if look.move is None else Move(*look.move, 1.0) for look in looks[1:]]
    budget = (milliseconds - first_look - last_look) // _FRAME
    moves = sum(move is not None for move in moved)
    others = [look for look, move in zip(looks[1:], moved, strict=True) if move is None]
    spared = sum(_RESTART_FRAMES if look.is_start else 1 for look in others)
    frames = min(_MOST_FRAMES, (budget - spared) // max(1, moves))
    if frames >= _LEAST_FRAMES:
        yield from _glides(looks, moved, frames)
    else:
        yield from _jumps(looks, moved, budget * _FRAME)
    yield Shot(climb.queens, len(looks) - 1, last_look, is_last=True)


def stride(shots: list[Shot]) -> int:
    """Return the largest number of steps between two frames."""
    return max((after.look - before.look for before, after in itertools.pairwise(shots)), default=1)


def _glides(looks: list[Look], moved: list[Move | None], frames: int) -> Iterator[Shot]:
    """Yield ``frames`` frames for each move, the last third of them at rest."""
    under_way = max(2, 2 * frames // 3)
    for index, (look, move) in enumerate(zip(looks[1:], moved, strict=True), 1):
        if move is None:
            yield Shot(look.queens, index, _FRAME * (_RESTART_FRAMES if look.is_start else 1))
            continue
        for frame in range(under_way):
            yield Shot(looks[index - 1].queens, index - 1, _FRAME, move._replace(progress=frame / under_way))
        yield Shot(look.queens, index, _FRAME * (frames - under_way), move)


def _jumps(looks: list[Look], moved: list[Move | None], milliseconds: int) -> Iterator[Shot]:
    """Yield board after board, only every k-th if there are too many."""
    stride = -(-(len(looks) - 1) // (milliseconds // _QUICK_LOOK))
    for index in range(stride, len(looks), stride):
        yield Shot(looks[index].queens, index, _QUICK_LOOK, moved[index - 1] if stride == 1 else None)


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
        self._backdrop = (-1, -1), self._empty

    def draw(self, shot: Shot) -> Image.Image:
        """Return the board of a shot in its final size."""
        move = shot.move
        if move is None or move.progress == 1.0:
            image = self._at_rest(shot.queens, move, np.arange(self._n))
        else:
            # The board without the moving queen is drawn once for all frames of a move.
            if self._backdrop[0] != (shot.look, move.column):
                others = np.delete(np.arange(self._n), move.column)
                self._backdrop = (shot.look, move.column), self._at_rest(shot.queens, move, others)
            image = self._backdrop[1].copy()
            self._draw_lifted(image, move)
        return image.reduce(SCALE)

    def _empty_board(self, side: int) -> Image.Image:
        image = Image.new("RGB", (side, side), theme().light_square)
        draw = ImageDraw.Draw(image)
        for column, height in dark_squares(self._n).tolist():
            row = height if self._origin == "lower" else self._n - 1 - height
            draw.rectangle(self._outline(column, row), fill=theme().dark_square)
        if self._instance is not None:
            self._draw_instance(draw, self._instance)
        return image

    def _draw_instance(self, draw: ImageDraw.ImageDraw, instance: Instance) -> None:
        """Fill blocked squares, draw a dash on each square of an excluded diagonal, and frame those of fixed queens."""
        width, gap = max(2, self._square // 20), 0.15 * self._square
        for role, column, row in marked_squares(instance, self._origin):
            left, top, right, bottom = outline = self._outline(column, row)
            if role == "blocked":
                draw.rectangle(outline, fill=theme().blocked)
            elif role == "fixed":
                draw.rectangle(outline, outline=theme().best, width=2 * width)
            else:
                first, last = (bottom - gap, top + gap) if role == "rising" else (top + gap, bottom - gap)
                draw.line([(left + gap, first), (right - gap, last)], fill=theme().excluded, width=width)

    def _outline(self, column: int, row: int) -> Box:
        """Return the edges of a square."""
        left, top = column * self._square, round(self._down(row)) * self._square
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
                draw.rectangle(self._outline(move.column, row), fill=theme().touched)
        self._draw_attacks(draw, queens, columns)
        violating = [] if self._instance is None else violating_queens(queens, self._instance).tolist()
        for column in columns.tolist():
            place = self._outline(column, int(queens[column]))[:2]
            image.paste(theme().attack if column in violating else theme().ink, place, self._queen)
        return image

    def _draw_attacks(self, draw: ImageDraw.ImageDraw, queens: Queens, columns: NDArray[np.int64]) -> None:
        width = max(4, self._square // 14)
        ends = [
            [((column + 0.5) * self._square, (self._down(int(queens[column])) + 0.5) * self._square) for column in pair]
            for pair in neighbours_on_lines(queens, columns).tolist()
        ]
        for colour, line_width in ((theme().paper, width + max(4, width)), (theme().attack, width)):
            for segment in ends:
                draw.line(segment, fill=colour, width=line_width)

    def _draw_lifted(self, image: Image.Image, move: Move) -> None:
        eased = move.progress**2 * (3 - 2 * move.progress)
        row = move.before + (move.after - move.before) * eased
        left, top = move.column * self._square, self._down(row) * self._square
        shadow = [left + 0.15 * self._square, top + 0.82 * self._square, left + 0.85 * self._square, top + self._square]
        ImageDraw.Draw(image).ellipse(shadow, fill=theme().shadow)
        spare = self._lifted.width - self._square
        image.paste(theme().best, (left - spare // 2, max(0, round(top - spare))), self._lifted)


def _queen_mask(side: int) -> Image.Image:
    """Return a queen in a square, white on black with grey edges."""
    large = Image.new("L", (SCALE * side, SCALE * side), 0)
    draw = ImageDraw.Draw(large)
    # Pillow draws no curves.
    for polygon in QUEEN.transformed(Affine2D().scale(large.width)).to_polygons():
        draw.polygon([(x, large.height - y) for x, y in np.asarray(polygon).tolist()], fill=255)
    return large.reduce(SCALE)


class Panel:
    """Draws the panel of one shot after another; the curve grows to the right."""

    def __init__(self, climb: Climb, size: tuple[int, int], title: str, stride: int) -> None:
        self._climb = climb
        self._width, self._height = (SCALE * side for side in size)
        self._is_wide = size[0] > size[1]
        # The unit of all lengths, chosen so that words fit.
        high, wide = (75, 125) if self._is_wide else (100, 70)
        self._unit = min(self._height / high, self._width / wide)
        looks = list(climb.looks())
        self._costs = [look.cost for look in looks]
        self._most = max(self._costs)
        self._steps = [look.step for look in looks]
        self._restarts = [index for index, look in enumerate(looks) if look.is_start and index > 0]
        self._image = Image.new("RGB", (self._width, self._height), theme().paper)
        self._draw = ImageDraw.Draw(self._image)
        self._drawn = 0
        self._write_heading(title, stride)
        self._draw_axes()

    def draw(self, shot: Shot) -> Image.Image:
        """Return the panel of a shot in its final size."""
        self._draw_curve(shot.look)
        image = self._image.copy()
        self._draw_now(ImageDraw.Draw(image), shot)
        return image.reduce(SCALE)

    def _write_heading(self, title: str, stride: int) -> None:
        climb = self._climb
        words = [counted(climb.n, "queen"), f"seed {climb.seed}"]
        if stride > 1:
            words.append(f"1 in {stride} steps shown")
        share = 0.5 if self._is_wide else 1.0
        lines = wrapped(title, share * self._width, capitals(4 * self._unit, BOLD), BOLD)
        lines[1:] = [line + "…" * (len(lines) > 2) for line in lines[1:2]]
        size = 6.4 if len(lines) == 1 else 4.0
        for at, line in enumerate(lines):
            self._write(self._draw, (0, at * 1.1 * size * self._unit), line, size, bold=True, share=share)
        below = 0, (8 + len(lines)) * self._unit
        self._write(self._draw, below, ", ".join(words), 3.8, fill=theme().small_print, share=share)

    def _draw_axes(self) -> None:
        unit = self._unit
        left, top, right, bottom = self._plot
        for cost in {0, self._most}:
            y = self._point(0, cost)[1]
            self._draw.line([(left, y), (right, y)], fill=theme().grid if cost else theme().faint, width=SCALE)
            self._write(self._draw, (left - 3 * unit, y), f"{cost:,}", 3.2, fill=theme().small_print, anchor="rm")
        for index in self._restarts:
            x = self._point(index, 0)[0]
            self._draw.line([(x, top), (x, bottom)], fill=theme().grid, width=SCALE)
        below = bottom + 2 * unit
        self._write(self._draw, (left, below), "0", 3.2, fill=theme().small_print, anchor="lt")
        self._write(
            self._draw, (right, below), counted(self._steps[-1], "step"), 3.2, fill=theme().small_print, anchor="rt"
        )

    @property
    def _plot(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the curve's box."""
        top = 22 if self._is_wide else 38
        # The dot at the end of the curve needs space at the right.
        return 10 * self._unit, top * self._unit, self._width - 2 * self._unit, self._height - 21 * self._unit

    def _point(self, index: int, cost: int) -> tuple[float, float]:
        left, top, right, bottom = self._plot
        across = index / max(1, len(self._costs) - 1)
        return left + across * (right - left), bottom - cost / max(1, self._most) * (bottom - top)

    def _draw_curve(self, index: int) -> None:
        points = [self._point(i, self._costs[i]) for i in range(self._drawn, index + 1)]
        if len(points) > 1:
            self._draw.line(points, fill=theme().best, width=round(0.8 * self._unit), joint="curve")
        self._drawn = index

    def _draw_now(self, draw: ImageDraw.ImageDraw, shot: Shot) -> None:
        """Draw what belongs to one shot: the cost as a number, the end of the curve, and the verdict at the end."""
        unit = self._unit
        x, y = self._point(shot.look, self._costs[shot.look])
        draw.ellipse([x - 1.4 * unit, y - 1.4 * unit, x + 1.4 * unit, y + 1.4 * unit], fill=theme().best)
        cost = self._climb.cost if shot.is_last else self._costs[shot.look]
        left, top = (0.56 * self._width, 0.0) if self._is_wide else (0.0, 17 * unit)
        width = self._write(
            draw, (left, top), f"{cost:,}", 15, fill=theme().attack if cost else theme().solved, bold=True
        )
        right = left + width + 3 * unit
        noun = "attacking pair" if cost == 1 else "attacking pairs"
        self._write(draw, (right, top + 2.5 * unit), noun, 4.2)
        self._write(draw, (right, top + 8.5 * unit), f"step {self._steps[shot.look]:,}", 4.2, fill=theme().small_print)
        if shot.is_last:
            headline, detail = _verdict(self._climb)
            colour = theme().solved if self._climb.solved else theme().attack
            self._write(draw, (0, self._height - 12 * unit), headline, 6.4, fill=colour, bold=True)
            self._write(draw, (0, self._height - 4 * unit), detail, 3.8)

    def _write(
        self, draw: ImageDraw.ImageDraw, place: tuple[float, float], text: str, size: float, **look: Any
    ) -> float:
        """Write a line with Pillow's arguments in ``look``, in bold or not, and return its width.

        It is smaller if it does not fit into its share of the panel, by default all of it.
        """
        file, most = font_file(text, look.pop("bold", False)), look.pop("share", 1.0) * self._width
        points = size * self._unit
        points *= min(1.0, most / max(1.0, _font(file, points).getlength(text)))
        draw.text(place, text, font=_font(file, points), **{"fill": theme().ink, "anchor": "lt", **look})
        return _font(file, points).getlength(text)


def _verdict(climb: Climb) -> tuple[str, str]:
    steps = counted(climb.steps, "step")
    restarts = f", {counted(len(climb.restarts), 'restart')}" if climb.restarts else ""
    if climb.solved:
        return "Solved", f"after {steps}{restarts}"
    left = f"{counted(climb.cost, 'attacking pair')} left after {steps}{restarts}"
    return "Stuck" if climb.rule == "steepest" else "Not solved", left


_font = lru_cache(maxsize=64)(ImageFont.truetype)
