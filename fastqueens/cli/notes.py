"""What is said on stderr while the work goes on: the progress line, and what the library logs."""

from __future__ import annotations

import logging
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from fastqueens.cli.progress import Display

_COMPILING = "Compiling for this machine. This happens once and takes a few seconds."


@contextmanager
def commented(display: Display, *, quiet: bool = False) -> Iterator[None]:
    """Show progress and notes inside the ``with`` block; neither where ``quiet``."""
    log = logging.getLogger("fastqueens")
    handler = _Notes(display)
    level = log.level
    # Where the home cannot be written to, it says so at length; the picture is the same.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    if not quiet:
        display.open()
        log.addHandler(handler)
        log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
        display.close()


class _Notes(logging.Handler):
    """Shows what the library logs, the compiling of many kernels as one sentence."""

    def __init__(self, display: Display) -> None:
        super().__init__(logging.INFO)
        self._display = display
        self._has_told = False

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if not message.startswith("compiling"):
            self._tell(message)
        elif not self._has_told:
            self._has_told = True
            self._tell(_COMPILING)

    def _tell(self, text: str) -> None:
        self._display.clear()
        if sys.stderr is not None and sys.stderr.isatty():
            text = click.wrap_text(text, shutil.get_terminal_size().columns)
        click.echo(text, err=True)
