"""Checks of arguments, and the words that some arguments accept.

This module does not import NumPy, so that the command line starts quickly.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from numbers import Integral, Real
from typing import Any

from fastqueens.errors import InputError

#: The largest seed: seeds are unsigned 64-bit words.
LARGEST_SEED = 2**64 - 1

#: A limit that no search reaches. It stands for "unlimited".
NO_LIMIT = 2**62

#: The default number of sweeps of mixing, after which the board hardly depends on the solution before them (see
#: docs/guides/random-solutions.md), and the largest number accepted.
SWEEPS = 5
MOST_SWEEPS = 10**9

#: The largest time in seconds, and the largest target error, that is accepted.
LARGEST_POSITIVE = 1e9


def check_seed(seed: Any) -> int:
    """Return a seed as an int, or raise :class:`InputError` if it is not an integer between 0 and 2**64 - 1."""
    return check_integer(seed, "seed", 0, LARGEST_SEED)


def new_seed() -> int:
    """Return a random seed of at most nine digits, short enough to type again."""
    return int.from_bytes(os.urandom(8), "little") % 10**9


def checked_or_new_seed(seed: Any) -> int:
    """Return a seed as an int. If it is None, draw one and log it."""
    if seed is not None:
        return check_seed(seed)
    import logging

    drawn = new_seed()
    logging.getLogger("fastqueens").info("seed %d", drawn)
    return drawn


def check_limit(limit: Any, name: str) -> int:
    """Return a limit as an int, or :data:`NO_LIMIT` for None. A negative limit raises :class:`InputError`."""
    return NO_LIMIT if limit is None else check_integer(limit, name, 0, NO_LIMIT)


def check_integer(value: Any, name: str, least: int, most: int, where: str = "") -> int:
    """Return an integer as an int, or raise :class:`InputError` if it is not an integer from ``least`` to ``most``.

    ``where`` says where these limits apply.

    >>> check_integer(9, "cells", 1, 8, "on a board of 8")
    Traceback (most recent call last):
    ...
    fastqueens.InputError: cells must be between 1 and 8 on a board of 8, not 9
    """
    if is_integer(value) and least <= value <= most:
        return int(value)
    place = f" {where.strip()}" if where else ""
    if not is_integer(value):
        span = "" if most == NO_LIMIT else f" between {least:,} and {most:,}"
        raise InputError(f"{name} must be a whole number{span}{place}, not {value!r}")
    if most == NO_LIMIT and value < least:
        valid = f"at least {least:,}"
    elif most == least + 1:
        valid = f"{least:,} or {most:,}"
    else:
        valid = f"between {least:,} and {most:,}"
    raise InputError(f"{name} must be {valid}{place}, not {shown(value)}")


def check_positive(value: Any, name: str) -> None:
    """Raise :class:`InputError` if a value is not a number above 0 and at most 10^9 (as seconds, over thirty years)."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 < value <= LARGEST_POSITIVE:  # type: ignore[operator]
        raise InputError(f"{name} must be a number above 0 and at most {LARGEST_POSITIVE:,.0f}, not {value!r}")


def check_between(value: Any, name: str, least: float, most: float) -> None:
    """Raise :class:`InputError` if a value is not a number between ``least`` and ``most``."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        low, high = (f"{end:,}".removesuffix(".0") for end in (least, most))
        raise InputError(f"{name} must be a number between {low} and {high}, not {value!r}")


def check_choice(value: Any, name: str, choices: Collection[str]) -> str:
    """Return a word that is one of ``choices``, or raise :class:`InputError`.

    >>> check_choice("locl", "method", METHODS)
    Traceback (most recent call last):
    ...
    fastqueens.InputError: unknown method 'locl'; choose one of auto, local, complete (did you mean local?)
    """
    if isinstance(value, str) and value in choices:
        return value
    raise InputError(f"unknown {name} {value!r}; choose one of {', '.join(choices)}{did_you_mean(value, choices)}")


def did_you_mean(value: object, known: Collection[str]) -> str:
    """Return the end of a message that suggests the known word most similar to a wrong one, or an empty string."""
    import difflib  # imported here because most arguments are right

    near = difflib.get_close_matches(str(value).lower(), known, n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def shown(value: int, separator: str = ",") -> str:
    """Return a number for a message, or a description of it if its digits would fill the screen.

    >>> shown(12345), shown(10**5000)
    ('12,345', 'a number of more than 30 digits')
    """
    return f"{value:{separator}}" if -(10**30) < value < 10**30 else "a number of more than 30 digits"


def size_in_inches(size: str | tuple[float, float]) -> tuple[float, float]:
    """Return the width and height of a plot in inches, from a pair of inches or from a text with or without a unit.

    >>> size_in_inches("8x4.5"), size_in_inches("127x50.8mm")
    ((8.0, 4.5), (5.0, 2.0))
    """
    import re

    if isinstance(size, str):
        found = re.fullmatch(_SIZE, size.strip())
        if not found:
            raise InputError(f"size must be a width and a height, such as 8x4.5 (inches) or 84x60mm, not {size!r}")
        width, height = (float(side) / _PER_INCH[found[3].lower()] for side in found.group(1, 2))
    else:
        width, height = size
    if not all(isinstance(side, (int, float)) and _LEAST_SIDE <= side <= _MOST_SIDE for side in (width, height)):
        given = size if isinstance(size, str) else f"{width!r} x {height!r}"
        raise InputError(f"size must be between 50 mm (2 inches) and {_MOST_SIDE} inches on each side, not {given}")
    return width, height


def is_integer(value: object) -> bool:
    """Return whether a value is an integer of Python or NumPy, and not a bool."""
    return isinstance(value, Integral) and not isinstance(value, bool)


#: The ways to place the first board of an attempt.
STARTS = ("windowed", "uniform", "random", "permutation")

#: The methods of solving an instance.
METHODS = ("auto", "local", "complete")

#: The colour schemes of pictures, each with its background.
THEMES = ("light", "dark", "transparent", "dark-transparent")

#: The scales of axes in plots: "auto" is logarithmic if the range is wide.
AXES = ("auto", "linear", "log")

#: The smallest and the largest side of a plot in inches: text needs 50 mm, and the largest paper has 200 inches.
_LEAST_SIDE, _MOST_SIDE = 50 / 25.4, 200

_SIZE = r"(?ai)(\d{1,6}(?:\.\d{1,6})?)\s*x\s*(\d{1,6}(?:\.\d{1,6})?)\s*(mm|cm|in|)"
_PER_INCH = {"mm": 25.4, "cm": 2.54, "in": 1, "": 1}

#: The word that stands for all rules on the command line.
ALL_RULES = "all"
