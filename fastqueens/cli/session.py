"""What the commands share with the main thread, and the exit codes.

Imports little, since Ctrl-C is handled only after it is loaded.
"""

from __future__ import annotations

import threading
from typing import Any

from fastqueens.cli.progress import Display

SOLVED = 0
NOT_SOLVED = 1
BAD_INPUT = 2
NO_SOLUTION = 3
INTERNAL_ERROR = 70
INTERRUPTED = 130
CLOSED_PIPE = 141


class Session:
    """One run of the command line: its stop event and its progress line."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.display = Display()

    @property
    def callbacks(self) -> dict[str, Any]:
        """The callbacks that the library polls: ``progress`` and ``stop``."""
        return {"progress": self.display.report, "stop": self.stop.is_set}

    def check_stop(self) -> None:
        """Raise :class:`fastqueens.Stopped` after a signal."""
        if self.stop.is_set():
            from fastqueens import Stopped

            raise Stopped("stopped by a signal")
