"""Exceptions and warnings of the package."""

from typing import Any

#: The end of a message about rows that are perhaps counted from 1, for functions and for commands.
ROWS_FROM_1 = "; if its rows are numbered from 1, use rows_from=1 (--rows-from 1)"


class _ValueError(ValueError):
    """An error whose message escapes control characters, because it can contain names of files."""

    def __init__(self, message: str = "") -> None:
        super().__init__(printable(message))


class InputError(_ValueError):
    """Raised for an invalid value from the user. The message names the value and the valid values.

    It is a subclass of :class:`ValueError`.

    See Also
    --------
    NoSolutionError : raised for instances without a solution.

    Examples
    --------
    >>> import fastqueens
    >>> try:
    ...     fastqueens.solve(8, threads=0)
    ... except fastqueens.InputError as error:
    ...     message = str(error)
    >>> message
    'threads must be between 1 and 1,024, not 0'
    """


class NoSolutionError(_ValueError):
    """Raised if an instance has no solution.

    It is a subclass of :class:`ValueError`.

    Attributes
    ----------
    nodes : int
        Number of squares that complete search tried for the proof, or 0 if no search was needed.
    seconds : float
        Duration of complete search in seconds.

    See Also
    --------
    solve : raises this error.
    count_solutions : returns 0 if the search finds no solution.

    Examples
    --------
    >>> import fastqueens
    >>> try:
    ...     fastqueens.solve(6, fixed=[(0, 0), (1, 2)])
    ... except fastqueens.NoSolutionError as error:
    ...     nodes = error.nodes
    >>> nodes
    3
    """

    nodes: int = 0
    seconds: float = 0.0


class NotEnoughMemoryError(MemoryError):
    """Raised if a call needs more memory than is available. The message names both amounts.

    It is a subclass of :class:`MemoryError`.

    See Also
    --------
    solve : starts anyway with ``force=True``.

    Examples
    --------
    >>> import fastqueens
    >>> try:
    ...     fastqueens.sample(10**6, 10**9)
    ... except fastqueens.NotEnoughMemoryError as error:
    ...     message = str(error)
    """


class Stopped(Exception):  # noqa: N818 - not an error: the user asked for it
    """Raised if the ``stop`` callback returns True before there is a result.

    Attributes
    ----------
    partial : object or None
        The finished part of the result, if the documentation of the function describes one.

    See Also
    --------
    TimeLimitReached : raised at a time limit.
    study, count_solutions : keep a finished part.

    Examples
    --------
    >>> import fastqueens
    >>> try:
    ...     fastqueens.count_solutions(20, stop=lambda: True)
    ... except fastqueens.Stopped as stopped:
    ...     found = stopped.partial
    >>> 0 <= found < 39_029_188_884
    True
    """

    partial: Any = None


class TimeLimitReached(Stopped):
    """Raised by functions that return a bare value or an iterator, and before the first board, at the time limit.

    It is a subclass of :class:`Stopped`.

    Attributes
    ----------
    partial : object or None
        The finished part of the result, if the documentation of the function describes one.

    See Also
    --------
    solve, sample, estimate : return incomplete results at the time limit.

    Examples
    --------
    >>> import fastqueens
    >>> try:
    ...     fastqueens.count_solutions(20, time_limit=0.01)
    ... except fastqueens.TimeLimitReached as reached:
    ...     found = reached.partial
    >>> 0 <= found < 39_029_188_884
    True
    """


class SamplingWarning(UserWarning):
    """Issued if samples resemble each other, or chains do not mix.

    See Also
    --------
    sample : issues this warning.

    Examples
    --------
    >>> import warnings
    >>> import fastqueens
    >>> with warnings.catch_warnings(action="error"):
    ...     try:
    ...         samples = fastqueens.sample(8, 100, thinning=1, seed=1)
    ...     except fastqueens.SamplingWarning as warning:
    ...         message = str(warning)
    >>> message
    'thinning is 1: consecutive samples resemble each other; by default it is 16'
    """


# Tracebacks show the public names: fastqueens.InputError and so on.
for _error in (InputError, NoSolutionError, NotEnoughMemoryError, SamplingWarning, Stopped, TimeLimitReached):
    _error.__module__ = "fastqueens"


def is_raised_in(error: Exception, *packages: str) -> bool:
    """Return whether an error was raised in a module of these packages.

    A signal handler of the caller, for example of an alarm, can raise anything at any moment. Code that catches the
    errors of a library lets such exceptions pass.
    """
    traceback, module = error.__traceback__, ""
    while traceback is not None:
        module = traceback.tb_frame.f_globals.get("__name__", "")
        traceback = traceback.tb_next
    return module.partition(".")[0] in packages


def printable(text: str) -> str:
    r"""Return text with escaped control characters and line ends, which a terminal would otherwise obey.

    >>> print(printable("\x1b[2J\t.txt: no such file"))
    \x1b[2J\t.txt: no such file
    """
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
