"""Where a long command works: threads of this process, a local Dask cluster, or a running one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import options
from fastqueens.cli.session import Session
from fastqueens.core.wording import counted

if TYPE_CHECKING:
    from fastqueens.executors.protocols import Executor

_OPTIONS: tuple[Callable[..., Any], ...] = (
    options.threads,
    options.number(
        "--workers", metavar="COUNT", help="Start a local Dask cluster with this many processes, and use it."
    ),
    click.option(
        "--scheduler", metavar="ADDRESS", help="Use the workers of a running Dask scheduler, for example HOST:8786."
    ),
)


def place_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say where to work."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def check_one_place(request: SimpleNamespace) -> None:
    """Raise UsageError if more than one of the options is given."""
    chosen = [f"--{name}" for name in ("threads", "workers", "scheduler") if getattr(request, name) is not None]
    if len(chosen) > 1:
        raise click.UsageError(f"{' and '.join(chosen)}: give one of them.")


def executor_of(session: Session, request: SimpleNamespace) -> AbstractContextManager[Executor | None]:
    """Connect to the cluster that works; None means this process."""
    if request.scheduler is None and request.workers is None:
        return nullcontext()
    from fastqueens.executors.cluster import connected, local_cluster

    if request.scheduler is not None:
        session.display.report(f"connecting to {request.scheduler}")
        return connected(request.scheduler)
    session.display.report(f"starting {counted(request.workers, 'worker')}")
    return local_cluster(request.workers)
