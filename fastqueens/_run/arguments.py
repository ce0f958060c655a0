"""Checks of arguments, and the words that some arguments accept.

This module does not import NumPy, so that the command line starts quickly.
"""

from __future__ import annotations

import math
import operator
import os
import reprlib
from collections.abc import Collection, Iterable
from numbers import Real
from typing import Any, Literal, TypeAlias

from fastqueens.errors import InputError

#: The largest seed: seeds are unsigned 64-bit words.
LARGEST_SEED = 2**64 - 1

#: A limit that no search reaches. It stands for "unlimited".
NO_LIMIT = 2**62

#: The default number of sweeps of mixing, after which the board hardly depends on the solution before them (see
#: docs/guides/random-solutions.md), and the largest number accepted.
SWEEPS = 5
MOST_SWEEPS = 10**9

#: What a trace keeps: nothing, the conflicts after each step, or also the moves.
TraceKind: TypeAlias = bool | Literal["moves"]

#: A width and a height in inches, or a text with a unit, such as "84x60mm".
Size: TypeAlias = str | tuple[float, float]

#: The largest time in seconds, and the largest target error, that is accepted.
LARGEST_POSITIVE = 1e9


def check_seed(seed: Any) -> int:
    """Return a seed as an int, or raise :class:`InputError` if it is not an integer between 0 and 2**64 - 1."""
    return check_integer(seed, "seed", 0, LARGEST_SEED)


def later_seed(seed: int, runs: int) -> int:
    """Return the seed of a later run: the seed after the largest one is 0.

    >>> later_seed(7, 2), later_seed(LARGEST_SEED, 2)
    (9, 1)
    """
    return (seed + runs) % (LARGEST_SEED + 1)


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
    number, place = whole(value), f" {where.strip()}" if where else ""
    if number is None:
        span = "" if most == NO_LIMIT else f" between {least:,} and {most:,}"
        raise InputError(f"{name} must be a whole number{span}{place}, not {value!r}")
    if least <= number <= most:
        return number
    if most == NO_LIMIT and number < least:
        valid = f"at least {least:,}"
    elif most <= least + 1:
        valid = " or ".join(f"{only:,}" for only in range(least, most + 1))
    else:
        valid = f"between {least:,} and {most:,}"
    raise InputError(f"{name} must be {valid}{place}, not {shown(number)}")


def check_positive(value: Any, name: str) -> float:
    """Return a number above 0 and at most 10^9 (as seconds, over thirty years), or raise :class:`InputError`."""
    number = real(value)
    if number is None or not 0 < number <= LARGEST_POSITIVE:
        raise InputError(f"{name} must be a number above 0 and at most {LARGEST_POSITIVE:,.0f}, not {value!r}")
    return number


def check_between(value: Any, name: str, least: float, most: float) -> float:
    """Return a number between ``least`` and ``most``, or raise :class:`InputError`."""
    number = real(value)
    if number is None or not least <= number <= most:
        low, high = (f"{end:,}".removesuffix(".0") for end in (least, most))
        raise InputError(f"{name} must be a number between {low} and {high}, not {value!r}")
    return number


def check_kind(is_right: bool, value: object, name: str, wanted: str) -> None:
    """Raise :class:`InputError` if a value is not of the right kind, which ``wanted`` describes."""
    if not is_right:
        raise InputError(f"{name} must be {wanted}, not {reprlib.repr(value)}")


def check_executor(executor: object) -> None:
    """Raise :class:`InputError` if a value is neither None nor an executor."""
    is_right = executor is None or callable(getattr(executor, "submit", None))
    check_kind(is_right, executor, "executor", "a pool of concurrent.futures or the Client of a Dask cluster")


def entries_of(values: Any, name: str, wanted: str) -> list[Any]:
    """Return the entries of a list or another iterable, or raise :class:`InputError`; a string is not a list."""
    is_right = isinstance(values, Iterable) and not isinstance(values, (str, bytes, bytearray))
    check_kind(is_right, values, name, wanted)
    return list(values)


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


def did_you_mean(value: object, known: Collection[str], least: float = 0.6) -> str:
    """Return the end of a message that suggests the known word most similar to a wrong one, or an empty string.

    The similarity is between 0 and 1, and at least ``least``.
    """
    import difflib  # imported here because most arguments are right

    near = difflib.get_close_matches(str(value).lower(), known, n=1, cutoff=least)
    return f" (did you mean {near[0]}?)" if near else ""


def shown(value: int, separator: str = ",") -> str:
    """Return a number for a message, or a description of it if its digits would fill the screen.

    >>> shown(12345), shown(10**5000)
    ('12,345', 'a number of more than 30 digits')
    """
    return f"{value:{separator}}" if -(10**30) < value < 10**30 else "a number of more than 30 digits"


def size_in_inches(size: Size) -> tuple[float, float]:
    """Return the width and height of a plot in inches, from a pair of inches or from a text with or without a unit.

    >>> size_in_inches("8x4.5"), size_in_inches("127x50.8mm")
    ((8.0, 4.5), (5.0, 2.0))
    """
    import re

    if isinstance(size, str):
        found = re.fullmatch(_SIZE, size.strip())
        if not found:
            raise InputError(f"size must be a width and a height, such as 8x4.5 (inches) or 84x60mm, not {size!r}")
        sides = [float(side) / _PER_INCH[found[3].lower()] for side in found.group(1, 2)]
    else:
        sides = [-1 if (side := real(entry)) is None else side for entry in pair_of(size, "size", "inches")]
    if not all(_LEAST_SIDE <= side <= _MOST_SIDE for side in sides):
        given = size if isinstance(size, str) else " x ".join(map(repr, size))
        raise InputError(f"size must be between 50 mm (2 inches) and {_MOST_SIDE} inches on each side, not {given}")
    return sides[0], sides[1]


def pair_of(values: Any, name: str, unit: str) -> tuple[Any, Any]:
    """Return the two entries of a size, or raise :class:`InputError`."""
    wanted = f"a width and a height in {unit}"
    entries = entries_of(values, name, wanted)
    if len(entries) != 2:
        raise InputError(f"{name} must be {wanted}, not {values!r}")
    return entries[0], entries[1]


def whole(value: object) -> int | None:
    """Return a whole number as an int, and None for everything else, including a bool.

    Everything that Python accepts as an index is a whole number: an int, an integer of NumPy, an array of integers
    without dimensions.
    """
    if isinstance(value, bool) or hasattr(value, "mask"):  # NumPy also accepts a masked number, which has no value
        return None
    if hasattr(value, "dtype") and value.dtype.kind not in "iu":  # NumPy 1.26 accepts its truth values
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def real(value: Any) -> float | None:
    """Return a number of Python or NumPy as a float, and None for everything else, including a bool."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if hasattr(value, "dtype"):  # a duration of NumPy is a Real too
        is_number = value.dtype.kind in "iuf" and value.ndim == 0 and not hasattr(value, "mask")
    try:
        return float(value) if is_number else None
    except OverflowError:  # an int that is larger than all floats
        return math.inf if value > 0 else -math.inf


def is_integer(value: object) -> bool:
    """Return whether a value is a whole number; see :func:`whole`."""
    return whole(value) is not None


#: The ways to place the first board of an attempt.
STARTS = ("windowed", "uniform", "random", "permutation")

#: The methods of solving an instance.
METHODS = ("auto", "local", "complete")

#: The colour schemes of pictures, each with its background.
#: What a picture shows: threads, on squares up to 30 queens; a dot for each queen; or how many there are per cell.
PICTURE_STYLES = ("weave", "dots", "density")
THEMES = ("light", "dark", "transparent", "dark-transparent")

#: The scales of axes in plots: "auto" is logarithmic if the range is wide.
AXES = ("auto", "linear", "log")

#: The smallest and the largest side of a plot in inches: text needs 50 mm, and the largest paper has 200 inches.
_LEAST_SIDE, _MOST_SIDE = 50 / 25.4, 200

_SIZE = r"(?ai)(\d{1,6}(?:\.\d{1,6})?)\s*x\s*(\d{1,6}(?:\.\d{1,6})?)\s*(mm|cm|in|)"
_PER_INCH = {"mm": 25.4, "cm": 2.54, "in": 1, "": 1}

#: The word that stands for all algorithms on the command line.
ALL_ALGORITHMS = "all"
