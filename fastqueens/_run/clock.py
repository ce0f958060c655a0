"""A clock that does not count the time for compiling or loading kernels."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator


class Clock:
    """The clock of a process. The preparation of kernels is excluded from the times that it measures."""

    #: The seconds for which the clock has stood still so far, and the start of the current pause or None. They are one
    #: tuple so that threads read a consistent pair.
    _stopped: tuple[float, float | None] = (0.0, None)

    def seconds(self) -> float:
        """Return the time in seconds from an arbitrary point, without the time for the preparation of kernels."""
        so_far, since = self._stopped
        return (time.perf_counter() if since is None else since) - so_far

    def until(self, limit: float | None) -> Callable[[], bool] | None:
        """Return a function that returns True when ``limit`` seconds from now are over; None without a limit."""
        if limit is None:
            return None
        end = self.seconds() + limit
        return lambda: self.seconds() >= end

    @contextlib.contextmanager
    def standing_still(self) -> Iterator[None]:
        """Stop the clock inside the ``with`` block. Only one thread at a time can enter it."""
        so_far, since = self._stopped[0], time.perf_counter()
        self._stopped = so_far, since
        try:
            yield
        finally:
            self._stopped = so_far + time.perf_counter() - since, None


#: The clock of this process.
clock = Clock()
