"""Exceptions of the package."""

from typing import Any

#: Ends a message about rows that may count from 1, in the words of functions and of commands.
ROWS_FROM_1 = "; if its rows count from 1, use rows_from=1 (--rows-from 1)"


class _ValueError(ValueError):
    """An error whose message can hold names of files: control characters in it are escaped."""

    def __init__(self, message: str = "") -> None:
        super().__init__(printable(message))


class InputError(_ValueError):
    """A value from the user is wrong. The message names the value and says what would be valid."""


class NoSolutionError(_ValueError):
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
    """The time limit was reached before the first board was complete."""


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
