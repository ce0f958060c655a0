"""Figures that others have published for rules at n = 8."""

from __future__ import annotations

from typing import NamedTuple

from fastqueens.classroom.rules import SIDEWAYS_LIMIT, Limits
from fastqueens.core.names import RESTARTING_RULES, STUDY_RULES


class Published(NamedTuple):
    """Figures of one source for one rule; None if the source does not report them.

    restarts : new boards over all ``runs``
    """

    source: str
    runs: int | None
    success_rate: float
    solved_steps_mean: float
    failed_steps_mean: float | None = None
    restarts: int | None = None


_N = 8
_DOCUMENT = "document 003"
_TEXTBOOK = "textbook"  # Russell and Norvig, Artificial Intelligence: A Modern Approach
_PUBLISHED = {
    "steepest": (Published(_DOCUMENT, 200, 0.135, 4.04, 4.0), Published(_TEXTBOOK, None, 0.14, 4, 3)),
    "sideways": (Published(_DOCUMENT, 200, 0.95, 21.3, 65.3), Published(_TEXTBOOK, None, 0.94, 21, 64)),
    "restart": (Published(_DOCUMENT, 200, 1.0, 27.04, restarts=1134),),
    "restart-sideways": (Published(_DOCUMENT, 200, 0.99, 23.15, restarts=4),),
}


def published(n: int, rule: str, limits: Limits) -> tuple[Published, ...]:
    """Return the published figures for a rule of a study, if they are for the same board size and limits."""
    same_sideways = STUDY_RULES[rule] != "sideways" or limits.sideways == SIDEWAYS_LIMIT
    same_restarts = rule not in RESTARTING_RULES or limits.restarts is None
    return _PUBLISHED.get(rule, ()) if n == _N and same_sideways and same_restarts else ()
