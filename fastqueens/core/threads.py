"""Threads for kernels that release the GIL: the same calls on one thread or on many.

They touch memory, place large boards in tiles, check boards, count attacking pairs and solutions, and run studies.

The caller works too, between two barriers. In a pool of the standard library it only waits, and wakes up for each
result on a core that the work could use: two tasks of 1 ms each on two cores take 1.11 ms here, 1.55 ms with the pool.
"""

from __future__ import annotations

import bisect
import os
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Self, TypeVar

from fastqueens.core import thresholds
from fastqueens.core.arguments import check_integer
from fastqueens.core.progress import slices

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

    The first call with several tasks starts the helpers: that takes about 0.2 ms.

    Attributes
    ----------
    threads : int
        Number of threads, from the first call on less than asked for if the system refuses to start more.
    """

    _job: _Job

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._has_started = threads == 1

    def _start(self) -> None:
        threads, self.threads, self._has_started = self.threads, 1, True
        self._barrier = threading.Barrier(1)
        # The real barrier counts the helpers, so the last one must have started.
        self._is_ready = threading.Event()
        try:
            self.threads = 1 + self._start_helpers(threads - 1)
            self._barrier = threading.Barrier(self.threads)
        except BaseException:
            self._barrier.abort()
            raise
        finally:
            self._is_ready.set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._has_started and self.threads > 1:
            self._barrier.abort()

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
            # Tasks come after earlier ones only, so in this order each can begin.
            return [work(task) for task in listed]
        job = self._job = _Job(work, listed, after)
        self._barrier.wait()
        job.run()
        self._barrier.wait()
        del self._job  # or it holds what the work needed, for example bitsets, until the next call
        if job.error is not None:
            raise job.error
        return job.results

    def rounds(self, work: Callable[[tuple[int, int]], T], total: int, size: int) -> Iterator[tuple[int, list[T]]]:
        """Call ``work`` with slices (first, last) of 0..total, on each thread one at a time.

        Yields after each round the end of its last slice and the results.
        """
        for first, last in slices(total, size * self.threads):
            yield last, self.each(work, slices(last, size, first))

    def _start_helpers(self, wanted: int) -> int:
        """Start the helpers and return how many have started."""
        for started in range(wanted):
            try:
                threading.Thread(target=self._help, daemon=True).start()
            except RuntimeError as error:
                import logging

                log = logging.getLogger("fastqueens")
                log.info("only %d of %d threads could be started (%s)", started + 1, wanted + 1, error)
                return started
        return wanted

    def _help(self) -> None:
        self._is_ready.wait()
        try:
            while True:
                self._barrier.wait()
                self._job.run()
                self._barrier.wait()
        except threading.BrokenBarrierError:
            pass


class _Job:
    """Tasks that several threads take, one at a time, each when the tasks it comes after are done.

    2,000 empty tasks take twice as long with graphlib.TopologicalSorter, on one, two and three threads.
    """

    def __init__(self, work: Callable[[Any], Any], tasks: list[Any], after: Sequence[Collection[int]] | None) -> None:
        self.tasks = tasks
        self.results: list[Any] = [None] * len(tasks)
        self.error: BaseException | None = None
        self._work = work
        self._followers: list[list[int]] = [[] for _ in tasks]
        self._missing = [0] * len(tasks)
        for number, earlier in enumerate(after or ()):
            self._missing[number] = len(earlier)
            for other in earlier:
                self._followers[other].append(number)
        self._ready = [number for number, missing in enumerate(self._missing) if missing == 0]
        self._begun = 0
        self._changed = threading.Condition()

    def run(self) -> None:
        """Work until every task has begun."""
        try:
            while (number := self._next()) is not None:
                self.results[number] = self._work(self.tasks[number])
                self._done(number)
        except BaseException as error:
            with self._changed:
                self.error = self.error or error
                self._changed.notify_all()

    def _next(self) -> int | None:
        """Take the first task that can begin, and wait for one if necessary; None if all have begun or one failed."""
        with self._changed:
            while not self._ready and self._begun < len(self.tasks) and self.error is None:
                self._changed.wait()
            if not self._ready or self.error is not None:
                return None
            self._begun += 1
            if self._begun == len(self.tasks):
                self._changed.notify_all()
            return self._ready.pop(0)

    def _done(self, number: int) -> None:
        with self._changed:
            for follower in self._followers[number]:
                self._missing[follower] -= 1
                if self._missing[follower] == 0:
                    bisect.insort(self._ready, follower)
            # This thread takes one of them itself.
            self._changed.notify(max(0, len(self._ready) - 1))
