"""What a command shows on stderr while it works: the progress line and what the library logs."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from fastqueens.cli.progress import Display
from fastqueens.cli.wording import say

_COMPILING = "First use of this command: compiling."


@contextmanager
def progress_and_notes(display: Display, *, quiet: bool = False) -> Iterator[None]:
    """Show progress and notes inside the ``with`` block, unless ``quiet``."""
    log = logging.getLogger("fastqueens")
    handler = _Notes(display)
    level = log.level
    # It warns at length about a home folder that it cannot write to; the picture is the same.
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
    """Prints what the library logs; the compilation of many kernels becomes one sentence."""

    def __init__(self, display: Display) -> None:
        super().__init__(logging.INFO)
        self._display = display
        self._is_compiling_told = False

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if not message.startswith("compiling"):
            self._print(message)
        else:
            if not self._is_compiling_told:
                self._is_compiling_told = True
                self._print(_COMPILING)
            self._display.report("compiling")

    def _print(self, text: str) -> None:
        self._display.clear()
        say(text, err=True)
