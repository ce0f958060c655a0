"""How figures read in a sentence, and how boards and tables look on a terminal."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fastqueens.board import Queens


def count(number: int, noun: str) -> str:
    """Put a number before a noun: "1 queen", "1,000 queens".

    >>> count(1000, "queen"), count(1, "step")
    ('1,000 queens', '1 step')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def duration(seconds: float) -> str:
    """Give a time in the unit it reads best in, to three digits.

    >>> duration(0.000345), duration(0.0144), duration(2.5), duration(75)
    ('0.345 ms', '14.4 ms', '2.50 s', '1 min 15 s')
    """
    if seconds < 1:
        return f"{_three_digits(seconds * 1000)} ms"
    if seconds < 60:
        return f"{_three_digits(seconds)} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def drawing(queens: Queens, origin: str, given: Collection[int] = ()) -> str:
    """Draw a board, the queens in bold where the terminal can, those of the given columns as G."""
    from fastqueens.drawing import draw_board

    return in_bold(draw_board(queens, origin, given))


def in_bold(board: str) -> str:
    """Print the queens of a drawing in bold where the terminal can, given ones in colour."""
    looks: dict[str, dict[str, Any]] = {"Q": {"bold": True}, "G": {"bold": True, "fg": "cyan"}}
    for letter, look in looks.items():
        board = board.replace(letter, click.style(letter, **look))
    return board


def move_costs_drawing(costs: NDArray[Any], queens: Queens, best: NDArray[Any], origin: str) -> str:
    """Draw the costs of all moves, the queens in bold and the best moves in green where the terminal can."""
    from fastqueens.drawing import draw_move_costs

    text = draw_move_costs(costs, queens, best, origin)
    text = re.sub(r"\d+Q", lambda found: click.style(found[0], bold=True), text)
    return re.sub(r"\d+\*", lambda found: click.style(found[0], fg="green", bold=True), text)


def table_text(headings: Iterable[str], rows: Iterable[Sequence[str]], **look: Any) -> str:
    """Lay out a table, everything to the right of its column; ``look`` is for rich's Table."""
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    table = Table(box=SIMPLE, **look)
    for heading in headings:
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(*row)
    console = Console()
    with console.capture() as capture:
        console.print(table)
    # As text, to be printed through click, which leaves a closed pipe to the caller: rich would end the process.
    return capture.get()


def file_label(path: str) -> str:
    """Name a file in a sentence."""
    return "standard input" if path == "-" else click.format_filename(path)


def printable(text: str) -> str:
    r"""Spell out control characters, which would play with the terminal: names of files may hold them.

    >>> print(printable("\x1b[2J.txt: no such file\nHint"))
    \x1b[2J.txt: no such file
    Hint
    """
    return "".join(letter if letter.isprintable() or letter in "\n\t" else ascii(letter)[1:-1] for letter in text)


def _three_digits(value: float) -> str:
    return f"{value:.{max(0, min(3, 3 - len(str(int(value)))))}f}" if value >= 1 else f"{value:.3f}"
