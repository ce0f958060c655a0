"""Making an animation of a climb, and writing it. All frames share one palette."""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
from PIL import Image

from fastqueens.board import InputError
from fastqueens.classroom.climbing import Climb
from fastqueens.drawing import check_origin
from fastqueens.machine import check_memory
from fastqueens.pictures.animation.shots import plan_shots, stride
from fastqueens.pictures.animation.stage import Stage
from fastqueens.pictures.boards import check_size
from fastqueens.wholefile import FileName, checked_suffix, whole_file

#: Queens that can be told apart while they move.
LARGEST_ANIMATED = 40

ANIMATION_FORMATS = (".gif", ".webp")

#: Pixels and seconds that are possible, and what fits a slide.
LEAST_SIDE, MOST_SIDE = 240, 1920
LEAST_SECONDS, MOST_SECONDS = 3, 60
SIZE = (960, 540)
SECONDS = 12

# Of the pixels in memory: the palette image of every frame, and a copy of each while they are written.
_COPIES = 2


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
    check_origin(origin)
    shots = list(plan_shots(climb, round(1000 * seconds)))
    width, height = size
    check_memory(_COPIES * len(shots) * width * height, f"{len(shots)} frames of {width:,} x {height:,} pixels")
    stage = Stage(climb, size, origin, title, stride(shots))
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
