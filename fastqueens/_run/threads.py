"""Threads for kernels that release the GIL: the same calls on one thread or on many.

They touch the memory of large boards, place queens in tiles, check boards, and count attacking pairs. Everything else
that takes long runs in ``_run/executors.py``. The caller works too: if it only waits, as with a pool of the standard
library, placing 10 million queens on two threads takes 17 to 20 % longer.
"""

from __future__ import annotations

import bisect
import logging
import os
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from queue import SimpleQueue
from typing import Any, Self, TypeVar

from fastqueens._run import thresholds
from fastqueens._run.arguments import check_integer
from fastqueens._run.progress import slices

A = TypeVar("A")
T = TypeVar("T")

_MOST_THREADS = 1024


def all_cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def workers_for(n: int, threads: int | None) -> Workers:
    """Return ``threads`` workers for a board of n, by default one per core; only one if the board is small."""
    asked = checked_threads(threads)
    return Workers(asked if n >= thresholds.current.threads else 1)


def checked_threads(threads: int | None) -> int:
    """Return a number of threads as an int, by default one per core; raise :class:`InputError` if it is wrong."""
    return all_cores() if threads is None else check_integer(threads, "threads", 1, _MOST_THREADS)


class Workers:
    """The caller's thread and ``threads - 1`` helpers, which live as long as the ``with`` block.

    The first call with several tasks starts the helpers, which takes about 0.2 ms. From then on, ``threads`` is lower
    if the system refuses to start more.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._has_started = threads == 1
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for _ in range(self.threads - 1):
            self._jobs.put(None)

    def each(
        self, work: Callable[[A], T], tasks: Iterable[A], after: Sequence[Collection[int]] | None = None
    ) -> list[T]:
        """Call ``work`` with every task, on all threads, and return the results in the order of the tasks.

        ``after`` lists for each task the numbers of earlier tasks that must be done before it begins. A thread takes
        the first of the tasks that can begin. After an error no further task begins; the first error is raised here.
        """
        listed = list(tasks)
        if len(listed) > 1 and not self._has_started:
            self._start()
        if len(listed) < 2 or self.threads == 1:
            return [work(task) for task in listed]
        job = _Job(work, listed, after)
        for _ in range(self.threads - 1):
            self._jobs.put(job)
        job.run()
        return job.finish()

    def rounds(self, work: Callable[[tuple[int, int]], T], total: int, size: int) -> Iterator[tuple[int, list[T]]]:
        """Call ``work`` with slices (first, last) of 0..total, on each thread one at a time.

        Yields after each round the end of its last slice and the results.
        """
        for first, last in slices(total, size * self.threads):
            yield last, self.each(work, slices(last, size, first))

    def _start(self) -> None:
        wanted, self.threads, self._has_started = self.threads, 1, True
        for started in range(1, wanted):
            self.threads += 1
            try:
                threading.Thread(target=self._help, daemon=True).start()
            except RuntimeError as error:
                self.threads -= 1
                log = logging.getLogger("fastqueens")
                log.info("only %d of %d threads could be started (%s)", started, wanted, error)
                return

    def _help(self) -> None:
        while (job := self._jobs.get()) is not None:
            job.run()


class _Job:
    """Tasks that several threads take, one at a time, each when the tasks it comes after are done.

    2,000 empty tasks take twice as long with graphlib.TopologicalSorter, on one, two and three threads.
    """

    def __init__(self, work: Callable[[Any], Any], tasks: list[Any], after: Sequence[Collection[int]] | None) -> None:
        self._work, self._tasks, self._total = work, tasks, len(tasks)
        self._results: list[Any] = [None] * len(tasks)
        self._error: BaseException | None = None
        self._followers: list[list[int]] = [[] for _ in tasks]
        self._missing = [0] * len(tasks)
        for number, earlier in enumerate(after or ()):
            self._missing[number] = len(earlier)
            for other in earlier:
                self._followers[other].append(number)
        self._ready = [number for number, missing in enumerate(self._missing) if missing == 0]
        self._begun = self._ended = 0
        self._changed = threading.Condition()

    def run(self) -> None:
        """Work until every task has begun, or one has failed."""
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
        """Wait for the tasks that other threads have begun, and return all results, or raise the first error."""
        with self._changed:
            while self._ended < self._begun:
                self._changed.wait()
            # A helper that wakes up late still has this job, and not what the work needed, for example bitsets.
            del self._work, self._tasks
        if self._error is not None:
            raise self._error
        return self._results

    def _next(self) -> int | None:
        """Take the first task that can begin, and wait for one if necessary; None if all have begun or one failed."""
        with self._changed:
            while not self._ready and self._begun < self._total and self._error is None:
                self._changed.wait()
            if not self._ready or self._error is not None:
                return None
            self._begun += 1
            if self._begun == self._total:
                self._changed.notify_all()
            return self._ready.pop(0)

    def _end(self, number: int, error: BaseException | None) -> None:
        with self._changed:
            self._ended += 1
            self._error = self._error or error
            for follower in self._followers[number]:
                self._missing[follower] -= 1
                if self._missing[follower] == 0:
                    bisect.insort(self._ready, follower)
            if self._error is not None or self._ended == self._begun:
                self._changed.notify_all()
            # This thread takes one of them itself.
            self._changed.notify(max(0, len(self._ready) - 1))
