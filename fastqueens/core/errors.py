"""The exceptions of the package."""


class _RowError(ValueError):
    """An error whose message may name rows: they fill the places ``{}`` in it.

    Inside the package rows count from 0. Whoever shows the message to a user who counts from 1 says so first.

    >>> error = InputError("there is no row {}: rows go from {} to {}", 8, 0, 7)
    >>> error.count_rows_from(1)
    >>> str(error)
    'there is no row 9: rows go from 1 to 8'
    """

    _message = ""
    _rows: tuple[int, ...] = ()

    def __init__(self, message: str = "", *rows: int) -> None:
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
    """The ``stop`` callback returned True before there was a result."""


class SamplingWarning(UserWarning):
    """Samples resemble each other, or few replicas carry the weight of an estimate."""


# Tracebacks show the public names: fastqueens.InputError and so on.
for _error in (InputError, NoSolutionError, NotEnoughMemoryError, SamplingWarning, Stopped):
    _error.__module__ = "fastqueens"
