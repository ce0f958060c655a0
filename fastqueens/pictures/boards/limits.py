"""The largest boards on which queens, and numbers, can be told apart."""

from __future__ import annotations

from fastqueens.core.errors import InputError

LARGEST_BOARD = 400
LARGEST_MOVE_COSTS = 40
LARGEST_ANIMATED = 40


def check_size(n: int, largest: int, what: str) -> None:
    """Raise :class:`InputError` if a board is too large for a picture of a kind.

    >>> check_size(1000, 400, "a picture of queens")
    Traceback (most recent call last):
    ...
    fastqueens.InputError: n is 1,000: a picture of queens shows at most 400
    """
    if n > largest:
        raise InputError(f"n is {n:,}: {what} shows at most {largest:,}")
