"""The exceptions of the package."""


class InputError(ValueError):
    """A value from the user is wrong. The message names the value and says what would be valid."""


class NoSolutionError(ValueError):
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
