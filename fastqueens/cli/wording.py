"""How durations, file names, boards and tables look on a terminal."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from fastqueens.core.wording import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from rich.console import RenderableType

    from fastqueens.core.board import Queens
    from fastqueens.core.instance import Instance


def duration(seconds: float) -> str:
    """Return a time in a readable unit, with three digits.

    >>> duration(0.000345), duration(0.0144), duration(2.5), duration(75)
    ('0.345 ms', '14.4 ms', '2.50 s', '1 min 15 s')
    """
    if seconds < 1:
        return f"{_three_digits(seconds * 1000)} ms"
    if seconds < 60:
        return f"{_three_digits(seconds)} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def say(text: str, *, err: bool = False) -> None:
    """Print sentences. Lines wider than the terminal are wrapped at blanks; a pipe or a file gets them as they are."""
    stream = sys.stderr if err else sys.stdout
    if stream is not None and stream.isatty():
        import shutil  # 4 ms, and not needed by --help
        import textwrap

        columns = shutil.get_terminal_size().columns
        # Names of files and options stay whole, so that they can be copied.
        wrapper = textwrap.TextWrapper(columns, break_long_words=False, break_on_hyphens=False)
        lines = text.split("\n")
        text = "\n".join(line if len(click.unstyle(line)) <= columns else wrapper.fill(line) for line in lines)
    click.echo(text, err=err)


_UNITS = (("kB", 1e3), ("MB", 1e6), ("GB", 1e9))

#: Blanks at the end of a line, and escape sequences for colours among them.
_LINE_END = re.compile(r"(?: |\x1b\[[\d;]*m)+$", re.MULTILINE)

#: Letters and marks in the drawing of a board; each is one character, and none occurs in an escape sequence.
_LOOKS: dict[str, dict[str, Any]] = {
    "Q": {"bold": True},
    "F": {"bold": True, "fg": "cyan"},
    "f": {"fg": "cyan"},
    "q": {"bold": True, "fg": "red"},
    "/": {"dim": True},
    "\\": {"dim": True},
    "X": {"dim": True},
}


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
    return _LINE_END.sub(lambda found: found[0].replace(" ", ""), capture.get())


def file_label(path: str) -> str:
    """Return the name of a file for use in a sentence."""
    return "standard input" if path == "-" else click.format_filename(path)


def wrote(path: str, details: str = "", *, seconds: float | None = None) -> str:
    """Return the sentence that every command prints when it has written a file, such as "Wrote q.npy (4.0 MB).".

    ``seconds`` is how long it took, if that is worth telling.
    """
    size = f" ({_file_size(os.path.getsize(path))})" if os.path.isfile(path) else ""
    taken = "" if seconds is None else f" in {duration(seconds)}"
    return f"Wrote {file_label(path)}{size}{taken}{f': {details}' if details else ''}."


def _file_size(size: int) -> str:
    """Return a number of bytes in a readable unit.

    >>> _file_size(1), _file_size(999), _file_size(4_000_128), _file_size(999_999)
    ('1 byte', '999 bytes', '4.0 MB', '1.0 MB')
    """
    if size < 1000:
        return counted(size, "byte")
    unit = next((unit for unit in _UNITS if round(size / unit[1], 1) < 1000), _UNITS[-1])
    return f"{size / unit[1]:,.1f} {unit[0]}"


def _three_digits(value: float) -> str:
    return f"{value:.{max(0, min(3, 3 - len(str(int(value)))))}f}" if value >= 1 else f"{value:.3f}"
