"""What commands print: results, reports and progress, and how durations, files, boards and tables look in them."""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import methodcaller
from typing import TYPE_CHECKING, Any

import click

from fastqueens.cli.process import Session
from fastqueens.core.errors import counted, duration
from fastqueens.core.progress import Display

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from rich.console import RenderableType

    from fastqueens.core.board import Queens
    from fastqueens.core.instance import Instance

#: JSON has boards of up to so many queens.
MOST_IN_JSON = 10_000

_COMPILING = "First use of this command: compiling."

_UNITS = (("kB", 1e3), ("MB", 1e6), ("GB", 1e9))

#: Blanks at the end of a line, and escape sequences for colours among them.
_LINE_END = r"(?m)(?: |\x1b\[[\d;]*m)+$"

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
        self.is_stopped = session.stop.is_set
        self.check_stop = session.check_stop
        self.callbacks = session.callbacks
        self.progress = session.display.report
        self._session, self._display = session, session.display

    def clear(self) -> None:
        """Remove the progress line, before something else writes to the terminal."""
        self._display.clear()

    def result(self, text: str | bytes) -> None:
        """Print what the command was asked for, even with --quiet."""
        self._display.clear()
        click.echo(text, nl=not isinstance(text, bytes))

    def json(self, value: Any) -> None:
        """Print a result as JSON; arrays become lists."""
        self.result(_json(value))

    def json_list(self, values: Iterable[Any], figures: Callable[[int], dict[str, Any]] | None = None) -> int:
        """Print results as a JSON list, each in a line as soon as the next is known; return how many there are.

        With ``figures``, the list is the value of "boards" in an object; ``figures`` takes how many there are and
        returns its other values.
        """
        line = "[" if figures is None else '{"boards": ['
        count = 0
        for count, value in enumerate(values, 1):
            if count > 1:
                self.result(f"{line},")
                line = " "
            line += _json(value)
        self.result(line + ("]" if figures is None else f"],\n {_json(figures(count))[1:]}"))
        return count

    def say(self, *texts: str, err: bool | None = None) -> None:
        """Report in sentences, which are wrapped at the width of the terminal; ``err`` says where, if not as usual."""
        for text in self._reported(texts):
            say(text, err=self.has_data_on_stdout if err is None else err)

    def warn(self, text: str) -> None:
        """Report a warning, also with --json."""
        if not self.quiet:
            self._display.clear()
            say(f"{click.style('Warning', fg='yellow')}: {text}.", err=self.has_data_on_stdout)

    def draw(self, *texts: str, nl: bool = True) -> None:
        """Report by drawings and tables, which are not wrapped."""
        for text in self._reported(texts):
            click.echo(text, nl=nl, err=self.has_data_on_stdout)

    def wrote(
        self, path: str | None, details: str = "", *, seconds: float | None = None, err: bool | None = None
    ) -> None:
        """Report that a file is written, if one is, as in "Wrote q.npy (4.0 MB).".

        ``seconds`` is how long it took, if that is worth telling.
        """
        if path is None or path == "-":
            return
        size = f" ({_file_size(os.path.getsize(path))})" if os.path.isfile(path) else ""
        taken = "" if seconds is None else f" in {duration(seconds)}"
        self.say(f"Wrote {file_label(path)}{size}{taken}{f': {details}' if details else ''}.", err=err)

    def if_interrupted(self, hint: str) -> None:
        """Let a hint follow the word "interrupted"."""
        self._session.hint = hint

    def ends_with_ctrl_c(self, farewell: str) -> None:
        """Let Ctrl-C be the way to end the command, which then says farewell."""
        self._session.farewell = "" if self.quiet else f"{farewell}\n"

    def reading(self, path: str) -> None:
        """Show in the progress line that a file is read."""
        self.progress(f"reading {file_label(path)}")

    def writing(self, path: str) -> None:
        """Show in the progress line that a file is written."""
        self.progress(f"writing {file_label(path)}")

    def _reported(self, texts: Sequence[str]) -> Sequence[str]:
        if self.quiet or self.as_json:
            return ()
        self._display.clear()
        return texts


@contextmanager
def progress_and_notes(display: Display, *, quiet: bool = False) -> Iterator[None]:
    """Show on stderr the progress and what the library logs inside the ``with`` block, unless ``quiet``."""
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


def in_json(queens: Queens, rows_from: int) -> Queens | None:
    """Return a board as JSON has it, or None if it is too large for that."""
    return queens + rows_from if len(queens) <= MOST_IN_JSON else None


def _json(value: Any) -> str:
    import json  # 5 ms, and not needed by --help

    return json.dumps(value, default=methodcaller("tolist"))


def say(text: str, *, err: bool = False) -> None:
    """Print sentences. Lines wider than the terminal are wrapped at blanks; a pipe or a file gets them as they are."""
    stream = sys.stderr if err else sys.stdout
    if stream is not None and stream.isatty():
        import textwrap  # only for a terminal

        columns = terminal_width()
        # Names of files and options stay whole, so that they can be copied.
        wrapper = textwrap.TextWrapper(columns, break_long_words=False, break_on_hyphens=False)
        lines = text.split("\n")
        text = "\n".join(line if len(click.unstyle(line)) <= columns else wrapper.fill(line) for line in lines)
    click.echo(text, err=err)


def terminal_width() -> int:
    """Return the columns of the terminal, or 80 if there is none."""
    import shutil  # 4 ms, and not needed by --help

    return shutil.get_terminal_size().columns


def drawing(queens: Queens, origin: str, instance: Instance | None = None) -> str:
    """Draw a board and the instance it is to solve, with queens in bold if the terminal can."""
    from fastqueens.pictures.text import draw_board

    return in_bold(draw_board(queens, origin, instance))


def in_bold(board: str) -> str:
    """Put the queens of a drawing in bold, and other marks in other looks, if the terminal can."""
    return "".join(click.style(mark, **_LOOKS[mark]) if mark in _LOOKS else mark for mark in board)


def legend(drawing: str) -> str:
    """Return a line below a drawing that explains its marks; "" if it has only queens."""
    from fastqueens.pictures.text import explain_marks

    words = explain_marks(drawing)
    return f"\n{words}" if words else ""


def move_costs_drawing(costs: NDArray[Any], queens: Queens, best: NDArray[Any], origin: str) -> str:
    """Draw the costs of all moves, with queens in bold and the best moves in green if the terminal can."""
    from fastqueens.pictures.text import draw_move_costs

    text = draw_move_costs(costs, queens, best, origin)
    text = re.sub(r"\d+Q", lambda found: click.style(found[0], bold=True), text)
    return re.sub(r"\d+\*", lambda found: click.style(found[0], fg="green", bold=True), text)


def table_text(headings: Iterable[str], rows: Iterable[Sequence[str]], **look: Any) -> str:
    """Lay out a table with right-aligned columns; ``look`` goes to rich's Table."""
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table(box=SIMPLE, **look)
    for heading in headings:
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(*row)
    return rendered(table)


def rendered(renderable: RenderableType) -> str:
    """Return what rich would print, without blanks at the ends of lines.

    The caller prints it through click: on a closed pipe, rich ends the process.
    """
    from rich.console import Console

    console = Console()
    with console.capture() as capture:
        console.print(renderable, highlight=False)
    return re.sub(_LINE_END, lambda found: found[0].replace(" ", ""), capture.get())


def file_label(path: str) -> str:
    """Return the name of a file for use in a sentence."""
    return "standard input" if path == "-" else click.format_filename(path)


def _file_size(size: int) -> str:
    """Return a number of bytes in a readable unit.

    >>> _file_size(1), _file_size(999), _file_size(4_000_128), _file_size(999_999)
    ('1 byte', '999 bytes', '4.0 MB', '1.0 MB')
    """
    if size < 1000:
        return counted(size, "byte")
    unit = next((unit for unit in _UNITS if round(size / unit[1], 1) < 1000), _UNITS[-1])
    return f"{size / unit[1]:,.1f} {unit[0]}"
