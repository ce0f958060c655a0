"""The command ``animate``: an animation of a search."""

from __future__ import annotations

import re

from click import Choice

import fastqueens
from fastqueens._run.text import counted
from fastqueens.classroom.algorithms import ONE_QUEEN_ALGORITHMS, Limits
from fastqueens.cli import inputs, options
from fastqueens.cli.options import Group, Start, command, option, output, utf8
from fastqueens.cli.session import Session
from fastqueens.errors import InputError

#: The named sizes of animations in pixels.
_FRAMES = {"square": (1080, 1080), "wide": (1920, 1080), "tall": (1080, 1920)}


def _size_of_frames(text: str) -> tuple[int, int]:
    """Return the width and height of a named size, or of a text such as 960x540. The library checks the range."""
    found = re.fullmatch(r"(?ai)\s*(\d{1,6})\s*x\s*(\d{1,6})\s*", text)
    if found:
        return int(found[1]), int(found[2])
    if text not in _FRAMES:
        raise InputError(f"{text!r} is not a size; write {', '.join(_FRAMES)}, or for example 960x540")
    return _FRAMES[text]


class _Search(Group):
    algorithm: str = option(
        "--algorithm ALGORITHM",
        f"Search algorithm: {', '.join(ONE_QUEEN_ALGORITHMS)}. Default: min-conflicts.",
        Choice(ONE_QUEEN_ALGORITHMS),
        default="min-conflicts",
    )
    seed: int | None = options.seed
    restarts: int | None = option(
        "--restarts COUNT", "Restarts when stuck. Default: as in climb; unlimited for min-conflicts."
    )


class _Look(Group):
    size: tuple[int, int] = option(
        "--size SIZE",
        "Size in pixels: square (1080x1080), wide (1920x1080), tall (1080x1920), or for example 960x540.",
        _size_of_frames,
        default="square",
        complete=_FRAMES,
    )
    theme: str = option(
        "--theme THEME", "Colours for light (default) or dark pages.", Choice(("light", "dark")), default="light"
    )
    seconds: float = option(
        "--seconds SECONDS", "Longest duration. Of too many steps, only some are shown.", default="12"
    )
    title: str | None = option(
        "--title TEXT",
        "Text next to the board. Default: the number of queens, and on a chessboard also the algorithm.",
        utf8,
    )


class _Output(Group):
    path: str = output("Write the animation to this file (.gif .webp .mp4).")
    quiet: bool = options.quiet


@command(
    "fastqueens animate 200 --seed 1 -o film.webp\nfastqueens animate 8 --algorithm sideways --seed 1 -o climb.gif"
)
def animate(session: Session, board: Start, search: _Search, look: _Look, output: _Output) -> None:
    """Draw an animation of a search on a board of N queens (default: 8, at most 1,000).

    The search starts from a random board or from your own board. Up to 30 queens move on a chessboard. Larger boards
    are drawn as a weave, whose inks rise as attacking pairs are resolved. Lines with several queens are red. A wide
    frame shows the middle of the weave. A curve shows the number of attacking pairs. Moves that do not change it are
    left out. Writing .mp4 requires ffmpeg.
    """
    from fastqueens.pictures.animation import check_animation_file

    check_animation_file(output.path)
    start = inputs.board_given(session, board)
    n = inputs.n_or_default(board.n) if start is None else len(start)
    is_until_solved = search.restarts is None and search.algorithm == "min-conflicts" and start is None
    limits = Limits(restarts=None if is_until_solved else "auto" if search.restarts is None else search.restarts)
    animation = fastqueens.animate(
        n,
        board=start,
        algorithm=search.algorithm,
        limits=limits,
        seed=search.seed,
        **look.values,
        **session.callbacks,
    )
    session.writing(output.path)
    animation.save(output.path)
    climb = animation.climb
    restarts = f" and {counted(len(climb.restarts), 'restart')}" if climb.restarts else ""
    verdict = "solved" if climb.solved else f"{counted(climb.cost, 'attacking pair')} left"
    steps = f"{counted(climb.steps, 'step')}{restarts}"
    session.say(f"{counted(climb.n, 'queen')} by {climb.algorithm}, seed {climb.seed}: {verdict} after {steps}.")
    width, height = animation.size
    frames = f"{animation.seconds:.1f} s, {counted(len(animation.frames), 'frame')} of {width} x {height} pixels"
    session.wrote(output.path, frames)
