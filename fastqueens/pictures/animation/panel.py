"""The panel of an animation: words, and the curve of the cost, next to the board."""

from __future__ import annotations

import os
from functools import lru_cache

import matplotlib as mpl
from PIL import Image, ImageDraw, ImageFont

from fastqueens.classroom.climbing import Climb
from fastqueens.core.wording import counted
from fastqueens.pictures.animation.board import SCALE
from fastqueens.pictures.animation.shots import Shot
from fastqueens.pictures.style import ATTACK, BEST, FAINT, GRID, INK, PAPER, SERIES, SMALL_PRINT

SOLVED = SERIES[2]


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
        self._image = Image.new("RGB", (self._width, self._height), PAPER)
        self._draw = ImageDraw.Draw(self._image)
        self._drawn = 0
        self._last: tuple[tuple[int, bool], Image.Image] | None = None
        self._write_heading(title, stride)
        self._draw_axes()

    def draw(self, shot: Shot) -> Image.Image:
        """Return the panel of a shot in its final size."""
        key = shot.look, shot.is_last
        if self._last is None or self._last[0] != key:
            self._draw_curve(shot.look)
            image = self._image.copy()
            self._draw_now(ImageDraw.Draw(image), shot)
            self._last = key, image.reduce(SCALE)
        return self._last[1]

    def _write_heading(self, title: str, stride: int) -> None:
        climb = self._climb
        words = [counted(climb.n, "queen"), f"seed {climb.seed}"]
        if stride > 1:
            words.append(f"1 in {stride} steps shown")
        share = 0.5 if self._is_wide else 1.0
        self._write(self._draw, (0, 0), title, 6.4, bold=True, share=share)
        self._write(self._draw, (0, 9 * self._unit), ", ".join(words), 3.8, SMALL_PRINT, share=share)

    def _draw_axes(self) -> None:
        unit = self._unit
        left, top, right, bottom = self._plot
        for cost in {0, self._most}:
            y = self._point(0, cost)[1]
            self._draw.line([(left, y), (right, y)], fill=GRID if cost else FAINT, width=SCALE)
            self._write(self._draw, (left - 3 * unit, y), f"{cost:,}", 3.2, SMALL_PRINT, anchor="rm")
        for index in self._restarts:
            x = self._point(index, 0)[0]
            self._draw.line([(x, top), (x, bottom)], fill=GRID, width=SCALE)
        below = bottom + 2 * unit
        self._write(self._draw, (left, below), "0", 3.2, SMALL_PRINT, anchor="lt")
        self._write(self._draw, (right, below), counted(self._steps[-1], "step"), 3.2, SMALL_PRINT, anchor="rt")

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
            self._draw.line(points, fill=BEST, width=round(0.8 * self._unit), joint="curve")
        self._drawn = index

    def _draw_now(self, draw: ImageDraw.ImageDraw, shot: Shot) -> None:
        """Draw what belongs to one shot: the cost as a number, the end of the curve, and the verdict at the end."""
        unit = self._unit
        x, y = self._point(shot.look, self._costs[shot.look])
        draw.ellipse([x - 1.4 * unit, y - 1.4 * unit, x + 1.4 * unit, y + 1.4 * unit], fill=BEST)
        cost = self._climb.cost if shot.is_last else self._costs[shot.look]
        left, top = (0.56 * self._width, 0.0) if self._is_wide else (0.0, 17 * unit)
        width = self._write(draw, (left, top), f"{cost:,}", 15, ATTACK if cost else SOLVED, bold=True)
        right = left + width + 3 * unit
        noun = "attacking pair" if cost == 1 else "attacking pairs"
        self._write(draw, (right, top + 2.5 * unit), noun, 4.2)
        self._write(draw, (right, top + 8.5 * unit), f"step {self._steps[shot.look]:,}", 4.2, SMALL_PRINT)
        if shot.is_last:
            headline, detail = _verdict(self._climb)
            colour = SOLVED if self._climb.solved else ATTACK
            self._write(draw, (0, self._height - 12 * unit), headline, 6.4, colour, bold=True)
            self._write(draw, (0, self._height - 4 * unit), detail, 3.8)

    def _write(
        self,
        draw: ImageDraw.ImageDraw,
        place: tuple[float, float],
        text: str,
        size: float,
        colour: str = INK,
        *,
        bold: bool = False,
        anchor: str = "lt",
        share: float = 1.0,
    ) -> float:
        """Write a line, smaller if it does not fit into its share of the panel, and return its width."""
        points, most = size * self._unit, share * self._width
        width = _font(points, bold).getlength(text)
        if width > most:
            points *= most / width
        draw.text(place, text, fill=colour, font=_font(points, bold), anchor=anchor)
        return _font(points, bold).getlength(text)


def _verdict(climb: Climb) -> tuple[str, str]:
    steps = counted(climb.steps, "step")
    restarts = f", {counted(len(climb.restarts), 'restart')}" if climb.restarts else ""
    if climb.solved:
        return "Solved", f"after {steps}{restarts}"
    left = f"{counted(climb.cost, 'attacking pair')} left after {steps}{restarts}"
    return "Stuck" if climb.rule == "steepest" else "Not solved", left


@lru_cache(maxsize=64)
def _font(points: float, bold: bool) -> ImageFont.FreeTypeFont:
    """Return the font that comes with matplotlib, as in all pictures."""
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(os.path.join(mpl.get_data_path(), "fonts", "ttf", name), points)
