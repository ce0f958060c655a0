"""Output of the command line: results, reports and progress, and the look of boards and file names in them.

Every function that writes to stdout returns when the system has taken all bytes. The process ends without Python's own
flush, and a report about data must not appear before the data.
"""

from __future__ import annotations

import contextlib
import io
import os
import select
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import methodcaller
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from fastqueens._run.progress import Display
from fastqueens.cli import ALL_FINISHED, ExitCode, Phase, Session
from fastqueens.errors import Stopped, printable

if TYPE_CHECKING:
    from fastqueens import Instance
    from fastqueens.board import Queens

#: Only boards of n below this number are drawn by default.
DRAWN_BELOW = 33

#: The largest n of a board in JSON.
MOST_IN_JSON = 10_000

#: The most columns of a drawing in a file or a pipe, enough for a board of 1,000 queens.
_MOST_COLUMNS = 2000

#: Styles of the letters and marks in the drawing of a board. Each is one character that no escape sequence contains.
_LOOKS: dict[str, dict[str, Any]] = {
    "Q": {"bold": True},
    "F": {"bold": True, "fg": "cyan"},
    "f": {"fg": "cyan"},
    "q": {"bold": True, "fg": "red"},
    **{line: {"dim": True} for line in "/\\X"},
}

_T = TypeVar("_T")


class _Stdout(io.RawIOBase):
    """Stdout below Python's buffer. Errors name it, and writing to a non-blocking pipe waits for the reader."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self.isatty, self.fileno = raw.isatty, raw.fileno  # type: ignore[method-assign]

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        try:
            while (written := self._raw.write(data)) is None:
                select.select([], [self._raw], [])
        except OSError as error:
            error.filename = "stdout"
            raise
        return int(written)


@contextlib.contextmanager
def prepared() -> Iterator[None]:
    """Let Python buffer stdout, even with PYTHONUNBUFFERED. Characters that the terminal lacks are written as ``?``."""
    before = sys.stdout
    if not isinstance(before, io.TextIOWrapper):
        yield
        return
    raw = getattr(before.buffer, "raw", before.buffer)
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(_Stdout(raw)), before.encoding, "replace")
    try:
        yield
    finally:
        with contextlib.suppress(OSError):  # a closed pipe, which the exit code has told
            sys.stdout.close()
        sys.stdout = before


def check_open() -> None:
    """Raise ClickException if stdout is closed."""
    if sys.stdout is None:
        raise click.ClickException("stdout is closed; to discard the output of the command, use > /dev/null")


def say(text: str, *, err: bool = False) -> None:
    """Print sentences, wrapped in a terminal. Text for stderr is dropped if stderr is full or has no reader."""
    width = columns(err=err)
    if width is not None:
        text = "\n".join(_wrapped(line, width) for line in text.split("\n"))
    if not err:
        click.echo(text)  # without colours if stdout is not a terminal
        return
    with contextlib.suppress(OSError):
        click.echo(text, err=True)


def columns(*, err: bool = False) -> int | None:
    """Return the width of the terminal that shows stdout or stderr, or None if it is a file, a pipe or closed."""
    stream = sys.stderr if err else sys.stdout
    if stream is None or not stream.isatty():
        return None
    import shutil  # takes 4 ms, and --help does not need it

    try:
        size = os.get_terminal_size(stream.fileno())
    except OSError:
        size = os.terminal_size((80, 24))
    return shutil.get_terminal_size(size).columns or 80  # some terminals report 0


def _wrapped(line: str, width: int) -> str:
    plain = click.unstyle(line)
    if len(plain) <= width:
        return line
    import textwrap  # only for a terminal

    # Names of files and options are not broken, so that they can be copied.
    return textwrap.fill(plain, width, break_long_words=False, break_on_hyphens=False)


class Output:
    """The output of one command, and the callbacks through which signals stop its work.

    Results go to stdout. The report about them also goes to stdout or, if stdout has data, to stderr. With --quiet
    there is no report, and with --json it consists of the warnings only. Rows are counted from ``rows_from``.
    ``origin`` is the side on which drawings show the first row.
    """

    def __init__(self, session: Session, quiet: bool, as_json: bool, rows_from: int, origin: str) -> None:
        self.session, self._display = session, session.display
        self.quiet, self.as_json, self.rows_from, self.origin = quiet, as_json, rows_from, origin
        self.has_data_on_stdout = as_json
        # Whether work that keeps finished results has ended.
        self._is_done = False
        #: The callbacks that the library calls regularly.
        self.callbacks: dict[str, Any] = {"progress": self.progress, "stop": self.is_stopped}
        #: Whether the result is only a part, because of a signal or the time limit. The part is kept.
        self.is_partial = False
        #: Notes of the stopped work about the missing part.
        self.notes: Sequence[str] = ()

    def is_stopped(self) -> bool:
        """Return whether the work should stop after a signal. While a finished part is being kept, it should not."""
        return self.session.stop.is_set() and not self.is_partial

    def limit(self, seconds: float | None) -> Callable[[], bool]:
        """Let reports name this time limit of the command; None sets no limit.

        Returns a ``stop`` callback for commands that make several calls within one limit.
        """
        from fastqueens._run import clock

        self.session.time_limit, is_late = seconds, clock.until(seconds)
        return lambda: self.is_stopped() or (is_late is not None and is_late())

    @contextlib.contextmanager
    def keeping(self) -> Iterator[None]:
        """Let the first signal inside the ``with`` block ask the work to stop, so that finished results are kept.

        After the block, the results are written.
        """
        self.session.phase = Phase.KEEPS_FINISHED
        yield  # if Stopped is raised here, there is no result, and the phase stays the same
        self.session.phase, self._is_done = Phase.WRITING, True

    def finished(self, work: Callable[..., _T], *args: Any, **kwargs: Any) -> _T:
        """Call a function, and return its result or, if it is stopped, the finished part."""
        with self.keeping():
            try:
                return work(*args, **kwargs)
            except Stopped as stopped:
                if stopped.partial is None:
                    raise
                self.is_partial, self.notes = True, getattr(stopped, "__notes__", ())
                return stopped.partial  # type: ignore[no-any-return]

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

    def exit_code(self, exit_code: int | None) -> int:
        """Return the exit code of a command that has ended: this one or, if the result is only a part, another one."""
        self.session.finished = "" if self.is_partial else ALL_FINISHED
        return self.session.early_end[0] if self.is_partial else exit_code or ExitCode.SOLVED

    def say_partial(self, text: str) -> None:
        """If the result is only a part, report the reason and the part (``text``), even with --json."""
        if self.is_partial and not self.quiet:
            self._display.clear()
            say(f"{self.session.early_end[1]}: {text}.", err=True)
            self.session.is_part_told = True

    def result(self, text: str | bytes) -> None:
        """Print the result of the command, even with --quiet. Text is wrapped as in :meth:`say`."""
        self._display.clear()
        if isinstance(text, bytes):
            click.echo(text, nl=False)
        else:
            say(text)

    @contextlib.contextmanager
    def data(self) -> Iterator[IO[bytes]]:
        """Yield stdout for the bytes of the result. All of them are written when the ``with`` block ends."""
        self._display.clear()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()

    def json(self, value: Any) -> None:
        """Print a result as JSON; arrays become lists."""
        self.result(f"{_json(self._marked(value))}\n".encode())

    def json_list(self, values: Iterable[Any], figures: Callable[[int], dict[str, Any]] | None = None) -> int:
        """Print results as a JSON list with one line per result, and return their number.

        If ``figures`` is given, it receives this number and returns an object, which is printed with the list as its
        item "boards".
        """
        line = "[" if figures is None else '{"boards": ['
        count = 0
        for count, value in enumerate(values, 1):
            if count > 1:
                self.result(f"{line},\n".encode())
                line = " "
            line += _json(value)
        end = "]" if figures is None else f"],\n {_json(self._marked(figures(count)))[1:]}"
        self.result(f"{line}{end}\n".encode())
        return count

    def _marked(self, value: Any) -> Any:
        return {**value, "partial": True} if self.is_partial and isinstance(value, dict) else value

    def say(self, *texts: str, err: bool | None = None) -> None:
        """Print sentences of the report, wrapped in a terminal; ``err`` overrides the choice of stderr or stdout."""
        if not self.quiet and not self.as_json:
            self._display.clear()
            for text in texts:
                say(text, err=self.has_data_on_stdout if err is None else err)

    def warn(self, text: str) -> None:
        """Print a warning, even with --json."""
        if not self.quiet:
            self._display.clear()
            say(f"{click.style('Warning', fg='yellow')}: {text}.", err=self.has_data_on_stdout)

    @property
    def width(self) -> int | None:
        """The width of the terminal that shows the report, or None if the report goes to a file or a pipe."""
        return columns(err=self.has_data_on_stdout)

    def drawing(self, queens: Queens | None, instance: Instance | None, way: str) -> str:
        """Return a drawing of a board, or of an instance without queens, and its legend.

        If the drawing is too wide, return a sentence about the reason instead, followed by ``way``, another way to see
        the board.
        """
        from fastqueens.pictures.text import draw_board, draw_instance, explain_marks

        n = len(queens) if queens is not None else instance.n if instance is not None else 0
        reason = self.no_room(2 * n - 1, way)
        if reason:
            return reason
        if queens is not None:
            text = draw_board(queens, self.origin, instance)
        else:
            assert instance is not None
            text = draw_instance(instance, self.origin)
        return "\n".join(filter(None, [styled(text), explain_marks(text)]))

    def no_room(self, needed: int, way: str = "") -> str:
        """Return why a board that needs so many columns cannot be drawn, followed by ``way``; "" if it can be drawn."""
        width, place = self.width or _MOST_COLUMNS, "the terminal has" if self.width else "files can have at most"
        if needed <= width:
            return ""
        return f"The board is not drawn because it needs {needed:,} columns and {place} {width:,}. {way}"

    def in_json(self, queens: Queens) -> dict[str, Any]:
        """Return the rows of a board for JSON, and the number of the first row; None if the board is too large."""
        rows = queens + self.rows_from if len(queens) <= MOST_IN_JSON else None
        return {"rows_from": self.rows_from, "queens": rows}

    def wrote(self, path: str | None, details: str = "", *, err: bool | None = None) -> None:
        """Report a written file, as in "Wrote q.npy (4.0 MB)."; do nothing without a path or for stdout."""
        if path is None or path == "-":
            return
        size = ""
        if os.path.isfile(path):
            from rich.filesize import decimal

            size = f" ({decimal(os.path.getsize(path))})"
        self.say(f"Wrote {file_label(path)}{size}{f': {details}' if details else ''}.", err=err)

    def draw(self, draw: Callable[[], Any], path: str, dpi: float | None = None) -> None:
        """Draw a picture and write it."""
        from fastqueens.pictures.saving import save_picture

        self.progress("drawing")
        picture = draw()
        self.writing(path)
        save_picture(picture, path, dpi=dpi)

    def progress(self, stage: str, done: int = 0, total: int | None = None) -> None:
        """Show the progress of the work. A signal in a stage that begins with "writing" has its effect in the next."""
        if not self._is_done and self.session.phase is not Phase.KEEPS_FINISHED:
            self.session.phase = Phase.WRITING if stage.startswith("writing") else Phase.NOTHING_TO_KEEP
            if self.session.signal and self.session.phase is Phase.NOTHING_TO_KEEP:
                os._exit(self.session.end())
        self._display.report(stage, done, total)

    def reading(self, path: str) -> None:
        """Show in the progress line that a file is being read."""
        self.progress(f"reading {file_label(path)}")

    def writing(self, path: str) -> None:
        """Show in the progress line that a file is being written."""
        self.progress(f"writing {file_label(path)}")


@contextlib.contextmanager
def progress_and_notes(display: Display, *, quiet: bool = False) -> Iterator[None]:
    """Show the progress and the log of the library on stderr inside the ``with`` block; if ``quiet``, only errors."""
    import logging  # takes 3 ms, and --help does not need it

    def show(record: logging.LogRecord) -> None:
        message = record.getMessage()
        display.clear()
        say(message, err=True)
        if message.startswith("Compiling"):
            display.report("compiling")

    log = logging.getLogger("fastqueens")
    handler = logging.Handler(logging.ERROR if quiet else logging.INFO)
    handler.emit = show  # type: ignore[method-assign]
    level = log.level
    # Matplotlib prints long warnings about a home folder that is not writable, which does not affect pictures.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    if not quiet:
        display.open()
    # Without a handler, the library would itself report that it compiles.
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
        display.close()


def _json(value: Any) -> str:
    import json  # takes 5 ms, and --help does not need it

    return json.dumps(value, default=methodcaller("tolist"))


def styled(board: str) -> str:
    """Return a drawing with styles: queens in bold, and other marks in colours or dim."""
    return "".join(click.style(mark, **_LOOKS[mark]) if mark in _LOOKS else mark for mark in board)


def file_label(path: str | None) -> str:
    """Return the name of a file for use in a sentence; None stands for a board from ``--board``."""
    if path is None:
        return "--board"
    return "standard input" if path == "-" else printable(path)
