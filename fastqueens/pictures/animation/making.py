"""Making an animation of a climb."""

from __future__ import annotations

import numpy as np

from fastqueens.classroom.climbing import Climb
from fastqueens.core.errors import InputError
from fastqueens.core.memory import check_memory
from fastqueens.pictures.animation.animation import Animation
from fastqueens.pictures.animation.shots import plan_shots, stride
from fastqueens.pictures.animation.stage import Stage
from fastqueens.pictures.boards.limits import LARGEST_ANIMATED, check_size
from fastqueens.pictures.origin import check_origin

#: The limits of size in pixels and of time, and defaults that suit a slide.
LEAST_SIDE, MOST_SIDE = 240, 1920
LEAST_SECONDS, MOST_SECONDS = 3, 60
SIZE = (960, 540)
SECONDS = 12

# Bytes per pixel of every frame: its palette index, and a copy while the file is written.
_BYTES_PER_PIXEL = 2


def animate_climb(
    climb: Climb,
    *,
    size: tuple[int, int] = SIZE,
    seconds: float = SECONDS,
    origin: str = "upper",
    title: str | None = None,
) -> Animation:
    """Show a climb move by move, with the curve of its cost next to the board, or below it on a tall picture.

    Parameters
    ----------
    climb : Climb
        The result of :func:`fastqueens.classroom.climbing.climb`, with at most 40 queens.
    size : (int, int)
        Width and height in pixels, from 240 to 1920.
    seconds : float
        The longest it may play, from 3 to 60. With few steps it is shorter; with many steps queens jump instead of
        gliding; with very many only every k-th step is shown, and the picture states k.
    origin : "upper" or "lower"
        Where row 0 is drawn. Column 0 is at the left.
    title : str, optional
        By default the name of the rule.

    Returns
    -------
    Animation
        It ends with ``climb.queens``.

    Raises
    ------
    InputError
        If the board, size or time is outside its limits.
    NotEnoughMemoryError
        If the frames do not fit into memory, with two bytes for each pixel.

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
    check_memory(
        _BYTES_PER_PIXEL * len(shots) * width * height, f"{len(shots)} frames of {width:,} x {height:,} pixels"
    )
    stage = Stage(climb, size, origin, title, stride(shots))
    return Animation(tuple(stage.frame(shot) for shot in shots), tuple(shot.duration for shot in shots))


def check_animation(n: int, size: tuple[int, int] = SIZE, seconds: float = SECONDS) -> None:
    """Raise the :class:`InputError` that :func:`animate_climb` would raise, before there is a climb.

    >>> check_animation(41)
    Traceback (most recent call last):
    ...
    fastqueens.InputError: n is 41: an animation shows at most 40
    """
    check_size(n, LARGEST_ANIMATED, "an animation")
    for name, side in zip(("width", "height"), size, strict=True):
        if isinstance(side, bool) or not isinstance(side, (int, np.integer)) or not LEAST_SIDE <= side <= MOST_SIDE:
            raise InputError(f"{name} is {side!r}: it goes from {LEAST_SIDE} to {MOST_SIDE} pixels")
    is_number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    if not is_number or not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        raise InputError(f"seconds is {seconds!r}: it goes from {LEAST_SECONDS} to {MOST_SECONDS}")
