"""The result of :func:`fastqueens.estimate`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from fastqueens.sampling.decimal_count import decimal_count, with_error
from fastqueens.sampling.known_counts import known_count


class NodeFigures(NamedTuple):
    """What all replicas together have measured at one node of the integral.

    Attributes
    ----------
    t : float
        The weight of a board of energy E is t**E.
    energy, energy_error : float
        The mean energy and its standard error.
    acceptance : float
        The share of accepted proposals.
    """

    t: float
    energy: float
    energy_error: float
    acceptance: float


@dataclass(frozen=True)
class CountEstimate:
    """An estimate of Q(n), the number of solutions for n queens.

    Attributes
    ----------
    n, seed : int
        With ``replicas`` they repeat the estimate.
    log_count, standard_error : float
        ln Q(n), and the standard error that follows from how much the replicas differ. With R replicas, the error has
        R - 1 degrees of freedom: for an interval that holds ln Q(n) with a probability of 95 %, multiply it by 3.2 for
        4 replicas, 2.4 for 8, 2.1 for 16 and 2.0 for many.
    replicas : int
        Independent runs of the chain.
    proposals : int
        Proposals of all replicas, without those of the burn-in.
    acceptance : float
        The share of them that was accepted.
    method : str
        "thermodynamic integration"; "exact" for n = 1.
    seconds : float
        Wall time of the call.
    nodes : tuple of NodeFigures
        What was measured at each node of the integral.
    """

    n: int
    seed: int
    log_count: float
    standard_error: float
    replicas: int
    proposals: int
    acceptance: float
    method: str
    seconds: float
    nodes: tuple[NodeFigures, ...] = ()

    @property
    def gamma(self) -> float:
        """The value of ln n - ln(Q(n)) / n, which tends to the constant 1.94400 of :func:`fastqueens.limit_gamma`."""
        return math.log(self.n) - self.log_count / self.n

    @property
    def gamma_error(self) -> float:
        """The standard error of ``gamma``."""
        return self.standard_error / self.n

    @property
    def exact(self) -> int | None:
        """Q(n) if it has been counted: OEIS A000170, up to n = 27."""
        return known_count(self.n)

    @property
    def deviation(self) -> float | None:
        """By how many standard errors ``log_count`` is above its exact value; None if that or the error is unknown."""
        if self.exact is None or self.standard_error == 0:
            return None
        return (self.log_count - math.log(self.exact)) / self.standard_error

    @property
    def decimal(self) -> str:
        """Q(n) in decimal notation, with as many digits as the error allows."""
        return decimal_count(self.log_count, self.standard_error)

    def __repr__(self) -> str:
        return (
            f"<CountEstimate n={self.n} ln Q = {with_error(self.log_count, self.standard_error)}, Q = {self.decimal}, "
            f"{self.replicas:,} replicas, seed={self.seed}, {self.seconds:.3g} s>"
        )

    def as_dict(self) -> dict[str, Any]:
        """Return all figures, with the names that ``fastqueens estimate --json`` prints."""
        return {
            "n": self.n,
            "seed": self.seed,
            "log_count": self.log_count,
            "standard_error": self.standard_error,
            "gamma": self.gamma,
            "gamma_error": self.gamma_error,
            "decimal": self.decimal,
            "exact": self.exact,
            "deviation": self.deviation,
            "method": self.method,
            "replicas": self.replicas,
            "proposals": self.proposals,
            "acceptance": self.acceptance,
            "seconds": self.seconds,
            "nodes": [node._asdict() for node in self.nodes],
        }
