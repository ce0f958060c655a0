"""What the commands and the main thread share, and the exit codes. Imports little: Ctrl-C is heard only after it."""

from __future__ import annotations

import threading
from typing import Any

from fastqueens.cli.progress import Display

SOLVED = 0
NOT_SOLVED = 1
BAD_INPUT = 2
NO_SOLUTION = 3
FAULT = 70
INTERRUPTED = 130
CLOSED_PIPE = 141


class Session:
    """One run of the command line: the wish to stop, and the progress line."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.display = Display()

    @property
    def hooks(self) -> dict[str, Any]:
        """What the library calls while it works: ``progress`` and ``stop``."""
        return {"progress": self.display.report, "stop": self.stop.is_set}

    def check_stop(self) -> None:
        """Raise :class:`fastqueens.Stopped` after a signal: what was asked for is wanted no more."""
        if self.stop.is_set():
            from fastqueens import Stopped

            raise Stopped("stopped by a signal")
