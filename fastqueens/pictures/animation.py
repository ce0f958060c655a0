"""Animations of searches: up to 30 queens on a chessboard, and more as a film of the weave."""

from __future__ import annotations

import base64
import contextlib
import io
import math
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import IO, Any, NamedTuple, SupportsIndex

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from numpy.typing import NDArray
from PIL import Image

from fastqueens._run.arguments import check_between, check_choice, pair_of, whole
from fastqueens._run.memory import check_memory
from fastqueens._run.progress import Callbacks
from fastqueens._run.text import counted
from fastqueens.board import ClimbBoard
from fastqueens.errors import InputError
from fastqueens.files.atomic import atomic_write, check_target
from fastqueens.files.text import FileName, checked_suffix
from fastqueens.files.traces import attempts_and_steps
from fastqueens.pictures.chessboard import SQUARE, Chessboard
from fastqueens.pictures.curves import thinned
from fastqueens.pictures.figure import (
    BOLD,
    POINTS_PER_INCH,
    TEXT,
    TITLE,
    StyledFigure,
    capitals,
    check_title,
    house_style,
    text_width,
)
from fastqueens.pictures.frames import Text, layout_of
from fastqueens.pictures.palettes import Palette, palette_in
from fastqueens.pictures.roles import blend, named_theme, theme_in_use
from fastqueens.pictures.weave import Cloth, Place, strength_of

#: The largest chessboard, and the largest weave on which a single red thread can still be seen.
LARGEST_CHESSBOARD, LARGEST_ANIMATED = 30, 1000

ANIMATION_FORMATS = (".gif", ".webp", ".mp4")

#: The limits of sides in pixels and of seconds, and their defaults.
LEAST_SIDE, MOST_SIDE = 240, 1920
LEAST_SECONDS, MOST_SECONDS = 3, 60
SIZE, SECONDS = (1080, 1080), 12

#: Milliseconds of a frame of a video, of which all durations are multiples, of the first board, and of the end.
_TICK, _FIRST, _REST = 50, 800, 2000

#: The least and the most milliseconds between steps on chessboards, and on average in films.
_OF_STEP, _OF_STEP_IN_FILM = (100, 600), (100, 200)

#: A film slows down: 1 - (1 - time)^this is the share of the boards that are shown after a share of the time.
_EASE = float(np.log2(10))

#: The inks of a film rise in so many steps, since frames with the same inks share most pixels: files are half as large.
#: The last step is for a solution.
_STRENGTHS = 8

#: Only the differences between frames are stored. For WebP, hatching of few colours compresses best without loss.
_OPTIONS: dict[str, dict[str, Any]] = {
    ".gif": {"optimize": True},
    ".webp": {"lossless": True, "quality": 60, "method": 4, "kmax": 0},
}

#: Options of ffmpeg for H.264, which needs even sides, in the form that most players and websites accept.
_VIDEO = (
    "-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2,scale=out_color_matrix=bt709", "-colorspace", "bt709",
    "-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4",
)  # fmt: skip

_DPI = 100

#: The share of the square in the colour of the two squares of a move.
_TOUCHED = 0.6

#: Bytes per pixel of every frame: its palette index, and a copy while the file is written.
_BYTES_PER_PIXEL = 2


@dataclass(frozen=True, eq=False)
class MovingPicture:
    """Frames of one size with a common palette, and the milliseconds for which each is shown."""

    frames: tuple[Image.Image, ...]
    durations: tuple[int, ...]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.frames[0].size

    @property
    def seconds(self) -> float:
        """Length in seconds."""
        return sum(self.durations) / 1000

    def _repr_html_(self) -> str:
        file = io.BytesIO()
        self._write(file, ".webp")
        data = base64.b64encode(file.getvalue()).decode("ascii")
        return f'<img src="data:image/webp;base64,{data}" width="{self.size[0]}" alt="A search, step by step">'

    def save(self, path: FileName) -> None:
        """Write the animation to a file, atomically.

        Parameters
        ----------
        path : str or path
            A name that ends in .gif, .webp or .mp4. Videos (.mp4) need the program ffmpeg.

        Raises
        ------
        InputError
            If the suffix is unknown, the file cannot be written, or ffmpeg is missing or fails.
        """
        suffix = check_animation_file(path)
        with atomic_write(path) as file:
            if suffix == ".mp4":
                _write_video(self, file.name)
            else:
                self._write(file, suffix)

    def _write(self, file: IO[bytes], suffix: str) -> None:
        options = {"append_images": self.frames[1:], "duration": self.durations, "loop": 0, **_OPTIONS[suffix]}
        self.frames[0].save(file, suffix[1:], save_all=True, **options)


class Search(NamedTuple):
    """A search to animate, whose steps move one queen.

    ``costs`` are the attacking pairs of the first board of each attempt and of the board after each step. ``restarts``
    are the entries at which later attempts begin, and ``boards`` yields the board of each entry.
    """

    n: int
    algorithm: str
    costs: NDArray[np.int64]
    restarts: tuple[int, ...]
    boards: Iterable[ClimbBoard]

    @property
    def is_film(self) -> bool:
        """Whether the boards are too large for chessboards."""
        return self.n > LARGEST_CHESSBOARD

    @property
    def steps(self) -> int:
        """Number of steps in all attempts."""
        return len(self.costs) - 1 - len(self.restarts)


class AnimationLook(NamedTuple):
    """The validated look of an animation: its size in pixels, the seconds for its steps, its title and its theme."""

    size: tuple[int, int]
    seconds: float
    title: str | None
    theme: str


def checked_animation_look(
    size: tuple[SupportsIndex, SupportsIndex], seconds: float, title: str | None, theme: str
) -> AnimationLook:
    """Return the validated look of an animation."""
    width, height = sides = [whole(side) or 0 for side in pair_of(size, "size", "pixels")]
    if not all(LEAST_SIDE <= side <= MOST_SIDE for side in sides):
        given = " x ".join(map(str, size))
        raise InputError(f"size must be between {LEAST_SIDE} and {MOST_SIDE:,} pixels on each side, not {given}")
    seconds = check_between(seconds, "seconds", LEAST_SECONDS, MOST_SECONDS)
    check_choice(theme, "theme", ("light", "dark"))
    check_title(title)
    return AnimationLook((width, height), seconds, title, theme)


def animated(search: Search, look: AnimationLook, callbacks: Callbacks) -> MovingPicture:
    """Draw a search of at most 1,000 queens, with the curve of its costs."""
    width, height = look.size
    colors = named_theme(look.theme)
    moments = _moments(search, round(1000 * look.seconds))
    what = f"{len(moments)} frames of {width:,} x {height:,} pixels"
    check_memory(_BYTES_PER_PIXEL * len(moments) * width * height, what)
    with house_style(colors):
        name = counted(search.n, "queen") + ("" if search.is_film else f", {search.algorithm}")
        stage = _Stage(search, look.size, look.title or name, palette_in(colors) if search.is_film else None)
        samples = [np.asarray(stage.frame(moment)) for moment in moments[:: -max(1, len(moments) // 4)]]
        few = Image.fromarray(np.concatenate(samples)).quantize(method=Image.Quantize.FASTOCTREE)
        frames = []
        for moment in moments:
            frames.append(stage.frame(moment).quantize(palette=few, dither=Image.Dither.NONE))
            callbacks.poll("drawing", len(frames), len(moments))
    return MovingPicture(tuple(frames), tuple(moment.milliseconds for moment in moments))


def check_animation_file(path: FileName) -> str:
    """Return the suffix of a file; raise :class:`InputError` if an animation cannot be written to it."""
    suffix = checked_suffix(path, ANIMATION_FORMATS)
    if suffix == ".mp4" and shutil.which("ffmpeg") is None:
        hint = "install it, for example with apt or brew install ffmpeg, or write .webp or .gif"
        raise InputError(f"{os.fspath(path)}: .mp4 needs the program ffmpeg, which was not found; {hint}")
    check_target(path)
    return suffix


def _write_video(animation: MovingPicture, path: str) -> None:
    """Write a video with ffmpeg; raise :class:`InputError` with its message if it fails."""
    frames = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "{}x{}".format(*animation.size), "-r", f"{1000 // _TICK}"]
    command = ["ffmpeg", "-loglevel", "error", *frames, "-i", "-", *_VIDEO, "-y", path]
    with tempfile.TemporaryFile() as errors:
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors) as process:
            # If ffmpeg ends early, its message says why.
            with contextlib.suppress(OSError):
                for frame, milliseconds in zip(animation.frames, animation.durations, strict=True):
                    pixels = frame.convert("RGB").tobytes()
                    for _ in range(milliseconds // _TICK):
                        process.stdin.write(pixels)  # type: ignore[union-attr]
            process.communicate()
        if process.returncode:
            errors.seek(0)
            words = errors.read().decode(errors="replace").strip().rpartition("\n")[2]
            raise InputError(f"ffmpeg failed with exit code {process.returncode}: {words or 'no message'}")


class _Moment(NamedTuple):
    """The contents of a frame: the board of an entry of the trace, for some time, and at the end the result."""

    look: ClimbBoard
    entry: int
    milliseconds: int
    is_end: bool = False


def _moments(search: Search, milliseconds: int) -> list[_Moment]:
    """Return the moments: the first board, steps that change the cost, and the best board at the end."""
    costs, ends = search.costs, [start - 1 for start in (*search.restarts, len(search.costs))]
    best, is_film = min(ends, key=costs.__getitem__), search.is_film
    (least, most), ease = (_OF_STEP_IN_FILM, _EASE) if is_film else (_OF_STEP, 1.0)
    changes = np.flatnonzero(np.diff(costs, prepend=costs[0] + 1))
    last = len(changes) - 1
    count = min(milliseconds - _FIRST - _TICK, most * last) // least
    if not is_film and count > last > 0:
        count -= count % last  # the same time for all boards
    time = np.arange(count) / max(1, count)
    at, counts = np.unique((last * (1 - (1 - time) ** ease) + 1e-9).astype(int), return_counts=True)
    entries = changes[at].tolist()
    final = int(changes[-1])
    durations = {**dict(zip(entries, (least * counts).tolist(), strict=True)), final: least, 0: _FIRST}
    looks = {entry: look for entry, look in enumerate(search.boards) if entry in durations or entry == best}
    return [
        *(_Moment(looks[entry], entry, durations[entry]) for entry in sorted(durations)),
        _Moment(looks[best]._replace(move=None), best, _REST, is_end=True),
    ]


class _Stage:
    """Common parts of the frames of a search. Boards are weaves with a palette, and otherwise chessboards."""

    def __init__(self, search: Search, size: tuple[int, int], title: str, palette: Palette | None) -> None:
        self._search, self._size, self._title, self._palette = search, size, title, palette
        self._costs, restarts = search.costs, np.array(search.restarts, int)
        self._attempts, self._steps = attempts_and_steps(np.arange(len(self._costs)), restarts)
        self._layout = layout_of(search.n, size, is_film=palette is not None)

    def frame(self, moment: _Moment) -> Image.Image:
        """Return the picture of a moment. Board, count and curve are of the same step."""
        figure, look = self._figure, moment.look
        count, step = counted(look.cost, "attacking pair"), f"step {look.step:,}"
        if moment.is_end:
            count = f"{count} left" if look.cost else "Solved"
            step = f"after {counted(self._search.steps, 'step')}"
        color = theme_in_use.get().attack if look.cost else theme_in_use.get().solved
        shared = self._shared
        self._write(self._layout.title, self._title, 0.6, TITLE)
        self._write(self._layout.pairs, count, 0.55, BOLD, color=color)
        if self._layout.step:
            self._write(self._layout.step, step, 0.33, TEXT, color=theme_in_use.get().soft)
        self.draw_curve(moment, color)
        if self._palette is None:
            self._draw_chessboard(look)
        canvas: Any = figure.canvas
        canvas.draw()
        frame = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
        for axes in (figure, *figure.axes):
            for child in axes.get_children():
                if child not in shared:
                    child.remove()
        if self._palette is not None:
            card = frame.crop(self._layout.card)
            frame.paste(self._weave(look, self._palette), self._layout.cloth)
            frame.paste(card, self._layout.card)
        return frame

    @cached_property
    def _figure(self) -> StyledFigure:
        """The figure of all frames, because making axes takes longer than drawing them."""
        figure = StyledFigure(figsize=[side / _DPI for side in self._size], dpi=_DPI)
        FigureCanvasAgg(figure)  # becomes the canvas of the figure
        return figure

    @cached_property
    def _shared(self) -> set[Artist]:
        """The parts of the figure that all frames share."""
        axes = [self.curve] if self._palette else [self.curve, self._chessboard.axes]
        return {child for parent in (self._figure, *axes) for child in parent.get_children()}

    def _axes(self, box: tuple[int, int, int, int]) -> Axes:
        """Add axes in a box."""
        left, top, right, bottom = (edge / _DPI for edge in box)
        return self._figure.axes_at(left, self._size[1] / _DPI - bottom, right - left, bottom - top)

    @cached_property
    def curve(self) -> Axes:
        """The axes of the curve."""
        axes = self._axes(self._layout.curve)
        axes.set(xlim=(0, max(1, self._steps[-1])), ylim=(0, max(1, self._costs.max())), xticks=[], yticks=[])
        axes.spines["left"].set_visible(False)
        return axes

    @cached_property
    def _chessboard(self) -> Chessboard:
        """The squares."""
        return Chessboard(self._axes(self._layout.board), self._search.n)

    def _draw_chessboard(self, look: ClimbBoard) -> None:
        """Draw queens, their attacks, and the squares of the last move."""
        board = self._chessboard
        if look.move is not None:
            column, before, after = look.move
            squares = board.centres(np.array([column, column]), np.array([before, after]))
            roles = theme_in_use.get()
            board.shapes(SQUARE, squares, 1, [blend(roles.note, roles.square, _TOUCHED)], antialiaseds=False)
        columns = np.arange(board.n)
        board.draw_threads(columns, look.queens)
        board.draw_attacks(look.queens)
        board.draw_queens(columns, look.queens)

    def _weave(self, look: ClimbBoard, palette: Palette) -> Image.Image:
        """Return the weave of a board, with inks that rise with the share of resolved pairs."""
        (left, top, right, bottom), (x, y, end, _) = self._layout.cloth, self._layout.board
        strength = math.floor(_STRENGTHS * strength_of(look.cost, self._costs[0])) / _STRENGTHS
        place = Place(x - left, y - top, end - x)
        return Image.fromarray(Cloth(look.queens, palette, right - left, bottom - top, place, strength).pixels())

    def draw_curve(self, moment: _Moment, color: str) -> None:
        """Draw the costs so far, or all at the end. No line joins attempts; columns of pixels keep their extremes."""
        box, line, entry = self._layout.curve, self._layout.line * POINTS_PER_INCH / _DPI, moment.entry
        until, last = len(self._costs) if moment.is_end else entry + 1, max(1, self._steps[-1])
        steps, costs, attempts = self._steps[:until], self._costs[:until], self._attempts[:until]
        columns = max(1, round((box[2] - box[0]) * steps[-1] / last))
        shown = thinned(steps, costs, attempts, columns)
        breaks = np.flatnonzero(np.diff(attempts[shown])) + 1
        x, y = (np.insert(values[shown].astype(float), breaks, np.nan) for values in (steps, costs))
        axes, width = self.curve, 0.03 if until > 2 * columns else 0.07
        axes.plot(x, y, color=theme_in_use.get().attack, linewidth=width * line, clip_on=False)
        axes.plot(steps[entry], costs[entry], "o", color=color, markersize=0.3 * line, clip_on=False)

    def _write(self, place: Text, text: str, lines: float, font: Any, **look: Any) -> None:
        """Write a text with capitals of a height in lines; smaller if it does not fit."""
        (x, y, align, width), points = place, POINTS_PER_INCH / _DPI
        size = min(lines * self._layout.line, width / max(1e-9, text_width(text, 1, font))) * points
        look |= {"fontproperties": font, "fontsize": size / capitals(1, font), "ha": align}
        self._figure.text(x / self._size[0], 1 - y / self._size[1], text, **look)
