"""The board that a call is about: the one that is passed, that of a result, or one that is solved for n."""

from __future__ import annotations

from typing import Any

from fastqueens.check.violations import check_same_n
from fastqueens.core.arguments import SWEEPS, is_integer
from fastqueens.core.board import Board, Queens, as_queens
from fastqueens.core.errors import InputError
from fastqueens.core.instance import Instance
from fastqueens.solving.result import Result
from fastqueens.solving.solver import solve

#: A board of this n that is solved to be shown is mixed: a larger one would take minutes, a smaller one looks the same.
MIXED = range(10_000, 10_000_001)


def given_or_solved(
    board: Board | Result | int | None, instance: Instance | None, *, seed: int | None = None, **settings: Any
) -> tuple[Queens, Result | None]:
    """Return a validated board, and its result if it is that of one; ``settings`` go to :func:`fastqueens.solve`.

    Raises
    ------
    InputError
        If the board or n is invalid, the instance has another n, or a board comes with a seed.

    Examples
    --------
    >>> queens, result = given_or_solved(8, None, seed=1)
    >>> result.solved, given_or_solved([1, 3, 0, 2], None)
    (True, (array([1, 3, 0, 2], dtype=int32), None))
    """
    if instance is not None and is_integer(board):
        check_same_n(instance, int(board))  # type: ignore[arg-type]
        board = None
    if board is None or is_integer(board):
        board = solve(board if instance is None else instance, seed=seed, **settings)  # type: ignore[arg-type]
    elif seed is not None:
        raise InputError(f"seed is {seed}: only a board that is solved has a seed")
    result = board if isinstance(board, Result) else None
    queens = as_queens(board) if result is None else result.queens  # type: ignore[arg-type]
    if instance is not None:
        check_same_n(instance, len(queens))
    return queens, result


def sweeps_for(board: object, mix: int | None, instance: Instance | None = None) -> int | None:
    """Return for how many sweeps to mix a board that is solved to be shown: ``mix`` if given; None if not at all.

    >>> sweeps_for(1000, None), sweeps_for(1000, 3), sweeps_for(10**6, None), sweeps_for(10**6, 0)
    (None, 3, 5, None)
    """
    if mix is not None:
        return mix or None
    return SWEEPS if instance is None and is_integer(board) and board in MIXED else None
