"""Numbers with their errors, and Q(n) in decimal notation, with no more digits than the error supports."""

from __future__ import annotations

import math

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
    digits = 1 - math.floor(math.log10(error))
    # 0.0996 is written as 0.10, not as 0.100.
    return digits - 1 if round(error * 10**digits) >= 100 else digits
