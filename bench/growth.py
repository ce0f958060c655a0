"""How time grows with n from 10**3 on, on one thread and on all cores: the rows of ``fastqueens bench``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fastqueens.core.threads import all_cores
from fastqueens.solving.scaling import measure as measure_scaling
from fastqueens.solving.scaling import sizes

FIRST = 1000


def measure(up_to: int) -> Iterator[dict[str, Any]]:
    """Measure powers of ten up to ``up_to``; see :func:`fastqueens.solving.scaling.measure`."""
    yield from measure_scaling(sizes(up_to, FIRST), (1, all_cores()))
