"""A climb as a moving picture: the queen that moves, the attacks, and the cost falling beside them.

Drawn with Pillow at twice the size and halved, which smooths all edges. All frames share one palette.
"""

from __future__ import annotations

import base64
import io
import itertools
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import IO, Any, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.colors import to_rgb
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from fastqueens.board import InputError, Queens
from fastqueens.classroom.climbing import Climb, Look
from fastqueens.drawing import ORIGINS
from fastqueens.machine import check_memory
from fastqueens.pictures.boards import check_size, neighbours_on_lines
from fastqueens.pictures.glyphs import queen_polygons
from fastqueens.pictures.style import ATTACK, BEST, DARK_SQUARE, FAINT, GRID, INK, LIGHT_SQUARE, PAPER, SERIES, counted
from fastqueens.wholefile import FileName, checked_suffix, whole_file

#: Queens that can be told apart while they move.
LARGEST_ANIMATED = 40

ANIMATION_FORMATS = (".gif", ".webp")

#: Pixels and seconds that are possible, and what fits a slide.
LEAST_SIDE, MOST_SIDE = 240, 1920
LEAST_SECONDS, MOST_SECONDS = 3, 60
SIZE = (960, 540)
SECONDS = 12

# Milliseconds, in whole hundredths of a second as GIF counts; the first and the last look are shorter in a hurry.
_FRAME = 40
_QUICK_LOOK = 100
_FIRST_LOOK = 800
_LAST_LOOK = 2600

# Frames of a move: at most these, the last ones at rest; from below the least on, queens jump.
_MOST_FRAMES = 20
_LEAST_FRAMES = 4
_RESTART_FRAMES = 8

_NAMES = {
    "steepest": "Steepest ascent",
    "sideways": "Sideways moves",
    "annealing": "Simulated annealing",
    "min-conflicts": "Min-conflicts",
}

_SOLVED = SERIES[2]
_TOUCHED = "#8fbfdc"
_SHADOW = "#6b594b"

# What is drawn at twice the size.
_SCALE = 2

# Of the pixels in memory: the palette image of every frame, and a copy of each while they are written.
_COPIES = 2

# How far two colours of the palette are apart in a channel.
_FINEST = 12

Colour = tuple[int, int, int]
Box = tuple[int, int, int, int]


@dataclass(frozen=True, eq=False)
class Animation:
    """Frames with the time that each is seen; a notebook plays it.

    Attributes
    ----------
    frames : tuple of PIL.Image.Image
        Of one size, mode "P", all with the same palette.
    durations : tuple of int
        Milliseconds, one for each frame, whole hundredths of a second.
    """

    frames: tuple[Image.Image, ...]
    durations: tuple[int, ...]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.frames[0].size

    @property
    def seconds(self) -> float:
        """How long it plays before it begins again."""
        return sum(self.durations) / 1000

    def _repr_html_(self) -> str:
        file = io.BytesIO()
        _write(self, file, ".gif")
        data = base64.b64encode(file.getvalue()).decode("ascii")
        width, height = self.size
        return f'<img src="data:image/gif;base64,{data}" width="{width}" height="{height}" alt="A climb, step by step">'


def animate_climb(
    climb: Climb,
    *,
    size: tuple[int, int] = SIZE,
    seconds: float = SECONDS,
    origin: str = "upper",
    title: str | None = None,
) -> Animation:
    """Show a climb move by move, with the curve of its cost beside the board, or below it on a tall picture.

    Parameters
    ----------
    climb : Climb
        What :func:`fastqueens.classroom.climbing.climb` gave back, with at most 40 queens.
    size : (int, int)
        Width and height in pixels, from 240 to 1920.
    seconds : float
        How long it may play, from 3 to 60. Few steps play shorter; with many steps queens jump instead of gliding, and
        with very many only every so many steps are shown, which the picture says.
    origin : "upper" or "lower"
        Where row 0 is drawn. Column 0 is at the left.
    title : str, optional
        The name of the rule if not given.

    Returns
    -------
    Animation
        It ends with ``climb.queens``.

    Raises
    ------
    InputError
        For a larger board, size or time.
    NotEnoughMemoryError
        Where the frames would not fit into memory, two bytes for each of their pixels.

    Examples
    --------
    >>> from fastqueens.classroom.climbing import climb
    >>> animation = animate_climb(climb(8, seed=3), size=(320, 240))
    >>> animation.size, len(animation.frames) == len(animation.durations)
    ((320, 240), True)
    """
    check_animation(climb.n, size, seconds)
    if origin not in ORIGINS:
        raise InputError(f"origin is {origin!r}: it is one of {', '.join(ORIGINS)}")
    shots = list(_plan(climb, round(1000 * seconds)))
    width, height = size
    check_memory(_COPIES * len(shots) * width * height, f"{len(shots)} frames of {width:,} x {height:,} pixels")
    stage = _Stage(climb, size, origin, title, _stride(shots))
    return Animation(tuple(stage.frame(shot) for shot in shots), tuple(shot.duration for shot in shots))


def check_animation(n: int, size: tuple[int, int] = SIZE, seconds: float = SECONDS) -> None:
    """Raise :class:`InputError` where :func:`animate_climb` would, before there is a climb.

    >>> check_animation(41)
    Traceback (most recent call last):
    ...
    fastqueens.board.InputError: n is 41: an animation shows at most 40
    """
    check_size(n, LARGEST_ANIMATED, "an animation")
    for name, side in zip(("width", "height"), size, strict=True):
        if isinstance(side, bool) or not isinstance(side, (int, np.integer)) or not LEAST_SIDE <= side <= MOST_SIDE:
            raise InputError(f"{name} is {side!r}: it goes from {LEAST_SIDE} to {MOST_SIDE} pixels")
    is_number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    if not is_number or not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        raise InputError(f"seconds is {seconds!r}: it goes from {LEAST_SECONDS} to {MOST_SECONDS}")


def write_animation(path: FileName, animation: Animation) -> None:
    """Write a GIF or a WebP that plays for ever, whole or not at all.

    Parameters
    ----------
    path : str or path
        The suffix says the format, .gif or .webp.
    animation : Animation
        What :func:`animate_climb` gave back.

    Raises
    ------
    InputError
        For another suffix, and where the file cannot be written.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> frame = Image.new("P", (20, 10))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "still.gif")
    ...     write_animation(file, Animation((frame,), (100,)))
    ...     file.read_bytes()[:6]
    b'GIF89a'
    """
    suffix = check_animation_suffix(path)
    with whole_file(path) as file:
        _write(animation, file, suffix)


def check_animation_suffix(path: FileName) -> str:
    """Give the suffix in lower case, or :class:`InputError` where no animation can be written under this name.

    >>> check_animation_suffix("climb.GIF")
    '.gif'
    """
    return checked_suffix(path, ANIMATION_FORMATS)


def _write(animation: Animation, file: IO[bytes], suffix: str) -> None:
    first, *others = animation.frames
    durations = list(animation.durations)
    options: dict[str, Any] = {"save_all": True, "append_images": others, "duration": durations, "loop": 0}
    if suffix == ".gif":
        # Optimized: only what changes from frame to frame is written, half of the size.
        first.save(file, "GIF", optimize=True, **options)
    else:
        # Flat colours are smaller without loss; more effort gains little and takes minutes.
        first.save(file, "WEBP", lossless=True, quality=20, method=1, **options)


# What is shown when


class _Move(NamedTuple):
    """A queen under way: its column, from and to which row, and how far it is, from 0 to 1."""

    column: int
    before: int
    after: int
    progress: float


class _Shot(NamedTuple):
    """A frame: the board, which look of the run it is or comes after, a queen that is not at rest, and the verdict."""

    queens: Queens
    look: int
    duration: int
    move: _Move | None = None
    is_last: bool = False


def _plan(climb: Climb, milliseconds: int) -> Iterator[_Shot]:
    """Yield the frames, in no more time than there is."""
    looks = list(climb.looks())
    first_look = min(_FIRST_LOOK, milliseconds // 100 * 10)
    last_look = min(_LAST_LOOK, milliseconds // 40 * 10)
    yield _Shot(looks[0].queens, 0, first_look)
    moved = [_moved(before, after) for before, after in itertools.pairwise(looks)]
    budget = (milliseconds - first_look - last_look) // _FRAME
    moves = sum(move is not None for move in moved)
    others = [look for look, move in zip(looks[1:], moved, strict=True) if move is None]
    spared = sum(_RESTART_FRAMES if look.is_start else 1 for look in others)
    frames = min(_MOST_FRAMES, (budget - spared) // max(1, moves))
    if frames >= _LEAST_FRAMES:
        yield from _glides(looks, moved, frames)
    else:
        yield from _jumps(looks, moved, budget * _FRAME)
    yield _Shot(climb.queens, len(looks) - 1, last_look, is_last=True)


def _moved(before: Look, after: Look) -> _Move | None:
    """The move between two boards; None for a queen that stays, and for a new board."""
    changed = np.flatnonzero(before.queens != after.queens)
    if after.is_start or not len(changed):
        return None
    column = int(changed[0])
    return _Move(column, int(before.queens[column]), int(after.queens[column]), 1.0)


def _glides(looks: list[Look], moved: list[_Move | None], frames: int) -> Iterator[_Shot]:
    """Every move in so many frames, the last third of them at rest."""
    under_way = max(2, 2 * frames // 3)
    for index, (look, move) in enumerate(zip(looks[1:], moved, strict=True), 1):
        if move is None:
            yield _Shot(look.queens, index, _FRAME * (_RESTART_FRAMES if look.is_start else 1))
            continue
        for frame in range(under_way):
            yield _Shot(looks[index - 1].queens, index - 1, _FRAME, move._replace(progress=frame / under_way))
        yield _Shot(look.queens, index, _FRAME * (frames - under_way), move)


def _jumps(looks: list[Look], moved: list[_Move | None], milliseconds: int) -> Iterator[_Shot]:
    """Boards one after the other, only some of them where there are very many."""
    stride = -(-(len(looks) - 1) // (milliseconds // _QUICK_LOOK))
    for index in range(stride, len(looks), stride):
        yield _Shot(looks[index].queens, index, _QUICK_LOOK, moved[index - 1] if stride == 1 else None)


def _stride(shots: list[_Shot]) -> int:
    """How many steps lie between two frames, at the most."""
    return max((after.look - before.look for before, after in itertools.pairwise(shots)), default=1)


# How it looks


class _Stage:
    """Draws the frames of one run, in their order."""

    def __init__(self, climb: Climb, size: tuple[int, int], origin: str, title: str | None, stride: int) -> None:
        board_box, panel_box = _boxes(size, climb.n)
        self._size = size
        self._board_place, self._panel_place = board_box[:2], panel_box[:2]
        self._board = _BoardView(climb.n, board_box[2] - board_box[0], origin)
        panel_size = panel_box[2] - panel_box[0], panel_box[3] - panel_box[1]
        self._panel = _Panel(climb, panel_size, title or _NAMES[climb.rule], stride)
        self._palette = _palette()

    def frame(self, shot: _Shot) -> Image.Image:
        """The picture of a shot, in the palette that all share."""
        image = Image.new("RGB", self._size, PAPER)
        image.paste(self._board.draw(shot), self._board_place)
        image.paste(self._panel.draw(shot), self._panel_place)
        return image.quantize(palette=self._palette, dither=Image.Dither.NONE)


def _boxes(size: tuple[int, int], n: int) -> tuple[Box, Box]:
    """Where the board and the panel go: side by side, or below each other on a tall picture."""
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


class _BoardView:
    """The board with queens, attacks and the queen that moves."""

    def __init__(self, n: int, side: int, origin: str) -> None:
        self._n = n
        self._origin = origin
        self._square = side * _SCALE // n
        self._empty = self._squares(side * _SCALE)
        self._queen = _queen_mask(self._square)
        # A lifted queen is nearer.
        self._lifted = _queen_mask(round(1.2 * self._square))
        self._backdrop: tuple[tuple[int, int], Image.Image] | None = None

    def draw(self, shot: _Shot) -> Image.Image:
        """The board of a shot, in its final size."""
        move = shot.move
        if move is None or move.progress == 1.0:
            image = self._at_rest(shot.queens, None if shot.is_last else move)
        else:
            image = self._without(shot, move).copy()
            self._draw_lifted(image, move)
        return image.reduce(_SCALE)

    def _squares(self, side: int) -> Image.Image:
        image = Image.new("RGB", (side, side), LIGHT_SQUARE)
        draw = ImageDraw.Draw(image)
        for column, height in np.argwhere(np.indices((self._n, self._n)).sum(axis=0) % 2 == 0).tolist():
            draw.rectangle(self._outline(column, self._n - 1 - height), fill=DARK_SQUARE)
        return image

    def _outline(self, column: int, down: int) -> Box:
        left, top = column * self._square, down * self._square
        return left, top, left + self._square - 1, top + self._square - 1

    def _down(self, row: float) -> float:
        """How many squares a row is below the top."""
        return row if self._origin == "upper" else self._n - 1 - row

    def _at_rest(self, queens: Queens, move: _Move | None, columns: NDArray[np.int64] | None = None) -> Image.Image:
        """All queens, or those of some columns, the attacks between them, and the two squares of a move."""
        image = self._empty.copy()
        draw = ImageDraw.Draw(image)
        if move is not None:
            for row in (move.before, move.after):
                draw.rectangle(self._outline(move.column, round(self._down(row))), fill=_TOUCHED)
        there = np.arange(self._n) if columns is None else columns
        self._draw_attacks(draw, queens, there)
        for column in there.tolist():
            place = column * self._square, round(self._down(int(queens[column]))) * self._square
            image.paste(INK, place, self._queen)
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

    def _without(self, shot: _Shot, move: _Move) -> Image.Image:
        """Everything but the queen that moves, drawn once for all frames of a move."""
        key = shot.look, move.column
        if self._backdrop is None or self._backdrop[0] != key:
            others = np.delete(np.arange(self._n), move.column)
            self._backdrop = key, self._at_rest(shot.queens, move, others)
        return self._backdrop[1]

    def _draw_lifted(self, image: Image.Image, move: _Move) -> None:
        eased = move.progress**2 * (3 - 2 * move.progress)
        row = move.before + (move.after - move.before) * eased
        left, top = move.column * self._square, self._down(row) * self._square
        shadow = [left + 0.15 * self._square, top + 0.82 * self._square, left + 0.85 * self._square, top + self._square]
        ImageDraw.Draw(image).ellipse(shadow, fill=_SHADOW)
        spare = self._lifted.width - self._square
        image.paste(BEST, (left - spare // 2, round(top - spare)), self._lifted)


def _queen_mask(side: int) -> Image.Image:
    """A queen in a square, white on black with grey edges."""
    large = Image.new("L", (_SCALE * side, _SCALE * side), 0)
    draw = ImageDraw.Draw(large)
    for polygon in queen_polygons(large.width):
        draw.polygon([(x, large.height - y) for x, y in polygon.tolist()], fill=255)
    return large.reduce(_SCALE)


class _Panel:
    """The words and the curve beside the board."""

    def __init__(self, climb: Climb, size: tuple[int, int], title: str, stride: int) -> None:
        self._climb = climb
        self._width, self._height = (_SCALE * side for side in size)
        self._is_wide = size[0] > size[1]
        # All lengths are measured in this, so that words fit.
        high, wide = (75, 125) if self._is_wide else (100, 70)
        self._unit = min(self._height / high, self._width / wide)
        looks = list(climb.looks())
        self._costs = [look.cost for look in looks]
        self._steps = [look.step for look in looks]
        self._restarts = [index for index, look in enumerate(looks) if look.is_start and index > 0]
        self._image = Image.new("RGB", (self._width, self._height), PAPER)
        self._draw = ImageDraw.Draw(self._image)
        self._drawn = 0
        self._last: tuple[tuple[int, bool], Image.Image] | None = None
        self._write_heading(title, stride)
        self._draw_axes()

    def draw(self, shot: _Shot) -> Image.Image:
        """The panel of a shot, in its final size."""
        key = shot.look, shot.is_last
        if self._last is None or self._last[0] != key:
            self._draw_curve(shot.look)
            image = self._image.copy()
            self._draw_now(ImageDraw.Draw(image), shot)
            self._last = key, image.reduce(_SCALE)
        return self._last[1]

    def _write_heading(self, title: str, stride: int) -> None:
        climb = self._climb
        words = [counted(climb.n, "queen"), f"seed {climb.seed}"]
        if stride > 1:
            words.append(f"1 of {stride} steps shown")
        room = self._width * (0.5 if self._is_wide else 1.0)
        self._write(self._draw, (0, 0), title, 6.4, bold=True, room=room)
        self._write(self._draw, (0, 9 * self._unit), ", ".join(words), 3.8, FAINT, room=room)

    def _draw_axes(self) -> None:
        unit = self._unit
        left, top, right, bottom = self._plot
        most = max(self._costs)
        for cost in {0, most}:
            y = self._point(0, cost)[1]
            self._draw.line([(left, y), (right, y)], fill=GRID if cost else FAINT, width=_SCALE)
            self._write(self._draw, (left - 3 * unit, y), f"{cost:,}", 3.2, FAINT, anchor="rm")
        for index in self._restarts:
            x = self._point(index, 0)[0]
            self._draw.line([(x, top), (x, bottom)], fill=GRID, width=_SCALE)
        below = bottom + 2 * unit
        self._write(self._draw, (left, below), "0", 3.2, FAINT, anchor="lt")
        self._write(self._draw, (right, below), counted(self._steps[-1], "step"), 3.2, FAINT, anchor="rt")

    @property
    def _plot(self) -> tuple[float, float, float, float]:
        """The box of the curve."""
        top = 22 if self._is_wide else 38
        # To the right there is room for half of the dot.
        return 10 * self._unit, top * self._unit, self._width - 2 * self._unit, self._height - 21 * self._unit

    def _point(self, index: int, cost: int) -> tuple[float, float]:
        left, top, right, bottom = self._plot
        across = index / max(1, len(self._costs) - 1)
        return left + across * (right - left), bottom - cost / max(1, *self._costs) * (bottom - top)

    def _draw_curve(self, index: int) -> None:
        points = [self._point(i, self._costs[i]) for i in range(self._drawn, index + 1)]
        if len(points) > 1:
            self._draw.line(points, fill=BEST, width=round(0.8 * self._unit), joint="curve")
        self._drawn = index

    def _draw_now(self, draw: ImageDraw.ImageDraw, shot: _Shot) -> None:
        """The cost as a number, the end of the curve, and the verdict."""
        unit = self._unit
        x, y = self._point(shot.look, self._costs[shot.look])
        draw.ellipse([x - 1.4 * unit, y - 1.4 * unit, x + 1.4 * unit, y + 1.4 * unit], fill=BEST)
        cost = self._climb.cost if shot.is_last else self._costs[shot.look]
        left, top = (0.56 * self._width, 0.0) if self._is_wide else (0.0, 17 * unit)
        width = self._write(draw, (left, top), f"{cost:,}", 15, ATTACK if cost else _SOLVED, bold=True)
        beside = left + width + 3 * unit
        noun = "attacking pair" if cost == 1 else "attacking pairs"
        self._write(draw, (beside, top + 2.5 * unit), noun, 4.2)
        self._write(draw, (beside, top + 8.5 * unit), f"step {self._steps[shot.look]:,}", 4.2, FAINT)
        if shot.is_last:
            headline, detail = _verdict(self._climb)
            colour = _SOLVED if self._climb.solved else ATTACK
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
        room: float | None = None,
    ) -> float:
        """Write a line, smaller where it does not fit: how wide it is."""
        points = size * self._unit
        most = self._width if room is None else room
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
    """The font that comes with matplotlib, as in all pictures."""
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(os.path.join(mpl.get_data_path(), "fonts", "ttf", name), points)


def _palette() -> Image.Image:
    """All colours that are drawn, and some between two of them for the edges of shapes."""
    beneath = (LIGHT_SQUARE, DARK_SQUARE, PAPER, _TOUCHED, ATTACK, _SHADOW)
    above = (INK, ATTACK, BEST, PAPER, FAINT, _SOLVED, GRID, _SHADOW)
    colours = {_mixed(colour, colour, 0) for colour in (*beneath, *above)}
    for one, other in itertools.product(beneath, above):
        between = [_mixed(one, other, share) for share in (0.2, 0.4, 0.6, 0.8)]
        # Pillow finds near colours, not the nearest: one beside paper would take its place.
        colours.update(colour for colour in between if min(_apart(colour, known) for known in colours) > _FINEST)
    palette = Image.new("P", (1, 1))
    palette.putpalette([channel for colour in sorted(colours) for channel in colour])
    return palette


def _apart(one: Colour, other: Colour) -> int:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def _mixed(one: str, other: str, share: float) -> Colour:
    """A colour between two, as Pillow wants it."""
    red, green, blue = (
        round(255 * ((1 - share) * a + share * b)) for a, b in zip(to_rgb(one), to_rgb(other), strict=True)
    )
    return red, green, blue
