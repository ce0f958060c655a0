"""The plan of an animation: what each frame of a climb shows, and for how long. Draws nothing."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from fastqueens.classroom.climbing import Climb, Look
from fastqueens.core.board import Queens

# Milliseconds, in whole hundredths of a second as in GIF; the first and last looks are shorter if time is short.
_FRAME = 40
_QUICK_LOOK = 100
_FIRST_LOOK = 800
_LAST_LOOK = 2600

# The frames of a move, the last of them at rest. With fewer than the least, queens jump.
_MOST_FRAMES = 20
_LEAST_FRAMES = 4
_RESTART_FRAMES = 8


class Move(NamedTuple):
    """A queen on its way: its column, its row before and after, and its progress from 0 to 1."""

    column: int
    before: int
    after: int
    progress: float


class Shot(NamedTuple):
    """A frame: the board, the look that it shows or follows, its duration, and the queen that moves, if any."""

    queens: Queens
    look: int
    duration: int
    move: Move | None = None
    is_last: bool = False


def plan_shots(climb: Climb, milliseconds: int) -> Iterator[Shot]:
    """Yield the frames of a climb, which together last at most ``milliseconds``."""
    looks = list(climb.looks())
    first_look = min(_FIRST_LOOK, milliseconds // 100 * 10)
    last_look = min(_LAST_LOOK, milliseconds // 40 * 10)
    yield Shot(looks[0].queens, 0, first_look)
    moved = [None if look.move is None else Move(*look.move, 1.0) for look in looks[1:]]
    budget = (milliseconds - first_look - last_look) // _FRAME
    moves = sum(move is not None for move in moved)
    others = [look for look, move in zip(looks[1:], moved, strict=True) if move is None]
    spared = sum(_RESTART_FRAMES if look.is_start else 1 for look in others)
    frames = min(_MOST_FRAMES, (budget - spared) // max(1, moves))
    if frames >= _LEAST_FRAMES:
        yield from _glides(looks, moved, frames)
    else:
        yield from _jumps(looks, moved, budget * _FRAME)
    yield Shot(climb.queens, len(looks) - 1, last_look, is_last=True)


def stride(shots: list[Shot]) -> int:
    """Return the largest number of steps between two frames."""
    return max((after.look - before.look for before, after in itertools.pairwise(shots)), default=1)


def _glides(looks: list[Look], moved: list[Move | None], frames: int) -> Iterator[Shot]:
    """Yield ``frames`` frames for each move, the last third of them at rest."""
    under_way = max(2, 2 * frames // 3)
    for index, (look, move) in enumerate(zip(looks[1:], moved, strict=True), 1):
        if move is None:
            yield Shot(look.queens, index, _FRAME * (_RESTART_FRAMES if look.is_start else 1))
            continue
        for frame in range(under_way):
            yield Shot(looks[index - 1].queens, index - 1, _FRAME, move._replace(progress=frame / under_way))
        yield Shot(look.queens, index, _FRAME * (frames - under_way), move)


def _jumps(looks: list[Look], moved: list[Move | None], milliseconds: int) -> Iterator[Shot]:
    """Yield board after board, only every k-th if there are too many."""
    stride = -(-(len(looks) - 1) // (milliseconds // _QUICK_LOOK))
    for index in range(stride, len(looks), stride):
        yield Shot(looks[index].queens, index, _QUICK_LOOK, moved[index - 1] if stride == 1 else None)
