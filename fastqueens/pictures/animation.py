"""A climb as an animation: the queen that moves, the attacks, and next to them the cost as it falls.

``frames`` plans the frames and draws their two halves. All frames share a palette.
"""

from __future__ import annotations

import base64
import io
import itertools
from dataclasses import dataclass
from typing import IO, Any

from PIL import Image

from fastqueens.check.violations import check_same_n
from fastqueens.classroom import climbing
from fastqueens.classroom.climbing import Climb
from fastqueens.classroom.limits import Limits
from fastqueens.classroom.rules import ONE_QUEEN_RULES, RULES
from fastqueens.core.arguments import check_between, check_choice, check_integer, is_integer
from fastqueens.core.board import Board, as_queens, size_of
from fastqueens.core.errors import counted
from fastqueens.core.instance import Instance
from fastqueens.core.memory import check_memory
from fastqueens.core.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens.files.atomic import atomic_write, check_target
from fastqueens.files.text import FileName, checked_suffix
from fastqueens.pictures import style
from fastqueens.pictures.frames import BoardView, Box, Panel, plan_shots, stride
from fastqueens.pictures.squares import LARGEST_ANIMATED, ORIGINS, check_size

ANIMATION_FORMATS = (".gif", ".webp")

#: The limits of size in pixels and of time, and defaults that suit a slide.
LEAST_SIDE, MOST_SIDE = 240, 1920
LEAST_SECONDS, MOST_SECONDS = 3, 60
SIZE = (960, 540)
SECONDS = 12

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
        The longest it may play, from 3 to 60. With few steps it is shorter; with many steps queens jump instead of
        gliding; with very many only every k-th step is shown, and the picture states k.
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
    with style.house_style(check_choice(theme, "theme", ("light", "dark"))):
        check_animation(climb.n, size, seconds)
        check_choice(origin, "origin", ORIGINS)
        if instance is not None:
            check_same_n(instance, climb.n)
        shots = list(plan_shots(climb, round(1000 * seconds)))
        width, height = size
        what = f"{len(shots)} frames of {width:,} x {height:,} pixels"
        check_memory(_BYTES_PER_PIXEL * len(shots) * width * height, what)
        board_box, panel_box = _boxes(size, climb.n)
        left, top, right, bottom = panel_box
        view = BoardView(climb.n, board_box[2] - board_box[0], origin, instance)
        title = title or RULES[climb.rule].title or climb.rule.capitalize()
        panel = Panel(climb, (right - left, bottom - top), title, stride(shots))
        palette = _shared_palette(instance is not None and instance.has_exclusions)
        frames = []
        callbacks = Callbacks(progress, stop)
        for shot in shots:
            image = Image.new("RGB", size, style.theme().paper)
            image.paste(view.draw(shot), board_box)
            image.paste(panel.draw(shot), panel_box)
            frames.append(image.quantize(palette=palette, dither=Image.Dither.NONE))
            callbacks.poll("drawing", len(frames), len(shots))
        animation = Animation(climb, tuple(frames), tuple(shot.duration for shot in shots), stride(shots))
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
    """Write a GIF or a WebP that plays in a loop. The write is atomic.

    Parameters
    ----------
    path : str or path
        Its suffix selects the format, .gif or .webp.
    animation : Animation
        The result of :func:`animate`.

    Raises
    ------
    InputError
        If the suffix is unknown or the file cannot be written.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> frame = Image.new("P", (20, 10))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "still.gif")
    ...     write_animation(file, Animation(None, (frame,), (100,)))
    ...     file.read_bytes()[:6]
    b'GIF89a'
    """
    suffix = checked_suffix(path, ANIMATION_FORMATS)
    with atomic_write(path) as file:
        _write(animation, file, suffix)


def _boxes(size: tuple[int, int], n: int) -> tuple[Box, Box]:
    """Return where the board and the panel go: side by side, or the panel below on a tall picture."""
    width, height = size
    margin = min(size) // 20
    room = min(min(size), max(size) * 3 // 5) - 2 * margin
    side = max(1, room // n) * n
    if height >= width:
        left = (width - side) // 2
        board = left, margin, left + side, margin + side
        edge = min(left, 2 * margin)
        return board, (edge, board[3] + margin, width - edge, height - margin)
    top = (height - side) // 2
    board = margin, top, margin + side, top + side
    return board, (board[2] + margin, top, width - margin, board[3])


def _shared_palette(has_exclusions: bool) -> Image.Image:
    """Return a palette of all colours that are drawn, with some blends of two for the edges of shapes."""
    look = style.theme()
    exclusions = (look.blocked, look.excluded) if has_exclusions else ()
    beneath = (look.light_square, look.dark_square, look.paper, look.touched, look.attack, look.shadow, *exclusions)
    shapes = (look.ink, look.attack, look.best, look.paper)
    above = (*shapes, look.faint, look.small_print, look.solved, look.grid, look.shadow)
    colours = {_mixed(colour, colour, 0) for colour in (*beneath, *above)}
    for one, other, share in itertools.product(beneath, above, (0.2, 0.4, 0.6, 0.8)):
        colour = _mixed(one, other, share)
        # Pillow finds a near colour, not the nearest: a colour close to paper would replace it.
        if min(max(abs(a - b) for a, b in zip(colour, known, strict=True)) for known in colours) > _FINEST:
            colours.add(colour)
    palette = Image.new("P", (1, 1))
    palette.putpalette([channel for colour in sorted(colours) for channel in colour])
    return palette


def _mixed(one: str, other: str, share: float) -> tuple[int, ...]:
    """Return a blend of two colours in Pillow's format."""
    return tuple(round(255 * channel) for channel in style.blend(one, other, share))


def _write(animation: Animation, file: IO[bytes], suffix: str) -> None:
    first, *others = animation.frames
    durations = list(animation.durations)
    first.save(file, suffix[1:], save_all=True, append_images=others, duration=durations, loop=0, **_OPTIONS[suffix])
