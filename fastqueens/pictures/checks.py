"""Checks that pictures of boards share: which row is at the top, and how large a board may be."""

from __future__ import annotations

from fastqueens.core.errors import InputError

#: Whether row 0 is drawn at the top or at the bottom.
ORIGINS = ("upper", "lower")

#: The largest boards with crowns on squares, and with a dot for each queen; larger boards are densities.
LARGEST_WITH_CROWNS = 400
LARGEST_WITH_DOTS = 50_000

#: The largest boards on which numbers, and moving queens can be told apart.
LARGEST_MOVE_COSTS = 40
LARGEST_ANIMATED = 40


def check_origin(origin: str) -> None:
    """Raise :class:`InputError` if ``origin`` is neither "upper" nor "lower"."""
    if origin not in ORIGINS:
        raise InputError(f"origin is {origin!r}: it is one of {', '.join(ORIGINS)}")


def check_size(n: int, largest: int, what: str) -> None:
    """Raise :class:`InputError` if a board is too large for a picture of a kind.

    >>> check_size(1000, 400, "a picture of queens")
    Traceback (most recent call last):
    ...
    fastqueens.InputError: n is 1,000: a picture of queens shows at most 400
    """
    if n > largest:
        raise InputError(f"n is {n:,}: {what} shows at most {largest:,}")
