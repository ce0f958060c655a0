"""The origin of a drawn board: whether row 0 is at the top or at the bottom."""

from __future__ import annotations

from fastqueens.core.errors import InputError

ORIGINS = ("upper", "lower")


def check_origin(origin: str) -> None:
    """Raise :class:`InputError` if ``origin`` is neither "upper" nor "lower"."""
    if origin not in ORIGINS:
        raise InputError(f"origin is {origin!r}: it is one of {', '.join(ORIGINS)}")
