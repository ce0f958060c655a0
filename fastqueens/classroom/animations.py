"""Animations of climbs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, SupportsIndex

from fastqueens._run.progress import Callbacks, Progress, Stop, shows_progress
from fastqueens._run.text import counted
from fastqueens.board import size_of
from fastqueens.classroom import climbing
from fastqueens.classroom.algorithms import ONE_QUEEN_ALGORITHMS, Limits
from fastqueens.classroom.climbing import Climb
from fastqueens.errors import InputError
from fastqueens.pictures.animation import (
    LARGEST_ANIMATED,
    SECONDS,
    SIZE,
    MovingPicture,
    Search,
    animated,
    checked_animation_look,
)
from fastqueens.pictures.chessboard import check_size


@dataclass(frozen=True, eq=False, repr=False)
class Animation(MovingPicture):
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

    Examples
    --------
    >>> animation = animate(4, seed=1, size=(240, 240), seconds=3)
    >>> animation.size, len(animation.frames), animation.seconds
    ((240, 240), 5, 4.1)
    """

    climb: Climb

    def __repr__(self) -> str:
        frames, (width, height) = counted(len(self.frames), "frame"), self.size
        return f"<Animation of {self.climb!r}, {frames} of {width} x {height} pixels, {self.seconds:.1f} s>"


@shows_progress
def animate(
    climb: Climb | SupportsIndex,
    *,
    size: tuple[SupportsIndex, SupportsIndex] = SIZE,
    seconds: float = SECONDS,
    title: str | None = None,
    theme: str = "light",
    time_limit: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
    **options: Any,
) -> Animation:
    """Animate a climb move by move, with the curve of its cost.

    Up to 30 queens stand on a chessboard. More queens are drawn as a weave, whose inks rise with the share of resolved
    pairs. Lines with several queens are red. Moves that do not change the number of attacking pairs are not shown. A
    weave slows down: half of the time is for the last tenth of its boards. On a wide frame, it fills the frame with the
    middle of the board.

    Parameters
    ----------
    climb : Climb or int
        A climb by an algorithm that moves one queen at a time, or the number of queens of a climb to make; at most
        1,000 queens.
    size : (int, int), default (1080, 1080)
        Width and height in pixels, from 240 to 1920.
    seconds : float, default 12
        Time for the steps, from 3 to 60. Some steps are left out if there are too many. The end is shown for two more
        seconds.
    title : str, optional
        Title next to the board. By default, it is the number of queens, and on a chessboard also the algorithm.
    theme : "light" or "dark", default "light"
        Colours for a light or a dark page.
    time_limit, progress, stop : optional
        The longest time in seconds, the display of progress, and a function that ends the call; see docs/library.md.
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
        If a value is outside its limits, or the algorithm does not move one queen at a time.
    NotEnoughMemoryError
        If the frames do not fit into memory; they take two bytes per pixel.
    Stopped, TimeLimitReached
        If ``stop`` returned True, or at the time limit.

    See Also
    --------
    climb : Make a climb.
    explore : Play a search step by step in the browser.

    Examples
    --------
    >>> animate(4, seed=1, size=(240, 240), seconds=3).climb.solved
    True
    """
    check_size(climb.n if isinstance(climb, Climb) else size_of(climb, None), LARGEST_ANIMATED, "an animation")
    look, callbacks = checked_animation_look(size, seconds, title, theme), Callbacks.until(time_limit, progress, stop)
    if not isinstance(climb, Climb):
        usual = {} if "algorithm" in options else {"algorithm": "min-conflicts", "limits": Limits(restarts=None)}
        with callbacks.of_parts() as parts:
            climb = climbing.climb(climb, **{**usual, **options}, **parts)
    elif options:
        raise InputError(f"{', '.join(options)}: this climb is finished; leave these options of a new climb out")
    if climb.algorithm not in ONE_QUEEN_ALGORITHMS:
        possible = ", ".join(ONE_QUEEN_ALGORITHMS)
        raise InputError(f"{climb.algorithm} does not move one queen at a time; an animation shows {possible}")
    made = animated(search_of(climb), look, callbacks)
    return Animation(made.frames, made.durations, climb)


def search_of(climb: Climb) -> Search:
    """Return a climb as a search to draw."""
    return Search(climb.n, climb.algorithm, climb.trace.pairs, climb.restarts, climb.looks())
