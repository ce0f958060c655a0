"""One run of the command line: its output and progress, and how signals and limits end it.

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
from collections.abc import Callable, Iterable, Iterator
from enum import Enum, IntEnum
from types import FrameType
from typing import IO, TYPE_CHECKING, ParamSpec, TypedDict, TypeVar

from fastqueens import __version__
from fastqueens._run.progress import Display
from fastqueens.cli.console import closing_terminates
from fastqueens.cli.output import Figures, as_json, columns, data, file_label, say
from fastqueens.errors import Stopped, printable

if TYPE_CHECKING:
    from fastqueens import Instance
    from fastqueens.board import Queens
    from fastqueens.cli.terminal import Terminal
    from fastqueens.pictures.figure import Picture


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
#: Windows has the first three; SIGBREAK is Ctrl-Break.
_SIGNALS = {
    "SIGINT": "Interrupted",
    "SIGTERM": "Terminated",
    "SIGBREAK": "Interrupted",
    "SIGHUP": "Terminated",
    "SIGUSR1": "Stopped by SIGUSR1",
    "SIGUSR2": "Stopped by SIGUSR2",
    "SIGXCPU": "Stopped by SIGXCPU",
}

#: A part of the message about work that stopped before it had a result to keep.
NOTHING_FINISHED = "no result yet"

#: The largest n of a board in JSON.
MOST_IN_JSON = 10_000

#: The most columns of a drawing in a file or a pipe, enough for a board of 1,000 queens.
_MOST_COLUMNS = 2000

_T = TypeVar("_T")
_P = ParamSpec("_P")


class Phase(Enum):
    """The phase of a command, which determines the effect of the first signal."""

    #: The process ends immediately.
    NOTHING_TO_KEEP = 0
    #: The work is asked to stop, and its finished part is kept.
    KEEPS_FINISHED = 1
    #: The work is done. The command goes on until its results are written.
    WRITING = 2


class Calls(TypedDict):
    """The callbacks that the library calls regularly."""

    progress: Callable[[str, int, int], None]
    stop: Callable[[], bool]


class Numbering(TypedDict):
    """From which number rows are counted, and on which side drawings show the first row."""

    rows_from: int
    origin: str


class Session:
    """One run of the command line, from the start of the process to its exit code.

    The process creates it before slow imports, so that signals are handled from the beginning. When the command line is
    read, :meth:`begin` stores what its options ask for, and the command receives the session as its first argument.

    Results go to stdout. The report about them also goes to stdout or, if stdout has data, to stderr. With --quiet
    there is no report, and with --json it consists of the warnings only.
    """

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.display = Display(_look_of_progress)
        self.callbacks: Calls = {"progress": self.progress, "stop": self.is_stopped}
        self.begin()
        #: A function that returns a hint, which follows the word "Interrupted" or what is kept.
        self.hint: Callable[[], str] = str
        self.phase = Phase.NOTHING_TO_KEEP
        #: Whether the result is only a part, because of a signal or the time limit. The part is kept.
        self.is_partial = False
        #: How much is finished at the end of the process, or "".
        self.finished = ""
        #: The number of the first signal, or 0, and the time at which it arrived.
        self.signal, self._since = 0, 0.0
        # The time limit of the work in seconds, whether work that keeps results has ended, and whether a message has
        # already described its finished part.
        self._time_limit: float | None = None
        self._is_done = self._is_part_told = False

    def begin(self, *, quiet: bool = False, as_json: bool = False, rows_from: int = 0, origin: str = "upper") -> None:
        """Store what the options ask for. Rows are counted from ``rows_from``, and drawn from the side ``origin``."""
        self.quiet, self.as_json, self.rows_from, self.origin = quiet, as_json, rows_from, origin
        self.numbering: Numbering = {"rows_from": rows_from, "origin": origin}
        self.has_data_on_stdout = as_json

    # Signals

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """Handle signals in the ``with`` block. Signals that are ignored before it (nohup, background jobs) stay so."""
        earlier = {}
        for name in _SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                earlier[number] = signal.signal(number, self._handle)
        try:
            with closing_terminates():
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
        if not self._is_part_told:
            again = "press Ctrl-C again" if number == signal.SIGINT else "send another signal"
            self._tell(f"{'Stopping' if is_stopping else 'Writing the results'}; {again} to stop immediately.\n")

    def end(self) -> int:
        """Remove unfinished files, print the reason, and return the exit code after a signal."""
        # The module is not imported here: if it is not loaded yet, there are no unfinished files.
        atomic = sys.modules.get("fastqueens.files.atomic")
        remove_unfinished = getattr(atomic, "remove_unfinished", None)
        if remove_unfinished is not None:
            remove_unfinished()
        if not self._is_part_told:
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

    @property
    def _word(self) -> str:
        """The word for the first signal."""
        return _SIGNALS[signal.Signals(self.signal or signal.SIGINT).name]

    # Work that can end early

    def is_stopped(self) -> bool:
        """Return whether the work should stop after a signal. While a finished part is being kept, it should not."""
        return self.stop.is_set() and not self.is_partial

    def limit(self, seconds: float | None) -> Callable[[], bool]:
        """Let reports name this time limit of the command; None sets no limit.

        Returns a ``stop`` callback for commands that make several calls within one limit.
        """
        from fastqueens._run import clock
        from fastqueens._run.arguments import check_positive

        if seconds is not None:
            check_positive(seconds, "time_limit")
        self._time_limit, is_late = seconds, clock.until(seconds)
        return lambda: self.is_stopped() or (is_late is not None and is_late())

    @property
    def early_end(self) -> tuple[ExitCode, str]:
        """The exit code of work that ends early, and the reason for the early end."""
        if self.stop.is_set() or self._time_limit is None:
            return ExitCode.INTERRUPTED, self._word
        return ExitCode.NOT_SOLVED, f"Stopped at the time limit of {self._time_limit:g} s"

    @contextlib.contextmanager
    def keeping(self) -> Iterator[None]:
        """Let the first signal inside the ``with`` block ask the work to stop, so that finished results are kept.

        After the block, the results are written.
        """
        self.phase = Phase.KEEPS_FINISHED
        yield  # if Stopped is raised here, there is no result, and the phase stays the same
        self.phase, self._is_done = Phase.WRITING, True

    def finished_part(self, work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Call a function; return its result or, if it is stopped, the finished part."""
        with self.keeping():
            try:
                return work(*args, **kwargs)
            except Stopped as stopped:
                if stopped.partial is None:
                    raise
                self.is_partial = True
                part: _T = stopped.partial
                return part

    def each(self, items: Iterable[_T]) -> Iterator[_T]:
        """Yield items until the work that makes them is stopped; raise Stopped if there is not even one."""
        is_first = True
        with self.keeping():
            try:
                for item in items:
                    is_first = False
                    yield item
            except Stopped:
                if is_first:
                    raise
                self.is_partial = True

    def without_result(self) -> int:
        """Report that the work stopped before it had a result, and return the exit code."""
        exit_code, reason = self.early_end
        if exit_code == ExitCode.NOT_SOLVED:
            say(f"{reason}; {NOTHING_FINISHED}{self.hint()}.", err=True)
        elif self.phase is Phase.KEEPS_FINISHED:
            self.finished = NOTHING_FINISHED
        return exit_code

    def exit_code(self, exit_code: int | None) -> int:
        """Return the exit code of a command that has ended: this one or, if the result is only a part, another one."""
        self.finished = "" if self.is_partial else "all results are written"
        return self.early_end[0] if self.is_partial else exit_code or ExitCode.SOLVED

    # Progress

    @contextlib.contextmanager
    def progress_and_notes(self) -> Iterator[None]:
        """Show progress and the log of the library on stderr inside the ``with`` block; with --quiet, only errors."""
        import logging  # takes 3 ms, and --help does not need it

        def show(record: logging.LogRecord) -> None:
            message = record.getMessage()
            self.display.clear()
            say(message, err=True)
            if message.startswith("Compiling"):
                self.display.report("compiling")

        log = logging.getLogger("fastqueens")
        handler = logging.Handler(logging.ERROR if self.quiet else logging.INFO)
        handler.emit = show  # type: ignore[method-assign]
        level = log.level
        # Matplotlib prints long warnings about a home folder that is not writable, which does not affect pictures.
        logging.getLogger("matplotlib").setLevel(logging.ERROR)
        if not self.quiet:
            self.display.open()
        # Without a handler, the library would itself report that it compiles.
        log.addHandler(handler)
        log.setLevel(logging.INFO)
        try:
            self.display.report("loading")
            yield
        finally:
            log.removeHandler(handler)
            log.setLevel(level)
            self.display.close()

    def progress(self, stage: str, done: int = 0, total: int | None = None) -> None:
        """Show the progress of the work. A signal in a stage that begins with "writing" has its effect in the next."""
        if not self._is_done and self.phase is not Phase.KEEPS_FINISHED:
            self.phase = Phase.WRITING if stage.startswith("writing") else Phase.NOTHING_TO_KEEP
            if self.signal and self.phase is Phase.NOTHING_TO_KEEP:
                os._exit(self.end())
        self.display.report(stage, done, total)

    def reading(self, path: str) -> None:
        """Show in the progress line that a file is being read."""
        self.progress(f"reading {file_label(path)}")

    def writing(self, path: str) -> None:
        """Show in the progress line that a file is being written."""
        self.progress(f"writing {file_label(path)}")

    # Results

    def result(self, text: str) -> None:
        """Print the result of the command, even with --quiet. Text is wrapped as in :func:`say`."""
        self.display.clear()
        say(text)

    @contextlib.contextmanager
    def data(self) -> Iterator[IO[bytes]]:
        """Yield stdout for the bytes of the result. All of them are written when the ``with`` block ends."""
        self.display.clear()
        with data() as file:
            yield file

    def json(self, value: Figures | list[Figures]) -> None:
        """Print a result as JSON; arrays become lists."""
        with self.data() as file:
            file.write(f"{as_json(self._marked(value) if isinstance(value, dict) else value)}\n".encode())

    def json_list(self, boards: Iterable[Queens], figures: Callable[[int], Figures]) -> int:
        """Print boards as a JSON list with one line per board, and return their number.

        ``figures`` receives this number and returns an object, which is printed with the list as its item "boards".
        """
        count = 0
        with self.data() as file:
            file.write(b'{"boards": [')
            for board in boards:
                file.write(f"{',' * (count > 0)}\n {as_json(board + self.rows_from)}".encode())
                count += 1
            file.write(f"],\n {as_json(self._marked(figures(count)))[1:]}\n".encode())
        return count

    def _marked(self, figures: Figures) -> Figures:
        return {**figures, "partial": True} if self.is_partial else figures

    def in_json(self, queens: Queens) -> Figures:
        """Return the rows of a board for JSON, and the number of the first row; None if the board is too large."""
        rows = queens + self.rows_from if len(queens) <= MOST_IN_JSON else None
        return {"rows_from": self.rows_from, "queens": rows}

    # Reports

    def say(self, *texts: str, err: bool | None = None) -> None:
        """Print sentences of the report, wrapped in a terminal; ``err`` overrides the choice of stderr or stdout."""
        if not self.quiet and not self.as_json:
            self.display.clear()
            for text in texts:
                say(text, err=self.has_data_on_stdout if err is None else err)

    def say_partial(self, text: str) -> None:
        """If the result is only a part, report the reason and the part (``text``), even with --json."""
        if self.is_partial and not self.quiet:
            self.display.clear()
            say(f"{self.early_end[1]}: {text}{self.hint()}.", err=True)
            self._is_part_told = True

    def warn(self, text: str) -> None:
        """Print a warning, even with --json."""
        if not self.quiet:
            self.display.clear()
            say(f"{self.painted('Warning', 'note')}: {text}.", err=self.has_data_on_stdout)

    def wrote(self, path: str | None, details: str = "", *, err: bool | None = None) -> None:
        """Report a written file, as in "Wrote q.npy (4.0 MB)."; do nothing without a path or for stdout."""
        if path is None or path == "-":
            return
        size = ""
        if os.path.isfile(path):
            from rich.filesize import decimal

            size = f" ({decimal(os.path.getsize(path))})"
        self.say(f"Wrote {file_label(path)}{size}{f': {details}' if details else ''}.", err=err)

    def draw(
        self,
        draw: Callable[[], Picture],
        path: str,
        *,
        dpi: float | None = None,
        details: str = "",
        err: bool | None = None,
    ) -> None:
        """Draw a picture, write it and report it."""
        self.progress("drawing")
        picture = draw()
        self.writing(path)
        picture.save(path, dpi=dpi)
        self.wrote(path, details, err=err)

    # Drawings

    @property
    def terminal(self) -> Terminal | None:
        """The terminal with colours that shows the report, or None without one or without a report."""
        if self.quiet or self.as_json or columns(err=self.has_data_on_stdout) is None:
            return None
        from fastqueens.cli.terminal import terminal

        return terminal(err=self.has_data_on_stdout)

    def painted(self, text: str, role: str) -> str:
        """Return a text in bold letters with the colour of a role, if the terminal has colours."""
        from click import style  # not at the top, because the session handles signals while click is imported

        terminal = self.terminal
        return style(text, bold=True) if terminal is None else terminal.painted(text, role, bold=True)

    def styled(self, drawing: str) -> str:
        """Return a drawing of a board on squares, with attacked queens in red, if the terminal has colours."""
        terminal = self.terminal
        return drawing if terminal is None else terminal.board(drawing)

    @property
    def width(self) -> int | None:
        """The width of the terminal that shows the report, or None if the report goes to a file or a pipe."""
        return columns(err=self.has_data_on_stdout)

    def drawing(self, queens: Queens | None, instance: Instance | None, way: str, *, attacks: bool = False) -> str:
        """Return a drawing of a board, or of an instance without queens, and its legend.

        In a terminal with colours, ``attacks`` adds how many queens each queen attacks. If the drawing is too wide,
        return a sentence about the reason instead, followed by ``way``, another way to see the board; a terminal with
        colours then shows the weave.
        """
        from fastqueens.pictures.ascii import draw_board, draw_instance, explain_marks

        n = len(queens) if queens is not None else instance.n if instance is not None else 0
        reason, terminal = self.no_room(2 * n - 1, way), self.terminal
        if reason:
            cloth = terminal.cloth(queens) if terminal and queens is not None else []
            threads = reason.replace("not drawn because it needs", "drawn as threads because letters need")
            return "\n".join([*cloth, threads if cloth else reason])
        if queens is not None:
            text = draw_board(queens, self.origin, instance)
        else:
            assert instance is not None
            text = draw_instance(instance, self.origin)
        numbers = terminal.attacks_per_queen(text) if terminal and attacks else ""
        return "\n".join(filter(None, [self.styled(text), numbers, explain_marks(text)]))

    def no_room(self, needed: int, way: str = "") -> str:
        """Return why a board that needs so many columns cannot be drawn, followed by ``way``; "" if it can be drawn."""
        width, place = self.width or _MOST_COLUMNS, "the terminal has" if self.width else "files can have at most"
        if needed <= width:
            return ""
        return f"The board is not drawn because it needs {needed:,} columns and {place} {width:,}. {way}"


def _look_of_progress() -> dict[str, str]:
    """Return the styles of rich for the progress line in colours that can be read on light and dark terminals."""
    from fastqueens.cli.terminal import readable

    parts = {"accent": ("bar.complete", "bar.pulse", "progress.spinner"), "solved": ("bar.finished",)}
    parts |= {"soft": ("progress.elapsed", "progress.remaining", "progress.percentage")}
    return {part: "#{:02x}{:02x}{:02x}".format(*readable(role)) for role, named in parts.items() for part in named}


def report_internal_error(error: BaseException) -> int:
    """Print the traceback on stderr unless it is closed, explain how to report it, and return the exit code.

    If the reason is a package that is not installed, the explanation is how to install it.
    """
    import traceback  # takes 2 ms, and only internal errors need it

    from fastqueens.cli.packages import explain_missing

    missing = explain_missing(error)
    if missing:
        if sys.stderr is not None:
            sys.stderr.write(f"Error: {missing}\n")
            sys.stderr.flush()
        return ExitCode.USAGE
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
