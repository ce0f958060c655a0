"""Exceptions of the package."""

from typing import Any

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


def printable(text: str) -> str:
    r"""Escape control characters, line ends among them: file names can hold them, and a terminal would obey them.

    >>> print(printable("\x1b[2J\t.txt: no such file"))
    \x1b[2J\t.txt: no such file
    """
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
