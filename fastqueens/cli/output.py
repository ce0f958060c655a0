"""What commands print: results, reports and progress, and how files and boards look in them."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from operator import methodcaller
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from fastqueens._run.progress import COMPILING_ALWAYS, Display
from fastqueens._run.text import counted
from fastqueens.cli import streams
from fastqueens.cli.process import Session
from fastqueens.errors import Stopped, printable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fastqueens.board import Queens
    from fastqueens.instance import Instance

#: The largest n of a board in JSON.
MOST_IN_JSON = 10_000

_COMPILING = "First use of this command: compiling."

_T = TypeVar("_T")

_UNITS = (("kB", 1e3), ("MB", 1e6), ("GB", 1e9))

#: The columns of a drawing in a file or a pipe: enough for a board of 1,000 queens.
_MOST_COLUMNS = 2000

#: Letters and marks in the drawing of a board; each is one character, and none occurs in an escape sequence.
_LOOKS: dict[str, dict[str, Any]] = {
    "Q": {"bold": True},
    "F": {"bold": True, "fg": "cyan"},
    "f": {"fg": "cyan"},
    "q": {"bold": True, "fg": "red"},
    **{line: {"dim": True} for line in "/\\X"},
}


class Output:
    """All that a command prints, and how it hears of signals.

    Results go to stdout. The report about them goes there, too, unless stdout has data: then it goes to stderr. With
    --quiet, there is no report; with --json, only its warnings. ``given`` are the names of the parameters on the
    command line.
    """

    def __init__(
        self, session: Session, *, quiet: bool = False, as_json: bool = False, given: frozenset[str] = frozenset()
    ) -> None:
        self.given = given
        self.quiet = quiet
        self.as_json = as_json
        self.has_data_on_stdout = as_json
        self.progress = session.display.report
        #: The callbacks that the library polls.
        self.callbacks: dict[str, Any] = {"progress": self.progress, "stop": self.is_stopped}
        #: Whether the result is a part of what was asked for, after a signal or at the time limit. Then it is kept.
        self.is_partial = False
        self._session, self._display = session, session.display

    def is_stopped(self) -> bool:
        """Return whether to stop: after a signal, until finished work is being kept."""
        return self._session.stop.is_set() and not self.is_partial

    def limit(self, seconds: float | None) -> None:
        """Let the callbacks stop the work after some seconds, if there is a limit."""
        if seconds is None:
            return
        from fastqueens._jit.clock import clock

        is_late = clock.until(seconds)
        self._session.time_limit = seconds
        self.callbacks["stop"] = lambda: self.is_stopped() or (is_late() and not self.is_partial)

    @contextmanager
    def keeping(self) -> Iterator[None]:
        """Let the first signal inside the ``with`` block only ask the work to stop, so that finished work is kept."""
        self._session.keeps_finished = True
        yield  # after Stopped, it stays True: nothing was finished
        self._session.keeps_finished = False

    def part(self, stopped: Stopped) -> Any:
        """Return what was finished when the work was stopped; raise the exception again if that is nothing."""
        if stopped.partial is None:
            raise stopped
        self.is_partial = True
        return stopped.partial

    def each(self, items: Iterable[_T]) -> Iterator[_T]:
        """Yield items, at least one, until the work that makes them is stopped."""
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
        """Return the exit code of a command that would end with this one if its result were whole."""
        return self._session.early_end[0] if self.is_partial else exit_code or 0

    def say_partial(self, text: str) -> None:
        """Say why the result is partial, if it is, and what part it is; also with --json."""
        if self.is_partial and not self.quiet:
            self._display.clear()
            streams.say(f"{self._session.early_end[1]}: {text}.", err=True)
            self._session.is_part_told = True

    def clear(self) -> None:
        """Remove the progress line, before something else writes to the terminal."""
        self._display.clear()

    def result(self, text: str | bytes) -> None:
        """Print what the command was asked for, even with --quiet; a text is wrapped as by :meth:`say`."""
        self._display.clear()
        if isinstance(text, bytes):
            streams.write(text)
        else:
            streams.say(text)

    @contextmanager
    def data(self) -> Iterator[IO[bytes]]:
        """Yield stdout for the bytes that the command was asked for; they have arrived when the ``with`` block ends."""
        self._display.clear()
        with streams.data() as file:
            yield file

    def json(self, value: Any) -> None:
        """Print a result as JSON; arrays become lists."""
        self.result(f"{_json(self._marked(value))}\n".encode())

    def json_list(self, values: Iterable[Any], figures: Callable[[int], dict[str, Any]] | None = None) -> int:
        """Print results as a JSON list, each in a line as soon as the next is known; return how many there are.

        With ``figures``, the list is the value of "boards" in an object; ``figures`` takes how many there are and
        returns its other values.
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
        """Report in sentences, which are wrapped at the width of the terminal; ``err`` says where, if not as usual."""
        if not self.quiet and not self.as_json:
            self._display.clear()
            for text in texts:
                streams.say(text, err=self.has_data_on_stdout if err is None else err)

    def warn(self, text: str) -> None:
        """Report a warning, also with --json."""
        if not self.quiet:
            self._display.clear()
            streams.say(f"{click.style('Warning', fg='yellow')}: {text}.", err=self.has_data_on_stdout)

    @property
    def width(self) -> int | None:
        """The columns of the terminal that gets the report, or None if a file or a pipe does."""
        return streams.columns(err=self.has_data_on_stdout)

    def no_room(self, needed: int, way: str) -> str:
        """Return why a board is not drawn, and ``way``, if it needs more columns than there are; otherwise ""."""
        width, place = self.width, "the terminal has"
        if width is None:
            width, place = _MOST_COLUMNS, "a file gets at most"
        if needed <= width:
            return ""
        return f"The board is not drawn: it needs {needed:,} columns, and {place} {width:,}. {way}"

    def wrote(self, path: str | None, details: str = "", *, err: bool | None = None) -> None:
        """Report that a file is written, if one is, as in "Wrote q.npy (4.0 MB)."."""
        if path is None or path == "-":
            return
        size = f" ({_file_size(os.path.getsize(path))})" if os.path.isfile(path) else ""
        self.say(f"Wrote {file_label(path)}{size}{f': {details}' if details else ''}.", err=err)

    def if_interrupted(self, hint: str) -> None:
        """Let a hint follow the word "interrupted"."""
        self._session.hint = hint

    def reading(self, path: str) -> None:
        """Show in the progress line that a file is read."""
        self.progress(f"reading {file_label(path)}")

    def writing(self, path: str) -> None:
        """Show in the progress line that a file is written."""
        self.progress(f"writing {file_label(path)}")


@contextmanager
def progress_and_notes(display: Display, *, quiet: bool = False) -> Iterator[None]:
    """Show on stderr the progress and what the library logs inside the ``with`` block; if ``quiet``, only errors."""
    log = logging.getLogger("fastqueens")
    handler = _Notes(display, logging.ERROR if quiet else logging.INFO)
    level = log.level
    # It warns at length about a home folder that it cannot write to; the picture is the same.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    if not quiet:
        display.open()
    # Without a handler, the library would say by itself that it compiles.
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

    def __init__(self, display: Display, level: int) -> None:
        super().__init__(level)
        self._display = display
        self._is_compiling_told = False

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if not message.startswith("compiling"):
            self._print(message)
        else:
            if not self._is_compiling_told:
                from fastqueens._jit.store import folder

                self._is_compiling_told = True
                self._print(_COMPILING if folder() is not None else COMPILING_ALWAYS)
            self._display.report("compiling")

    def _print(self, text: str) -> None:
        self._display.clear()
        streams.say(text, err=True)


def in_json(queens: Queens, rows_from: int) -> Queens | None:
    """Return a board as JSON has it, or None if it is too large for that."""
    return queens + rows_from if len(queens) <= MOST_IN_JSON else None


def _json(value: Any) -> str:
    import json  # 5 ms, and not needed by --help

    return json.dumps(value, default=methodcaller("tolist"))


def drawing(queens: Queens, origin: str, instance: Instance | None = None) -> str:
    """Draw a board and the instance it is to solve, with queens in bold if the terminal can."""
    from fastqueens.pictures.text import draw_board

    return in_bold(draw_board(queens, origin, instance))


def in_bold(board: str) -> str:
    """Put the queens of a drawing in bold, and other marks in other looks, if the terminal can."""
    return "".join(click.style(mark, **_LOOKS[mark]) if mark in _LOOKS else mark for mark in board)


def with_legend(drawing: str) -> str:
    """Add a line to a drawing that explains its marks, if it has other marks than queens."""
    from fastqueens.pictures.text import explain_marks

    return "\n".join(filter(None, [drawing, explain_marks(drawing)]))


def move_costs_drawing(costs: NDArray[Any], queens: Queens, best: NDArray[Any], origin: str) -> str:
    """Draw the costs of all moves, with queens in bold and the best moves in green if the terminal can."""
    from fastqueens.pictures.text import draw_move_costs

    text = draw_move_costs(costs, queens, best, origin)
    text = re.sub(r"\d+Q", lambda found: click.style(found[0], bold=True), text)
    return re.sub(r"\d+\*", lambda found: click.style(found[0], fg="green", bold=True), text)


def file_label(path: str | None) -> str:
    """Return the name of a file for use in a sentence; without one, ``--board`` gives the board."""
    if path is None:
        return "--board"
    return "standard input" if path == "-" else printable(path)


def _file_size(size: int) -> str:
    """Return a number of bytes in a readable unit.

    >>> _file_size(1), _file_size(999), _file_size(4_000_128), _file_size(999_999)
    ('1 byte', '999 bytes', '4.0 MB', '1.0 MB')
    """
    if size < 1000:
        return counted(size, "byte")
    unit = next((unit for unit in _UNITS if round(size / unit[1], 1) < 1000), _UNITS[-1])
    return f"{size / unit[1]:,.1f} {unit[0]}"
