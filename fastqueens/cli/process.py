"""One run of the command line as a process: its signals, its progress line and its end.

Compiling, the first touch of memory, flushing a file and a slice of a kernel cannot be interrupted. So the work runs in
a thread that can be abandoned; the main thread waits for its end or for a signal, and draws the progress line. Imports
little, since Ctrl-C is handled only after this file is loaded.
"""

from __future__ import annotations

import contextlib
import os
import queue
import select
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import NoReturn

from fastqueens import __version__
from fastqueens.core.errors import printable
from fastqueens.core.progress import Display

SOLVED = 0
NOT_SOLVED = 1
BAD_INPUT = 2
NO_SOLUTION = 3
INTERNAL_ERROR = 70
INTERRUPTED = 130
CLOSED_PIPE = 141

_SIGNALS = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "terminated"}

#: Seconds that the work has to end by itself after a signal.
_GRACE = 0.05

#: Printed if the work needs longer, because it keeps what is finished.
_STOPPING = "stopping; Ctrl-C again ends at once\n"

#: Ends the message if work that could have kept a part has none.
NOTHING_FINISHED = "nothing was finished"

#: Seconds between two looks for a signal that has not woken the main thread: it came just before the wait began, or
#: another thread received it.
_LOOK = 0.2


class Session:
    """One run of the command line: its stop event and its progress line."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.display = Display()
        #: What follows the word "interrupted" if the run is.
        self.hint = ""
        #: Seconds that the work may take, if there is a limit.
        self.time_limit: float | None = None
        #: The stages of the work of which what is finished is kept after a signal: none before something is finished,
        #: and None if nothing is kept.
        self.kept: tuple[str, ...] | None = None
        #: Whether it was said which part of the work is finished.
        self.is_part_told = False

    @property
    def early_end(self) -> tuple[int, str]:
        """The exit code of work that has not come to its end, and why."""
        if self.stop.is_set() or self.time_limit is None:
            return INTERRUPTED, "Interrupted"
        return NOT_SOLVED, f"The time limit of {self.time_limit:g} s is reached"


def run_in_worker(work: Callable[[Session], int]) -> NoReturn:
    """Do the work in a separate thread, and exit with the code that it returns, or with 128 + the signal received."""
    session = Session()
    # A queue in C: an exception from a signal cannot leave its lock held, as in the Python code of threading.Event.
    exit_codes: queue.SimpleQueue[int] = queue.SimpleQueue()
    worker = threading.Thread(target=_work, args=(work, session, exit_codes), daemon=True)
    try:
        # A signal that was ignored at the start (nohup, a background job) stays ignored.
        heard = [number for number in _numbers() if signal.getsignal(number) != signal.SIG_IGN]
        _listen(heard)
        worker.start()
        # Without tearing down the interpreter (0.2 s with numba loaded); all output has been flushed.
        os._exit(_wait(exit_codes, session))
    except _Signalled as signalled:
        is_kept = session.display.stage in (session.kept or ())
        session.stop.set()
        try:
            exit_codes.get(timeout=_GRACE)
            is_over = True
        except queue.Empty:
            is_over = is_kept and _let_finish(exit_codes, session, heard)
        nothing = f", and {NOTHING_FINISHED}" if session.kept == () else ""
        interrupted = f"{_SIGNALS[signalled.name]}{nothing}{session.hint}\n"
        _remove_unfinished()
        if not (is_over and session.is_part_told):
            _tell(session, interrupted)
        os._exit(128 + signalled.number)


def _listen(numbers: list[int]) -> None:
    for number in numbers:
        signal.signal(number, _raise_once)


def _let_finish(exit_codes: queue.SimpleQueue[int], session: Session, numbers: list[int]) -> bool:
    """Wait until the work has kept what is finished, or for another signal; tell whether the work is over."""
    try:
        _listen(numbers)
        _tell(session, _STOPPING)
        _wait(exit_codes, session)
    except _Signalled:
        return False
    return True


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


class _Signalled(BaseException):
    """A signal was received; raised in the main thread, whatever it is doing."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.name = signal.Signals(number).name


def _numbers() -> list[int]:
    """Return the signals that this system has: on Windows there is no SIGHUP."""
    return [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]


def _raise_once(number: int, _frame: FrameType | None) -> NoReturn:
    for other in _numbers():
        # With SIG_IGN, Python would report "ignored due to race condition" if another signal has already arrived.
        signal.signal(other, lambda _number, _frame: None)
    raise _Signalled(number)


def _work(work: Callable[[Session], int], session: Session, exit_codes: queue.SimpleQueue[int]) -> None:
    exit_code = INTERNAL_ERROR
    try:
        exit_code = work(session)
    except BaseException as error:
        # Here, since the process ends before the thread could print it: for example, a library cannot be imported.
        report_internal_error(error)
    finally:
        exit_codes.put(exit_code)


def _wait(exit_codes: queue.SimpleQueue[int], session: Session) -> int:
    while True:
        with contextlib.suppress(queue.Empty):
            return exit_codes.get(timeout=session.display.pause or _LOOK)
        if session.display.pause is None:
            continue
        with contextlib.suppress(Exception):  # the work goes on if drawing fails: the terminal may be gone
            session.display.draw()


def _remove_unfinished() -> None:
    # Not imported: if the module is not loaded yet, no file has been started.
    atomic = sys.modules.get("fastqueens.files.atomic")
    remove_unfinished = getattr(atomic, "remove_unfinished", None)
    if remove_unfinished is not None:
        remove_unfinished()


def _tell(session: Session, text: str) -> None:
    # Past Python's buffers, which the work may have locked, and only if it does not block. On Windows, select() knows
    # only sockets.
    if sys.stderr is None:  # then a file can have its number
        return
    with contextlib.suppress(OSError, ValueError):
        if os.name == "nt" or select.select([], [2], [], 0)[1]:
            os.write(2, f"{session.display.erasure()}{text}".encode())
