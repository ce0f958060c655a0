"""Animations of climbs: up to 30 queens on a chessboard, and more as a film of the weave."""

from __future__ import annotations

import base64
import contextlib
import io
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from typing import IO, Any, NamedTuple, SupportsIndex

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image

from fastqueens._run.arguments import check_between, check_choice, pair_of, whole
from fastqueens._run.memory import check_memory
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens._run.text import counted
from fastqueens.board import Queens, size_of
from fastqueens.classroom import climbing
from fastqueens.classroom.climbing import Climb, ClimbBoard
from fastqueens.classroom.rules import ONE_QUEEN_RULES, RULES, Limits
from fastqueens.errors import InputError
from fastqueens.files.atomic import atomic_write, check_target
from fastqueens.files.text import FileName, checked_suffix
from fastqueens.files.traces import attempts_and_steps
from fastqueens.pictures.chessboard import SQUARE, Chessboard, check_size
from fastqueens.pictures.curves import thinned
from fastqueens.pictures.figure import (
    BOLD,
    POINTS_PER_INCH,
    TEXT,
    TITLE,
    Picture,
    capitals,
    check_title,
    house_style,
    text_width,
)
from fastqueens.pictures.palettes import PALETTES, Palette, theme_of
from fastqueens.pictures.themes import named_theme, theme_in_use
from fastqueens.pictures.weave import FAINT, RING, Cloth, Place, dot_of

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
_OF_STEP, _OF_STEP_IN_FILM = (100, 600), (_TICK, 200)

#: A film slows down: 1 - (1 - time)^this is the share of the steps that are made after a share of the time. Its inks
#: are faint until it is solved, and then rise during some frames.
_EASE, _RISING = float(np.log2(10)), 12

#: A GIF that is optimized stores only the differences between frames. For WebP, few colours compress best without loss;
#: more effort saves little and takes minutes.
_OPTIONS: dict[str, dict[str, Any]] = {
    ".gif": {"optimize": True},
    ".webp": {"lossless": True, "quality": 20, "method": 1},
}

#: Options of ffmpeg for H.264, which needs even sides, in the form that most players and websites accept.
_VIDEO = (
    "-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2,scale=out_color_matrix=bt709", "-colorspace", "bt709",
    "-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4",
)  # fmt: skip

_DPI = 100

#: If one side is this many times as long as the other, words stand next to a square board or below it. Otherwise they
#: have a strip below the board, with this share of the height.
_OBLONG, _STRIP = 1.3, 0.14

#: Bytes per pixel of every frame: its palette index, and a copy while the file is written.
_BYTES_PER_PIXEL = 2


@dataclass(frozen=True, eq=False)
class Animation:
    """The frames of an animation, which a notebook plays.

    Attributes
    ----------
    climb : Climb
        The climb that the animation shows.
    frames : tuple of PIL.Image.Image
        The frames, of one size, in mode "P" with a common palette.
    durations : tuple of int
        Milliseconds for which each frame is shown, in multiples of 50.
    size : (int, int)
        Width and height in pixels.
    seconds : float
        Length in seconds. GIF and WebP files loop.

    See Also
    --------
    animate : Make an animation.
    """

    climb: Climb
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

    def __repr__(self) -> str:
        frames, (width, height) = counted(len(self.frames), "frame"), self.size
        return f"<Animation of {self.climb!r}, {frames} of {width} x {height} pixels, {self.seconds:.1f} s>"

    def _repr_html_(self) -> str:
        file = io.BytesIO()
        self._write(file, ".webp")
        data = base64.b64encode(file.getvalue()).decode("ascii")
        return f'<img src="data:image/webp;base64,{data}" width="{self.size[0]}" alt="A climb, step by step">'

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


@shows_progress
def animate(
    climb: Climb | SupportsIndex,
    *,
    size: tuple[SupportsIndex, SupportsIndex] = SIZE,
    seconds: float = SECONDS,
    title: str | None = None,
    theme: str = "light",
    progress: Progress | None = None,
    stop: Stop | None = None,
    **options: Any,
) -> Animation:
    """Animate a climb move by move, with the curve of its cost.

    Up to 30 queens stand on a chessboard. More queens are drawn as a weave, on which lines with several queens are red
    until the board is solved. The weave slows down: half of its time is for the last tenth of the steps.

    Parameters
    ----------
    climb : Climb or int
        A climb by a rule that moves one queen at a time, or the number of queens of a climb to make; at most 1,000
        queens.
    size : (int, int), default (1080, 1080)
        Width and height in pixels, from 240 to 1920.
    seconds : float, default 12
        Time for the steps, from 3 to 60. Some steps are left out if there are too many. The end is shown for two more
        seconds.
    title : str, optional
        Title above the board. By default, it is the name of the rule, or the number of queens of a weave.
    theme : "light" or "dark", default "light"
        Colours for a light or a dark page.
    progress : bool or callable, optional
        True shows progress, and a function receives it; see docs/library.md.
    stop : callable, optional
        Function without arguments; the call ends soon after it returns True. See docs/library.md.
    **options
        Arguments of :func:`fastqueens.climb`, if ``climb`` is a number of queens. By default, min-conflicts runs, and
        restarts until the board is solved.

    Returns
    -------
    Animation
        The frames, which end with the best board of the climb. A notebook plays them, and ``save`` writes them.

    Raises
    ------
    InputError
        If a value is outside its limits, or the rule does not move one queen at a time.
    NotEnoughMemoryError
        If the frames do not fit into memory; they take two bytes per pixel.
    Stopped
        If ``stop`` returned True.

    See Also
    --------
    climb : Make a climb.
    explore : Play a search step by step in the browser.

    Examples
    --------
    >>> animate(6, seed=1, size=(320, 240)).climb.solved
    True
    """
    check_size(climb.n if isinstance(climb, Climb) else size_of(climb, None), LARGEST_ANIMATED, "an animation")
    width, height = sides = [whole(side) or 0 for side in pair_of(size, "size", "pixels")]
    if not all(LEAST_SIDE <= side <= MOST_SIDE for side in sides):
        given = " x ".join(map(str, size))
        raise InputError(f"size must be between {LEAST_SIDE} and {MOST_SIDE:,} pixels on each side, not {given}")
    seconds = check_between(seconds, "seconds", LEAST_SECONDS, MOST_SECONDS)
    check_choice(theme, "theme", ("light", "dark"))
    check_title(title, TITLE)
    if not isinstance(climb, Climb):
        usual = {} if "rule" in options else {"rule": "min-conflicts", "limits": Limits(restarts=None)}
        climb = climbing.climb(climb, **{**usual, **options}, progress=progress, stop=stop)
    elif options:
        raise InputError(f"{', '.join(options)}: these options belong to a new climb, and this climb is finished")
    check_choice(climb.rule, "rule", ONE_QUEEN_RULES)
    is_film = climb.n > LARGEST_CHESSBOARD
    palette = PALETTES["night" if theme == "dark" else "riso"]
    look = theme_of(palette, "weave")._replace(solved=palette.ink) if is_film else named_theme(theme)
    moments = _moments(climb, round(1000 * seconds), is_film)
    what = f"{len(moments)} frames of {width:,} x {height:,} pixels"
    check_memory(_BYTES_PER_PIXEL * len(moments) * width * height, what)
    with house_style(look):
        name = counted(climb.n, "queen") if is_film else RULES[climb.rule].title or climb.rule.capitalize()
        stage = _Stage(climb, (width, height), title or name, palette if is_film else None)
        samples = [np.asarray(stage.frame(moment)) for moment in moments[:: -max(1, len(moments) // 4)]]
        colors = Image.fromarray(np.concatenate(samples)).quantize(method=Image.Quantize.FASTOCTREE)
        frames, callbacks = [], Callbacks(progress, stop)
        for moment in moments:
            frames.append(stage.frame(moment).quantize(palette=colors, dither=Image.Dither.NONE))
            callbacks.poll("drawing", len(frames), len(moments))
    return Animation(climb, tuple(frames), tuple(moment.milliseconds for moment in moments))


def check_animation_file(path: FileName) -> str:
    """Return the suffix of a file; raise :class:`InputError` if an animation cannot be written to it."""
    suffix = checked_suffix(path, ANIMATION_FORMATS)
    if suffix == ".mp4" and shutil.which("ffmpeg") is None:
        hint = "install it, for example with apt or brew install ffmpeg, or write .webp or .gif"
        raise InputError(f"{os.fspath(path)}: .mp4 needs the program ffmpeg, which was not found; {hint}")
    check_target(path)
    return suffix


def _write_video(animation: Animation, path: str) -> None:
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
    strength: float = 1.0
    is_end: bool = False


def _moments(climb: Climb, milliseconds: int, is_film: bool) -> list[_Moment]:
    """Return the moments: the first board, steps, in a film the rise of the inks, and the best board at the end."""
    last, ends = len(climb.trace.pairs) - 1, [start - 1 for start in (*climb.restarts, len(climb.trace.pairs))]
    (least, most), ease, faint = (_OF_STEP_IN_FILM, _EASE, FAINT) if is_film else (_OF_STEP, 1.0, 1.0)
    strengths = np.linspace(faint, 1, _RISING + 1)[1:].tolist() if is_film and climb.solved else [faint]
    count = min(milliseconds - _FIRST - _TICK * len(strengths), most * last) // least
    if not is_film and count > last > 0:
        count -= count % last  # the same time for all boards
    time = np.arange(count) / max(1, count)
    entries, counts = np.unique((last * (1 - (1 - time) ** ease) + 1e-9).astype(int), return_counts=True)
    durations = {**dict(zip(entries.tolist(), (least * counts).tolist(), strict=True)), last: least, 0: _FIRST}
    best = min(ends, key=climb.trace.pairs.__getitem__)
    looks = {entry: look for entry, look in enumerate(climb.looks()) if entry in durations or entry == best}
    look, rests = looks[best]._replace(move=None), [_TICK] * (len(strengths) - 1) + [_REST]
    return [
        *(_Moment(looks[entry], entry, durations[entry], faint) for entry in sorted(durations)),
        *(_Moment(look, best, rest, strength, is_end=True) for rest, strength in zip(rests, strengths, strict=True)),
    ]


class _Stage:
    """Common parts of the frames of a climb. Boards are weaves with a palette, and otherwise chessboards."""

    def __init__(self, climb: Climb, size: tuple[int, int], title: str, palette: Palette | None) -> None:
        self._climb, self._size, self._title, self._palette = climb, size, title, palette
        self._costs, restarts = climb.trace.pairs, np.array(climb.restarts, int)
        self._attempts, self._steps = attempts_and_steps(np.arange(len(self._costs)), restarts)
        (width, height), is_wide, is_high = size, size[0] >= _OBLONG * size[1], size[1] >= _OBLONG * size[0]
        left = width - height if is_wide else 0
        bottom = height if is_wide else width if is_high else height - round(_STRIP * height)
        side = min(width - left, bottom)
        if palette is None:
            side = max(1, 19 * side // 20 // climb.n) * climb.n
        x, y = left + (width - left - side) // 2, (bottom - side) // 2
        self.cloth, self.board = (left, 0, width, bottom), (x, y, x + side, y + side)
        # The words begin and end here, above each other or with the curve next to them. A line is the unit of type.
        top, start, end = (0, 0, left) if is_wide else (bottom, x, x + side)
        if is_wide or is_high:
            line = min(end - start, height - top) / 9
            start, end = round(start + line), round(end - line)
            middle, room, baselines, ends = start, end - start, (1.6, 3.3, 4.7), (5.2, 1.0)
        else:
            line, middle = (height - top) / 2.6, (start + end) // 2
            room, baselines, ends = round(middle - start - line / 2), (1.05, 2.05, 0.8), (1.25, 0.6)
        title_y, count_y, step_y = (top + down * line for down in baselines)
        self._curve, self._line = (middle, round(top + ends[0] * line), end, round(height - ends[1] * line)), line
        # One end of the baseline, its alignment, and the largest width.
        left_texts = (start, title_y, "left", room), (start, count_y, "left", room)
        self._texts = *left_texts, (end, step_y, "right", end - middle)

    def frame(self, moment: _Moment) -> Image.Image:
        """Return the picture of a moment. Board, count and curve are of the same step."""
        width, height = self._size
        figure, look = Picture(figsize=(width / _DPI, height / _DPI), dpi=_DPI), moment.look
        count, step = counted(look.cost, "attacking pair"), f"step {look.step:,}"
        if moment.is_end:
            count = f"{count} left" if look.cost else "Solved"
            step = f"after {counted(self._climb.steps, 'step')}"
        color = theme_in_use.get().attack if look.cost else theme_in_use.get().solved
        self._write(figure, 0, self._title, 0.6, TITLE)
        self._write(figure, 1, count, 0.55, BOLD, color=color)
        self._write(figure, 2, step, 0.33, TEXT, color=theme_in_use.get().small_print)
        self._draw_curve(figure, moment, color)
        if self._palette is None:
            self._draw_chessboard(figure, look)
        canvas: Any = FigureCanvasAgg(figure)
        canvas.draw()
        frame = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
        if self._palette is not None:
            frame.paste(self._weave(look.queens, moment.strength, self._palette), self.cloth)
        return frame

    def _axes(self, figure: Picture, box: tuple[int, int, int, int]) -> Axes:
        """Add axes in a box."""
        left, top, right, bottom = (edge / _DPI for edge in box)
        return figure.axes_at(left, self._size[1] / _DPI - bottom, right - left, bottom - top)

    def _draw_chessboard(self, figure: Picture, look: ClimbBoard) -> None:
        """Draw queens, their attacks, and the squares of the last move."""
        board = Chessboard(self._axes(figure, self.board), self._climb.n)
        if look.move is not None:
            column, before, after = look.move
            squares = board.centres(np.array([column, column]), np.array([before, after]))
            board.shapes(SQUARE, squares, 1, theme_in_use.get().touched, antialiaseds=False)
        board.draw_attacks(look.queens)
        board.draw_queens(np.arange(board.n), look.queens)

    def _weave(self, queens: Queens, strength: float, palette: Palette) -> Image.Image:
        """Return a weave that contains all dots and the rings around them."""
        left, top, right, bottom = self.cloth
        width, height = right - left, bottom - top
        side = min(width, height) / (1 + RING * dot_of(len(queens)))
        place = Place((width - side) / 2, (height - side) / 2, side)
        return Image.fromarray(Cloth(queens, palette, width, height, place, strength).pixels())

    def _draw_curve(self, figure: Picture, moment: _Moment, color: str) -> None:
        """Draw the costs so far, or all at the end. No line joins attempts; columns of pixels keep their extremes."""
        box, line, entry = self._curve, self._line * POINTS_PER_INCH / _DPI, moment.entry
        until, last = len(self._costs) if moment.is_end else entry + 1, max(1, self._steps[-1])
        steps, costs, attempts = self._steps[:until], self._costs[:until], self._attempts[:until]
        columns = max(1, round((box[2] - box[0]) * steps[-1] / last))
        shown = thinned(steps, costs, attempts, columns)
        breaks = np.flatnonzero(np.diff(attempts[shown])) + 1
        x, y = (np.insert(values[shown].astype(float), breaks, np.nan) for values in (steps, costs))
        axes, width = self._axes(figure, box), 0.03 if until > 2 * columns else 0.07
        axes.plot(x, y, color=theme_in_use.get().best, linewidth=width * line, clip_on=False)
        axes.plot(steps[entry], costs[entry], "o", color=color, markersize=0.3 * line, clip_on=False)
        axes.set(xlim=(0, last), ylim=(0, max(1, self._costs.max())), xticks=[], yticks=[])
        axes.spines["left"].set_visible(False)

    def _write(self, figure: Picture, number: int, text: str, lines: float, font: Any, **look: Any) -> None:
        """Write one of the texts, with capitals of a height in lines; smaller if it does not fit."""
        (x, y, align, width), points = self._texts[number], POINTS_PER_INCH / _DPI
        size = min(lines * self._line, width / max(1e-9, text_width(text, 1, font))) * points
        look |= {"fontproperties": font, "fontsize": size / capitals(1, font), "ha": align}
        figure.text(x / self._size[0], 1 - y / self._size[1], text, **look)
