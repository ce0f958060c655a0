"""Jobs of a long call, on threads of this process or on an executor of the caller.

An executor is a pool of ``concurrent.futures`` or the client of a Dask cluster: many processes, on one machine or
several. Dask repeats the jobs of a lost worker on another one. If the workers, the pool or the scheduler are lost for
good, an :class:`InputError` says so.

Jobs are created one by one, each when a worker is free. The caller can fit the next job to the results so far, or
create no more of them when the time is up.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

from fastqueens import __version__
from fastqueens._run.threads import all_cores, checked_threads
from fastqueens.errors import InputError, Stopped

# Jobs per worker of an executor, so that no worker is ever idle, and seconds between two polls.
_AHEAD = 3
_PAUSE = 0.02

# Seconds after which a cluster is asked again how many workers it has, and that its scheduler has to answer.
_LOOK = 5
_TIMEOUT = 3

# Names of the exceptions with which Dask says that a worker, the scheduler or the client is lost.
_LOST = {"KilledWorker", "CommClosedError", "ClosedClientError"}


class Executor(Protocol):
    """Something that calls functions elsewhere: a pool of ``concurrent.futures``, a ``dask.distributed.Client``."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Any:
        """Begin a call, and return its future."""


class Job(NamedTuple):
    """A call, and the key that comes with its result.

    On a thread, the function gets the keyword argument ``stop``. It should call it at least every 0.1 s, and can return
    or raise anything after ``stop`` has returned True. An executor calls the function without ``stop``: other processes
    import it by its name, and its arguments have to be plain data.
    """

    key: Any
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


def results(
    jobs: Iterable[Job | None],
    poll: Callable[[], None],
    *,
    threads: int | None = None,
    executor: Executor | None = None,
    has_short_jobs: bool = False,
) -> Generator[tuple[Any, Any], None, None]:
    """Run jobs, and yield the key and the result of each as soon as it has ended.

    ``jobs`` and ``poll`` are called in the thread of the caller. ``jobs`` yields None if no job is ready, and is
    asked again after the next result. ``poll`` is called at the beginning, after each result and about every 0.02 s.
    ``threads`` is all cores by default; with an executor, the number of its workers. Threads have a queue only if the
    jobs are short.

    The first error of a job is raised. After it, or when the iterator is closed, calls that have not begun are
    cancelled, and threads are told to stop. If ``poll`` raises :class:`Stopped`, this function first yields the results
    that threads return all the same.
    """
    poll()
    stopping, next_look = threading.Event(), 0.0
    pending: dict[Future[Any], Job] = {}
    workers = checked_threads(threads)
    most = workers * (_AHEAD if has_short_jobs else 1)
    if executor is None:
        pool: Any = ThreadPoolExecutor(workers)
    else:  # the futures of a Dask client are not those of concurrent.futures
        pool = executor.get_executor() if hasattr(executor, "get_executor") else executor
    waiting = iter(jobs)
    try:
        while True:
            if executor is not None and time.monotonic() >= next_look:
                most, next_look = _AHEAD * calls_at_a_time(threads, executor), time.monotonic() + _LOOK
            while len(pending) < most and (job := next(waiting, None)) is not None:
                if executor is None:
                    future = pool.submit(job.function, *job.arguments, stop=stopping.is_set)
                else:
                    with _explained():
                        future = pool.submit(_call, __version__, job.function, *job.arguments)
                pending[future] = job
            if not pending:
                return
            wait(pending, _PAUSE, FIRST_COMPLETED)
            # A pool that is shut down can cancel futures without telling wait().
            ended_now: list[Future[Any] | None] = [future for future in pending if future.done()]
            for ended in ended_now or [None]:
                if ended is not None:
                    with _explained():
                        result = ended.result()
                    yield pending.pop(ended).key, result
                try:
                    poll()
                except Stopped:
                    stopping.set()
                    if executor is None:
                        yield from _ended_early(pending)
                    raise
    finally:
        stopping.set()
        begun = [future for future in pending if not future.cancel()]
        if executor is None:
            # An abandoned iterator can be collected inside the code that ends threads, so none is joined here.
            wait(begun)
            pool.shutdown(wait=False)


def _ended_early(pending: dict[Future[Any], Job]) -> Iterator[tuple[Any, Any]]:
    """Cancel calls that have not begun, and yield the results of those that return one when they have to stop."""
    begun = {future: job for future, job in pending.items() if not future.cancel()}
    for future in wait(begun).done:
        if not future.cancelled() and future.exception() is None:
            yield begun[future].key, future.result()


def calls_at_a_time(threads: int | None, executor: Executor | None) -> int:
    """Return how many jobs :func:`results` runs at a time."""
    if threads is not None or executor is None:
        return checked_threads(threads)
    client = getattr(executor, "_client", executor)
    if hasattr(client, "nthreads"):  # of a Dask cluster
        return int(max(1, sum(client.nthreads().values())))
    size: int = getattr(executor, "_max_workers", all_cores())
    return size


def _call(version: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call the function of a job in a process of an executor."""
    if version != __version__:
        raise InputError(f"a worker has fastqueens {__version__}, and its caller {version}: both need the same version")
    return function(*arguments)


@contextmanager
def _explained() -> Iterator[None]:
    """Turn the exceptions about lost workers, pools and schedulers into one sentence."""
    try:
        yield
    except Exception as error:
        if isinstance(error, CancelledError | BrokenExecutor) or type(error).__name__ in _LOST:
            reason = str(error) or type(error).__name__
            raise InputError(f"the executor was lost before the work was done ({reason})") from error
        raise


@contextmanager
def connected(address: str) -> Iterator[Executor]:
    """Connect to a running Dask scheduler, "host:8786" or "tcp://host:8786", for the duration of a ``with`` block.

    Raises :class:`InputError` if it does not answer within some seconds, it has no workers, they have another version
    of fastqueens, or Dask is not installed.
    """
    try:
        import distributed
    except ImportError as error:
        how = "in a copy of the repository, pip install -e '.[cluster]' installs it"
        raise InputError(f"a cluster needs Dask ({error}): {how}") from None
    for name in ("distributed", "distributed.client", "tornado.application"):  # Dask gives a level to each of them
        logging.getLogger(name).setLevel(logging.CRITICAL)
    _check_scheduler(distributed, address)
    connect: Any = distributed.Client
    with connect(address, timeout=_TIMEOUT, set_as_default=False) as client, _explained():
        found = client.get_versions(packages=["fastqueens"])
        if not found["workers"]:
            raise InputError(f"the scheduler at {address} has no workers: start some with dask worker {address}")
        places = {"this process": found["client"], "the scheduler": found["scheduler"], **found["workers"]}
        versions = {place: there["packages"]["fastqueens"] for place, there in places.items()}
        if len(set(versions.values())) > 1:  # without fastqueens, workers would wait
            raise InputError(f"the version of fastqueens must be the same everywhere, not {versions}")
        yield client


def _check_scheduler(distributed: Any, address: str) -> None:
    """Raise :class:`InputError` if no scheduler answers: connecting a client to another server can take long."""

    async def kind() -> str:
        connection = distributed.Security().get_connection_args("client")
        async with distributed.rpc(address, connection_args=connection, timeout=_TIMEOUT) as server:
            return str((await asyncio.wait_for(server.identity(), _TIMEOUT))["type"])

    # In another thread, because in a notebook this one already runs an event loop.
    with ThreadPoolExecutor(1) as pool:
        try:
            found = pool.submit(asyncio.run, kind()).result()
        except Exception as error:  # an unknown server can answer anything
            found = str(error) or f"nothing within {_TIMEOUT} s"
    if found != "Scheduler":
        raise InputError(
            f"no Dask scheduler answers at {address!r} ({found}); an address reads like 127.0.0.1:8786, and dask "
            "scheduler starts one"
        )
