"""Run the tasks of a long call, on threads of this process or on an executor of the caller.

Tasks are created one by one, each when something is free to work on it. So the caller can fit the next task to the
results so far, or create no more of them when the time is up. The results do not depend on where tasks run.
"""

from __future__ import annotations

import itertools
import queue
import threading
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol

from fastqueens import __version__
from fastqueens.core.errors import InputError
from fastqueens.core.threads import Workers, all_cores, checked_threads

# Tasks that an executor has at a time for each worker, so that none is ever idle, and seconds between two polls.
_AHEAD = 3
_PAUSE = 0.1


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


class Task(NamedTuple):
    """A call, and what to do with its result.

    Attributes
    ----------
    function : callable
        On a thread it gets the keyword argument ``stop`` and should call it at least every 0.1 s: it raises
        :class:`Stopped` if the caller wants to stop, and returns True if another task has failed. On an executor it is
        called without ``stop``; other processes import it by its name.
    arguments : tuple
        Plain data, such as numbers, strings, named tuples and small arrays. The result has to follow from them alone:
        Dask makes equal calls only once.
    done : callable
        Gets the result, in this process.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    done: Callable[[Any], None]


def run_tasks(
    tasks: Iterable[Task], poll: Callable[[], None], *, threads: int | None = None, executor: Executor | None = None
) -> None:
    """Run all tasks and return when the last result is passed on.

    ``tasks`` is advanced, and ``poll`` and ``Task.done`` are called, one at a time, but in any of the threads. So they
    may share variables without a lock.

    Parameters
    ----------
    tasks : iterable of Task
        Advanced when a thread is free or the executor can take a further task. The results come in any order.
    poll : callable
        Called at the beginning, after each result and about every 0.1 s: reports the progress, and raises
        :class:`Stopped` if the caller wants to stop.
    threads : int, optional
        All cores by default. With an executor, the number of its workers; by default the executor is asked.
    executor : Executor, optional
        Runs the tasks elsewhere; by default they run in this process. It is not closed.

    Raises
    ------
    InputError
        If ``threads`` is out of range, or a worker of the executor has another version of fastqueens.
    Exception
        The first that a task, ``tasks``, ``poll`` or ``Task.done`` raises. No further task begins then. Threads end
        when their tasks next call ``stop``. Tasks that wait at an executor are cancelled; those that it has begun run
        on.
    """
    at_a_time = calls_at_a_time(threads, executor)
    work = _Work(tasks, poll)
    if executor is None:
        _run_on_threads(work, at_a_time)
    else:
        _run_on_executor(work, executor, at_a_time)


def calls_at_a_time(threads: int | None, executor: Executor | None) -> int:
    """Return how many tasks :func:`run_tasks` runs at a time, for its parameters of the same names."""
    if threads is not None or executor is None:
        return checked_threads(threads)
    # As Dask and the pools of the standard library tell.
    threads_of_each = getattr(executor, "nthreads", None)
    if threads_of_each is not None:
        return int(max(1, sum(threads_of_each().values())))
    size: int = getattr(executor, "_max_workers", all_cores())
    return size


def _run_on_threads(work: _Work, threads: int) -> None:
    """Let each thread take the next task until none is left."""
    errors: list[BaseException] = []

    def should_stop() -> bool:
        if not errors:
            work.poll()
        return bool(errors)

    def take_tasks(_thread: int) -> None:
        try:
            while not errors and (task := work.take()) is not None:
                work.pass_on(task, task.function(*task.arguments, stop=should_stop))
        except BaseException as error:
            errors.append(error)

    with Workers(threads) as workers:
        try:
            workers.each(take_tasks, range(workers.threads))
        except BaseException as error:  # Ctrl-C while this thread waits for the other threads
            errors.append(error)
    if errors:
        raise errors[0]


def _run_on_executor(work: _Work, executor: Executor, workers: int) -> None:
    """Keep some tasks ahead of each worker."""
    numbers = itertools.count()
    pending: dict[int, tuple[Task, Future]] = {}
    ended: queue.SimpleQueue[int] = queue.SimpleQueue()

    def begin(task: Task) -> None:
        number = next(numbers)
        future = executor.submit(_call, __version__, task.function, *task.arguments)
        pending[number] = task, future
        future.add_done_callback(lambda _future: ended.put(number))

    try:
        while True:
            while len(pending) < _AHEAD * workers and (task := work.take()) is not None:
                begin(task)
            if not pending:
                return
            try:
                # Not result(timeout=...): Dask's fails at times if a result arrives just then (distributed #8514).
                task, future = pending.pop(ended.get(timeout=_PAUSE))
            except queue.Empty:
                work.poll()
            else:
                work.pass_on(task, future.result())
    finally:
        for _, future in pending.values():
            future.cancel()


def _call(version: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Make the call of a task in a process of an executor."""
    if version != __version__:
        raise InputError(f"a worker has fastqueens {__version__}, and its caller {version}: both need the same version")
    return function(*arguments)


class _Work:
    """Hands out the tasks one by one, and passes on their results; any thread may call it."""

    def __init__(self, tasks: Iterable[Task], poll: Callable[[], None]) -> None:
        self._tasks = iter(tasks)
        self._poll = poll
        self._lock = threading.Lock()
        self.poll()

    def take(self) -> Task | None:
        """Return the next task; None if all have begun."""
        with self._lock:
            return next(self._tasks, None)

    def pass_on(self, task: Task, result: Any) -> None:
        """Pass on the result of a task, and poll."""
        with self._lock:
            task.done(result)
            self._poll()

    def poll(self) -> None:
        """Call the callbacks of the caller."""
        with self._lock:
            self._poll()
