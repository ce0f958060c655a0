"""How time grows with n, from 10**3 on, on one thread and on all: the rows of ``fastqueens bench``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fastqueens.scaling import measure as measure_scaling
from fastqueens.scaling import sizes

FIRST = 1000


def measure(up_to: int) -> Iterator[dict[str, Any]]:
    """Powers of ten up to ``up_to``; see :func:`fastqueens.scaling.measure`."""
    yield from measure_scaling(sizes(up_to, FIRST))
