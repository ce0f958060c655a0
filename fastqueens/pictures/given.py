"""The board of a picture: given by the caller, or solved for the picture and mixed if it is large."""

from __future__ import annotations

from typing import Any, SupportsIndex

from fastqueens._run.arguments import SWEEPS, is_integer, whole
from fastqueens.board import Board, Queens, as_queens
from fastqueens.checking import check_same_n
from fastqueens.errors import InputError, Stopped
from fastqueens.instance import Instance
from fastqueens.result import Result
from fastqueens.solver import solve

#: Boards that are solved for a picture are mixed for these n. Larger boards would take minutes, and smaller ones look
#: the same.
MIXED = range(10_000, 10_000_001)


def given_or_solved(
    board: Board | Result | SupportsIndex | None,
    instance: Instance | None,
    *,
    seed: SupportsIndex | None = None,
    **settings: Any,
) -> tuple[Queens, Result | None]:
    """Return a validated board and, if there is one, its result. An int or an instance is solved with ``settings``.

    >>> queens, result = given_or_solved(8, None, seed=1)
    >>> result.solved, given_or_solved([1, 3, 0, 2], None)
    (True, (array([1, 3, 0, 2], dtype=int32), None))
    """
    if instance is not None and is_integer(board):
        check_same_n(instance, int(board))  # type: ignore[arg-type]
        board = None
    if board is None or is_integer(board):
        board = solve(board if instance is None else instance, seed=seed, **settings)  # type: ignore[arg-type]
        stop = settings.get("stop")
        if not board.solved and stop is not None and stop():
            raise Stopped("stopped during search")
    elif seed is not None:
        raise InputError("seed has no effect on a given board; it applies to a board that is solved; leave seed out")
    result = board if isinstance(board, Result) else None
    queens = as_queens(board) if result is None else result.queens  # type: ignore[arg-type]
    if instance is not None:
        check_same_n(instance, len(queens))
    return queens, result


def sweeps_for(board: object, mix: SupportsIndex | None, instance: Instance | None = None) -> SupportsIndex | None:
    """Return the number of sweeps for a board that is solved for a picture: ``mix`` if given, or None for no mixing.

    >>> sweeps_for(1000, None), sweeps_for(1000, 3), sweeps_for(10**6, None), sweeps_for(10**6, 0)
    (None, 3, 5, None)
    """
    if mix is not None:
        return mix or None
    is_mixed = instance is None and is_integer(board) and whole(board) in MIXED  # a list would be compared with each n
    return SWEEPS if is_mixed else None
