"""How figures read in a sentence, and how a board looks on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
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


def drawing(queens: Queens, origin: str) -> str:
    """Draw a board, the queens in bold where the terminal can."""
    from fastqueens.drawing import draw_board

    return draw_board(queens, origin).replace("Q", click.style("Q", bold=True))


def file_label(path: str) -> str:
    """Name a file in a sentence."""
    return "standard input" if path == "-" else click.format_filename(path)


def _three_digits(value: float) -> str:
    return f"{value:.{max(0, min(3, 3 - len(str(int(value)))))}f}" if value >= 1 else f"{value:.3f}"
