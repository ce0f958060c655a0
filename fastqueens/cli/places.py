"""Where a long command works: threads of this process, or a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli import options
from fastqueens.cli.session import Session

if TYPE_CHECKING:
    from fastqueens.core.executors import Executor

_OPTIONS: tuple[Callable[..., Any], ...] = (
    options.threads,
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
    """Raise UsageError if both options are given."""
    if request.threads is not None and request.scheduler is not None:
        raise click.UsageError("--threads and --scheduler: give one of them.")


def executor_of(session: Session, request: SimpleNamespace) -> AbstractContextManager[Executor | None]:
    """Connect to the cluster that works; None means this process."""
    if request.scheduler is None:
        return nullcontext()
    from fastqueens.core.cluster import connected

    session.display.report(f"connecting to {request.scheduler}")
    return connected(request.scheduler)
