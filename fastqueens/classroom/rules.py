"""The limits of a rule, and the checks of rules and limits. The rules' names are in ``core/arguments.py``."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import NamedTuple

from fastqueens.core.arguments import NO_LIMIT, RULES, check_integer, check_limit
from fastqueens.core.errors import InputError

#: Sideways moves in a row after which the rule "sideways" gives up, as in the textbook.
SIDEWAYS_LIMIT = 100

#: The temperature at which annealing ends.
COLDEST = 0.1

# Valid first temperatures end here, and cooling factors lie between these two.
_HOTTEST = 10.0
_COOLING = 0.01, 0.999


class Limits(NamedTuple):
    """How long a run goes on.

    sideways : moves in a row that keep the cost, for the rule "sideways"
    restarts : new random boards after climbs that are stuck; None for as many as it takes
    temperature, cooling : for the rule "annealing": the first temperature, and the factor from one to the next, down to
        0.1, with n^2 drawn moves at each
    """

    sideways: int = SIDEWAYS_LIMIT
    restarts: int | None = 0
    temperature: float = 1.0
    cooling: float = 0.95


DEFAULT_LIMITS = Limits()


def check_rule(rule: str, rules: Iterable[str] = RULES) -> None:
    """Raise :class:`InputError` for an unknown rule; the message names similar ones."""
    names = list(rules)
    if rule not in names:
        near = difflib.get_close_matches(rule, names, n=2)
        hint = f"did you mean {' or '.join(map(repr, near))}?" if near else f"it is one of {', '.join(names)}"
        raise InputError(f"there is no rule {rule!r}: {hint}")


def check_limits(limits: Limits) -> Limits:
    """Return the limits with Python integers; raise :class:`InputError` for the first value that is out of range.

    >>> import numpy
    >>> check_limits(Limits(sideways=numpy.uint8(7)))
    Limits(sideways=7, restarts=0, temperature=1.0, cooling=0.95)
    """
    sideways = check_integer(limits.sideways, "sideways_limit", 0, NO_LIMIT)
    restarts = None if limits.restarts is None else check_limit(limits.restarts, "restarts")
    _check_between("temperature", limits.temperature, COLDEST, _HOTTEST)
    _check_between("cooling", limits.cooling, *_COOLING)
    return limits._replace(sideways=sideways, restarts=restarts)


def _check_between(name: str, value: float, least: float, most: float) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise InputError(f"{name} is {value!r}: it goes from {least} to {most}")
