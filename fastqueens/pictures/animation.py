"""Animations of climbs: the board step by step, and next to it the cost as it falls."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image

from fastqueens._run.arguments import check_between, check_choice, check_integer, is_integer
from fastqueens._run.memory import check_memory
from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens._run.text import counted
from fastqueens.board import Board, as_queens, size_of
from fastqueens.checking import check_same_n, violating_queens
from fastqueens.classroom import climbing
from fastqueens.classroom.climbing import Climb, ClimbBoard
from fastqueens.classroom.rules import ONE_QUEEN_RULES, RULES, Limits
from fastqueens.files.atomic import atomic_write, check_target
from fastqueens.files.text import FileName, checked_suffix
from fastqueens.instance import Instance
from fastqueens.pictures.chessboard import SQUARE, Chessboard, check_size
from fastqueens.pictures.figure import BOLD, TEXT, Picture, capitals, house_style, text_width, wrapped
from fastqueens.pictures.text import ORIGINS
from fastqueens.pictures.themes import theme as theme_in_use

#: The largest boards on which moving queens can be told apart.
LARGEST_ANIMATED = 40

ANIMATION_FORMATS = (".gif", ".webp")

#: The limits of size in pixels and of time, and defaults that suit a slide.
LEAST_SIDE, MOST_SIDE = 240, 1920
LEAST_SECONDS, MOST_SECONDS = 3, 60
SIZE = (960, 540)
SECONDS = 12

# Milliseconds, in whole hundredths of a second as in GIF: of the first and the last frame, which are shorter if time is
# short, and the least and the most of the frames between them.
_FIRST, _LAST = 800, 2600
_LEAST, _MOST = 100, 600

# A GIF that is optimized stores only the differences between frames, which halves its size. For WebP, flat colours
# compress best without loss; more effort saves little and takes minutes.
_OPTIONS: dict[str, dict[str, Any]] = {
    ".gif": {"optimize": True},
    ".webp": {"lossless": True, "quality": 20, "method": 1},
}

# Bytes per pixel of every frame: its palette index, and a copy while the file is written.
_BYTES_PER_PIXEL = 2

# Two colours of the palette differ by more than this in some channel.
_FINEST = 12

_DPI = 100
_POINTS = 72 / _DPI


@dataclass(frozen=True, eq=False)
class Animation:
    """Frames and how long each is shown; a notebook plays it.

    Attributes
    ----------
    climb : Climb
        The climb that is shown.
    frames : tuple of PIL.Image.Image
        All of one size, in mode "P", with the same palette.
    durations : tuple of int
        Milliseconds for each frame, in whole hundredths of a second.
    stride : int
        How many steps there are from one frame to the next: 1 if none is left out.
    """

    climb: Climb
    frames: tuple[Image.Image, ...]
    durations: tuple[int, ...]
    stride: int = 1

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.frames[0].size

    @property
    def seconds(self) -> float:
        """How long it plays before it starts again."""
        return sum(self.durations) / 1000

    def __repr__(self) -> str:
        frames, (width, height) = counted(len(self.frames), "frame"), self.size
        return f"<Animation of {self.climb!r}, {frames} of {width} x {height} pixels, {self.seconds:.1f} s>"

    def _repr_html_(self) -> str:
        file = io.BytesIO()
        _write(self, file, ".gif")
        data = base64.b64encode(file.getvalue()).decode("ascii")
        width, height = self.size
        return f'<img src="data:image/gif;base64,{data}" width="{width}" height="{height}" alt="A climb, step by step">'


@shows_progress
def animate(
    board: Board | Climb | int | None = None,
    *,
    rule: str = "min-conflicts",
    seed: int | None = None,
    restarts: int | None = None,
    instance: Instance | None = None,
    size: tuple[int, int] = SIZE,
    seconds: float = SECONDS,
    origin: str = "upper",
    title: str | None = None,
    theme: str = "light",
    output: FileName | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Animation:
    """Make a climb, or take yours, and show it move by move: a notebook plays the animation.

    The curve of its cost is next to the board, or below it on a tall picture.

    Parameters
    ----------
    board : int, sequence or array of n integers, or Climb, optional
        n, for a random board; a board to start from; or a climb to show. Not needed with ``instance``. At most 40
        queens.
    rule : str
        A rule that moves one queen at a time; see :func:`fastqueens.climb`.
    seed : int, optional
        As in :func:`fastqueens.climb`.
    restarts : int, optional
        How often a stuck run may restart. By default never; min-conflicts from a random board until it is solved.
    instance : Instance, optional
        Blocked squares, excluded diagonals and frames of fixed queens to draw under the queens. A climb does not
        respect them: queens on such squares and diagonals have the colour of attacks.
    size : (int, int)
        Width and height in pixels, from 240 to 1920.
    seconds : float
        The longest it may play, from 3 to 60. With few steps it is shorter; with very many only every k-th step is
        shown, and the picture states k.
    origin : "upper" or "lower"
        Where row 0 is drawn. Column 0 is at the left.
    title : str, optional
        By default the name of the rule.
    theme : "light" or "dark"
        The colours.
    output : str or path, optional
        Also write the animation to this .gif or .webp file.
    progress, stop : callable, optional
        See :func:`fastqueens.solve`; the stages are "climbs" and "drawing", in frames.

    Returns
    -------
    Animation
        It ends with the last board of the climb.

    Raises
    ------
    InputError
        If a value is outside its limits, the instance has another n, or the file cannot be written.
    NotEnoughMemoryError
        If the frames do not fit into memory, with two bytes for each pixel.
    NoSolutionError
        If the rule would restart until it is solved, and n is 2 or 3.

    Examples
    --------
    >>> animate(6, seed=1, size=(320, 240)).climb.solved
    True
    """
    if output is not None:
        checked_suffix(output, ANIMATION_FORMATS)
        check_target(output)
    if isinstance(board, Climb):
        climb = board
        check_animation(climb.n, size, seconds)
    else:
        if board is None and instance is not None:
            board = instance.n
        start: Any = None if board is None or is_integer(board) else as_queens(board)  # type: ignore[arg-type]
        n = size_of(board if start is None else None, start)  # type: ignore[arg-type]
        check_animation(n, size, seconds)
        is_until_solved = restarts is None and rule == "min-conflicts" and start is None
        limits = Limits(restarts=None if is_until_solved else "auto" if restarts is None else restarts)
        climb = climbing.climb(n, board=start, rule=rule, limits=limits, seed=seed, progress=progress, stop=stop)
    check_choice(climb.rule, "rule", ONE_QUEEN_RULES)
    with house_style(check_choice(theme, "theme", ("light", "dark"))):
        check_choice(origin, "origin", ORIGINS)
        if instance is not None:
            check_same_n(instance, climb.n)
        looks = list(climb.looks())
        stride, durations = _plan(len(looks), round(1000 * seconds))
        # The last frame shows the best board, also if a later attempt was worse.
        last = ClimbBoard(climb.queens, climb.cost, looks[-1].step, is_start=False)
        shown = [(at, looks[at]) for at in range(0, len(looks), stride)] + [(len(looks) - 1, last)]
        width, height = size
        what = f"{len(shown)} frames of {width:,} x {height:,} pixels"
        check_memory(_BYTES_PER_PIXEL * len(shown) * width * height, what)
        title = title or RULES[climb.rule].title or climb.rule.capitalize()
        stage = _Stage(climb, looks, size, title, origin, instance, stride)
        palette = _palette([stage.draw(*shown[at], is_last=at < 0) for at in (0, len(shown) // 2, -1)])
        frames, callbacks = [], Callbacks(progress, stop)
        for at, look in shown:
            image = stage.draw(at, look, is_last=look is last)
            frames.append(image.quantize(palette=palette, dither=Image.Dither.NONE))
            callbacks.poll("drawing", len(frames), len(shown))
        animation = Animation(climb, tuple(frames), tuple(durations), stride)
    if output is not None:
        write_animation(output, animation)
    return animation


def check_animation(n: int, size: tuple[int, int] = SIZE, seconds: float = SECONDS) -> None:
    """Raise the :class:`InputError` that :func:`animate` would raise, before there is a climb.

    >>> check_animation(41)
    Traceback (most recent call last):
    ...
    fastqueens.InputError: n is 41: an animation shows at most 40
    """
    check_size(n, LARGEST_ANIMATED, "an animation")
    for name, side in zip(("width", "height"), size, strict=True):
        check_integer(side, name, LEAST_SIDE, MOST_SIDE, "in pixels ")
    check_between(seconds, "seconds", LEAST_SECONDS, MOST_SECONDS)


def write_animation(path: FileName, animation: Animation) -> None:
    """Write a GIF or a WebP that plays in a loop. The write is atomic."""
    suffix = checked_suffix(path, ANIMATION_FORMATS)
    with atomic_write(path) as file:
        _write(animation, file, suffix)


def _write(animation: Animation, file: IO[bytes], suffix: str) -> None:
    first, *others = animation.frames
    durations = list(animation.durations)
    first.save(file, suffix[1:], save_all=True, append_images=others, duration=durations, loop=0, **_OPTIONS[suffix])


def _plan(looks: int, milliseconds: int) -> tuple[int, list[int]]:
    """Return how many steps there are between frames, and the durations of the frames, with one more for the end.

    >>> _plan(3, 12000), _plan(1, 12000)
    ((1, [800, 600, 600, 2600]), (1, [800, 2600]))
    """
    first, last = min(_FIRST, milliseconds // 100 * 10), min(_LAST, milliseconds // 40 * 10)
    left = milliseconds - first - last
    stride = max(1, -(-(looks - 1) // (left // _LEAST)))
    between = (looks - 1) // stride
    return stride, [first, *[min(_MOST, left // max(1, between) // 10 * 10)] * between, last]


def _palette(frames: Sequence[Image.Image]) -> Image.Image:
    """Return the most frequent colours of frames, without those that hardly differ from a more frequent one."""
    found = Image.fromarray(np.concatenate([np.asarray(frame) for frame in frames])).getcolors(2**24) or []
    colors = np.empty((0, 3), np.int64)
    for color in np.array([color for _, color in sorted(found, reverse=True)]):
        # Pillow finds a near colour, not the nearest: a colour close to paper would replace it.
        if len(colors) < 256 and (np.abs(colors - color).max(axis=1) > _FINEST).all():
            colors = np.vstack((colors, color))
    palette = Image.new("P", (1, 1))
    palette.putpalette(colors.ravel().tolist())
    return palette


class _Stage:
    """A figure whose unchanging parts are drawn once; each frame is drawn over them."""

    def __init__(
        self, climb: Climb, looks: list[ClimbBoard], size: tuple[int, int], title: str, origin: str,
        instance: Instance | None, stride: int,
    ) -> None:  # fmt: skip
        self._climb, self._instance = climb, instance
        self._figure = Picture(figsize=(size[0] / _DPI, size[1] / _DPI), dpi=_DPI)
        left, top, side, panel = _places(size, climb.n)
        self._board = Chessboard(self._axes_in((left, top, left + side, top + side)), climb.n, origin)
        if instance is not None:
            self._board.draw_exclusions(instance)
            self._board.draw_frames(instance.fixed.columns, instance.fixed.rows)
        self._add_panel(panel, looks)
        said = [counted(climb.n, "queen"), f"seed {climb.seed}", f"1 in {stride} steps shown" if stride > 1 else ""]
        self._write_title(title, ", ".join(filter(None, said)))
        canvas: Any = FigureCanvasAgg(self._figure)
        canvas.draw()
        self._canvas = canvas
        self._ground = canvas.copy_from_bbox(self._figure.bbox)
        self._unchanging = {artist for axes in self._figure.axes for artist in axes.get_children()}

    def _axes_in(self, box: tuple[float, float, float, float]) -> Axes:
        """Add axes in a box: its left, upper, right and lower edge in pixels from the upper left corner."""
        left, top, right, bottom = (edge / _DPI for edge in box)
        return self._figure.axes_at(left, self._figure.get_figheight() - bottom, right - left, bottom - top)

    def _add_panel(self, box: tuple[int, int, int, int], looks: list[ClimbBoard]) -> None:
        """Add axes for words, with a unit that lets them fit, and axes for the curve."""
        left, top, right, bottom = box
        wide, high = right - left, bottom - top
        self._is_wide = wide > high
        unit = min(wide / 125, high / 75) if self._is_wide else min(wide / 70, high / 100)
        self._points, self._width, self._height = unit * _POINTS, wide / unit, high / unit
        self._panel = self._axes_in(box)
        self._panel.set_axis_off()
        self._panel.set(xlim=(0, self._width), ylim=(self._height, 0))
        # No line joins attempts.
        self._starts = [at for at, look in enumerate(looks) if look.is_start][1:]
        self._costs = np.array([look.cost for look in looks])
        most, last, above = max(1, int(self._costs.max())), max(1, len(looks) - 1), 22 if self._is_wide else 38
        self._plot = self._axes_in((left + 10 * unit, top + above * unit, right - 2 * unit, bottom - 21 * unit))
        self._plot.set(xlim=(0, last), ylim=(0, most))
        self._plot.set_xticks([0, last], ["0", counted(looks[-1].step, "step")])
        self._plot.set_yticks([0, most], ["0", f"{most:,}"])
        self._plot.tick_params(length=0, labelsize=3.2 * self._points, labelcolor=theme_in_use().small_print)
        self._plot.grid(visible=True, axis="y")
        self._plot.spines["left"].set_visible(False)
        self._plot.get_xticklabels()[0].set_horizontalalignment("left")
        self._plot.get_xticklabels()[1].set_horizontalalignment("right")

    def _write_title(self, title: str, facts: str) -> None:
        """Write a title in one line, or the beginning of a long one in two smaller lines, and facts below it."""
        share = 0.5 if self._is_wide else 1.0
        for size in (6.4, 4.0):
            lines = wrapped(title, share * self._width, capitals(size, BOLD), BOLD)
            if len(lines) == 1:
                break
        for at, line in enumerate(lines[:2]):
            self._write(0, 1.1 * size * at, line + "…" * (at == 1 and len(lines) > 2), size, share, fontweight="bold")
        self._write(0, 8 + len(lines[:2]), facts, 3.8, share, color=theme_in_use().small_print)

    def draw(self, at: int, look: ClimbBoard, *, is_last: bool = False) -> Image.Image:
        """Return a frame: the board of a look, which is number ``at``, and the curve up to it."""
        board, queens, climb, theme = self._board, look.queens, self._climb, theme_in_use()
        if look.move is not None:
            column, before, after = look.move
            squares = board.centres(np.array([column, column]), np.array([before, after]))
            board.shapes(SQUARE, squares, 1, theme.touched, antialiaseds=False)
        board.draw_attacks(queens)
        violating: Any = () if self._instance is None else violating_queens(queens, self._instance)
        board.draw_queens(np.arange(climb.n), queens, violating=violating)
        for piece in np.split(np.arange(at + 1), [start for start in self._starts if start <= at]):
            self._plot.plot(piece, self._costs[piece], color=theme.best, linewidth=0.8 * self._points, clip_on=False)
        self._plot.plot(at, self._costs[at], "o", color=theme.best, markersize=2.8 * self._points, clip_on=False)
        color = theme.attack if look.cost else theme.solved
        x, y = (0.56 * self._width, 0.0) if self._is_wide else (0.0, 17.0)
        # Above large digits, a line of type has more space than above small letters.
        x += self._write(x, y - 4, f"{look.cost:,}", 15, color=color, fontweight="bold") + 4
        self._write(x, y + 1, "attacking pair" if look.cost == 1 else "attacking pairs", 4.2)
        self._write(x, y + 7, f"step {look.step:,}", 4.2, color=theme.small_print)
        if is_last:
            headline, detail = _verdict(climb)
            self._write(0, self._height - 12, headline, 6.4, color=color, fontweight="bold")
            self._write(0, self._height - 4, detail, 3.8)
        self._canvas.restore_region(self._ground)
        for axes in self._figure.axes:
            for artist in [artist for artist in axes.get_children() if artist not in self._unchanging]:
                self._figure.draw_artist(artist)
                artist.remove()
        return Image.fromarray(np.asarray(self._canvas.buffer_rgba())).convert("RGB")

    def _write(self, x: float, y: float, text: str, size: float, share: float = 1.0, **look: Any) -> float:
        """Write a line, smaller if it does not fit into its share of the panel, and return its width."""
        font = BOLD if "fontweight" in look else TEXT
        width = text_width(text, capitals(size, font), font)
        size *= min(1.0, share * self._width / max(1e-9, width))
        self._panel.text(x, y, text, fontsize=size * self._points, verticalalignment="top", **look)
        return min(width, share * self._width)


def _places(size: tuple[int, int], n: int) -> tuple[int, int, int, tuple[int, int, int, int]]:
    """Return the left and the upper edge of the board, its side, and the box of the panel.

    The panel is next to the board, or below it on a tall picture.
    """
    width, height = size
    margin = min(size) // 20
    room = min(min(size), max(size) * 3 // 5) - 2 * margin
    side = max(1, room // n) * n
    if height >= width:
        left = (width - side) // 2
        edge = min(left, 2 * margin)
        return left, margin, side, (edge, side + 2 * margin, width - edge, height - margin)
    top = (height - side) // 2
    return margin, top, side, (side + 2 * margin, top, width - margin, top + side)


def _verdict(climb: Climb) -> tuple[str, str]:
    steps = counted(climb.steps, "step")
    restarts = f", {counted(len(climb.restarts), 'restart')}" if climb.restarts else ""
    if climb.solved:
        return "Solved", f"after {steps}{restarts}"
    left = f"{counted(climb.cost, 'attacking pair')} left after {steps}{restarts}"
    return "Stuck" if climb.rule == "steepest" else "Not solved", left
