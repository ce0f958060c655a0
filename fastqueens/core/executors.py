"""Run the tasks of a long call, on threads of this process or on an executor of the caller.

The executor may be a running Dask cluster: many processes, on one machine or several. Dask repeats the tasks of a lost
worker on another one. If workers, a pool or the scheduler are lost for good, an :class:`InputError` says so in one
sentence; the logs of Dask do not reach stderr.

Tasks are created one by one, each when something is free to work on it. So the caller can fit the next task to the
results so far, or create no more of them when the time is up. The results do not depend on where tasks run.
"""

from __future__ import annotations

import contextlib
import itertools
import queue
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any, NamedTuple, Protocol

from fastqueens import __version__
from fastqueens.core.errors import InputError
from fastqueens.core.threads import Workers, all_cores, checked_threads

# Tasks that an executor has at a time for each worker, so that none is ever idle, and seconds between two polls.
_AHEAD = 3
_PAUSE = 0.1

# Seconds after which an executor is asked again how many workers it has.
_LOOK = 5

# Seconds that a scheduler has to answer, and again to report a worker.
_TIMEOUT = 3


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
    tasks: Iterable[Task | None],
    poll: Callable[[], None],
    *,
    threads: int | None = None,
    executor: Executor | None = None,
) -> None:
    """Run all tasks and return when the last result is passed on.

    ``tasks`` is advanced, and ``poll`` and ``Task.done`` are called, one at a time, but in any of the threads. So they
    may share variables without a lock.

    Parameters
    ----------
    tasks : iterable of Task or None
        Advanced when a thread is free or the executor can take a further task. The results come in any order. None
        means that there is no task now: it is advanced again after the next result.
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
        If ``threads`` is out of range, a worker of the executor has another version of fastqueens, or the executor is
        lost: its scheduler or pool has ended, or it has cancelled the tasks.
    Exception
        The first that a task, ``tasks``, ``poll`` or ``Task.done`` raises. No further task begins then. Threads end
        when their tasks next call ``stop``. Tasks that wait at an executor are cancelled; those that it has begun run
        on.
    """
    work = _Work(tasks, poll)
    if executor is None:
        _run_on_threads(work, checked_threads(threads))
    else:
        with _explained(executor):
            _run_on_executor(work, executor, threads)


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
            while not errors and (task := work.take(errors)) is not None:
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


def _run_on_executor(work: _Work, executor: Executor, threads: int | None) -> None:
    """Keep some tasks ahead of each worker; further workers may come at any time."""
    next_look = 0.0
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
            if time.monotonic() >= next_look:
                most, next_look = _AHEAD * calls_at_a_time(threads, executor), time.monotonic() + _LOOK
            while len(pending) < most and (task := work.take()) is not None:
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
        with contextlib.suppress(Exception):  # a closed client cancels nothing more
            for _, future in pending.values():
                future.cancel()


def _call(version: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Make the call of a task in a process of an executor."""
    if version != __version__:
        raise InputError(f"a worker has fastqueens {__version__}, and its caller {version}: both need the same version")
    return function(*arguments)


class _Work:
    """Hands out the tasks one by one, and passes on their results; any thread may call it."""

    def __init__(self, tasks: Iterable[Task | None], poll: Callable[[], None]) -> None:
        self._tasks = iter(tasks)
        self._poll = poll
        self._running = 0
        self._lock = threading.Condition(threading.Lock())
        self.poll()

    def take(self, errors: Sequence[BaseException] | None = None) -> Task | None:
        """Return the next task; None if there is none now, or, given the errors so far, none until the end."""
        with self._lock:
            while (task := next(self._tasks, None)) is None and self._running and errors is not None and not errors:
                self._lock.wait(_PAUSE)
            self._running += task is not None
            return task

    def pass_on(self, task: Task, result: Any) -> None:
        """Pass on the result of a task, and poll."""
        with self._lock:
            self._running -= 1
            self._lock.notify_all()
            task.done(result)
            self._poll()

    def poll(self) -> None:
        """Call the callbacks of the caller."""
        with self._lock:
            self._poll()


@contextmanager
def connected(address: str) -> Iterator[Executor]:
    """Connect to a running Dask scheduler for the duration of a ``with`` block.

    Parameters
    ----------
    address : str
        Address of the scheduler: "host:8786", "tcp://host:8786". Its workers need the same version of fastqueens.

    Raises
    ------
    InputError
        If nothing answers within some seconds, the scheduler has no workers, or Dask is not installed.
    """
    with _quiet_distributed() as distributed:
        _check_scheduler(distributed, address)
        with warnings.catch_warnings():
            # Workers may have other versions of Dask and NumPy: they return plain data only.
            warnings.simplefilter("ignore")
            client = distributed.Client(address, timeout=_TIMEOUT, set_as_default=False)
        with client, _explained(client):
            try:
                client.wait_for_workers(1, timeout=_TIMEOUT)
            except TimeoutError:
                raise InputError(
                    f"the scheduler at {address} has no workers: start some with dask worker {address}"
                ) from None
            _check_versions(client)
            yield client


def _check_scheduler(distributed: ModuleType, address: str) -> None:
    """Raise :class:`InputError` if no scheduler answers. A client would notice too, but takes long to close then."""
    import asyncio
    from concurrent import futures

    async def kind() -> str:
        connection = distributed.Security().get_connection_args("client")
        async with distributed.rpc(address, connection_args=connection, timeout=_TIMEOUT) as server:
            return str((await asyncio.wait_for(server.identity(), _TIMEOUT))["type"])

    # In another thread, because in a notebook this one already runs an event loop.
    with futures.ThreadPoolExecutor(1) as pool:
        try:
            found = pool.submit(asyncio.run, kind()).result()
        except Exception as error:  # an unknown server may answer anything
            is_silent = isinstance(error, TimeoutError) or not str(error)
            reason = f"nothing within {_TIMEOUT} s" if is_silent else str(error).splitlines()[0]
            raise InputError(
                f"no Dask scheduler answers at {address!r} ({reason}); an address reads like 127.0.0.1:8786, and "
                "dask scheduler starts one"
            ) from error
    if found != "Scheduler":
        raise InputError(f"{address!r} is the address of a Dask {found.lower()}: that of its scheduler is needed")


def _check_versions(client: Any) -> None:
    """Raise :class:`InputError` unless all machines have this version: without fastqueens, Dask waits forever."""

    # A nested function is sent as code; a function of this module would be imported there by its name.
    def version() -> str | None:
        try:
            import fastqueens
        except ImportError:
            return None
        return fastqueens.__version__

    found = {"the scheduler": client.run_on_scheduler(version)}
    found.update({f"the worker at {address}": there for address, there in client.run(version).items()})
    for place, there in found.items():
        if there != __version__:
            has = "no fastqueens" if there is None else f"fastqueens {there}"
            raise InputError(f"{place} has {has}, and this is {__version__}: all machines need the same version")


@contextmanager
def _quiet_distributed() -> Iterator[ModuleType]:
    import logging

    try:
        import distributed
        from distributed.utils import silence_logging_cmgr
    except ImportError as error:
        how = "in a copy of the repository, pip install '.[cluster]' installs it"
        raise InputError(f"a cluster needs Dask ({error}): {how}") from None
    with silence_logging_cmgr(logging.CRITICAL):
        yield distributed


@contextmanager
def _explained(executor: Any) -> Iterator[None]:
    """Turn the exceptions about lost workers, pools and schedulers into one sentence."""
    import asyncio
    from concurrent import futures

    lost: tuple[type[BaseException], ...] = (futures.CancelledError, asyncio.CancelledError, futures.BrokenExecutor)
    distributed = sys.modules.get("distributed")
    is_dask = distributed is not None and isinstance(executor, distributed.Client)
    place = "the executor"
    if is_dask:
        from distributed import KilledWorker, client
        from distributed.comm.core import CommClosedError

        # A closed client raises either of the last two; the first of them is new in Dask.
        lost += (KilledWorker, CommClosedError, getattr(client, "ClosedClientError", AttributeError), AttributeError)
        place = f"the scheduler at {getattr(executor.scheduler, 'address', 'an unknown address')}"
    try:
        yield
    except lost as error:
        if isinstance(error, AttributeError) and executor.status == "running":
            raise
        what = "was lost before the work was done"
        if is_dask and isinstance(error, KilledWorker):
            what = f"has lost {error.allowed_failures + 1} workers one after the other, on the same task"
        raise InputError(f"{place} {what}") from error
