"""Checks of arguments, and the words that arguments can be. Imports no NumPy: the command line starts quickly."""

from __future__ import annotations

import os
from collections.abc import Collection
from numbers import Integral, Real
from typing import Any

from fastqueens.errors import InputError

#: Seeds are unsigned 64-bit words.
LARGEST_SEED = 2**64 - 1

#: A limit that no search reaches.
NO_LIMIT = 2**62

#: Sweeps after which little is left of the board where mixing began, see docs/sampling.md; and the most allowed.
SWEEPS = 5
MOST_SWEEPS = 10**9

#: The largest time, in seconds, and the largest error.
LARGEST_POSITIVE = 1e9


def check_seed(seed: Any) -> int:
    """Return a seed as an int; raise :class:`InputError` if it is not an integer from 0 to 2**64 - 1."""
    return check_integer(seed, "seed", 0, LARGEST_SEED)


def new_seed() -> int:
    """Draw a seed of at most nine digits, short enough to type again."""
    return int.from_bytes(os.urandom(8), "little") % 10**9


def checked_or_new_seed(seed: Any) -> int:
    """Return a seed as an int; for None, draw one and log it."""
    if seed is not None:
        return check_seed(seed)
    import logging

    drawn = new_seed()
    logging.getLogger("fastqueens").info("seed %d", drawn)
    return drawn


def check_limit(limit: Any, name: str) -> int:
    """Return a limit as an int, or :data:`NO_LIMIT` for None; raise :class:`InputError` if it is negative."""
    return NO_LIMIT if limit is None else check_integer(limit, name, 0, NO_LIMIT)


def check_integer(value: Any, name: str, least: int, most: int, where: str = "") -> int:
    """Return an integer as an int; raise :class:`InputError` if it is not an integer from ``least`` to ``most``.

    >>> check_integer(9, "cells", 1, 8, "on a board of 8 ")
    Traceback (most recent call last):
    ...
    fastqueens.InputError: cells is 9: on a board of 8 it goes from 1 to 8
    """
    if not is_integer(value):
        span = f" from {least} to {most}" if where else ""
        raise InputError(f"{name} is {value!r}: {where}a whole number{span} is needed")
    if not least <= value <= most:
        valid = f"it is at least {least}" if most == NO_LIMIT and value < least else f"it goes from {least} to {most}"
        raise InputError(f"{name} is {shown(value, '')}: {where}{valid}")
    return int(value)


def check_positive(value: Any, name: str) -> None:
    """Raise :class:`InputError` if a value is not a number above 0, up to 10^9: thirty years, if it is a time."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 < value <= LARGEST_POSITIVE:  # type: ignore[operator]
        raise InputError(f"{name} is {value!r}: a number above 0, up to {LARGEST_POSITIVE:,.0f}, is needed")


def check_between(value: Any, name: str, least: float, most: float) -> None:
    """Raise :class:`InputError` if a value is not a number from ``least`` to ``most``."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise InputError(f"{name} is {value!r}: it goes from {least} to {most}")


def check_choice(value: Any, name: str, choices: Collection[str]) -> str:
    """Return one of some words; raise :class:`InputError` for any other value.

    >>> check_choice("locl", "method", METHODS)
    Traceback (most recent call last):
    ...
    fastqueens.InputError: method is 'locl': it is one of auto, local, complete (did you mean local?)
    """
    if isinstance(value, str) and value in choices:
        return value
    raise InputError(f"{name} is {value!r}: it is one of {', '.join(choices)}{did_you_mean(value, choices)}")


def did_you_mean(value: object, known: Collection[str]) -> str:
    """Return the end of a message: the known word that resembles a wrong one, or nothing."""
    import difflib  # here, since few arguments are wrong

    near = difflib.get_close_matches(str(value).lower(), known, n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def shown(value: int, separator: str = ",") -> str:
    """Return a number for a message, unless it is so long that it would fill the screen.

    >>> shown(12345), shown(10**5000)
    ('12,345', 'a number of more than 30 digits')
    """
    return f"{value:{separator}}" if -(10**30) < value < 10**30 else "a number of more than 30 digits"


def size_in_inches(size: str | tuple[float, float]) -> tuple[float, float]:
    """Return width and height of a plot in inches, from such a pair, or from a text with or without a unit.

    >>> size_in_inches("8x4.5"), size_in_inches("127x50.8mm")
    ((8.0, 4.5), (5.0, 2.0))
    """
    import re

    if isinstance(size, str):
        found = re.fullmatch(_SIZE, size.strip())
        if not found:
            raise InputError(f"size is {size!r}: write width and height, in inches or with mm, cm or in, as in 84x60mm")
        width, height = (float(side) / _PER_INCH[found[3].lower()] for side in found.group(1, 2))
    else:
        width, height = size
    if not all(isinstance(side, (int, float)) and _LEAST_SIDE <= side <= _MOST_SIDE for side in (width, height)):
        raise InputError(f"size is {size}: each side must be between 2 (50 mm) and {_MOST_SIDE} inches")
    return width, height


def is_integer(value: object) -> bool:
    """Return whether a value is an integer, of Python or of NumPy, and not a bool."""
    return isinstance(value, Integral) and not isinstance(value, bool)


#: How the first board of an attempt is placed.
STARTS = ("windowed", "uniform", "random", "permutation")

#: The methods of solving an instance.
METHODS = ("auto", "local", "complete")

#: The colours and the ground of pictures.
THEMES = ("light", "dark", "transparent", "dark-transparent")

#: The axes of plots: "auto" is logarithmic if the range is wide.
AXES = ("auto", "linear", "log")

#: The least and the greatest side of plots in inches: words need 50 mm, and no paper is larger than 200 inches.
_LEAST_SIDE, _MOST_SIDE = 50 / 25.4, 200

_SIZE = r"(?ai)(\d{1,6}(?:\.\d{1,6})?)\s*x\s*(\d{1,6}(?:\.\d{1,6})?)\s*(mm|cm|in|)"
_PER_INCH = {"mm": 25.4, "cm": 2.54, "in": 1, "": 1}

#: The word for all rules on the command line.
ALL_RULES = "all"
