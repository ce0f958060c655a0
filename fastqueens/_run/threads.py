"""Threads for kernels that release the GIL. The same calls run on one thread or on several.

They touch the memory of large boards, place queens in tiles, check boards and count attacking pairs. All other long
work runs in ``_run/executors.py``. The calling thread also works. In a pool of the standard library it would only wait,
and placing 10 million queens on two threads would take 17 to 20 % longer.
"""

from __future__ import annotations

import functools
import logging
import os
import threading
import time
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Final, Self, SupportsIndex, TypeVar

from fastqueens._run import clock, control_groups
from fastqueens._run.arguments import check_integer
from fastqueens._run.clock import Clock
from fastqueens._run.progress import slices

A = TypeVar("A")
T = TypeVar("T")

_MOST_THREADS = 1024

#: Boards of at least this n use several threads. Starting them takes about 0.2 ms.
THREADS: Final = 1 << 18

# Seconds after which a thread that waits for a task looks whether the work is over, and seconds between two looks at
# helpers that still work after an error.
_PAUSE = 0.1
SHORT_PAUSE = 0.001

#: The same for the caller, see ``_next``.
_PAUSE_OF_CALLER = _PAUSE if os.name == "nt" else None


#: The environment variable with the default number of threads.
_VARIABLE = "FASTQUEENS_THREADS"


def all_cores() -> int:
    """Return the number of processors that this process can use."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, _quota()))


@functools.cache  # reading the files takes 0.1 ms, as long as solving a small board
def _quota() -> int:
    return min(control_groups.processors(), default=_MOST_THREADS)


def workers_for(n: int, threads: SupportsIndex | None) -> Workers:
    """Return workers for a board of n: one for a small board, otherwise ``threads``, by default one per core."""
    asked = checked_threads(threads)
    return Workers(asked if n >= THREADS else 1)


def checked_threads(threads: SupportsIndex | None) -> int:
    """Return a number of threads as an int; an invalid one raises :class:`InputError`.

    By default, it is FASTQUEENS_THREADS or, without this environment variable, one per core.
    """
    if threads is not None:
        return check_integer(threads, "threads", 1, _MOST_THREADS)
    text = os.environ.get(_VARIABLE)
    if not text:
        return all_cores()
    number = int(text) if text.isdecimal() else text
    return check_integer(number, f"the environment variable {_VARIABLE}", 1, _MOST_THREADS)


class Helpers:
    """Daemon threads that call functions, at most ``most``; fewer if the system refuses to start them.

    They live until :meth:`close`, or until this object is collected, since an interrupt can skip any call.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._started = 0
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()

    def call(self, function: Callable[[], None]) -> None:
        """Let a helper call a function, and start a helper unless there are enough. This takes about 0.1 ms."""
        if self._started < self.most:
            self._start()
        self._calls.put(function)

    def close(self) -> None:
        """End the helpers after the calls so far."""
        self._calls.put(None)
        if self._started:
            self._end.detach()

    def _start(self) -> None:
        if not self._started:
            self._end = weakref.finalize(self, self._calls.put, None)
        try:
            threading.Thread(target=_help, args=(self._calls, clock.current()), daemon=True).start()
            self._started += 1
        except RuntimeError as error:
            log = logging.getLogger("fastqueens")
            log.info("only %d of %d helper threads could be started (%s)", self._started, self.most, error)
            self.most = self._started


def _help(calls: SimpleQueue[Callable[[], None] | None], of_caller: Clock) -> None:
    """Make the calls in a queue until it holds None, which stays there for the other helpers."""
    clock.adopt(of_caller)
    while (call := calls.get()) is not None:
        call()
        del call  # which refers to the data of the work, and to the owner of this helper
    calls.put(None)


class Workers:
    """The caller's thread and ``threads - 1`` helpers, which live until the ``with`` block ends.

    Ctrl-C can raise KeyboardInterrupt between any two lines that the caller's thread runs. The caller therefore holds
    no lock and is never counted, and nobody waits for something that only the caller does.
    """

    def __init__(self, threads: int) -> None:
        self._helpers = Helpers(threads - 1)

    @property
    def threads(self) -> int:
        """Number of threads; it decreases if the system refuses to start all helpers."""
        return 1 + self._helpers.most

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._helpers.close()

    def each(
        self, work: Callable[[A], T], tasks: Iterable[A], after: Sequence[Collection[int]] | None = None
    ) -> list[T]:
        """Call ``work`` with every task, on all threads, and return the results in the order of the tasks.

        ``after`` lists for each task the numbers of earlier tasks that must end before it starts. After an error no
        further task starts, and an error is raised here when all running tasks have ended.
        """
        listed = list(tasks)
        if len(listed) < 2 or self.threads == 1:
            return [work(task) for task in listed]
        shared = _SharedTasks(work, listed, after)
        try:
            for _ in range(self._helpers.most):
                self._helpers.call(shared.help)
            shared.run(_PAUSE_OF_CALLER)
        finally:
            shared.close()
        return shared.results()

    def rounds(self, work: Callable[[tuple[int, int]], T], total: int, size: int) -> Iterator[tuple[int, list[T]]]:
        """Call ``work`` with slices (first, last) of 0..total, in rounds with one slice per thread.

        After each round, yields the end of its last slice and the results.
        """
        for first, last in slices(total, size * self.threads):
            yield last, self.each(work, slices(last, size, first))


class _SharedTasks:
    """Tasks that several threads take one at a time. A task can be taken when its predecessors have ended.

    Threads share only queues, lists and sets, each of whose methods is atomic.
    """

    def __init__(self, work: Callable[[Any], Any], tasks: list[Any], after: Sequence[Collection[int]] | None) -> None:
        self._work, self._tasks = work, tasks
        self._results: list[Any] = [None] * len(tasks)
        self._errors: list[BaseException] = []
        # A number for each predecessor of a task that has not ended, and for each task that has not ended. Each task
        # that ends takes one; the one that takes 0 is the last.
        self._missing = [list(range(len(set(earlier)))) for earlier in after or [()] * len(tasks)]
        self._unfinished = list(range(len(tasks)))
        self._followers: list[list[int]] = [[] for _ in tasks]
        for number, earlier in enumerate(after or ()):
            for predecessor in set(earlier):
                self._followers[predecessor].append(number)
        self._ready: SimpleQueue[int | None] = SimpleQueue()
        for number, missing in enumerate(self._missing):
            if not missing:
                self._ready.put(number)
        self._is_over = False
        #: The identities of the helpers that take or run tasks.
        self._helpers: set[int] = set()

    def run(self, pause: float | None) -> None:
        """Run tasks until all have ended, or one has failed; see ``_next`` for ``pause``."""
        while (number := self._next(pause)) is not None:
            self._results[number] = self._work(self._tasks[number])
            for follower in self._followers[number]:
                if self._missing[follower].pop() == 0:
                    self._ready.put(follower)
            if self._unfinished.pop() == 0:
                self._end()

    def help(self) -> None:
        """Run tasks in the thread of a helper, and keep the error of one that fails."""
        helper = threading.get_ident()
        self._helpers.add(helper)
        try:
            self.run(_PAUSE)
        except BaseException as error:
            self._errors.append(error)
            self._end()
        finally:
            self._helpers.discard(helper)

    def close(self) -> None:
        """Let no further task start, and wait for the helpers that still run one."""
        self._end()
        while self._unfinished and self._helpers:
            time.sleep(SHORT_PAUSE)
        # A helper that wakes up late still refers to this object, and must not keep the data of the work alive.
        del self._work, self._tasks

    def results(self) -> list[Any]:
        """Return all results, or raise the first error."""
        if self._errors:
            raise self._errors[0]
        return self._results

    def _next(self, pause: float | None) -> int | None:
        """Take a task that can start, or wait for one. Return None if no further task will start.

        Helpers look every ``pause`` seconds whether the work is over, because an interrupt can prevent the caller from
        waking them. The caller must not, because a signal can turn a short wait for a queue into an endless one. On
        Windows, it must, because no signal interrupts a wait there, so Ctrl-C takes effect after it.
        """
        while not self._is_over:
            with suppress(Empty):
                number = self._ready.get(timeout=pause)
                if number is None:  # for the next thread that waits
                    self._ready.put(None)
                return number
        return None

    def _end(self) -> None:
        """Let no further task start, and wake the threads that wait for one."""
        self._is_over = True
        self._ready.put(None)
