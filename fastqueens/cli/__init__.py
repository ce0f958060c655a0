"""The command line: the only folder that prints. It may import every folder, and no folder imports it.

Each group of commands has a file: the options of a command stand above the function that does its work. This file
holds the frame around a command: its process, with signals and exit codes. ``app`` finds the command, ``options`` has
the options that several commands share, ``inputs`` reads boards and instances, and ``output`` prints.

The first signal asks work that keeps finished results to stop, which long calls do within some hundredths of a second.
Any other signal ends the process at once.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from enum import IntEnum
from types import FrameType
from typing import NoReturn

from fastqueens import __version__
from fastqueens._run.progress import Display
from fastqueens.errors import printable


class ExitCode(IntEnum):
    """The exit codes of the command line; after a signal, it is 128 + the number of the signal."""

    SOLVED = 0
    NOT_SOLVED = 1
    USAGE = 2
    NO_SOLUTION = 3
    INTERNAL = 70
    INTERRUPTED = 130
    CLOSED_PIPE = 141


#: Signals that arrive within so many seconds are one: a terminal that is closed can send several.
_TOGETHER = 0.05

_SIGNALS = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "terminated"}

_STOPPING = "stopping; Ctrl-C again ends at once\n"

#: Ends the message if work that keeps finished results has none.
NOTHING_FINISHED = "nothing was finished"


class Session:
    """One run of the command line: its stop event, its progress line, and how it can end early."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.display = Display()
        #: Follows the word "interrupted".
        self.hint = ""
        #: Seconds that the work may take, if there is a limit.
        self.time_limit: float | None = None
        #: Whether the work keeps finished results after a signal, and whether it stopped before there was one.
        self.keeps_finished = False
        self.has_nothing = False
        #: Whether a message has named the finished part of the work.
        self.is_part_told = False
        #: The first signal, 0 before, and when it came.
        self.signal = 0
        self._since = 0.0

    @property
    def early_end(self) -> tuple[ExitCode, str]:
        """The exit code of work that ends early, and the reason."""
        if self.stop.is_set() or self.time_limit is None:
            return ExitCode.INTERRUPTED, "Interrupted"
        return ExitCode.NOT_SOLVED, f"The time limit of {self.time_limit:g} s is reached"

    def listen(self) -> None:
        """Handle signals from now on. One that was ignored at the start (nohup, a background job) stays ignored."""
        for name in _SIGNALS:
            number = getattr(signal, name, None)  # Windows has no SIGHUP
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self._handle)

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        if self.signal and time.monotonic() - self._since < _TOGETHER:
            return
        is_first, self.signal, self._since = not self.signal, self.signal or number, time.monotonic()
        if is_first and self.keeps_finished:
            self.stop.set()
            if not self.is_part_told:
                self._tell(_STOPPING)
        else:
            self.end()

    def end(self) -> NoReturn:
        """End the process after a signal: remove unfinished files, and say why."""
        # Not imported: if the module is not loaded yet, no file has been started.
        atomic = sys.modules.get("fastqueens.files.atomic")
        remove_unfinished = getattr(atomic, "remove_unfinished", None)
        if remove_unfinished is not None:
            remove_unfinished()
        if not self.is_part_told:
            nothing = f", and {NOTHING_FINISHED}" if self.has_nothing else ""
            self._tell(f"{_SIGNALS[signal.Signals(self.signal).name]}{nothing}{self.hint}\n")
        os._exit(128 + self.signal)

    def _tell(self, text: str) -> None:
        # Past Python's buffers, which the work may be using, and only if it does not block. On Windows, select() knows
        # only sockets.
        if sys.stderr is None:  # then a file can have its number
            return
        with contextlib.suppress(OSError, ValueError), self.display.covered() as erasure:
            if os.name == "nt" or select.select([], [2], [], 0)[1]:
                os.write(2, f"{erasure}{text}".encode())


def run_to_the_end(work: Callable[[Session], int]) -> NoReturn:
    """Do the work, and exit with the code that it returns, or with 128 + the signal received."""
    session = Session()
    session.listen()
    try:
        exit_code = work(session)
    except BaseException as error:  # for example, a library cannot be imported
        exit_code = report_internal_error(error)
    if session.signal:
        session.end()
    # Without tearing down the interpreter (0.2 s with numba loaded); all output has been flushed.
    os._exit(exit_code)


def report_internal_error(error: BaseException) -> int:
    """Print the traceback to stderr, and how to report it; return the exit code. A closed stderr is not an error."""
    import traceback  # 2 ms, and not needed otherwise

    versions = f"fastqueens {__version__}, Python {sys.version.split()[0]}"
    trace = [
        *traceback.format_exception(error),
        f"Error: internal error, please report it: {type(error).__name__}: {error} ({versions})\n",
        "Open an issue in the repository from which you have fastqueens, with the command, everything above and the "
        "output of `fastqueens info`.\n",
    ]
    if sys.stderr is not None:
        sys.stderr.write("\n".join(map(printable, "".join(trace).split("\n"))))
        sys.stderr.flush()
    return ExitCode.INTERNAL
