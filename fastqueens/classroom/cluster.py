"""Studies on many processes and machines, by Dask: what :func:`fastqueens.study` takes as its ``executor``.

Dask runs the batches of a lost worker again on another. Its logs are kept off stderr: what a study has to say of lost
workers and schedulers is said in one sentence.
"""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from concurrent import futures
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from fastqueens import __version__
from fastqueens.board import InputError
from fastqueens.classroom.study import Executor
from fastqueens.solver import check_limit

_MOST_WORKERS = 1024

# Seconds that a scheduler gets to answer, and then to show a worker.
_PATIENCE = 3


@contextmanager
def local_cluster(workers: int) -> Iterator[Executor]:
    """A cluster of processes on this machine, as long as the ``with`` block goes on.

    Parameters
    ----------
    workers : int
        Processes, each with one thread. It takes some seconds until they run.

    Raises
    ------
    InputError
        For a number that cannot be, where Dask is not installed, and where the cluster does not start.
    """
    if workers is None or not 1 <= check_limit(workers, "workers") <= _MOST_WORKERS:
        raise InputError(f"workers is {workers}: it goes from 1 to {_MOST_WORKERS}")
    with (
        _quiet_distributed() as distributed,
        _local_scheduler(workers) as address,
        distributed.Client(address, set_as_default=False) as client,
        _explained("the local cluster"),
    ):
        yield client


@contextmanager
def _local_scheduler(workers: int) -> Iterator[str]:
    """Start localcluster.py, in a session of its own, where signals of the terminal do not come."""
    command = [sys.executable, "-m", "fastqueens.classroom.localcluster", str(workers)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
            env=environment,
            start_new_session=True,
        )
        with process:  # at the end the pipes are closed, which it takes as the sign to leave, and its end is awaited
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            if not address:
                said.seek(0)
                reason = said.read().strip().splitlines()[-1:] or ["it does not say why"]
                raise InputError(f"the local cluster did not start: {reason[0]}")
            yield address


@contextmanager
def connected(address: str) -> Iterator[Executor]:
    """A connection to a running Dask scheduler, as long as the ``with`` block goes on.

    Parameters
    ----------
    address : str
        Of the scheduler: "host:8786", "tcp://host:8786". Its workers need the same version of fastqueens.

    Raises
    ------
    InputError
        Where nothing answers within some seconds, where the scheduler has no workers, and where Dask is not installed.
    """
    with _quiet_distributed() as distributed:
        _check_scheduler(distributed, address)
        with warnings.catch_warnings():
            # Other versions of Dask or NumPy over there do no harm: only whole numbers come back.
            warnings.simplefilter("ignore")
            client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
        with client, _explained(f"the scheduler at {address}"):
            try:
                client.wait_for_workers(1, timeout=_PATIENCE)
            except TimeoutError:
                raise InputError(
                    f"the scheduler at {address} has no workers: start some with dask worker {address}"
                ) from None
            _check_versions(client)
            yield client


def _check_scheduler(distributed: ModuleType, address: str) -> None:
    """Find out whether a scheduler answers: a client that finds none takes long to be closed."""

    async def kind() -> str:
        connection = distributed.Security().get_connection_args("client")
        async with distributed.rpc(address, connection_args=connection, timeout=_PATIENCE) as server:
            return str((await asyncio.wait_for(server.identity(), _PATIENCE))["type"])

    # In a thread of its own: in a notebook this one has a loop already.
    with futures.ThreadPoolExecutor(1) as pool:
        try:
            found = pool.submit(asyncio.run, kind()).result()
        except Exception as error:  # whatever a stranger's answer sets off
            is_silent = isinstance(error, TimeoutError) or not str(error)
            reason = f"nothing within {_PATIENCE} s" if is_silent else str(error).splitlines()[0]
            raise InputError(
                f"no Dask scheduler answers at {address!r} ({reason}); an address reads like 127.0.0.1:8786, and "
                "dask scheduler starts one"
            ) from error
    if found != "Scheduler":
        raise InputError(f"at {address!r} answers a {found.lower()} of Dask, the address of its scheduler is needed")


def _check_versions(client: Any) -> None:
    """Refuse a cluster where fastqueens is another or missing: Dask would wait for ever for such a worker."""

    # Defined in here it travels whole; a function of the module would go by name, which needs fastqueens there.
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
            raise InputError(f"{place} has {has}, and this is {__version__}: a study needs one version everywhere")


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
    """Say in one sentence what Dask raises where workers or the scheduler are lost."""
    from distributed import KilledWorker
    from distributed.comm.core import CommClosedError

    try:
        yield
    except KilledWorker as error:
        lost = error.allowed_failures + 1
        raise InputError(f"{place} has lost {lost} workers one after the other, at the same runs") from error
    except (CommClosedError, futures.CancelledError, asyncio.CancelledError) as error:
        raise InputError(f"{place} was lost, and with it the study") from error
