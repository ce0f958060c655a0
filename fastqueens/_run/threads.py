"""Threads for kernels that release the GIL. The same calls run on one thread or on several.

They touch the memory of large boards, place queens in tiles, check boards and count attacking pairs. All other long
work runs in ``_run/executors.py``. The calling thread also works. In a pool of the standard library it would only wait,
and placing 10 million queens on two threads would take 17 to 20 % longer.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from graphlib import TopologicalSorter
from queue import SimpleQueue
from typing import Any, Self, TypeVar

from fastqueens._run import clock, thresholds
from fastqueens._run.arguments import check_integer
from fastqueens._run.clock import Clock
from fastqueens._run.progress import slices

A = TypeVar("A")
T = TypeVar("T")

_MOST_THREADS = 1024


def all_cores() -> int:
    """Return the number of processors that this process can use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def workers_for(n: int, threads: int | None) -> Workers:
    """Return workers for a board of n: one for a small board, otherwise ``threads``, by default one per core."""
    asked = checked_threads(threads)
    return Workers(asked if n >= thresholds.current.threads else 1)


def checked_threads(threads: int | None) -> int:
    """Return a number of threads as an int, by default one per core. An invalid one raises :class:`InputError`."""
    return all_cores() if threads is None else check_integer(threads, "threads", 1, _MOST_THREADS)


class Workers:
    """The caller's thread and ``threads - 1`` helpers, which live until the ``with`` block ends.

    The first call with several tasks starts the helpers, which takes about 0.2 ms. If the system refuses to start all
    of them, ``threads`` is lower afterwards.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._has_started = threads == 1
        self._shared: SimpleQueue[_SharedTasks | None] = SimpleQueue()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for _ in range(self.threads - 1):
            self._shared.put(None)

    def each(
        self, work: Callable[[A], T], tasks: Iterable[A], after: Sequence[Collection[int]] | None = None
    ) -> list[T]:
        """Call ``work`` with every task, on all threads, and return the results in the order of the tasks.

        ``after`` lists for each task the numbers of earlier tasks that must end before it starts. A thread takes the
        first task that can start. After an error no further task starts, and the first error is raised here.
        """
        listed = list(tasks)
        if len(listed) > 1 and not self._has_started:
            self._start()
        if len(listed) < 2 or self.threads == 1:
            return [work(task) for task in listed]
        shared = _SharedTasks(work, listed, after)
        for _ in range(self.threads - 1):
            self._shared.put(shared)
        shared.run()
        return shared.finish()

    def rounds(self, work: Callable[[tuple[int, int]], T], total: int, size: int) -> Iterator[tuple[int, list[T]]]:
        """Call ``work`` with slices (first, last) of 0..total, in rounds with one slice per thread.

        After each round, yields the end of its last slice and the results.
        """
        for first, last in slices(total, size * self.threads):
            yield last, self.each(work, slices(last, size, first))

    def _start(self) -> None:
        wanted, self.threads, self._has_started = self.threads, 1, True
        for started in range(1, wanted):
            self.threads += 1
            try:
                threading.Thread(target=self._help, args=(clock.current(),), daemon=True).start()
            except RuntimeError as error:
                self.threads -= 1
                log = logging.getLogger("fastqueens")
                log.info("only %d of %d threads could be started (%s)", started, wanted, error)
                return

    def _help(self, of_caller: Clock) -> None:
        clock.adopt(of_caller)
        while (shared := self._shared.get()) is not None:
            shared.run()


class _SharedTasks:
    """Tasks that several threads take one at a time. A task can be taken when its predecessors have ended."""

    def __init__(self, work: Callable[[Any], Any], tasks: list[Any], after: Sequence[Collection[int]] | None) -> None:
        self._work, self._tasks = work, tasks
        self._results: list[Any] = [None] * len(tasks)
        self._error: BaseException | None = None
        self._order = TopologicalSorter(dict(enumerate(after or [()] * len(tasks))))
        self._order.prepare()
        self._ready = list(self._order.get_ready())
        self._running = 0
        self._changed = threading.Condition()

    def run(self) -> None:
        """Run tasks until none is left or one has failed."""
        try:
            while (number := self._next()) is not None:
                error = None
                try:
                    self._results[number] = self._work(self._tasks[number])
                except BaseException as raised:
                    error = raised
                self._end(number, error)
        except BaseException as error:  # Ctrl-C while this thread waits for a task
            with self._changed:
                self._error = self._error or error
                self._changed.notify_all()

    def finish(self) -> list[Any]:
        """Wait for the tasks on other threads, and return all results or raise the first error."""
        with self._changed:
            while self._running:
                self._changed.wait()
            # A helper that wakes up late still refers to this object, and must not keep the data of the work alive.
            del self._work, self._tasks
        if self._error is not None:
            raise self._error
        return self._results

    def _next(self) -> int | None:
        """Take the first task that can start, or wait for one. Return None if no further task will start."""
        with self._changed:
            while not self._ready and self._order.is_active() and self._error is None:
                self._changed.wait()
            if not self._ready or self._error is not None:
                return None
            self._running += 1
            return self._ready.pop(0)

    def _end(self, number: int, error: BaseException | None) -> None:
        with self._changed:
            self._running -= 1
            self._error = self._error or error
            self._order.done(number)
            if followers := self._order.get_ready():
                self._ready = sorted([*self._ready, *followers])
            self._changed.notify_all()
