"""A clock that stands still while kernels are compiled or loaded, so that no measured time contains that."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

#: Seconds for which the clock stood still, and since when it does now: one tuple, so that threads read both at once.
_stopped: tuple[float, float | None] = (0.0, None)


def seconds() -> float:
    """Return the time in seconds, from an arbitrary point, without the time that kernels took to prepare."""
    so_far, since = _stopped
    return (time.perf_counter() if since is None else since) - so_far


@contextmanager
def standing_still() -> Iterator[None]:
    """Stop the clock inside the ``with`` block, which one thread at a time may enter."""
    global _stopped
    so_far, since = _stopped[0], time.perf_counter()
    _stopped = so_far, since
    try:
        yield
    finally:
        _stopped = so_far + time.perf_counter() - since, None
