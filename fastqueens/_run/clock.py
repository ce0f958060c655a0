"""Clocks that leave out the time for compiling or loading kernels.

Each thread has a clock. The threads that help with a call use the clock of the thread that made the call, which stands
still while at least one of them prepares a kernel or waits until another thread has prepared it. A time limit therefore
does not depend on what other calls compile.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator, Set
from typing import NamedTuple


class _State(NamedTuple):
    """The seconds left out so far, and the threads that have prepared kernels since ``since``."""

    left_out: float = 0.0
    since: float = 0.0
    preparing: frozenset[int] = frozenset()


class Clock:
    """The clock of a thread and of its helpers."""

    def __init__(self) -> None:
        # Threads read the state without the lock, because it is replaced as a whole.
        self._state = _State()
        self._lock = threading.RLock()  # a signal handler can make a call of its own

    def seconds(self) -> float:
        """Return the time in seconds from an arbitrary point, without the time for the preparation of kernels."""
        if self._state.preparing:
            # A thread that asks for the time prepares nothing, even if an interrupt ended standing_still() before its
            # end.
            self._end()
        left_out, since, preparing = self._state
        return (since if preparing else time.perf_counter()) - left_out

    @contextlib.contextmanager
    def standing_still(self) -> Iterator[None]:
        """Stop the clock inside the ``with`` block, in which this thread prepares a kernel."""
        thread = threading.get_ident()
        if thread in self._state.preparing:  # for example, for another kernel that this one needs
            yield
            return
        try:
            with self._lock:
                self._replace(self._state.preparing | {thread})
            yield
        finally:
            self._end()

    def after_fork(self) -> None:
        """Forget the other threads, which a forked process does not have."""
        self._lock = threading.RLock()  # another thread could have held it
        self._replace(self._state.preparing & {threading.get_ident()})

    def _end(self) -> None:
        thread = threading.get_ident()
        if thread in self._state.preparing:
            with self._lock:
                self._replace(self._state.preparing - {thread})

    def _replace(self, preparing: Set[int]) -> None:
        """Let these threads prepare kernels from now on."""
        left_out, since, before = self._state
        now = time.perf_counter()
        if before and not preparing:
            left_out += now - since
        self._state = _State(left_out, since if before else now, frozenset(preparing))


_of_thread = threading.local()


def current() -> Clock:
    """Return the clock of this thread."""
    if not hasattr(_of_thread, "clock"):
        _of_thread.clock = Clock()
    clock: Clock = _of_thread.clock
    return clock


def adopt(clock: Clock) -> None:
    """Let this thread, which helps with a call of another thread, use the clock of that thread."""
    _of_thread.clock = clock


def seconds() -> float:
    """Return the time in seconds from an arbitrary point, without the time for the preparation of kernels."""
    return current().seconds()


def until(limit: float | None) -> Callable[[], bool] | None:
    """Return a function that returns True when ``limit`` seconds from now are over; None without a limit.

    The function measures the time on the clock of this thread, in whichever thread it is called.
    """
    if limit is None:
        return None
    clock = current()
    end = clock.seconds() + limit
    return lambda: clock.seconds() >= end


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: current().after_fork())
