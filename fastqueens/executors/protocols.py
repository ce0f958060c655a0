"""The interface of executors: ``submit`` as in ``concurrent.futures`` and ``dask.distributed``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol


class Future(Protocol):
    """The result of a call that may still be running, as in ``concurrent.futures``."""

    def add_done_callback(self, callback: Callable[[Any], Any], /) -> None:
        """Call a function, in any thread, as soon as the call has ended."""

    def result(self) -> Any:
        """Return the result, or raise the exception of the call."""

    def cancel(self) -> Any:
        """Skip the call if it has not begun."""


class Executor(Protocol):
    """Something that calls functions elsewhere: a pool of ``concurrent.futures``, a ``dask.distributed.Client``."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future:
        """Begin a call."""
