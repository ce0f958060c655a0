"""Jobs of a long call, on threads of this process or on an executor of the caller.

An executor is a pool of ``concurrent.futures`` or the client of a Dask cluster, which has many processes on one machine
or several. If a worker is lost, Dask repeats its jobs on another worker. If the workers, the pool or the scheduler are
lost for good, an :class:`InputError` reports it.

Each job is created when a worker is free. The caller can therefore adapt the next job to the results so far, and can
stop creating jobs when the time is up.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, Protocol, SupportsIndex

from fastqueens import __version__
from fastqueens._run.arguments import check_executor
from fastqueens._run.threads import SHORT_PAUSE, Helpers, all_cores, checked_threads
from fastqueens.errors import InputError, Stopped

# Jobs submitted per worker of an executor, which keep all workers busy, and seconds between two polls.
_AHEAD = 3
_PAUSE = 0.02

# Seconds between two queries for the number of workers of a cluster, and the timeout of its scheduler in seconds.
_LOOK = 5
_TIMEOUT = 3

# Names of the exceptions by which Dask reports the loss of a worker, the scheduler or the client.
_LOST = {"KilledWorker", "CommClosedError", "ClosedClientError"}


class Executor(Protocol):
    """An object that calls functions elsewhere: a ``concurrent.futures`` pool or a ``dask.distributed.Client``."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Any:
        """Start a call, and return its future."""


class Job(NamedTuple):
    """A function call, and the key that accompanies its result.

    On a thread, the function receives the keyword argument ``stop``. It should call ``stop`` at least every 0.1 s.
    After ``stop`` returns True, the function can return or raise anything. An executor calls the function without
    ``stop``. Other processes import the function by its name, and its arguments must be plain data.
    """

    key: Any
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


def results(
    jobs: Iterable[Job | None],
    poll: Callable[[], None],
    *,
    threads: SupportsIndex | None = None,
    executor: Executor | None = None,
    has_short_jobs: bool = False,
) -> Generator[tuple[Any, Any], None, None]:
    """Run jobs, and yield the key and the result of each job as soon as it ends.

    ``jobs`` and ``poll`` are called in the thread of the caller. If no job is ready, ``jobs`` yields None and is
    continued after the next result. ``poll`` is called at the beginning, after each result and about every 0.02 s.
    ``threads`` is all cores by default or, with an executor, the number of its workers. Jobs wait in a queue for a
    thread only if they are short.

    The first error of a job is raised. After an error, or when the iterator is closed, calls that have not started are
    cancelled, and threads are told to stop. If ``poll`` raises :class:`Stopped`, this function first yields the results
    that have not been yielded, and those that threads still return.
    """
    poll()
    count = checked_threads(threads)
    runner: _Threads | _Futures
    if executor is None:
        runner = _Threads(count, count * (_AHEAD if has_short_jobs else 1), poll)
    else:
        runner = _Futures(executor, threads)
    waiting = iter(jobs)
    try:
        while True:
            while runner.has_room() and (job := next(waiting, None)) is not None:
                runner.submit(job)
            if not runner.pending:
                return
            ended = runner.next_ended()
            if ended is not None:
                yield ended
            try:
                poll()
            except Stopped:
                yield from runner.ended_early()
                raise
    finally:
        runner.close()


class _Threads:
    """Jobs on threads of this process, or in the caller's thread if the system starts no other thread.

    A pool of the standard library would not do, because KeyboardInterrupt can come while the caller holds one of its
    locks. Here, the caller and the threads only share queues and a set, whose methods are atomic.
    """

    def __init__(self, threads: int, most: int, poll: Callable[[], None]) -> None:
        #: The number of jobs that were submitted and have not ended.
        self.pending = 0
        self._most, self._poll = most, poll
        self._helpers = Helpers(threads)
        self._ended: SimpleQueue[tuple[Any, Any, BaseException | None]] = SimpleQueue()
        # A lock that is released when a job has ended. The caller cannot wait for the queue instead, because a signal
        # can turn a short wait for a queue into an endless one.
        self._wake = threading.Lock()
        self._busy: set[int] = set()
        self._is_over = False

    def has_room(self) -> bool:
        """Return whether another job should be submitted."""
        return self.pending < self._most

    def submit(self, job: Job) -> None:
        """Let a thread run a job as soon as one is free."""
        self.pending += 1
        self._helpers.call(lambda: self._run(job))
        if not self._helpers.most:
            self._run_here(job)

    def next_ended(self) -> tuple[Any, Any] | None:
        """Return the key and the result of a job that has ended, or None after a short time; raise its error."""
        ended = self._take()
        if ended is None:
            return None
        key, result, error = ended
        if error is not None:
            raise error
        return key, result

    def ended_early(self) -> Iterator[tuple[Any, Any]]:
        """Let no job start, tell those that run to stop, and yield the results of those that still return one."""
        self._is_over = True
        while self.pending:
            ended = self._take()
            if ended is not None and ended[2] is None:
                yield ended[:2]

    def close(self) -> None:
        """Tell the jobs to stop, wait for those that run, and end the threads."""
        self._is_over = True
        self._helpers.close()
        while self._busy:
            time.sleep(SHORT_PAUSE)

    def _take(self) -> tuple[Any, Any, BaseException | None] | None:
        """Return the key, the result and the error of a job that has ended, or None after a short time."""
        if self._ended.empty():
            self._wake.acquire(timeout=_PAUSE)
        try:
            ended = self._ended.get_nowait()
        except Empty:
            return None
        self.pending -= 1
        return ended

    def _run(self, job: Job) -> None:
        thread = threading.get_ident()
        self._busy.add(thread)
        self._ended.put((job.key, *_outcome(job, lambda: self._is_over)))
        with suppress(RuntimeError):  # it is released already
            self._wake.release()
        self._busy.discard(thread)

    def _run_here(self, job: Job) -> None:
        """Run a job in the caller's thread, and poll meanwhile."""

        def stop() -> bool:
            try:
                self._poll()
            except Stopped:
                self._is_over = True
            return self._is_over

        self._ended.put((job.key, *_outcome(job, stop)))


def _outcome(job: Job, stop: Callable[[], bool]) -> tuple[Any, BaseException | None]:
    """Return the result of a job and its error, each of which can be None. A job that should stop does not start."""
    try:
        if stop():
            raise CancelledError
        return job.function(*job.arguments, stop=stop), None
    except BaseException as error:
        return None, error


class _Futures:
    """Jobs on an executor of the caller."""

    def __init__(self, executor: Executor, threads: SupportsIndex | None) -> None:
        self.pending: dict[Future[Any], Any] = {}
        self._executor, self._threads = executor, threads
        # Dask clients have futures of another class than concurrent.futures.
        self._pool: Any = executor.get_executor() if hasattr(executor, "get_executor") else executor
        self._look()

    def has_room(self) -> bool:
        """Return whether another job should be submitted."""
        return len(self.pending) < self._most

    def submit(self, job: Job) -> None:
        """Submit a job."""
        with _explained():
            self.pending[self._pool.submit(_call, __version__, job.function, *job.arguments)] = job.key

    def next_ended(self) -> tuple[Any, Any] | None:
        """Return the key and the result of a job that has ended, or None after a short time; raise its error."""
        if time.monotonic() >= self._next_look:
            self._look()
        wait(self.pending, _PAUSE, FIRST_COMPLETED)
        # When a pool is shut down, it can cancel futures without waking wait().
        ended = next((future for future in self.pending if future.done()), None)
        if ended is None:
            return None
        with _explained():
            result = ended.result()
        return self.pending.pop(ended), result

    def ended_early(self) -> Iterator[tuple[Any, Any]]:
        """Yield the results of the jobs that have ended; the others cannot be told to stop."""
        for future, key in self.pending.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                yield key, future.result()

    def close(self) -> None:
        """Cancel the jobs that have not started."""
        for future in self.pending:
            future.cancel()

    def _look(self) -> None:
        """Ask for the number of workers."""
        self._most = _AHEAD * calls_at_a_time(self._threads, self._executor)
        self._next_look = time.monotonic() + _LOOK


def calls_at_a_time(threads: SupportsIndex | None, executor: Executor | None) -> int:
    """Return the number of jobs that :func:`results` runs at a time."""
    check_executor(executor)
    if threads is not None or executor is None:
        return checked_threads(threads)
    client = getattr(executor, "_client", executor)
    if hasattr(client, "nthreads"):  # a Dask cluster
        return int(max(1, sum(client.nthreads().values())))
    size: int = getattr(executor, "_max_workers", all_cores())
    return size


def _call(version: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call the function of a job in a process of an executor."""
    if version != __version__:
        raise InputError(
            f"a worker has fastqueens {__version__}, but its caller has {version}; both need the same version"
        )
    return function(*arguments)


@contextmanager
def _explained() -> Iterator[None]:
    """Turn the exceptions about lost workers, pools and schedulers into an :class:`InputError`."""
    try:
        yield
    except Exception as error:
        if isinstance(error, CancelledError | BrokenExecutor) or type(error).__name__ in _LOST:
            reason = str(error) or type(error).__name__
            raise InputError(
                f"the executor was lost before the work was done ({reason}); start another one, and call again"
            ) from error
        raise


@contextmanager
def connected(address: str) -> Iterator[Executor]:
    """Connect to a running Dask scheduler, "host:8786" or "tcp://host:8786", for the duration of a ``with`` block.

    Raises :class:`InputError` if Dask is not installed, or the scheduler does not answer within a few seconds, has no
    workers, or has workers with another version of fastqueens.
    """
    try:
        import distributed
    except ImportError as error:
        how = "install it with pip install -e '.[cluster]' in a copy of the repository"
        raise InputError(f"a cluster requires Dask ({error}); {how}") from None
    for name in ("distributed", "distributed.client", "tornado.application"):  # Dask sets a level for each of them
        logging.getLogger(name).setLevel(logging.CRITICAL)
    _check_scheduler(distributed, address)
    connect: Any = distributed.Client
    with connect(address, timeout=_TIMEOUT, set_as_default=False) as client, _explained():
        found = client.get_versions(packages=["fastqueens"])
        if not found["workers"]:
            raise InputError(f"the scheduler at {address} has no workers; start some with dask worker {address}")
        places = {"this process": found["client"], "the scheduler": found["scheduler"], **found["workers"]}
        versions = {place: there["packages"]["fastqueens"] for place, there in places.items()}
        if len(set(versions.values())) > 1:  # workers without fastqueens would wait
            raise InputError(f"the version of fastqueens must be the same everywhere, but the versions are {versions}")
        yield client


def _check_scheduler(distributed: Any, address: str) -> None:
    """Raise :class:`InputError` if no scheduler answers. Without this check, connecting can take long."""

    async def kind() -> str:
        connection = distributed.Security().get_connection_args("client")
        try:
            async with distributed.rpc(address, connection_args=connection, timeout=_TIMEOUT) as server:
                return str((await asyncio.wait_for(server.identity(), _TIMEOUT))["type"])
        except Exception as error:  # the answer of an unknown server can cause any error
            return str(error) or f"nothing within {_TIMEOUT} s"

    # This runs in another thread because in a notebook the current thread already has an event loop.
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(asyncio.run, kind()).result()
    if found != "Scheduler":
        raise InputError(
            f"no Dask scheduler answers at {address!r} ({found}); an address looks like 127.0.0.1:8786, and the "
            "command dask scheduler starts a scheduler"
        )
