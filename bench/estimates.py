"""Estimates of ln Q(n), and the constant C of Q(n) = C sqrt(n) (n / e^gamma)^n that fits them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

import fastqueens
from fastqueens import limit_gamma
from fastqueens.sampling.estimates import with_error

#: Threads of all estimates.
THREADS = 2

#: Boards, and seconds for each. The error of ln Q(n) is below one up to n = 10^5.
BOARDS = {30: 60, 50: 60, 100: 120, 200: 120, 500: 120, 10**3: 180, 10**4: 120, 10**5: 180, 10**6: 600}

Rows = Sequence[dict[str, Any]]


def measure(boards: Mapping[int, float] = BOARDS) -> Iterator[dict[str, Any]]:
    """Estimate ln Q(n) for each n, for the given number of seconds each."""
    for n, seconds in boards.items():
        figures = fastqueens.estimate(n, seed=1, time_limit=seconds, threads=THREADS).as_dict()
        del figures["levels"]
        yield {"threads": THREADS, **figures}


class Fit(NamedTuple):
    """Coefficients of a weighted least-squares fit, their standard errors, chi-square and degrees of freedom."""

    values: list[float]
    errors: list[float]
    chi_square: float
    freedom: int


def fit(terms: Sequence[ArrayLike], y: ArrayLike, errors: ArrayLike) -> Fit:
    """Fit y = a terms[0] + b terms[1] + ... to independent values with standard errors.

    >>> fit([[1, 1, 1, 1]], [1, 3, 3, 5], [1, 1, 1, 1])
    Fit(values=[3.0], errors=[0.5], chi_square=8.0, freedom=3)
    """
    columns = np.stack([np.asarray(term, float) / errors for term in terms], axis=1)
    covariance = np.linalg.inv(columns.T @ columns)
    values = covariance @ columns.T @ (np.asarray(y) / errors)
    far = columns @ values - np.asarray(y) / errors
    return Fit(values.tolist(), np.sqrt(covariance.diagonal()).tolist(), float(far @ far), len(far) - len(values))


def fit_constants(rows: Rows) -> tuple[Fit, Fit, Fit]:
    """Fit ln Q(n) = n (ln n - gamma) + ln C + s ln n + b / n in three ways; return the free parameters of each fit.

    The first fit takes gamma from the limit shape and s = 1/2, and gives ln C and b. The second takes the same gamma,
    and gives ln C, b and s. The third takes s = 1/2, and gives ln C, b and gamma.
    """
    n = np.array([row["n"] for row in rows], float)
    errors = np.array([row["standard_error"] for row in rows])
    excess = np.array([row["log_count"] for row in rows]) - n * np.log(n)
    terms, root, with_gamma = [np.ones(len(n)), 1 / n], np.log(n) / 2, excess + n * limit_gamma().gamma
    return (
        fit(terms, with_gamma - root, errors),
        fit([*terms, np.log(n)], with_gamma, errors),
        fit([*terms, -n], excess - root, errors),
    )


def table(rows: Rows) -> str:
    """Return a table with a line for each power of ten, and the parameters fitted to all n."""
    lines = ["| n | ln Q(n) | gamma(n) | extrapolated | replicas |", "|---:|---:|---:|---:|---:|"]
    constant, power, gamma = fit_constants(rows)
    log_c, b = constant.values
    for row in rows:
        n = row["n"]
        if not math.log10(n).is_integer():
            continue
        extrapolated = row["gamma"] + (log_c + math.log(n) / 2 + b / n) / n
        values = (
            (row["log_count"], row["standard_error"]),
            *((g, row["gamma_error"]) for g in (row["gamma"], extrapolated)),
        )
        cells = [f"{n:,}", *(with_error(*value) for value in values), f"{row['replicas']:,}"]
        lines.append("| " + " | ".join(cells) + " |")
    c = math.exp(log_c)
    return "\n".join(lines) + (
        f"\n\n- **C = {with_error(c, c * constant.errors[0])}**, b = {with_error(b, constant.errors[1])}; chi-square "
        f"{constant.chi_square:.1f} with {constant.freedom} degrees of freedom.\n"
        f"- The exponent of n, if it is also free: **{with_error(power.values[2], power.errors[2])}**.\n"
        f"- gamma, if it is free instead: **{with_error(gamma.values[2], gamma.errors[2])}**."
    )
