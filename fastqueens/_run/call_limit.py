"""A time limit for each call of a function of the user, which can contain an endless loop."""

from __future__ import annotations

import contextlib
import ctypes
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from fastqueens.errors import TimeLimitReached

#: Seconds between two looks at the clock.
_PAUSE = 0.05

#: Seconds within which an exception reaches a thread that runs Python code.
_ARRIVAL = 1.0


class _TooLong(BaseException):
    """Raised in the calling thread; ``except Exception`` in the function does not catch it."""


class CallLimit:
    """Calls of functions in this thread, each of which ends after a number of seconds at the latest.

    A thread watches the calls, and raises an exception in this thread when the time is over. This works on all systems
    and in all threads, and costs the function nothing. Code in C and waiting for input are not interrupted.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds, self._caller = seconds, threading.get_ident()
        # The end of the call under way. Whoever takes it out first decides whether the call is interrupted.
        self._ends: list[float] = []
        self._is_over = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="fastqueens-call-limit", daemon=True)

    def __enter__(self) -> Self:
        with contextlib.suppress(RuntimeError):  # without a free thread, there is no limit
            self._watcher.start()
        return self

    def __exit__(self, _kind: type | None, _error: BaseException | None, _where: TracebackType | None) -> None:
        self._is_over.set()
        if self._watcher.ident is not None:
            self._watcher.join()
        _raise_in(self._caller, None)  # in case that something else ended a call at the same time

    def call(self, function: Callable[[list[int]], Any], board: list[int]) -> Any:
        """Return what a function returns for a copy of a board; name the board if it raises or takes too long."""
        ends = self._ends = [time.monotonic() + self._seconds]
        error = None
        try:
            try:
                returned = function(list(board))
            except _TooLong:
                raise
            except BaseException as raised:  # also KeyboardInterrupt: the call has ended in any case
                error = raised
            if not _take_out(ends):
                time.sleep(_ARRIVAL)  # the exception is on its way
                raise _TooLong  # the function has caught it
        except _TooLong:
            message = f"the function did not return within {self._seconds:g} s for the board {board}"
            raise TimeLimitReached(message) from None
        if error is None:
            return returned
        if isinstance(error, Exception):
            error.add_note(f"The function was called with the board {board}.")
        raise error

    def _watch(self) -> None:
        while not self._is_over.wait(_PAUSE):
            ends = self._ends
            if any(end < time.monotonic() for end in ends) and _take_out(ends):
                _raise_in(self._caller, _TooLong)


def _take_out(ends: list[float]) -> bool:
    """Empty a list; return False if another thread has emptied it."""
    try:
        ends.pop()
    except IndexError:
        return False
    return True


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raise an exception in a thread as soon as it runs Python code; None takes back one that is on its way."""
    raised = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
