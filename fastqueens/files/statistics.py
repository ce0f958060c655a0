"""Write statistics of boards as ``.npz``, all arrays by name, or as ``.csv``, a line for each number."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from fastqueens.files.atomic import atomic_write
from fastqueens.files.text import FileName, checked_suffix

STATISTICS_FORMATS = (".npz", ".csv")


class Line(NamedTuple):
    """A line of the table. None is an empty field."""

    statistic: str
    i: int | None
    j: int | None
    value: float
    error: float | None
    limit: float | None


def check_statistics_suffix(path: FileName) -> str:
    """Return the suffix in lower case; raise :class:`InputError` if it is neither ``.npz`` nor ``.csv``."""
    return checked_suffix(path, STATISTICS_FORMATS)


def write_statistics(path: FileName, arrays: Mapping[str, Any], lines: Iterable[Line]) -> None:
    """Write arrays and numbers by name, or the lines of a table, in the format of the suffix, atomically."""
    if check_statistics_suffix(path) == ".npz":
        with atomic_write(path) as file:
            np.savez(file, **arrays)
    else:
        with atomic_write(path, "w") as text:
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow(Line._fields)
            writer.writerows(lines)
