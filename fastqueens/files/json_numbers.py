"""Lists of whole numbers in JSON: parsed strictly, and written piece by piece."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastqueens.core.errors import InputError
from fastqueens.files.numbers import lines_of_numbers, shortened, within_int64


def parse_json(data: bytes, name: str) -> Any:
    """Parse JSON; raise :class:`InputError` for every fault, also for a key that an object has twice."""
    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=_without_repetition)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, character {error.colno}"
        raise InputError(f"{name}: {place}: this is not valid JSON ({error.msg})") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: byte {error.start + 1} is not UTF-8; JSON is text") from error
    except RecursionError as error:
        raise InputError(f"{name}: the brackets are nested too deeply; a flat list is needed") from error
    except ValueError as error:
        raise InputError(f"{name}: a number in it has thousands of digits") from error


def integers(values: Any, place: str) -> NDArray[np.int64]:
    """Return a list from parsed JSON as an array; raise :class:`InputError` if it does not hold whole numbers only.

    Numbers beyond int64 become its largest or smallest value.

    >>> integers([1, 2.5], "trace.json: pairs")
    Traceback (most recent call last):
    ...
    fastqueens.InputError: trace.json: pairs[1] holds 2.5; a whole number is needed
    """
    if not isinstance(values, list):
        raise InputError(f"{place} holds {shortened(repr(values))}; a list of whole numbers is needed")
    if not set(map(type, values)) <= {int}:
        at = next(at for at, value in enumerate(values) if type(value) is not int)
        raise InputError(f"{place}[{at}] holds {shortened(repr(values[at]))}; a whole number is needed")
    try:
        return np.array(values, np.int64)
    except OverflowError:
        return np.array([within_int64(value) for value in values], np.int64)


def json_list(pieces: Iterator[NDArray[Any]]) -> Iterator[bytes]:
    """Write the numbers of several arrays as one JSON list.

    >>> b"".join(json_list(iter([np.array([1, 3]), np.array([0])])))
    b'[1, 3, 0]'
    """
    yield b"["
    separators = itertools.chain([2], itertools.repeat(0))
    for piece, cut in zip(pieces, separators, strict=False):
        yield lines_of_numbers(", %d", piece)[cut:]
    yield b"]"


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for key in keys if keys.count(key) > 1)
        raise InputError(f"an object has the key {shortened(repr(repeated))} twice")
    return found
