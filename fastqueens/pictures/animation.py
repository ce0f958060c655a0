"""Animations of climbs: the board step by step, and next to it the cost as it falls."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Any, NamedTuple

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
from fastqueens.pictures.figure import BOLD, TEXT, Picture, capitals, house_style, text_width
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
        self._climb, self._instance, self._layout = climb, instance, _layout(size, climb.n)
        self._figure = Picture(figsize=(size[0] / _DPI, size[1] / _DPI), dpi=_DPI)
        self._board = Chessboard(self._axes_in(self._layout.board), climb.n, origin)
        if instance is not None:
            self._board.draw_exclusions(instance)
            self._board.draw_frames(instance.fixed.columns, instance.fixed.rows)
        # No line joins attempts.
        self._starts = [at for at, look in enumerate(looks) if look.is_start][1:]
        self._costs = np.array([look.cost for look in looks])
        self._add_curve(max(1, int(self._costs.max())), max(1, len(looks) - 1), looks[-1].step)
        said = [counted(climb.n, "queen"), f"seed {climb.seed}", f"1 in {stride} steps shown" if stride > 1 else ""]
        self._write(0, title, 1.0, fontweight="bold")
        self._write(1, ", ".join(filter(None, said)), 0.6, color=theme_in_use().small_print)
        canvas: Any = FigureCanvasAgg(self._figure)
        canvas.draw()
        self._canvas = canvas
        self._ground = canvas.copy_from_bbox(self._figure.bbox)
        self._unchanging = {artist for axes in self._figure.axes for artist in axes.get_children()}

    def _axes_in(self, box: tuple[float, float, float, float]) -> Axes:
        """Add axes in a box."""
        left, top, right, bottom = (edge / _DPI for edge in box)
        return self._figure.axes_at(left, self._figure.get_figheight() - bottom, right - left, bottom - top)

    def _add_curve(self, most: int, last: int, steps: int) -> None:
        self._curve = self._axes_in(self._layout.curve)
        self._curve.set(xlim=(0, last), ylim=(0, most))
        self._curve.set_xticks([0, last], ["0", counted(steps, "step")])
        self._curve.set_yticks([0, most], ["0", f"{most:,}"])
        look = {"labelsize": 0.5 * self._layout.line * _POINTS, "labelcolor": theme_in_use().small_print}
        self._curve.tick_params(length=0, **look)  # type: ignore[arg-type]
        self._curve.grid(visible=True, axis="y")
        self._curve.spines["left"].set_visible(False)
        self._curve.get_xticklabels()[0].set_horizontalalignment("left")
        self._curve.get_xticklabels()[1].set_horizontalalignment("right")

    def draw(self, at: int, look: ClimbBoard, *, is_last: bool = False) -> Image.Image:
        """Return a frame: the board of a look, which is number ``at``, and the curve up to it."""
        board, queens, theme, line = self._board, look.queens, theme_in_use(), self._layout.line * _POINTS
        if look.move is not None:
            column, before, after = look.move
            squares = board.centres(np.array([column, column]), np.array([before, after]))
            board.shapes(SQUARE, squares, 1, theme.touched, antialiaseds=False)
        board.draw_attacks(queens)
        violating: Any = () if self._instance is None else violating_queens(queens, self._instance)
        board.draw_queens(np.arange(board.n), queens, violating=violating)
        for piece in np.split(np.arange(at + 1), [start for start in self._starts if start <= at]):
            self._curve.plot(piece, self._costs[piece], color=theme.best, linewidth=0.1 * line, clip_on=False)
        self._curve.plot(at, self._costs[at], "o", color=theme.best, markersize=0.4 * line, clip_on=False)
        verdict, detail = counted(look.cost, "attacking pair"), f"step {look.step:,}"
        if is_last:
            verdict, detail = _verdict(self._climb)
        self._write(2, verdict, 1.0, color=theme.attack if look.cost else theme.solved, fontweight="bold")
        self._write(3, detail, 0.6, color=theme.small_print)
        self._canvas.restore_region(self._ground)
        for axes in self._figure.axes:
            for artist in [artist for artist in axes.get_children() if artist not in self._unchanging]:
                self._figure.draw_artist(artist)
                artist.remove()
        return Image.fromarray(np.asarray(self._canvas.buffer_rgba())).convert("RGB")

    def _write(self, number: int, text: str, lines: float, **look: Any) -> None:
        """Write one of the four texts, smaller if it does not fit into its width."""
        font, (x, y, align) = BOLD if "fontweight" in look else TEXT, self._layout.texts[number]
        size = 0.8 * lines * self._layout.line * _POINTS
        size *= min(1.0, self._layout.width * _POINTS / max(1e-9, text_width(text, capitals(size, font), font)))
        place = x / self._figure.bbox.width, 1 - y / self._figure.bbox.height
        self._curve.text(*place, text, fontsize=size, ha=align, transform=self._figure.transFigure, **look)


class _Layout(NamedTuple):
    """The boxes of the board and of the curve, the end, height and alignment of texts, their width, and that of a line.

    All lengths are pixels from the upper left corner; boxes have a left, upper, right and lower edge.
    """

    board: tuple[int, int, int, int]
    curve: tuple[float, float, float, float]
    texts: Sequence[tuple[float, float, Any]]
    width: float
    line: float


def _layout(size: tuple[int, int], n: int) -> _Layout:
    """Return the layout of a wide picture, with all words at the right of the board, or of a high one."""
    (width, height), margin = size, min(size) // 24
    if 5 * width > 6 * height:
        line = max(14.0, height / 12)
        side = max(1, (min(height, width * 3 // 5) - 2 * margin) // n) * n
        left, top = side + 3 * margin, (height - side) // 2
        curve = left + line, top + 5.2 * line, width - margin, top + side - line
        texts = [(left, top + down * line, "left") for down in (0.9, 1.8, 3.4, 4.3)]
        return _Layout((margin, top, margin + side, top + side), curve, texts, width - left - margin, line)
    line = max(14.0, width / 20)
    side = max(1, int(min(width - 2 * margin, height - 5.4 * line - 3 * margin)) // n) * n
    left, top = (width - side) // 2, round(margin + 2.2 * line)
    curve = margin + line, top + side + margin, width - margin, height - margin - line
    ends = (margin, "left"), (width - margin, "right")
    texts = [(end, margin + down * line, align) for end, align in ends for down in (0.8, 1.6)]
    return _Layout((left, top, left + side, top + side), curve, texts, width / 2 - 1.5 * margin, line)


def _verdict(climb: Climb) -> tuple[str, str]:
    steps = counted(climb.steps, "step")
    restarts = f", {counted(len(climb.restarts), 'restart')}" if climb.restarts else ""
    if climb.solved:
        return "Solved", f"after {steps}{restarts}"
    left = f"{counted(climb.cost, 'attacking pair')} left after {steps}{restarts}"
    return "Stuck" if climb.rule == "steepest" else "Not solved", left
