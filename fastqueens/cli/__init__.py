"""The command line, the only folder that prints. It can import every other folder, and no folder imports it.

Each group of commands has a file, in which the options of a command stand above the function that does its work. This
file holds the process around a command, with its signals and exit codes. ``app`` finds the command, ``options`` has the
options that several commands share, ``inputs`` reads boards and instances, and ``output`` prints.

If a command keeps finished results, the first signal asks its work to stop; long calls do so within a few hundredths of
a second. While results are being written, the first signal lets the command end. Any other signal ends the process
immediately.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from enum import Enum, IntEnum
from types import FrameType
from typing import NoReturn

from fastqueens import __version__
from fastqueens._run.progress import Display
from fastqueens.errors import printable


class ExitCode(IntEnum):
    """The exit codes of the command line. After a signal, the exit code is 128 + the number of the signal."""

    SOLVED = 0
    NOT_SOLVED = 1
    USAGE = 2
    NO_SOLUTION = 3
    INTERNAL = 70
    INTERRUPTED = 130
    CLOSED_PIPE = 141


#: Signals within this many seconds count as one, because closing a terminal can send several.
_TOGETHER = 0.05

#: The signals that end a command, and the words for them. Batch systems send the last three before they kill a job.
_SIGNALS = {
    "SIGINT": "Interrupted",
    "SIGTERM": "Terminated",
    "SIGHUP": "Terminated",
    "SIGUSR1": "Stopped by SIGUSR1",
    "SIGUSR2": "Stopped by SIGUSR2",
    "SIGXCPU": "Stopped by SIGXCPU",
}

#: Parts of the messages about work that stopped before it had a result to keep, and after it had written all results.
NOTHING_FINISHED = "no result yet"
ALL_FINISHED = "all results are written"


class Phase(Enum):
    """The phase of a command, which determines the effect of the first signal."""

    #: The process ends immediately.
    NOTHING_TO_KEEP = 0
    #: The work is asked to stop, and its finished part is kept.
    KEEPS_FINISHED = 1
    #: The work is done. The command goes on until its results are written.
    WRITING = 2


class Session:
    """One run of the command line, with its stop event, its progress line and the reasons for an early end."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.display = Display()
        #: A function that returns a hint, which follows the word "Interrupted".
        self.hint: Callable[[], str] = str
        #: The time limit of the work in seconds, or None.
        self.time_limit: float | None = None
        self.phase = Phase.NOTHING_TO_KEEP
        #: How much is finished at the end, NOTHING_FINISHED or ALL_FINISHED, or "".
        self.finished = ""
        #: Whether a message has already described the finished part of the work.
        self.is_part_told = False
        #: The number of the first signal, or 0, and the time at which it arrived.
        self.signal = 0
        self._since = 0.0

    @property
    def early_end(self) -> tuple[ExitCode, str]:
        """The exit code of work that ends early, and the reason for the early end."""
        if self.stop.is_set() or self.time_limit is None:
            return ExitCode.INTERRUPTED, self._word
        return ExitCode.NOT_SOLVED, f"Stopped at the time limit of {self.time_limit:g} s"

    @property
    def _word(self) -> str:
        """The word for the first signal."""
        return _SIGNALS[signal.Signals(self.signal or signal.SIGINT).name]

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """Handle signals in the ``with`` block. Signals that are ignored before it (nohup, background jobs) stay so."""
        earlier = {}
        for name in _SIGNALS:
            number = getattr(signal, name, None)  # Windows has only the first two
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                earlier[number] = signal.signal(number, self._handle)
        try:
            yield
        finally:
            for number, handler in earlier.items():
                signal.signal(number, handler)

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        # The system repeats SIGXCPU each second.
        if self.signal and (time.monotonic() - self._since < _TOGETHER or number == getattr(signal, "SIGXCPU", None)):
            return
        is_first, self.signal, self._since = not self.signal, self.signal or number, time.monotonic()
        if not is_first or self.phase is Phase.NOTHING_TO_KEEP:
            os._exit(self.end())
        is_stopping = self.phase is Phase.KEEPS_FINISHED
        if is_stopping:
            self.stop.set()
        if not self.is_part_told:
            again = "press Ctrl-C again" if number == signal.SIGINT else "send another signal"
            self._tell(f"{'Stopping' if is_stopping else 'Writing the results'}; {again} to stop immediately.\n")

    def end(self) -> int:
        """Remove unfinished files, print the reason, and return the exit code after a signal."""
        # The module is not imported here: if it is not loaded yet, there are no unfinished files.
        atomic = sys.modules.get("fastqueens.files.atomic")
        remove_unfinished = getattr(atomic, "remove_unfinished", None)
        if remove_unfinished is not None:
            remove_unfinished()
        if not self.is_part_told:
            finished = f"; {self.finished}" if self.finished else ""
            self._tell(f"{self._word}{finished}{self.hint()}.\n")
        return 128 + self.signal

    def _tell(self, text: str) -> None:
        # This bypasses Python's buffers, which the work can be using, and writes only if writing does not block. On
        # Windows, select() accepts only sockets.
        if sys.stderr is None:  # another file can then have its descriptor
            return
        with contextlib.suppress(OSError, ValueError), self.display.covered() as erasure:
            if os.name == "nt" or select.select([], [2], [], 0)[1]:
                os.write(2, f"{erasure}{text}".encode())


def run_to_the_end(work: Callable[[Session], int], leave: Callable[[int], NoReturn]) -> NoReturn:
    """Do the work, and leave with its exit code or, after a signal, with 128 + its number."""
    session = Session()
    with session.listening():
        try:
            exit_code = int(work(session))
        except BaseException as error:  # for example, a library cannot be imported
            exit_code = report_internal_error(error)
        leave(session.end() if session.signal else exit_code)


def report_internal_error(error: BaseException) -> int:
    """Print the traceback on stderr unless it is closed, explain how to report it, and return the exit code."""
    import traceback  # takes 2 ms, and only internal errors need it

    versions = f"fastqueens {__version__}, Python {sys.version.split()[0]}"
    trace = [
        *traceback.format_exception(error),
        f"Error: internal error: {type(error).__name__}: {error} ({versions})\n",
        "Please report it: open an issue in the repository of fastqueens with the command, all lines above and the "
        "output of `fastqueens info`.\n",
    ]
    if sys.stderr is not None:
        sys.stderr.write("\n".join(map(printable, "".join(trace).split("\n"))))
        sys.stderr.flush()
    return ExitCode.INTERNAL
