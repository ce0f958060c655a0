"""The result of ``estimate()``, in as many digits as are honest, and next to the exact number if that is known."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from fastqueens.core.instance import Instance
from fastqueens.core.known_counts import known_count

#: With a larger error of ln Q(n), Q(n) is known up to a factor only.
_LARGEST_RELATIVE_ERROR = 0.35

#: Smaller numbers are written without an exponent.
_POWERS_FROM = 7


def decimal_count(log_count: float, error: float) -> str:
    """Return exp(log_count) with its standard error, of which two digits are given.

    Parameters
    ----------
    log_count, error : float
        An estimate of ln Q(n) and its standard error.

    Examples
    --------
    >>> decimal_count(math.log(92.13), 0.0044)
    '92.13 ± 0.41'
    >>> decimal_count(math.log(2.3491e17), 0.0051)
    '2.349(12) x 10^17'
    >>> decimal_count(math.log(7e56), 0.4)  # of the exponent, 57 digits would not be honest
    '10^(56.85 ± 0.17)'
    >>> decimal_count(1_000_000.0, 5.0)
    '10^(434,294.5 ± 2.2)'
    """
    power = log_count / math.log(10)
    if error > _LARGEST_RELATIVE_ERROR:
        return f"10^({with_error(power, error / math.log(10))})"
    if power < _POWERS_FROM:
        count = math.exp(log_count)
        return with_error(count, count * error)
    exponent = math.floor(power)
    mantissa = 10 ** (power - exponent)
    digits = _digits(mantissa * error)
    if round(mantissa, digits) >= 10:
        exponent, mantissa = exponent + 1, mantissa / 10
        digits = _digits(mantissa * error)
    return f"{mantissa:.{digits}f}({round(mantissa * error * 10**digits)}) x 10^{exponent:,}"


def with_error(value: float, error: float) -> str:
    """Return a value with its error, of which two digits are given.

    >>> with_error(4969.8134, 0.0519), with_error(1.943911, 0.0000492), with_error(31415.9, 265.0)
    ('4,969.813 ± 0.052', '1.943911 ± 0.000049', '31,416 ± 265')
    """
    if error == 0:
        return f"{value:,.10g}"
    digits = max(0, _digits(error))
    return f"{value:,.{digits}f} ± {error:,.{digits}f}"


def _digits(error: float) -> int:
    """Return how many digits after the point give two digits of an error."""
    return 1 - int(f"{error:.1e}".partition("e")[2])


class LevelFigures(NamedTuple):
    """What all replicas together have measured on boards with a number of holes.

    Attributes
    ----------
    holes : int
        The number m of empty columns and rows.
    free, free_error : float
        p(m), the probability that the square of a random empty column and a random empty row is free, and its standard
        error.
    """

    holes: int
    free: float
    free_error: float


@dataclass(frozen=True)
class CountEstimate:
    """An estimate of Q, the number of solutions of an instance.

    Attributes
    ----------
    instance : Instance
        The board and its constraints.
    seed : int
        With ``instance`` and ``replicas``, it repeats the estimate.
    log_count, standard_error : float
        ln Q, and the standard error that follows from how much the replicas differ. With R replicas, the error has
        R - 1 degrees of freedom: for an interval that holds ln Q with a probability of 95 %, multiply it by 3.2 for
        4 replicas, 2.4 for 8, 2.1 for 16 and 2.0 for many.
    replicas : int
        Independent runs of the chain.
    hops : int
        Hops made in all replicas: how often a queen moved to another row.
    acceptance : float
        The share of hops that were made, of those that were tried.
    method : str
        "holes"; "exact" for n = 1, and if all queens are fixed.
    seconds : float
        Wall time of the call.
    levels : tuple of LevelFigures
        What was measured for each number of holes, from many to few.
    """

    instance: Instance
    seed: int
    log_count: float
    standard_error: float
    replicas: int
    hops: int
    acceptance: float
    method: str
    seconds: float
    levels: tuple[LevelFigures, ...] = ()

    @property
    def n(self) -> int:
        """Side of the board."""
        return self.instance.n

    @property
    def gamma(self) -> float:
        """The value of ln n - ln(Q) / n, which tends to the constant 1.94400 of :func:`fastqueens.limit_gamma`."""
        return math.log(self.n) - self.log_count / self.n

    @property
    def gamma_error(self) -> float:
        """The standard error of ``gamma``."""
        return self.standard_error / self.n

    @property
    def exact(self) -> int | None:
        """Q if it has been counted: OEIS A000170, up to n = 27, for boards without constraints."""
        return known_count(self.n) if self.instance.is_free else None

    @property
    def deviation(self) -> float | None:
        """By how many standard errors ``log_count`` is above its exact value; None if that or the error is unknown."""
        if not self.exact or self.standard_error == 0:
            return None
        return (self.log_count - math.log(self.exact)) / self.standard_error

    @property
    def decimal(self) -> str:
        """Q in decimal notation, with as many digits as the error allows."""
        return decimal_count(self.log_count, self.standard_error)

    def __repr__(self) -> str:
        return (
            f"<CountEstimate n={self.n} ln Q = {with_error(self.log_count, self.standard_error)}, Q = {self.decimal}, "
            f"{self.replicas:,} replicas, seed={self.seed}, {self.seconds:.3g} s>"
        )

    def as_dict(self) -> dict[str, Any]:
        """Return all figures, with the names that ``fastqueens estimate --json`` prints."""
        names = (
            "seed", "log_count", "standard_error", "gamma", "gamma_error", "decimal", "exact", "deviation", "method",
            "replicas", "hops", "acceptance", "seconds",
        )  # fmt: skip
        figures = {name: getattr(self, name) for name in names}
        return {"n": self.n, **self.instance.counts, **figures, "levels": [level._asdict() for level in self.levels]}
