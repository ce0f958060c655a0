"""Run the tasks of a long call, on threads of this process or on an executor of the caller.

An executor is a pool of ``concurrent.futures`` or the client of a Dask cluster: many processes, on one machine or
several. Dask repeats the tasks of a lost worker on another one. If the workers, the pool or the scheduler are lost for
good, an :class:`InputError` says so.

Tasks are created one by one, each when something is free to work on it. So the caller can fit the next task to the
results so far, or create no more of them when the time is up.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from types import ModuleType
from typing import Any, NamedTuple, Protocol

from fastqueens import __version__
from fastqueens._run.threads import all_cores, checked_threads
from fastqueens.errors import InputError, Stopped

# Tasks at a time for each worker of an executor, so that none is ever idle, and seconds between two polls.
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

    On a thread, the function gets the keyword argument ``stop``: it should call it at least every 0.1 s, and may end
    in any way if it returns True. On an executor it is called without ``stop``, and other processes import it by its
    name; its arguments have to be plain data.
    """

    key: Any
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


def results(
    tasks: Iterable[Job | None],
    poll: Callable[[], None],
    *,
    threads: int | None = None,
    executor: Executor | None = None,
    has_short_tasks: bool = False,
) -> Generator[tuple[Any, Any], None, None]:
    """Run tasks, and yield the key and the result of each as soon as it has ended.

    ``tasks`` and ``poll`` are called in the thread of the caller. ``tasks`` yields None if there is no task now, and
    is asked again after the next result. ``poll`` is called at the beginning, after each result and about every 0.02 s.
    ``threads`` is all cores by default; with an executor, the number of its workers. Threads have a queue only if the
    tasks are short.

    The first error of a task is raised. After it, or when the iterator is closed, calls that have not begun are
    cancelled, and threads are told to stop. If ``poll`` raises :class:`Stopped`, so does this, after the results that
    threads return all the same.
    """
    poll()
    stopping, next_look = threading.Event(), 0.0
    pending: dict[Future[Any], Job] = {}
    most = checked_threads(threads) * (_AHEAD if has_short_tasks else 1)
    pool = ThreadPoolExecutor(checked_threads(threads)) if executor is None else _of_futures(executor)
    waiting = iter(tasks)
    try:
        while True:
            if executor is not None and time.monotonic() >= next_look:
                most, next_look = _AHEAD * calls_at_a_time(threads, executor), time.monotonic() + _LOOK
            while len(pending) < most and (task := next(waiting, None)) is not None:
                if executor is None:
                    future = pool.submit(task.function, *task.arguments, stop=stopping.is_set)
                else:
                    with _explained():
                        future = pool.submit(_call, __version__, task.function, *task.arguments)
                pending[future] = task
            if not pending:
                return
            wait(pending, _PAUSE, FIRST_COMPLETED)
            # A pool that is shut down may cancel futures without a word to wait().
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
        for future in pending:
            future.cancel()
        if executor is None:
            pool.shutdown()


def _ended_early(pending: dict[Future[Any], Job]) -> Iterator[tuple[Any, Any]]:
    """Cancel what has not begun, and yield the results of the tasks that return one although they have to stop."""
    begun = {future: task for future, task in pending.items() if not future.cancel()}
    for future in wait(begun).done:
        if not future.cancelled() and future.exception() is None:
            yield begun[future].key, future.result()


def calls_at_a_time(threads: int | None, executor: Executor | None) -> int:
    """Return how many tasks :func:`results` runs at a time, for its parameters of the same names."""
    if threads is not None or executor is None:
        return checked_threads(threads)
    client = getattr(executor, "_client", executor)
    if hasattr(client, "nthreads"):  # of a Dask cluster
        return int(max(1, sum(client.nthreads().values())))
    size: int = getattr(executor, "_max_workers", all_cores())
    return size


def _of_futures(executor: Any) -> Any:
    """Return an executor whose calls return futures of ``concurrent.futures``."""
    return executor.get_executor() if hasattr(executor, "get_executor") else executor


def _call(version: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Make the call of a task in a process of an executor."""
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
    client: Any = distributed.Client
    with client(address, timeout=_TIMEOUT, set_as_default=False) as connection, _explained():
        _check_versions(connection, address)
        yield connection


def _check_scheduler(distributed: ModuleType, address: str) -> None:
    """Raise :class:`InputError` if no scheduler answers. A client of another server would take long to close."""

    async def kind() -> str:
        connection = distributed.Security().get_connection_args("client")
        async with distributed.rpc(address, connection_args=connection, timeout=_TIMEOUT) as server:
            return str((await asyncio.wait_for(server.identity(), _TIMEOUT))["type"])

    # In another thread, because in a notebook this one already runs an event loop.
    with ThreadPoolExecutor(1) as pool:
        try:
            found = pool.submit(asyncio.run, kind()).result()
        except Exception as error:  # an unknown server may answer anything
            found = str(error) or f"nothing within {_TIMEOUT} s"
    if found != "Scheduler":
        raise InputError(
            f"no Dask scheduler answers at {address!r} ({found}); an address reads like 127.0.0.1:8786, and dask "
            "scheduler starts one"
        )


def _check_versions(client: Any, address: str) -> None:
    """Raise :class:`InputError` unless there are workers, all of this version: without fastqueens, Dask waits."""

    # A nested function is sent as code; a function of this module would be imported there by its name.
    def version() -> str:
        try:
            import fastqueens
        except ImportError:
            return "missing"
        return fastqueens.__version__

    found = client.run(version)
    if not found:
        raise InputError(f"the scheduler at {address} has no workers: start some with dask worker {address}")
    for place, there in {"the scheduler": client.run_on_scheduler(version), **found}.items():
        if there != __version__:
            raise InputError(f"{place}: fastqueens is {there}, and here {__version__}; all need the same version")
