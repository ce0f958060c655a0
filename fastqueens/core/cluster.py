"""A running Dask cluster as the ``executor`` of long calls: many processes, on one machine or several.

Dask repeats the tasks of a lost worker on another one. Its logs do not reach stderr: if workers or the scheduler are
lost for good, an :class:`InputError` says so in one sentence.
"""

from __future__ import annotations

import asyncio
import logging
import warnings
from collections.abc import Iterator
from concurrent import futures
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from fastqueens import __version__
from fastqueens.core.errors import InputError
from fastqueens.core.executors import Executor

# Seconds that a scheduler has to answer, and again to report a worker.
_TIMEOUT = 3


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
        with client, _explained(f"the scheduler at {address}"):
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
    try:
        import distributed
        from distributed.utils import silence_logging_cmgr
    except ImportError as error:
        raise InputError(f"a cluster needs Dask ({error}): install it with pip install 'fastqueens[cluster]'") from None
    with silence_logging_cmgr(logging.CRITICAL):
        yield distributed


@contextmanager
def _explained(place: str) -> Iterator[None]:
    """Turn Dask's exceptions about lost workers and schedulers into one sentence."""
    from distributed import KilledWorker
    from distributed.comm.core import CommClosedError

    try:
        yield
    except KilledWorker as error:
        lost = error.allowed_failures + 1
        raise InputError(f"{place} has lost {lost} workers one after the other, on the same task") from error
    except (CommClosedError, futures.CancelledError, asyncio.CancelledError) as error:
        raise InputError(f"{place} was lost before the work was done") from error
