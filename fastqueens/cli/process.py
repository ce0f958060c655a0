"""One run of the command line as a process: its signals and its end.

A signal ends the process at once. While the work keeps what is finished, the first signal only asks it to stop, which
long calls do within some hundredths of a second, and the second one ends the process. Python handles signals between
two calls of compiled code. Imports little, since Ctrl-C is handled only after this file is loaded.
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
from types import FrameType
from typing import NoReturn

from fastqueens import __version__
from fastqueens._run.progress import Display
from fastqueens.errors import printable

SOLVED = 0
NOT_SOLVED = 1
BAD_INPUT = 2
NO_SOLUTION = 3
INTERNAL_ERROR = 70
INTERRUPTED = 130
CLOSED_PIPE = 141

_SIGNALS = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "terminated"}

#: Signals that arrive within so many seconds are one: a terminal that is closed can send several.
_TOGETHER = 0.05

_STOPPING = "stopping; Ctrl-C again ends at once\n"

#: Ends the message if work that could have kept a part has none.
NOTHING_FINISHED = "nothing was finished"


class Session:
    """One run of the command line: its stop event and its progress line."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.display = Display()
        #: What follows the word "interrupted" if the run is.
        self.hint = ""
        #: Seconds that the work may take, if there is a limit.
        self.time_limit: float | None = None
        #: Whether the work keeps what is finished after a signal, and whether it stopped before anything was.
        self.keeps_finished = False
        self.has_nothing = False
        #: Whether it was said which part of the work is finished.
        self.is_part_told = False
        #: The first signal, 0 before, and when it came.
        self.signal = 0
        self._since = 0.0

    @property
    def early_end(self) -> tuple[int, str]:
        """The exit code of work that has not come to its end, and why."""
        if self.stop.is_set() or self.time_limit is None:
            return INTERRUPTED, "Interrupted"
        return NOT_SOLVED, f"The time limit of {self.time_limit:g} s is reached"

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
    """Print the traceback and how to report it to stderr; return the exit code.

    A closed stderr is no second error.
    """
    import traceback  # 2 ms, and not needed otherwise

    where = traceback.extract_tb(error.__traceback__)[-1:]
    place = "".join(f"{os.path.basename(frame.filename)}, line {frame.lineno}, " for frame in where)
    lines = [
        *traceback.format_exception(error),
        f"Error: internal error, please report it: {type(error).__name__}: {error} ({place}fastqueens {__version__}, "
        f"Python {sys.version.split()[0]})\n",
        "Open an issue in the repository from which you have fastqueens, with the command, everything above and the "
        "output of `fastqueens info`.\n",
    ]
    if sys.stderr is not None:
        sys.stderr.write("\n".join(map(printable, "".join(lines).split("\n"))))
        sys.stderr.flush()
    return INTERNAL_ERROR
