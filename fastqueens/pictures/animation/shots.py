"""What an animation shows when: the frames of a climb, in no more time than there is. Draws nothing."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from fastqueens.board import Queens
from fastqueens.classroom.climbing import Climb, Look

# Milliseconds, in whole hundredths of a second as GIF counts; the first and the last look are shorter in a hurry.
_FRAME = 40
_QUICK_LOOK = 100
_FIRST_LOOK = 800
_LAST_LOOK = 2600

# Frames of a move: at most these, the last ones at rest; from below the least on, queens jump.
_MOST_FRAMES = 20
_LEAST_FRAMES = 4
_RESTART_FRAMES = 8


class Move(NamedTuple):
    """A queen under way: its column, from and to which row, and how far it is, from 0 to 1."""

    column: int
    before: int
    after: int
    progress: float


class Shot(NamedTuple):
    """A frame: the board, which look of the run it is or comes after, a queen that is not at rest, and the verdict."""

    queens: Queens
    look: int
    duration: int
    move: Move | None = None
    is_last: bool = False


def plan_shots(climb: Climb, milliseconds: int) -> Iterator[Shot]:
    """Yield the frames, in no more time than there is."""
    looks = list(climb.looks())
    first_look = min(_FIRST_LOOK, milliseconds // 100 * 10)
    last_look = min(_LAST_LOOK, milliseconds // 40 * 10)
    yield Shot(looks[0].queens, 0, first_look)
    moved = [_moved(before, after) for before, after in itertools.pairwise(looks)]
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
    """How many steps lie between two frames, at the most."""
    return max((after.look - before.look for before, after in itertools.pairwise(shots)), default=1)


def _moved(before: Look, after: Look) -> Move | None:
    """The move between two boards; None for a queen that stays, and for a new board."""
    changed = np.flatnonzero(before.queens != after.queens)
    if after.is_start or not len(changed):
        return None
    column = int(changed[0])
    return Move(column, int(before.queens[column]), int(after.queens[column]), 1.0)


def _glides(looks: list[Look], moved: list[Move | None], frames: int) -> Iterator[Shot]:
    """Every move in so many frames, the last third of them at rest."""
    under_way = max(2, 2 * frames // 3)
    for index, (look, move) in enumerate(zip(looks[1:], moved, strict=True), 1):
        if move is None:
            yield Shot(look.queens, index, _FRAME * (_RESTART_FRAMES if look.is_start else 1))
            continue
        for frame in range(under_way):
            yield Shot(looks[index - 1].queens, index - 1, _FRAME, move._replace(progress=frame / under_way))
        yield Shot(look.queens, index, _FRAME * (frames - under_way), move)


def _jumps(looks: list[Look], moved: list[Move | None], milliseconds: int) -> Iterator[Shot]:
    """Boards one after the other, only some of them where there are very many."""
    stride = -(-(len(looks) - 1) // (milliseconds // _QUICK_LOOK))
    for index in range(stride, len(looks), stride):
        yield Shot(looks[index].queens, index, _QUICK_LOOK, moved[index - 1] if stride == 1 else None)
