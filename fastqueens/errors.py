"""The exceptions of the package, and numbers and names in the sentences of messages."""

import itertools
from typing import Any

_UNITS_OF_TIME = ((31_557_600, "y"), (86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))

#: Ends a message about rows that count from 1; the command line names its option instead.
ROWS_FROM_1 = "; did you mean rows_from=1?"


class _RowError(ValueError):
    """An error whose message may name rows: they fill the places ``{}`` in it.

    Inside the package rows count from 0. For a user who counts from 1, :meth:`count_rows_from` adapts them.

    >>> error = InputError("there is no row {}: rows go from {} to {}", 8, 0, 7)
    >>> error.count_rows_from(1)
    >>> str(error)
    'there is no row 9: rows go from 1 to 8'
    """

    def __init__(self, message: str = "", *rows: int) -> None:
        message = printable(message)
        super().__init__(message.format(*rows) if rows else message)
        self._message, self._rows = message, rows

    def count_rows_from(self, first: int) -> None:
        """Name rows as a user counts them who calls the first one ``first``."""
        if self._rows:
            self.args = (self._message.format(*(row + first for row in self._rows)),)


class InputError(_RowError):
    """A value from the user is wrong. The message names the value and says what would be valid."""


class NoSolutionError(_RowError):
    """The instance has no solution.

    Attributes
    ----------
    nodes : int
        Squares that complete search has tried to prove it; 0 if no search was needed.
    seconds : float
        Seconds of complete search.
    """

    nodes: int = 0
    seconds: float = 0.0


class NotEnoughMemoryError(MemoryError):
    """The work needs more memory than is available. The message names both numbers."""


class Stopped(Exception):  # noqa: N818 - not an error: the user asked for it
    """The ``stop`` callback returned True, or the time was over, before there was a result.

    Attributes
    ----------
    partial : object or None
        What was finished, if the function says that it returns a part.
    """

    partial: Any = None


class OutOfTime(Stopped):
    """The time limit of a search was reached, and not even a board was there."""


class SamplingWarning(UserWarning):
    """Samples resemble each other, or chains do not mix."""


# Tracebacks show the public names: fastqueens.InputError and so on.
for _error in (InputError, NoSolutionError, NotEnoughMemoryError, SamplingWarning, Stopped):
    _error.__module__ = "fastqueens"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: "1 queen", "1,000 queens".

    >>> counted(1000, "queen"), counted(1, "step")
    ('1,000 queens', '1 step')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def listed(words: list[str]) -> str:
    """Return words as a list in a sentence.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def printable(text: str) -> str:
    r"""Escape control characters, line ends among them: file names can hold them, and a terminal would obey them.

    >>> print(printable("\x1b[2J\t.txt: no such file"))
    \x1b[2J\t.txt: no such file
    """
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def duration(seconds: float) -> str:
    """Return a time in a readable unit, with three digits.

    >>> duration(0.000345), duration(0.0144), duration(2.5), duration(75), duration(28_443)
    ('0.345 ms', '14.4 ms', '2.50 s', '1 min 15 s', '7 h 54 min')
    """
    if seconds < 1:
        return f"{_three_digits(seconds * 1000)} ms"
    if seconds < 60:
        return f"{_three_digits(seconds)} s"
    return in_two_units(round(seconds))


def in_two_units(seconds: float) -> str:
    """Return a time in its largest unit and the next smaller one, rounded down.

    >>> in_two_units(9.7), in_two_units(75), in_two_units(3 * 3600 + 59), in_two_units(1e6), in_two_units(1e11)
    ('9 s', '1 min 15 s', '3 h 0 min', '11 d 13 h', '3,168 y 295 d')
    """
    for (size, unit), (smaller_size, smaller_unit) in itertools.pairwise(_UNITS_OF_TIME):
        if seconds >= size:
            return f"{int(seconds // size):,} {unit} {int(seconds % size // smaller_size)} {smaller_unit}"
    return f"{int(seconds)} s"


def _three_digits(value: float) -> str:
    return f"{value:.{max(0, min(3, 3 - len(str(int(value)))))}f}" if value >= 1 else f"{value:.3f}"
